"""Markers whose positions were not measured: held in one place, or drawn along a straight line."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import known_points, runs
from gaitdyn.types.arrays import Array, Mask

STILL_M, WALKED_M, HELD_S, HELD_M = 0.02, 1.0, 0.15, 0.05
"""A marker that stays within 20 mm while the others go 1 m, or whose coordinates do not change at
all for 0.15 s while the others go 50 mm, is frozen; a stance is shorter and never exactly still."""

LINE_S, ROUNDING = 0.05, 4.0 * float(np.finfo(np.float32).eps)
"""A straight line is looked for over so long on either side of a frame: a path that bends by less
than the rounding of the numbers that it is stored in does not bend."""


def frozen(points: Array, rate_hz: float) -> dict[int, Mask]:
    """Return marker -> frames in which it stays while the others walk on.

    Parameters
    ----------
    points : array, shape (n, m, 3)
    rate_hz : float
    """
    known = known_points(points)
    held = np.zeros(known.shape, bool)
    same = points[1:] == points[:-1]
    held[:-1] = same[..., 0] & same[..., 1] & same[..., 2]
    with np.errstate(invalid="ignore"):
        reach = np.fmax.reduce(points, axis=0) - np.fmin.reduce(points, axis=0)
        still = lengths(reach) < STILL_M
    found: dict[int, Mask] = {}
    suspects = np.flatnonzero(still | held.any(axis=0)).tolist()
    middle = _middle(points, known) if suspects else points[:, 0]
    for j in suspects:
        seen = known[:, j]
        if seen.sum() < 2:  # noqa: PLR2004
            continue
        if still[j] and np.linalg.norm(np.ptp(middle[seen], axis=0)) > WALKED_M:
            found[j] = seen
            continue
        for start, stop in runs(held[:, j]):
            lasted = (stop - start) / rate_hz
            if lasted >= HELD_S and np.linalg.norm(middle[stop] - middle[start]) > HELD_M:
                found.setdefault(j, np.zeros(len(points), bool))[start : stop + 1] = True
    return found


def straight(points: Array, rate_hz: float) -> dict[int, Mask]:
    """Return marker -> frames in which it goes on in a straight line at one speed, to the bit.

    Parameters
    ----------
    points : array, shape (n, m, 3)
        m; NaN in gaps.
    rate_hz : float

    Examples
    --------
    >>> t = np.arange(60.0)[:, None, None] / 100
    >>> path = np.concatenate((np.sin(9 * t), t, 0 * t), axis=2)
    >>> path[20:40] = path[20] + np.arange(20)[:, None, None] / 19 * (path[39] - path[20])
    >>> np.flatnonzero(straight(path, 100.0)[0])[[0, -1]]
    array([20, 39])
    """
    reach = max(1, round(LINE_S * rate_hz))
    found: dict[int, Mask] = {}
    if len(points) <= 2 * reach:
        return found
    middle = points[reach:-reach]
    with np.errstate(invalid="ignore"):
        bend = np.abs(points[2 * reach :] - 2.0 * middle + points[: -2 * reach])
        even = bend <= ROUNDING * np.abs(middle) + ROUNDING
    even = even[..., 0] & even[..., 1] & even[..., 2]
    for j in np.flatnonzero(even.any(axis=0)).tolist():
        for start, stop in runs(even[:, j]):
            end = stop + 2 * reach
            went = float(np.linalg.norm(points[end - 1, j] - points[start, j]))
            if (end - start) / rate_hz >= HELD_S and went > HELD_M:
                found.setdefault(j, np.zeros(len(points), bool))[start:end] = True
    return found


def _middle(points: Array, known: Mask) -> Array:
    """Return the median of the markers, its nearest frame where none is seen, shape (n, 3)."""
    rows = np.flatnonzero(known.any(axis=1))
    if not rows.size:
        return np.zeros((len(points), 3))
    middle = np.nanmedian(points[rows], axis=1)
    nearest = np.clip(np.searchsorted(rows, np.arange(len(points))), 0, len(rows) - 1)
    return middle[nearest]
