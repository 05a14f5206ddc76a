"""How far two curves are apart, and where most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.compare.detect import Convention
    from gaitdyn.compare.two_results import PeakRow
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.cycles import Cycle

_FEWEST_FOR_R = 3


@dataclass(frozen=True, slots=True)
class Row:
    """One column of two sources, over the frames where both are known.

    Attributes
    ----------
    name : str
        Such as ``knee moment extension``, or a column of ``timeseries.csv``.
    side : str
        ``left``, ``right`` or empty.
    unit : str
    frames, alone : int
        Frames compared; frames in which one of both alone is known.
    rmse : float
        Root mean square of the difference.
    r : float
        Coefficient of correlation; NaN where a curve does not vary.
    largest : float
        Largest difference, first minus second, with its sign.
    frame : int
        The file's number of its frame.
    percent : float
        Where it lies in the gait cycle, %; NaN outside the cycles.
    first, second : float
        Both values there.
    """

    name: str
    side: str
    unit: str
    frames: int
    alone: int
    rmse: float
    r: float
    largest: float
    frame: int
    percent: float
    first: float
    second: float


@dataclass(frozen=True, slots=True, eq=False)
class CurvePair:
    """Two curves of a picture, shape (n,) each, beside the numbers of their row."""

    row: Row
    ours: Array
    other: Array


@dataclass(frozen=True, slots=True, eq=False)
class SourceComparison:
    """Two sources side by side.

    Attributes
    ----------
    title : str
    first, second : str
        What the sources are called.
    drawn : tuple of CurvePair
    conventions : tuple of Convention
        What the vendor's numbers are; empty for two results of ours.
    notes : tuple of str
    time_s : array, shape (n,)
    peaks : tuple of PeakRow
        Of two results of ours, those that differ.
    """

    title: str
    first: str
    second: str
    drawn: tuple[CurvePair, ...]
    conventions: tuple[Convention, ...]
    notes: tuple[str, ...]
    time_s: Array
    peaks: tuple[PeakRow, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """The numbers, a row a column."""
        return tuple(x.row for x in self.drawn)


def compare_column(
    name: str,
    side: str,
    unit: str,
    columns: tuple[Array, Array],
    frame: Array,
    cycles: Sequence[Cycle] = (),
) -> Row | None:
    """Return the numbers of one column; None where the two are never known together.

    Parameters
    ----------
    name, side, unit : str
    columns : two arrays, shape (n,)
        Ours and the other's.
    frame : array, shape (n,)
        The file's own numbers.
    cycles : sequence of Cycle
        Of both sides.
    """
    ours, other = columns
    known = np.isfinite(ours) & np.isfinite(other)
    if not known.any():
        return None
    difference = np.where(known, ours - other, 0.0)
    at = int(np.argmax(np.abs(difference)))
    at = at if known[at] else int(np.flatnonzero(known)[0])
    return Row(
        name=name,
        side=side,
        unit=unit,
        frames=int(known.sum()),
        alone=int((np.isfinite(ours) ^ np.isfinite(other)).sum()),
        rmse=float(np.sqrt(np.mean(difference[known] ** 2))),
        r=correlation(ours[known], other[known]),
        largest=float(difference[at]),
        frame=int(frame[at]),
        percent=_percent(at, side, cycles),
        first=float(ours[at]),
        second=float(other[at]),
    )


def correlation(x: Array, y: Array) -> float:
    """Return the coefficient of correlation; NaN where a curve does not vary.

    Examples
    --------
    >>> correlation(np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0]))
    1.0
    """
    if len(x) < _FEWEST_FOR_R:
        return np.nan
    a, b = x - x.mean(), y - y.mean()
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(np.clip(a @ b / size, -1.0, 1.0)) if size > 0 else np.nan


def _percent(row: int, side: str, cycles: Sequence[Cycle]) -> float:
    for cycle in cycles:
        if cycle.side == side and cycle.start_row <= row <= cycle.stop_row:
            return 100.0 * (row - cycle.start_row) / (cycle.stop_row - cycle.start_row)
    return np.nan
