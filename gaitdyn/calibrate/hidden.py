"""Markers of a cluster that are hidden for a while: the others carry them through.

A pose that is fitted to fewer markers jumps by a part of the residual where one of them comes or
goes, and an acceleration taken across the jump is not a motion of the body. The hidden marker
therefore stays in the fit: where it is relative to the others just before and just after. Others
that stand so far off, or so close together, that their own errors grow on the way carry nothing.

Where two others are left, or several in a line, the turn about that line is that of a neighbour:
of the vertical for the pelvis, of the axis of the segment above for a limb. Either way it is first
measured on the trial itself how far the marker strays within so long a gap, seen from the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.hidden_path import filled_path
from gaitdyn.calibrate.steady import LARGEST_GAIN, gain, largest_stray
from gaitdyn.core.rigid import LINE, SMALLEST_CLUSTER, line_motion, rigid_motion
from gaitdyn.core.rotations import rotate, rotate_back
from gaitdyn.core.runs import known_points, runs
from gaitdyn.types.arrays import Array, Mask, Places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_BESIDE_S, _FEWEST = 0.015, 2
"""So long a marker is looked at beside a gap, and at least so many frames."""


Support = tuple[Array, Array]
"""Places in the reference position, shape (k, 3), and in every frame, shape (n, k, 3), of points
that nearly move with the cluster: joint centres. They help where the markers do not suffice."""


Direction = tuple[Array, Array]
"""In the reference position, shape (3,), and in every frame, shape (n, 3): what nearly turns with
the cluster."""


def carried_through(
    template: Array,
    points: Array,
    rate_hz: float,
    support: Support | None = None,
    beside_it: Direction | None = None,
) -> Array:
    """Return the points of a cluster with those filled in that the others can carry.

    Parameters
    ----------
    template : array, shape (m, 3)
        The points in a reference position, m.
    points : array, shape (n, m, 3)
        NaN where not seen.
    rate_hz : float
    support : Support, optional
        Further points, taken where the others alone are too few or too close together.
    beside_it : Direction, optional
        Tells the turn about the line of the others where they show no more than a line.

    Returns
    -------
    array, shape (n, m, 3)
        A point is filled in only beside a frame that shows it, while the same others are seen:
        three, or two with a direction; ``points`` itself where there is nothing to fill.
    """
    seen = known_points(points)
    some: Mask = np.any(seen, axis=0)
    fewest = SMALLEST_CLUSTER if beside_it is None else LINE
    helpers = 0 if support is None else len(support[0])
    if seen[:, some].all() or some.sum() + helpers <= fewest:
        return points
    shape, whole = template, points
    if support is not None:
        shape, whole = (
            np.concatenate(pair, axis=-2) for pair in ((template, support[0]), (points, support[1]))
        )
    there, filled = known_points(whole), points.copy()
    beside = max(_FEWEST, round(_BESIDE_S * rate_hz))
    for others in range(SMALLEST_CLUSTER, fewest - 1, -1):
        usable = there.sum(axis=1) >= others
        for i in np.flatnonzero(some & ~seen.all(axis=0)).tolist():
            stray = largest_stray(template[some], int(np.count_nonzero(some[:i])))
            for gap in runs(~known_points(filled[:, i]) & usable):
                rows, at = _around(there, i, gap, beside, others)
                if others == LINE:
                    at = at[at < len(template)]  # a joint centre and one marker are no line
                    motions = _line_motion(shape, whole, (rows, at), gap, beside_it)
                else:
                    motions = _rigid_motions(shape, whole, (at, len(template)), i)
                _fill(filled[:, i], points[:, i], (gap, rows), motions, (rate_hz, stray))
    return filled


def _fill(
    filled: Array, point: Array, where: tuple[tuple[int, int], Places],
    motions: Iterable[tuple[Array, Array]], known: tuple[float, float],
) -> None:  # fmt: skip
    """Fill a gap in place by the first of some motions that carries the point through it.

    ``known`` is the rate in Hz and how far the point may stray, m.
    """
    gap, rows = where
    inside = slice(*gap)
    for R, t in motions:
        local = filled_path(rotate_back(R, point - t), gap, rows, *known)
        if local is not None and np.isfinite(R[inside]).any():
            filled[inside] = rotate(R[inside], local) + t[inside]
            return


def _rigid_motions(
    shape: Array, whole: Array, others: tuple[Places, int], i: int
) -> Iterator[tuple[Array, Array]]:
    """Yield what may carry point i, the best first: the markers, the helpers too."""
    at, markers = others
    for some in (at[at < markers], at):
        if _carry(shape, some, i):
            yield rigid_motion(shape[some], whole[:, some])[:2]


def _line_motion(
    shape: Array,
    whole: Array,
    others: tuple[Places, Places],
    gap: tuple[int, int],
    beside_it: Direction | None,
) -> Iterator[tuple[Array, Array]]:
    """Yield the motion of the longest line of the others; it carries through a gap, to no end."""
    rows, at = others
    if beside_it is None or len(at) < LINE or not rows[0] < gap[0] <= gap[1] <= rows[-1]:
        return
    apart = np.linalg.norm(shape[at][:, None] - shape[at], axis=2)
    ends = at[list(np.unravel_index(apart.argmax(), apart.shape))]
    along = (shape[ends[1]] - shape[ends[0]]) / apart.max()
    if np.linalg.norm(np.cross(along, beside_it[0])) > _ASIDE:
        yield line_motion(shape[ends], whole[:, ends], *beside_it)


_ASIDE = 0.5
"""A direction within 30 degrees of a line tells no turn about it (sine)."""


def _carry(shape: Array, at: Places, i: int) -> bool:
    """Return whether some points of a cluster tell where another one is."""
    return len(at) >= SMALLEST_CLUSTER and gain(shape[at], shape[i]) <= LARGEST_GAIN


def _around(
    seen: Mask, i: int, gap: tuple[int, int], beside: int, fewest: int
) -> tuple[Places, Places]:
    """Return the rows of a gap with some at each side that show the point, and the others.

    No others where no row beside the gap shows the point.
    """
    start, stop = gap
    before = 0
    while before < beside and start > before and seen[start - before - 1, i]:
        before += 1
    after = 0
    while after < beside and stop + after < len(seen) and seen[stop + after, i]:
        after += 1
    for one in range(max(before, after), 0, -1):
        rows = np.arange(start - min(before, one), stop + min(after, one))
        others = np.flatnonzero(seen[rows].all(axis=0))
        if len(others) >= fewest:
            return rows, others
    return np.arange(start, stop), np.array([], dtype=np.intp)
