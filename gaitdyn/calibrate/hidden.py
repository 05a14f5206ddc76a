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

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from gaitdyn.core.rigid import LINE, SMALLEST_CLUSTER, line_motion, rigid_motion
from gaitdyn.core.rotations import rotate, rotate_back
from gaitdyn.core.runs import complete_rows, known_points, percentile, runs
from gaitdyn.core.splines import SHORTEST, fill, smoothing_parameter
from gaitdyn.types.arrays import Array, Mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Rows = NDArray[np.intp]

_DIES_OUT_S = 0.05
"""Time constant in which the speed of a marker against the others ends where it is hidden, s."""

_BESIDE_S, _FEWEST = 0.015, 2
"""So long a marker is looked at beside a gap, and at least so many frames."""

LARGEST_GAIN = 2.0
"""Others that would place a marker with more than twice their own error do not carry it."""

LARGEST_SWAY_M = 0.003
"""A marker that moves further against the others within such a gap is not carried through it."""

LARGEST_DRIFT_M = 0.012
"""The same where it is seen on one side only and keeps its place: slow, without a step to come."""

Support = tuple[Array, Array]
"""Places in the reference position, shape (k, 3), and in every frame, shape (n, k, 3), of points
that nearly move with the cluster: joint centres. They help where the markers do not suffice."""


Direction = tuple[Array, Array]
"""In the reference position, shape (3,), and in every frame, shape (n, 3): what nearly turns with
the cluster."""


def gain(shape: Array, point: Array) -> float:
    """Return by how much a rigid fit multiplies the error of its points at another point.

    ``sqrt((1 + sum_k d_k^2 / f_k^2 / 3) / N)``: d_k is the distance of the point from the k-th
    principal axis of the N points, f_k their own root mean square distance from it (Fitzpatrick,
    West and Maurer 1998, IEEE Trans Med Imaging 17:694-702).

    Parameters
    ----------
    shape : array, shape (N, 3)
    point : array, shape (3,)
    """
    centre = shape.mean(axis=0)
    _, _, axes = np.linalg.svd(shape - centre)
    own, other = (shape - centre) @ axes.T, (point - centre) @ axes.T
    sums = [((own[:, k] ** 2).sum(axis=1).mean(), (other[k] ** 2).sum()) for k in _OFF_AXIS]
    if min(f for f, _ in sums) < _FLAT_M**2:
        return np.inf
    return float(np.sqrt((1.0 + sum(d / f for f, d in sums) / 3.0) / len(shape)))


_OFF_AXIS = ([1, 2], [0, 2], [0, 1])
_FLAT_M = 1e-3


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
    some = seen.any(axis=0)
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
            for gap in runs(~known_points(filled[:, i]) & usable):
                rows, at = _around(there, i, gap, beside, others)
                if others == LINE:
                    at = at[at < len(template)]  # a joint centre and one marker are no line
                    motions = _line_motion(shape, whole, (rows, at), gap, beside_it)
                else:
                    motions = _rigid_motions(shape, whole, (at, len(template)), i)
                _fill(filled[:, i], points[:, i], (gap, rows), motions, rate_hz)
    return filled


def _fill(
    filled: Array, point: Array, where: tuple[tuple[int, int], Rows],
    motions: Iterable[tuple[Array, Array]], rate_hz: float,
) -> None:  # fmt: skip
    """Fill a gap in place by the first of some motions that carries the point through it."""
    gap, rows = where
    inside = slice(*gap)
    for R, t in motions:
        local = filled_path(rotate_back(R, point - t), gap, rows, rate_hz)
        if local is not None and np.isfinite(R[inside]).any():
            filled[inside] = rotate(R[inside], local) + t[inside]
            return


def filled_path(path: Array, gap: tuple[int, int], rows: Rows, rate_hz: float) -> Array | None:
    """Return places of a point in a gap, by the spline through what stands beside it, or None.

    None where the trial does not show that it is this well known: with a gap of that length made
    anywhere else in the path, the spline would stray further than :data:`LARGEST_SWAY_M`. A gap
    at an end keeps the place of its other end, where the point is slow enough for that.

    Parameters
    ----------
    path : array, shape (n, 3)
        Against the others of its cluster, NaN where not known.
    gap : (int, int)
        Half-open.
    rows : array of int
        The gap and rows beside it that are sure to be of one piece.
    rate_hz : float
    """
    start, stop = gap
    ends = np.isfinite(path[[rows[0], rows[-1]], 0])
    if ends.all():
        return _between(path, gap, rate_hz)
    if not ends.any() or sway(path, stop - start) > LARGEST_DRIFT_M:
        return None
    return through(path[rows], rate_hz)[start - rows[0] : stop - rows[0]]


