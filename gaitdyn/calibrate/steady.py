"""Which points of a cluster its pose can do without, and how much each is worth to it."""

from __future__ import annotations

import numpy as np

from gaitdyn.calibrate.hidden_path import LARGEST_SWAY_M
from gaitdyn.core.rigid import SMALLEST_CLUSTER
from gaitdyn.core.runs import known_points
from gaitdyn.types.arrays import Array, Places

LARGEST_GAIN = 2.0
"""Others that would place a marker with more than twice their own error do not carry it."""

LARGEST_PART, _RARE, _WORSE = 0.3, 0.5, 1.25
"""A marker that lacks in more of the frames is left out where no joint gets this many times more
uncertain; one that lacks in half of them always."""

_OFF_AXIS = ([1, 2], [0, 2], [0, 1])
_FLAT_M, _TINY_M = 1e-3, 1e-6

LARGEST_TURN = 0.05
"""A carried marker may turn its cluster by so much, rad."""


def gain(shape: Array, point: Array) -> float:
    """Return by how much a rigid fit multiplies the error of its points at another point.

    ``sqrt((1 + sum_k d_k^2 / f_k^2 / 3) / N)``: d_k is the distance of the point from the k-th
    principal axis of the N points, f_k their own root mean square distance from it (Fitzpatrick,
    West and Maurer 1998, IEEE Trans Med Imaging 17:694-702).

    Parameters
    ----------
    shape : array, shape (N, 3)
    point : array, shape (3,)
    """
    centre = shape.mean(axis=0)
    _, _, axes = np.linalg.svd(shape - centre)
    own, other = (shape - centre) @ axes.T, (point - centre) @ axes.T
    sums = [((own[:, k] ** 2).sum(axis=1).mean(), (other[k] ** 2).sum()) for k in _OFF_AXIS]
    if min(f for f, _ in sums) < _FLAT_M**2:
        return np.inf
    return float(np.sqrt((1.0 + sum(d / f for f, d in sums) / 3.0) / len(shape)))


def largest_stray(shape: Array, i: int) -> float:
    """Return how far a carried point may be off, m.

    Where a cluster turns about the line of its others by this point alone, an error turns it by
    that over the distance from the line: it is held to :data:`LARGEST_TURN`.

    Parameters
    ----------
    shape : array, shape (N, 3)
        The whole cluster.
    i : int
    """
    if len(shape) < SMALLEST_CLUSTER:
        return LARGEST_SWAY_M
    others = np.delete(shape, i, axis=0)
    middle = others.mean(axis=0)
    along = np.linalg.svd(others - middle)[2][0]
    off = np.linalg.norm(np.cross(shape - middle, along), axis=1)
    lever = float((off**2).sum()) / max(float(off[i]), _TINY_M)
    return min(LARGEST_SWAY_M, LARGEST_TURN * lever)


def steady(template: Array, points: Array, ends: Array) -> Array:
    """Return points of which a rigid fit makes no jump: what still comes and goes is taken away.

    A frame that lacks a marker which is seen in others, and which nothing carried, is left empty as
    a whole. A marker that would cost more than :data:`LARGEST_PART` of the frames is left out
    instead, where the joints that the segment carries are hardly less certain without it, and one
    that more than half of them lack in any case.

    Parameters
    ----------
    template : array, shape (m, 3)
    points : array, shape (n, m, 3)
    ends : array, shape (k, 3)
        Joint centres that the segment carries, in the reference position.
    """
    seen = known_points(points)
    out = points
    for i in np.argsort(seen.sum(axis=0)).tolist():
        usable = seen.sum(axis=1) >= SMALLEST_CLUSTER
        lacking = usable & ~seen[:, i]
        others = np.flatnonzero(seen.any(axis=0) & (np.arange(len(template)) != i))
        if not seen[:, i].any() or lacking.sum() <= LARGEST_PART * usable.sum():
            continue
        rare = lacking.sum() > _RARE * usable.sum() and len(others) >= SMALLEST_CLUSTER
        if rare or _as_good(template, others, i, ends):
            out = out.copy()
            out[:, i] = np.nan
            seen = known_points(out)
    some = seen.any(axis=0)
    jumps = (seen.sum(axis=1) >= SMALLEST_CLUSTER) & ~seen[:, some].all(axis=1)
    if not jumps.any():
        return out
    out = out.copy()
    out[jumps] = np.nan
    return out


def _as_good(template: Array, others: Places, i: int, ends: Array) -> bool:
    """Return whether a cluster does without a point: its ends are hardly less certain."""
    if len(others) < SMALLEST_CLUSTER:
        return False
    every = np.sort(np.append(others, i))
    return all(gain(template[others], x) <= _WORSE * gain(template[every], x) for x in ends)
