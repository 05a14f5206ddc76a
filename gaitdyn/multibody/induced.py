"""Induced accelerations: the shares of gravity, the velocity terms and every joint's moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.errors import TreeRefused
from gaitdyn.multibody.constraint import Constrained, Redundant, Saddle
from gaitdyn.multibody.contact import AppliedWrench, Support, applied, support_rows
from gaitdyn.multibody.dynamics import matrices
from gaitdyn.multibody.state import State, com

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.multibody.tree import Tree
    from gaitdyn.types.arrays import Array


class Induced(NamedTuple):
    """Share of one source: qdd (n, nv), a_com of the centre of mass (n, 3), wrench w (n, k)."""

    qdd: Array
    a_com: Array
    w: Array


def supported(
    tree: Tree,
    state: State,
    tau: object,
    contacts: Sequence[AppliedWrench | Support],
    redundant: Redundant = "warn",
) -> Constrained:
    """Return the accelerations of a tree on supports, and the wrenches at the supports.

    Parameters
    ----------
    tree : Tree
    state : State
    tau : array_like, shape (n, nv)
    contacts : sequence of AppliedWrench and Support
        Known forces, and points held by the world.
    redundant : {"warn", "allow", "refuse"}
        As in :func:`.constraint.kkt`.

    Returns
    -------
    Constrained
        The wrenches in the order of the supports, world axes at the held point: three numbers
        per point, six per surface.
    """  # fmt: skip
    known, supports = _split(contacts)
    rows = support_rows(tree, state, supports)
    M, c, g = matrices(tree, state)
    load = tree.frames("tau", tau, tree.nv, len(c)) + g - c + applied(tree, state, known)
    return Saddle(M, rows.J, redundant).solve(load, rows.gamma)


def induced(
    tree: Tree,
    state: State,
    tau: object,
    contacts: Sequence[AppliedWrench | Support] = (),
    redundant: Redundant = "warn",
) -> dict[str, Induced]:
    """Return the contribution of each source; the contributions add up to the motion.

    Zajac and Gordon (1989, Exerc Sport Sci Rev 17:187-230): the equations are linear in gravity,
    in the velocity terms and in every moment, so each is solved alone with the same supports.

    Parameters
    ----------
    tree : Tree
    state : State
    tau : array_like, shape (n, nv)
    contacts : sequence of AppliedWrench and Support
    redundant : {"warn", "allow", "refuse"}
        As in :func:`.constraint.kkt`.

    Returns
    -------
    dict
        ``"gravity"``, ``"velocity"``, then each moving joint by its body's name, with all
        components of its moment together, then each known contact as ``"contact BODY"``.
    """  # fmt: skip
    known, supports = _split(contacts)
    rows = support_rows(tree, state, supports)
    M, c, g = matrices(tree, state)
    saddle, centre = Saddle(M, rows.J, redundant), com(tree, state)
    still = np.zeros_like(rows.gamma)
    out: dict[str, Induced] = {}

    def share(source: str, load: Array, gamma: Array, bias: Array | float) -> None:
        if source in out:
            raise TreeRefused(f"two sources are called {source}")
        qdd, w = saddle.solve(load, gamma)
        out[source] = Induced(qdd, np.einsum("nij,nj->ni", centre.J, qdd) + bias, w)

    share("gravity", g, still, 0.0)
    share("velocity", -c, rows.gamma, centre.bias)
    moments = tree.frames("tau", tau, tree.nv, len(c))
    for body, columns in zip(tree.bodies, tree.v_at, strict=True):
        if columns.stop > columns.start:
            load = np.zeros_like(c)
            load[:, columns] = moments[:, columns]
            share(body.name, load, still, 0.0)
    for name, group in _by_body(known).items():
        share(f"contact {name}", applied(tree, state, group), still, 0.0)
    return out


def _split(
    contacts: Sequence[AppliedWrench | Support],
) -> tuple[list[AppliedWrench], list[Support]]:
    known = [contact for contact in contacts if isinstance(contact, AppliedWrench)]
    return known, [contact for contact in contacts if isinstance(contact, Support)]


def _by_body(contacts: Sequence[AppliedWrench]) -> dict[str, list[AppliedWrench]]:
    groups: dict[str, list[AppliedWrench]] = {}
    for contact in contacts:
        groups.setdefault(contact.body, []).append(contact)
    return groups