def _between(path: Array, gap: tuple[int, int], rate_hz: float) -> Array | None:
    start, stop = gap
    filled, off = None, np.inf
    for most_s in _LOOKED_AT_S:
        before, after = beside_gap(path, gap, round(most_s * rate_hz))
        if before + after < SHORTEST or min(before, after) < 1:
            break
        way = filler(before, stop - start, after, rate_hz)
        filled = way @ np.concatenate((path[start - before : start], path[stop : stop + after]))
        strayed = _strays(path, way, before)
        if len(strayed) >= _ENOUGH:
            off = percentile(strayed, 95)
            break
        off = sway(path, stop - start)
    return filled if off <= LARGEST_SWAY_M else None


def beside_gap(path: Array, gap: tuple[int, int], most: int) -> tuple[int, int]:
    """Return how many rows right before and after a gap are known, at most so many each.

    Parameters
    ----------
    path : array, shape (n, 3)
        NaN where not known.
    gap : (int, int)
        Half-open.
    most : int
    """
    return _known_before(path, gap[0], most), _known_before(path[::-1], len(path) - gap[1], most)


def _known_before(path: Array, row: int, most: int) -> int:
    """Return how many rows right before a row are known, at most so many."""
    unknown = np.flatnonzero(np.isnan(path[max(0, row - most) : row, 0]))
    return min(row, most) - (int(unknown[-1]) + 1 if unknown.size else 0)


@lru_cache(maxsize=64)
def filler(before: int, length: int, after: int, rate_hz: float) -> Array:
    """Return what takes rows beside a gap to the rows in it, shape (length, before + after).

    The smoothing spline without weight in the gap is linear in what it is laid through.

    Parameters
    ----------
    before, length, after : int
        Rows; at least :data:`gaitdyn.core.splines.SHORTEST` beside the gap.
    rate_hz : float
    """
    known = np.ones(before + length + after, bool)
    known[before : before + length] = False
    each = np.zeros((len(known), before + after))
    each[known] = np.eye(before + after)
    way = fill(each, known, smoothing_parameter(_FILLED_HZ, rate_hz))[~known]
    way.flags.writeable = False
    return way


def _strays(path: Array, way: Array, before: int) -> Array:
    """Return how far a filled gap strays at most, wherever the path would show it, m."""
    length, beside = way.shape
    if len(path) < length + beside:
        return np.empty(0)
    windows = sliding_window_view(path, length + beside, axis=0)
    windows = windows[np.isfinite(windows).all(axis=(1, 2))]
    inside = slice(before, before + length)
    off = np.delete(windows, inside, axis=2) @ way.T - windows[:, :, inside]
    return np.linalg.norm(off, axis=1).max(axis=1)


_FILLED_HZ, _LOOKED_AT_S = 10.0, (0.15, 0.08)
"""Cut-off of the spline through a gap, and how long it looks at what stands beside: the longer
time where the path has enough pieces of that length to try it."""


def _rigid_motions(
    shape: Array, whole: Array, others: tuple[Rows, int], i: int
) -> Iterator[tuple[Array, Array]]:
    """Yield what may carry point i, the best first: the markers, the helpers too."""
    at, markers = others
    for some in (at[at < markers], at):
        if _carry(shape, some, i):
            yield rigid_motion(shape[some], whole[:, some])[:2]


