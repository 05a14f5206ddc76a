"""The rotation nearest to a matrix, for whole arrays of matrices."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.runs import known_points
from gaitdyn.types.arrays import Array, Mask

_NEXT, _AFTER = [1, 2, 0], [2, 0, 1]
_FEW, _MOST_STEPS, _CONVERGED = 100, 40, 1e-12
"""Matrices up to which decomposing is faster; steps to the root, and the smallest."""

_CLEAR = 1e-4
"""Least ``(s1 + s2)(s2 + s3)(s3 + s1)`` of a matrix of length one that is not decomposed; s are the
singular values, s3 with the sign of the determinant. The error is about 1e-16 of its inverse."""


def nearest_rotations(M: Array) -> Array:
    """Return the rotation nearest to each matrix in the least squares sense, shape (..., 3, 3).

    The optimal matrix of Markley (1993, J Astronaut Sci 41:261-280): the sum of the singular values
    is the largest root of a quartic and gives R. A few matrices, and any that hardly determines its
    rotation, are decomposed: ``R = U diag(1, 1, det(U V)) V`` with ``M = U S V`` (Kabsch 1976, Acta
    Cryst A32:922-923). A matrix with NaN gives NaN.

    Parameters
    ----------
    M : array, shape (..., 3, 3)
    """
    flat = M.reshape(-1, 3, 3)
    rows = np.flatnonzero(known_points(M.reshape(-1, 9)))
    R = np.full(flat.shape, np.nan)
    if len(rows) <= _FEW:
        R[rows] = _decomposed(flat[rows])
        return R.reshape(M.shape)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found, clear = _optimal(np.ascontiguousarray(np.moveaxis(flat[rows], 0, -1)))
    R[rows] = np.moveaxis(found, -1, 0)
    if not clear.all():
        R[rows[~clear]] = _decomposed(flat[rows[~clear]])
    return R.reshape(M.shape)


def _optimal(M: Array) -> tuple[Array, Mask]:
    """Return the rotations nearest to matrices, shape (3, 3, n), and which are accurate, (n,)."""
    B = M / np.sqrt(np.einsum("ijn,ijn->n", M, M))
    adjoint = _cofactors(B)
    det = (B[0] * adjoint[0]).sum(axis=0)
    last = 4.0 * np.einsum("ijn,ijn->n", adjoint, adjoint)
    x = np.full(det.shape, np.sqrt(3.0))  # above the sum of the singular values
    for _ in range(_MOST_STEPS):
        e = x * x - 1.0
        step = (e * e - 8.0 * x * det - last) / (4.0 * x * e - 8.0 * det)
        x -= step
        if not (step > _CONVERGED).any():
            break
    k = 0.5 * (x * x - 1.0)
    gap = k * x - det
    cubed = np.einsum("ijn,jkn->ikn", np.einsum("ijn,kjn->ikn", B, B), B)
    R = ((k + 1.0) * B + x * adjoint - cubed) / gap
    other = _cofactors(R)
    return 0.5 * (R + other / (R[0] * other[0]).sum(axis=0)), gap > _CLEAR  # orthogonal to rounding


def _cofactors(M: Array) -> Array:
    """Return the cofactors of matrices, shape (3, 3, n)."""
    below, above = M[_NEXT], M[_AFTER]
    return below[:, _NEXT] * above[:, _AFTER] - below[:, _AFTER] * above[:, _NEXT]


def _decomposed(M: Array) -> Array:
    U, _, V = np.linalg.svd(M)
    U[..., 2] *= np.sign(np.linalg.det(U @ V))[:, None]
    return U @ V
