"""What the upper body becomes when markers are missing: fewer columns, never wrong ones."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from walkers.arm_markers import WIDTHS_MM, on_landmarks
from walkers.upper import Upper, with_upper

from gaitdyn.pipeline import process_trial
from gaitdyn.quality.impossible import emptied
from gaitdyn.quality.impossible_upper import upper_without
from gaitdyn.quality.rules import load_rules
from gaitdyn.synthetic import Recording, Walk, Walker, session, write_trial
from gaitdyn.tables.answers import verdicts_of
from gaitdyn.types.options import Options
from gaitdyn.types.subject import ArmMeasures, Subject
from gaitdyn.upper.arms import arm_measures
from tests.walks import curve_values, stand, walk, without

if TYPE_CHECKING:
    from gaitdyn.trial import Result

ROOT = Path(__file__).resolve().parents[2]
ASKED = Recording(rate_hz=100.0, analog_ratio=5)
HEADS = ("LFHD", "RFHD", "LBHD", "RBHD")
ARMS = tuple(s + m for s in "LR" for m in ("SHO", "ELB", "WRA", "WRB", "FIN"))
RAW: dict[str, Any] = {"cutoff_hz": None, "force_cutoff_hz": None, "audit": False}


@pytest.fixture(scope="module")
def trials() -> tuple[Walk, Walk, Upper]:
    trial, upper = with_upper(walk(Walker(), ASKED))
    still, _ = with_upper(stand(Walker(), replace(ASKED, events=False)))
    return trial, still, upper


def processed(folder: Path, trial: Walk, still: Walk, *, widths: bool = True, **how: Any) -> Result:
    write_trial(folder / "static.c3d", still)
    write_trial(folder / "walk.c3d", trial)
    if widths:
        lines = "\n".join(f"{key} = {value}" for key, value in WIDTHS_MM.items())
        text = "".join(f"[subject.{side}]\n{lines}\n" for side in ("left", "right"))
        (folder / "subject.toml").write_text(f"[subject]\n{text}", encoding="utf-8")
        how["subject"] = str(folder / "subject.toml")
    return process_trial(
        folder / "walk.c3d", Options(static=str(folder / "static.c3d"), **(RAW | how))
    )


@pytest.fixture(scope="module")
def plain(trials: tuple[Walk, Walk, Upper], tmp_path_factory: pytest.TempPathFactory) -> Result:
    """The result of the walk as it is."""
    return processed(tmp_path_factory.mktemp("plain"), *trials[:2])


def codes(result: Result) -> dict[str, str]:
    return {f.code: f.message for f in result.findings if f.scope not in ("walk.c3d", "subject")}


def near(found: Any, true: Any, most: float) -> None:
    assert np.nanmax(np.abs(found - true)) < most


def test_without_any_marker_of_the_trunk_nothing_is_imported_or_written(tmp_path, trials):
    trial, still, upper = trials
    bare = processed(tmp_path, without(trial, *upper.labels), without(still, *upper.labels))
    assert bare.upper is None
    names = curve_values(bare)
    assert not [n for n in names if "trunk" in n or n.startswith("com")]
    assert not [q for q in bare.gait_parameters()["quantity"] if q.startswith(("com", "margin"))]


def test_a_trunk_without_arms_and_head_has_its_angles_alone(tmp_path, trials):
    trial, still, upper = trials
    gone = (*HEADS, *ARMS)
    result = processed(tmp_path, without(trial, *gone), without(still, *gone))
    found = curve_values(result)
    near(found["left_spine_angle_rotation"], upper.angles["left_spine_angle_rotation"], 0.01)
    parts = {"waist", "com", "head", "neck", "shoulder", "wrist", "margin"}
    assert not [n for n in found if parts & set(n.split("_"))]
    told = "no markers of the head, the left arm and the right arm"
    assert told in codes(result)["upper-body-partial"]


def test_arms_without_a_head_keep_their_loads(tmp_path, trials):
    trial, still, _ = trials
    result = processed(tmp_path, without(trial, *HEADS), without(still, *HEADS))
    found = curve_values(result)
    assert np.isfinite(found["left_shoulder_moment_extension"]).sum() > 200
    assert "com_x" not in found
    assert "head" in codes(result)["upper-body-partial"]


@pytest.mark.parametrize(
    ("kept", "gone", "rotation_deg", "elbow_deg"),
    [("WRA", "WRB", 17.9, 4.9), ("WRB", "WRA", 8.3, 7.6)],
)
def test_one_wrist_marker_shows_elbow_and_shoulder_and_no_wrist(
    tmp_path, trials, kept, gone, rotation_deg, elbow_deg
):
    """The marker stands at the wrist's skin: the arm's plane turns, and a finding says how far."""
    trial, still, upper = trials
    files = [without(w, *(s + gone for s in "LR")) for w in (trial, still)]
    result = processed(tmp_path, *files)
    found = curve_values(result)

    def largest(angle: str) -> float:
        return float(np.nanmax(np.abs(found[f"left_{angle}"] - upper.angles[f"left_{angle}"])))

    assert largest("shoulder_angle_internal_rotation") == pytest.approx(rotation_deg, abs=0.1)
    assert largest("elbow_angle_flexion") == pytest.approx(elbow_deg, abs=0.1)
    assert largest("shoulder_angle_flexion") < 2.0
    assert largest("shoulder_angle_abduction") < 2.0
    said = [f for f in result.findings if f.code == "wrist-one-marker"]
    assert [(f.side, f.level) for f in said] == [("left", "info"), ("right", "info")]
    assert f"L{kept} is the only marker" in said[0].message
    assert "8 deg and the rotation of the shoulder by 18 deg" in said[0].message
    assert not np.isfinite(found["left_wrist_angle_flexion"]).any()
    assert "left_wrist_moment_extension" not in found
    assert np.isfinite(found["com_y"]).all()
    assert np.isfinite(found["left_elbow_moment_extension"]).sum() > 200


def test_a_wrist_with_both_markers_is_not_said_to_have_one(plain):
    assert "wrist-one-marker" not in codes(plain)


@pytest.mark.parametrize("gone", ["STRN", "T10"])
def test_a_thorax_of_three_markers_is_turned_to_that_of_four_in_the_static(tmp_path, trials, gone):
    trial, still, upper = trials
    result = processed(tmp_path, without(trial, gone), still)
    found = curve_values(result)
    for word in ("flexion", "lateral", "rotation"):
        name = f"left_spine_angle_{word}"
        near(found[name], upper.angles[name], 0.01)
    assert gone in codes(result)["thorax-three-markers"]


@pytest.mark.parametrize("gone", ["STRN", "T10"])
def test_a_thorax_of_three_markers_is_upright_in_the_static(tmp_path, trials, gone):
    """The walker stands with an upright thorax, so that the three markers tell it exactly."""
    trial, still, upper = trials
    result = processed(tmp_path, without(trial, gone), without(still, gone))
    near(
        curve_values(result)["left_spine_angle_flexion"],
        upper.angles["left_spine_angle_flexion"],
        0.01,
    )
    assert "upright in the static" in codes(result)["thorax-three-markers"]


def test_widths_that_nobody_measured_are_usual_ones_and_said(tmp_path, trials):
    trial, still, _ = trials
    result = processed(tmp_path, trial, still, widths=False)
    said = [f for f in result.findings if f.code == "arm-width-default"]
    assert {f.side for f in said} == {"left", "right"}
    assert all(f.level == "info" for f in said)
    assert "elbow width 72 mm" in said[0].message  # 70 mm at 1.7 m; the walker has 1.75 m
    assert "hand thickness 26 mm" in said[0].message
    assert "com_x" in curve_values(result)


@pytest.mark.parametrize(
    ("stated_mm", "profile", "used_mm"),
    [(-7, "plug-in-gait", -7), (-7, "default", -7), (0, "plug-in-gait", 0), (0, "default", 55)],
)
def test_a_wrist_width_of_zero_or_less_counts_as_the_vendor_has_it(stated_mm, profile, used_mm):
    """Half of it and half a marker lie between the joint and its markers; zero may be "not
    measured", which the vendor does not ask."""
    subject = Subject(arms={"left": ArmMeasures(0.04, 0.07, stated_mm / 1000, 0.03)})
    widths, findings = arm_measures(subject, "left", set(), vendor=profile == "plug-in-gait")
    assert 1000 * widths["wrist_width_m"] == pytest.approx(used_mm)
    told = "arm-width-default" if used_mm == 55 else "wrist-stated"
    assert [f.code for f in findings] == [told]
    assert f"wrist width {used_mm} mm" in findings[0].message


