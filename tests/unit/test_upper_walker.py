"""The walker with trunk, head and arms: angles, loads, centre of mass and closure are known.

The truth comes from closed forms of time and from the momentum of everything beyond a joint.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from walkers.arm_markers import WIDTHS_MM
from walkers.upper import Upper, momentum_rates, with_upper

from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.cycles.upper_heading import headed_upper
from gaitdyn.errors import ResultsRefused
from gaitdyn.explain import free_body, leg_of_result
from gaitdyn.explain.chain_at import LIMBS
from gaitdyn.kinematics.derivatives import angular_motion
from gaitdyn.metrics.upper_parameters import upper_parameters
from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic import Course, Recording, Walk, Walker, write_trial
from gaitdyn.types.options import Options
from gaitdyn.upper.whole_body import UPPER_SHARE, body_share
from tests.walks import curve_values, every_digit, stand, walk

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.trial import Result

Array = np.ndarray[Any, np.dtype[np.float64]]
SIDES = ("left", "right")
ASKED = Recording(rate_hz=200.0, analog_ratio=5)
MIDDLE = Walker(course=Course(start_m=(-2.2, 0.0, 0.0)))
RAW = {"cutoff_hz": None, "force_cutoff_hz": None}
WORDS = {
    "shoulder": (("extension", 2, -1.0), ("adduction", 0, -1.0), ("external_rotation", 1, 1.0)),
    "elbow": (("extension", 2, -1.0),),
    "wrist": (("extension", 2, -1.0), ("adduction", 0, -1.0), ("external_rotation", 1, 1.0)),
    "waist": (("extension", 2, 1.0), ("lateral", 0, -1.0), ("rotation", 1, -1.0)),
}
SEGMENT = {"shoulder": "upper_arm", "elbow": "forearm", "wrist": "hand"}


def subject(folder: Path) -> str:
    lines = "\n".join(f"{key} = {value}" for key, value in WIDTHS_MM.items())
    text = "".join(f"[subject.{side}]\n{lines}\n" for side in SIDES)
    (folder / "subject.toml").write_text(f"[subject]\n{text}", encoding="utf-8")
    return str(folder / "subject.toml")


def processed(folder: Path, trial: Walk, still: Walk, **options: Any) -> Result:
    """Process files that keep every digit."""
    write_trial(folder / "static.c3d", still)
    write_trial(folder / "walk.c3d", trial, stream=1)
    with every_digit(trial, still):
        beside: dict[str, Any] = {"static": str(folder / "static.c3d"), "subject": subject(folder)}
        return process_trial(folder / "walk.c3d", Options(**(beside | options)))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Walk, Upper, Result]:
    """Return the walk at 200 Hz without any filter, its truth and its result."""
    trial, upper = with_upper(walk(MIDDLE, ASKED))
    still, _ = with_upper(stand(MIDDLE, replace(ASKED, events=False)))
    return trial, upper, processed(tmp_path_factory.mktemp("upper"), trial, still, **RAW)


@pytest.fixture(scope="module")
def found(whole: tuple[Walk, Upper, Result]) -> dict[str, Array]:
    return curve_values(whole[2])


INSIDE = slice(20, -20)
"""Natural splines are worse at the ends of a recording than anywhere else."""


def worst(found: Array, true: Array) -> float:
    off = np.abs(found - true)[INSIDE]
    assert np.isfinite(off).sum() > 0.6 * len(off)
    return float(np.nanmax(off))


def test_every_angle_is_true(whole: tuple[Walk, Upper, Result], found: dict[str, Array]) -> None:
    _, upper, _ = whole
    errors = {name: worst(found[name], true) for name, true in upper.angles.items()}
    assert max(errors.values()) < 1e-9, errors


@pytest.mark.parametrize("side", SIDES)
def test_in_the_direction_of_the_trial_trunk_and_margins_are_those_of_the_trial(
    whole: tuple[Walk, Upper, Result], found: dict[str, Array], side: str
) -> None:
    result, rows = whole[2], slice(20, 300)
    assert result.upper is not None
    stance = result.sides[side].stance
    columns = headed_upper(result.upper, side, rows, result.pose.walking_G, stance)
    assert {"trunk_angle_obliquity", "head_angle_rotation", "margin_of_stability_lateral"} <= set(
        columns
    )
    for name, values in columns.items():
        assert np.isfinite(values).any()
        np.testing.assert_allclose(values, found[f"{side}_{name}"][rows], atol=1e-9)


def test_the_standing_head_is_level(whole: tuple[Walk, Upper, Result]) -> None:
    """The markers of the head lean; the static says by how much."""
    upper = whole[2].upper
    assert upper is not None
    assert upper.pose.head is not None
    assert abs(upper.pose.head.offset_rad) > 0.1
    assert worst(upper.pose.head.R_GS.ravel(), whole[1].segments["head"].R_GS.value.ravel()) < 1e-12


def test_every_moment_of_the_arms_and_the_waist_is_true(
    whole: tuple[Walk, Upper, Result], found: dict[str, Array]
) -> None:
    _, upper, _ = whole
    errors = {}
    for side in SIDES:
        sg = 1.0 if side == "left" else -1.0
        for joint, words in WORDS.items():
            name = joint if joint == "waist" else f"{side}_{joint}"
            segment = "thorax" if joint == "waist" else f"{side}_{SEGMENT[joint]}"
            moment = np.einsum(
                "nji,nj->ni", upper.segments[segment].R_GS.value, upper.load(name)[1]
            )
            for word, axis, factor in words:
                mirrored = 1.0 if word == "extension" else sg
                column = f"{side}_{joint}_moment_{word}"
                errors[column] = worst(found[column], factor * mirrored * moment[:, axis])
    assert max(errors.values()) < 5e-5, errors


def test_the_power_of_the_waist_is_that_of_the_thorax_against_the_pelvis(
    whole: tuple[Walk, Upper, Result], found: dict[str, Array]
) -> None:
    trial, upper, result = whole
    rate = trial.recording.rate_hz
    R_GT = upper.segments["thorax"].R_GS.value
    spin = [(R @ angular_motion(R, rate)[0][..., None])[..., 0] for R in (R_GT, result.pose.R_GP)]
    power = np.einsum("ni,ni->n", upper.load("waist")[1], spin[0] - spin[1])
    assert worst(found["waist_power"], power) < 1e-3
    assert np.ptp(power[INSIDE]) > 5.0


def test_the_masses_above_the_hips_are_what_the_legs_leave() -> None:
    assert body_share([0.161, 0.161]) == pytest.approx(1.0)
    assert body_share([0.2, 0.1]) == pytest.approx(0.7 / UPPER_SHARE)
    assert body_share([]) == 1.0


def test_the_profile_without_free_bodies_of_arms_is_named(
    whole: tuple[Walk, Upper, Result],
) -> None:
    result = whole[2]
    assert result.upper is not None
    options = replace(result.options, profile="plug-in-gait")
    bare = replace(result, upper=replace(result.upper, chains={}))
    with pytest.raises(ResultsRefused, match="plug-in-gait has no free body of an arm; process"):
        leg_of_result(replace(bare, options=options), "left", LIMBS[1])
    with pytest.raises(ResultsRefused, match=r"no loads of the left arm; name a segment of a leg$"):
        leg_of_result(bare, "left", LIMBS[1])


@pytest.mark.parametrize("segment", [0, 1, 2])
def test_the_free_body_of_an_arm_adds_up_to_its_true_load(
    segment: int, whole: tuple[Walk, Upper, Result]
) -> None:
    _, upper, result = whole
    arm = leg_of_result(result, "left", LIMBS[1])
    body = free_body(arm, segment, int(arm.frame[len(arm.frame) // 2]))
    force, moment = upper.load(f"left_{body.proximal}")
    row = arm.row(body.frame)
    assert np.abs(body.force_residual_G).max() < 1e-10
    assert np.abs(body.moment_residual_S).max() < 1e-10
    assert body.neighbours[1] == ("forearm", "upper arm", "thorax")[segment]
    np.testing.assert_allclose(body.proximal_G, force[row], atol=5e-4)
    np.testing.assert_allclose(body.R_GS @ body.proximal_moment_S, moment[row], atol=5e-5)


def test_the_waist_is_the_momentum_of_everything_above_it(
    whole: tuple[Walk, Upper, Result],
) -> None:
    """Another route than the recursion: one sum over eight segments."""
    _, upper, result = whole
    assert result.upper is not None
    waist = result.upper.joints["waist"]
    force, moment = upper.load("waist")
    assert waist.published[INSIDE].all()
    assert np.abs(waist.force_G - force)[INSIDE].max() < 3e-4
    assert np.abs(waist.moment_G - moment)[INSIDE].max() < 5e-5


def test_the_centre_of_mass_is_true(
    whole: tuple[Walk, Upper, Result], found: dict[str, Array]
) -> None:
    trial, upper, _ = whole
    mass = trial.walker.body.mass_kg
    parts = upper.segments.values()
    total = np.sum([one.mass * one.centre.value for one in parts], axis=0)
    speed = np.sum([one.mass * one.centre.rate for one in parts], axis=0)
    for side in SIDES:
        motion = trial.leg(side).motion  # type: ignore[arg-type]
        total = total + np.einsum("s,nsi->ni", motion.mass, motion.r_cm_G)
        speed = speed + np.einsum("s,nsi->ni", motion.mass, motion.v_cm_G)
    for i, axis in enumerate("xyz"):
        assert worst(found[f"com_{axis}"], 1000.0 * total[:, i] / mass) < 1e-6
        assert worst(found[f"com_velocity_{axis}"], speed[:, i] / mass) < 1e-6


def test_the_closure_is_what_ground_and_motion_of_the_body_leave(
    whole: tuple[Walk, Upper, Result], found: dict[str, Array]
) -> None:
    """The walker's ground forces are drawn, not derived: what is left is known exactly."""
    trial, upper, _ = whole
    at = upper.joints["waist"].value
    force, moment = np.zeros_like(at), np.zeros_like(at)
    for one in upper.segments.values():
        thrust, spin = momentum_rates(one)
        force -= thrust
        moment -= spin + np.cross(one.centre.value - at, thrust)
    known = np.ones(len(at), bool)
    for side in SIDES:
        leg = trial.leg(side)  # type: ignore[arg-type]
        hip = leg.motion.r_prox_G[:, 2]
        # what the pelvis puts on the thighs
        force -= leg.joints.force_G[:, 2]
        moment -= leg.joints.moment_G[:, 2] + np.cross(hip - at, leg.joints.force_G[:, 2])
        known &= leg.known
    for i, axis in enumerate("xyz"):
        for word, true in (("force", force), ("moment", moment)):
            off = np.abs(found[f"waist_closure_{word}_{axis}"] - true[:, i])[INSIDE][known[INSIDE]]
            assert np.isfinite(off).sum() > 50
            assert np.nanmax(off) < 1e-2, (word, axis)


