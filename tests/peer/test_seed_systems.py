"""Rows of seeds 000, 002, 003 and 004 against ../shared/oracles/seeds, printed and corrected."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from gaitdyn.multibody.muscles import moment_arms
from gaitdyn.multibody.systems import simulate
from gaitdyn.multibody.systems.double_pendulum import Bars
from gaitdyn.multibody.systems.sliding_block import FrictionBlock
from tests.shared_files import SEEDS, WITH_SEEDS

pytestmark = [pytest.mark.peer, WITH_SEEDS]


def oracle(name: str) -> dict[str, Any]:
    return json.loads((SEEDS / f"{name}.json").read_text(encoding="utf-8"))


def states(run: Any, times: Any) -> np.ndarray:
    rows = [round(float(t) * 100) for t in times]
    return np.hstack((run.qd[rows], run.q[rows]))


def test_row_0_1_accelerations_and_the_printed_gravity_term_e1():
    d = oracle("seed000_double_pendulum")
    y = np.array(d["inputs"]["y0"])[[2, 3, 0, 1]]
    np.testing.assert_allclose(Bars().acceleration(y), d["qdd0_corrected"], rtol=1e-9)
    printed = Bars(printed_G=True).acceleration(y)
    np.testing.assert_allclose(printed, d["qdd0_seedcode"], rtol=1e-9)


@pytest.mark.parametrize(
    ("l2", "key"), [("0.5", "corrected_free"), ("1", "text_bars_1m_corrected")]
)
def test_row_0_2_the_corrected_run(l2, key):
    d = oracle("seed000_double_pendulum")
    _, run = simulate("double-pendulum", [f"l2={l2}"], duration_s=2.0)
    np.testing.assert_allclose(states(run, d["t"][:4]), d[key]["state"][:4], atol=1e-8)
    assert np.abs(run.imbalance_j()).max() < 1e-9


@pytest.mark.parametrize(
    ("words", "key"), [([], "euler_published"), (["control=pid"], "euler_pid_published_G")]
)
def test_rows_0_3_and_0_4_the_published_euler_runs(words, key):
    found = oracle("seed000_double_pendulum")[key]["state"]
    _, run = simulate("double-pendulum", words, duration_s=2.0, as_published=True)
    times = ["0.1", "0.5", "1.0", "2.0"]
    np.testing.assert_allclose(states(run, times), [found[t] for t in times], atol=1e-6)


def test_row_0_4_the_pid_with_its_integral_as_state_e4():
    d = oracle("seed000_double_pendulum")
    wanted = np.array(d["pid_corrected_ode"]["state_plus_integral"])[:, :4]
    _, run = simulate("double-pendulum", ["control=pid"])
    np.testing.assert_allclose(states(run, d["t"]), wanted, atol=1e-7)


@pytest.mark.parametrize("motion", ["slow", "fast", "horizontal"])
def test_rows_2_3_to_2_5_torques_of_the_arm_exact_and_published_e13(motion):
    d = oracle("seed002_links")[motion]
    words = [f"motion={motion}", "segments=seed"]  # the run forward changes no torque
    _, run = simulate("two-link", words, integrator="euler", step_s=0.005)
    exact = np.array(d["exact"]["tau"][2:], dtype=float)
    np.testing.assert_allclose(run.tables[0].values[2:, :2], exact, atol=1e-6)
    assert np.isnan(run.tables[0].values[0, :2]).all()
    _, run = simulate("two-link", [f"motion={motion}"], as_published=True)
    for i, name in enumerate(("tau", "M", "C", "G")):
        got = run.tables[0].values[:, 2 * i : 2 * i + 2]
        np.testing.assert_allclose(got, d["seed_as_is"][name], atol=1e-8)


@pytest.mark.parametrize("case", range(4))
def test_rows_2_6_and_2_7_the_torques_give_the_movement_back_also_under_a_force(case):
    c = oracle("seed002_links")["joint_space_minjerk"][case]
    segments = "seed" if c["params"] == "seed_params" else "corrected"
    words = ["motion=joint", f"segments={segments}", f"fx={c['F'][0]}", f"fy={c['F'][1]}"]
    _, run = simulate("two-link", words, rate_hz=40)
    for i, name in enumerate(("tau", "M", "C", "G", "E")):
        got = run.tables[0].values[:, 2 * i : 2 * i + 2]
        np.testing.assert_allclose(got, c[name], atol=1e-9)
    assert float(run.notes[0].rsplit(" ", 2)[1]) < 1e-8


def test_row_2_8_moment_arms_are_minus_the_slope_of_the_length_e14():
    d = oracle("seed002_links")
    m, arm = d["muscle_moment_arm"], d["params"]["seed"]

    def length(q):
        both = q[0] + q[1]
        turn = np.array([[np.cos(both), -np.sin(both)], [np.sin(both), np.cos(both)]])
        elbow = arm["L1"] * np.array([np.cos(q[0]), np.sin(q[0])])
        end = elbow + turn @ m["insertion_link2"]
        return np.array([np.hypot(*(end - m["origin_base"]))])

    found = moment_arms(length, np.array(m["q"]))[:, 0]
    np.testing.assert_allclose(found, m["r_geometric"], atol=1e-9)


def test_rows_2_1_and_2_9_the_single_link_both_ways():
    d = oracle("seed002_links")
    o = d["one_link_direct"]
    _, run = simulate("one-link")
    np.testing.assert_allclose(states(run, o["t"])[:, ::-1], o["state"], atol=1e-8)
    o = d["one_link_inverse"]
    words = ["motion=inverse", "fx=10", f"q0={o['q0']!r}", f"q1={o['q1']!r}"]
    _, run = simulate("one-link", words, rate_hz=20)
    np.testing.assert_allclose(run.tables[0].values[:, 0], o["tau"], atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loop", "key"), [("four-bar", "FourBar"), ("crank-slider", "CrankSlider")]
)
def test_loops_free_motion_and_kane_with_dependent_coordinates(loop, key):
    pytest.importorskip("sympy", reason="needs sympy")
    from tests.unit import kane_loops

    d = oracle("seed003_loops")[key]
    kane = getattr(kane_loops, loop.replace("-", "_"))().numpy()
    for c in d["cases"]:
        values = {**d["params"], "g": 9.81, "tau": c["tau"][0]}
        found = kane(np.array(c["q"]), np.array(c["qd"]), values)
        np.testing.assert_allclose(found, c["qdd"], rtol=1e-9, atol=1e-12)
    _, run = simulate(loop, duration_s=0.5)  # test_seed_loops.py goes on to 2 s
    rows = [round(t * 100) for t in d["free_motion"]["t"][:2]]
    got = np.stack((run.q[rows, 0], run.qd[rows, 0]), axis=1)
    np.testing.assert_allclose(got, d["free_motion"]["state"][:2], atol=1e-7)
    assert np.abs(run.imbalance_j()).max() < 1e-9


def test_row_4_8_the_sliding_block():
    d = oracle("seed004_biped")["sliding_block"]
    for c in d["cases"]:
        assert FrictionBlock().acceleration(c["u"], c["v"]) == pytest.approx(c["acc"], abs=1e-14)
