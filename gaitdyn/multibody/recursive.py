"""Mass matrix and velocity terms by the recursion of document 003, for any tree.

The semi-explicit Newton-Euler scheme of Fisette and Samin (1996, Arch Appl Mech 66:187-199) as
the documentation of PyMbs prints it: out along the tree with velocities and the parts of all
accelerations, back with forces and moments, and M and C from the axes of the joints. A second
route beside the Jacobians of :mod:`gaitdyn.multibody.dynamics`; all frames at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.core.rotations import cross, rotate, skew
from gaitdyn.multibody.contact import on_body
from gaitdyn.multibody.joints import motion, swing
from gaitdyn.multibody.state import cross_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.multibody.contact import AppliedWrench
    from gaitdyn.multibody.tree import Tree
    from gaitdyn.types.arrays import Array


class Recursion(NamedTuple):
    """M (n, nv, nv) and C (n, nv) of ``M qdd + C = tau``: C holds weights and known contacts."""

    M: Array
    C: Array


class _Outward(NamedTuple):
    """A body on the way out, letters of the document: axes of its joint and what it carries on.

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

    In the signs of this package ``C = c - g - J^T w``. A joint of several freedoms has several
    axes; the document puts massless bodies between them, which gives the same.

    Parameters
    ----------
    tree : Tree
    q, v : array_like, shapes (n, nq), (n, nv)
    contacts : sequence of AppliedWrench
        Known forces, F_ext and L_ext.
    printed : bool
        As the document prints it: O is fed with the axis of translation Psi in the place of the
        axis of rotation Phi, and L lacks the body's own terms
        ``l x G + I wd + w x I w - L_ext``.

    Returns
    -------
    Recursion

    Examples
    --------
    A rod of 1 m and 2 kg, level and still: its weight asks for m g l / 2.

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
    none, still = np.zeros((n, 3, nv)), np.zeros((n, 3))
    world = _Outward(
        np.broadcast_to(np.eye(3), (n, 3, 3)), still, still, still,
        np.broadcast_to(-tree.gravity, (n, 3)), np.zeros((n, 3, 3)), none, none, none, none,
    )  # fmt: skip
    out: list[_Outward] = []
    for b, body in enumerate(tree.bodies):
        h, at = tree.parents[b], tree.v_at[b]
        above = out[h] if h >= 0 else world
        moved = motion(body.joint, body.axis, q[:, tree.q_at[b]])
        axes, arm = above.R @ body.R0, above.R @ body.p
        if moved.shift is not None:
            arm = arm + rotate(axes, moved.shift)
        k = at.stop - at.start
        Phi = np.zeros((n, 3, k)) if moved.spin is None else axes @ moved.spin
        Psi = np.zeros((n, 3, k)) if moved.slide is None else axes @ moved.slide
        spin, slide = rotate(Phi, v[:, at]), rotate(Psi, v[:, at])
        w = above.w + spin
        wd = above.wd + cross(above.w, spin)
        swung = swing(body.joint, q[:, tree.q_at[b]], v[:, at])
        if swung is not None:
            wd = wd + rotate(axes, swung)
        O, A = above.O.copy(), above.A + cross_columns(above.O, arm)  # noqa: E741
        O[..., at] += Psi if printed else Phi
        A[..., at] += Psi
        alpha = above.alpha + rotate(above.beta, arm) + 2.0 * cross(above.w, slide)
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
        at, one = tree.v_at[b], bodies[b]
        lever = one.R @ tree.coms[b]
        inertia = one.R @ tree.inertias[b] @ np.swapaxes(one.R, 1, 2)
        G = tree.masses[b] * (one.alpha + rotate(one.beta, lever))
        GM = tree.masses[b] * (one.A + cross_columns(one.O, lever))
        F[:, b] += G
        FM[:, b] += GM
        LM[:, b] += skew(lever) @ GM + inertia @ one.O
        if not printed:
            turning = rotate(inertia, one.wd) + cross(one.w, rotate(inertia, one.w))
            L[:, b] += cross(lever, G) + turning
        Psi, Phi = np.swapaxes(one.Psi, 1, 2), np.swapaxes(one.Phi, 1, 2)
        C[:, at] = rotate(Psi, F[:, b]) + rotate(Phi, L[:, b])
        before = slice(0, at.stop)  # ancestors and itself; the rest by symmetry
        M[:, at, before] = Psi @ FM[:, b, :, before] + Phi @ LM[:, b, :, before]
        M[:, before, at] = np.swapaxes(M[:, at, before], 1, 2)
        h = tree.parents[b]
        if h >= 0:
            F[:, h] += F[:, b]
            FM[:, h] += FM[:, b]
            L[:, h] += L[:, b] + cross(one.arm, F[:, b])
            LM[:, h] += LM[:, b] + skew(one.arm) @ FM[:, b]
    return Recursion(M, C)
