"""The open chains of seeds 000 and 002, derived by Lagrange."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from gaitdyn.multibody.symbolic.extra import mechanics, sympy
from gaitdyn.multibody.symbolic.lagrange import System


@cache
def double_pendulum() -> System:
    """Return two uniform bars hanging from a pivot (seed 000).

    Coordinates ``theta1, theta2`` from the downward vertical; parameters ``m1 m2 l1 l2 g``.
    The torque of the shoulder M1 and of the elbow M12 enter as tau = (M1 - M12, M12).
    """
    sp = sympy()
    m1, m2, l1, l2, g = sp.symbols("m1 m2 l1 l2 g", positive=True)
    a, b = mechanics().dynamicsymbols("theta1 theta2")
    r1 = sp.Matrix([sp.sin(a), -sp.cos(a)]) * l1 / 2
    r2 = 2 * r1 + sp.Matrix([sp.sin(b), -sp.cos(b)]) * l2 / 2
    bodies = [(m1, r1, m1 * l1**2 / 12, a), (m2, r2, m2 * l2**2 / 12, b)]
    return System.from_lagrangian(_lagrangian(bodies, g), [a, b])


@cache
def one_link() -> System:
    """Return the planar inverted pendulum of seed 002.

    Coordinate ``alpha`` from the horizontal, counter-clockwise; parameters ``m L d I g``; the
    force ``F_ex, F_ey`` acts at the free end.
    """
    sp = sympy()
    m, L, d, I, g, Fx, Fy = sp.symbols("m L d I g F_ex F_ey")  # noqa: E741  the seed's letter
    a = mechanics().dynamicsymbols("alpha")
    along = sp.Matrix([sp.cos(a), sp.sin(a)])
    Q = (L * along).jacobian([a]).T * sp.Matrix([Fx, Fy])
    return System.from_lagrangian(_lagrangian([(m, d * along, I, a)], g), [a], Q)


@cache
def two_link(angles: Literal["joint", "segment"] = "joint") -> System:
    """Return the planar two-link arm of seed 002.

    Parameters
    ----------
    angles : {"joint", "segment"}
        ``q1, q2`` are the joint angles, or the angles of the segments to the horizontal (exercise
        6). The work of the joint torques gives tau = (T1, T2), or tau = (T1 - T2, T2).

    Notes
    -----
    Parameters ``m1 m2 L1 L2 d1 d2 I1 I2 g``; the force ``F_ex, F_ey`` acts at the finger tip.
    """
    sp = sympy()
    m1, m2, L1, L2, d1, d2, I1, I2, g = sp.symbols("m1 m2 L1 L2 d1 d2 I1 I2 g", positive=True)
    force = sp.Matrix(sp.symbols("F_ex F_ey"))
    q1, q2 = mechanics().dynamicsymbols("q_1 q_2")
    first, second = q1, q1 + q2 if angles == "joint" else q2
    along1 = sp.Matrix([sp.cos(first), sp.sin(first)])
    along2 = sp.Matrix([sp.cos(second), sp.sin(second)])
    tip = L1 * along1 + L2 * along2
    bodies = [(m1, d1 * along1, I1, first), (m2, L1 * along1 + d2 * along2, I2, second)]
    return System.from_lagrangian(
        _lagrangian(bodies, g), [q1, q2], tip.jacobian([q1, q2]).T * force
    )


def two_link_newton_euler() -> dict[str, Any]:
    """Return the six Newton-Euler equations of the two-link arm, and their solution.

    The free bodies of the document: ``F_r1, F_r2`` are the forces at the joints, ``T_1, T_2`` the
    torques, ``F_e`` acts at the finger tip; moments are about each centre of mass. The sign of
    ``(L2 - d2) F_ey cos`` is the corrected one (E10).

    Returns
    -------
    dict
        ``equations``: six expressions that are zero; ``reactions``: F_r1x, F_r1y, F_r2x, F_r2y;
        ``torques``: T_1, T_2, both in q, dq/dt and d2q/dt2; ``places``: the centres of mass;
        ``J``: Jacobians of both; ``symbols``: the unknowns.
    """
    from sympy.simplify.fu import TR8  # products of sines and cosines to sums

    sp, t = sympy(), mechanics().dynamicsymbols._t  # noqa: SLF001
    m1, m2, L1, L2, d1, d2, I1, I2, g = sp.symbols("m1 m2 L1 L2 d1 d2 I1 I2 g", positive=True)
    Fx, Fy = sp.symbols("F_ex F_ey")
    unknown = sp.symbols("F_r1x F_r1y F_r2x F_r2y T_1 T_2")
    x1, y1, x2, y2, T1, T2 = unknown
    q1, q2 = mechanics().dynamicsymbols("q_1 q_2")
    both = q1 + q2
    r1 = d1 * sp.Matrix([sp.cos(q1), sp.sin(q1)])
    r2 = r1 * L1 / d1 + d2 * sp.Matrix([sp.cos(both), sp.sin(both)])
    a1, a2 = r1.diff(t, 2), r2.diff(t, 2)
    to_tip, to_elbow = L2 - d2, L1 - d1
    equations = [
        x2 + Fx - m2 * a2[0],
        y2 - m2 * g + Fy - m2 * a2[1],
        T2 + d2 * (x2 * sp.sin(both) - y2 * sp.cos(both))
        - to_tip * (Fx * sp.sin(both) - Fy * sp.cos(both)) - I2 * both.diff(t, 2),
        x1 - x2 - m1 * a1[0],
        y1 - y2 - m1 * g - m1 * a1[1],
        T1 - T2 + d1 * (x1 * sp.sin(q1) - y1 * sp.cos(q1))
        + to_elbow * (x2 * sp.sin(q1) - y2 * sp.cos(q1)) - I1 * q1.diff(t, 2),
    ]  # fmt: skip
    solution: dict[Any, Any] = {}
    for x, equation in zip((x2, y2, T2, x1, y1, T1), equations, strict=True):  # each is x + known
        solution[x] = sp.expand((x - equation).subs(solution))
    centres = {"r1": r1, "r2": r2}
    return {
        "equations": equations,
        "reactions": sp.Matrix([solution[x] for x in (x1, y1, x2, y2)]),
        "torques": sp.Matrix([sp.expand(TR8(solution[x])) for x in (T1, T2)]),
        "places": centres,
        "J": {name: r.jacobian([q1, q2]) for name, r in centres.items()},
        "symbols": unknown,
    }


def _lagrangian(bodies: list[tuple[Any, Any, Any, Any]], g: Any) -> Any:
    """Return T - V of planar bodies (mass, centre of mass, moment of inertia, angle); y up."""
    sp, t = sympy(), mechanics().dynamicsymbols._t  # noqa: SLF001
    total = sp.S.Zero
    for mass, centre, inertia, angle in bodies:
        v = centre.diff(t)
        total += (mass * v.dot(v) + inertia * angle.diff(t) ** 2) / 2 - mass * g * centre[1]
    return total
