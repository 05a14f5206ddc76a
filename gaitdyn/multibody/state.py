"""Positions, velocities and Jacobians of all bodies of a tree, vectorised over the frames.

Everything is in the world's axes. A bias acceleration is the acceleration that remains if all
generalised accelerations are zero, ``Jdot v``.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.core.rotations import cross, rotate, skew
from gaitdyn.errors import ArrayShapeError, TreeRefused
from gaitdyn.multibody.joints import JointMotion, motion, swing
from gaitdyn.types.arrays import Array, locked
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from gaitdyn.multibody.body import Body
    from gaitdyn.multibody.tree import Tree

_SHAPES: dict[str, tuple[int | None, ...]] = {
    "R": (None, None, 3, 3), "Jw": (None, None, 3, None), "Jp": (None, None, 3, None),
}  # fmt: skip
_VECTORS = (None, None, 3)


@frozen(eq=False)
class State:
    """Positions, velocities, bias accelerations and Jacobians of n frames and b bodies.

    Attributes
    ----------
    R : array, shape (n, b, 3, 3)
        The body's axes as columns.
    p, w, v : array, shape (n, b, 3)
        Position of the body's origin, m; angular velocity, rad/s; velocity of the origin, m/s.
    aw, ap : array, shape (n, b, 3)
        Bias of the angular acceleration and of the acceleration of the origin.
    Jw, Jp : array, shape (n, b, 3, nv)
        ``w = Jw qd`` and ``v = Jp qd``.
    """

    R: Array
    p: Array
    w: Array
    v: Array
    aw: Array
    ap: Array
    Jw: Array
    Jp: Array

    def __post_init__(self) -> None:
        """Check and lock the arrays."""
        for name in _NAMES:
            shape = _SHAPES.get(name, _VECTORS)
            object.__setattr__(self, name, locked(name, getattr(self, name), shape))

    def part(self, frames: slice) -> State:
        """Return the state in a range of frames, without copying."""
        return State(*(getattr(self, name)[frames] for name in _NAMES))


_NAMES = tuple(item.name for item in fields(State))


class Point(NamedTuple):
    """Jacobian (n, k, nv), bias acceleration (n, k) and position (n, 3) of a point."""

    J: Array
    bias: Array
    x: Array


def cross_columns(J: Array, r: Array) -> Array:
    """Return ``J_k x r = -S(r) J_k`` for every column, shape of ``J``.

    Parameters
    ----------
    J : array, shape (..., 3, k)
    r : array, shape (..., 3)
    """
    return skew(-r) @ J


def state(tree: Tree, q: Array, v: Array) -> State:
    """Return the state of all bodies, parents first.

    Parameters
    ----------
    tree : Tree
    q : array, shape (n, nq)
    v : array, shape (n, nv)
    """
    n, b = len(q), len(tree.bodies)
    arrays: dict[str, Array] = {name: np.empty((n, b, 3)) for name in _NAMES}
    arrays["R"] = np.empty((n, b, 3, 3))
    arrays["Jw"], arrays["Jp"] = np.zeros((2, n, b, 3, tree.nv))
    work = _Work(arrays, n)
    for number, body in enumerate(tree.bodies):
        moved = motion(body.joint, body.axis, q[:, tree.q_at[number]])
        columns = tree.v_at[number]
        swung = swing(body.joint, q[:, tree.q_at[number]], v[:, columns])
        work.attach(number, tree.parents[number], body, moved, v[:, columns], columns, swung)
    return State(**arrays)


class _Work:
    """The arrays of a state, filled body by body."""

    def __init__(self, arrays: dict[str, Array], n: int) -> None:
        self.arrays = arrays
        self.world = {name: np.zeros((n, 3)) for name in _NAMES}
        self.world["R"] = np.broadcast_to(np.eye(3), (n, 3, 3))

    def of(self, name: str, number: int) -> Array:
        """Return one array of one body; number -1 is the world at rest."""
        return self.world[name] if number < 0 else self.arrays[name][:, number]

    def attach(
        self,
        b: int,
        parent: int,
        body: Body,
        moved: JointMotion,
        rate: Array,
        columns: slice,
        swung: Array | None,
    ) -> None:
        """Fill in body ``b`` by adding the motion of its joint to that of its parent."""
        R, w = self.of("R", parent), self.of("w", parent)
        joint = R @ body.R0
        arm = R @ body.p
        if moved.shift is not None:
            arm = arm + rotate(joint, moved.shift)
        values = {name: self.of(name, parent) for name in ("w", "v", "aw", "ap")}
        values["R"] = joint if moved.turn is None else joint @ moved.turn
        values["p"] = self.of("p", parent) + arm
        angular, linear = self.arrays["Jw"][:, b], self.arrays["Jp"][:, b]
        if parent >= 0:  # the world is at rest
            w_arm = cross(w, arm)
            values["v"] = values["v"] + w_arm
            values["ap"] = values["ap"] + cross(values["aw"], arm) + cross(w, w_arm)
            before = slice(0, columns.start)
            parent_spin = self.arrays["Jw"][:, parent, :, before]
            angular[..., before] = parent_spin
            linear[..., before] = self.arrays["Jp"][:, parent, :, before]
            linear[..., before] += cross_columns(parent_spin, arm)
        if moved.spin is not None:
            angular[..., columns] = joint @ moved.spin
            spin = rotate(angular[..., columns], rate)
            values["w"] = w + spin
            if parent >= 0:
                values["aw"] = values["aw"] + cross(w, spin)
        if swung is not None:
            values["aw"] = values["aw"] + rotate(joint, swung)
        if moved.slide is not None:
            linear[..., columns] = joint @ moved.slide
            slide = rotate(linear[..., columns], rate)
            values["v"] = values["v"] + slide
            if parent >= 0:
                values["ap"] = values["ap"] + 2.0 * cross(w, slide)
        for name, value in values.items():
            self.arrays[name][:, b] = value


def point(tree: Tree, state: State, body: str, r: object) -> Point:
    """Return Jacobian, bias and position of a point that is fixed in a body.

    Parameters
    ----------
    tree : Tree
    state : State
    body : str
        Name of the body.
    r : array_like, shape (3,) or (n, 3)
        The point from the body's origin, in the body's axes, m.

    Returns
    -------
    J : array, shape (n, 6, nv)
        Velocity of the point, then angular velocity of the body, world axes, for unit rates.
    bias : array, shape (n, 6)
        Accelerations of the same if all generalised accelerations are zero.
    x : array, shape (n, 3)
        World, m.
    """
    if body not in tree.index:
        raise TreeRefused(f"no body is called {body!r}, wanted one of {', '.join(tree.index)}")
    b = tree.index[body]
    fixed = np.asarray(r, dtype=float)
    if fixed.shape not in ((3,), (len(state.p), 3)):
        message = f"r of {body} has shape {fixed.shape}, wanted (3,) or ({len(state.p)}, 3)"
        raise ArrayShapeError(message)
    arm = rotate(state.R[:, b], fixed)
    w = state.w[:, b]
    linear = state.Jp[:, b] + cross_columns(state.Jw[:, b], arm)
    bias = state.ap[:, b] + cross(state.aw[:, b], arm) + cross(w, cross(w, arm))
    return Point(
        np.concatenate((linear, state.Jw[:, b]), axis=1),
        np.concatenate((bias, state.aw[:, b]), axis=1),
        state.p[:, b] + arm,
    )


class Centres(NamedTuple):
    """The centres of mass of all bodies: J (n, b, 3, nv), bias, x and velocity (n, b, 3)."""

    J: Array
    bias: Array
    x: Array
    v: Array


def centres(tree: Tree, state: State) -> Centres:
    """Return Jacobians, bias accelerations, positions and velocities of all centres of mass."""
    if not tree.coms.any():  # every body has its origin at its centre of mass
        return Centres(state.Jp, state.ap, state.p, state.v)
    arm = rotate(state.R, tree.coms)
    w_arm = cross(state.w, arm)
    return Centres(
        state.Jp + cross_columns(state.Jw, arm),
        state.ap + cross(state.aw, arm) + cross(state.w, w_arm),
        state.p + arm,
        state.v + w_arm,
    )


def com(tree: Tree, state: State) -> Point:
    """Return Jacobian (n, 3, nv), bias (n, 3) and position (n, 3) of the tree's centre of mass.

    Raises
    ------
    TreeRefused
        If no body has mass.
    """
    total = tree.masses.sum()
    if total == 0.0:
        raise TreeRefused("a tree without mass has no centre of mass")
    share, bodies = tree.masses / total, centres(tree, state)
    return Point(
        np.einsum("b,nbik->nik", share, bodies.J),
        np.einsum("b,nbi->ni", share, bodies.bias),
        np.einsum("b,nbi->ni", share, bodies.x),
    )
