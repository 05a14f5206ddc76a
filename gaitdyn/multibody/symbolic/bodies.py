"""Equations of motion as expressions, from bodies and joints: M, h, f, kinematics, Jacobians.

The explicit scheme of document 003 (PyMbs): Newton's and Euler's equations of every body, with
``zd = J qd``, multiplied by ``J^T`` from the left. Velocities are passed from body to body in the
bodies' axes, in which the inertia is constant and expressions stay short.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

import numpy as np

from gaitdyn.multibody.body import Body
from gaitdyn.multibody.symbolic.extra import sympy
from gaitdyn.multibody.symbolic.printed import Functions, short
from gaitdyn.multibody.tree import Tree
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen


@frozen(eq=False)
class SymbolicTree:
    """Equations ``M dqd/dt + h = tau + f`` of a tree, in the letters of document 003.

    Attributes
    ----------
    q, qd : tuple of symbols
        ``q1..`` and ``qd1..``: coordinates and velocities as in :mod:`gaitdyn.multibody.joints`.
    values : mapping of symbol to float
        Masses, lengths and other parameters of the original tree.
    M : sympy matrix, shape (nv, nv)
    h : sympy matrix, shape (nv, 1)
        Velocity terms.
    f : sympy matrix, shape (nv, 1)
        Gravity terms.
    qdot : sympy matrix, shape (nq, 1)
        dq/dt; equal to the velocities except for quaternions.
    frames : mapping of str to (R, r)
        Axes of each body and position of its centre of mass, in the world.
    J_T, J_R : mapping of str to sympy matrix, shape (3, nv)
        ``v = J_T qd`` of the centre of mass in the world's axes, ``omega = J_R qd`` in the body's.
    bias : mapping of str to (linear, angular)
        Accelerations with dqd/dt = 0, of the centre of mass and of the rotation, body's axes.
    """

    q: tuple[Any, ...]
    qd: tuple[Any, ...]
    values: Mapping[Any, float]
    M: Any
    h: Any
    f: Any
    qdot: Any
    frames: Mapping[str, tuple[Any, Any]]
    J_T: Mapping[str, Any]
    J_R: Mapping[str, Any]
    bias: Mapping[str, tuple[Any, Any]]

    def functions(self) -> Functions:
        """Return M, h and f, to be printed as Python, C or LaTeX, or called with numpy."""
        return Functions({"M": self.M, "h": self.h, "f": self.f}, self.q, self.qd, self.values)

    def end(self, body: Body, point: Any, values: dict[Any, float]) -> Any:
        """Return a point, given from the body's origin, relative to its centre of mass, (3, 1).

        Parameters
        ----------
        body : Body
        point : array_like, shape (3,)
            In the body's axes, from its origin, m.
        values : dict
            The symbols ``e1x`` and so on of the coordinates that are not zero are added to it.
        """
        number = list(self.frames).index(body.name) + 1
        names = {str(symbol): symbol for symbol in self.values}
        out = []
        for axis, value, com in zip("xyz", np.asarray(point), body.com, strict=True):
            position = parameter(f"e{number}{axis}", float(value), values, numbers=not self.values)
            out.append(position - names.get(f"c{number}{axis}", _rational(float(com))))
        return sympy().Matrix(out)

    def point(self, body: str, r: tuple[Any, Any, Any]) -> Any:
        """Return the position of a point given from its body's centre of mass, (3, 1)."""
        R, centre = self.frames[body]
        return centre + R * sympy().Matrix(r)


def parameter(name: str, value: float, values: dict[Any, float], *, numbers: bool) -> Any:
    """Return the symbol of a number and add its value to ``values``.

    Zero is returned as a number, and so is every value with ``numbers``.
    """
    if value == 0.0 or numbers:
        return _rational(value)
    symbol = sympy().Symbol(name, real=True)
    values[symbol] = value
    return symbol


class _BodyMotion(NamedTuple):
    """The motion that a body passes on to its children, in its axes; of its origin."""

    R: Any
    p: Any
    v: Any
    w: Any
    a: Any
    alpha: Any


