"""Mass matrix and velocity terms by the recursion of document 003, for any tree.

The semi-explicit Newton-Euler scheme of Fisette and Samin (1996, Arch Appl Mech 66:187-199) as
printed in the documentation of PyMbs. The outward pass collects velocities and the parts of all
accelerations, the inward pass forces and moments; M and C follow with the axes of the joints. This
is a second route in addition to the Jacobians of :mod:`gaitdyn.multibody.dynamics`, vectorised
over the frames.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.core.rotations import cross, rotate, skew
from gaitdyn.multibody.contact import AppliedWrench, on_body
from gaitdyn.multibody.joints import motion, swing
from gaitdyn.multibody.state import cross_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.multibody.tree import Tree
    from gaitdyn.types.arrays import Array


class Recursion(NamedTuple):
    """M (n, nv, nv) and C (n, nv) of ``M qdd + C = tau``; C includes weights and contacts."""

    M: Array
    C: Array


class _Outward(NamedTuple):
    """Results of the outward pass for one body, in the letters of the document.

    R (n, 3, 3); arm from the parent's origin, w, wd, alpha (n, 3); beta (n, 3, 3); Phi and Psi
    (n, 3, k); O and A (n, 3, nv).
    """

    R: Array
    arm: Array
    w: Array
    wd: Array
    alpha: Array
    beta: Array
    Phi: Array
    Psi: Array
    O: Array  # noqa: E741  the document's letter
    A: Array


def recursive(
    tree: Tree,
    q: object,
    v: object,
    contacts: Sequence[AppliedWrench] = (),
    *,
    printed: bool = False,
) -> Recursion:
    """Return M and C by the recursion, ``M qdd + C = tau``.

    In the signs of this package ``C = c - g - J^T w``. A joint of several degrees of freedom has
    several axes; the document puts massless bodies between them, which is equivalent.

    Parameters
    ----------
    tree : Tree
    q, v : array_like, shapes (n, nq), (n, nv)
    contacts : sequence of AppliedWrench
        Known forces, F_ext and L_ext.
    printed : bool
        As printed in the document: O is computed from the axis of translation Psi instead of the
        axis of rotation Phi, and L lacks the body's terms
        ``l x G + I wd + w x I w - L_ext``.

    Examples
    --------
    A level rod of 1 m and 2 kg at rest needs a moment of m g l / 2 to carry its weight.

    >>> from gaitdyn.multibody import Body, Tree
    >>> I = np.diag([0.0, 2.0 / 12.0, 2.0 / 12.0])
    >>> rod = Body("rod", None, "revolute", mass=2.0, com=[0.5, 0.0, 0.0], inertia=I)
    >>> M, C = recursive(Tree([rod], gravity=[0.0, -9.81, 0.0]), [0.0], [0.0])
    >>> M.round(6).tolist(), C.round(6).tolist()
    ([[[0.666667]]], [[9.81]])
    """
    q, v = tree.posture(q, v)
    bodies = _outward(tree, q, v, printed=printed)
    return _inward(tree, q, v, bodies, contacts, printed=printed)


def _outward(tree: Tree, q: Array, v: Array, *, printed: bool) -> list[_Outward]:
    n, nv = len(q), tree.nv
    zeros, still = np.zeros((n, 3, nv)), np.zeros((n, 3))
    world = _Outward(
        np.broadcast_to(np.eye(3), (n, 3, 3)), still, still, still,
        np.broadcast_to(-tree.gravity, (n, 3)), np.zeros((n, 3, 3)), zeros, zeros, zeros, zeros,
    )  # fmt: skip
    out: list[_Outward] = []
    for b, body in enumerate(tree.bodies):
        h, columns = tree.parents[b], tree.v_at[b]
        parent = out[h] if h >= 0 else world
        moved = motion(body.joint, body.axis, q[:, tree.q_at[b]])
        axes, arm = parent.R @ body.R0, parent.R @ body.p
        if moved.shift is not None:
            arm = arm + rotate(axes, moved.shift)
        k = columns.stop - columns.start
        Phi = np.zeros((n, 3, k)) if moved.spin is None else axes @ moved.spin
        Psi = np.zeros((n, 3, k)) if moved.slide is None else axes @ moved.slide
        spin, slide = rotate(Phi, v[:, columns]), rotate(Psi, v[:, columns])
        w = parent.w + spin
        wd = parent.wd + cross(parent.w, spin)
        if (swung := swing(body.joint, q[:, tree.q_at[b]], v[:, columns])) is not None:
            wd = wd + rotate(axes, swung)
        O, A = parent.O.copy(), parent.A + cross_columns(parent.O, arm)  # noqa: E741
        O[..., columns] += Psi if printed else Phi
        A[..., columns] += Psi
        alpha = parent.alpha + rotate(parent.beta, arm) + 2.0 * cross(parent.w, slide)
        R = axes if moved.turn is None else axes @ moved.turn
        out.append(_Outward(R, arm, w, wd, alpha, skew(w) @ skew(w) + skew(wd), Phi, Psi, O, A))
    return out


def _inward(
    tree: Tree,
    q: Array,
    v: Array,
    bodies: list[_Outward],
    contacts: Sequence[AppliedWrench],
    *,
    printed: bool,
) -> Recursion:
    n, nv = len(q), tree.nv
    F, L = np.zeros((2, n, len(bodies), 3))
    FM, LM = np.zeros((2, n, len(bodies), 3, nv))
    for contact in contacts:
        b, force, moment = on_body(tree, tree.state(q, v), contact)
        F[:, b] -= force
        if not printed:
            L[:, b] -= moment
    M, C = np.zeros((n, nv, nv)), np.zeros((n, nv))
    for b in range(len(bodies) - 1, -1, -1):
        columns, body = tree.v_at[b], bodies[b]
        lever = body.R @ tree.coms[b]
        inertia = body.R @ tree.inertias[b] @ np.swapaxes(body.R, 1, 2)
        G = tree.masses[b] * (body.alpha + rotate(body.beta, lever))
        GM = tree.masses[b] * (body.A + cross_columns(body.O, lever))
        F[:, b] += G
        FM[:, b] += GM
        LM[:, b] += skew(lever) @ GM + inertia @ body.O
        if not printed:
            turning = rotate(inertia, body.wd) + cross(body.w, rotate(inertia, body.w))
            L[:, b] += cross(lever, G) + turning
        Psi, Phi = np.swapaxes(body.Psi, 1, 2), np.swapaxes(body.Phi, 1, 2)
        C[:, columns] = rotate(Psi, F[:, b]) + rotate(Phi, L[:, b])
        before = slice(0, columns.stop)  # ancestors and this body; the rest follows by symmetry
        M[:, columns, before] = Psi @ FM[:, b, :, before] + Phi @ LM[:, b, :, before]
        M[:, before, columns] = np.swapaxes(M[:, columns, before], 1, 2)
        h = tree.parents[b]
        if h >= 0:
            F[:, h] += F[:, b]
            FM[:, h] += FM[:, b]
            L[:, h] += L[:, b] + cross(body.arm, F[:, b])
            LM[:, h] += LM[:, b] + skew(body.arm) @ FM[:, b]
    return Recursion(M, C)
