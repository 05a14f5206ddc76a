"""The person in a file: which way is up, where the floor is, which way is left.

All differences are taken within one frame: markers may be seen in different parts of a trial.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import known_medians
from gaitdyn.core.runs import spread_rows
from gaitdyn.types.arrays import Array
from gaitdyn.types.landmarks import Standing

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Places

_MOST_FRAMES, _SOME = 120, 60
_FEWEST = 4
_AGREE = 0.12
"""Residual of a height that still agrees with its name, fraction of the ASIS height."""
_SHARE = 0.7
_GOOD, _CORRELATION = 0.95, 0.8
_LOWEST_M, _HIGHEST_M = 0.3, 1.4
_UPRIGHT = 0.93
_AXES = ("X", "Y", "Z")


@dataclass(frozen=True, slots=True, eq=False)
class StandingPerson:
    """A file seen from its person.

    Attributes
    ----------
    standing : Standing
    height, outward, ahead : array, shape (m,)
        Of each marker: above the floor, to the left of the mid-plane, ahead of it; fractions of the
        ASIS height, medians over frames; NaN when not known.
    to_left, to_front : array, shape (f, m)
        Places of each marker along the person's left and forward in some frames.
    """

    standing: Standing
    height: Array
    outward: Array
    ahead: Array
    to_left: Array
    to_front: Array


@dataclass(frozen=True, slots=True, eq=False)
class Heights:
    """What the names of the markers say about heights.

    Attributes
    ----------
    wanted, spread : array, shape (m,)
        Height that a name wants and how far persons differ, in ASIS heights; NaN for an unsure
        name.
    """

    wanted: Array
    spread: Array


def find_body(
    points: Array, names: Heights, pelvis: list[tuple[int, int]], pairs: list[tuple[int, int]]
) -> StandingPerson | None:
    """Return how the person of a file stands, or ``None`` when no axis is up.

    Parameters
    ----------
    points : array, shape (n, m, 3)
        m, laboratory axes, NaN in gaps.
    names : Heights
    pelvis, pairs : list of (int, int)
        Left and right marker of the same name, at the pelvis and anywhere.

    Returns
    -------
    StandingPerson or None
    """
    sure = np.flatnonzero(np.isfinite(names.wanted))
    frames = _frames(points[:, sure])
    if len(sure) < _FEWEST or not len(frames):
        return None
    up = _robust_up(points[np.ix_(frames, sure)], names.wanted[sure])
    if up is None:
        return None
    axis, sign, scale = up
    at = points[frames[scale >= _UPRIGHT * np.nanpercentile(scale, 90)]]
    height_m = known_medians(sign * at[..., axis])
    line = _line(names.wanted[sure], names.spread[sure], height_m[sure])
    if not _LOWEST_M < line[1] < _HIGHEST_M:
        return None
    return _seen_from_person(at, (axis, sign), line, (pelvis, pairs))


def _seen_from_person(
    at: Array,
    up: tuple[int, int],
    line: tuple[float, float, float],
    pairs: tuple[list[tuple[int, int]], list[tuple[int, int]]],
) -> StandingPerson:
    """Return the places of all markers in the axes of the person."""
    (axis, sign), (floor, metres, share) = up, line
    left, middle = _left(at, axis, *pairs)
    upward = np.zeros(3)
    upward[axis] = sign
    from_middle = at - middle[:, None]
    to_left = np.einsum("fmi,fi->fm", from_middle, left) / metres
    to_front = np.einsum("fmi,fi->fm", from_middle, np.cross(left, upward)) / metres
    middle_left = known_medians(left)
    norm = float(np.linalg.norm(middle_left)) or 1.0
    x, y, z = (middle_left / norm).tolist()
    some = spread_rows(len(at), _SOME)
    name = ("+" if sign > 0 else "-") + _AXES[axis]
    return StandingPerson(
        Standing(name, floor, (x, y, z), share, upright=share >= _SHARE),
        height=(known_medians(sign * at[..., axis]) - floor) / metres,
        outward=known_medians(to_left),
        ahead=known_medians(to_front),
        to_left=to_left[some],
        to_front=to_front[some],
    )


def quiet_frames(points: Array, rate_hz: float) -> Places:
    """Return the frames in which most markers hardly move, or all when there are few of them.

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
    """Return up to 120 frames in which at least half of the most markers at once are seen."""
    seen = np.isfinite(points[..., 0]).sum(axis=1)
    good = np.flatnonzero(seen >= max(_FEWEST, seen.max(initial=0) / 2))
    return good[spread_rows(len(good), _MOST_FRAMES)]


Up = tuple[int, int, Array]
"""Axis, sign, and the metres of an ASIS height in each frame."""


