"""The path of a point against its cluster through a gap: where it is known well enough, and how.

How far such a point strays within so long a gap is first measured on the trial itself.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from gaitdyn.core.runs import complete_rows, percentile
from gaitdyn.core.splines import SHORTEST, fill, smoothing_parameter
from gaitdyn.types.arrays import Array, Places

_DIES_OUT_S = 0.05
"""Time constant in which the speed of a marker against the others ends where it is hidden, s."""

LARGEST_SWAY_M = 0.003
"""A marker that moves further against the others within such a gap is not carried through it."""

_FILLED_HZ, _LOOKED_AT_S = 10.0, (0.15, 0.08)
"""Cut-off of the spline through a gap, and how long it looks at what stands beside: the longer
time where the path has enough pieces of that length to try it."""

_ENOUGH = 10


def filled_path(
    path: Array, gap: tuple[int, int], rows: Places, rate_hz: float, largest_m: float
) -> Array | None:
    """Return places of a point in a gap, by the spline through what stands beside it, or None.

    None where the trial does not show that it is this well known: with a gap of that length made
    anywhere else in the path, the spline would stray further than ``largest_m``. A gap at an end
    keeps the place of its other end, as long as the point is slow enough for that; then NaN.

    Parameters
    ----------
    path : array, shape (n, 3)
        Against the others of its cluster, NaN where not known.
    gap : (int, int)
        Half-open.
    rows : array of int
        The gap and rows beside it that are sure to be of one piece.
    rate_hz : float
    largest_m : float
    """
    start, stop = gap
    ends = np.isfinite(path[[rows[0], rows[-1]], 0])
    if ends.all():
        return _between(path, gap, rate_hz, largest_m)
    length = _kept(path, stop - start, largest_m) if ends.any() else 0
    if not length:
        return None
    filled = through(path[rows], rate_hz)[start - rows[0] : stop - rows[0]]
    filled[slice(length, None) if ends[0] else slice(0, stop - start - length)] = np.nan
    return filled


def _kept(path: Array, longest: int, largest_m: float) -> int:
    """Return over how many frames, so many at most, a point keeps its place; 0 if not known."""
    for length in range(1, longest + 1):
        apart = np.linalg.norm(path[length:] - path[:-length], axis=1)
        apart = apart[np.isfinite(apart)]
        if len(apart) < _ENOUGH or percentile(apart, 95) > largest_m:
            return length - 1
    return longest


def _between(path: Array, gap: tuple[int, int], rate_hz: float, largest_m: float) -> Array | None:
    """Return the path through a gap by the way that strays least elsewhere; None where too far."""
    start, stop = gap
    filled, off = None, np.inf
    for most_s in _LOOKED_AT_S:
        before, after = beside_gap(path, gap, round(most_s * rate_hz))
        if before + after < SHORTEST or min(before, after) < 1:
            break
        ways = filler(before, stop - start, after, rate_hz), straight(before, stop - start, after)
        strayed = [_strays(path, way, before) for way in ways]
        tried = len(strayed[0]) >= _ENOUGH
        offs = [percentile(one, 95) for one in strayed] if tried else [sway(path, stop - start)]
        off, best = min((one, i) for i, one in enumerate(offs))
        filled = ways[best] @ np.concatenate(
            (path[start - before : start], path[stop : stop + after])
        )
        if tried:
            break
    return filled if off <= largest_m else None


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
        Places; at least :data:`gaitdyn.core.splines.SHORTEST` beside the gap.
    rate_hz : float
    """
    known = np.ones(before + length + after, bool)
    known[before : before + length] = False
    each = np.zeros((len(known), before + after))
    each[known] = np.eye(before + after)
    way = fill(each, known, smoothing_parameter(_FILLED_HZ, rate_hz))[~known]
    way.flags.writeable = False
    return way


def straight(before: int, length: int, after: int) -> Array:
    """Return what takes rows beside a gap to the line between their means in it.

    Noise beside a long gap grows in the spline through it, and is averaged here.

    Parameters
    ----------
    before, length, after : int
        Rows.

    Returns
    -------
    array, shape (length, before + after)

    Examples
    --------
    >>> straight(1, 3, 1).tolist()
    [[0.75, 0.25], [0.5, 0.5], [0.25, 0.75]]
    """
    first, last = (before - 1) / 2, before + length + (after - 1) / 2
    way = np.empty((length, before + after))
    part = (np.arange(before, before + length)[:, None] - first) / (last - first)
    way[:, :before], way[:, before:] = (1 - part) / before, part / after
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


def _end(rows: Places, places: Array, at: int) -> tuple[Array, Array]:
    """Return place and speed a frame of a line through places, at the row beside a gap."""
    if len(rows) == 1:
        return places[rows[0]], np.zeros(places.shape[1])
    middle, mean = rows.mean(), places[rows].mean(axis=0)
    speed = ((rows - middle)[:, None] * (places[rows] - mean)).sum(axis=0)
    speed = speed / ((rows - middle) ** 2).sum()
    return mean + (at - middle) * speed, speed


def _dying(rows: Places, length: float, rate_hz: float) -> Array:
    """Return a course of slope 1 at row 0 that ends flat at a length, shape (n, 1)."""
    return (rows * np.exp(-rows / (_DIES_OUT_S * rate_hz)) * (1.0 - rows / length) ** 2)[:, None]
