"""Derivations with sympy: identities of the seed documents and their printed errors."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

from gaitdyn.multibody.systems.arm import Arm
from gaitdyn.multibody.systems.double_pendulum import Bars
from gaitdyn.multibody.systems.one_link import Link
from tests.shared_files import SEEDS, WITH_SEEDS

sp = pytest.importorskip("sympy", reason="needs the extra symbolic")
T = sp.Symbol("t")


def zero(matrix):
    """Whether sums of products of sines and cosines vanish: so do those of their exponentials."""
    return all(sp.expand(entry.rewrite(sp.exp)) == 0 for entry in matrix)


def moment(r, force):
    """Return the moment of a planar force."""
    return r[0] * force[1] - r[1] * force[0]


def along(angle):
    return sp.Matrix([sp.cos(angle), sp.sin(angle)])


@pytest.fixture(scope="module")
def pendulum():
    from gaitdyn.multibody.symbolic import double_pendulum

    return double_pendulum()


@pytest.fixture(scope="module")
def arm():
    from gaitdyn.multibody.symbolic import two_link

    return two_link()


def lagrange_torques(system):
    """Return tau = M qdd + c - g - e with the accelerations as derivatives of q."""
    qdd = sp.Matrix([q.diff(T, 2) for q in system.q])
    return system.M * qdd + system.c - system.g - system.e


# ---------------------------------------------------------------- document 000


def test_the_printed_gravity_of_the_double_pendulum_is_off_by_the_length_e1(pendulum):
    m1, m2, l1, l2, g = sp.symbols("m1 m2 l1 l2 g", positive=True)
    printed = -(m1 * l1 / 2 + m2 * l2) * g * sp.sin(pendulum.q[0])
    left = pendulum.parts("watanabe")["G"][0] - printed
    assert zero([left + g * m2 * (l1 - l2) * sp.sin(pendulum.q[0])])


@pytest.mark.slow
def test_rows_0_6_and_1_8_lagrange_equals_newton_and_euler_in_every_term(pendulum):
    m1, m2, l1, l2, g, M1, M12 = sp.symbols("m1 m2 l1 l2 g M1 M12", positive=True)
    a, b = pendulum.q
    first = sp.Matrix([sp.sin(a), -sp.cos(a)]) * l1
    second = sp.Matrix([sp.sin(b), -sp.cos(b)]) * l2
    bodies = [(m1, first / 2, l1, a), (m2, first + second / 2, l2, b)]

    def balance(which, pole):
        """Return d(angular momentum about a pole at rest in place)/dt less the weight's moment."""
        total = sp.S.Zero
        for m, r, length, angle in which:
            thrust = m * (r.diff(T, 2) + sp.Matrix([0, g]))
            total += moment(r - pole, thrust) + m * length**2 / 12 * angle.diff(T, 2)
        return total

    outer = balance(bodies[1:], first) - M12
    whole = balance(bodies, sp.zeros(2, 1)) - M1
    newton = sp.Matrix([whole - outer, outer])  # the rows of M qdd = C + G + Q
    qdd = sp.Matrix([q.diff(T, 2) for q in (a, b)])
    Q = sp.Matrix([M1 - M12, M12])
    part = pendulum.parts("watanabe")
    assert zero(newton - (part["M"] * qdd - part["C"] - part["G"] - Q))
    assert zero(newton.jacobian(qdd) - part["M"])
    even = newton.subs(dict.fromkeys(qdd, 0))
    still = even.subs({q.diff(T): 0 for q in (a, b)})
    assert zero(still + part["G"] + Q)
    assert zero(even - still + part["C"])


def test_the_closed_form_of_the_double_pendulum_is_that_of_lagrange(pendulum):
    bars = Bars(m1=1.3, m2=0.7, l1=0.9, l2=0.6)
    f = pendulum.numpy("watanabe")
    values = {"m1": 1.3, "m2": 0.7, "l1": 0.9, "l2": 0.6, "g": 9.81}
    for angles in product((-1.2, 0.4), (0.3, 2.9), (-2.0, 5.0), (1.5, -7.0)):
        part = f(np.array(angles[:2]), np.array(angles[2:]), values)
        m11, m12, m22 = bars.mass_matrix(*angles[:2])
        np.testing.assert_allclose(part["M"], [[m11, m12], [m12, m22]], atol=1e-13)
        np.testing.assert_allclose(part["C"], bars.velocity_terms(*angles), atol=1e-12)
        np.testing.assert_allclose(part["G"], bars.gravity_terms(*angles[:2]), atol=1e-12)


def test_entries_without_what_is_replaced_are_not_simplified_again(pendulum, monkeypatch):
    seen = []
    monkeypatch.setattr(sp, "simplify", lambda entry: seen.append(entry) or entry)
    still = pendulum.subs({sp.Symbol("g", positive=True): 0})
    assert seen == [0, 0]  # of the weight alone
    assert (still.M, still.c, list(still.g)) == (pendulum.M, pendulum.c, [0, 0])


