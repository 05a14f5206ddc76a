"""``values.npz``: the exact values of a trial, from which they are read back.

One flat array of floating-point numbers holds all arrays; a JSON outline says what they are and how
the frozen values of :mod:`gaitdyn.types` are built from them. A value used in several places is
written once. Raw EMG signals are included. Raw plate channels, model outputs of other programs and
the markers of a static stay in the recordings, and paths and labels that may contain a name are
left out.
"""

from __future__ import annotations

import json
from dataclasses import fields, replace
from io import BytesIO
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_STORED, BadZipFile, ZipFile

import numpy as np

from gaitdyn.errors import GaitdynError
from gaitdyn.io.labels import mask_file, mask_prefix
from gaitdyn.quality.rules.muscles import emg_of
from gaitdyn.store.outline import OutlineReader, OutlineWriter
from gaitdyn.types.option_rows import without_folders
from gaitdyn.types.result import Processed
from gaitdyn.types.uncertainty import BANDS, CUTOFFS, SWEEP

if TYPE_CHECKING:
    from collections.abc import Sequence
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

_KEPT = ("findings", "audit", "emg", BANDS, CUTOFFS, SWEEP)
"""Answers that need the recording, or minutes."""


def write_values(path: Path, result: Processed) -> None:
    """Write the values of a trial, and the derived answers that need the recording."""
    writer = OutlineWriter()
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
    read = OutlineReader(numbers)
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
        "subject_prefix": options.subject_prefix and mask_prefix(options.subject_prefix),
        "subject_parameters": options.subject_parameters and mask_file(names["subject_parameters"]),
    }
    return replace(options, **(names | texts))
