"""The path of a point relative to its cluster through a gap, if it is known well enough.

How far such a point strays within a gap of that length is first measured on the trial itself.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from gaitdyn.core.percentiles import percentile
from gaitdyn.core.runs import complete_rows
from gaitdyn.core.splines import SHORTEST, fill, smoothing_parameter
from gaitdyn.types.arrays import Array, Places

_DECAY_S = 0.05
"""Time constant with which the speed of a hidden marker relative to the others decays, s."""

LARGEST_SWAY_M = 0.003
"""A marker that moves further relative to the others within a gap is not carried through it."""

_FILLED_HZ, _BESIDE_S = 10.0, (0.15, 0.08)
"""Cut-off of the spline through a gap, and the time on either side to which it is fitted: the
longer one if the path has enough pieces of that length to test it."""

_ENOUGH = 10


def filled_path(
    path: Array, gap: tuple[int, int], rows: Places, rate_hz: float, largest_m: float
) -> Array | None:
    """Return the positions of a point in a gap, from a spline through its neighbours, or None.

    None if the trial does not show that the point is known this well: with gaps of that length made
    elsewhere in the path, the filling would stray further than ``largest_m``. In a gap at an end of
    the recording the point keeps its nearest position for as long as it is slow enough, then NaN.

    Parameters
    ----------
    path : array, shape (n, 3)
        Relative to the other points of its cluster, NaN where not known.
    gap : (int, int)
        Half-open.
    rows : array of int
        The gap and the rows next to it that certainly belong to the same piece.
    rate_hz : float
    largest_m : float
    """
    start, stop = gap
    ends = np.isfinite(path[[rows[0], rows[-1]], 0])
    if ends.all():
        return _inner_gap(path, gap, rate_hz, largest_m)
    length = _steady_frames(path, stop - start, largest_m) if ends.any() else 0
    if not length:
        return None
    filled = held(path[rows], rate_hz)[start - rows[0] : stop - rows[0]]
    filled[slice(length, None) if ends[0] else slice(0, stop - start - length)] = np.nan
    return filled


def _steady_frames(path: Array, longest: int, largest_m: float) -> int:
    """Return for how many frames, up to ``longest``, a point stays in place; 0 if not known."""
    for length in range(1, longest + 1):
        apart = np.linalg.norm(path[length:] - path[:-length], axis=1)
        apart = apart[np.isfinite(apart)]
        if len(apart) < _ENOUGH or percentile(apart, 95) > largest_m:
            return length - 1
    return longest


def _inner_gap(path: Array, gap: tuple[int, int], rate_hz: float, largest_m: float) -> Array | None:
    """Return the path through a gap by the method with the least error elsewhere, or None."""
    start, stop = gap
    filled, error = None, np.inf
    for most_s in _BESIDE_S:
        before, after = beside_gap(path, gap, round(most_s * rate_hz))
        if before + after < SHORTEST or min(before, after) < 1:
            break
        fillers = filler(before, stop - start, after, rate_hz), line(before, stop - start, after)
        tests = [_errors(path, weights, before) for weights in fillers]
        tested = len(tests[0]) >= _ENOUGH
        errors = [percentile(x, 95) for x in tests] if tested else [sway(path, stop - start)]
        error, best = min((value, i) for i, value in enumerate(errors))
        filled = fillers[best] @ np.concatenate(
            (path[start - before : start], path[stop : stop + after])
        )
        if tested:
            break
    return filled if error <= largest_m else None


def beside_gap(path: Array, gap: tuple[int, int], most: int) -> tuple[int, int]:
    """Return how many rows directly before and after a gap are known, up to ``most`` each.

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
    """Return how many rows directly before a row are known, up to ``most``."""
    unknown = np.flatnonzero(np.isnan(path[max(0, row - most) : row, 0]))
    return min(row, most) - (int(unknown[-1]) + 1 if unknown.size else 0)


@lru_cache(maxsize=64)
def filler(before: int, length: int, after: int, rate_hz: float) -> Array:
    """Return the matrix from the rows next to a gap to those in it, shape (length, before + after).

    A smoothing spline with zero weight in the gap is a linear function of its samples.

    Parameters
    ----------
    before, length, after : int
        Rows; at least :data:`gaitdyn.core.splines.SHORTEST` next to the gap.
    rate_hz : float
    """
    known = np.ones(before + length + after, bool)
    known[before : before + length] = False
    each = np.zeros((len(known), before + after))
    each[known] = np.eye(before + after)
    weights = fill(each, known, smoothing_parameter(_FILLED_HZ, rate_hz))[~known]
    weights.flags.writeable = False
    return weights