def test_a_wrist_width_in_the_file_reaches_the_wrist(tmp_path, trials, monkeypatch):
    """The joint moves by half of what the width changes: from 50 mm to -7 by 28.5 mm."""
    plain, centres = session._measurements, []  # noqa: SLF001
    for width in (50.0, -7.0):
        sizes = {"ElbowWidth": 70.0, "WristWidth": width, "HandThickness": 25.0}
        stored = tuple(("PROCESSING", f"L{name}", value) for name, value in sizes.items())
        monkeypatch.setattr(session, "_measurements", lambda one, more=stored: (*plain(one), *more))
        found = processed(tmp_path, *trials[:2], widths=False, profile="plug-in-gait")
        assert found.upper is not None
        centres.append(found.upper.pose.arms["left"].r_prox_G[:, 0])
    near(np.linalg.norm(centres[1] - centres[0], axis=1), 0.0285, 1e-3)


def test_widths_that_no_centre_is_found_from_are_not_said_to_be_used(tmp_path, trials):
    """One wrist marker is the wrist centre; without a finger marker the hand is on the forearm."""
    trial, still, _ = trials
    gone = ("LWRB", "RFIN")
    result = processed(
        tmp_path, without(trial, *gone, LWRA="LWRI"), without(still, *gone, LWRA="LWRI"),
        widths=False,
    )  # fmt: skip
    said = {f.side: f.message for f in result.findings if f.code == "arm-width-default"}
    assert "shoulder offset 46 mm, elbow width 72 mm (" in said["left"]
    assert "shoulder offset 46 mm, elbow width 72 mm, wrist width 57 mm (" in said["right"]


