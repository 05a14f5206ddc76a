"""Forces and moments in the joints of a tree, from free bodies, from the tips inwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gaitdyn.core.rotations import cross, rotate
from gaitdyn.multibody.contact import AppliedWrench, on_body
from gaitdyn.multibody.state import State, centres
from gaitdyn.multibody.tree import Tree
from gaitdyn.types.arrays import Array


class Wrenches(NamedTuple):
    """Force (N) and moment (N m) of the parent on each body, about the body's origin.

    Both have shape (n, bodies, 3), in the world's axes. The moment includes the actuator moment of
    the joint as well as its reaction moment.
    """

    force: Array
    moment: Array


def joint_wrenches(
    tree: Tree, state: State, qdd: Array, contacts: Sequence[AppliedWrench] = ()
) -> Wrenches:
    """Return the joint wrenches of a motion, from the Newton-Euler equations of every body.

    For the free body b, the wrench of its joint minus those of its children's joints, plus weight
    and contacts, equals ``m a`` and ``I alpha + w x I w``.

    Parameters
    ----------
    tree : Tree
    state : State
    qdd : array, shape (n, nv)
        Generalised accelerations.
    contacts : sequence of AppliedWrench
        Known external forces, including those of a cut joint.
    """
    centre = centres(tree, state)
    a = np.einsum("nbik,nk->nbi", centre.J, qdd) + centre.bias
    alpha = np.einsum("nbik,nk->nbi", state.Jw, qdd) + state.aw
    inertia = state.R @ tree.inertias @ np.swapaxes(state.R, -1, -2)
    force = tree.masses[:, None] * (a - tree.gravity)
    moment = rotate(inertia, alpha) + cross(state.w, rotate(inertia, state.w))
    moment = moment + cross(rotate(state.R, tree.coms), force)
    for contact in contacts:
        b, contact_force, contact_moment = on_body(tree, state, contact)
        force[:, b] -= contact_force
        moment[:, b] -= contact_moment
    for b in range(len(tree.bodies) - 1, 0, -1):
        h = tree.parents[b]
        if h >= 0:
            arm = state.p[:, b] - state.p[:, h]
            force[:, h] += force[:, b]
            moment[:, h] += moment[:, b] + cross(arm, force[:, b])
    return Wrenches(force, moment)
