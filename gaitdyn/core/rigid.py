"""The rigid motion that best fits a cluster of points: Kabsch's method with an SVD."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import columns, cross, unit
from gaitdyn.core.runs import known_points
from gaitdyn.types.arrays import Array

SMALLEST_CLUSTER, LINE = 3, 2
_FLAT = 1e-3


def rigid_motion(template: Array, points: Array) -> tuple[Array, Array, Array]:
    """Return the rotation and translation that map a template onto points, frame by frame.

    Minimises ``sum_i |points_i - (R template_i + t)|^2`` over the visible points (Kabsch 1976, Acta
    Cryst A32:922; Soederkvist and Wedin 1993, J Biomech 26:1473-1477).

    Parameters
    ----------
    template : array, shape (m, 3)
        Points of the segment in a reference position, m.
    points : array, shape (n, m, 3)
        The same points in every frame, NaN where not visible.

    Returns
    -------
    R : array, shape (n, 3, 3)
    t : array, shape (n, 3)
        NaN in frames with fewer than three points, or with nearly collinear points.
    residual : array, shape (n, m)
        Distance of each point from its fitted position, m.
    """
    n = len(points)
    R, t = np.full((n, 3, 3), np.nan), np.full((n, 3), np.nan)
    residual = np.full(points.shape[:2], np.nan)
    seen = known_points(points)
    remaining = seen.sum(axis=1) >= SMALLEST_CLUSTER
    while remaining.any():
        pattern = seen[remaining.argmax()]
        alike = (seen == pattern).all(axis=1)
        remaining &= ~alike
        rows = np.flatnonzero(alike)
        shape = template[pattern]
        centre = shape.mean(axis=0)
        visible = points[np.ix_(rows, np.flatnonzero(pattern))]
        middle = visible.mean(axis=1)
        spread = np.linalg.svd(shape - centre, compute_uv=False)
        if spread[1] < _FLAT:
            continue
        H = np.einsum("mi,nmj->nij", shape - centre, visible - middle[:, None])
        U, _, V = np.linalg.svd(H)
        sign = np.ones((len(rows), 3))
        sign[:, 2] = np.sign(np.linalg.det(U @ V))
        turn = np.swapaxes(V, 1, 2) @ (sign[:, :, None] * np.swapaxes(U, 1, 2))
        R[rows] = turn
        t[rows] = middle - turn @ centre
        fitted = np.einsum("nij,mj->nmi", turn, shape) + t[rows][:, None]
        residual[np.ix_(rows, np.flatnonzero(pattern))] = np.linalg.norm(visible - fitted, axis=2)
    return R, t, residual


def line_motion(
    template: Array, points: Array, direction: Array, direction_G: Array
) -> tuple[Array, Array]:
    """Return the motion of a segment from two points and a direction that sets the turn about them.

    Parameters
    ----------
    template : array, shape (2, 3)
        In a reference position, m.
    points : array, shape (n, 2, 3)
    direction, direction_G : arrays, shape (3,) and (n, 3)
        In the reference position and in every frame; not parallel to the line of the points.

    Returns
    -------
    R : array, shape (n, 3, 3)
    t : array, shape (n, 3)
        Maps the midpoint of the template onto the midpoint of the points.
    """
    start = axes_of_line(template[None, 0], template[None, 1], direction[None])[0]
    R = axes_of_line(points[:, 0], points[:, 1], direction_G) @ start.T
    return R, points.mean(axis=1) - R @ template.mean(axis=0)


def axes_of_line(first: Array, last: Array, axis: Array) -> Array:
    """Return axes with y from first to last and z as close as possible to an axis, (..., 3, 3)."""
    y = unit(last - first)
    x = unit(cross(y, axis))
    return columns(x, y, cross(x, y))


def move(R: Array, t: Array, point: Array) -> Array:
    """Return where a point of the reference position is in every frame, shape (n, 3)."""
    return R @ point + t