@pytest.mark.parametrize(
    ("swapped", "said"),
    [
        ({"LFHD": "RFHD", "RFHD": "LFHD", "LBHD": "RBHD", "RBHD": "LBHD"}, "upside down"),
        ({"LFHD": "LBHD", "LBHD": "LFHD", "RFHD": "RBHD", "RBHD": "RFHD"}, "upside down"),
        ({"LFHD": "RBHD", "RBHD": "LFHD", "RFHD": "LBHD", "LBHD": "RFHD"}, "face backwards"),
    ],
)
def test_a_head_labelled_the_wrong_way_round_is_said_and_taken_as_it_stands(
    tmp_path, trials, swapped, said
):
    trial, still, upper = trials
    result = processed(tmp_path, without(trial, **swapped), without(still, **swapped))
    assert said in codes(result)["head-upside-down"]
    for word in ("flexion", "lateral", "rotation"):
        name = f"left_neck_angle_{word}"
        near(curve_values(result)[name], upper.angles[name], 0.01)


@pytest.mark.parametrize("where", ["walk", "static"])
@pytest.mark.parametrize(
    "swapped",
    [
        {"LFHD": "RFHD", "RFHD": "LFHD", "LBHD": "RBHD", "RBHD": "LBHD"},
        {"LFHD": "LBHD", "LBHD": "LFHD", "RFHD": "RBHD", "RBHD": "RFHD"},
    ],
)
def test_a_head_labelled_the_wrong_way_round_in_one_file_is_level_as_in_the_other(
    tmp_path, trials, swapped, where
):
    """Its tilt would be off by 180 degrees, if the static were read as the walk."""
    trial, still, upper = trials
    wrong = without(still if where == "static" else trial, **swapped)
    result = processed(tmp_path, *((trial, wrong) if where == "static" else (wrong, still)))
    assert ("RBHD of the static have" in codes(result)["head-upside-down"]) == (where == "static")
    for word in ("flexion", "lateral", "rotation"):
        name = f"left_neck_angle_{word}"
        near(curve_values(result)[name], upper.angles[name], 0.01)


def test_a_thorax_that_faces_backwards_does_not_turn_the_head(tmp_path, trials):
    """Its angles are those of nobody: left empty, unless they are asked for."""
    trial, still, _ = trials
    swapped = {"CLAV": "C7", "C7": "CLAV"}
    files = without(trial, "STRN", **swapped), without(still, "STRN", **swapped)
    told = processed(tmp_path, *files)
    assert not np.isfinite(curve_values(told)["left_neck_angle_rotation"]).any()
    assert {f.scope for f in told.findings if f.code == "upper-angle-implausible"} >= {"neck"}
    result = processed(tmp_path, *files, publish_anyway=True)
    assert abs(np.nanmean(np.abs(curve_values(result)["left_neck_angle_rotation"])) - 180) < 10
    assert "head-upside-down" not in codes(result)


