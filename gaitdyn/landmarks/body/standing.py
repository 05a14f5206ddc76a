"""Find the person in a file: the upward axis, the floor and the direction to the left.

All differences are taken within one frame: markers may be visible in different parts of a trial.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.core.medians import known_medians
from gaitdyn.core.rotations import cross
from gaitdyn.core.runs import spread_rows
from gaitdyn.types.arrays import Array, Places
from gaitdyn.types.frozen import frozen
from gaitdyn.types.landmarks import Standing

_MOST_FRAMES, _SOME = 120, 60
_FEWEST = 4
_AGREE = 0.12
"""Largest residual of a height that agrees with its name, as a fraction of the ASIS height."""
_SHARE = 0.7
_GOOD, _CORRELATION = 0.95, 0.8
_LOWEST_M, _HIGHEST_M = 0.3, 1.4
_UPRIGHT = 0.93
_AXES = ("X", "Y", "Z")


@frozen(eq=False)
class StandingPerson:
    """Marker positions relative to the person in a file.

    Attributes
    ----------
    standing : Standing
    height, outward, ahead : array, shape (m,)
        For each marker: above the floor, to the left of the mid-plane, ahead of it; fractions of
        the ASIS height, medians over frames; NaN if unknown.
    resting : array, shape (m,)
        Height below which each marker is in a quarter of the frames, likewise.
    to_left, to_front : array, shape (f, m)
        Position of each marker to the person's left and forward in some frames.
    """

    standing: Standing
    height: Array
    outward: Array
    ahead: Array
    resting: Array
    to_left: Array
    to_front: Array


@frozen(eq=False)
class Heights:
    """Heights expected from the names of markers.

    Attributes
    ----------
    wanted, spread : array, shape (m,)
        Height expected from a name and its spread between persons, in ASIS heights; NaN for an
        unsure name.
    """

    wanted: Array
    spread: Array


def find_body(
    points: Array, names: Heights, pelvis: list[tuple[int, int]], pairs: list[tuple[int, int]]
) -> StandingPerson | None:
    """Return how the person of a file stands, or ``None`` if no axis is up.

    Parameters
    ----------
    points : array, shape (n, m, 3)
        m, laboratory axes, NaN in gaps.
    names : Heights
    pelvis, pairs : list of (int, int)
        Left and right marker with the same name, at the pelvis and anywhere.
    """
    sure = np.flatnonzero(np.isfinite(names.wanted))
    frames = _frames(points[:, sure])
    if len(sure) < _FEWEST or not len(frames):
        return None
    up = _robust_up(points[np.ix_(frames, sure)], names.wanted[sure])
    if up is None:
        return None
    axis, sign, scale = up
    upright = points[frames[scale >= _UPRIGHT * np.nanpercentile(scale, 90)]]
    height_m = known_medians(sign * upright[..., axis])
    line = _line(names.wanted[sure], names.spread[sure], height_m[sure])
    if not _LOWEST_M < line[1] < _HIGHEST_M:
        return None
    return _relative_to_person(upright, (axis, sign), line, (pelvis, pairs))


def _relative_to_person(
    points: Array,
    up: tuple[int, int],
    line: tuple[float, float, float],
    pairs: tuple[list[tuple[int, int]], list[tuple[int, int]]],
) -> StandingPerson:
    """Return the positions of all markers in the axes of the person."""
    (axis, sign), (floor, metres, share) = up, line
    left, middle = _left(points, axis, *pairs)
    upward = np.zeros(3)
    upward[axis] = sign
    from_middle = points - middle[:, None]
    to_left = np.einsum("fmi,fi->fm", from_middle, left) / metres
    to_front = np.einsum("fmi,fi->fm", from_middle, cross(left, upward)) / metres
    middle_left = known_medians(left)
    norm = float(np.linalg.norm(middle_left)) or 1.0
    x, y, z = (middle_left / norm).tolist()
    sample = spread_rows(len(points), _SOME)
    name = ("+" if sign > 0 else "-") + _AXES[axis]
    height = (sign * points[..., axis] - floor) / metres
    quarter = np.isfinite(height).sum(axis=0) // 4
    return StandingPerson(
        Standing(name, floor, (x, y, z), share, upright=share >= _SHARE),
        height=(known_medians(sign * points[..., axis]) - floor) / metres,
        outward=known_medians(to_left),
        ahead=known_medians(to_front),
        resting=np.take_along_axis(np.sort(height, axis=0), quarter[None], axis=0)[0],
        to_left=to_left[sample],
        to_front=to_front[sample],
    )


def quiet_frames(points: Array, rate_hz: float) -> Places:
    """Return the frames in which most markers hardly move, or all frames of a short recording.

    Parameters
    ----------
    points : array, shape (n, m, 3)
    rate_hz : float

    Returns
    -------
    array of int
    """
    if len(points) < 10:  # noqa: PLR2004
        return np.arange(len(points))
    step = max(1, round(0.05 * rate_hz))
    moved = np.full(len(points), np.nan)
    distance = np.linalg.norm(points[step:] - points[:-step], axis=-1)
    moved[: len(distance)] = known_medians(distance.T)
    moved[len(distance) :] = moved[len(distance) - 1]
    speed = moved * rate_hz / step
    if not np.isfinite(speed).any():
        return np.arange(len(points))
    slow = max(0.06, 1.5 * float(np.nanpercentile(speed, 20)))
    return np.flatnonzero(speed <= slow)


def _frames(points: Array) -> Places:
    """Return up to 120 frames with at least half of the largest number of visible markers."""
    counts = np.isfinite(points[..., 0]).sum(axis=1)
    good = np.flatnonzero(counts >= max(_FEWEST, counts.max(initial=0) / 2))
    return good[spread_rows(len(good), _MOST_FRAMES)]


Up = tuple[int, int, Array]
"""Axis, sign, and metres per ASIS height in each frame."""


def _robust_up(points: Array, wanted: Array) -> Up | None:
    """Return the upward direction; the worst-fitting markers, at most a third, are left out."""
    kept = np.arange(len(wanted))
    fewest = len(wanted) - len(wanted) // 3
    while True:
        correlation, slope, residual = _fit_to_heights(points[:, kept], wanted[kept])
        if not np.isfinite(correlation).any():
            return None
        axis = int(np.nanargmax(np.abs(correlation)))
        if abs(correlation[axis]) >= _GOOD or len(kept) <= fewest:
            break
        kept = np.delete(kept, int(np.nanargmax(residual[:, axis])))
    sign = 1 if correlation[axis] > 0 else -1
    return (axis, sign, sign * slope[:, axis]) if abs(correlation[axis]) >= _CORRELATION else None


def _fit_to_heights(points: Array, wanted: Array) -> tuple[Array, Array, Array]:
    """Return, for each axis, the correlation with the expected heights, the slope and residuals.

    Shapes (3,), (f, 3) and (m, 3): medians over frames, a slope in each frame, medians over frames.
    """
    visible = np.isfinite(points[..., 0])
    count = np.maximum(visible.sum(axis=1, keepdims=True), 1)
    h = np.where(visible, wanted, 0.0)
    h = np.where(visible, h - h.sum(axis=1, keepdims=True) / count, 0.0)
    x = np.where(visible[..., None], points, 0.0)
    x = np.where(visible[..., None], x - x.sum(axis=1, keepdims=True) / count[..., None], 0.0)
    xy = np.einsum("fmi,fm->fi", x, h)
    xx, yy = (x**2).sum(axis=1), (h**2).sum(axis=1)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation, slope = xy / np.sqrt(xx * yy), xy / yy
    residual = np.abs(x - slope[:, None, :] * h[..., None])
    return (
        known_medians(correlation),
        slope,
        known_medians(np.where(visible[..., None], residual, np.nan)),
    )


def _line(wanted: Array, spread: Array, z: Array) -> tuple[float, float, float]:
    """Return floor, metres per ASIS height and share of agreement, from a consensus line.

    It is a least-squares line through the markers that agree, weighted by landmark spread.
    """
    known = np.isfinite(z)
    h, z, sd = wanted[known], z[known], spread[known]
    i, j = np.triu_indices(len(h), 1)
    apart = (np.abs(h[i] - h[j]) > 0.3) & ((h[i] - h[j]) * (z[i] - z[j]) > 0)  # noqa: PLR2004
    i, j = i[apart], j[apart]
    if not len(i):
        return 0.0, 0.0, 0.0
    slope = (z[j] - z[i]) / (h[j] - h[i])
    floor = z[i] - slope * h[i]
    residual = np.abs(z - floor[:, None] - slope[:, None] * h) / slope[:, None]
    inside = residual < _AGREE
    best = int(np.argmax(inside.sum(axis=1) - (residual * inside).mean(axis=1)))
    agreeing = inside[best]
    if agreeing.sum() < 3:  # noqa: PLR2004
        return float(floor[best]), float(slope[best]), float(agreeing.mean())
    metres, ground = np.polyfit(h[agreeing], z[agreeing], 1, w=1.0 / sd[agreeing])
    share = np.abs(z - ground - metres * h) < _AGREE * metres
    return float(ground), float(metres), float(share.mean())


def _left(
    points: Array, axis: int, pelvis: list[tuple[int, int]], pairs: list[tuple[int, int]]
) -> tuple[Array, Array]:
    """Return the unit vector to the left and a point of the mid-plane in each frame.

    Pairs of the pelvis are used; a frame without a visible pair takes that of the nearest frame. If
    the file has none, all pairs are averaged over all frames, so that steps cancel out.
    """
    flat = points.copy()
    flat[..., axis] = 0.0
    left = _apart(_mean_of_pairs(flat, pelvis, -1.0))
    if not np.isfinite(left[:, 0]).any():
        differences = _mean_of_pairs(flat, pairs, -1.0)
        left = _apart(np.broadcast_to(_mean(differences), differences.shape))
    known = np.flatnonzero(np.isfinite(left[:, 0]))
    if len(known):
        nearest = known[np.abs(np.arange(len(left))[:, None] - known).argmin(axis=1)]
        left = left[nearest]
        left = left / np.linalg.norm(left, axis=1, keepdims=True)
    middle = _mean_of_pairs(points, pelvis, 1.0) / 2
    missing = ~np.isfinite(middle[:, 0])
    if missing.any():
        middle = np.where(missing[:, None], _mean_of_pairs(points, pairs, 1.0) / 2, middle)
    return left, middle


def _apart(differences: Array) -> Array:
    """Return differences, NaN where both markers are at one place: they show no direction."""
    return np.where(differences.any(axis=1, keepdims=True), differences, np.nan)


def _mean_of_pairs(points: Array, pairs: list[tuple[int, int]], sign: float) -> Array:
    """Return the mean of the sums (1.0) or differences (-1.0) of pairs of points."""
    if not pairs:
        return np.full((len(points), 3), np.nan)
    i, j = np.array(pairs).T
    return _mean(np.swapaxes(points[:, i] + sign * points[:, j], 0, 1))


def _mean(values: Array) -> Array:
    """Return the mean over the first axis, ignoring NaN; NaN where all values are missing."""
    known = np.isfinite(values)
    count = known.sum(axis=0)
    total = np.where(known, values, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