def symbolic_tree(
    tree: Tree, *, numbers: bool = False, simplify: Callable[[Any], Any] | None = None
) -> SymbolicTree:
    """Return the equations of a tree as expressions.

    Every number of the tree that is not zero becomes a symbol: masses ``m1``, centres of mass
    ``c1x``, inertias ``I1xx``, positions of joints ``p1x``, gravity ``g`` (one direction) or
    ``gx gy gz``, with the number of the body counted from 1. Axes and ``R0`` stay numbers.

    Parameters
    ----------
    tree : Tree
    numbers : bool
        Keep all numbers as numbers.
    simplify : callable, optional
        Simplifies an expression; :func:`gaitdyn.multibody.symbolic.printed.short` if not given. The
        identity is much faster for large trees.

    Raises
    ------
    ExtraMissing
        If sympy is not installed.
    """
    sp = sympy()
    q = tuple(sp.Symbol(f"q{i + 1}", real=True) for i in range(tree.nq))
    qd = tuple(sp.Symbol(f"qd{i + 1}", real=True) for i in range(tree.nv))
    names = _Names(numbers=numbers)
    gravity = names.gravity(tree.gravity)
    still = sp.zeros(3, 1)
    world = _BodyMotion(sp.eye(3), still, sp.zeros(3, tree.nv), sp.zeros(3, tree.nv), still, still)
    motions: list[_BodyMotion] = []
    M, h, f = sp.zeros(tree.nv), sp.zeros(tree.nv, 1), sp.zeros(tree.nv, 1)
    frames, J_T, J_R, bias = {}, {}, {}, {}
    speeds, shorter = sp.Matrix(qd), simplify or short
    for b, body in enumerate(tree.bodies):
        parent = world if tree.parents[b] < 0 else motions[tree.parents[b]]
        moved = _moved(body, names, b + 1, parent, (q[tree.q_at[b]], tree.v_at[b]), speeds)
        moved = moved._replace(R=moved.R.applyfunc(shorter), v=moved.v.applyfunc(shorter))
        motions.append(moved)
        mass, com, inertia = names.body(body, b + 1)
        lever = com.hat()
        omega = moved.w * speeds
        v = (moved.v - lever * moved.w).applyfunc(shorter)
        a = moved.a + moved.alpha.cross(com) + omega.cross(omega.cross(com))
        for i, j in combinations_with_replacement(range(tree.nv), 2):
            M[i, j] += mass * shorter(v[:, i].dot(v[:, j]))
            M[i, j] += (moved.w[:, i].T * inertia * moved.w[:, j])[0]
        turn = inertia * moved.alpha + omega.cross(inertia * omega)
        h += mass * v.T * a + moved.w.T * turn
        f += mass * v.T * (moved.R.T * gravity)
        frames[body.name] = (moved.R, moved.p + moved.R * com)
        J_T[body.name], J_R[body.name] = moved.R * v, moved.w
        bias[body.name] = (a, moved.alpha)
    for i, j in combinations_with_replacement(range(tree.nv), 2):
        M[i, j] = M[j, i] = shorter(M[i, j])
    f = f.applyfunc(shorter)
    plain = tree.nq == tree.nv
    h = _christoffel(M, q, qd, shorter) if plain and simplify is None else h.applyfunc(shorter)
    qdot = sp.Matrix(
        [x for b, i, j in zip(tree.bodies, tree.q_at, tree.v_at, strict=True)
         for x in _rates(b, q[i], qd[j])]
    )  # fmt: skip
    return SymbolicTree(q, qd, names.values, M, h, f, qdot, frames, J_T, J_R, bias)


def _christoffel(
    M: Any, q: tuple[Any, ...], qd: tuple[Any, ...], shorter: Callable[[Any], Any]
) -> Any:
    """Return h from a simplified mass matrix: much shorter than h from the accelerations.

    ``h_i = sum_jk 1/2 (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) qd_j qd_k``; the rates are qd.
    """
    sp = sympy()
    h = sp.zeros(len(q), 1)
    for i, j in product(range(len(q)), repeat=2):
        for k in range(j, len(q)):
            whole = M[i, j].diff(q[k]) + M[i, k].diff(q[j]) - M[j, k].diff(q[i])
            h[i] += shorter(whole if j != k else whole / 2) * qd[j] * qd[k]
    return h.applyfunc(sp.factor_terms)


def _moved(
    body: Body,
    names: _Names,
    number: int,
    parent: _BodyMotion,
    coordinates: tuple[tuple[Any, ...], slice],
    speeds: Any,
) -> _BodyMotion:
    """Return the motion of a body from that of its parent and its joint, in its axes."""
    sp = sympy()
    q, rows = coordinates
    qd = [speeds[i] for i in range(rows.start, rows.stop)]
    turn, shift, spin, slide, swung = _joint(body, q, qd)
    R0 = _exact(body.R0)
    arm = names.vector("p", body.p, number) + R0 * shift
    into = (R0 * turn).T
    W, omega = parent.w, parent.w * speeds
    v = into * (parent.v - arm.hat() * W)
    w = into * W
    a = into * (parent.a + parent.alpha.cross(arm) + omega.cross(omega.cross(arm)))
    alpha, carried = into * parent.alpha, into * omega
    turned, slid = sp.zeros(3, 1), sp.zeros(3, 1)
    for k in range(rows.start, rows.stop):
        about, along = turn.T * spin[:, k - rows.start], turn.T * slide[:, k - rows.start]
        w[:, k] += about
        v[:, k] += along
        turned += about * speeds[k]
        slid += along * speeds[k]
    return _BodyMotion(
        parent.R * R0 * turn, parent.p + parent.R * arm, v, w,
        a + 2 * carried.cross(slid), alpha + carried.cross(turned) + turn.T * swung,
    )  # fmt: skip


