"""The four-bar and the crank-slider of seed 003 by Kane's method with dependent coordinates."""

from __future__ import annotations

from typing import Any

from gaitdyn.multibody.symbolic.extra import mechanics, sympy
from gaitdyn.multibody.symbolic.kane import LoopSystem


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