def _line_motion(
    shape: Array,
    whole: Array,
    others: tuple[Rows, Rows],
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


def sway(path: Array, length: int) -> float:
    """Return how far a point strays from the middle of its places before and after a gap, m.

    The 95th percentile over all gaps of that length that the path would have had. Where it shows
    fewer than ten of them, over shorter ones, and more for the square of the length; infinite where
    it shows none.

    Parameters
    ----------
    path : array, shape (n, 3)
        Against the others of its cluster, NaN where not known.
    length : int
        Frames of the gap.
    """
    asked = (length + 1) // 2
    for half in (asked, (asked + 1) // 2, (asked + 3) // 4):
        off = path[half:-half] - 0.5 * (path[: -2 * half] + path[2 * half :])
        apart = np.linalg.norm(off, axis=1)
        apart = apart[np.isfinite(apart)]
        if len(apart) >= _ENOUGH:
            return percentile(apart, 95) * (asked / half) ** 2
    return np.inf


_ENOUGH = 10


def _carry(shape: Array, at: Rows, i: int) -> bool:
    """Return whether some points of a cluster tell where another one is."""
    return len(at) >= SMALLEST_CLUSTER and gain(shape[at], shape[i]) <= LARGEST_GAIN


def _around(
    seen: Mask, i: int, gap: tuple[int, int], beside: int, fewest: int
) -> tuple[Rows, Rows]:
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


def steady(template: Array, points: Array, ends: Array) -> Array:
    """Return points of which a rigid fit makes no jump: what still comes and goes is taken away.

    A frame that lacks a marker which is seen in others, and which nothing carried, is left empty as
    a whole. A marker that would cost more than :data:`LARGEST_PART` of the frames is left out
    instead, where the joints that the segment carries are hardly less certain without it, and one
    that more than half of them lack in any case.

    Parameters
    ----------
    template : array, shape (m, 3)
    points : array, shape (n, m, 3)
    ends : array, shape (k, 3)
        Joint centres that the segment carries, in the reference position.
    """
    seen = known_points(points)
    out = points
    for i in np.argsort(seen.sum(axis=0)).tolist():
        usable = seen.sum(axis=1) >= SMALLEST_CLUSTER
        lacking = usable & ~seen[:, i]
        others = np.flatnonzero(seen.any(axis=0) & (np.arange(len(template)) != i))
        if not seen[:, i].any() or lacking.sum() <= LARGEST_PART * usable.sum():
            continue
        rare = lacking.sum() > _RARE * usable.sum() and len(others) >= SMALLEST_CLUSTER
        if rare or _as_good(template, others, i, ends):
            out = out.copy()
            out[:, i] = np.nan
            seen = known_points(out)
    some = seen.any(axis=0)
    jumps = (seen.sum(axis=1) >= SMALLEST_CLUSTER) & ~seen[:, some].all(axis=1)
    if not jumps.any():
        return out
    out = out.copy()
    out[jumps] = np.nan
    return out


def _as_good(template: Array, others: Rows, i: int, ends: Array) -> bool:
    """Return whether a cluster does without a point: its ends are hardly less certain."""
    if len(others) < SMALLEST_CLUSTER:
        return False
    every = np.sort(np.append(others, i))
    return all(gain(template[others], x) <= _WORSE * gain(template[every], x) for x in ends)


LARGEST_PART, _RARE, _WORSE = 0.3, 0.5, 1.25


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
    whole = len(left) > 0 and len(right) > 0
    first = _end(left, places, gap[0] - 1) if len(left) else None
    last = _end(right, places, gap[-1] + 1) if len(right) else None
    (start, _), (stop, _) = first or last, last or first  # type: ignore[misc]
    part = (gap - gap[0] + 1.0) / (len(gap) + 1.0)
    slope = (stop - start) / (len(gap) + 1.0)
    length = gap[-1] - gap[0] + 2.0 if whole else np.inf
    out = places.copy()
    out[gap] = start + part[:, None] * (stop - start)
    if first is not None:
        out[gap] += _dying(gap - gap[0] + 1, length, rate_hz) * (first[1] - slope)
    if last is not None:
        out[gap] -= _dying(gap[-1] + 1 - gap, length, rate_hz) * (last[1] - slope)
    return out


def _end(rows: Rows, places: Array, at: int) -> tuple[Array, Array]:
    """Return place and speed a frame of a line through places, at the row beside a gap."""
    if len(rows) == 1:
        return places[rows[0]], np.zeros(places.shape[1])
    middle, mean = rows.mean(), places[rows].mean(axis=0)
    speed = ((rows - middle)[:, None] * (places[rows] - mean)).sum(axis=0)
    speed = speed / ((rows - middle) ** 2).sum()
    return mean + (at - middle) * speed, speed


def _dying(rows: Rows, length: float, rate_hz: float) -> Array:
    """Return a course of slope 1 at row 0 that ends flat at a length, shape (n, 1)."""
    return (rows * np.exp(-rows / (_DIES_OUT_S * rate_hz)) * (1.0 - rows / length) ** 2)[:, None]
