"""Functional centres and axes: SCoRE and SARA on clusters whose centre is known."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from walkers.functional import hip_turns, moved

from gaitdyn.calibrate.functional import (
    _refuse_unclear,
    doubtful,
    find_functional,
    refuse_walking,
)
from gaitdyn.calibrate.functional_carried import (
    _refuse_outlier,
    axis_in,
    beside_condyles,
    carried,
    on_axis,
    shift_report,
)
from gaitdyn.calibrate.ladder.rules import JointRung
from gaitdyn.clean.smoothing import Filter, smooth
from gaitdyn.core.functional import (
    Cluster,
    cluster_poses,
    shared_axis,
    shared_point,
    turn_about,
    turns,
)
from gaitdyn.errors import FunctionalRefused, GaitdynError, UsageError
from gaitdyn.pipeline import process_loaded, process_trial
from gaitdyn.provenance.reproduce import reproduce
from gaitdyn.provenance.rerun import recorded_run
from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.rules.centre_rules import centre_rules
from gaitdyn.quality.sides import sides_of
from gaitdyn.report.tables.checklist import options_table
from gaitdyn.session import plan_session
from gaitdyn.stages.session import read_session
from gaitdyn.store.document import document_of
from gaitdyn.store.run_lines import run_lines
from gaitdyn.store.stored import read_trial
from gaitdyn.synthetic import write_trial
from gaitdyn.synthetic.jets import fixed_turn
from gaitdyn.types.functional import FunctionalTrial
from gaitdyn.types.motion import LegOffsets
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import SIDES, SIGN, Subject
from gaitdyn.types.trial import Trial
from gaitdyn.types.words import parse_functional
from tests.unit.walker_roles import in_roles, stood, walked, written

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.trial import Result
    from gaitdyn.types.subject import Side

HINGE = fixed_turn("z", np.radians(40.0) * np.sin(np.linspace(0.0, 20.0, 700)))


def fitted(turned: Any, noise_m: float, seed: int) -> tuple[Any, float, float]:
    """Return the fit of smoothed clusters, its error, mm, and its condition."""
    made = moved(turned, noise_m, seed)
    markers = np.concatenate((made.proximal, made.distal), axis=1)
    markers = smooth(markers, Filter(100.0))[0] if noise_m else markers
    one, two = cluster_poses(markers[:, :5]), cluster_poses(markers[:, 5:])
    fit = shared_point(one, two)
    middle = 0.5 * (one.R @ fit.first + one.t + two.R @ fit.second + two.t)
    off = 1000.0 * np.linalg.norm((middle - made.centre).mean(axis=0))
    return fit, float(off), fit.condition


def test_the_centre_of_two_clusters_without_noise_is_exact() -> None:
    fit, off, condition = fitted(hip_turns(700), 0.0, 0)
    assert off < 1e-9
    assert fit.residual_m < 1e-12
    assert condition < 10
    assert fit.frames == 700


@pytest.mark.slow
@pytest.mark.parametrize("wide", [(40.0, 35.0, 10.0), (30.0, 25.0, 8.0), (30.0, 18.5, 8.0)])
def test_two_millimetres_of_noise_move_the_centre_by_less_than_one(
    wide: tuple[float, float, float],
) -> None:
    found = [fitted(hip_turns(700, wide), 0.002, seed) for seed in range(20)]
    off = [one[1] for one in found]
    assert max(one[2] for one in found) < 10
    assert np.median(off) < 1.0
    assert max(off) < 2.0


@pytest.mark.parametrize("noisy", ["proximal", "distal"])
def test_noise_of_one_cluster_draws_the_centre_to_neither(noisy: str) -> None:
    made = moved(hip_turns(700))
    points = getattr(made, noisy)
    points += 0.003 * np.random.default_rng(0).normal(size=points.shape)
    one, two = cluster_poses(made.proximal), cluster_poses(made.distal)
    fit = shared_point(one, two)
    middle = 0.5 * (one.R @ fit.first + one.t + two.R @ fit.second + two.t)
    assert 1000 * np.linalg.norm((middle - made.centre).mean(axis=0)) < 1.5


def test_a_frame_with_a_missing_marker_is_left_out() -> None:
    made = moved(hip_turns(300))
    made.distal[:50, 2] = np.nan
    fit = shared_point(cluster_poses(made.proximal), cluster_poses(made.distal))
    assert fit.frames == 250
    assert fit.residual_m < 1e-12


def test_the_axis_of_a_hinge_is_its_direction_and_passes_through_its_centre() -> None:
    made = moved(HINGE)
    one, two = cluster_poses(made.proximal), cluster_poses(made.distal)
    fit = shared_axis(one, two)
    axis = one.R @ fit.first_axis
    assert np.abs(np.sum(axis * made.axis, axis=1)).min() > 1 - 1e-12
    away = one.R @ fit.first + one.t - made.centre
    assert np.linalg.norm(np.cross(away, made.axis), axis=1).max() < 1e-12
    assert fit.singular[5] < 1e-12 < fit.singular[4]
    assert np.degrees(turn_about(one, two, fit.first_axis)) == pytest.approx(80.0, abs=0.1)
    assert fit.apart_rad < 1e-6


def test_the_extent_of_a_movement_is_that_of_its_rotation_vector() -> None:
    made = moved(HINGE)
    wide = np.degrees(np.ptp(turns(*map(cluster_poses, (made.proximal, made.distal))), axis=0))
    assert np.sort(wide) == pytest.approx([0.0, 0.0, 80.0], abs=0.1)


def test_the_extent_of_a_movement_does_not_depend_on_the_posture_or_the_direction_of_its_axis() -> (
    None
):
    """A knee bent by 80 degrees beyond a posture far from the templates, in a thigh that turns."""
    rng, angle = np.random.default_rng(4), np.radians(40.0) * np.sin(np.linspace(0.0, 20.0, 700))
    axis = np.array([0.2, -0.5, 0.84])
    axis /= np.linalg.norm(axis)
    posture = Rotation.from_rotvec([1.1, -0.7, 0.9]).as_matrix()
    thigh = Rotation.from_rotvec(
        np.cumsum(0.05 * rng.standard_normal((700, 3)), axis=0)
    ).as_matrix()
    shank = thigh @ Rotation.from_rotvec(angle[:, None] * axis).as_matrix() @ posture
    one, two = (
        Cluster(rng.standard_normal((4, 3)), R, np.zeros((700, 3)), 0.0) for R in (thigh, shank)
    )
    assert turn_about(one, two, axis) == pytest.approx(np.ptp(angle))
    assert np.ptp(turns(one, two), axis=0) == pytest.approx([np.ptp(angle), 0.0, 0.0], abs=1e-9)


def test_the_extent_of_a_movement_does_not_depend_on_the_laboratory() -> None:
    made = moved(hip_turns(700))
    wide = []
    for angle in (0.0, 0.6):
        R = fixed_turn("y", np.array([angle]))[0]
        points = (markers @ R for markers in (made.proximal, made.distal))
        wide.append(np.ptp(turns(*map(cluster_poses, points)), axis=0))
    assert wide[0] == pytest.approx(wide[1], rel=1e-9)
    assert wide[0][0] == pytest.approx(np.radians(80.0), rel=0.1)


def trial(turned: Any, joint: Any = "hip", frames: int | None = None) -> FunctionalTrial:
    """Return clusters under the names of pelvis and thigh, or of thigh and shank."""
    made = moved(turned)
    first = ["LASI", "RASI", "LPSI", "RPSI", "SACR"] if joint == "hip" else names("LTH")
    labels = (*first, *names("LTH" if joint == "hip" else "LSK"))
    markers = np.concatenate((made.proximal, made.distal), axis=1)[:frames]
    read = Recording("func.c3d", "", 100.0, 1, 1, labels, markers, {}, (), (), Subject())
    return FunctionalTrial(joint, "left", read, dict(enumerate(labels)))


def names(stem: str) -> list[str]:
    return [f"{stem}{i}" for i in range(1, 6)]


def test_a_hip_is_found_and_says_how_well() -> None:
    found = find_functional(trial(hip_turns(700)))
    assert found.labels == ("LASI", "RASI", "LPSI", "RPSI")
    assert found.distal == tuple(names("LTH"))
    assert found.residual_m < 1e-9
    assert found.halves_m < 1e-9
    assert "condition 5" in found.words


def test_a_fit_beyond_a_limit_is_refused_and_a_weak_hip_is_doubted() -> None:
    """Points 10 mm, markers 6 and halves 20 mm apart are the most; a last value of 0.06 is sure."""
    asked = trial(hip_turns(700))
    found = find_functional(asked)
    for field, most, said in (
        ("residual_m", 0.010, "the two points of a frame 10.1 mm apart; wanted 10 mm"),
        ("cluster_m", 0.006, "the markers from a rigid cluster 6.1 mm apart; wanted 6 mm"),
        ("halves_m", 0.020, "the results of both halves 20.1 mm apart; wanted 20 mm"),
    ):
        below, above = (dict[str, Any]({field: most + by}) for by in (-1e-4, 1e-4))
        _refuse_unclear(asked, replace(found, **below))
        with pytest.raises(FunctionalRefused, match=said):
            _refuse_unclear(asked, replace(found, **above))
    for joint, last, warned in (("hip", 0.05, True), ("hip", 0.07, False), ("knee", 0.05, False)):
        singular = np.array([0.8, 0.8, 0.8, 0.3, 0.2, last])
        told = doubtful(replace(found, joint=joint, singular=singular))
        assert [(f.code, f.scope, f.value) for f in told] == [
            ("functional-doubtful", "left hip", last)
        ] * warned


def test_the_halves_are_those_of_the_frames_that_show_both_segments() -> None:
    """A marker that is lost after half of the trial left three frames for the second half."""
    one = trial(hip_turns(700))
    markers = one.recording.markers_L.copy()
    markers[353:, one.recording.labels.index("LTH5")] = np.nan
    found = find_functional(replace(one, recording=replace(one.recording, markers_L=markers)))
    assert found.distal == tuple(names("LTH"))
    assert found.halves_m < 1e-9


def test_a_knee_is_found_and_says_how_well() -> None:
    found = find_functional(trial(HINGE, "knee"))
    assert abs(found.axis[2]) > 1 - 1e-9
    assert "80 degrees about it" in found.words


@pytest.mark.parametrize(
    ("turned", "joint", "frames", "said"),
    [
        (np.tile(np.eye(3), (700, 1, 1)), "hip", None, "shows no centre.*wanted 0.03 or more"),
        (HINGE, "hip", None, "shows no centre"),
        (hip_turns(700), "knee", None, "no hinge"),
        (HINGE[:240], "knee", None, r"240 frames \(2.4 s\)"),
        (fixed_turn("z", 0.3 * np.sin(np.linspace(0, 20, 700))), "knee", None, "34 degrees about"),
    ],
    ids=["still", "hinge-as-hip", "hip-as-knee", "short", "narrow"],
)
def test_a_movement_that_does_not_show_its_joint_is_refused(
    turned: Any, joint: Any, frames: int | None, said: str
) -> None:
    with pytest.raises(FunctionalRefused, match=said) as error:
        find_functional(trial(turned, joint, frames))
    assert "\n" not in str(error.value)
    assert "wanted" in str(error.value)


def test_two_markers_of_a_thigh_are_too_few_and_are_named() -> None:
    one = trial(hip_turns(700))
    few = replace(
        one, roles={i: r for i, r in one.roles.items() if r not in ("LTH3", "LTH4", "LTH5")}
    )
    with pytest.raises(FunctionalRefused, match="LTH1, LTH2 on the thigh; wanted three"):
        find_functional(few)


def test_markers_at_the_knee_serve_only_where_the_thigh_has_not_three() -> None:
    one = trial(hip_turns(700))
    knee = {5: "LTH1", 6: "LTH2", 7: "LKNE", 8: "LKNM", 9: "LGTR"}
    with_knee = replace(one, roles={**dict(list(one.roles.items())[:5]), **knee})
    found = find_functional(with_knee)
    assert found.distal == ("LTH1", "LTH2", "LTH3", "LTH4")  # places 5 to 8: no trochanter


def test_a_hip_whose_other_leg_moves_as_well_is_refused() -> None:
    one = trial(hip_turns(700))
    right = [f"RTH{i}" for i in range(1, 6)]
    read = one.recording
    both = replace(
        read,
        labels=(*read.labels, *right),
        markers_L=np.concatenate((read.markers_L, read.markers_L[:, 5:] + [0, 0, 0.2]), axis=1),
    )
    roles = one.roles | {10 + i: label for i, label in enumerate(right)}
    with pytest.raises(FunctionalRefused, match="a right hip that moves as the left one"):
        find_functional(replace(one, recording=both, roles=roles))


def test_a_person_who_walks_is_refused() -> None:
    one = trial(hip_turns(700))
    markers = one.recording.markers_L + np.linspace(0, 3, 700)[:, None, None] * [1.0, 0.0, 0.0]
    with pytest.raises(FunctionalRefused, match="walks"):
        refuse_walking(replace(one, recording=replace(one.recording, markers_L=markers)))


def test_a_result_is_carried_by_the_markers_that_both_recordings_have() -> None:
    found = find_functional(trial(HINGE, "knee"))
    turned = fixed_turn("y", 0.5)
    at = found.places @ turned.T + [1.0, 2.0, 3.0]
    places = {label: place[None] for label, place in zip(found.labels, at, strict=True)}
    point, axis = axis_in(found, places, turned @ found.axis, "static")
    assert axis[0] == pytest.approx(turned @ found.axis)
    assert point[0] == pytest.approx(turned @ found.point + [1.0, 2.0, 3.0])
    few = {x: places[x] for x in found.labels[:2]}
    with pytest.raises(FunctionalRefused, match="LTH1, LTH2 of its thigh"):
        carried(found, few, "static")
    places[found.labels[0]] = places[found.labels[0]] + 0.1
    with pytest.raises(FunctionalRefused, match="same places"):
        carried(found, places, "static")


def test_an_axis_is_compared_with_the_line_of_the_condyles() -> None:
    """Condyles turned by 10 degrees about the long axis, their middle 8 mm in front of the axis."""
    found = find_functional(trial(HINGE, "knee"))
    z = found.axis * np.sign(found.axis[2])
    x = np.cross([0.0, 1.0, 0.0], z) / np.linalg.norm(np.cross([0.0, 1.0, 0.0], z))
    line = np.cos(np.radians(10.0)) * z + np.sin(np.radians(10.0)) * x
    middle = found.point + 0.03 * z + 0.008 * x  # along the axis nothing counts
    markers = np.stack((*found.places, middle - 0.05 * line, middle + 0.05 * line))[None]
    labels = (*found.labels, "LKNE", "LKNM")
    read = Recording("still.c3d", "", 100.0, 1, 1, labels, markers, {}, (), (), Subject())
    base = Trial(read, np.eye(3), labels, markers, ())
    angle, off = beside_condyles(found, base, "LKNE", "LKNM")
    assert np.degrees(angle) == pytest.approx(10.0)
    assert off == pytest.approx(0.008)
    places = {label: markers[0, i] for i, label in enumerate(labels)}
    knee = on_axis(JointRung(middle, -line, None), found, places, -line)
    np.testing.assert_allclose(knee.centre, found.point + 0.03 * z, atol=1e-12)
    assert knee.outward is not None
    np.testing.assert_allclose(knee.outward, -z, atol=1e-12)


def test_the_shift_says_forward_up_and_out_of_the_side() -> None:
    found = find_functional(trial(hip_turns(700)))
    said, findings = shift_report(
        found, np.array([-0.06, -0.08, -0.10]), {"Harrington": np.array([-0.07, -0.12, -0.09])}
    )
    shift = "42.4 mm from Harrington (-70, -120, -90): 10 mm forward, 40 mm up, 10 mm out"
    assert shift in said  # left is -z
    assert [f.code for f in findings] == ["functional-centre", "functional-far"]
    assert findings[1].value == pytest.approx(10.0 * np.sqrt(18.0))


@pytest.mark.parametrize("side", SIDES)
def test_the_near_limits_of_a_hip_are_those_of_its_pelvis(side: Side) -> None:
    """100 to 20 mm back, 50 to 130 down, 60 to 120 outward at 240 mm; nearer for a child alone."""
    found, outward = replace(find_functional(trial(hip_turns(700))), side=side), -SIGN[side]
    near, far = np.array([-0.021, -0.051, 0.061]), np.array([-0.099, -0.129, 0.119])
    for width_m, centre, fits in (
        (0.24, near, True), (0.24, far, True), (0.16, near / 1.5, True), (0.16, far, True),
        (0.24, near / 1.5, False), (0.30, near, True), (0.30, near / 1.1, False),
        (0.24, far * [1.02, 1.0, 1.0], False), (0.24, far * [1.0, 1.02, 1.0], False),
        (0.24, far * [1.0, 1.0, 1.02], False), (0.24, far * [1.0, 1.0, -1.0], False),
        (0.16, near * [0.6, 1.0, 1.0], False), (0.16, near * [1.0, 0.6, 1.0], False),
        (0.16, near * [1.0, 1.0, 0.6], False),
    ):  # fmt: skip
        with nullcontext() if fits else pytest.raises(FunctionalRefused, match="as hips are"):
            _refuse_outlier(found, centre * [1.0, 1.0, outward], width_m)


# On the walker: the whole way, with the truth


def moved_leg(joint: str, folder: Path, high_m: float = 0.0, aside_deg: float = 0.0) -> str:
    """Write the static with the left leg moved about its true hip, or its shank about the knee."""
    still = in_roles(
        stood(), lambda role: role.startswith(("LASI", "RASI", "LPS", "RPS", "LT", "LS"))
    )
    still = replace(still, labels=tuple(still.labels), markers_G=still.markers_G)
    motion = stood().leg("left").motion
    R, centres = motion.R_GS[0, 2], motion.r_prox_G[0]
    n = 700
    markers = np.repeat(still.markers_G[:1], n, axis=0)
    turned = hip_turns(n) if joint == "hip" else HINGE
    centre = centres[2] if joint == "hip" else centres[1]
    centre = centre + np.array([0.0, high_m, 0.0])
    stems = ("LTH", "LSK", "LTI", "LTT", "LTO") if joint == "hip" else ("LSK", "LTI", "LTT", "LTO")
    aside = fixed_turn("y", np.radians(aside_deg))
    turned = R @ aside @ turned @ aside.T @ R.T
    for i, label in enumerate(still.labels):
        if label.startswith(stems):
            markers[:, i] = centre + np.einsum("nij,j->ni", turned, markers[0, i] - centre)
    frame = 1 + np.arange(n)
    whole = replace(
        still, markers_G=markers, frame=frame, time_s=(frame - 1) / 200.0,
        channels=np.zeros((n * 5, 0)), plates=(), stances=(),
    )  # fmt: skip
    write_trial(folder / f"{joint}.c3d", whole)
    return str(folder / f"{joint}.c3d")


def everything(role: str) -> bool:
    return not role.endswith(("HJC", "KJC", "AJC", "GTR"))


def test_a_functional_hip_of_the_walker_is_its_true_hip(tmp_path: Path) -> None:
    words = written(tmp_path, everything, everything, widths=False)
    given = (("hip_left", moved_leg("hip", tmp_path)),)
    result = process_trial(tmp_path / "walk.c3d", Options(**words, functional=given))
    found, truth = result.pose.left.r_prox_G[:, 2], walked().leg("left").motion.r_prox_G[:, 2]
    assert np.nanmax(np.linalg.norm(found - truth, axis=1)) < 2e-4
    rung = result.rung("left", "hip")
    assert rung is not None
    assert (rung.rung, rung.seen_in) == ("functional", "functional trial")
    assert "SCoRE" in result.methods["left_hip_center_x"]
    assert any(line.startswith("left hip: centre of hip.c3d") for line in result.log)
    assert result.rung("right", "hip").rung == "regression"  # type: ignore[union-attr]


def test_one_functional_hip_is_a_warning_for_both_sides_and_two_are_none(tmp_path: Path) -> None:
    words = written(tmp_path, everything, everything, widths=False)
    given = (("hip_left", moved_leg("hip", tmp_path)),)
    result = process_trial(tmp_path / "walk.c3d", Options(**words, functional=given))
    (unlike,) = [f for f in result.findings if f.code == "centres-unlike"]
    assert (unlike.level, unlike.joint, sides_of(result, unlike)) == ("warning", "hip", SIDES)
    assert "(left functional, right regression)" in unlike.message
    settings = run_lines(result, document_of(result))[1]
    assert ", hip centres: left functional, right harrington, internal moments" in settings
    left = result.rung("left", "hip")
    assert left is not None
    alike = replace(left, side="right")
    taken = tuple(alike if (t.side, t.place) == ("right", "hip") else t for t in result.taken)
    assert not list(centre_rules(replace(result, taken=taken), load_rules()))
    one_leg = tuple(t for t in result.taken if t.side == "left")
    assert not list(centre_rules(replace(result, taken=one_leg), load_rules()))


def thigh_turned_deg(result: Result) -> float:
    """Return the turn of the left thigh about its long axis, from the walker's true axes, deg."""
    truth = walked().leg("left").motion.R_GS[:, 2]
    thigh = np.swapaxes(truth, 1, 2) @ result.pose.left.R_GS[:, 2]
    return float(np.nanmedian(np.degrees(np.arctan2(thigh[:, 0, 2], thigh[:, 2, 2]))))