def _joint(body: Body, q: tuple[Any, ...], qd: list[Any]) -> tuple[Any, Any, Any, Any, Any]:
    """Return turn, shift, axes of spin and slide, and dH/dt qd of a joint, in joint axes."""
    sp = sympy()
    none, still = sp.zeros(3, len(qd)), sp.zeros(3, 1)
    axis = _exact(body.axis)
    if body.joint == "revolute":
        return _about(axis, q[0]), still, axis, none, still
    if body.joint == "prismatic":
        return sp.eye(3), axis * q[0], none, axis, still
    if body.joint == "cardan":
        x, y, z = (sp.eye(3)[:, i] for i in range(3))
        first = _about(x, q[0])
        second = first * _about(y, q[1])
        spin = sp.Matrix.hstack(x, first * y, second * z)
        about_x, about_y, about_z = (spin[:, i] * qd[i] for i in range(3))
        swung = about_x.cross(about_y) + (about_x + about_y).cross(about_z)
        return second * _about(z, q[2]), still, spin, none, swung
    if body.joint in ("ball", "free"):
        S, w = sp.Matrix(q[-4:-1]).hat(), q[-1]
        turn = sp.eye(3) + 2 * (w * S + S * S)
        if body.joint == "ball":
            return turn, still, turn, none, still
        spin, slide = sp.zeros(3, 6), sp.zeros(3, 6)
        spin[:, 3:], slide[:, :3] = turn, sp.eye(3)
        return turn, sp.Matrix(q[:3]), spin, slide, still
    return sp.eye(3), still, none, none, still


def _about(axis: Any, angle: Any) -> Any:
    sp = sympy()
    S = axis.hat()
    return sp.eye(3) + sp.sin(angle) * S + (1 - sp.cos(angle)) * S * S


def _rates(body: Body, q: tuple[Any, ...], qd: tuple[Any, ...]) -> list[Any]:
    """Return dq/dt of one joint."""
    if body.joint not in ("ball", "free"):
        return list(qd)
    sp = sympy()
    vector, scalar, w = sp.Matrix(q[-4:-1]), q[-1], sp.Matrix(qd[-3:])
    turned = (scalar * w + vector.cross(w)) / 2
    return [*qd[:-3], *turned, -vector.dot(w) / 2]


class _Names:
    """Symbols for the parameters of a tree, and their values."""

    def __init__(self, *, numbers: bool) -> None:
        self.numbers = numbers
        self.values: dict[Any, float] = {}

    def symbol(self, name: str, value: float, *, positive: bool = False) -> Any:
        """Return the symbol of a number; the number if it is zero or numbers are wanted."""
        sp = sympy()
        if value == 0.0 or self.numbers:
            return _rational(value)
        symbol = sp.Symbol(name, positive=True) if positive else sp.Symbol(name, real=True)
        self.values[symbol] = float(value)
        return symbol

    def vector(self, letter: str, values: Array, number: int) -> Any:
        """Return a column of symbols."""
        pairs = zip("xyz", values.tolist(), strict=True)
        return sympy().Matrix([self.symbol(f"{letter}{number}{axis}", x) for axis, x in pairs])

    def gravity(self, values: Array) -> Any:
        """Return gravity; ``g`` is its magnitude if it is along one axis."""
        sp = sympy()
        axes = [i for i in range(3) if values[i] != 0.0]
        if len(axes) != 1:
            pairs = zip("xyz", values.tolist(), strict=True)
            return sp.Matrix([self.symbol(f"g{axis}", x) for axis, x in pairs])
        out = sp.zeros(3, 1)
        value = float(values[axes[0]])
        out[axes[0]] = int(np.sign(value)) * self.symbol("g", abs(value), positive=True)
        return out

    def body(self, body: Body, number: int) -> tuple[Any, Any, Any]:
        """Return mass, centre of mass and inertia of a body."""
        sp = sympy()
        mass = self.symbol(f"m{number}", body.mass, positive=True)
        inertia = sp.zeros(3)
        for i in range(3):
            for j in range(i, 3):
                name = f"I{number}{'xyz'[i]}{'xyz'[j]}"
                inertia[i, j] = inertia[j, i] = self.symbol(name, body.inertia[i, j])
        return mass, self.vector("c", body.com, number), inertia


def _exact(values: Array) -> Any:
    rows = np.atleast_2d(np.asarray(values, dtype=float))
    column = np.ndim(values) == 1
    entries = [[_rational(x) for x in row] for row in (rows.T if column else rows).tolist()]
    return sympy().Matrix(entries)


def _rational(value: float) -> Any:
    """Return a sympy number; simple fractions are exact."""
    sp = sympy()
    whole = sp.Rational(value).limit_denominator(64)
    return whole if float(whole) == value else sp.Float(value, 17)