# ---------------------------------------------------------------- document 002


def test_the_weight_of_the_one_link_form_is_m_g_and_not_g_e9():
    from gaitdyn.multibody.symbolic import one_link

    m, d, g, Fx, Fy, L = sp.symbols("m d g F_ex F_ey L")
    system = one_link()
    alpha = system.q[0]
    place = d * along(alpha)
    inertia = sp.Symbol("I")
    for weight, wanted in ((m * g, 0), (g, (m - 1) * g * d * sp.cos(alpha))):
        joint = m * place.diff(T, 2) + sp.Matrix([0, weight]) - sp.Matrix([Fx, Fy])
        tau = inertia * alpha.diff(T, 2) + moment(place, joint)
        tau -= moment((L - d) * along(alpha), sp.Matrix([Fx, Fy]))
        assert zero([lagrange_torques(system)[0] - tau - wanted])
    link = Link(m=70.0, L=1.7, d=0.9, I=17.5, g=9.81)
    still = link.reaction(np.zeros(1), np.zeros(1), np.zeros(1))
    np.testing.assert_allclose(still, [[0.0, 70.0 * 9.81]])


@pytest.mark.slow
@pytest.mark.parametrize("sign", [1, -1])
def test_the_moment_of_the_far_force_about_link_2_is_positive_e10(arm, sign):
    m2, L1, L2, d2, I2, g = sp.symbols("m2 L1 L2 d2 I2 g", positive=True)
    Fx, Fy = sp.symbols("F_ex F_ey")
    q1, q2 = arm.q
    both = q1 + q2
    centre = L1 * along(q1) + d2 * along(both)
    elbow = m2 * (centre.diff(T, 2) + sp.Matrix([0, g])) - sp.Matrix([Fx, Fy])
    far = sign * (L2 - d2) * sp.cos(both) * Fy - (L2 - d2) * sp.sin(both) * Fx
    tau = I2 * both.diff(T, 2) - moment(-d2 * along(both), elbow) - far
    left = tau - lagrange_torques(arm)[1]
    printed = 2 * Fy * (L2 - d2) * sp.cos(both)
    assert zero([left - (0 if sign == 1 else printed)])


def test_the_external_force_turns_both_joints_and_depends_on_the_angles_alone_e11(arm):
    (Fx, Fy), (L1, L2) = sp.symbols("F_ex F_ey"), sp.symbols("L1 L2", positive=True)
    q1, q2 = arm.q
    E = arm.parts("duarte")["E"]
    assert not E.has(*arm.qd)
    tip = L1 * along(q1) + L2 * along(q1 + q2)
    J = tip.jacobian([q1, q2])
    assert zero(E + J.T * sp.Matrix([Fx, Fy]))
    assert E[0].subs({Fx: 0, Fy: 0}) == 0  # as the printed program calls it
    body = Arm(2.0, 1.5, 0.3, 0.4, 0.13, 0.17, 0.02, 0.02, g=0.0)
    rest = np.zeros((1, 2))
    given = body.terms(np.array([[0.3, 0.8]]), rest, rest, np.array([5.0, -20.0])).E[0]
    values = {q1: 0.3, q2: 0.8, Fx: 5, Fy: -20, L1: 0.3, L2: 0.4}
    np.testing.assert_allclose(given, [float(e.subs(values)) for e in E], atol=1e-12)
    assert abs(given[0]) > 1.0


def test_a_constant_entry_is_broadcast_where_lambdify_is_ragged_e15(arm):
    q, qd = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]), np.zeros((3, 2))
    names = ("m1", "m2", "L1", "L2", "d1", "d2", "I1", "I2", "g", "F_ex", "F_ey")
    numbers = dict.fromkeys(names, 1.5)
    found = arm.numpy("duarte")(q, qd, numbers)["M"]
    assert found.shape == (3, 2, 2)
    assert np.ptp(found[:, 1, 1]) == 0 < np.ptp(found[:, 0, 0])
    x = sp.symbols("x1 x2")
    plain = arm.M.subs(dict(zip(arm.q, x, strict=True)))
    plain = plain.subs(dict.fromkeys(plain.free_symbols - set(x), 1.5))
    with pytest.raises(ValueError, match="inhomogeneous"):
        sp.lambdify(x, plain, "numpy")(*q.T)


@pytest.fixture(scope="module")
def level(arm):
    """The arm without weight and external force."""
    return arm.subs({sp.Symbol("g", positive=True): 0} | dict.fromkeys(sp.symbols("F_ex F_ey"), 0))