def _robust_up(at: Array, wanted: Array) -> Up | None:
    """Return the direction up; markers that fit it worst are left out, a third of them at most."""
    kept = np.arange(len(wanted))
    fewest = len(wanted) - len(wanted) // 3
    while True:
        correlation, slope, off = _against_heights(at[:, kept], wanted[kept])
        if not np.isfinite(correlation).any():
            return None
        axis = int(np.nanargmax(np.abs(correlation)))
        if abs(correlation[axis]) >= _GOOD or len(kept) <= fewest:
            break
        kept = np.delete(kept, int(np.nanargmax(off[:, axis])))
    sign = 1 if correlation[axis] > 0 else -1
    return (axis, sign, sign * slope[:, axis]) if abs(correlation[axis]) >= _CORRELATION else None


def _against_heights(at: Array, wanted: Array) -> tuple[Array, Array, Array]:
    """Return, by axis, the correlation with the wanted heights, the slope, how far markers are off.

    Shapes (3,), (f, 3) and (m, 3): medians over frames, a slope in each frame, medians over frames.
    """
    seen = np.isfinite(at[..., 0])
    count = np.maximum(seen.sum(axis=1, keepdims=True), 1)
    h = np.where(seen, wanted, 0.0)
    h = np.where(seen, h - h.sum(axis=1, keepdims=True) / count, 0.0)
    x = np.where(seen[..., None], at, 0.0)
    x = np.where(seen[..., None], x - x.sum(axis=1, keepdims=True) / count[..., None], 0.0)
    xy = np.einsum("fmi,fm->fi", x, h)
    xx, yy = (x**2).sum(axis=1), (h**2).sum(axis=1)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation, slope = xy / np.sqrt(xx * yy), xy / yy
    off = np.abs(x - slope[:, None, :] * h[..., None])
    return known_medians(correlation), slope, known_medians(np.where(seen[..., None], off, np.nan))


def _line(wanted: Array, spread: Array, z: Array) -> tuple[float, float, float]:
    """Return floor, metres of an ASIS height and share of agreement: a line by consensus.

    The line is that of least squares through those that agree, each by the spread of its landmark.
    """
    known = np.isfinite(z)
    h, z, sd = wanted[known], z[known], spread[known]
    i, j = np.triu_indices(len(h), 1)
    far = (np.abs(h[i] - h[j]) > 0.3) & ((h[i] - h[j]) * (z[i] - z[j]) > 0)  # noqa: PLR2004
    i, j = i[far], j[far]
    if not len(i):
        return 0.0, 0.0, 0.0
    slope = (z[j] - z[i]) / (h[j] - h[i])
    floor = z[i] - slope * h[i]
    off = np.abs(z - floor[:, None] - slope[:, None] * h) / slope[:, None]
    inside = off < _AGREE
    best = int(np.argmax(inside.sum(axis=1) - (off * inside).mean(axis=1)))
    good = inside[best]
    if good.sum() < 3:  # noqa: PLR2004
        return float(floor[best]), float(slope[best]), float(good.mean())
    metres, ground = np.polyfit(h[good], z[good], 1, w=1.0 / sd[good])
    share = np.abs(z - ground - metres * h) < _AGREE * metres
    return float(ground), float(metres), float(share.mean())


def _left(
    at: Array, axis: int, pelvis: list[tuple[int, int]], pairs: list[tuple[int, int]]
) -> tuple[Array, Array]:
    """Return the unit vector to the left and a point of the mid-plane in each frame.

    From the pairs of the pelvis where one is seen; a frame without takes the nearest frame's. When
    the file has none, all pairs together, over all frames: steps cancel out.
    """
    flat = at.copy()
    flat[..., axis] = 0.0
    left = _mean_difference(flat, pelvis)
    if not np.isfinite(left[:, 0]).any():
        every = _mean_difference(flat, pairs)
        left = np.broadcast_to(_mean(every), every.shape).copy()
    known = np.flatnonzero(np.isfinite(left[:, 0]))
    if len(known):
        nearest = known[np.abs(np.arange(len(left))[:, None] - known).argmin(axis=1)]
        left = left[nearest]
        left = left / np.linalg.norm(left, axis=1, keepdims=True)
    middle = _mean_middle(at, pelvis)
    lost = ~np.isfinite(middle[:, 0])
    if lost.any():
        middle = np.where(lost[:, None], _mean_middle(at, pairs), middle)
    return left, middle


def _mean_difference(at: Array, pairs: list[tuple[int, int]]) -> Array:
    if not pairs:
        return np.full((len(at), 3), np.nan)
    i, j = np.array(pairs).T
    return _mean(np.swapaxes(at[:, i] - at[:, j], 0, 1))


def _mean_middle(at: Array, pairs: list[tuple[int, int]]) -> Array:
    if not pairs:
        return np.full((len(at), 3), np.nan)
    i, j = np.array(pairs).T
    return _mean(np.swapaxes(at[:, i] + at[:, j], 0, 1) / 2)


def _mean(values: Array) -> Array:
    """Return the mean over the first axis without NaN; NaN where nothing is known."""
    known = np.isfinite(values)
    count = known.sum(axis=0)
    total = np.where(known, values, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