def test_a_gap_in_an_elbow_empties_the_arm_there_and_the_waist(tmp_path, trials):
    trial, still, _ = trials
    markers = trial.markers_G.copy()
    markers[100:140, trial.labels.index("LELB")] = np.nan
    found = curve_values(processed(tmp_path, replace(trial, markers_G=markers), still))
    assert not np.isfinite(found["left_shoulder_angle_flexion"][100:140]).any()
    assert np.isfinite(found["right_shoulder_angle_flexion"]).all()
    assert not np.isfinite(found["left_waist_moment_extension"][96:144]).any()
    assert np.isfinite(found["left_waist_moment_extension"][20:90]).all()
    assert not np.isfinite(found["com_x"][100:140]).any()
    assert np.isfinite(found["left_knee_angle_flexion"]).all()


def test_left_and_right_are_mirrors_of_each_other(tmp_path, plain):
    found = curve_values(plain)
    other = Walker().mirrored()
    mirrored, _ = with_upper(walk(other, ASKED))
    calm, _ = with_upper(stand(other, replace(ASKED, events=False)))
    seen = curve_values(processed(tmp_path, mirrored, calm))
    for name in found:
        if not name.startswith(("left_trunk", "left_spine", "left_shoulder", "left_waist",
                                "left_wrist", "left_margin", "left_head")):  # fmt: skip
            continue
        twin = "right_" + name.removeprefix("left_")
        most = 2e-2 if "moment" in name or "power" in name else 1e-2
        np.testing.assert_allclose(seen[twin][20:-20], found[name][20:-20], atol=most, err_msg=name)


def test_a_turned_laboratory_changes_nothing_but_g(tmp_path, trials):
    trial, still, _ = trials
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    smooth: dict[str, Any] = {"cutoff_hz": 10.0, "force_cutoff_hz": 10.0}
    found = curve_values(processed(tmp_path / "a", trial, still, **smooth))
    asked = replace(ASKED, up="y", forward="+z", units="m")
    turned, _ = with_upper(walk(Walker(), asked))
    calm, _ = with_upper(stand(Walker(), replace(asked, events=False)))
    seen = curve_values(processed(tmp_path / "b", turned, calm, **smooth))
    for name in found:
        if name.startswith(("left_trunk", "left_shoulder", "left_waist", "com", "waist_closure")):
            most = 2e-2 if "moment" in name or "power" in name or "closure" in name else 1e-2
            np.testing.assert_allclose(
                seen[name][20:-20], found[name][20:-20], atol=most, err_msg=name
            )


def test_a_wrist_that_jumps_is_filled_and_takes_nothing_from_the_legs(tmp_path, trials):
    trial, still, upper = trials
    markers = trial.markers_G.copy()
    markers[150, trial.labels.index("RWRA")] += 0.5
    result = processed(tmp_path, replace(trial, markers_G=markers), still)
    name = "right_elbow_angle_flexion"
    near(curve_values(result)[name], upper.angles[name], 0.05)
    (said,) = [f for f in result.findings if f.code == "marker-jumps"]
    assert (said.level, said.scope) == ("info", "RWRA")


@pytest.mark.parametrize("letter", "LR")
def test_without_a_static_unlike_arms_are_told_of_both_sides(tmp_path, trials, letter):
    trial, _, _ = trials
    markers = trial.markers_G.copy()
    markers[:, trial.labels.index(f"{letter}ELB"), 1] -= 0.12
    write_trial(tmp_path / "walk.c3d", replace(trial, markers_G=markers))
    found = process_trial(tmp_path / "walk.c3d", Options(cutoff_hz=None, force_cutoff_hz=None))
    assert ("LELB or RELB", None) in told_above(found)
    reasons = {
        v.side: " ".join(v.reasons) for v in verdicts_of(found) if v.quantity == "kinematics"
    }
    assert all("LELB or RELB" in reasons[side] for side in ("left", "right"))


def test_labels_in_small_letters_are_those_of_the_upper_body(tmp_path, trials, plain):
    trial, still, _ = trials
    found = curve_values(plain)
    small = [replace(one, labels=tuple(x.lower() for x in one.labels)) for one in (trial, still)]
    seen = curve_values(processed(tmp_path, *small))
    assert seen.keys() == found.keys()
    for name in found:
        np.testing.assert_array_equal(seen[name], found[name], err_msg=name)


def told_above(result: Result) -> set[tuple[str, str | None]]:
    return {(f.scope, f.side) for f in result.findings if f.code == "upper-marker"}


SAYS = {
    "aside": "misplaced", "below": "below the", "noisy": "noise", "frozen": "stays in one place",
    "hidden": "hidden for", "lost": "not in the walk",
}  # fmt: skip


