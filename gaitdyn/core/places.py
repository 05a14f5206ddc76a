"""Where points are over a rectangle that lies in space, such as the surface of a force plate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import cross, lengths
from gaitdyn.types.arrays import Array, Mask, Places

if TYPE_CHECKING:
    from collections.abc import Sequence

LOWEST_M, HIGHEST_M = 0.015, 0.2
"""Markers of a standing foot are this high above the floor; lower ones lie on it."""

MARGIN_M = 0.03
"""A sole reaches this far beyond its markers."""

SLOW_M_S = 0.5
"""A foot stands while its marker is slower than this (Ghoussayni et al. 2004)."""


def feet_over(points: Array, corners: Array, rate_hz: float) -> tuple[Mask, Mask]:
    """Return when a foot stands over a plate, and when feet are seen at all.

    Any marker at the height of a foot counts: no labels are needed. Points that never move while
    others do are none: computed numbers that a file stores as points, tools on the floor.

    Parameters
    ----------
    points : array, shape (n, m, 3)
        Markers, m; NaN in gaps.
    corners : array, shape (4, 3)
        Of the plate, in the axes of the points, as the C3D format lists them: m.
    rate_hz : float
        Of the frames.

    Returns
    -------
    standing, seen : arrays of bool, shape (n,)
        ``standing``: a marker at the height of a foot is over the plate and slower than 0.5 m/s.
        ``seen``: some marker is at that height, wherever.
    """
    return feet_over_each(points, [corners], rate_hz)[0]


def feet_over_each(
    points: Array, plates: Sequence[Array], rate_hz: float
) -> list[tuple[Mask, Mask]]:
    """Return :func:`feet_over` of several plates; those of one floor share the feet near it."""
    found: list[tuple[Mask, Mask]] = []
    floor: tuple[float, ...] = ()
    near: _Near | None = None
    for corners in plates:
        edges = np.stack((corners[0] - corners[1], corners[0] - corners[3]))
        down = cross(edges[0], edges[1])
        down = down / np.linalg.norm(down)
        centre = corners.mean(axis=0)
        own = *down.tolist(), float(centre @ down)
        if near is None or own != floor:
            floor, near = own, _Near(points, down, centre @ down)
        half = 0.5 * lengths(edges)[:, None]
        along = np.abs(edges @ (near.feet - centre[:, None])) / (2.0 * half)
        within = along <= half + MARGIN_M
        over = near.at[within[0] & within[1]]
        slow = over[~_are_fast(points, over, rate_hz)]
        standing = np.zeros(len(points), bool)
        standing[slow // max(points.shape[1], 1)] = True
        found.append((standing, near.seen.copy()))
    return found


class _Near:
    """The points at the height of a foot above a floor.

    Attributes
    ----------
    at : array of int
        Where they stand among all points, frame by frame.
    feet : array, shape (3, k)
        Themselves: the components lie together, which is faster.
    seen : array of bool, shape (n,)
        The frames that have some.
    """

    def __init__(self, points: Array, down: Array, level: float) -> None:
        with np.errstate(invalid="ignore"):
            height = level - points @ down
            low = (height > LOWEST_M) & (height < HIGHEST_M) & _moving(points, down)
        self.at = np.flatnonzero(low)
        self.feet = points.reshape(-1, 3).take(self.at, axis=0).T.copy()
        self.seen = np.asarray(low.any(axis=1))


def _moving(points: Array, down: Array) -> Mask:
    """Return which points ever move along the floor, shape (m,); all where none does.

    What cameras see never stays to the last digit.
    """
    if not len(points):
        return np.ones(points.shape[1:2], bool)
    along = np.flatnonzero(np.arange(3) != np.abs(down).argmax())
    flat = points[..., along]
    spread = np.fmax.reduce(flat, axis=0) - np.fmin.reduce(flat, axis=0)
    moved = np.asarray(spread > 0.0, dtype=bool).any(axis=-1)
    return np.asarray(moved if moved.any() else ~moved, dtype=bool)


def _are_fast(points: Array, at: Places, rate_hz: float) -> Mask:
    """Return which of some points, told as :class:`_Near` does, are too fast for a standing foot.

    By the frames beside; at either end by the one there is.
    """
    markers, last = points.shape[1], len(points) - 1
    flat, frame = points.reshape(-1, 3), at // max(markers, 1)
    before, after = np.where(frame > 0, at - markers, at), np.where(frame < last, at + markers, at)
    with np.errstate(invalid="ignore"):
        went = lengths(flat.take(after, axis=0) - flat.take(before, axis=0))
        went[(frame > 0) & (frame < last)] /= 2.0
        return went * rate_hz >= SLOW_M_S
