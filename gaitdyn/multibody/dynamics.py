"""Mass matrix, velocity and gravity terms, inverse and forward dynamics, energy.

The Jacobian form (Wieber 2006, "Some comments on the structure of the dynamics of articulated
motion"): with the Jacobians of the centres of mass ``Jc`` and of the rotations ``Jw``,

    M = sum Jc^T m Jc + Jw^T I Jw,    I = R I_body R^T
    c = sum Jc^T m ac + Jw^T (I aw + w x I w)
    g = sum Jc^T m gravity

with the bias accelerations ``ac`` and ``aw``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.core.rotations import cross, rotate, rotate_back
from gaitdyn.errors import TreeRefused
from gaitdyn.multibody.causes import Terms
from gaitdyn.multibody.contact import AppliedWrench, applied
from gaitdyn.multibody.state import State, centres

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.multibody.tree import Tree
    from gaitdyn.types.arrays import Array


_FRAMES = 200  # frames per block: the arrays of all bodies stay in the cache


class Matrices(NamedTuple):
    """M (n, nv, nv), c (n, nv) and g (n, nv) of ``M qdd + c = tau + g + J^T w``."""

    M: Array
    c: Array
    g: Array


class Energy(NamedTuple):
    """Kinetic and potential energy of every frame, shape (n,), J."""

    kinetic: Array
    potential: Array

    @property
    def total(self) -> Array:
        """Their sum, J."""
        return self.kinetic + self.potential


def matrices(tree: Tree, state: State) -> Matrices:
    """Return mass matrix, velocity terms and gravity terms.

    Returns
    -------
    Matrices
        In SI units of the generalised velocities: kg, kg m, kg m2; N, N m.
    """
    n, nv = len(state.p), tree.nv
    if n <= _FRAMES:
        return _matrices(tree, state)
    M, c, g = np.empty((n, nv, nv)), np.empty((n, nv)), np.empty((n, nv))
    for start in range(0, n, _FRAMES):
        part = slice(start, start + _FRAMES)
        M[part], c[part], g[part] = _matrices(tree, state.part(part))
    return Matrices(M, c, g)


def _matrices(tree: Tree, state: State) -> Matrices:
    n, rows, nv = len(state.p), 3 * len(tree.bodies), tree.nv
    centre = centres(tree, state)
    inertia = state.R @ tree.inertias @ np.swapaxes(state.R, -1, -2)
    momentum = rotate(inertia, state.w)
    thrust = tree.masses[:, None] * centre.bias
    moment = rotate(inertia, state.aw) + cross(state.w, momentum)
    weight = tree.masses[:, None] * tree.gravity
    linear = centre.J.reshape(n, rows, nv)
    angular = state.Jw.reshape(n, rows, nv)
    heavy = np.repeat(tree.masses, 3)[:, None] * linear
    turning = (inertia @ state.Jw).reshape(n, rows, nv)
    M = np.swapaxes(linear, 1, 2) @ heavy + np.swapaxes(angular, 1, 2) @ turning
    c = _transposed(linear, thrust.reshape(n, rows)) + _transposed(angular, moment.reshape(n, rows))
    g = _transposed(linear, np.broadcast_to(weight.reshape(-1), (n, weight.size)))
    return Matrices(0.5 * (M + np.swapaxes(M, 1, 2)), c, g)


def _transposed(J: Array, f: Array) -> Array:
    return (f[:, None, :] @ J)[:, 0]


def energy(tree: Tree, state: State) -> Energy:
    """Return kinetic energy, and potential energy that is zero at the world's origin."""
    centre = centres(tree, state)
    spin = rotate_back(state.R, state.w)
    kinetic = 0.5 * np.einsum("b,nbi,nbi->n", tree.masses, centre.v, centre.v)
    kinetic = kinetic + 0.5 * np.einsum("nbi,bij,nbj->n", spin, tree.inertias, spin)
    return Energy(kinetic, -np.einsum("b,nbi,i->n", tree.masses, centre.x, tree.gravity))


def inverse(tree: Tree, state: State, a: Array, contacts: Sequence[AppliedWrench] = ()) -> Terms:
    """Return the generalised forces that a motion needs, split by cause.

    For a free root the first six of ``tau`` are the residual: the wrench that no joint provides.

    Parameters
    ----------
    tree : Tree
    state : State
    a : array, shape (n, nv)
        Generalised accelerations.
    contacts : sequence of AppliedWrench
    """
    M, c, g = matrices(tree, state)
    outside = applied(tree, state, contacts)
    return Terms(M=np.einsum("nij,nj->ni", M, np.broadcast_to(a, c.shape)), C=c, G=-g, E=-outside)


def forward(tree: Tree, state: State, tau: Array, contacts: Sequence[AppliedWrench] = ()) -> Array:
    """Return the accelerations that joint forces and moments cause, shape (n, nv).

    Parameters
    ----------
    tree : Tree
    state : State
    tau : array, shape (n, nv)
    contacts : sequence of AppliedWrench

    Raises
    ------
    TreeRefused
        If the mass matrix is singular, for example with massless bodies between parallel axes.
    """
    M, c, g = matrices(tree, state)
    load = tau + g - c + applied(tree, state, contacts)
    try:
        return np.asarray(np.linalg.solve(M, load[..., None])[..., 0], dtype=np.float64)
    except np.linalg.LinAlgError as error:
        message = "the mass matrix is singular: a joint moves no mass in this posture"
        raise TreeRefused(message) from error