@pytest.mark.parametrize(
    ("label", "fault", "told"),
    [
        ("LSHO", "aside", ("LSHO", "left")),
        ("C7", "aside", ("CLAV", None)),
        ("STRN", "aside", ("STRN", None)),
        ("RELB", "below", ("RELB", "right")),
        ("STRN", "below", ("STRN", None)),
        ("LWRA", "noisy", ("LWRA", "left")),
        ("T10", "frozen", ("T10", None)),
        ("RELB", "hidden", ("RELB", "right")),
        ("LFHD", "lost", ("LFHD", "left")),
        ("C7", "lost", ("C7", None)),
    ],
)
def test_a_wrong_marker_above_the_pelvis_is_told_and_leaves_the_kinetics_of_the_legs(
    tmp_path, trials, label, fault, told
):
    trial, still, _ = trials
    markers = trial.markers_G.copy()
    path = markers[:, trial.labels.index(label)]
    rng = np.random.default_rng(3)
    path += {"aside": np.array([0.0, 0.0, 0.1])}.get(fault, 0.0)
    path[:, 1] *= -1.0 if fault == "below" else 1.0
    path += rng.normal(0.0, 0.004, path.shape) if fault == "noisy" else 0.0
    path[:] = path[:1] if fault == "frozen" else path
    path[{"hidden": slice(100, 160), "lost": slice(None)}.get(fault, slice(0))] = np.nan
    result = processed(tmp_path, replace(trial, markers_G=markers), still)
    assert told in told_above(result)
    said = " ".join(f.message for f in result.findings if f.code == "upper-marker")
    assert SAYS[fault] in said
    words = {(one.side, one.quantity): one for one in verdicts_of(result)}
    side = told[1] or "left"
    empty = fault in ("hidden", "lost")  # or carried by its neighbours: nothing wrong is shown
    assert words[side, "kinematics"].word == ("pass" if empty else "check")
    assert not any("upper-marker" in r for r in words[side, "kinetics"].reasons)


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("LFHD", "RFHD", ("LFHD", "left")),
        ("CLAV", "C7", ("CLAV", None)),
        ("STRN", "T10", ("STRN", None)),
        ("LSHO", "RSHO", ("RSHO", "right")),
        ("CLAV", "STRN", ("CLAV", None)),
        ("C7", "T10", ("C7", None)),
        ("LELB", "LWRA", ("LWRA", "left")),
    ],
)
def test_markers_that_are_exchanged_in_walk_and_static_are_told(tmp_path, trials, one, other, told):
    trial, still, _ = trials
    swap = {one: other, other: one}
    both = [replace(x, labels=tuple(swap.get(y, y) for y in x.labels)) for x in (trial, still)]
    assert told in told_above(processed(tmp_path, *both))


def test_the_text_of_the_rule_names_its_limits():
    from gaitdyn.quality.rules.upper.markers import DRIFTS_M, FIXED, MIDLINE_M
    from gaitdyn.quality.rules.upper.shapes import OUT_OF_PLANE_M, SHAPES

    told = {int(word) for word in re.findall(r"\b\d+\b", load_rules(None)["upper-marker"].what)}
    shapes = (limit for _, limit in SHAPES.values())
    limits = (DRIFTS_M, MIDLINE_M, *(row[2] for row in FIXED), *shapes, OUT_OF_PLANE_M)
    assert told == {round(1000 * limit) for limit in limits}


def test_markers_that_all_jump_at_once_are_told_of_the_recording(tmp_path, trials):
    trial, still, _ = trials
    result = processed(tmp_path, replace(trial, markers_G=np.roll(trial.markers_G, 10, 0)), still)
    assert {f.level for f in result.findings if f.code == "recording-jumps"} == {"warning", "info"}


def test_an_upper_body_as_it_is_gives_no_cause_to_say_anything(plain):
    assert not told_above(plain)


def test_loads_of_a_hip_that_are_not_shown_take_the_closure_with_them(plain):
    upper, left = plain.upper, plain.sides["left"]
    assert upper is not None
    assert left.kinetics is not None
    published = left.kinetics.published.copy()
    published[100:120] = False
    hidden = replace(left, kinetics=replace(left.kinetics, published=published))
    found = upper_without(upper, plain, {**plain.sides, "left": hidden})
    before, after = upper.closure_force_G, found.closure_force_G
    assert before is not None
    assert after is not None
    assert np.isfinite(before[110]).all()
    assert not np.isfinite(after[100:120]).any()
    np.testing.assert_array_equal(after[125:], before[125:])
    assert found.joints["waist"].published[110]  # from hands and head


