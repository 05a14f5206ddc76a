"""The header and the parameters of a C3D file.

The C3D format user guide (c3d.org, "The parameter section") has four types of parameter: text,
bytes, 16-bit integers and 32-bit floats. A value is decoded only when it is requested.
"""

import math
import re
from collections.abc import Callable
from dataclasses import field
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from gaitdyn.errors import FileRefused
from gaitdyn.io.plain_files import recovered
from gaitdyn.types.frozen import frozen

T = TypeVar("T")

Processor = Literal["intel", "dec", "sgi"]
BLOCK = 512

_NUMBER = re.compile(r"\d*", re.ASCII)
TEXT, BYTE, INTEGER, FLOAT = -1, 1, 2, 4
RE_EXPORT = "export the trial again from the capture software"


def shown(text: str) -> str:
    """Return ``text`` with unprintable characters escaped."""
    if text.isascii() and text.isprintable():
        return text
    text = recovered(text)
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def refused(file: str, found: str, wanted: str, todo: str = RE_EXPORT) -> FileRefused:
    """Return the one-line refusal of a file: what was found, what was wanted, what to do."""
    return FileRefused(f"{shown(file)}: found {found}; wanted {wanted}; {todo}")


@frozen()
class C3DHeader:
    """The first 512-byte block of a C3D file (C3D format user guide, "The header section").

    Attributes
    ----------
    processor : {"intel", "dec", "sgi"}
        Byte order and floating-point format of the whole file.
    point_count : int
        Points per frame (word 2).
    analog_per_frame : int
        Analog values of all channels in one 3D frame (word 3).
    first_frame, last_frame : int
        First and last frame, counted from 1 (words 4 and 5).
    scale : float
        Scale of the points; negative when the data are floats (words 7 and 8).
    data_block : int
        First 512-byte block of the data, counted from 1 (word 9).
    analog_samples_per_frame : int
        Analog samples of one channel in one 3D frame (word 10).
    rate_hz : float
        Frames per second (words 11 and 12).
    parameter_block : int
        First 512-byte block of the parameters, counted from 1 (byte 1).
    events : tuple of (str, float)
        Label of up to four letters, and seconds after the first frame (words 150 to 234).
    """

    processor: Processor
    point_count: int
    analog_per_frame: int
    first_frame: int
    last_frame: int
    scale: float
    data_block: int
    analog_samples_per_frame: int
    rate_hz: float
    parameter_block: int
    events: tuple[tuple[str, float], ...] = ()

    @property
    def frame_count(self) -> int:
        """Return the number of frames from the first to the last."""
        return self.last_frame - self.first_frame + 1


class Record(NamedTuple):
    """One parameter as stored: its type, dimensions and bytes."""

    kind: int
    dims: tuple[int, ...]
    data: bytes
    processor: Processor

    @property
    def size(self) -> int:
        """Return the number of values; for text, the number of strings, 0 if all have no letter."""
        if not self.data:
            return 0
        return math.prod(self.dims[1:] if self.kind == TEXT else self.dims)

    def values(self) -> list[str] | NDArray[Any]:
        """Return the strings, or the numbers with their dimensions (first one fastest)."""
        if self.kind == TEXT:
            return self._strings()
        numbers = floats(self.data, self.processor) if self.kind == FLOAT else self._integers()
        numbers = numbers.reshape(self.dims or (1,), order="F")
        numbers.flags.writeable = False
        return numbers

    def _integers(self) -> NDArray[np.int64]:
        order = ">" if self.processor == "sgi" else "<"
        return np.frombuffer(self.data, dtype=f"{order}i{self.kind}").astype(np.int64)

    def _strings(self) -> list[str]:
        width = self.dims[0] if self.dims else len(self.data)
        return list(_texts(self.data, width, self.size))


@lru_cache(maxsize=64)
def _texts(data: bytes, width: int, count: int) -> tuple[str, ...]:
    """Return strings of equal width; cached because labels are read repeatedly."""
    return tuple(_text(data[i * width : (i + 1) * width]) for i in range(count))


@lru_cache(maxsize=512)
def _first_number(data: bytes, kind: int, processor: Processor) -> float:
    """Decode one number; cached because most parameters are a single number found in every file."""
    return float(np.ravel(Record(kind, (), data, processor).values())[0])


def stored_type(processor: Processor, size: int) -> np.dtype[Any]:
    """Return the numpy type of data-section numbers: integers of 2 bytes, floats of 4.

    numpy has no DEC floats: they are kept as 32-bit words until they are converted.
    """
    order = ">" if processor == "sgi" else "<"
    if size == 2:  # noqa: PLR2004
        return np.dtype(f"{order}i2")
    return np.dtype("<u4" if processor == "dec" else f"{order}f4")