def test_the_margin_of_stability_is_hofs(
    whole: tuple[Walk, Upper, Result], found: dict[str, Array]
) -> None:
    trial, _, result = whole
    com, speed = (
        np.stack([found[f"{name}_{axis}"] for axis in "xyz"], axis=1)
        for name in ("com", "com_velocity")
    )
    for side in SIDES:
        heel, toe = result.feet[side]
        ankle = trial.leg(side).motion.r_prox_G[:, 0]  # type: ignore[arg-type]
        length = np.linalg.norm(com / 1000.0 - ankle, axis=1, keepdims=True)
        ahead = com / 1000.0 + speed / np.sqrt(9.80665 / length)
        tip = heel + 1.3 * (toe - heel)
        stance = result.sides[side].stance
        forward = 1000.0 * (tip - ahead)[:, 0]
        out = -1.0 if side == "left" else 1.0
        lateral = out * (toe - ahead)[:, 2] + 0.18 * np.linalg.norm(tip - heel, axis=1)
        for word, true in (("forward", forward), ("lateral", 1000.0 * lateral)):
            column = found[f"{side}_margin_of_stability_{word}"]
            assert not np.isfinite(column[~stance]).any()
            rows = np.isfinite(column)
            assert rows.sum() > 100
            np.testing.assert_allclose(column[rows], true[rows], atol=1e-3)
        # a walker falls forward over the foot and stays inside of its border
        assert np.nanmin(found[f"{side}_margin_of_stability_lateral"]) > 0


