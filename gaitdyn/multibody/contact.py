"""Contacts of a tree with the world: known wrenches, and supports with unknown wrenches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from gaitdyn.core.rotations import cross
from gaitdyn.errors import ArrayShapeError, TreeRefused
from gaitdyn.multibody.state import State, point
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.multibody.tree import Tree


@frozen(eq=False)
class AppliedWrench:
    """A known force and free moment on one body.

    Attributes
    ----------
    body : str
    point : array_like, shape (n, 3) or (3,)
        Point of application, m.
    force : array_like, shape (n, 3) or (3,)
        On the body, world axes, N.
    free_moment : array_like, shape (n, 3) or (3,), optional
        World axes, N m.
    frame : {"world", "body"}
        The axes and origin of ``point``.
    """

    body: str
    point: object
    force: object
    free_moment: object = (0.0, 0.0, 0.0)
    frame: Literal["world", "body"] = "world"


@frozen(eq=False)
class Support:
    """A point of a body that is held by the world, with an unknown wrench.

    Attributes
    ----------
    body : str
    point : array_like, shape (3,)
        In the body's axes, from its origin, m.
    kind : {"surface", "point"}
        A surface also prevents rotation of the body and gives a wrench of six components, forces
        first; a point gives a force.
    name : str
        The body's name if empty.
    """

    body: str
    point: object = (0.0, 0.0, 0.0)
    kind: Literal["surface", "point"] = "surface"
    name: str = ""


class Rows(NamedTuple):
    """Rows of a constraint ``J qdd = gamma``: J (n, k, nv), gamma (n, k)."""

    J: Array
    gamma: Array


def applied(tree: Tree, state: State, contacts: Sequence[AppliedWrench]) -> Array:
    """Return the generalised forces of known contacts, the sum of ``J^T w``, shape (n, nv)."""
    out = np.zeros((len(state.p), tree.nv))
    for contact in contacts:
        b, force, moment = on_body(tree, state, contact)
        out += np.einsum("nik,ni->nk", state.Jp[:, b], force)
        out += np.einsum("nik,ni->nk", state.Jw[:, b], moment)
    return out


def on_body(tree: Tree, state: State, contact: AppliedWrench) -> tuple[int, Array, Array]:
    """Return the body's index, and force and moment about its origin in world axes, (n, 3)."""
    n = len(state.p)
    if contact.body not in tree.index:
        names = ", ".join(tree.index)
        raise TreeRefused(f"no body is called {contact.body!r}, wanted one of {names}")
    if contact.frame not in ("world", "body"):
        raise TreeRefused(f"a contact's frame is {contact.frame!r}, wanted world or body")
    b = tree.index[contact.body]
    force = _frames("force", contact.force, n)
    moment = _frames("free_moment", contact.free_moment, n)
    arm = _frames("point", contact.point, n)
    if contact.frame == "body":
        arm = np.einsum("nij,nj->ni", state.R[:, b], arm)
    else:
        arm = arm - state.p[:, b]
    return b, force, moment + cross(arm, force)


def support_rows(tree: Tree, state: State, supports: Sequence[Support]) -> Rows:
    """Return the constraint rows that keep the supports at rest: ``J qdd = -Jdot v``.

    Parameters
    ----------
    tree : Tree
    state : State
    supports : sequence of Support

    Returns
    -------
    Rows
        Six rows per surface, three per point, in the order given.
    """
    n = len(state.p)
    J, gamma = [np.zeros((n, 0, tree.nv))], [np.zeros((n, 0))]
    for support in supports:
        if support.kind not in ("surface", "point"):
            raise TreeRefused(f"a support is {support.kind!r}, wanted surface or point")
        rows = 6 if support.kind == "surface" else 3
        held = point(tree, state, support.body, support.point)
        J.append(held.J[:, :rows])
        gamma.append(-held.bias[:, :rows])
    return Rows(np.concatenate(J, axis=1), np.concatenate(gamma, axis=1))


def _frames(name: str, value: object, n: int) -> Array:
    array = np.asarray(value, dtype=float)
    if array.shape not in ((3,), (n, 3)):
        message = f"{name} of a contact has shape {array.shape}, wanted (3,) or ({n}, 3)"
        raise ArrayShapeError(message)
    return np.broadcast_to(array, (n, 3))
