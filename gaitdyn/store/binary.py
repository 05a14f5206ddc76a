"""``values.npz``: the exact values of a trial, from which they are read back.

One flat array of floating-point numbers holds all arrays; a JSON outline says what they are and how
the frozen values of :mod:`gaitdyn.types` are built from them. A value used in several places is
written once. Raw EMG signals are included. Raw plate channels, model outputs of other programs and
the markers of a static stay in the recordings, and paths and labels that may contain a name are
left out.
"""

from __future__ import annotations

import json
import math
from array import array
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_STORED, BadZipFile, ZipFile

import numpy as np

from gaitdyn.errors import GaitdynError
from gaitdyn.io.labels import mask, mask_file
from gaitdyn.quality.rules.muscles import emg_of
from gaitdyn.types.option_rows import without_folders
from gaitdyn.types.result import Processed
from gaitdyn.types.uncertainty import BANDS, CUTOFFS, SWEEP

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from gaitdyn.types.emg import AnalogChannels
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Recording

VALUES = "values.npz"
SCHEMA = 1
UNREADABLE = (
    OSError, EOFError, LookupError, TypeError, ValueError, AttributeError, ImportError, BadZipFile,
    RecursionError, NotImplementedError, MemoryError, OverflowError, GaitdynError,
)  # fmt: skip
"""Errors that a damaged file, or one of another version, may raise."""
_HOMES = ("gaitdyn.types.", "gaitdyn.quality.", "gaitdyn.dynamics.")
"""Packages of the classes and functions that a file may name."""

_KEPT = ("findings", "audit", "emg", BANDS, CUTOFFS, SWEEP)
"""Answers that need the recording, or minutes."""

_PLAIN = {type(None), bool, int, str}
"""Types that JSON represents directly."""

_SMALL = 4096
"""Size of a small array; small arrays are joined, since every write has a fixed cost."""


def write_values(path: Path, result: Processed) -> None:
    """Write the values of a trial, and the derived answers that need the recording."""
    writer = _Writer()
    reduced: dict[int, Recording] = {}

    def without_raw(recording: Recording) -> Recording:
        return reduced.setdefault(id(recording), _without_raw(recording))

    recording = replace(_without_raw(result.recording), analog=_muscles(result))
    reduced[id(result.recording)] = recording

    values = {
        f.name: getattr(result, f.name) for f in fields(Processed) if f.init and f.name != "visit"
    }
    values["recording"] = without_raw(result.recording)
    values["trial"] = replace(result.trial, recording=without_raw(result.trial.recording))
    static = None if result.static is None else without_raw(result.static)
    values["static"] = static and replace(static, labels=(), markers_L=static.markers_L[:, :0])
    values["options"] = without_paths(result)
    kept = {name: result.kept[name] for name in _KEPT if name in result.kept}
    outline = {f"values {SCHEMA}": writer.encoded(values), "kept": writer.encoded(kept)}
    text = json.dumps(outline, ensure_ascii=False, separators=(",", ":"))
    with ZipFile(path, "w", ZIP_STORED) as file:
        _put(file, "numbers.npy", "<f8", writer.numbers())
        _put(file, "outline.npy", "|u1", [np.frombuffer(text.encode(), dtype=np.uint8)])


