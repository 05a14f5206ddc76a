"""Forces and moments in the joints of a tree: free bodies, from the outermost inwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.core.rotations import cross, rotate
from gaitdyn.multibody.contact import AppliedWrench, on_body
from gaitdyn.multibody.state import State, centres

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.multibody.tree import Tree
    from gaitdyn.types.arrays import Array


class Wrenches(NamedTuple):
    """Force (N) and moment (N m) of the parent on each body, about the body's origin.

    Both of shape (n, bodies, 3), in the world's axes. The moment holds what the joint's actuator
    gives as well as what the joint withstands.
    """

    force: Array
    moment: Array


def joint_wrenches(
    tree: Tree, state: State, qdd: Array, contacts: Sequence[AppliedWrench] = ()
) -> Wrenches:
    """Return what the joints carry in a motion, by Newton's and Euler's equations of every body.

    The free body of b: what its joint gives, less what the joints of its children take, plus
    weight and contacts, is ``m a`` and ``I alpha + w x I w``.

    Parameters
    ----------
    tree : Tree
    state : State
    qdd : array, shape (n, nv)
        Generalised accelerations.
    contacts : sequence of AppliedWrench
        Known forces from outside; the forces of a cut joint among them.

    Returns
    -------
    Wrenches
    """
    centre = centres(tree, state)
    a = np.einsum("nbik,nk->nbi", centre.J, qdd) + centre.bias
    alpha = np.einsum("nbik,nk->nbi", state.Jw, qdd) + state.aw
    inertia = state.R @ tree.inertias @ np.swapaxes(state.R, -1, -2)
    force = tree.masses[:, None] * (a - tree.gravity)
    moment = rotate(inertia, alpha) + cross(state.w, rotate(inertia, state.w))
    moment = moment + cross(rotate(state.R, tree.coms), force)
    for contact in contacts:
        b, pushed, turned = on_body(tree, state, contact)
        force[:, b] -= pushed
        moment[:, b] -= turned
    for b in range(len(tree.bodies) - 1, 0, -1):
        h = tree.parents[b]
        if h >= 0:
            arm = state.p[:, b] - state.p[:, h]
            force[:, h] += force[:, b]
            moment[:, h] += moment[:, b] + cross(arm, force[:, b])
    return Wrenches(force, moment)
