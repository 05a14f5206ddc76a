"""The loops of seed 003 by Kane's method with dependent coordinates: no multipliers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.multibody.symbolic.extra import mechanics, sympy
from gaitdyn.multibody.symbolic.lambdas import batched

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gaitdyn.types.arrays import Array


@dataclass(frozen=True, slots=True, eq=False)
class LoopSystem:
    """Equations ``mass_matrix(q) qdd = forcing(q, qd)`` of a system with closed loops.

    Attributes
    ----------
    q, u : tuple of dynamicsymbols, length n
        Coordinates and speeds, the independent ones first; u = dq/dt.
    independent : int
        How many of them are independent.
    mass_matrix : sympy matrix, shape (n, n)
        Rows of Kane's equations, then of the loops' accelerations.
    forcing : sympy matrix, shape (n, 1)
    loop : sympy matrix
        What is zero where the loops are closed.
    """

    q: tuple[Any, ...]
    u: tuple[Any, ...]
    independent: int
    mass_matrix: Any
    forcing: Any
    loop: Any

    @classmethod
    def from_bodies(
        cls,
        bodies: Sequence[Mapping[str, Any]],
        q: tuple[Sequence[Any], Sequence[Any]],
        u: tuple[Sequence[Any], Sequence[Any]],
        loop: Sequence[Any],
        forces: Sequence[tuple[int, Any]],
    ) -> LoopSystem:
        """Return Kane's equations of planar bodies.

        Parameters
        ----------
        bodies : sequence of mapping
            Each with ``mass``, ``inertia`` (about its centre of mass), ``place`` (of the centre
            of mass, two expressions) and ``angle`` (with the horizontal).
        q, u : (independent, dependent)
            Coordinates and speeds.
        loop : sequence of sympy expressions
            Zero where the loops are closed.
        forces : sequence of (int, expression)
            Index of a body and the torque on it from outside. The weight of every body, along
            -y with the parameter ``g``, is added here.
        """
        sp, me = sympy(), mechanics()
        t = me.dynamicsymbols._t  # noqa: SLF001
        places, speeds = [*q[0], *q[1]], [*u[0], *u[1]]
        known = dict(zip((x.diff(t) for x in places), speeds, strict=True))
        N, origin = me.ReferenceFrame("N"), me.Point("O")
        origin.set_vel(N, 0)
        rigid, loads = [], []
        torques = dict(forces)
        for i, body in enumerate(bodies):
            built = _planar_body(i, body, N, origin, known)
            rigid.append(built)
            weight = -body["mass"] * sp.Symbol("g") * N.y
            loads.append((built.masscenter, weight))
            if i in torques:
                loads.append((built.frame, torques[i] * N.z))
        closed = sp.Matrix(list(loop))
        kane = me.KanesMethod(
            N,
            q_ind=list(q[0]),
            q_dependent=list(q[1]),
            u_ind=list(u[0]),
            u_dependent=list(u[1]),
            kd_eqs=[x.diff(t) - v for x, v in zip(places, speeds, strict=True)],
            configuration_constraints=closed,
            velocity_constraints=me.msubs(closed.diff(t), known),
        )
        kane.kanes_equations(rigid, loads)
        return cls(tuple(places), tuple(speeds), len(u[0]), kane.mass_matrix, kane.forcing, closed)

    def numpy(self) -> Callable[[Array, Array, Mapping[str, float]], Array]:
        """Return ``f(q, qd, parameters)`` that gives qdd, shape (n,) or (T, n)."""
        parts = {"M": self.mass_matrix, "forcing": self.forcing}
        function = batched(parts, self.q, self.u)

        def acceleration(q: Array, qd: Array, parameters: Mapping[str, float]) -> Array:
            values = function(q, qd, parameters)
            found = np.linalg.solve(values["M"], values["forcing"][..., None])[..., 0]
            return np.asarray(found, dtype=np.float64)

        return acceleration


def _planar_body(
    number: int, body: Mapping[str, Any], N: Any, origin: Any, known: Mapping[Any, Any]
) -> Any:
    sp, me = sympy(), mechanics()
    t = me.dynamicsymbols._t  # noqa: SLF001
    frame = N.orientnew(f"A{number}", "Axis", [body["angle"], N.z])
    frame.set_ang_vel(N, me.msubs(sp.sympify(body["angle"]).diff(t), known) * N.z)
    x, y = (sp.sympify(value) for value in body["place"])
    centre = origin.locatenew(f"C{number}", x * N.x + y * N.y)
    centre.set_vel(N, me.msubs(x.diff(t), known) * N.x + me.msubs(y.diff(t), known) * N.y)
    inertia = me.inertia(frame, 0, 0, body["inertia"])
    return me.RigidBody(f"B{number}", centre, frame, body["mass"], (inertia, centre))


def four_bar() -> LoopSystem:
    """Return the four-bar of seed 003.

    Crank AB of length ``l2``, coupler BC ``l3``, rocker DC ``l4``, A in the origin and D at
    (l1, 0); uniform bars ``m2 m3 m4``. Coordinates: angle of the crank, of the coupler relative
    to the crank, of the rocker; ``tau`` acts on the crank.
    """
    sp, me = sympy(), mechanics()
    l1, l2, l3, l4, m2, m3, m4, tau = sp.symbols("l1 l2 l3 l4 m2 m3 m4 tau")
    (qA, qB, qD), u = me.dynamicsymbols("q_A q_B q_D"), me.dynamicsymbols("u_A u_B u_D")
    B, D = l2 * _along(qA), sp.Matrix([l1, 0])
    loop = B + l3 * _along(qA + qB) - D - l4 * _along(qD)
    bars = [
        (m2, l2, B / 2, qA),
        (m3, l3, B + l3 / 2 * _along(qA + qB), qA + qB),
        (m4, l4, D + l4 / 2 * _along(qD), qD),
    ]
    bodies = [_bar(*bar) for bar in bars]
    return LoopSystem.from_bodies(bodies, ([qA], [qB, qD]), (u[:1], u[1:]), loop, [(0, tau)])


def crank_slider() -> LoopSystem:
    """Return the crank-slider of seed 003.

    Crank of length ``l1`` about the origin, slider on y = 0, rod of length ``l2`` whose angle is
    measured at the slider's pin and points to the crank's pin; masses ``m1 m2 m3`` of crank, rod
    and slider. Coordinates: crank's angle, slider's x, rod's angle; ``tau`` acts on the crank.
    """
    sp, me = sympy(), mechanics()
    l1, l2, m1, m2, m3, tau = sp.symbols("l1 l2 m1 m2 m3 tau")
    (a, x, b), u = me.dynamicsymbols("q_crank x q_rod"), me.dynamicsymbols("u_crank u_x u_rod")
    pin = sp.Matrix([x, 0])
    loop = l1 * _along(a) - pin - l2 * _along(b)
    slider = {"mass": m3, "inertia": sp.S.Zero, "place": pin, "angle": sp.S.Zero}
    bodies = [
        _bar(m1, l1, l1 / 2 * _along(a), a),
        _bar(m2, l2, pin + l2 / 2 * _along(b), b),
        slider,
    ]
    return LoopSystem.from_bodies(bodies, ([a], [x, b]), (u[:1], u[1:]), loop, [(0, tau)])


def _along(angle: Any) -> Any:
    sp = sympy()
    return sp.Matrix([sp.cos(angle), sp.sin(angle)])


def _bar(mass: Any, length: Any, place: Any, angle: Any) -> dict[str, Any]:
    return {"mass": mass, "inertia": mass * length**2 / 12, "place": place, "angle": angle}