@pytest.mark.parametrize(
    "more",
    [{"model": "ladder"}, {"model": "plug-in-gait"}, {"model": "plug-in-gait", "static": "none"}],
)
@pytest.mark.parametrize("aside_deg", [0.0, 10.0, -10.0])
def test_a_functional_knee_turns_the_thigh_of_the_walker(
    tmp_path: Path, more: dict[str, str], aside_deg: float
) -> None:
    """The hinge stands aside of the true axis, about the long axis of the thigh."""
    words: dict[str, Any] = written(tmp_path, everything, everything, widths=True) | more
    given = (("knee_left", moved_leg("knee", tmp_path, aside_deg=aside_deg)),)
    result = process_trial(tmp_path / "walk.c3d", Options(**words, functional=given))
    assert thigh_turned_deg(result) == pytest.approx(aside_deg, abs=1.0)
    assert result.rung("left", "knee").rung == "functional-axis"  # type: ignore[union-attr]
    assert any(f.code == "functional-axis" for f in result.findings)


def test_a_functional_knee_wins_over_the_thigh_rotation_stored_in_the_trial(tmp_path: Path) -> None:
    words: dict[str, Any] = written(tmp_path, everything, everything, widths=True)
    words |= {"model": "plug-in-gait", "offsets": "trial"}
    given = (("knee_left", moved_leg("knee", tmp_path, aside_deg=10.0)),)
    options = Options(**words, functional=given)
    session = read_session(tmp_path / "walk.c3d", options)
    stored = {"left": LegOffsets(thigh_rotation=0.3)}
    recording = replace(session.trial.recording, vendor=stored)
    session = replace(session, trial=replace(session.trial, recording=recording))
    assert thigh_turned_deg(process_loaded(session, options)) == pytest.approx(10.0, abs=1.0)


