"""The rigid motion that best fits a cluster of points: Kabsch's problem."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.nearest import nearest_rotations
from gaitdyn.core.rotations import columns, cross, lengths, rotate, unit
from gaitdyn.core.runs import known_points
from gaitdyn.types.arrays import Array, Mask

SMALLEST_CLUSTER, LINE = 3, 2
_FLAT = 1e-3


def rigid_motion(template: Array, points: Array) -> tuple[Array, Array, Array]:
    """Return the rotation and translation that map a template onto points, frame by frame.

    Minimises ``sum_i |points_i - (R template_i + t)|^2`` over the visible points (Kabsch 1976, Acta
    Cryst A32:922-923; Söderkvist and Wedin 1993, J Biomech 26:1473-1477).

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
    seen = known_points(points) & known_points(template)
    rows = np.flatnonzero(_determined(template, seen))
    if rows.size:
        R[rows], t[rows], residual[rows] = _best(template, points[rows], seen[rows])
    return R, t, residual


def _determined(template: Array, seen: Mask) -> Mask:
    """Return in which frames three or more points are visible that are not on a line."""
    found = seen.sum(axis=1) >= SMALLEST_CLUSTER
    remaining = found.copy()
    while remaining.any():
        pattern = seen[remaining.argmax()]
        alike = (seen == pattern).all(axis=1)
        remaining &= ~alike
        shape = template[pattern]
        if np.linalg.svd(shape - shape.mean(axis=0), compute_uv=False)[1] < _FLAT:
            found &= ~alike
    return found


def _best(template: Array, points: Array, seen: Mask) -> tuple[Array, Array, Array]:
    """Return the motions of frames that determine one, and what remains of each visible point."""
    known = known_points(template)
    of_all = template[known].mean(axis=0)
    shape = np.where(known[:, None], template - of_all, 0.0)
    count = seen.sum(axis=1)[:, None]
    visible = np.where(seen[..., None], points, 0.0)
    middle = np.einsum("nmi->ni", visible) / count
    from_middle = np.where(seen[..., None], visible - middle[:, None], 0.0)
    R = nearest_rotations(from_middle.swapaxes(1, 2) @ shape)
    turned_centre = rotate(R, (seen @ shape) / count)
    off = from_middle - shape @ R.swapaxes(1, 2) + turned_centre[:, None]
    residual = np.where(seen, lengths(off), np.nan)
    return R, middle - rotate(R, of_all[None]) - turned_centre, residual


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
