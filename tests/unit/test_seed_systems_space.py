"""The systems of the seeds in space: what must hold without any oracle."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.errors import SimulationRefused, UsageError
from gaitdyn.multibody.systems import NAMES, simulate


def named(run, table, prefix):
    found = run.tables[table]
    at = [i for i, column in enumerate(found.columns) if column.name.startswith(prefix)]
    return found.values[:, at]


def test_a_hanging_pendulum_at_rest_stays_and_carries_its_weight():
    still = [f"{letter}{i}=0" for letter in "abc" for i in (1, 2)]
    still += [f"v{i}=0" for i in range(1, 7)]
    _, run = simulate("pendulum-3d", still, duration_s=0.2)
    assert np.abs(run.qd).max() < 1e-12
    np.testing.assert_allclose(named(run, 0, "F1"), [[0.0, 2.0 * 9.81, 0.0]] * 21, atol=1e-10)
    np.testing.assert_allclose(named(run, 0, "F2"), [[0.0, 0.8 * 9.81, 0.0]] * 21, atol=1e-10)


def test_torques_of_the_pendulum_do_the_work_that_its_energy_gains():
    _, run = simulate("pendulum-3d", ["tau1=0.5", "tau6=-0.2"], duration_s=0.5)
    assert abs(run.energy_j[-1] - run.energy_j[0]) > 0.1
    assert np.abs(run.imbalance_j()).max() < 1e-9


def test_the_loads_that_hold_the_manipulator_hold_it_under_a_wrench_too():
    words = ["control=hold", "fx=3", "fz=-4", "mx=0.5"]
    _, run = simulate("manipulator", words, duration_s=0.2)
    assert np.abs(run.q - run.q[0]).max() < 1e-9
    np.testing.assert_allclose(
        named(run, 0, "tau"), named(run, 0, "G") + named(run, 0, "E"), atol=1e-8
    )


@pytest.mark.parametrize("feet", ["both", "right", "left"])
def test_the_biped_stands_still_on_the_floor_with_its_weight_under_its_feet(feet):
    _, run = simulate("biped", [f"feet={feet}", "push_x=0"], duration_s=0.2)
    assert np.abs(run.qd).max() < 1e-7
    assert named(run, 0, "Fy").sum(axis=1) == pytest.approx(70 * 9.81, abs=1e-3)
    assert (named(run, 0, "margin") > 0).all()
    assert np.abs(run.sticks[3 if feet == "left" else 2][0, 3:5, 1]).max() < 1e-9


def test_a_push_leaves_the_centre_of_mass_with_its_impulse_and_that_of_the_floor():
    _, run = simulate("biped", ["push_x=80"], duration_s=0.2)
    com, push = named(run, 1, "com"), named(run, 1, "push")
    force = named(run, 0, "Fx").sum(axis=1) + push[:, 0]
    speed = np.gradient(com[:, 0], run.time_s, edge_order=2)
    gained = (force[1:] + force[:-1]).sum() / 2 * 0.01 / 70
    assert speed[-1] - speed[0] == pytest.approx(gained, abs=2e-3)
    assert np.abs(run.imbalance_j()).max() < 1e-6


@pytest.mark.slow
def test_a_strong_push_takes_the_foot_out_of_its_cone_and_the_run_says_so():
    _, run = simulate("biped", ["feet=right", "push_z=300"], duration_s=0.15)
    assert any("leaves its wrench cone at" in note for note in run.notes)
    assert named(run, 0, "margin").min() < 0


@pytest.mark.slow
def test_a_moving_sole_and_a_fall_onto_stretched_legs_are_refused():
    with pytest.raises(SimulationRefused, match="keep its sole at rest"):
        simulate("biped", ["v_x=0.2"])
    with pytest.raises(SimulationRefused, match="no unique wrench"):
        simulate("biped", ["control=none"])
    with pytest.raises(UsageError, match="positive"):
        simulate("biped", ["mu=0"])


@pytest.mark.parametrize("name", NAMES)
def test_every_system_refuses_a_duration_of_zero_in_words(name: str):
    with pytest.raises(UsageError, match="--duration is 0, wanted a positive number"):
        simulate(name, [], duration_s=0.0)


def test_a_floor_that_would_have_to_pull_has_no_centre_of_pressure():
    words = ["control=none", "tau_knee_R=-300", "tau_knee_L=-300"]
    _, run = simulate("biped", words, duration_s=0.01)
    assert "no centre of pressure, as the floor pulls" in run.notes[0]
    assert not any("nan" in note for note in run.notes)
