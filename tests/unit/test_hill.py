"""Hill-type muscles: curves, activation, equilibrium, energy; reactions and jerk of the arm."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gaitdyn.errors import SimulationRefused
from gaitdyn.multibody.hill import (
    TAU_DOWN,
    TAU_UP,
    activation_rate,
    force_length,
    force_velocity,
    passive_force,
)
from gaitdyn.multibody.reaching import minjerk, minjerk_jerk
from gaitdyn.multibody.systems import simulate
from gaitdyn.multibody.systems.arm import Arm, seed_arm
from gaitdyn.multibody.systems.muscle_arm import MUSCLES


def test_the_curves_have_the_values_that_they_are_built_on() -> None:
    assert (force_length(np.array([0.4, 1.8])) < 0.05).all()
    assert float(force_length(np.array(1.0))) == pytest.approx(1.0, abs=1e-15)
    lengths = np.linspace(0.4, 1.8, 141)
    assert lengths[np.argmax(force_length(lengths))] == pytest.approx(1.0, abs=0.011)
    assert_allclose(passive_force(np.array([0.5, 1.0, 1.6])), [0, 0, 1], atol=1e-15)
    assert_allclose(force_velocity(np.array([-1.5, -1.0, 0.0])), [0, 0, 1], atol=1e-12)
    assert (np.diff(force_velocity(np.linspace(-0.99, 1, 50))) > 0).all()


def test_activation_is_quick_up_and_slow_down_and_stays_between_0_and_1() -> None:
    up = activation_rate(np.array(1.0), np.array(0.0))
    down = activation_rate(np.array(0.0), np.array(1.0))
    assert float(up) == pytest.approx(1 / (TAU_UP * 0.5), rel=1e-6)
    assert float(down) == pytest.approx(-2.0 / TAU_DOWN, rel=1e-6)
    assert float(activation_rate(np.array(0.4), np.array(0.4))) == 0.0
    assert activation_rate(np.array(1.0), np.array(1.0)) == 0.0


def test_the_held_posture_is_an_equilibrium() -> None:
    _, run = simulate("muscle-arm", ["elbow_flexor=0"], duration_s=0.5)
    assert_allclose(run.q, np.tile(run.q[0], (len(run.q), 1)), atol=1e-8)
    arm, none = Arm(**seed_arm()), np.zeros(2)
    for q in ([-1.0, 1.2], [-0.3, 0.4], [-1.2, 1.6]):
        posture = np.array(q)
        weight = arm.terms(posture, none, none, none).G
        a = MUSCLES.holding(posture, weight)
        assert ((a >= 0) & (a <= 1)).all()
        assert a[1] * a[0] == a[2] * a[3] == 0  # muscles of constant arms need no antagonist
        assert_allclose(MUSCLES.arms @ MUSCLES.forces(a, posture, none), weight, atol=1e-9)
    with pytest.raises(SimulationRefused, match="cannot hold"):
        MUSCLES.holding(np.array([-1.0, 1.2]), np.array([500.0, 0.0]))


def test_the_work_of_the_muscles_is_the_energy_of_the_arm_and_of_their_shortening() -> None:
    _, run = simulate("muscle-arm", ["elbow_flexor=0.4", "shoulder_flexor=0.2"], rate_hz=500.0)
    assert np.abs(run.imbalance_j()).max() < 1e-9
    (table,) = run.tables
    at = {c.name: table.values[:, i] for i, c in enumerate(table.columns)}
    names = ("shoulder_flexor", "shoulder_extensor", "elbow_flexor", "elbow_extensor")
    power = np.zeros(len(run.time_s))
    for i, name in enumerate(names):  # tension times shortening, of each muscle by itself
        speed = np.gradient(at[f"length_{name}"] * MUSCLES.optimal[i], run.time_s, edge_order=2)
        power -= at[f"force_{name}"] * speed
    work = np.concatenate(([0.0], np.cumsum((power[1:] + power[:-1]) / 2 * 0.002)))
    assert_allclose(work, run.work_j, atol=2e-3 * np.abs(run.work_j).max())
    assert at["activation_elbow_flexor"].max() > at["activation_elbow_flexor"][0] + 0.3


def test_lengthening_muscles_pull_harder_and_shortening_ones_less() -> None:
    q, a = np.array([-1.0, 1.2]), np.full(4, 0.5)
    still = MUSCLES.forces(a, q, np.zeros(2))
    bending = MUSCLES.forces(a, q, np.array([0.0, 2.0]))
    assert bending[2] < still[2]
    assert bending[3] > still[3]
    assert_allclose(bending[:2], still[:2])


def test_the_jerk_is_the_derivative_of_the_acceleration() -> None:
    t = np.linspace(0.01, 0.49, 9)
    start, end, h = np.array([0.0, 1.0]), np.array([2.0, -1.0]), 1e-6
    slope = (minjerk(start, end, 0.5, t + h)[2] - minjerk(start, end, 0.5, t - h)[2]) / (2 * h)
    assert_allclose(minjerk_jerk(start, end, 0.5, t), slope, rtol=1e-6, atol=1e-3)


def test_the_reactions_of_the_arm_are_those_of_the_tree() -> None:
    from gaitdyn.multibody import AppliedWrench, joint_wrenches
    from tests.unit.test_seed_systems import accelerations, arm_tree

    _, run = simulate("two-link", ["motion=joint", "fx=5", "fy=-20"])
    tree = arm_tree(run.used)
    state = tree.state(run.q, run.qd)
    tip = np.array([run.used["l2"], 0.0, 0.0])
    push = AppliedWrench("fore", tip, np.array([5.0, -20.0, 0.0]), frame="body")
    found = joint_wrenches(tree, state, accelerations("joint", run), [push])
    table = next(table for table in run.tables if table.name == "reactions")
    assert_allclose(found.force[:, :, :2].reshape(-1, 4), table.values, atol=1e-9)
    assert_allclose(found.moment[:, :, 2], run.tables[0].values[:, :2], atol=1e-9)


def test_as_published_the_force_does_not_reach_the_shoulder_and_the_note_says_so() -> None:
    _, printed = simulate("two-link", ["fx=0", "fy=10"], as_published=True)
    at = {c.name: printed.tables[0].values[:, i] for i, c in enumerate(printed.tables[0].columns)}
    assert (at["E1"] == 0).all()
    assert np.abs(at["E2"]).max() > 1
    assert any("left out at the shoulder" in note for note in printed.notes)


@pytest.mark.slow
def test_newton_and_euler_give_what_lagrange_gives() -> None:
    sp = pytest.importorskip("sympy")
    from gaitdyn.multibody.symbolic import two_link, two_link_newton_euler
    from tests.unit.test_symbolic import zero

    found, system = two_link_newton_euler(), two_link()
    assert len(found["equations"]) == 6
    t = sp.Symbol("t")
    q = sp.Matrix(system.q)
    lagrange = system.M * q.diff(t, 2) + system.c - system.g - system.e
    assert zero(found["torques"] - lagrange)
    L1, d2 = sp.symbols("L1 d2", positive=True)
    assert zero([found["J"]["r2"].det() - L1 * d2 * sp.sin(system.q[1])])