@pytest.mark.parametrize("case", "abcd")
def test_row_2_10_the_velocity_terms_of_exercise_5(level, case):
    m2, L1, L2, d2 = sp.symbols("m2 L1 L2 d2", positive=True)
    (q1, q2), (w1, w2) = level.q, level.qd
    h = L1 * d2 * m2 * sp.sin(q2)
    given, wanted = {
        "a": ({w1: 0}, (-h * w2**2, 0)),
        "b": ({q2: 0}, (0, 0)),
        "c": ({w2: 0}, (0, h * w1**2)),
        "d": ({w2: -2 * w1}, (0, h * w1**2)),
    }[case]
    assert zero(level.g)
    assert zero(level.e)
    assert zero(level.subs(given).c - sp.Matrix(wanted))
    if case == "d":
        tip = L1 * along(q1) + L2 * along(q1 + q2)
        folded = tip.subs({q2: sp.pi - 2 * q1})
        assert sp.simplify(folded[0].subs(L2, L1)) == 0
        assert sp.simplify(folded[0]) != 0


@pytest.mark.slow
def test_row_2_11_segment_angles_are_a_congruence_of_joint_angles(arm):
    from gaitdyn.multibody.symbolic import two_link

    segment = two_link("segment")
    first, second = segment.q
    turned = arm.in_coordinates([first, second], [first, second - first])
    for name in ("M", "c", "g", "e"):
        assert zero(getattr(turned, name) - getattr(segment, name)), name
    m2, L1, d2 = sp.symbols("m2 L1 d2", positive=True)
    w1, w2 = segment.qd
    coupling = L1 * d2 * m2 * sp.sin(first - second)
    assert zero(segment.c - sp.Matrix([coupling * w2**2, -coupling * w1**2]))
    T1, T2 = sp.symbols("T1 T2")
    J = sp.Matrix([first, second - first]).jacobian([first, second])
    assert zero(J.T * sp.Matrix([T1, T2]) - sp.Matrix([T1 - T2, T2]))


def test_the_closed_form_of_the_arm_is_that_of_lagrange(arm):
    body = Arm(2.0, 1.5, 0.3, 0.4, 0.13, 0.17, 0.02, 0.03)
    names = {"m1": 2.0, "m2": 1.5, "L1": 0.3, "L2": 0.4, "d1": 0.13, "d2": 0.17}
    values = names | {"I1": 0.02, "I2": 0.03, "g": 9.81, "F_ex": 3.0, "F_ey": -4.0}
    q, qd = np.array([[0.4, 1.1], [-1.0, 2.0]]), np.array([[1.0, -2.0], [3.0, 0.5]])
    part = arm.numpy("duarte")(q, qd, values)
    terms = body.terms(q, qd, np.zeros_like(q), np.array([3.0, -4.0]))
    np.testing.assert_allclose(part["M"], body.mass_matrix(q), atol=1e-13)
    for name in "CGE":
        np.testing.assert_allclose(part[name], getattr(terms, name), atol=1e-12)


@pytest.mark.peer
@WITH_SEEDS
def test_row_2_2_lagrange_gives_the_torques_of_random_states(arm):
    d = json.loads((SEEDS / "seed002_links.json").read_text(encoding="utf-8"))
    f = arm.numpy("duarte")
    for c in d["random_states_pinocchio"]:
        values = {**d["params"]["seed"], "g": 9.81, "F_ex": c["F"][0], "F_ey": c["F"][1]}
        part = f(np.array(c["q"]), np.array(c["qd"]), values)
        tau = part["M"] @ c["qdd"] + part["C"] + part["G"] + part["E"]
        np.testing.assert_allclose(tau, c["tau"], atol=1e-10)


# ---------------------------------------------------------------- document 003


def test_the_energy_stays_in_a_four_bar_moved_by_kanes_equations():
    from gaitdyn.multibody import four_bar as tree_loop
    from gaitdyn.multibody.simulate import integrate
    from tests.unit.kane_loops import four_bar

    loop, kane = tree_loop(), four_bar().numpy()
    sizes = {"l1": 1.0, "l2": 4.0, "l3": 4.0, "l4": 5.0, "m2": 1.0, "m3": 1.0, "m4": 1.0}
    values = {**sizes, "g": 9.81, "tau": 0.0}
    q0 = loop.close([1.0], [-1.5, 0.4], 1)[0]
    qd0 = loop.velocities(q0, [0.5])[0]

    def rate(_t, y):
        return np.concatenate((y[3:], kane(y[:3], y[3:], values)))

    y = integrate(rate, np.concatenate((q0, qd0)), np.linspace(0.0, 0.5, 26))
    energy = loop.tree.energy(loop.tree.state(y[:, :3], y[:, 3:])).total
    assert np.ptp(energy) < 1e-9
    assert np.abs(loop.equations(y[:, :3], y[:, 3:]).h).max() < 1e-9