@pytest.mark.parametrize(("column", "hip"), [(0, False), (1, False), (2, True)])
@pytest.mark.parametrize("profile", ["default", "plug-in-gait"])
def test_only_the_hip_decides_on_the_waist_and_the_vendor_s_waist_follows_it(
    plain, profile, column, hip
):
    """The vendor computes the load at the waist from feet and plates."""
    before = replace(plain, options=replace(plain.options, profile=profile))
    sides = {}
    for side, frames in (("left", slice(100, 120)), ("right", slice(130, 140))):
        kinetics = before.sides[side].kinetics
        published = kinetics.published.copy()
        published[frames, column] = False
        sides[side] = replace(before.sides[side], kinetics=replace(kinetics, published=published))
    found = upper_without(plain.upper, before, sides)
    lost = np.zeros(len(published), bool)
    for side, leg in sides.items():
        lost |= (before.sides[side].kinetics.published & ~leg.kinetics.published).any(axis=1)
    assert lost.any()
    for name in ("closure_force_G", "closure_moment_G"):
        old, new = (getattr(upper, name) for upper in (plain.upper, found))
        assert np.isnan(new[lost]).all() or not hip
        np.testing.assert_array_equal(new[~lost] if hip else new, old[~lost] if hip else old)
    for name in ("waist", "neck"):
        old, new = (upper.joints[name].published for upper in (plain.upper, found))
        vendor = hip and profile == "plug-in-gait"
        np.testing.assert_array_equal(new, old & ~lost if vendor else old)


def test_an_impossible_pelvis_takes_what_stands_on_it(plain):
    left = plain.sides["left"]
    assert plain.upper is not None
    gone = {**left.angles, "pelvis": np.full_like(left.angles["pelvis"], np.nan)}
    hidden = replace(left, angles=gone)
    found = upper_without(plain.upper, plain, {**plain.sides, "left": hidden})
    assert not np.isfinite(found.angles["right"]["spine"]).any()
    assert np.isfinite(found.angles["right"]["shoulder"]).all()
    assert found.com_G is None
    assert found.closure_force_G is None
    assert "waist" not in found.joints
    assert "left_shoulder" in found.joints


@pytest.mark.parametrize(("code", "joint"), [("tilt", "pelvis"), ("flexion", "knee")])
def test_a_pose_that_is_impossible_for_a_moment_takes_what_it_carries_for_that_moment(
    plain, code, joint
):
    """The pelvis was left empty for 0.6 s; trunk against pelvis and centre of mass were shown."""
    rules, at = load_rules(), plain.recording.time_of(150)
    where = {"side": "left", "joint": joint, "start_s": at, "stop_s": at}
    rule = rules[f"range-{joint}-{code}"]
    leap = rule.found(f"left {joint}", f"{joint} leaps", -90.0, **where)
    shown = emptied(replace(plain, judged=(leap,)), rules)
    before, after = (curve_values(one) for one in (plain, shown))
    emptied_rows = slice(120, 181)  # 0.3 s before and after it
    away = np.ones(plain.recording.n_frames, bool)
    away[emptied_rows] = False
    of_pelvis = (
        "right_pelvis_angle_tilt", "left_spine_angle_flexion", "right_spine_angle_rotation",
        "right_waist_moment_extension", "waist_power",
    )  # fmt: skip
    of_body = (
        "com_x", "com_velocity_y", "left_margin_of_stability_forward",
        "right_margin_of_stability_lateral",
    )  # fmt: skip
    still = ("left_trunk_angle_tilt", "left_neck_angle_flexion", "left_shoulder_moment_extension")
    for names, lost in ((of_pelvis, joint == "pelvis"), (of_body, True), (still, False)):
        for name in names:
            assert np.isfinite(before[name][emptied_rows]).any(), name
            assert np.isfinite(after[name][emptied_rows]).any() == (not lost), name
            np.testing.assert_array_equal(after[name][away], before[name][away], err_msg=name)