def test_results_with_a_functional_trial_are_reproduced_and_record_it(tmp_path: Path) -> None:
    words = written(tmp_path, everything, everything, widths=False)
    given = (("hip_left", moved_leg("hip", tmp_path, high_m=0.003)),)
    result = process_trial(tmp_path / "walk.c3d", Options(**words, functional=given))
    document = result.save(tmp_path / "results")
    entry = next(x for x in document["inputs"] if x["role"] == "functional hip_left")
    assert (entry["name"], entry["relative"]) == ("hip.c3d", "../hip.c3d")
    assert [list(pair) for pair in document["options"]["functional"]] == [["hip_left", "hip.c3d"]]
    options = {row[0]: row[1] for row in options_table(read_trial(tmp_path / "results")).rows}
    assert options["functional"] == "hip_left = hip.c3d"
    assert not [text for text in options.values() if set(text) & set("[]{}'") or text == "None"]
    assert reproduce(recorded_run(tmp_path / "results")).same()
    (tmp_path / "hip.c3d").unlink()
    with pytest.raises(GaitdynError, match=r"found no functional hip_left file hip\.c3d"):
        recorded_run(tmp_path / "results")


def test_a_session_names_its_functional_trials(tmp_path: Path) -> None:
    words = written(tmp_path, everything, everything, widths=False)
    moved_leg("hip", tmp_path)
    text = '[options]\nmodel = "ladder"\nmass = 70\n[functional]\nhip_left = "hip.c3d"\n'
    (tmp_path / "session.toml").write_text(text, encoding="utf-8")
    plan = plan_session(tmp_path)
    roles = {one.path.name: (one.role, one.reason) for one in plan.trials}
    assert roles["hip.c3d"] == ("functional", "named in session.toml as hip_left")
    walk = next(one for one in plan.trials if one.path.name == "walk.c3d")
    assert walk.role == "dynamic"
    assert walk.options.functional == (("hip_left", str(tmp_path / "hip.c3d")),)
    assert words["model"] == walk.options.model
    for wrong, said in (("ankle_left", "wanted one of hip_left"), ("hip_right", "wanted a C3D")):
        bad = text.replace("hip_left", wrong).replace("hip.c3d", "gone.c3d")
        (tmp_path / "session.toml").write_text(bad, encoding="utf-8")
        with pytest.raises(UsageError, match=rf"session\.toml, line 5: .*{said}"):
            plan_session(tmp_path)


@pytest.mark.parametrize(
    ("given", "said"),
    [("ankle_left=f.c3d", "an ankle has two axes"), ("shoulder_left=f.c3d", "wanted hip_left")],
)
def test_other_joints_are_refused(given: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Options(functional=parse_functional([given]))


def test_a_joint_twice_and_a_word_without_file_are_refused() -> None:
    with pytest.raises(UsageError, match="twice"):
        Options(functional=parse_functional(["hip_left=a.c3d", "hip-left=b.c3d"]))
    with pytest.raises(UsageError, match=r"hip_left=func\.c3d"):
        parse_functional(["hip_left"])
    with pytest.raises(UsageError, match="vendor's hip centre"):
        Options(functional=(("hip_left", "a.c3d"),), profile="plug-in-gait")


def test_a_centre_where_no_hip_is_is_refused(tmp_path: Path) -> None:
    words = written(tmp_path, everything, everything, widths=False)
    given = (("hip_left", moved_leg("hip", tmp_path, high_m=0.06)),)
    with pytest.raises(FunctionalRefused, match=r"wanted \d+ to 130 mm down, as hips are"):
        process_trial(tmp_path / "walk.c3d", Options(**words, functional=given))
