"""Trees with a free root: actuated coordinates, and the centre of mass as a coordinate."""

from __future__ import annotations

import numpy as np

from gaitdyn.errors import TreeRefused
from gaitdyn.multibody.dynamics import Matrices, matrices
from gaitdyn.multibody.state import State, com
from gaitdyn.multibody.tree import Tree
from gaitdyn.types.arrays import Array


def driven(tree: Tree) -> Array:
    """Return S (na, nv), which selects the coordinates driven by joints: ``tau = S^T u``.

    The coordinates of free joints are left out. With a free root first, ``S = [0 1]``.

    Parameters
    ----------
    tree : Tree
    """
    keep = np.ones(tree.nv, dtype=bool)
    for body, columns in zip(tree.bodies, tree.v_at, strict=True):
        keep[columns] = body.joint != "free"
    return np.eye(tree.nv)[keep]


def residual(tree: Tree, tau: Array) -> Array:
    """Return the part of ``tau`` that no joint provides: the free root's force and moment.

    Parameters
    ----------
    tree : Tree
    tau : array, shape (n, nv)

    Returns
    -------
    array, shape (n, 6)
        Force in the world's axes, N, and moment about the root's origin in the root's axes, N m.
        Zero if the masses, the motion and the external forces are consistent.
    """
    return np.asarray(tau, dtype=float)[:, tree.v_at[_root(tree)]]


def com_coordinates(tree: Tree, state: State) -> Matrices:
    """Return M, c and g with the root's linear velocity replaced by that of the centre of mass.

    The new velocities are ``v' = A v`` with the Jacobian of the centre of mass in the first three
    rows of A; M' = A^-T M A^-1. Then ``g' = (m gravity, 0)``, and M' does not couple the centre of
    mass with any other coordinate.

    Parameters
    ----------
    tree : Tree
        With a free first body.
    state : State
    """
    if _root(tree) != 0:
        raise TreeRefused("the free body must be the first of the tree")
    M, c, g = matrices(tree, state)
    centre = com(tree, state)
    A = np.tile(np.eye(tree.nv), (len(M), 1, 1))
    A[:, :3] = centre.J
    inverse = np.linalg.inv(A)
    moving = np.zeros_like(c)
    moving[:, :3] = centre.bias
    turned = c - np.einsum("nij,njk,nk->ni", M, inverse, moving)
    return Matrices(
        np.swapaxes(inverse, 1, 2) @ M @ inverse,
        np.einsum("nji,nj->ni", inverse, turned),
        np.einsum("nji,nj->ni", inverse, g),
    )


def _root(tree: Tree) -> int:
    free = [number for number, body in enumerate(tree.bodies) if body.joint == "free"]
    if len(free) != 1:
        raise TreeRefused(f"the tree has {len(free)} free bodies, wanted one")
    return free[0]
