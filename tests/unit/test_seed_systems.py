"""Systems of the seeds: printed errors shown, cases with known answers, refusals, figures."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from gaitdyn.errors import ConstraintRefused, SimulationRefused, SingularPosture
from gaitdyn.multibody import AppliedWrench, Body, Tree
from gaitdyn.multibody.muscles import least_stress, moment_arms, muscle_torques
from gaitdyn.multibody.reaching import ik2, ik2_rates, reach
from gaitdyn.multibody.systems import NAMES, simulate
from gaitdyn.multibody.systems.arm import seed_arm
from gaitdyn.multibody.systems.arm_muscles import AREA, MOST_STRESS, R
from gaitdyn.multibody.systems.double_pendulum import Bars, motion
from gaitdyn.multibody.systems.one_link import Link
from gaitdyn.multibody.systems.sliding_block import FrictionBlock

COARSE: dict[str, Any] = {"integrator": "euler", "step_s": 0.005}
"""For the torques of a given movement, which the run forward with them does not change."""

# ------------------------------------------------------------- printed errors


def test_eulers_step_alone_gains_energy_and_loses_its_way_e3():
    start = np.array([np.pi / 10, np.pi / 3, 2 * np.pi, -6 * np.pi])
    states = motion(Bars(), start, np.array([0.0, 5.0, 10.0]), method="euler")
    energy = Bars().energy(states)
    assert energy[0] == pytest.approx(3.8987, abs=1e-4)
    assert energy[2] / energy[0] == pytest.approx(1.057, abs=0.01)  # a tenth after 20 s
    assert states[1, 1] == pytest.approx(-21.65, abs=0.01)
    _, right = simulate("double-pendulum", duration_s=5.0, rate_hz=10.0)
    assert right.q[50, 1] == pytest.approx(-3.38, abs=0.01)
    assert np.abs(right.imbalance_j()).max() < 1e-9
    _, published = simulate("double-pendulum", duration_s=5.0, rate_hz=10.0, as_published=True)
    assert published.q[50, 1] == pytest.approx(-82.26, abs=0.01)  # with its gravity term (E1) too


def test_dempsters_forearm_and_hand_end_at_the_styloid_e12():
    right, printed = seed_arm(), seed_arm(printed=True)
    assert right["d2"] == pytest.approx(0.682 * 0.146 * 1.70)
    assert printed["d2"] / right["d2"] == pytest.approx(0.253 / 0.146)
    assert printed["i2"] / right["i2"] == pytest.approx((0.253 / 0.146) ** 2)
    assert (round(right["i2"], 4), round(printed["i2"], 4)) == (0.0208, 0.0624)
    assert right["l2"] == printed["l2"]


@pytest.mark.parametrize(
    ("kind", "segments", "peaks"),
    [
        ("joint", "seed", (39.0, 20.5)),
        ("joint", "corrected", (22.8, 8.5)),
        ("fast", "seed", (69.5, 12.0)),
        ("fast", "corrected", (82.0, 20.1)),
    ],
)
def test_the_correction_lowers_the_torques_of_one_movement_and_raises_the_others_e12(
    kind, segments, peaks
):
    _, run = simulate("two-link", [f"motion={kind}", f"segments={segments}"], **COARSE)
    torque = run.tables[0].values[:, :2]
    np.testing.assert_allclose(np.nanmax(np.abs(torque), axis=0), peaks, atol=0.06)
    again = arm_tree(run.used).inverse(run.q[5:], run.qd[5:], accelerations(kind, run)[5:])
    np.testing.assert_allclose(again.tau, torque[5:], atol=1e-9)


def arm_tree(size):
    """Return the arm as a tree of the general module: a route of its own to the torques."""
    links = [
        Body(
            name, above, "revolute", size[f"m{i}"], np.array([size[f"d{i}"], 0.0, 0.0]),
            np.diag([0.0, size[f"i{i}"], size[f"i{i}"]]),
            np.array([0.0 if i == 1 else size["l1"], 0.0, 0.0]),
        )
        for i, name, above in ((1, "upper", None), (2, "fore", "upper"))
    ]  # fmt: skip
    return Tree(links, [0.0, -size["g"], 0.0])


def accelerations(kind, run):
    from gaitdyn.multibody.systems.arm import Arm
    from gaitdyn.multibody.systems.two_link import endpoint_kinematics, joint_kinematics

    arm = Arm(**run.used)
    end = float(run.time_s[-1])
    if kind == "joint":
        return joint_kinematics(end, run.time_s)[2]
    return endpoint_kinematics(arm, end, run.time_s)[2]


# ------------------------------------------------------------------ parameters


def test_row_2_12_torques_follow_the_mass_of_the_body_and_grow_with_its_height():
    tops = {}
    for mass in (50, 70, 90):
        _, run = simulate("two-link", ["motion=joint", f"mass={mass}"], **COARSE)
        tops[mass] = np.abs(run.tables[0].values[:, :2]).max(axis=0) / mass
    np.testing.assert_allclose(tops[50], tops[70], rtol=1e-12)
    np.testing.assert_allclose(tops[90], tops[70], rtol=1e-12)
    by_height = []
    for height in (1.5, 1.7, 1.9):
        _, run = simulate("two-link", ["motion=joint", f"height={height}"], **COARSE)
        by_height.append(np.abs(run.tables[0].values[:, 0]).max())
    assert by_height == sorted(by_height)


@pytest.mark.parametrize("word", ["mu_k=-0.1", "mu_s=0.3", "g=-9.81"])
def test_a_block_with_impossible_friction_is_refused(word):
    with pytest.raises(ConstraintRefused, match="friction"):
        simulate("sliding-block", [word])


def test_a_block_that_friction_stops_stays_where_it_is():
    """v0 = 2 m/s, mu 0.4: it stops after 0.51 s and 0.51 m."""
    t = np.linspace(0.0, 2.0, 201)
    x, v, slid = FrictionBlock().motion(0.0, 0.0, 2.0, t)
    stop = 2.0 / (0.4 * 9.81)
    assert (v[t > stop] == 0.0).all()
    assert (v[t < stop] > 0.0).all()
    assert x[-1] == slid[-1] == pytest.approx(stop)


def test_a_long_run_of_the_double_pendulum_is_called_chaotic():
    for seconds, told in ((1.0, False), (3.0, True)):
        _, run = simulate("double-pendulum", duration_s=seconds, rate_hz=10.0)
        assert any("chaotic" in note for note in run.notes) is told


def test_as_published_the_force_on_the_finger_is_left_out_at_the_shoulder_alone():
    runs = [
        simulate(
            "two-link", ["fx=10"], duration_s=0.5, rate_hz=100.0, as_published=published, **COARSE
        )[1]
        for published in (True, False)
    ]
    names = [column.name for column in runs[0].tables[0].columns]
    printed, whole = ([run.tables[0].values[5:, names.index(f"E{i}")] for i in (1, 2)]
                      for run in runs)  # fmt: skip
    assert (printed[0] == 0.0).all()
    assert np.abs(printed[1]).max() > 0.5
    assert np.abs(whole[0]).max() > 0.5


# ---------------------------------------------------------------------- muscles


def test_the_least_stress_of_two_muscles_of_one_joint_is_known():
    arms, area = np.array([[0.03, 0.05]]), np.array([4e-4, 2e-4])
    for power in (2.0, 3.0):
        # Lagrange: p F^(p-1) / A^p is proportional to r
        share = (arms[0] * area**power) ** (1 / (power - 1))
        wanted = share * 6.0 / (arms[0] @ share)
        found = least_stress(arms, np.array([6.0]), area, 1e7, power=power)
        np.testing.assert_allclose(found, wanted, rtol=1e-5)
        assert muscle_torques(arms, found)[0] == pytest.approx(6.0, abs=1e-9)


def test_a_muscle_at_its_largest_stress_leaves_the_rest_to_the_other_and_antagonists_rest():
    arms, area = np.array([[0.03, 0.05, -0.04]]), np.array([4e-4, 2e-4, 3e-4])
    free = least_stress(arms, np.array([10.0]), area, 1e7)
    most = np.array([0.8 * free[0] / area[0], 1e7, 1e7])
    held = least_stress(arms, np.array([10.0]), area, most)
    assert held[0] == pytest.approx(0.8 * free[0], rel=1e-7)
    assert held[1] == pytest.approx((10.0 - 0.03 * held[0]) / 0.05, rel=1e-7)
    assert held[2] == pytest.approx(0.0, abs=1e-6)
    assert not least_stress(arms, np.zeros(1), area, 1e7).any()


def test_torques_beyond_all_muscles_are_refused():
    with pytest.raises(SimulationRefused, match="cannot give the torques"):
        least_stress(R, np.array([500.0, 0.0]), AREA, MOST_STRESS)
    with pytest.raises(SimulationRefused, match="cannot give the torques"):
        least_stress(np.array([[0.03, 0.05]]), np.array([-1.0]), np.ones(2) * 1e-4, 1e6)


def test_the_arm_shares_its_torques_among_six_muscles_and_says_that_they_are_an_example():
    _, run = simulate("two-link", ["motion=joint", "muscles=yes"], rate_hz=40.0)
    assert any("round numbers" in note for note in run.notes)
    table = next(table for table in run.tables if table.name == "muscles")
    assert (table.values[:, :6] >= 0).all()
    assert np.abs(table.values[:, 6:]).max() < 1e-6


def test_the_arms_of_a_straight_muscle_are_those_of_its_line_of_pull():
    l1, origin, insertion = 0.3, np.array([0.05, 0.1]), np.array([0.12, 0.02])

    def geometry(q):
        both = q[0] + q[1]
        turn = np.array([[np.cos(both), -np.sin(both)], [np.sin(both), np.cos(both)]])
        elbow = l1 * np.array([np.cos(q[0]), np.sin(q[0])])
        return np.array([[0.0, 0.0], elbow]), elbow + turn @ insertion

    q = np.array([0.4, 0.9])
    joints, end = geometry(q)
    x, y = (end - joints).T
    pull = (origin - end) / np.hypot(*(origin - end))
    found = moment_arms(lambda x: np.array([np.hypot(*(geometry(x)[1] - origin))]), q)[:, 0]
    np.testing.assert_allclose(found, x * pull[1] - y * pull[0], atol=1e-10)


# ------------------------------------------------- closure, arm, loops, figures


def test_a_stretched_or_folded_arm_has_no_joint_rates():
    moving = np.array([[0.1, 0.0]])
    for elbow in (0.0, np.pi, 1e-9):
        with pytest.raises(SingularPosture, match="stretched or folded in sample 0"):
            ik2_rates(0.3, 0.4, np.array([[0.2, elbow]]), moving, moving)
    with pytest.raises(ConstraintRefused, match=r"reaches 0\.1 to 0\.7 m"):
        ik2(0.3, 0.4, np.array([[0.3, 0.0], [0.71, 0.0]]))
    with pytest.raises(SingularPosture, match="the shoulder itself"):
        ik2(0.3, 0.3, np.zeros((1, 2)))
    q = ik2(0.3, 0.4, np.array([[0.2, 0.3]]), elbow=-1)
    assert q[0, 1] < 0
    np.testing.assert_allclose(reach(0.3, 0.4, q), [[0.2, 0.3]], atol=1e-14)


def test_a_transmission_speeds_up_evenly_and_keeps_its_ratio():
    _, run = simulate("transmission", ["J1=0.02", "J2=0.32", "ratio=-0.25", "tau1=1", "tau2=2"])
    udd = (1.0 - 0.25 * 2.0) / (0.02 + 0.0625 * 0.32)
    np.testing.assert_allclose(run.q[:, 0], udd * run.time_s**2 / 2, atol=1e-9)
    np.testing.assert_allclose(run.q[:, 1], -0.25 * run.q[:, 0], atol=1e-12)
    assert np.abs(run.imbalance_j()).max() < 1e-9


def test_row_0_5_the_sticks_end_where_the_angles_put_the_bars():
    from gaitdyn.plots.marks import Line
    from gaitdyn.plots.simulation import simulation_sheets

    _, run = simulate("double-pendulum", duration_s=1.0)
    a, b = run.q.T
    joint = np.stack((np.sin(a), -np.cos(a)), axis=-1)
    end = joint + 0.5 * np.stack((np.sin(b), -np.cos(b)), axis=-1)
    np.testing.assert_allclose(run.sticks[0][:, 1], joint, atol=1e-14)
    np.testing.assert_allclose(run.sticks[0][:, 2], end, atol=1e-14)
    sheets = simulation_sheets("double-pendulum", run)
    lines = [mark for mark in sheets["sticks"].marks if isinstance(mark, Line)]
    drawn = [line.points for line in lines if line.name == "body"]
    assert len(drawn) == 13
    rods = np.array([np.linalg.norm(np.diff(line, axis=0), axis=1) for line in drawn])
    np.testing.assert_allclose(rods[:, 0] / rods[:, 1], 2.0, rtol=1e-9)  # one scale both ways


@pytest.mark.parametrize(("seconds", "shown"), [(4.0, "0 to 4 s"), (6.0, "0 to 2 s")])
def test_the_sticks_of_a_long_run_are_those_of_its_first_two_seconds(seconds, shown):
    from gaitdyn.plots.marks import TextLine
    from gaitdyn.plots.simulation import simulation_sheets

    _, run = simulate("double-pendulum", duration_s=seconds, rate_hz=50.0)
    words = [m.text for m in simulation_sheets("x", run)["sticks"].marks if isinstance(m, TextLine)]
    assert any(text.startswith(shown) for text in words)


def test_the_sticks_of_a_run_with_few_samples_are_those_of_the_first_two() -> None:
    from gaitdyn.plots.marks import TextLine
    from gaitdyn.plots.simulation import simulation_sheets

    _, run = simulate("sliding-block", duration_s=20.0, rate_hz=0.4)
    words = [m.text for m in simulation_sheets("x", run)["sticks"].marks if isinstance(m, TextLine)]
    assert "0 to 2.5 s, every 2.5 s; dashed: path of the last point" in words


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_names_its_units_and_stays_on_its_sheet(name):
    from gaitdyn.plots.marks import TextLine
    from gaitdyn.plots.simulation import simulation_sheets

    words = ["muscles=yes", "motion=joint"] if name == "two-link" else []
    asked: dict[str, Any] = COARSE if name == "two-link" else {"duration_s": 0.05}
    _, run = simulate(name, words, rate_hz=100.0, **asked)
    sheets = simulation_sheets(name, run)
    assert "energy" in sheets
    assert ("sticks" in sheets) == (name != "transmission")
    for kind, sheet in sheets.items():
        texts = [mark for mark in sheet.marks if isinstance(mark, TextLine)]
        labels = {mark.text for mark in texts}
        assert any(text.endswith((", m", ", J")) or ", " in text for text in labels), kind
        assert ("time, s" in labels) == (kind != "sticks")
        for mark in sheet.marks:
            points = getattr(mark, "points", None)
            if points is not None:
                assert (points >= -0.01).all(), kind
                assert (points <= np.array([sheet.width_mm, sheet.height_mm]) + 0.01).all(), kind


@pytest.mark.slow
def test_the_systems_run_without_sympy_and_derivations_say_how_to_get_it():
    code = (
        "import sys; sys.modules['sympy'] = None\n"
        "from gaitdyn.multibody.systems import NAMES, simulate\n"
        "for name in NAMES: simulate(name, duration_s=0.02, rate_hz=100.0)\n"
        "from gaitdyn.errors import ExtraMissing\n"
        "from gaitdyn.multibody.symbolic import double_pendulum, two_link\n"
        "for derive in (double_pendulum, two_link):\n"
        "    try: derive()\n"
        "    except ExtraMissing as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.count("pip install 'gaitdyn[symbolic]'") == 2


def test_a_contact_of_the_arm_is_the_force_of_its_finger_tip():
    _, run = simulate("two-link", ["motion=joint", "fx=5", "fy=-20"])
    tree = arm_tree(run.used)
    tip = np.array([run.used["l2"], 0.0, 0.0])
    push = AppliedWrench("fore", tip, np.array([5.0, -20.0, 0.0]), frame="body")
    again = tree.inverse(run.q, run.qd, accelerations("joint", run), [push])
    np.testing.assert_allclose(again.tau, run.tables[0].values[:, :2], atol=1e-9)


def test_a_wheel_that_turns_more_than_half_a_turn_between_samples_keeps_its_angle():
    _, fine = simulate("transmission", ["qd1=10"], duration_s=2.0, rate_hz=100.0)
    _, run = simulate("transmission", ["qd1=10"], duration_s=2.0, rate_hz=1.0)
    np.testing.assert_allclose(run.q, fine.q[::100], atol=1e-9)
    assert run.notes == ("largest gap of the loop 0.0e+00 rad",)


def test_a_block_that_never_slides_is_at_rest_from_the_start():
    _, run = simulate("sliding-block", ["u=10", "v0=0"])
    assert run.notes == ("the block is at rest from 0 s on",)


@pytest.mark.parametrize(
    ("words", "note"),
    [
        (["u=0", "v0=3.924"], ("the block is at rest from 1 s on",)),  # 0.4 of 9.81 m/s2
        (["u=0", "v0=-3.924"], ("the block is at rest from 1 s on",)),
        (["u=0", "v0=39.24"], ()),  # it stops after the run
        (["u=30", "v0=-1"], ()),  # it stops, and slides back
        (["u=19.62", "v0=1"], ()),  # the push is that of the friction
    ],
)
def test_when_a_block_comes_to_rest_does_not_depend_on_the_samples(
    words: list[str], note: tuple[str, ...]
) -> None:
    for rate_hz in (0.5, 3.0, 100.0):
        assert simulate("sliding-block", words, duration_s=8.0, rate_hz=rate_hz)[1].notes == note


def test_the_note_on_the_printed_run_has_the_step_that_was_used():
    _, run = simulate(
        "double-pendulum", duration_s=0.1, rate_hz=10.0, as_published=True,
        integrator="euler", step_s=0.001,
    )  # fmt: skip
    assert run.notes[0].startswith("as published: explicit Euler with 1 ms, and m2 g l2")


@pytest.mark.parametrize(
    ("name", "word", "given"),
    [
        ("double-pendulum", "omega1=1e200", {}),
        ("double-pendulum", "omega1=1e150", {"integrator": "euler", "step_s": 0.1}),
        ("one-link", "m=1e308", {}),
        ("sliding-block", "v0=1e300", {}),
    ],
)
def test_a_motion_beyond_all_numbers_is_refused(name: str, word: str, given: dict[str, Any]):
    with pytest.raises(SimulationRefused, match="beyond all numbers"):
        simulate(name, [word], duration_s=2.0, rate_hz=10.0, **given)


def test_the_energy_of_a_link_on_a_given_path_checks_its_torque(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = ["motion=inverse", "q1=0", "fx=30", "fy=-10"]
    _, run = simulate("one-link", words)
    assert np.ptp(run.energy_j) > 600.0  # the centre of mass rises by about 0.9 m
    assert np.abs(run.imbalance_j()).max() < 1e-9
    right = Link.torque
    monkeypatch.setattr(Link, "torque", lambda *given: right(*given) + 5.0)
    _, wrong = simulate("one-link", words)
    turn = 1.3707963267948966
    assert wrong.imbalance_j()[-1] == pytest.approx(-5.0 * turn)


@pytest.mark.parametrize(
    ("name", "words", "published"),
    [("one-link", ["motion=inverse"], False), ("two-link", ["motion=fast"], True)],
)
def test_an_integrator_that_a_motion_does_not_need_is_told_not_to_be_used(name, words, published):
    note = "Radau is not used: this motion is not integrated"
    _, run = simulate(name, words, as_published=published, integrator="radau")
    assert note in run.notes
    _, plain = simulate(name, words, as_published=published)
    assert note not in plain.notes
