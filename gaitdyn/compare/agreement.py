"""How far two curves differ, and where they differ most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.correlation import correlation
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.compare.detect import Convention
    from gaitdyn.compare.two_results import PeakRow
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.cycles import Cycle

_FEWEST_FOR_R = 3


@frozen()
class Row:
    """One column of two sources, compared over the frames in which both are known.

    Attributes
    ----------
    name : str
        Such as ``knee moment extension``, or a column of ``timeseries.csv``.
    side : str
        ``left``, ``right`` or empty.
    unit : str
    frames, alone : int
        Frames compared; frames in which only one of the two is known.
    rmse : float
        Root mean square of the difference.
    r : float
        Coefficient of correlation; NaN if a curve does not vary.
    largest : float
        Signed difference of largest magnitude, first minus second.
    frame : int
        Number, in the file, of the frame with the largest difference.
    percent : float
        Position of this frame in the gait cycle, %; NaN outside the cycles.
    first, second : float
        Both values in this frame.
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


@frozen(eq=False)
class CurvePair:
    """Two curves to draw, shape (n,) each, and the numbers that compare them."""

    row: Row
    ours: Array
    other: Array


@frozen(eq=False)
class SourceComparison:
    """The comparison of two sources.

    Attributes
    ----------
    title : str
    first, second : str
        Names of the sources.
    drawn : tuple of CurvePair
    conventions : tuple of Convention
        Units, axes and signs of the vendor's numbers; empty for two gaitdyn results.
    notes : tuple of str
    time_s : array, shape (n,)
    peaks : tuple of PeakRow
        Peaks that differ between two gaitdyn results.
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
        """The numbers, one row per column."""
        return tuple(pair.row for pair in self.drawn)


def compare_column(
    name: str,
    side: str,
    unit: str,
    columns: tuple[Array, Array],
    frame: Array,
    cycles: Sequence[Cycle],
) -> Row | None:
    """Compare one column of two sources; return None if no frame is known in both.

    Parameters
    ----------
    name, side, unit : str
    columns : two arrays, shape (n,)
        First and second source.
    frame : array, shape (n,)
        Frame numbers of the file.
    cycles : sequence of Cycle
        Cycles of both sides.
    """
    ours, other = columns
    known = np.isfinite(ours) & np.isfinite(other)
    if not known.any():
        return None
    difference = np.where(known, ours - other, 0.0)
    row = int(np.argmax(np.abs(difference)))
    row = row if known[row] else int(np.flatnonzero(known)[0])
    return Row(
        name=name,
        side=side,
        unit=unit,
        frames=int(known.sum()),
        alone=int((np.isfinite(ours) ^ np.isfinite(other)).sum()),
        rmse=float(np.sqrt(np.mean(difference[known] ** 2))),
        r=correlation(ours, other, _FEWEST_FOR_R),
        largest=float(difference[row]),
        frame=int(frame[row]),
        percent=_percent(row, side, cycles),
        first=float(ours[row]),
        second=float(other[row]),
    )


def _percent(row: int, side: str, cycles: Sequence[Cycle]) -> float:
    for cycle in cycles:
        if cycle.side == side and cycle.start_row <= row <= cycle.stop_row:
            return 100.0 * (row - cycle.start_row) / (cycle.stop_row - cycle.start_row)
    return np.nan
