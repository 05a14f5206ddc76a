"""Poses of segments filtered: the nine entries of each rotation by the spline, then square again."""

from __future__ import annotations

import numpy as np

from gaitdyn.clean.smoothing import Filter, smooth
from gaitdyn.core.runs import known_points
from gaitdyn.types.arrays import Array, Mask


def nearest_rotations(M: Array) -> Array:
    """Return the rotation nearest to each matrix in the sum of squares, shape (..., 3, 3).

    ``R = U diag(1, 1, det(U V')) V'`` with ``M = U S V'`` (Higham 1989, Matrix nearness problems
    and applications; Kabsch 1976, Acta Cryst A32:922). NaN stays where it is.

    Parameters
    ----------
    M : array, shape (..., 3, 3)
    """
    known = known_points(M.reshape(-1, 9))
    R = np.full((known.size, 3, 3), np.nan)
    U, _, Vt = np.linalg.svd(M.reshape(-1, 3, 3)[known])
    U[..., 2] *= np.sign(np.linalg.det(U @ Vt))[:, None]
    R[known] = U @ Vt
    return R.reshape(M.shape)


def smooth_poses(R: Array, origin: Array, how: Filter) -> tuple[Array, Array, Mask]:
    """Return filtered poses with short gaps filled, as markers are.

    Each entry of R is filtered like a coordinate; that is the filter of points fixed in the
    segment, whose mean is the origin and whose best rigid fit is the nearest rotation. Nothing is
    filled before the first and behind the last known pose.

    Parameters
    ----------
    R : array, shape (n, s, 3, 3)
        NaN where a pose is not known.
    origin : array, shape (n, s, 3)
        m.
    how : Filter

    Returns
    -------
    R : array, shape (n, s, 3, 3)
    origin : array, shape (n, s, 3)
    filled : array of bool, shape (n, s)
    """
    n, s = origin.shape[:2]
    entries = np.concatenate((R.reshape(n, s, 9), origin), axis=2)
    value, filled = smooth(entries, how)
    return nearest_rotations(value[..., :9].reshape(n, s, 3, 3)), value[..., 9:], filled
