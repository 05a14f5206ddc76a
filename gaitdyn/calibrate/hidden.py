"""Markers of a cluster that are hidden for a while: the others carry them through.

A pose that is fitted to fewer markers jumps by a part of the residual where one of them comes or
goes, and an acceleration taken across the jump is no motion of the body. The hidden marker
therefore stays in the fit: where it is relative to the others just before and just after.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gaitdyn.core.rigid import SMALLEST_CLUSTER, rigid_motion
from gaitdyn.core.rotations import rotate, rotate_back
from gaitdyn.core.runs import complete_rows, known_points, runs
from gaitdyn.types.arrays import Array, Mask

Rows = NDArray[np.intp]

_DIES_OUT_S = 0.05
"""Time constant in which the speed of a marker against the others ends where it is hidden, s."""


def carried_through(template: Array, points: Array, rate_hz: float) -> Array:
    """Return the points of a cluster with those filled in that the others can carry.

    Parameters
    ----------
    template : array, shape (m, 3)
        The points in a reference position, m.
    points : array, shape (n, m, 3)
        NaN where not seen.
    rate_hz : float

    Returns
    -------
    array, shape (n, m, 3)
        A point is filled in only beside a frame that shows it, while the same three others are
        seen; ``points`` itself where there is nothing to fill.
    """
    seen = known_points(points)
    some = seen.any(axis=0)
    if seen[:, some].all() or some.sum() <= SMALLEST_CLUSTER:
        return points
    filled = points.copy()
    for i in np.flatnonzero(some & ~seen.all(axis=0)).tolist():
        for start, stop in runs(~seen[:, i] & (seen.sum(axis=1) >= SMALLEST_CLUSTER)):
            rows, at = _around(seen, i, (start, stop))
            if len(at) >= SMALLEST_CLUSTER:
                R, t, _ = rigid_motion(template[at], points[np.ix_(rows, at)])
                if not complete_rows(R).all():  # the others stand in one line
                    continue
                local = through(rotate_back(R, points[rows, i] - t), rate_hz)
                inside = slice(start - rows[0], stop - rows[0])
                filled[start:stop, i] = (rotate(R, local) + t)[inside]
    return filled


def _around(seen: Mask, i: int, gap: tuple[int, int]) -> tuple[Rows, Rows]:
    """Return the rows of a gap with up to two at each side that show the point, and the others.

    No others where no row beside the gap shows the point.
    """
    start, stop = gap
    before = 0
    while before < 2 and start > before and seen[start - before - 1, i]:  # noqa: PLR2004
        before += 1
    after = 0
    while after < 2 and stop + after < len(seen) and seen[stop + after, i]:  # noqa: PLR2004
        after += 1
    rows = np.arange(start - before, stop + after)
    others = np.flatnonzero(seen[rows].all(axis=0))
    return rows, others if before or after else others[:0]


def through(places: Array, rate_hz: float) -> Array:
    """Return places with their one gap filled: a line whose ends join smoothly.

    A gap at the start or the end keeps the place of its other end.

    Parameters
    ----------
    places : array, shape (n, 3)
        NaN in the gap; the known rows before or after it are two where the speed there counts.
    rate_hz : float

    Examples
    --------
    >>> nan = np.nan
    >>> through(np.array([[0.0], [0.0], [nan], [3.0], [3.0]]), 100.0)[:, 0].round(6).tolist()
    [0.0, 0.0, 1.5, 3.0, 3.0]
    """
    known = np.flatnonzero(complete_rows(places))
    gap = np.setdiff1d(np.arange(len(places)), known)
    left, right = known[known < gap[0]], known[known > gap[-1]]
    line = np.stack([np.interp(gap, known, column[known]) for column in places.T], axis=1)
    whole = len(left) > 0 and len(right) > 0
    slope = (places[right[0]] - places[left[-1]]) / (right[0] - left[-1]) if whole else 0.0
    length = gap[-1] - gap[0] + 2.0 if whole else np.inf
    out = places.copy()
    out[gap] = line
    if len(left) > 1:
        speed = places[left[-1]] - places[left[-2]] - slope
        out[gap] += _dying(gap - left[-1], length, rate_hz) * speed
    if len(right) > 1:
        speed = places[right[1]] - places[right[0]] - slope
        out[gap] -= _dying(right[0] - gap, length, rate_hz) * speed
    return out


def _dying(rows: Rows, length: float, rate_hz: float) -> Array:
    """Return a course of slope 1 at row 0 that ends flat at a length, shape (n, 1)."""
    return (rows * np.exp(-rows / (_DIES_OUT_S * rate_hz)) * (1.0 - rows / length) ** 2)[:, None]