def test_a_trial_without_a_trunk_never_imports_the_upper_body():
    import subprocess
    import sys

    code = (
        "import sys; from gaitdyn import process_trial; r = process_trial('data/walk01.c3d');"
        " r.cycles(); r.peaks(); r.gait_parameters(); r.findings;"
        " print([m for m in sys.modules if m.startswith('gaitdyn.upper')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("lost", ["C7", "LELB"])
@pytest.mark.parametrize("profile", ["default", "plug-in-gait"])
def test_a_marker_seen_in_a_few_frames_leaves_columns_empty_and_no_error(
    tmp_path, trials, lost, profile
):
    trial, still, _ = trials
    markers = trial.markers_G.copy()
    markers[4:, trial.labels.index(lost)] = np.nan
    result = processed(
        tmp_path, replace(trial, markers_G=markers), still, profile=profile,
        generalised=profile == "default",
    )  # fmt: skip
    found = curve_values(result)
    result.save(tmp_path / "out")
    assert not np.isfinite(found["left_shoulder_moment_extension"]).any()
    assert not np.isfinite(found["com_x"][10:]).any()
    assert np.isfinite(found["left_knee_angle_flexion"]).all()


def test_another_vertebra_stands_for_t10_and_is_said(tmp_path, trials):
    trial, still, upper = trials
    other = {"T10": "T8"}
    result = processed(tmp_path, without(trial, **other), without(still, **other))
    name = "left_spine_angle_flexion"
    near(curve_values(result)[name], upper.angles[name], 0.01)
    assert "T8 is used for T10" in codes(result)["thorax-other-vertebra"]


def test_labels_of_another_laboratory_show_the_whole_body(tmp_path, trials):
    """The landmarks of the Qualisys and ISB guidelines under the labels of the marker sets."""
    trial, still, upper = marked(trials)
    names = {"CLAV": "SJN", "STRN": "SXS", "C7": "CV7", "T10": "TV10"}
    for side in "LR":
        names |= {side + a: side + b for a, b in (
            ("SHO", "AC"), ("ELB", "HLE"), ("ELM", "HME"), ("FIN", "HM2"),
            ("KNE", "FLE"), ("ANK", "FAL"), ("HEE", "FCC"), ("TOE", "FM2"),
            ("ASI", "IAS"), ("PSI", "IPS"))}  # fmt: skip
    result = processed(
        tmp_path, without(trial, **names), without(still, **names), marker_diameter_mm=14.0
    )
    found = curve_values(result)
    for joint in ("shoulder_angle_flexion", "elbow_angle_flexion", "wrist_angle_flexion"):
        near(found[f"left_{joint}"], upper.angles[f"left_{joint}"], 0.05)
    assert np.isfinite(found["com_y"]).all()


def marked(trials: tuple[Walk, Walk, Upper]) -> tuple[Walk, Walk, Upper]:
    """Return walk and stance with both sides of elbows and wrists marked."""
    trial, still, upper = trials
    _, standing = with_upper(stand(Walker(), replace(ASKED, events=False)))
    return on_landmarks(trial, upper), on_landmarks(still, standing), upper


def test_elbows_and_wrists_marked_on_both_sides_need_no_width(tmp_path, trials):
    trial, still, upper = marked(trials)
    lines = "shoulder_offset_mm = 40\nhand_thickness_mm = 22\n"
    person = tmp_path / "person.toml"
    person.write_text(f"[subject.left]\n{lines}[subject.right]\n{lines}", encoding="utf-8")
    result = processed(tmp_path, trial, still, widths=False, subject=str(person))
    found = curve_values(result)
    for side in ("left", "right"):
        for joint in ("shoulder", "elbow", "wrist"):
            name = f"{side}_{joint}_angle_flexion"
            near(found[name], upper.angles[name], 0.02)
    assert "arm-width-default" not in codes(result)
    assert result.upper is not None
    words = result.upper.words["left_arm"]
    assert "elbow in the middle of LELB and LELM (Wu et al. 2005" in words
    assert "wrist in the middle of LRSP and LUSP (Wu et al. 2005" in words


WRIST_PAIRS = (("WristIn", "WristOut"), ("WristOut", "WristIn"), ("WRM", "WRL"), ("W1", "W2"))


@pytest.mark.parametrize("names", WRIST_PAIRS)
def test_two_wrist_markers_that_tell_no_thumb_side_have_the_wrist_between_them(
    tmp_path, trials, names
):
    """Elbow and shoulder are exact; one of the two alone would turn the upper arm by 8 degrees."""
    trial, still, upper = marked(trials)
    called = {s + a: s + b for s in "LR" for a, b in zip(("RSP", "USP"), names, strict=True)}
    result = processed(tmp_path, without(trial, **called), without(still, **called))
    found = curve_values(result)
    for name in ("shoulder_angle_internal_rotation", "elbow_angle_flexion"):
        for side in ("left", "right"):
            near(found[f"{side}_{name}"], upper.angles[f"{side}_{name}"], 0.02)
    assert result.upper is not None
    assert "wrist in the middle of LWRI and LWR2 (Wu et al." in result.upper.words["left_arm"]
    assert not np.isfinite(found["left_wrist_angle_flexion"]).any()


def test_two_wrist_markers_along_the_forearm_have_no_wrist_between_them(tmp_path, trials):
    trial, still, _ = marked(trials)
    files = []
    for one in (trial, still):
        at = {x: one.markers_G[:, one.labels.index(x)] for x in ("LELB", "LRSP")}
        moved = one.markers_G.copy()
        moved[:, one.labels.index("LUSP")] = 0.8 * at["LRSP"] + 0.2 * at["LELB"]
        files.append(without(replace(one, markers_G=moved), LRSP="LWRIST", LUSP="LWrist2"))
    upper = processed(tmp_path, *files).upper
    assert upper is not None
    assert upper.words["left_arm"].startswith("LSHO, LELB, LELM, LWRI, LFIN; elbow in the middle")
    wrist = upper.pose.arms["left"].r_prox_G[:, 0]
    near(wrist, trial.markers_G[:, trial.labels.index("LRSP")], 1e-5)


@pytest.mark.parametrize("where", ["static", "trial"])
def test_a_medial_marker_that_is_lost_in_the_walk_gives_the_width_of_the_elbow(
    tmp_path, trials, where
):
    """Half of 200 mm between the markers: the centre is that far from the lateral one."""
    trial, still, _ = trials
    other = {"static": still, "trial": trial}[where]
    lateral = other.markers_G[:, [other.labels.index(x) for x in ("LELB", "RELB")]]
    with_medial = replace(
        other, labels=(*other.labels, "LELM", "RELM"),
        markers_G=np.concatenate((other.markers_G, lateral + np.array((0.0, 0.2, 0.0))), axis=1),
    )  # fmt: skip
    if where == "trial":
        with_medial.markers_G[100:140, -2:] = np.nan
    walked, stood = (with_medial, still) if where == "trial" else (trial, with_medial)
    upper = processed(tmp_path, walked, stood).upper
    assert upper is not None
    elbow = upper.pose.arms["left"].r_prox_G[:, 1]
    marker = trial.markers_G[:, trial.labels.index("LELB")]
    np.testing.assert_allclose(np.linalg.norm(elbow - marker, axis=1), 0.1, atol=1e-5)
    assert f"elbow at half the distance of LELB and LELM in the {where}" in upper.words["left_arm"]


def test_the_vendor_uses_widths_whatever_is_marked(tmp_path, trials):
    trial, still, _ = marked(trials)
    bar = {s + a: s + b for s in "LR" for a, b in (("RSP", "WRA"), ("USP", "WRB"))}
    plain = tuple(without(one, "LELM", "RELM", **bar) for one in (trial, still))
    found = []
    for i, files in enumerate(((trial, still), plain)):
        (tmp_path / str(i)).mkdir()
        found.append(curve_values(processed(tmp_path / str(i), *files, profile="plug-in-gait")))
    for name in ("left_elbow_angle_flexion", "right_wrist_angle_flexion"):
        assert np.isfinite(found[0][name]).all()
        np.testing.assert_array_equal(found[0][name], found[1][name])


def test_a_head_that_no_static_shows_has_no_true_zero(tmp_path, trials, plain):
    write_trial(tmp_path / "walk.c3d", trials[0])
    alone = process_trial(tmp_path / "walk.c3d", Options(static="none", **RAW))
    assert "its tilt has no true zero" in codes(alone)["head-no-static"]
    assert "head-no-static" not in codes(plain)


@pytest.mark.parametrize(("tilt_deg", "told"), [(60.0, True), (30.0, False)])
def test_a_head_that_is_not_upright_in_the_static_is_told(tmp_path, trials, tilt_deg, told):
    """The person looks at the floor, so that the head of the walk would look at the sky."""
    trial, still, _ = trials
    heads = [still.labels.index(x) for x in ("LFHD", "RFHD", "LBHD", "RBHD")]
    markers = still.markers_G.copy()
    across = markers[:, heads[1]] - markers[:, heads[0]]  # to the right
    axis = across[0] / np.linalg.norm(across[0])
    middle = markers[:, heads].mean(axis=1, keepdims=True)
    R = Rotation.from_rotvec(np.radians(-tilt_deg) * axis).as_matrix()
    markers[:, heads] = middle + (markers[:, heads] - middle) @ R.T
    found = codes(processed(tmp_path, trial, replace(still, markers_G=markers)))
    assert ("head-unlevelled" in found) == told
