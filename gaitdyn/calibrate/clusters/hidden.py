"""Markers of a cluster that are hidden for a while and carried through the gap by the others.

When a marker appears or disappears, the fitted pose jumps by part of the residual, and an
acceleration across the jump is not a motion of the body. A hidden marker therefore stays in the
fit, at its position relative to the others just before and after the gap. Others that are so far
away, or so close together, that they would amplify their own errors do not carry it.

If only two others are left, or several in a line, the rotation about that line comes from a
neighbour: the vertical for the pelvis, the axis of the segment above for a limb. In either case the
trial itself first shows how far the marker strays from the others within a gap of that length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache

import numpy as np

from gaitdyn.calibrate.clusters.hidden_path import filled_path
from gaitdyn.calibrate.clusters.steady import LARGEST_GAIN, gain, largest_stray
from gaitdyn.core.rigid import LINE, SMALLEST_CLUSTER, line_motion, rigid_motion
from gaitdyn.core.rotations import rotate, rotate_back
from gaitdyn.core.runs import known_points, runs
from gaitdyn.types.arrays import Array, Mask, Places

_BESIDE_S, _FEWEST = 0.015, 2
"""Time, and least number of frames, for which a marker is used on either side of a gap."""


Support = tuple[Array, Array]
"""Positions in the reference position, shape (k, 3), and in every frame, shape (n, k, 3), of joint
centres, which nearly move with the cluster. They help if the markers do not suffice."""


Direction = tuple[Array, Array]
"""A direction that nearly turns with the cluster, in the reference position, shape (3,), and in
every frame, shape (n, 3)."""


def carried_through(
    template: Array,
    points: Array,
    rate_hz: float,
    support: Support | None = None,
    direction: Direction | None = None,
) -> Array:
    """Return the points of a cluster, with gaps filled that the other points can carry.

    Parameters
    ----------
    template : array, shape (m, 3)
        The points in a reference position, m.
    points : array, shape (n, m, 3)
        NaN where not visible.
    rate_hz : float
    support : Support, optional
        Further points, used if the others alone are too few or too close together.
    direction : Direction, optional
        Gives the rotation about the line of the others if they show only a line.

    Returns
    -------
    array, shape (n, m, 3)
        A point is filled in only next to a frame that shows it, while the same others are visible:
        three, or two with a direction. It is ``points`` itself if there is nothing to fill.
    """
    seen = known_points(points)
    present: Mask = np.any(seen, axis=0)
    fewest = SMALLEST_CLUSTER if direction is None else LINE
    helpers = 0 if support is None else len(support[0])
    if seen[:, present].all() or present.sum() + helpers <= fewest:
        return points
    shape, whole = template, points
    if support is not None:
        shape, whole = (
            np.concatenate(pair, axis=-2) for pair in ((template, support[0]), (points, support[1]))
        )
    known, filled = known_points(whole), points.copy()

    @cache
    def motion_of(carriers: tuple[int, ...]) -> tuple[Array, Array]:
        return rigid_motion(shape[list(carriers)], whole[:, list(carriers)])[:2]

    beside = max(_FEWEST, round(_BESIDE_S * rate_hz))
    for count in range(SMALLEST_CLUSTER, fewest - 1, -1):
        usable = known.sum(axis=1) >= count
        for i in np.flatnonzero(present & ~seen.all(axis=0)).tolist():
            stray = largest_stray(template[present], int(np.count_nonzero(present[:i])))
            for gap in runs(~known_points(filled[:, i]) & usable):
                rows, others = _rows_and_others(known, i, gap, beside, count)
                if count == LINE:  # of markers: a joint centre and one marker do not suffice
                    others = others[others < len(template)]
                    motions = _line_motion(shape, whole, (rows, others), gap, direction)
                else:
                    motions = _rigid_motions(shape, (others, len(template)), i, motion_of)
                _fill(filled[:, i], points[:, i], (gap, rows), motions, (rate_hz, stray))
    return filled


def _fill(
    filled: Array, point: Array, where: tuple[tuple[int, int], Places],
    motions: Iterable[tuple[Array, Array]], limits: tuple[float, float],
) -> None:  # fmt: skip
    """Fill a gap in place with the first of some motions that carries the point through it.

    ``limits`` is the rate in Hz and how far the point may stray, m.
    """
    gap, rows = where
    inside = slice(*gap)
    for R, t in motions:
        local = filled_path(rotate_back(R, point - t), gap, rows, *limits)
        if local is not None and np.isfinite(R[inside]).any():
            filled[inside] = rotate(R[inside], local) + t[inside]
            return


def _rigid_motions(
    shape: Array,
    others: tuple[Places, int],
    i: int,
    motion_of: Callable[[tuple[int, ...]], tuple[Array, Array]],
) -> Iterator[tuple[Array, Array]]:
    """Yield motions that may carry point i: that of the markers first, then with the helpers.

    ``others`` is the indices of the other points, and the number of markers, which come first.
    """
    index, n_markers = others
    for carriers in (index[index < n_markers], index):
        if len(carriers) >= SMALLEST_CLUSTER and gain(shape[carriers], shape[i]) <= LARGEST_GAIN:
            yield motion_of(tuple(carriers.tolist()))


def _line_motion(
    shape: Array,
    whole: Array,
    others: tuple[Places, Places],
    gap: tuple[int, int],
    direction: Direction | None,
) -> Iterator[tuple[Array, Array]]:
    """Yield the motion of the longest line of the others, for a gap between known frames only."""
    rows, index = others
    if direction is None or len(index) < LINE or not rows[0] < gap[0] <= gap[1] <= rows[-1]:
        return
    apart = np.linalg.norm(shape[index][:, None] - shape[index], axis=2)
    ends = index[list(np.unravel_index(apart.argmax(), apart.shape))]
    along = (shape[ends[1]] - shape[ends[0]]) / apart.max()
    if np.linalg.norm(np.cross(along, direction[0])) > _LEAST_SINE:
        yield line_motion(shape[ends], whole[:, ends], *direction)


_LEAST_SINE = 0.5
"""A direction within 30 degrees of a line does not show the rotation about it."""


def _rows_and_others(
    seen: Mask, i: int, gap: tuple[int, int], beside: int, fewest: int
) -> tuple[Places, Places]:
    """Return the rows of a gap with some on either side that show the point, and the others.

    The others are the points visible in all these rows. There are none if no row next to the gap
    shows the point.
    """
    start, stop = gap
    before = 0
    while before < beside and start > before and seen[start - before - 1, i]:
        before += 1
    after = 0
    while after < beside and stop + after < len(seen) and seen[stop + after, i]:
        after += 1
    for most in range(max(before, after), 0, -1):
        rows = np.arange(start - min(before, most), stop + min(after, most))
        others = np.flatnonzero(seen[rows].all(axis=0))
        if len(others) >= fewest:
            return rows, others
    return np.arange(start, stop), np.array([], dtype=np.intp)
