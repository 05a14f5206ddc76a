"""Points above a rectangle in space, such as the surface of a force plate."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import cross, lengths
from gaitdyn.types.arrays import Array, Mask, Places

LOWEST_M, HIGHEST_M = 0.015, 0.2
"""Height range of the markers of a standing foot above the floor; lower ones lie on the floor."""

MARGIN_M = 0.03
"""A sole extends this far beyond its markers."""

SLOW_M_S = 0.5
"""A foot is in stance while its marker is slower than this (Bruening and Ridge 2014)."""


def feet_over(points: Array, corners: Array, rate_hz: float) -> tuple[Mask, Mask]:
    """Return when a foot stands over a plate, and when any foot is visible.

    Any marker at the height of a foot counts, so no labels are needed. Points that never move while
    others do are not markers: they are computed numbers stored as points, or tools on the floor.

    Parameters
    ----------
    points : array, shape (n, m, 3)
        Markers, m; NaN in gaps.
    corners : array, shape (4, 3)
        Of the plate, in the axes of the points, in the order of the C3D format, m.
    rate_hz : float
        Of the frames.

    Returns
    -------
    standing, seen : arrays of bool, shape (n,)
        ``standing``: a marker at the height of a foot is over the plate and slower than 0.5 m/s.
        ``seen``: some marker is at that height, over the plate or not.
    """
    return feet_over_each(points, [corners], rate_hz)[0]


def feet_over_each(points: Array, plates: list[Array], rate_hz: float) -> list[tuple[Mask, Mask]]:
    """Return :func:`feet_over` for each plate; plates in one floor share the points near it."""
    each: list[tuple[Mask, Mask]] = []
    floor: tuple[float, ...] = ()
    low: _LowPoints | None = None
    for corners in plates:
        edges = np.stack((corners[0] - corners[1], corners[0] - corners[3]))
        down = cross(edges[0], edges[1])
        down = down / np.linalg.norm(down)
        centre = corners.mean(axis=0)
        plane = *down.tolist(), float(centre @ down)
        if low is None or plane != floor:
            floor, low = plane, _LowPoints(points, down, centre @ down)
        half = 0.5 * lengths(edges)[:, None]
        along = np.abs(edges @ (low.points - centre[:, None])) / (2.0 * half)
        within = along <= half + MARGIN_M
        over = low.index[within[0] & within[1]]
        slow = over[~_are_fast(points, over, rate_hz)]
        standing = np.zeros(len(points), bool)
        standing[slow // max(points.shape[1], 1)] = True
        each.append((standing, low.seen.copy()))
    return each


class _LowPoints:
    """The points at the height of a foot above a floor.

    Attributes
    ----------
    index : array of int
        Flat index of each, ``frame * m + marker``.
    points : array, shape (3, k)
        Their positions, m; one component per row, which is faster.
    seen : array of bool, shape (n,)
        The frames with at least one of them.
    """

    def __init__(self, points: Array, down: Array, level: float) -> None:
        with np.errstate(invalid="ignore"):
            height = level - points @ down
            low = (height > LOWEST_M) & (height < HIGHEST_M) & _moving(points, down)
        self.index = np.flatnonzero(low)
        self.points = points.reshape(-1, 3).take(self.index, axis=0).T.copy()
        self.seen = np.asarray(low.any(axis=1))


def _moving(points: Array, down: Array) -> Mask:
    """Return which points ever move along the floor, shape (m,); all of them if none does.

    A measured position always varies in its last digits.
    """
    if not len(points):
        return np.ones(points.shape[1:2], bool)
    along = np.flatnonzero(np.arange(3) != np.abs(down).argmax())
    flat = points[..., along]
    spread = np.fmax.reduce(flat, axis=0) - np.fmin.reduce(flat, axis=0)
    moved = np.asarray(spread > 0.0, dtype=bool).any(axis=-1)
    return np.asarray(moved if moved.any() else ~moved, dtype=bool)


def _are_fast(points: Array, index: Places, rate_hz: float) -> Mask:
    """Return which points, by flat index, are too fast for a standing foot.

    The speed is the central difference, at either end of the recording the one-sided one.
    """
    markers, last = points.shape[1], len(points) - 1
    flat, frame = points.reshape(-1, 3), index // max(markers, 1)
    before = np.where(frame > 0, index - markers, index)
    after = np.where(frame < last, index + markers, index)
    with np.errstate(invalid="ignore"):
        step = lengths(flat.take(after, axis=0) - flat.take(before, axis=0))
        step[(frame > 0) & (frame < last)] /= 2.0
        return step * rate_hz >= SLOW_M_S
