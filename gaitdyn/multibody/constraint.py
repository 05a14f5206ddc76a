"""Motion under constraints: multipliers, independent coordinates, loops closed by Newton's method.

Constraints are rows ``J qdd = gamma``, with ``gamma = -Jdot v``; they act as ``J^T w``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from gaitdyn.errors import ConstraintRefused, SingularPosture, TreeRefused, WrongBranch
from gaitdyn.types.arrays import Array

Redundant = Literal["warn", "allow", "refuse"]
SINGULAR = 1e-5
"""Smallest over largest singular value below which a Jacobian counts as singular."""
_RANK = 1e-10
_CONTRADICTION = 1e-6
_GAP = 1e-13
_NEARLY = 1e-6
_STEPS = 60
_HALVINGS = 25


class RedundantContacts(UserWarning):
    """Several sets of wrenches give the same motion; the smallest was returned."""


class Constrained(NamedTuple):
    """Accelerations (n, nv) and multipliers (n, k), the wrenches of the constraints."""

    qdd: Array
    w: Array


class Reduced(NamedTuple):
    """Equations of the independent coordinates ``u``: ``M udd + h = [1 B^T] (tau + g)``.

    M (n, k, k), h (n, k); dependent velocities ``vd = B ud`` with B (n, m, k) and accelerations
    ``vdd = B udd + b`` with b (n, m).
    """

    M: Array
    h: Array
    B: Array
    b: Array


class Saddle:
    """The saddle-point matrix of M and J, ready for any number of right-hand sides.

    With ``A = J M^-1 J^T`` the multipliers are ``w = A^+ (gamma - J M^-1 rhs)``. ``A^+`` is the
    pseudo-inverse: if rows of J depend on each other, w has the least Euclidean norm, and the
    accelerations are still unique.

    Parameters
    ----------
    M : array, shape (n, nv, nv)
    J : array, shape (n, k, nv)
    redundant : {"warn", "allow", "refuse"}
        What to do if rows of J depend on each other.
    """

    def __init__(self, M: Array, J: Array, redundant: Redundant = "warn") -> None:
        self.J = J
        try:
            self.inverse = np.linalg.inv(M)
        except np.linalg.LinAlgError as error:
            raise TreeRefused("the mass matrix is singular in this posture") from error
        A = J @ self.inverse @ np.swapaxes(J, 1, 2)
        A = 0.5 * (A + np.swapaxes(A, 1, 2))
        finite = np.isfinite(A).all(axis=(1, 2))
        A[~finite] = np.eye(A.shape[1])
        values, self.vectors = np.linalg.eigh(A)
        self.regular = values > _RANK * np.max(values, axis=1, initial=0.0, keepdims=True)
        self.over = np.where(self.regular, 1.0 / np.where(self.regular, values, 1.0), 0.0)
        self.over[~finite] = np.nan
        if not self.regular.all():
            _report_redundant(int((~self.regular).sum(axis=1).max()), J.shape[1], redundant)

    def solve(self, rhs: Array, gamma: Array) -> Constrained:
        """Return accelerations and multipliers of ``M qdd = rhs + J^T w``, ``J qdd = gamma``.

        Parameters
        ----------
        rhs : array, shape (n, nv)
        gamma : array, shape (n, k)

        Raises
        ------
        ConstraintRefused
            If rows that depend on each other require different accelerations.
        """
        free = np.einsum("nij,nj->ni", self.inverse, rhs)
        missing = gamma - np.einsum("nki,ni->nk", self.J, free)
        parts = np.einsum("nkj,nk->nj", self.vectors, missing)
        left = np.where(self.regular, 0.0, np.abs(parts)).max(axis=1, initial=0.0)
        scale = 1.0 + np.abs(missing).max(axis=1, initial=0.0)
        if (left > _CONTRADICTION * scale).any():
            frame = int(np.argmax(left / scale))
            raise ConstraintRefused(
                f"the constraints contradict each other in frame {frame}: rows that depend on"
                f" each other require accelerations that differ by {left[frame]:.3g}"
            )
        w = np.einsum("nkj,nj->nk", self.vectors, self.over * parts)
        push = np.einsum("nki,nk->ni", self.J, w)
        return Constrained(free + np.einsum("nij,nj->ni", self.inverse, push), w)


def _report_redundant(lost: int, rows: int, redundant: Redundant) -> None:
    message = (
        f"{lost} of {rows} constraint rows depend on others: the wrench of least norm is returned"
    )
    if redundant == "refuse":
        raise ConstraintRefused(message.split(":", maxsplit=1)[0])
    if redundant == "warn":
        warnings.warn(message, RedundantContacts, stacklevel=4)


def kkt(M: Array, rhs: Array, J: Array, gamma: Array, redundant: Redundant = "warn") -> Constrained:
    """Return accelerations and multipliers of ``M qdd = rhs + J^T w`` with ``J qdd = gamma``.

    Parameters
    ----------
    M : array, shape (n, nv, nv)
    rhs : array, shape (n, nv)
        ``tau + g - c``.
    J : array, shape (n, k, nv)
    gamma : array, shape (n, k)
    redundant : {"warn", "allow", "refuse"}
        What to do if rows of J depend on each other. The multipliers of least Euclidean norm are
        returned then; for rows of both forces and moments this norm depends on the units.

    Examples
    --------
    Two supports under one weight share it; the warning that this is not unique is switched off.

    >>> one = np.ones((1, 1, 1))
    >>> both = np.ones((1, 2, 1))
    >>> weight, still = np.array([[-10.0]]), np.zeros((1, 2))
    >>> kkt(one, weight, both, still, redundant="allow").w.round(9)
    array([[5., 5.]])
    """
    return Saddle(M, J, redundant).solve(rhs, gamma)


def invert(J: Array, problem: str) -> Array:
    """Return the inverses of square Jacobians.

    Parameters
    ----------
    J : array, shape (n, k, k)
    problem : str
        Start of the message for a singular Jacobian: ``"the loop is at a dead centre"``.

    Raises
    ------
    SingularPosture
        If the smallest singular value is below 1e-5 of the largest.
    """
    values = np.linalg.svd(J, compute_uv=False)
    bad = values[:, -1] <= SINGULAR * values[:, 0]
    if bad.any():
        frame = int(np.flatnonzero(bad)[0])
        message = f"{problem} in frame {frame}: its Jacobian has the singular values "
        raise SingularPosture(message + ", ".join(f"{value:.3g}" for value in values[frame]))
    return np.asarray(np.linalg.inv(J), dtype=np.float64)


def reduce(M: Array, c: Array, Ju: Array, Jv: Array, gamma: Array) -> Reduced:
    """Return the equations of the independent coordinates (Wehage and Haug 1982).

    Parameters
    ----------
    M : array, shape (n, k + m, k + m)
        Independent coordinates u first, then the dependent ones v.
    c : array, shape (n, k + m)
    Ju, Jv : arrays, shapes (n, m, k), (n, m, m)
        ``Ju ud + Jv vd = 0``.
    gamma : array, shape (n, m)
        ``Ju udd + Jv vdd = gamma``.

    Raises
    ------
    SingularPosture
        At a dead centre, where Jv is singular.
    """
    inverse = invert(Jv, "the dependent coordinates cannot follow (dead centre)")
    B = -inverse @ Ju
    b = np.einsum("nij,nj->ni", inverse, gamma)
    n, k = len(M), Ju.shape[2]
    J = np.concatenate((np.broadcast_to(np.eye(k), (n, k, k)), B), axis=1)
    full = c + np.einsum("nij,nj->ni", M[:, :, k:], b)
    return Reduced(np.swapaxes(J, 1, 2) @ M @ J, np.einsum("nik,ni->nk", J, full), B, b)


def close(
    h: Callable[[Array, Array], tuple[Array, Array]], u: Array, v0: Array, branch: int = 0
) -> Array:
    """Return the dependent coordinates that close a loop, by Newton's method with halved steps.

    Parameters
    ----------
    h : callable
        ``h(u, v)`` returns the gap, shape (n, m), and its derivative by v, shape (n, m, m).
    u : array, shape (n, k)
    v0 : array, shape (n, m)
        Start: the loop closes on the branch nearest to it.
    branch : {-1, 0, +1}
        Sign that the determinant of the derivative must have at the end; 0 accepts either.

    Returns
    -------
    array, shape (n, m)

    Raises
    ------
    SingularPosture
        If the loop closes at a dead centre.
    WrongBranch
        If it closes on the other branch.
    ConstraintRefused
        If it does not close from this start.
    """
    v = np.array(v0, dtype=float)
    gap, slope = h(u, v)
    for _ in range(_STEPS):
        size = np.abs(gap).max(axis=1)
        wide = size > _GAP
        if not wide.any():
            break
        step = np.zeros_like(v)
        try:
            inverse = invert(slope[wide], "the loop is at a dead centre")
        except SingularPosture:
            _refuse_open(gap, u, _NEARLY)  # at the narrowest gap the slope is singular too
            raise
        step[wide] = np.einsum("nij,nj->ni", inverse, gap[wide])
        v, gap, slope = _shortened(h, u, v, step, size)
    _refuse_open(gap, u, 10.0 * _GAP)
    # near a dead centre a rounding error in the gap costs many digits of v: step again if it helps
    step = np.einsum("nij,nj->ni", invert(slope, "the loop is at a dead centre"), gap)
    nearer = np.abs(h(u, v - step)[0]).max(axis=1) < np.abs(gap).max(axis=1)
    v = np.where(nearer[:, None], v - step, v)
    on_other_branch = np.sign(np.linalg.det(slope)) == -branch
    if branch and on_other_branch.any():
        frame = int(np.flatnonzero(on_other_branch)[0])
        raise WrongBranch(
            f"the loop closes on the other branch in frame {frame}, at v = {v[frame]};"
            " start nearer to the wanted branch"
        )
    return v


def _refuse_open(gap: Array, u: Array, limit: float) -> None:
    """Raise if a gap is wider than a limit."""
    size = np.abs(gap).max(axis=1)
    frame = int(np.argmax(size))
    if size[frame] > limit:
        raise ConstraintRefused(
            f"the loop does not close in frame {frame}: a gap of {size[frame]:.3g} remains for"
            f" u = {u[frame]}"
        )


def _shortened(
    h: Callable[[Array, Array], tuple[Array, Array]], u: Array, v: Array, step: Array, size: Array
) -> tuple[Array, Array, Array]:
    """Return ``v - step``, halving the steps that would widen the gap, and ``h`` there."""
    length, halvings = np.ones((len(v), 1)), 0
    while True:
        nearer = v - length * step
        gap, slope = h(u, nearer)
        wider = np.abs(gap).max(axis=1) > np.maximum(size, _GAP)
        if halvings == _HALVINGS or not wider.any():
            return nearer, gap, slope
        length[wider] *= 0.5
        halvings += 1
