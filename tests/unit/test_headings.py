"""Which way strides go: posed paths, and a walker that turns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from gaitdyn.archive.add import add_folders
from gaitdyn.archive.connection import in_memory
from gaitdyn.archive.curves import read_curves
from gaitdyn.archive.where import parse_where
from gaitdyn.batch.trial_row import trial_row
from gaitdyn.cycles.heading import curve_direction, heading_change, stride_direction
from gaitdyn.cycles.normalise import (
    cycle_curves,
    find_cycles,
    headed,
    per_kilogram,
    resample,
)
from gaitdyn.kinematics.angles import ANGLES, headed_angles, segment_angles
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.report.first_screen.around import why_no_loads
from gaitdyn.report.groups import Group
from gaitdyn.report.making import make_report
from gaitdyn.report.page.document import page_text
from gaitdyn.report.reading import read_groups
from gaitdyn.store.folder import ResultsFolder
from gaitdyn.store.headings import by_heading, rejoined, turning_loads
from gaitdyn.store.results import write_results
from gaitdyn.store.stored import StoredTrial, read_trial, trial_of_result
from gaitdyn.tables.columns import run_curves
from gaitdyn.tables.frames import per_kg_words
from gaitdyn.types.curves import Curve
from gaitdyn.types.cycles import Cycle, Stance
from gaitdyn.types.later import later
from tests.shared_files import CORPUS, SHARED, WITH_CORPUS
from tests.walks import processed

NORM = SHARED / "norms" / "schwartz2008.csv"
WALK = Path(__file__).resolve().parents[2] / "data" / "walk01.c3d"


def path(turn_deg: float, *, sway: float = 0.02, frames: int = 240, stride: int = 100):
    """Return a pelvis that turns by so much a stride, to the left, and sways."""
    t = np.arange(frames) / stride
    angle = np.radians(turn_deg) * t
    steps = np.stack((np.cos(angle), 0 * angle, -np.sin(angle)), axis=1) * 1.2 / stride
    side = np.stack((np.sin(angle), 0 * angle, np.cos(angle)), axis=1)
    return np.cumsum(steps, axis=0) + side * (sway * np.sin(2 * np.pi * t + 0.7))[:, None]


@pytest.mark.parametrize("turn", [0.0, 10.0, 40.0, -64.0])
@pytest.mark.parametrize("strike", [70.0, 0.0, 139.0], ids=["inside", "at the start", "at the end"])
def test_the_heading_change_is_the_turn_and_sway_is_none(turn: float, strike: float) -> None:
    """Positive to the left; a parabola in the place of an arc of 64 deg is 7 short of it."""
    pelvis = path(turn)
    assert heading_change(pelvis, strike, strike + 100.0) == pytest.approx(turn, rel=0.12, abs=1.0)


def test_the_direction_at_a_strike_is_that_of_half_a_stride_about_it() -> None:
    """Along x to row 100, then 40 deg to the left, 15 of the 50 steps about row 90. It rises."""
    after = np.arange(241) > 100
    angle = np.radians(np.where(after, 40.0, 0.0))
    steps = np.stack((np.cos(angle), np.ones(241), -np.sin(angle)), axis=1)
    pelvis = 0.01 * np.cumsum(steps, axis=0)
    left = np.radians(40.0)
    first = np.degrees(np.arctan2(15 * np.sin(left), 35 + 15 * np.cos(left)))
    assert heading_change(pelvis, 90.0, 190.0) == pytest.approx(40.0 - first)


def test_of_a_pelvis_that_is_seen_at_the_strikes_alone_no_turn_is_known() -> None:
    pelvis = path(30.0, frames=101)
    pelvis[2:-2] = np.nan
    assert stride_direction(pelvis, 0.0, 100.0) is not None
    assert np.isnan(heading_change(pelvis, 0.0, 100.0))


def test_between_two_frames_the_pelvis_is_on_the_line_and_beyond_the_last_it_stays() -> None:
    pelvis = np.array([[0.0, 9.0, 0.0], [1.0, 9.0, 0.0], [2.0, 8.0, 1.0], [4.0, 9.0, 5.0]])
    found = stride_direction(pelvis, 0.5, 2.25)
    assert found == pytest.approx(np.array([1.0, 0.0, 1.0]) / np.sqrt(2.0))  # to 2.5, 2
    found = stride_direction(pelvis, 0.0, 7.0)
    assert found == pytest.approx(np.array([4.0, 0.0, 5.0]) / np.sqrt(41.0))


def test_on_a_belt_no_way_is_known() -> None:
    pelvis = path(0.0) * [0.01, 1.0, 1.0]
    assert stride_direction(pelvis, 50.0, 150.0) is None
    assert np.isnan(heading_change(pelvis, 50.0, 150.0))
    for way, known in ((0.149, False), (0.151, True)):
        drift = np.outer(np.arange(101.0) / 100.0, [way * 0.6, 0.5, way * 0.8])
        assert (stride_direction(drift, 0.0, 100.0) is not None) == known
    assert not Cycle("left", 1, 50.0, 150.0, None).turning


def test_a_cycle_stands_in_its_own_direction_and_the_trial_in_the_trials() -> None:
    """The same walk told to go 20 deg to the left: timeseries turn by it, cycles do not."""
    result = processed(WALK)
    left = np.array([np.cos(np.radians(20)), 0.0, -np.sin(np.radians(20))])
    turned = replace(result, pose=replace(result.pose, walking_G=left))
    for one, other in zip(
        cycle_curves(result, run_curves(result)), cycle_curves(turned, run_curves(turned)),
        strict=True,
    ):  # fmt: skip
        np.testing.assert_allclose(one.values, other.values, atol=1e-9)
    (before, after) = (
        next(c.values for c in run_curves(one) if c.name == "left_grf_x")
        for one in (result, turned)
    )
    assert np.nanmax(np.abs(before - after)) > 5.0  # N


def test_the_ground_force_of_a_cycle_is_along_and_across_its_own_way() -> None:
    result = processed(WALK)
    left = np.array([np.cos(np.radians(20)), 0.0, -np.sin(np.radians(20))])
    turned, up = replace(result, pose=replace(result.pose, walking_G=left)), np.array([0, 1.0, 0])
    for curves in cycle_curves(turned, run_curves(turned)):
        one, side = curves.cycle, result.sides[curves.cycle.side]
        ahead = stride_direction(result.pose.origin_G, one.start_row, one.stop_row)
        assert ahead is not None
        assert side.wrench is not None
        force = resample(side.wrench.force_G, one.start_row, one.stop_row)
        for axis, direction in (("x", ahead), ("y", up), ("z", np.cross(ahead, up))):
            wanted = force @ direction / (result.subject.mass_kg or np.nan)
            np.testing.assert_allclose(curves.curve(f"grf_{axis}"), wanted, atol=1e-9)


def test_a_stretch_between_frames_lies_on_the_cubic_of_the_whole_trial() -> None:
    result = processed(WALK)
    curves = per_kilogram(result, run_curves(result), "left")
    found = headed(
        result, "left", Stance("left", 1, 100.5, 160.25, None), curves, result.pose.walking_G
    )
    np.testing.assert_allclose(found, resample(curves[2], 100.5, 160.25), atol=1e-9)


def test_cycles_of_the_vendors_profile_keep_the_direction_of_the_trial() -> None:
    result = processed(WALK)
    left = np.array([np.cos(np.radians(20)), 0.0, -np.sin(np.radians(20))])
    turned = replace(result, pose=replace(result.pose, walking_G=left))
    vendor = replace(turned, options=replace(turned.options, profile="plug-in-gait"))
    (cycle, *_) = find_cycles(turned, "left")
    assert curve_direction(turned, cycle)[0] > 0.99
    np.testing.assert_array_equal(curve_direction(vendor, cycle), left)


def test_a_cycle_of_one_side_that_is_left_out_leaves_the_other_side() -> None:
    result = processed(WALK)
    without = replace(result, options=replace(result.options, leave_out=(("left", 1),)))
    for side, first in (("left", 2), ("right", 1)):
        assert find_cycles(without, side)[0].number == first


def test_cycles_have_no_places_and_what_has_no_side_on_both() -> None:
    result = processed(WALK)
    speed = Curve("com_velocity_x", np.ones(len(result.time_s)), "m/s", "G", "+x", "")
    for side in result.sides:
        names, units, values = per_kilogram(result, [*run_curves(result), speed], side)
        assert not [name for name in names if "center" in name or "cop" in name]
        assert (names[-1], units[-1]) == ("com_velocity_x", "m/s")
        assert set(values[:, -1]) == {1.0}


def test_the_rungs_of_a_column_name_its_sides_if_it_has_any() -> None:
    rows = {"left_knee_angle_flexion": "a", "right_knee_angle_flexion": "b", "com_x": "thorax: c"}
    curves = [Curve(name, np.ones(3), "1", "G", "", "", rung) for name, rung in rows.items()]
    course = SimpleNamespace(names=("knee_angle_flexion", "com_x"), units=("deg", "mm"))
    words = per_kg_words(curves, [cast("Any", course)])
    assert words["knee_angle_flexion"]["rung"] == "left: a; right: b"
    assert words["com_x"]["rung"] == "thorax: c"


def test_what_differs_between_the_sides_of_a_column_is_told_for_each() -> None:
    """The dictionary of cycles gave how the left side was computed for both."""
    curves = [
        Curve(f"{side}_knee_angle_flexion", np.ones(3), "deg", "G", "flexion", how, "")
        for side, how in (("left", "stored"), ("right", "two condyles"))
    ]
    course = SimpleNamespace(names=("knee_angle_flexion",), units=("deg",))
    words = per_kg_words(curves, [cast("Any", course)])["knee_angle_flexion"]
    assert words["how"] == "left: stored; right: two condyles"
    assert (words["frame"], words["positive"]) == ("G", "flexion")


def test_straight_strides_of_the_walker_turn_by_nothing() -> None:
    result = processed(WALK)
    turns = [c.heading_change_deg for s in result.sides for c in find_cycles(result, s)]
    assert np.abs(turns).max() < 4.0
    assert "turning" not in {finding.code for finding in result.findings}


@WITH_CORPUS
def test_a_child_who_turns_is_told_and_stands_in_her_own_direction() -> None:
    turned = processed(CORPUS / "gait/McGill/HC032A18.c3d")
    straight = processed(CORPUS / "gait/McGill/HC032A03.c3d")
    found = [f for f in turned.findings if f.code == "turning"]
    assert max(f.value or 0 for f in found) > 60
    assert {f.level for f in found} == {"warning"}
    assert not any("turning" in f.message for f in turned.findings)
    assert not [f for f in straight.findings if f.code == "turning"]
    for curves in cycle_curves(turned, run_curves(turned)):
        mean = np.nanmean(curves.curve("pelvis_angle_rotation"))
        assert abs(mean) < 10  # -31 and 25 deg against the direction of the trial


@WITH_CORPUS
def test_strides_that_turn_are_pooled_with_no_straight_walk(tmp_path: Path) -> None:
    folders = []
    for name in ("HC032A03", "HC032A18"):
        folders.append(tmp_path / "session" / name)
        write_results(ResultsFolder(folders[-1]), processed(CORPUS / f"gait/McGill/{name}.c3d"))
    straight, turned = read_groups(folders)
    assert (straight.label, turned.label) == ("", "turning")
    assert not any(c.cycle.turning for t in straight.trials for c in t.cycles)
    assert all(c.cycle.turning for t in turned.trials for c in t.cycles)
    kept = sum(len(t.cycles) for g in (straight, turned) for t in g.trials)
    assert kept == sum(len(read_trial(folder).cycles) for folder in folders)
    numbers = {(r["side"], r["cycle"]) for t in turned.trials for r in t.tables["peaks"]}
    assert numbers == {(c.cycle.side, str(c.cycle.number)) for t in turned.trials for c in t.cycles}
    assert trial_row(read_trial(folders[1]))["left_cycles"] == 0  # all of that side turn
    norm = read_norm(NORM) if NORM.is_file() else None
    if norm is not None:
        report = make_report((straight, turned), norm)
        assert report.norms[0].bands
        assert not report.norms[1].bands
        assert page_text(report)
    with in_memory() as connection:
        assert [a.outcome for a in add_folders(connection, folders)] == ["added", "added"]
        pooled = read_curves(connection, "knee_angle_flexion")
        assert len(pooled.rows) == sum(len(t.cycles) for t in straight.trials)
        own = read_curves(connection, "knee_angle_flexion", parse_where("condition=turning"))
        assert len(own.rows) == sum(len(t.cycles) for t in turned.trials)
        assert {row.condition for row in own.rows} == {"turning"}


def first_turned(trial: StoredTrial, **changes: Any) -> StoredTrial:
    """Return a trial whose first cycle turns by 60 deg."""
    first, *others = trial.cycles
    turned = replace(first, cycle=replace(first.cycle, heading_change_deg=60.0))
    return replace(trial, cycles=(turned, *others), **changes)


def test_the_parts_of_a_trial_leave_its_view_until_somebody_reads_it() -> None:
    """Moments in all axes are for pages: a row of the summary does without."""
    plain, read = trial_of_result(processed(WALK)), list[str]()

    def view() -> dict[str, Any]:
        read.append("view")
        return plain.view

    straight, _ = by_heading(first_turned(plain, view=later(view)))
    assert not read
    assert straight.view["cycles"]
    assert read == ["view"]


def test_the_verdicts_of_a_part_count_its_own_cycles(tmp_path: Path) -> None:
    """A trust line must not promise strides that another part of the trial holds."""
    folder = ResultsFolder.prepare(tmp_path, WALK)
    write_results(folder, processed(WALK))
    plain = read_trial(folder.path)
    first = (plain.cycles[0].cycle.side, plain.cycles[0].cycle.number)
    trial = first_turned(plain)
    before = {(v["side"], v["quantity"]): v["cycles"] for v in trial.document["verdicts"]}
    straight, turned = by_heading(trial)
    for part in (straight, turned):
        for one in part.document["verdicts"]:
            own = [c for c in part.cycles if c.cycle.side == one["side"]]
            assert one["cycles"] <= len(own)
            assert one["cycles"] <= before[one["side"], one["quantity"]]
    counts = {(v["side"], v["quantity"]): v["cycles"] for v in turned.document["verdicts"]}
    other = "left" if first[0] == "right" else "right"
    assert counts[first[0], "kinematics"] == 1
    assert counts[other, "kinematics"] == counts[other, "kinetics"] == 0


def test_the_verdicts_of_a_part_count_what_is_known_in_its_own_cycles() -> None:
    """Of two left strides the first is straight: its angles lack, its step is whole."""
    plain = trial_of_result(processed(WALK))
    status = [
        row | {"status": "partial", "code": "next-step"}
        if (row["side"], row["cycle"]) == ("left", 1)
        else row
        for row in plain.document["status"]
    ]
    cycles = tuple(
        replace(c, cycle=replace(c.cycle, heading_change_deg=60.0 * (c.cycle.number > 1)))
        for c in plain.cycles
    )
    document = plain.document | {"status": status}
    counting = plain.counting | {"kinematics": plain.counting["kinematics"] - {("left", 1)}}
    straight, turned = by_heading(
        replace(plain, cycles=cycles, document=document, counting=counting)
    )
    told = [
        {v["quantity"]: v["cycles"] for v in part.document["verdicts"] if v["side"] == "left"}
        for part in (straight, turned)
    ]
    assert told[0]["kinematics"] == 0
    assert told[0]["kinetics"] == 1
    assert told[1]["kinematics"] == 1
    off = [row | {"code": "beside-plates"} if row["status"] == "partial" else row for row in status]
    lost = replace(plain, cycles=cycles, document=document | {"status": off})
    none = {(v["side"], v["quantity"]): v for v in by_heading(lost)[0].document["verdicts"]}
    assert none["left", "kinetics"]["cycles"] == 0


def test_the_parts_of_a_trial_share_its_quality_and_the_page_says_where_the_moments_are(
    tmp_path: Path,
) -> None:
    """Only right cycle 1, which has no moments, is straight."""
    folder = ResultsFolder.prepare(tmp_path, WALK)
    write_results(folder, processed(WALK))
    plain = read_trial(folder.path)
    cycles = tuple(
        replace(c, cycle=replace(c.cycle, heading_change_deg=60.0 * (place != ("right", 1))))
        for c in plain.cycles
        for place in [(c.cycle.side, c.cycle.number)]
    )
    straight, turned = by_heading(replace(plain, cycles=cycles))
    (whole,) = rejoined([straight, turned])
    order = ("side", "cycle", "joint")
    assert sorted(whole.document["status"], key=lambda r: [str(r[k]) for k in order]) == sorted(
        plain.document["status"], key=lambda r: [str(r[k]) for k in order]
    )
    assert len(whole.view["cycles"]) == len(plain.view["cycles"])
    assert whole.tables["events"] == plain.tables["events"]
    assert rejoined([plain]) == [plain]
    assert turning_loads([straight])
    assert turning_loads([straight], "right")
    assert not turning_loads([turned])
    report = make_report(
        [Group("", (straight,)), Group("turning", (turned,))], read_norm("schwartz2008")
    )
    assert why_no_loads(report.views[0]) == "Only strides that turn have moments."
    assert "no clean plate step in a straight stride" in report.views[0].side_lines[1].text
    assert len(report.timelines) == 1
    assert len(report.headline.subject) == 1
    assert report.headline.reasons
    assert not any(plain.name in reason for reason in report.headline.reasons)  # of the one trial
    assert "No GPS, left: no left cycle without a turn." in report.scores[0].notes
    texts = page_text(report)
    assert texts.count("the reference set lacks pelvic tilt") == 0
    (audit,) = (t for t in report.notes if t.title == "Consistency of the computation")
    assert len(audit.rows) == len(set(audit.rows)) == 6
    (files,) = (t for t in report.methods if t.title == "Files and versions")
    assert len(files.rows) == len(set(files.rows))


@pytest.mark.parametrize("side", ["left", "right"])
def test_in_the_direction_of_the_trial_the_angles_are_those_of_the_trial(side: str) -> None:
    pose, rows = processed(WALK).pose, slice(100, 160)
    whole = segment_angles(pose, side)
    found = headed_angles(pose, side, rows, pose.walking_G)
    wanted = {
        **{f"pelvis_angle_{word}": whole["pelvis"][rows, i]
           for i, word in enumerate(ANGLES["pelvis"])},
        "foot_angle_progression": whole["foot"][rows, list(ANGLES["foot"]).index("progression")],
    }  # fmt: skip
    assert found.keys() == wanted.keys()
    for name, angle in found.items():
        np.testing.assert_allclose(angle, wanted[name], atol=1e-9)
        assert np.nanmax(np.abs(angle)) > 1.0, "a sign would be seen"


def test_cycles_of_a_side_without_any_curve_have_no_column() -> None:
    result = processed(WALK)
    left = [curve for curve in run_curves(result) if curve.name.startswith("left_knee_angle")]
    shapes = {curves.cycle.side: curves.values.shape for curves in cycle_curves(result, left)}
    assert shapes == {"left": (101, 3), "right": (101, 0)}
