"""The clock of a table of frames: its rate by the header and by its own times."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.io._records import refused

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array

_AGREE = 0.01
"""Rates by header and times that differ by more contradict each other."""
_EVEN = 0.6
"""Times are even when each lies within this part of a frame of its place."""
_SPARSE = 4
_RATES_HZ = (1.0, 20000.0)
_LARGEST_FRAME = 2**31


@dataclass(frozen=True, slots=True, eq=False)
class Clock:
    """When the rows of a table are.

    Attributes
    ----------
    rate_hz : float
    first_frame : int
        From 1 at time 0: frame = 1 + rate x time of the first row, to the nearest.
    frames : int
        From the first row to the last, missing ones included.
    rows : array of int
        Place of each row among the frames, from 0.
    rest_s : float
        What is left of the first time beside (first_frame - 1) / rate.
    notes : tuple of str
    """

    rate_hz: float
    first_frame: int
    frames: int
    rows: np.ndarray
    rest_s: float
    notes: tuple[str, ...] = ()


def clock_of(numbers: Array, times_s: Array, said: str, name: str) -> Clock:
    """Return the clock of rows with frame numbers and times.

    Rate by the times = frames from the first to the last / seconds between them: the step of
    times that are written with three digits is not a rate (.017 s at 60 Hz).

    Parameters
    ----------
    numbers, times_s : arrays, shape (n,)
        As written.
    said : str
        The rate in the header, Hz.
    name : str
        Of the file, for messages.

    Raises
    ------
    FileRefused
        When rate and times contradict each other, or the times are not even.
    """
    rows = numbers - numbers[0]
    counted = bool(np.isfinite(rows).all() and (np.diff(rows) > 0).all())
    rows = rows.astype(int) if counted and rows[-1] < _LARGEST_FRAME else np.arange(len(numbers))
    frames = int(rows[-1]) + 1
    if frames > _SPARSE * len(rows):
        raise refused(name, f"{len(rows)} rows of {frames} frames", "a row for every frame")
    header = _positive(said)
    lasted = float(times_s[-1] - times_s[0])
    timed = (frames - 1) / lasted if lasted > 0 else math.nan
    if not math.isfinite(timed):
        if len(rows) > 1 or not header:
            raise refused(name, "times that do not advance", "a time for every row, in s")
        timed = header
    if header and abs(header - timed) > _AGREE * header:
        found = f"DataRate {header:g} Hz and times of {timed:g} Hz"
        raise refused(name, found, "one rate", "correct the header or the times, or export again")
    rate = header if header and abs(header - timed) * max(lasted, 0.0) < 0.5 else timed  # noqa: PLR2004
    rate = float(round(rate)) if math.isclose(rate, round(rate), rel_tol=1e-6) else rate
    if not _RATES_HZ[0] <= rate <= _RATES_HZ[1]:
        raise refused(name, f"a rate of {rate:g} Hz", f"{_RATES_HZ[0]:g} to {_RATES_HZ[1]:g} Hz")
    off = np.abs(times_s - times_s[0] - rows / rate) * rate
    if not off.max() <= _EVEN:  # NaN too
        found = f"row {int(np.argmax(~(off <= _EVEN))) + 1} away from its time"
        raise refused(name, found, f"rows {1000 / rate:g} ms apart, as its rate says")
    start = float(times_s[0]) * rate
    if not abs(start) < _LARGEST_FRAME:
        raise refused(name, f"a first time of {times_s[0]:g} s", "seconds from the start")
    rest = (start - round(start)) / rate
    notes = _notes(rate, header, len(rows), frames)
    return Clock(rate, 1 + round(start), frames, rows, rest, notes)


def _notes(rate: float, header: float, rows: int, frames: int) -> tuple[str, ...]:
    found: list[str] = []
    if header and not math.isclose(rate, header, rel_tol=1e-6):
        found.append(f"the rate is {rate:g} Hz by the times; the header says {header:g}")
    if rows < frames:
        found.append(f"{frames - rows} of {frames} frames have no row: they are gaps")
    return tuple(found)


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if 0 < value < math.inf else 0.0
