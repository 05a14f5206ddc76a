"""Kinematic loops: an open tree and the condition that closes it.

The coordinates are split into independent ones, ``u``, and dependent ones, ``v``, as in Wehage
and Haug (1982, J Mech Des 104:247-255): ``vd = B ud`` and ``vdd = B udd + b``. A loop can often be
assembled in two ways; the caller chooses one by ``branch``. A loop with a closed form needs nothing
else; any other is closed by Newton's method, which needs a start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitdyn.errors import ConstraintRefused
from gaitdyn.multibody.constraint import Constrained, Reduced, close, invert, kkt, reduce
from gaitdyn.multibody.contact import AppliedWrench
from gaitdyn.multibody.state import State, point
from gaitdyn.multibody.tree import Tree
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.multibody.closed_form import Explicit
    from gaitdyn.multibody.symbolic.bodies import SymbolicTree
    from gaitdyn.multibody.symbolic.independent import SymbolicLoop


class Equations(NamedTuple):
    """The gap h (n, m), its Jacobian J (n, m, nv), and gamma (n, m) of ``J qdd = gamma``."""

    h: Array
    J: Array
    gamma: Array


@frozen(eq=False)
class Pin:
    """A point of one body pinned to a point of another, in the plane of x and y.

    Attributes
    ----------
    first, second : tuple of str and sequence of float
        Body and the point in its axes, m. The gap is the position of the first minus that of the
        second, so the multipliers are the force on the first body.
    """

    first: tuple[str, Sequence[float]]
    second: tuple[str, Sequence[float]]

    def equations(self, tree: Tree, state: State, q: Array) -> Equations:
        """Return gap, Jacobian and right-hand side of both rows."""
        del q
        first, second = (point(tree, state, *end) for end in (self.first, self.second))
        plane = slice(0, 2)
        return Equations(
            (first.x - second.x)[:, plane],
            (first.J - second.J)[:, plane],
            (second.bias - first.bias)[:, plane],
        )

    def expressions(self, tree: Tree, symbols: SymbolicTree) -> tuple[Any, dict[Any, float]]:
        """Return the gap as expressions, shape (2, 1), and the values of its parameters."""
        values: dict[Any, float] = {}
        first, second = (
            symbols.point(body, symbols.end(tree.bodies[tree.index[body]], point, values))
            for body, point in (self.first, self.second)
        )
        return (first - second)[:2, :], values

    def contacts(self, tree: Tree, w: Array) -> tuple[AppliedWrench, ...]:
        """Return the force of the pin on each body, from the multipliers (n, 2), N."""
        del tree
        force = np.pad(w, ((0, 0), (0, 1)))
        return tuple(
            AppliedWrench(body, point, sign * force, frame="body")
            for sign, (body, point) in ((1.0, self.first), (-1.0, self.second))
        )


@frozen(eq=False)
class Gear:
    """A fixed ratio of two angles: ``q[second] - ratio q[first] = 0``."""

    first: int
    second: int
    ratio: float

    def equations(self, tree: Tree, state: State, q: Array) -> Equations:
        """Return gap, Jacobian and right-hand side of the only row."""
        del state
        J = np.zeros((len(q), 1, tree.nv))
        J[:, 0, self.first], J[:, 0, self.second] = -self.ratio, 1.0
        return Equations(np.einsum("nij,nj->ni", J, q), J, np.zeros((len(q), 1)))

    def expressions(self, tree: Tree, symbols: SymbolicTree) -> tuple[Any, dict[Any, float]]:
        """Return the gap as an expression, shape (1, 1), and the value of its parameter."""
        from gaitdyn.multibody.symbolic.bodies import parameter
        from gaitdyn.multibody.symbolic.extra import sympy

        del tree
        values: dict[Any, float] = {}
        ratio = parameter("ratio", self.ratio, values, numbers=not symbols.values)
        return sympy().Matrix([symbols.q[self.second] - ratio * symbols.q[self.first]]), values

    def contacts(self, tree: Tree, w: Array) -> tuple[AppliedWrench, ...]:
        """Return the torques of the gear on both wheels, from the multipliers (n, 1), N m."""
        return tuple(
            AppliedWrench(
                tree.bodies[k].name, np.zeros(3), np.zeros(3), share * w * tree.bodies[k].axis
            )
            for k, share in ((self.first, -self.ratio), (self.second, 1.0))
        )


@frozen(eq=False)
class Loop:
    """An open tree, the condition that closes it, and its independent coordinates.

    Attributes
    ----------
    name : str
    coordinates : tuple of str
        Names of the coordinates, in the order of the tree.
    tree : Tree
        Of revolute and prismatic joints.
    closure : Pin or Gear
    u : int
        Number of independent coordinates, which come first; the others are dependent.
    sense : int
        Sign of ``det(dh/dv)`` on the branch ``branch=1``; 0 if there is only one branch.
    explicit : Explicit, optional
        The closed form of the loop, if it has one.
    """

    name: str
    coordinates: tuple[str, ...]
    tree: Tree
    closure: Pin | Gear
    u: int = 1
    sense: int = 1
    explicit: Explicit | None = None

    def equations(self, q: object, qd: object) -> Equations:
        """Return gap, Jacobian and right-hand side of the closing condition.

        Parameters
        ----------
        q, qd : array_like, shape (n, nv)
        """
        return self._rows(self.tree.state(q, qd), q)

    def _rows(self, state: State, q: object) -> Equations:
        return self.closure.equations(self.tree, state, self.tree.frames("q", q, self.tree.nq))

    def close(self, u: object, v0: object = None, branch: int = 0) -> Array:
        """Return all coordinates with the loop closed, shape (n, nv).

        Parameters
        ----------
        u : array_like, shape (n, k) or (k,)
        v0 : array_like, shape (n, m) or (m,), optional
            Start of the dependent coordinates. The closed form is the start if it is not given.
        branch : {-1, 0, +1}
            The branch that must result, as defined by the function that made the loop; 0 accepts
            the one nearest to ``v0``, or the closed form's +1.

        Raises
        ------
        ConstraintRefused
            As documented in :func:`gaitdyn.multibody.constraint.close`.
        """
        tree = self.tree
        independent = tree.frames("u", u, self.u)
        if v0 is None:
            start = self.dependent(independent, branch or 1)
        else:
            start = tree.frames("v0", v0, tree.nv - self.u)
        start = np.broadcast_to(start, (len(independent), start.shape[1]))

        def h(u: Array, v: Array) -> tuple[Array, Array]:
            q = np.concatenate((u, v), axis=1)
            equations = self.equations(q, np.zeros_like(q))
            return equations.h, equations.J[:, :, self.u :]

        v = close(h, independent, start, branch * self.sense)
        return np.concatenate((independent, v), axis=1)

    def dependent(self, u: Array, branch: int = 1) -> Array:
        """Return v = H(u), shape (n, m), in closed form.

        Parameters
        ----------
        u : array, shape (n, k)
        branch : {-1, +1}

        Raises
        ------
        ConstraintRefused
            If the loop has no closed form, or does not close.
        """
        if self.explicit is None:
            message = f"{self.name} has no closed form: give v0 as the start of Newton's method"
            raise ConstraintRefused(message)
        return self.explicit.dependent(u, branch)

    def fold(self, q: object) -> Array:
        """Return the distance of the loop from a dead centre, shape (n,).

        This is the smallest over the largest singular value of dh/dv, with the sign of its
        determinant: the sign indicates the branch, and zero is the dead centre.
        """
        J = self.equations(q, np.zeros_like(np.asarray(q, dtype=float))).J[:, :, self.u :]
        values = np.linalg.svd(J, compute_uv=False)
        return np.sign(np.linalg.det(J)) * (values[:, -1] / values[:, 0])

    def symbolic(self, *, numbers: bool = False) -> SymbolicLoop:
        """Return the equations of the independent coordinates as expressions.

        Parameters
        ----------
        numbers : bool
            Keep masses and lengths as numbers, not as symbols.
        """
        from gaitdyn.multibody.symbolic.bodies import symbolic_tree
        from gaitdyn.multibody.symbolic.independent import reduced

        tree = symbolic_tree(self.tree, numbers=numbers)
        Phi, values = self.closure.expressions(self.tree, tree)  # noqa: N806
        return reduced(tree, Phi, self.u, values)

    def velocities(self, q: object, ud: object) -> Array:
        """Return all velocities, shape (n, nv), from those of the independent coordinates."""
        coordinates = self.tree.frames("q", q, self.tree.nq)
        independent = self.tree.frames("ud", ud, self.u)
        J = self.equations(coordinates, np.zeros_like(coordinates)).J
        inverse = invert(J[:, :, self.u :], f"{self.name} is at a dead centre")
        v = -np.einsum("nij,njk,nk->ni", inverse, J[:, :, : self.u], independent)
        return np.concatenate((independent, v), axis=1)

    def reduced(self, q: object, qd: object) -> Reduced:
        """Return the equations of the independent coordinates; see :func:`.constraint.reduce`."""
        return self._reduced(q, qd)[0]

    def _reduced(self, q: object, qd: object) -> tuple[Reduced, Array]:
        """Return the equations of the independent coordinates, and gravity on all, (n, nv)."""
        state = self.tree.state(q, qd)
        rows = self._rows(state, q)
        M, c, g = self.tree.dynamics(state)
        return reduce(M, c, rows.J[:, :, : self.u], rows.J[:, :, self.u :], rows.gamma), g

    def forward(self, q: object, qd: object, tau: object) -> Array:
        """Return all accelerations by partitioned coordinates, shape (n, nv).

        Parameters
        ----------
        q, qd : array_like, shape (n, nv)
            With the loop closed.
        tau : array_like, shape (n, nv) or (nv,)
        """
        (M, h, B, b), g = self._reduced(q, qd)
        load = self.tree.frames("tau", tau, self.tree.nv, len(h)) + g
        load = load[:, : self.u] + np.einsum("nik,ni->nk", B, load[:, self.u :]) - h
        udd = np.linalg.solve(M, load[..., None])[..., 0]
        return np.concatenate((udd, np.einsum("nik,nk->ni", B, udd) + b), axis=1)

    def multipliers(self, q: object, qd: object, tau: object) -> Constrained:
        """Return all accelerations and the multipliers, by :func:`.constraint.kkt`."""
        state = self.tree.state(q, qd)
        rows = self._rows(state, q)
        M, c, g = self.tree.dynamics(state)
        return kkt(
            M, self.tree.frames("tau", tau, self.tree.nv, len(c)) + g - c, rows.J, rows.gamma
        )
