"""Markers whose positions were not measured: held in place, or drawn along a straight line."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.medians import known_medians
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import known_points, runs
from gaitdyn.types.arrays import Array, Mask

STILL_M, WALKED_M, HELD_S, HELD_M = 0.02, 1.0, 0.15, 0.05
"""A marker is frozen if it stays within 20 mm while the others move 1 m, or if its coordinates do
not change at all for 0.15 s while the others move 50 mm. A foot in stance never stays exactly still
for so long."""

LINE_S, ROUNDING = 0.05, 4.0 * float(np.finfo(np.float32).eps)
"""Time on either side of a frame over which a path is tested for a straight line. A path that bends
by less than the rounding of the stored numbers is straight."""


def frozen_frames(points: Array, rate_hz: float) -> dict[int, Mask]:
    """Return marker -> frames in which it stays in place while the others move on.

    Parameters
    ----------
    points : array, shape (n, m, 3)
    rate_hz : float
    """
    known = known_points(points)
    held = np.zeros(known.shape, bool)
    same = points[1:] == points[:-1]
    held[:-1] = same[..., 0] & same[..., 1] & same[..., 2]
    apart = points[..., [0, 1, 2]]  # x, y and z each for itself in memory: ten times as fast below
    with np.errstate(invalid="ignore"):
        still = lengths(np.fmax.reduce(apart, axis=0) - np.fmin.reduce(apart, axis=0)) < STILL_M
    frames: dict[int, Mask] = {}
    suspects = np.flatnonzero(still | held.any(axis=0)).tolist()
    middle = _middle(points, known) if suspects else points[:, 0]
    for j in suspects:
        visible = known[:, j]
        if visible.sum() < 2:  # noqa: PLR2004
            continue
        if still[j] and np.linalg.norm(np.ptp(middle[visible], axis=0)) > WALKED_M:
            frames[j] = visible
            continue
        for start, stop in runs(held[:, j]):
            lasted = (stop - start) / rate_hz
            if lasted >= HELD_S and np.linalg.norm(middle[stop] - middle[start]) > HELD_M:
                frames.setdefault(j, np.zeros(len(points), bool))[start : stop + 1] = True
    return frames


def straight_frames(points: Array, rate_hz: float) -> dict[int, Mask]:
    """Return marker -> frames in which it moves along an exact straight line at constant speed.

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
    >>> np.flatnonzero(straight_frames(path, 100.0)[0])[[0, -1]]
    array([20, 39])
    """
    reach = max(1, round(LINE_S * rate_hz))
    frames: dict[int, Mask] = {}
    if len(points) <= 2 * reach:
        return frames
    middle = points[reach:-reach]
    with np.errstate(invalid="ignore"):
        bend = np.abs(points[2 * reach :] - 2.0 * middle + points[: -2 * reach])
        even = bend <= ROUNDING * np.abs(middle) + ROUNDING
    even = even[..., 0] & even[..., 1] & even[..., 2]
    for j in np.flatnonzero(even.any(axis=0)).tolist():
        for start, stop in runs(even[:, j]):
            end = stop + 2 * reach
            distance = float(np.linalg.norm(points[end - 1, j] - points[start, j]))
            if (end - start) / rate_hz >= HELD_S and distance > HELD_M:
                frames.setdefault(j, np.zeros(len(points), bool))[start:end] = True
    return frames


def _middle(points: Array, known: Mask) -> Array:
    """Return the median of the markers, shape (n, 3); frames without any take the next one's."""
    rows = np.flatnonzero(known.any(axis=1))
    if not rows.size:
        return np.zeros((len(points), 3))
    middle = known_medians(np.moveaxis(points[rows], 1, 0))
    nearest = np.clip(np.searchsorted(rows, np.arange(len(points))), 0, len(rows) - 1)
    return middle[nearest]
