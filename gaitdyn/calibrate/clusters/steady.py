"""Which points of a cluster can be left out, and how much its pose depends on each."""

from __future__ import annotations

import numpy as np

from gaitdyn.calibrate.clusters.hidden_path import LARGEST_SWAY_M
from gaitdyn.core.rigid import SMALLEST_CLUSTER
from gaitdyn.core.runs import known_points
from gaitdyn.types.arrays import Array, Places

LARGEST_GAIN = 2.0
"""Markers that would place another one with more than twice their error do not carry it."""

LARGEST_PART, _RARE, _WORSE = 0.3, 0.5, 1.25
"""A marker missing in more than 0.3 of the frames is left out if no joint becomes more than 1.25
times as uncertain; one missing in more than half of them is always left out."""

_OFF_AXIS = ([1, 2], [0, 2], [0, 1])
_FLAT_M, _TINY_M = 1e-3, 1e-6

LARGEST_TURN = 0.05
"""Largest rotation of a cluster that the error of a carried marker may cause, rad."""


def gain(shape: Array, point: Array) -> float:
    """Return the factor by which a rigid fit multiplies the error of its points at another point.

    ``sqrt((1 + sum_k d_k^2 / f_k^2 / 3) / N)``: d_k is the distance of the point from the k-th
    principal axis of the N points, f_k their root mean square distance from it (Fitzpatrick, West
    and Maurer 1998, IEEE Trans Med Imaging 17:694-702).

    Parameters
    ----------
    shape : array, shape (N, 3)
    point : array, shape (3,)
    """
    centre = shape.mean(axis=0)
    _, _, axes = np.linalg.svd(shape - centre)
    local, target = (shape - centre) @ axes.T, (point - centre) @ axes.T
    sums = [((local[:, k] ** 2).sum(axis=1).mean(), (target[k] ** 2).sum()) for k in _OFF_AXIS]
    if min(f for f, _ in sums) < _FLAT_M**2:
        return np.inf
    return float(np.sqrt((1.0 + sum(d / f for f, d in sums) / 3.0) / len(shape)))


def largest_stray(shape: Array, i: int) -> float:
    """Return the largest error allowed for a carried point, m.

    If only this point determines the rotation of a cluster about the line of the others, its error
    divided by its distance from the line is the rotation, which :data:`LARGEST_TURN` limits.

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
    """Return points whose rigid fit does not jump, without markers that still come and go.

    A frame is left completely empty if it lacks a marker that other frames show. A marker that
    would cost more than :data:`LARGEST_PART` of the frames is left out instead, if the joints that
    the segment carries are hardly less certain without it. One that more than half of the frames
    lack is left out if three others remain.

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
    jumps = (seen.sum(axis=1) >= SMALLEST_CLUSTER) & ~seen[:, seen.any(axis=0)].all(axis=1)
    if not jumps.any():
        return out
    out = out.copy()
    out[jumps] = np.nan
    return out


def _as_good(template: Array, others: Places, i: int, ends: Array) -> bool:
    """Return whether the ends of a cluster are hardly less certain without a point."""
    if len(others) < SMALLEST_CLUSTER:
        return False
    every = np.sort(np.append(others, i))
    return all(gain(template[others], x) <= _WORSE * gain(template[every], x) for x in ends)
