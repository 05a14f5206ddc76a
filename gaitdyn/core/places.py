"""Where points are over a rectangle that lies in space, such as the surface of a force plate."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import cross, lengths
from gaitdyn.types.arrays import Array, Mask

LOWEST_M, HIGHEST_M = 0.015, 0.2
"""Markers of a standing foot are this high above the floor; lower ones lie on it."""

MARGIN_M = 0.03
"""A sole reaches this far beyond its markers."""

SLOW_M_S = 0.5
"""A foot stands while its marker is slower than this (Ghoussayni et al. 2004)."""


def feet_over(points: Array, corners: Array, rate_hz: float) -> tuple[Mask, Mask]:
    """Return when a foot stands over a plate, and when feet are seen at all.

    Any marker at the height of a foot counts: no labels are needed.

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
    edges = np.stack((corners[0] - corners[1], corners[0] - corners[3]))
    half = 0.5 * lengths(edges)
    down = cross(edges[0], edges[1])
    down = down / np.linalg.norm(down)
    centre = corners.mean(axis=0)
    with np.errstate(invalid="ignore"):
        height = centre @ down - points @ down
        low = (height > LOWEST_M) & (height < HIGHEST_M)
        at = np.flatnonzero(low)
        feet = points.reshape(-1, 3).take(at, axis=0).T.copy()  # components lie together: faster
        along = np.abs(edges @ (feet - centre[:, None])) / (2.0 * half[:, None])
        within = along <= half[:, None] + MARGIN_M
        over = np.zeros(low.shape, bool)
        over.reshape(-1)[at[within[0] & within[1]]] = True
        there = np.flatnonzero(over.any(axis=0))
        own, fast = points.take(there, axis=1), np.zeros((len(points), len(there)), bool)
        if len(points) > 1:
            wide = np.concatenate((own[:1], own, own[-1:]))
            went = lengths(wide[2:] - wide[:-2])
            went[1:-1] /= 2.0
            fast = went * rate_hz >= SLOW_M_S
    standing = np.asarray((over[:, there] & ~fast).any(axis=1))
    return standing, np.asarray(low.any(axis=1))