def test_the_margin_of_a_cycle_is_that_at_the_strike_itself(
    whole: tuple[Walk, Upper, Result], found: dict[str, Array]
) -> None:
    """The first frame in which the foot stands is up to a frame later: 6 mm at 1.2 m/s."""
    trial, _, result = whole
    table = result.gait_parameters()
    com, speed = (
        np.stack([found[f"{name}_{axis}"] for axis in "xyz"], axis=1)
        for name in ("com", "com_velocity")
    )
    for side in SIDES:
        heel, toe = result.feet[side]
        ankle = trial.leg(side).motion.r_prox_G[:, 0]  # type: ignore[arg-type]
        length = np.linalg.norm(com / 1000.0 - ankle, axis=1, keepdims=True)
        ahead = com / 1000.0 + speed / np.sqrt(9.80665 / length)
        forward = (heel + 1.3 * (toe - heel) - ahead)[:, 0]
        mine = table[(table.side == side) & (table.quantity == "margin_of_stability_forward")]
        for cycle, value in zip(find_cycles(result, side), mine.value, strict=True):
            true = np.interp(cycle.start_row, np.arange(len(forward)), forward)
            assert value == pytest.approx(true, abs=1e-3, nan_ok=True)
        assert mine.value.notna().any()


def test_masses_add_up_to_the_body(whole: tuple[Walk, Upper, Result]) -> None:
    from gaitdyn.upper.vendor import MASS
    from gaitdyn.upper.whole_body import UPPER_SHARE

    assert pytest.approx(0.678) == UPPER_SHARE
    assert sum(MASS.values()) + sum(MASS[n] for n in ("hand", "forearm", "upper_arm")) == (
        pytest.approx(UPPER_SHARE)
    )
    legs = sum(whole[0].leg(side).motion.mass.sum() for side in SIDES)  # type: ignore[arg-type]
    upper = sum(one.mass for one in whole[1].segments.values())
    assert legs + upper == pytest.approx(whole[0].walker.body.mass_kg)


