"""Find the clock of a table of frames from the rate in its header and its times."""

from __future__ import annotations

import math

import numpy as np

from gaitdyn.io.c3d.records import refused
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.texts import number_in

_AGREE = 0.01
"""Relative difference above which the rates from header and times contradict each other."""
_EVEN = 0.6
"""Times are even if each lies within this fraction of a frame of its expected time."""
_SPARSE = 4
_RATES_HZ = (1.0, 20000.0)
_LARGEST_FRAME = 2**31


@frozen(eq=False)
class Clock:
    """The times of the rows of a table.

    Attributes
    ----------
    rate_hz : float
    first_frame : int
        From 1 at time 0: frame = 1 + rate x time of the first row, to the nearest.
    frames : int
        From the first row to the last, including missing ones.
    rows : array of int
        Frame index of each row, from 0.
    rest_s : float
        First time minus (first_frame - 1) / rate.
    notes : tuple of str
    """

    rate_hz: float
    first_frame: int
    frames: int
    rows: np.ndarray
    rest_s: float
    notes: tuple[str, ...] = ()


@np.errstate(over="ignore", invalid="ignore")
def clock_of(numbers: Array, times_s: Array, stated: str, name: str) -> Clock:
    """Return the clock of rows with frame numbers and times.

    The rate from the times is the number of frames from first to last, divided by the seconds
    between them: the step of times rounded to three digits is not a rate (.017 s at 60 Hz).

    Parameters
    ----------
    numbers, times_s : arrays, shape (n,)
        As written.
    stated : str
        The rate in the header, Hz.
    name : str
        File name, for messages.

    Raises
    ------
    FileRefused
        When rate and times contradict each other, or the times are not even.
    """
    rows = numbers - numbers[0]
    rising = bool(np.isfinite(rows).all() and (np.diff(rows) > 0).all())
    rows = rows.astype(int) if rising and rows[-1] < _LARGEST_FRAME else np.arange(len(numbers))
    frames = int(rows[-1]) + 1
    if frames > _SPARSE * len(rows):
        raise refused(name, f"{len(rows)} rows of {frames} frames", "one row per frame")
    from_header = _positive(stated)
    duration = float(times_s[-1] - times_s[0])
    from_times = (frames - 1) / duration if duration > 0 else math.nan
    if not math.isfinite(from_times):
        if len(rows) > 1 or not from_header:
            raise refused(name, "times that do not advance", "a time for every row, in s")
        from_times = from_header
    if from_header and abs(from_header - from_times) > _AGREE * from_header:
        found = f"DataRate {from_header:g} Hz and times of {from_times:g} Hz"
        raise refused(name, found, "one rate", "correct the header or the times, or export again")
    off_by = abs(from_header - from_times) * max(duration, 0.0)  # frames
    rate = from_header if from_header and off_by < 0.5 else from_times  # noqa: PLR2004
    rate = float(round(rate)) if math.isclose(rate, round(rate), rel_tol=1e-6) else rate
    if not _RATES_HZ[0] <= rate <= _RATES_HZ[1]:
        raise refused(name, f"a rate of {rate:g} Hz", f"{_RATES_HZ[0]:g} to {_RATES_HZ[1]:g} Hz")
    deviation = np.abs(times_s - times_s[0] - rows / rate) * rate
    if not deviation.max() <= _EVEN:  # NaN too
        found = f"row {int(np.argmax(~(deviation <= _EVEN))) + 1} away from its expected time"
        raise refused(name, found, f"rows {1000 / rate:g} ms apart, as the rate states")
    start = float(times_s[0]) * rate
    if not abs(start) < _LARGEST_FRAME:
        raise refused(name, f"a first time of {times_s[0]:g} s", "seconds from the start")
    rest = (start - round(start)) / rate
    notes = _notes(rate, from_header, len(rows), frames)
    return Clock(rate, 1 + round(start), frames, rows, rest, notes)


def _notes(rate: float, header: float, rows: int, frames: int) -> tuple[str, ...]:
    notes: list[str] = []
    if header and not math.isclose(rate, header, rel_tol=1e-6):
        notes.append(f"the rate is {rate:g} Hz by the times; the header says {header:g}")
    if rows < frames:
        notes.append(f"no row for {frames - rows} of {frames} frames, taken as gaps")
    return tuple(notes)


def _positive(text: str) -> float:
    value = number_in(text)
    return value if 0 < value < math.inf else 0.0