def as_float64(stored: NDArray[Any], processor: Processor) -> NDArray[np.float64]:
    """Return stored numbers as a new float64 array of the same shape.

    A DEC float has its two 16-bit words exchanged and an exponent that is larger by two, a factor
    of four (C3D format user guide, "DEC floating-point").

    Parameters
    ----------
    stored : array
        Of the type given by :func:`stored_type`.
    processor : {"intel", "dec", "sgi"}
    """
    with np.errstate(invalid="ignore"):  # damaged bytes may be a signalling NaN
        if processor == "dec" and stored.dtype == np.dtype("<u4"):
            exchanged = (stored << np.uint32(16)) | (stored >> np.uint32(16))
            return exchanged.view(np.float32).astype(np.float64) / 4.0
        return stored.astype(np.float64)


def floats(data: bytes, processor: Processor) -> NDArray[np.float64]:
    """Return 32-bit floats of the processor as float64, shape (n,)."""
    return as_float64(np.frombuffer(data, stored_type(processor, 4)), processor)


def _text(data: bytes) -> str:
    data = data.partition(b"\0")[0]
    return data.decode(coding_of(data)).rstrip()


def coding_of(text: bytes) -> str:
    """Return the coding of a stored text: UTF-8, or else Latin-1."""
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


@frozen(eq=False)
class Parameters:
    """The parameters of a C3D file, looked up by group and name regardless of case.

    Attributes
    ----------
    records : dict
        Group -> name -> Record, in capitals.
    oddities : tuple of str
        Suspicious values in the header or the parameters that do not prevent reading the file.
    """

    records: dict[str, dict[str, Record]] = field(repr=False)
    oddities: tuple[str, ...] = ()
    _kept: dict[str, Any] = field(default_factory=dict[str, Any], init=False, repr=False)

    def once(self, name: str, compute: Callable[[], T]) -> T:
        """Return a value derived from the parameters alone, computed at its first use."""
        if name not in self._kept:
            self._kept[name] = compute()
        return self._kept[name]

    def groups(self) -> tuple[str, ...]:
        """Return the names of the groups in capitals, in the order of the file."""
        return tuple(self.records)

    def names(self, group: str) -> tuple[str, ...]:
        """Return the names of a group's parameters in capitals; empty if the group is missing."""
        return tuple(self.records.get(group.upper(), ()))

    def record(self, group: str, name: str) -> Record | None:
        """Return a parameter as it is stored, or None."""
        return self.records.get(group.upper(), {}).get(name.upper())

    def get(self, group: str, name: str, default: Any = None) -> Any:
        """Return the value of a parameter.

        Parameters
        ----------
        group, name : str
            Such as ``"POINT", "RATE"``, in any case.
        default : object
            Returned if the file has no such parameter.

        Returns
        -------
        list of str, or array
            Strings without trailing blanks; or int64 or float64 numbers with the dimensions stored
            in the file: shape (1,) for a scalar, (3, 4, n_plates) for the corners.
        """
        record = self.record(group, name)
        return default if record is None else record.values()

    def series(self, group: str, name: str) -> tuple[str, ...]:
        """Return a parameter's name and its continuations: LABELS, LABELS2, LABELS3 and so on.

        A list may hold 255 entries; longer ones continue in numbered parameters.
        """
        stem, end = name.upper(), len(name.upper())
        found = [f for f in self.names(group) if f[:end] == stem and _NUMBER.fullmatch(f, end)]
        return tuple(sorted(found, key=lambda full: (int(full[end:] or 1), full)))

    def strings(self, group: str, name: str) -> list[str]:
        """Return the strings of a parameter and its continuations, in numeric order."""
        pieces = [self.get(group, full) for full in self.series(group, name)]
        return [text for piece in pieces if isinstance(piece, list) for text in piece]

    def number(self, group: str, name: str) -> float | None:
        """Return the first value of a numeric parameter, or None."""
        record = self.record(group, name)
        if record is None or record.kind == TEXT or not record.size:
            return None
        return _first_number(record.data[: record.kind], record.kind, record.processor)

    def count(self, group: str, name: str) -> int | None:
        """Return the first value as a count: a 16-bit integer is read without a sign.

        None if there is no such parameter, or its value is not a whole number from 0.
        """
        value, record = self.number(group, name), self.record(group, name)
        if value is None or record is None or not value.is_integer():
            return None
        if record.kind == INTEGER:
            return int(value) % 65536
        return int(value) if value >= 0 else None