def test_the_numbers_of_trunk_and_centre_of_mass_have_rows(
    whole: tuple[Walk, Upper, Result],
) -> None:
    trial, upper, result = whole
    mass = trial.walker.body.mass_kg
    com = np.sum([one.mass * one.centre.value for one in upper.segments.values()], axis=0)
    for side in SIDES:
        motion = trial.leg(side).motion  # type: ignore[arg-type]
        com = com + np.einsum("s,nsi->ni", motion.mass, motion.r_cm_G)
    table = result.gait_parameters()
    rows: dict[tuple[Any, ...], Any] = {
        (q.side, q.cycle, q.quantity): q.value for q in table.itertuples()
    }
    for side in SIDES:
        for cycle in find_cycles(result, side):
            part = np.asarray(com)[round(cycle.start_row) : round(cycle.stop_row) + 1] / mass
            key = side, cycle.number
            assert rows[*key, "com_excursion_vertical"] == pytest.approx(
                np.ptp(part[:, 1]), abs=1e-4
            )
            assert rows[*key, "com_excursion_lateral"] == pytest.approx(
                np.ptp(part[:, 2]), abs=2e-3
            )
            steps = np.linalg.norm(np.diff(part, axis=0), axis=1).sum()
            assert rows[*key, "com_path_length"] == pytest.approx(steps, abs=5e-3)
            assert rows[*key, "margin_of_stability_lateral"] > 0
    peaks: dict[tuple[Any, ...], Any] = {
        (q.quantity, q.side): q.value for q in result.peaks().itertuples()
    }
    assert peaks["trunk_angle_tilt_mean", "left"] == pytest.approx(
        np.degrees(-0.10 + 0.15075), abs=0.5
    )
    assert peaks["trunk_angle_tilt_mean", "left"] < peaks["trunk_angle_tilt_max", "left"]
    assert "com_path_length" in table.attrs["quantities"]