def _put(file: ZipFile, name: str, kind: str, arrays: Sequence[np.ndarray[Any, Any]]) -> None:
    """Write arrays as one flat array, as ``np.savez`` would, without joining them in memory."""
    shape = (sum(part.size for part in arrays),)
    with file.open(name, "w", force_zip64=True) as member:
        head = {"descr": kind, "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(member, head)
        for part in arrays:
            member.write(np.ascontiguousarray(part, dtype=kind).data)


def read_values(raw: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fields of a trial and the answers kept with them.

    Nothing larger than the file itself is allocated for its arrays.

    Parameters
    ----------
    raw : bytes
        Contents of the file.

    Raises
    ------
    UNREADABLE
        If they cannot be read.
    """
    with ZipFile(BytesIO(raw)) as file:
        numbers = _member(file, "numbers.npy", "<f8", len(raw))
        text = _member(file, "outline.npy", "|u1", len(raw)).tobytes()
    outline = json.loads(text)
    read = _Reader(numbers)
    return read.value(outline[f"values {SCHEMA}"]), read.value(outline["kept"])


def _member(file: ZipFile, name: str, kind: str, largest: int) -> np.ndarray[Any, Any]:
    """Return a flat array that is stored without compression."""
    info = file.getinfo(name)
    if info.compress_type != ZIP_STORED or info.file_size > largest:
        raise ValueError(f"{name} is packed, wanted it as it was written")
    stream = BytesIO(file.read(info))
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ValueError(f"{name} has another version of its header")
    shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    flat = np.frombuffer(stream.getbuffer()[stream.tell() :], dtype=kind)
    if dtype != np.dtype(kind) or shape != flat.shape:
        raise ValueError(f"{name} has {shape} of {dtype}, wanted {flat.shape} of {kind}")
    flat.flags.writeable = False
    return flat


def _muscles(result: Processed) -> AnalogChannels | None:
    """Return only the channels that are EMG."""
    emg, analog = emg_of(result), result.recording.analog
    if emg is None or analog is None:
        return None
    kept = [analog.numbers.index(channel.number) for channel in emg.channels]
    texts = {
        name: tuple(getattr(analog, name)[i] for i in kept)
        for name in ("numbers", "labels", "descriptions", "units", "sides", "declared")
    }
    return replace(analog, **texts, samples=analog.samples[kept])


def _without_raw(recording: Recording) -> Recording:
    """Return a recording without large or private parts that no derived answer needs."""
    plates = tuple(replace(p, channels=p.channels[:0]) for p in recording.plates)
    forces, muscles = recording.forces, recording.muscles
    return replace(
        recording,
        forces=None if forces is None else replace(forces, path=None),
        muscles=None if muscles is None else replace(muscles, path=None),
        plates=plates,
        outputs={},
        descriptions=(),
        analog=None,
        persons=(),
        called=(),
        path=None,
    )


def without_paths(result: Processed) -> Options:
    """Return the options with file names instead of paths, and names of persons masked."""
    return result.once("options without paths", lambda: _without_paths(result))


def _without_paths(result: Processed) -> Options:
    options = result.options
    names = without_folders(options)
    texts: dict[str, Any] = {
        "static": None if result.static is None else result.static.name,
        "subject_prefix": options.subject_prefix and mask(options.subject_prefix),
        "subject_parameters": options.subject_parameters and mask_file(names["subject_parameters"]),
    }
    return replace(options, **(names | texts))


class _Writer:
    """Encodes values as JSON and a list of number arrays."""

    def __init__(self) -> None:
        self._large: list[np.ndarray[Any, Any]] = []
        self._small = array("d")  # after the last large array
        self._length = 0
        self._seen: dict[int, tuple[int, Any]] = {}

    def numbers(self) -> list[np.ndarray[Any, Any]]:
        """Return the arrays so far, with small ones joined."""
        if self._small:
            self._large.append(np.frombuffer(self._small))
            self._small = array("d")
        return self._large

    def encoded(self, value: Any) -> Any:
        """Return a value as JSON; floats and arrays go to the number arrays."""
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind is float:
            self._small.append(value)
            self._length += 1
            return {"array": self._length - 1, "shape": [], "kind": "<f8", "number": True}
        if isinstance(value, (float, np.generic)):
            return self._array(np.asarray(value)) | {"number": True}
        if isinstance(value, (list, tuple)):
            name = "list" if isinstance(value, list) else "tuple"
            return {name: [x if type(x) in _PLAIN else self.encoded(x) for x in value]}
        if isinstance(value, dict):
            return {"dict": [[self.encoded(k), self.encoded(v)] for k, v in value.items()]}
        return self._shared(value)

    def _shared(self, value: Any) -> dict[str, Any]:
        """Return an array, a function or a frozen value; the second time, only its number."""
        if id(value) in self._seen:
            return {"same": self._seen[id(value)][0]}
        self._seen[id(value)] = number, _ = len(self._seen), value
        if isinstance(value, np.ndarray):
            return self._array(value) | {"is": number}
        if is_dataclass(value):
            encoded, inside = self.encoded, {}
            for name in _given(type(value)):
                inner = getattr(value, name)
                inside[name] = inner if type(inner) in _PLAIN else encoded(inner)
            return {"class": _home(type(value)), "fields": inside, "is": number}
        return {"function": _home(value), "is": number}

    def _array(self, value: np.ndarray[Any, Any]) -> dict[str, Any]:
        start, self._length = self._length, self._length + value.size
        if value.dtype.kind not in "fbiu":
            raise TypeError(f"an array of {value.dtype} cannot be written")
        if value.size < _SMALL:
            self._small.frombytes(np.ascontiguousarray(value, dtype=float).tobytes())
        else:
            self.numbers().append(value)
        return {"array": start, "shape": list(value.shape), "kind": value.dtype.str}


class _Reader:
    """Decodes the output of :class:`_Writer`."""

    def __init__(self, numbers: np.ndarray[Any, Any]) -> None:
        self._numbers = numbers
        self._known: dict[int, Any] = {}

    def value(self, encoded: Any) -> Any:
        """Return the value that JSON encodes."""
        if not isinstance(encoded, dict):
            return encoded
        if "same" in encoded:
            return self._known[encoded["same"]]
        if "list" in encoded or "tuple" in encoded:
            parts = [self.value(x) for kind in ("list", "tuple") for x in encoded.get(kind, ())]
            return parts if "list" in encoded else tuple(parts)
        if "dict" in encoded:
            return {self.value(k): self.value(v) for k, v in encoded["dict"]}
        value = self._made(encoded)
        if "is" in encoded:
            self._known[encoded["is"]] = value
        return value

    def _made(self, encoded: dict[str, Any]) -> Any:
        if "array" in encoded:
            array = self._array(encoded["array"], encoded["shape"], np.dtype(encoded["kind"]))
            return array.item() if encoded.get("number") else array
        if "function" in encoded:
            return _named(encoded["function"])
        inside = {name: self.value(inner) for name, inner in encoded["fields"].items()}
        kind: Any = _named(encoded["class"])
        known = inside.keys() & _given(kind)  # an older version may have written more
        return kind(**{name: inside[name] for name in known})

    def _array(self, start: int, shape: list[int], kind: np.dtype[Any]) -> np.ndarray[Any, Any]:
        """Return an array after checking that it lies within the numbers of the file."""
        size = math.prod(shape)
        fits = min((start, *shape)) >= 0 and start + size <= len(self._numbers)
        if not fits or kind.kind not in "fbiu":
            message = f"an array of {shape} {kind} from {start}, of {len(self._numbers)} numbers"
            raise ValueError(message)
        return self._numbers[start : start + size].reshape(shape).astype(kind, copy=False)


@lru_cache(maxsize=256)
def _given(kind: type) -> tuple[str, ...]:
    """Return the names of the fields that a class is built from."""
    return tuple(f.name for f in fields(kind) if f.init)


@lru_cache(maxsize=256)
def _home(value: Any) -> str:
    """Return module and name of a class or function of gaitdyn.

    Raises
    ------
    TypeError
        If it is not one.
    """
    name = f"{getattr(value, '__module__', '')}:{getattr(value, '__qualname__', '')}"
    if not name.startswith(_HOMES):
        raise TypeError(f"{value!r} is not part of results")
    return name


def _named(name: str) -> Callable[..., Any]:
    """Return a class or function of gaitdyn by module and name.

    Raises
    ------
    ValueError
        If it is in any other package.
    """
    module, _, inside = name.partition(":")
    if not module.startswith(_HOMES) or "." in inside:
        raise ValueError(f"{name} is not part of results")
    return getattr(import_module(module), inside)