def line(before: int, length: int, after: int) -> Array:
    """Return the matrix from the rows next to a gap to the line between their means.

    A spline amplifies the noise next to a long gap; the line averages it.

    Parameters
    ----------
    before, length, after : int
        Rows.

    Returns
    -------
    array, shape (length, before + after)

    Examples
    --------
    >>> line(1, 3, 1).tolist()
    [[0.75, 0.25], [0.5, 0.5], [0.25, 0.75]]
    """
    first, last = (before - 1) / 2, before + length + (after - 1) / 2
    weights = np.empty((length, before + after))
    part = (np.arange(before, before + length)[:, None] - first) / (last - first)
    weights[:, :before], weights[:, before:] = (1 - part) / before, part / after
    return weights


def _errors(path: Array, weights: Array, before: int) -> Array:
    """Return the largest error of the filled gap at every position where the path is known, m."""
    length, beside = weights.shape
    windows = sliding_window_view(path, length + beside, axis=0)
    windows = windows[np.isfinite(windows).all(axis=(1, 2))]
    inside = slice(before, before + length)
    off = np.delete(windows, inside, axis=2) @ weights.T - windows[:, :, inside]
    return np.linalg.norm(off, axis=1).max(axis=1)


def sway(path: Array, length: int) -> float:
    """Return how far a point strays from the midpoint of its positions before and after a gap, m.

    The 95th percentile over all gaps of that length in the known path. If there are fewer than ten,
    it is measured over shorter gaps and scaled with the square of the length; infinite if there are
    too few of these as well.

    Parameters
    ----------
    path : array, shape (n, 3)
        Relative to the other points of its cluster, NaN where not known.
    length : int
        Frames of the gap.
    """
    whole = (length + 1) // 2
    for half in (whole, (whole + 1) // 2, (whole + 3) // 4):
        off = path[half:-half] - 0.5 * (path[: -2 * half] + path[2 * half :])
        apart = np.linalg.norm(off, axis=1)
        apart = apart[np.isfinite(apart)]
        if len(apart) >= _ENOUGH:
            return percentile(apart, 95) * (whole / half) ** 2
    return np.inf


def held(places: Array, rate_hz: float) -> Array:
    """Return positions with a gap at their start or end filled from the known ones beside it.

    The point leaves its place with the speed that it has there, which decays, and comes back to it.
    A single row shows no speed.

    Parameters
    ----------
    places : array, shape (n, 3)
        NaN in the gap.
    rate_hz : float

    Examples
    --------
    >>> nan = np.nan
    >>> held(np.array([[0.0], [0.1], [nan], [nan]]), 100.0)[:, 0].round(4).tolist()
    [0.0, 0.1, 0.1819, 0.2341]
    """
    known = np.flatnonzero(complete_rows(places))
    gap = np.setdiff1d(np.arange(len(places)), known)
    edge = gap[0] - 1 if known[0] < gap[0] else gap[-1] + 1
    start, speed = _end(known, places, edge)
    away = (gap - edge).astype(np.float64)
    out = places.copy()
    out[gap] = start + np.sign(away)[:, None] * _decay(np.abs(away), rate_hz) * speed
    return out


def _end(rows: Places, places: Array, edge: int) -> tuple[Array, Array]:
    """Return position and speed per frame of a line through places, at the row next to a gap."""
    if len(rows) == 1:
        return places[rows[0]], np.zeros(places.shape[1])
    middle, mean = rows.mean(), places[rows].mean(axis=0)
    speed = ((rows - middle)[:, None] * (places[rows] - mean)).sum(axis=0)
    speed = speed / ((rows - middle) ** 2).sum()
    return mean + (edge - middle) * speed, speed


def _decay(rows: Array, rate_hz: float) -> Array:
    """Return a curve with slope 1 at row 0 that goes back to zero, shape (n, 1)."""
    return (rows * np.exp(-rows / (_DECAY_S * rate_hz)))[:, None]