def test_the_path_of_the_centre_of_mass_is_the_same_on_a_belt(
    whole: tuple[Walk, Upper, Result],
) -> None:
    """The walk is seen from a frame that moves with it, and drifts to the right in it."""
    result = whole[2]
    upper = result.upper
    assert upper is not None
    assert upper.com_G is not None
    ground = result.time_s[:, None] * np.array([-1.2, 0.0, 0.1])
    pose = replace(result.pose, origin_G=result.pose.origin_G + ground)
    still = replace(upper, com_G=upper.com_G + ground)
    belt = replace(result, pose=pose, upper=still, travel=dict.fromkeys(SIDES, ground))
    for side in SIDES:
        for cycle in find_cycles(result, side):
            floor = upper_parameters(result, upper, cycle)
            assert upper_parameters(belt, still, cycle) == pytest.approx(floor, abs=1e-9)


def test_the_moving_figure_has_the_whole_body(whole: tuple[Walk, Upper, Result]) -> None:
    from gaitdyn.store.view import stick_figure

    figure = stick_figure(whole[2])
    drawn = {
        group: {figure["points"][i] for row in rows for i in row}
        for group, rows in figure["lines"].items()
    }
    assert {"neck", "crown", "forehead", "mid hip"} <= drawn["pelvis"]
    for side in SIDES:
        assert {f"{side} {place}" for place in ("shoulder", "elbow", "wrist", "hand")} <= drawn[
            side
        ]


def test_a_results_folder_keeps_the_upper_body(
    whole: tuple[Walk, Upper, Result], tmp_path: Path
) -> None:
    from gaitdyn.trial import read_results

    document = whole[2].save(tmp_path / "out")
    again = read_results(tmp_path / "out")
    assert "CLAV" in document["model"]["upper"]["landmarks"]["thorax"]
    assert again.upper is not None
    assert whole[2].upper is not None
    np.testing.assert_array_equal(again.upper.com_G, whole[2].upper.com_G)
    np.testing.assert_array_equal(
        again.upper.joints["waist"].moment_G, whole[2].upper.joints["waist"].moment_G
    )


def test_generalised_coordinates_are_a_third_route_to_waist_and_shoulders(
    whole: tuple[Walk, Upper, Result], found: dict[str, Array]
) -> None:
    """And the residual at the pelvis is the closure at the waist, the other way round."""
    from gaitdyn.dynamics.segment_tree import generalised_loads, measured_tree
    from gaitdyn.dynamics.whole_body import pelvis_motion
    from gaitdyn.stages.mechanism import find_mechanism, rigid_legs
    from gaitdyn.upper.hung import upper_tree

    _, upper, result = whole
    mass = result.subject.mass_kg or 0.0
    assert result.upper is not None
    chains = {side: leg.loads.chain for side, leg in rigid_legs(result).items()}
    legs = [float(chain.mass.sum()) for chain in chains.values()]
    tree = upper_tree(result.upper.pose, result.pose, 0.014, mass, legs, 200.0)
    assert tree is not None
    pelvis = pelvis_motion(result.pose, 200.0)
    measured = measured_tree(pelvis, chains, tree)
    tau = generalised_loads(measured, chains).tau
    places = {
        "waist": "thorax",
        "neck": "head",
        "left_shoulder": "left_upper_arm",
        "right_elbow": "right_forearm",
        "left_wrist": "left_hand",
    }
    for joint, segment in places.items():
        rows = measured.rows(f"trunk_{segment}_")
        R = upper.segments[segment].R_GS.value
        true = np.einsum("nji,nj->ni", R, upper.load(joint)[1])
        off = np.abs(tau[:, rows] - true)[INSIDE]
        assert np.isfinite(off).sum() > 150, joint  # both feet on plates, or in the air
        assert np.nanmax(off) < 5e-5, joint
    mechanism = find_mechanism(result)
    assert mechanism is not None
    assert mechanism.residual is not None
    closure = np.stack([found[f"waist_closure_force_{axis}"] for axis in "xyz"], axis=1)
    other, closure = -mechanism.residual[INSIDE, :3], closure[INSIDE]
    rows = np.flatnonzero(np.isfinite(closure).all(axis=1))
    assert len(rows) > 50
    np.testing.assert_allclose(other[rows], closure[rows], atol=1e-6)
