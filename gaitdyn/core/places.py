"""Points above a rectangle in space, such as the surface of a force plate."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import columns, cross, lengths, unit
from gaitdyn.types.arrays import Array, Mask

LOWEST_M, HIGHEST_M = 0.015, 0.2
"""Height range of the markers of a standing foot above the floor; lower ones lie on the floor."""

MARGIN_M = 0.03
"""A sole extends this far beyond its markers."""

SLOW_M_S = 0.5
"""A foot is in stance while its marker is slower than this (Bruening and Ridge 2014, Gait Posture
39:472-477)."""


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


def plate_edges(corners: Array) -> Array:
    """Return the edges of a plate along its x and y, from its corners (4, 3), shape (2, 3), m."""
    return np.stack((corners[0] - corners[1], corners[0] - corners[3]))


def plate_axes(corners: Array) -> Array:
    """Return the axes of a plate as columns: x from corner 2 to 1, y from 4 to 1, z = x x y.

    If the corners are listed as the C3D format requires, z points down into the floor.

    Parameters
    ----------
    corners : array, shape (4, 3)

    Returns
    -------
    array, shape (3, 3)
    """
    x = unit(corners[0] - corners[1])
    y = corners[0] - corners[3]
    y = unit(y - (y @ x) * x)
    return columns(x, y, cross(x, y))


def feet_over_each(points: Array, plates: list[Array], rate_hz: float) -> list[tuple[Mask, Mask]]:
    """Return :func:`feet_over` for each plate; plates in one floor share the points near it."""
    each: list[tuple[Mask, Mask]] = []
    floor: tuple[float, ...] = ()
    low: _LowPoints | None = None
    for corners in plates:
        edges = plate_edges(corners)
        down = cross(edges[0], edges[1])
        down = down / np.linalg.norm(down)
        centre = corners.mean(axis=0)
        plane = *down.tolist(), float(centre @ down)
        if low is None or plane != floor:
            floor, low = plane, _LowPoints(points, down, centre @ down, rate_hz)
        half = 0.5 * lengths(edges)[:, None]
        along = np.abs(edges @ (low.points - centre[:, None])) / (2.0 * half)
        within = along <= half + MARGIN_M
        standing = np.zeros(len(points), bool)
        standing[low.frame[within[0] & within[1]]] = True
        each.append((standing, low.seen.copy()))
    return each


class _LowPoints:
    """The points at the height of a foot above a floor.

    Attributes
    ----------
    frame : array of int, shape (k,)
        Of those that are slow enough for a standing foot.
    points : array, shape (3, k)
        Their positions, m; one component per row, which is faster.
    seen : array of bool, shape (n,)
        The frames with at least one point at that height, slow or not.
    """

    def __init__(self, points: Array, down: Array, level: float, rate_hz: float) -> None:
        with np.errstate(invalid="ignore"):
            height = level - points @ down
            low = (height > LOWEST_M) & (height < HIGHEST_M) & _moving(points, down)
        ever = np.flatnonzero(low.any(axis=0))
        some, self.frame = np.nonzero((low[:, ever] & ~_fast(points[:, ever], rate_hz)).T)
        self.points = points[self.frame, ever[some]].T.copy()
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


def _fast(points: Array, rate_hz: float) -> Mask:
    """Return which points are too fast for a standing foot, shape (n, m).

    The speed is the central difference, at either end of the recording the one-sided one. A point
    beside a gap has none and is not fast: a plate that may be loaded then shows no baseline.
    """
    step = np.zeros_like(points[..., 0])  # in the order of the points in memory
    with np.errstate(invalid="ignore"):
        if len(points) > 1:
            step[[0, -1]] = lengths(points[[1, -1]] - points[[0, -2]])
            step[1:-1] = lengths(points[2:] - points[:-2]) / 2.0
        return step * rate_hz >= SLOW_M_S
