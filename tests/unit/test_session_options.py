"""What a session may say of one trial reaches its results: events, cycles, statics, diameters."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.calibrate.body.subject import resolve_subject
from gaitdyn.calibrate.plug_in_gait.skeleton import half_widths
from gaitdyn.calibrate.widths import diameter_doubts, with_diameter, with_drawn_widths
from gaitdyn.cycles.normalise import every_cycle
from gaitdyn.errors import UsageError
from gaitdyn.io.recording import read_recording
from gaitdyn.pipeline import process_trial
from gaitdyn.store import ResultsFolder, write_results
from gaitdyn.types.options import NO_STATIC, Assignment, Options
from gaitdyn.types.recording import Event, Recording
from gaitdyn.types.subject import LegMeasures, Subject
from tests.read_back import rows_of
from tests.unit.faulty_walks import processed

if TYPE_CHECKING:
    from gaitdyn.stages.session import Session


def test_cycles_left_out_are_in_no_table_and_the_others_keep_their_numbers(synthetic, tmp_path):
    options = Options(leave_out=(("left", 1), ("right", 9)))
    result = process_trial(synthetic / "walk01.c3d", options)
    numbers = [c.number for c in every_cycle(result, "left")]
    folder = ResultsFolder.prepare(tmp_path / "out", synthetic / "walk01.c3d", [], force=False)
    document = write_results(folder, result, figures=True)
    for name in ("cycles.csv", "peaks.csv", "gait_parameters.csv"):
        left = {int(r["cycle"]) for r in rows_of(folder.path / name) if r["side"] == "left"}
        assert left == set(numbers[1:]), name
    told = [s for s in document["status"] if s["code"] == "left-out"]
    assert {(s["side"], s["cycle"], s["status"]) for s in told} == {
        ("left", 1, "skipped"),
        ("right", 9, "skipped"),
    }
    assert "the trial has no such cycle" in told[-1]["reason"]
    stored = json.loads((folder.path / "result.json").read_text(encoding="utf-8"))
    assert stored["options"]["leave_out"] == [["left", 1], ["right", 9]]


def test_given_events_stand_in_the_place_of_the_files(synthetic, clean):
    left = [e for e in clean.events if e.side == "left"]
    moved = tuple(Event(e.time_s + 0.02, e.side, e.kind) for e in left)
    result = process_trial(synthetic / "walk01.c3d", Options(events=moved))
    assert [e for e in result.events if e.side == "left"] == sorted(moved)
    assert {e.source for e in result.events if e.side == "left"} == {"file"}
    assert any("given, those of the file are not used" in line for line in result.log)


def test_a_given_event_outside_the_recording_is_told(synthetic):
    event = Event(99.0, "left", "foot_strike")
    told = r"left foot strike is at 99 s, frame 9901; .* lasts from 1 to \S+ s, frames 101 to \d+$"
    with pytest.raises(UsageError, match=told):
        process_trial(synthetic / "walk01.c3d", Options(events=(event,)))


def test_none_for_a_static_looks_for_none(synthetic, clean):
    assert clean.static is not None
    result = process_trial(synthetic / "walk01.c3d", Options(static=NO_STATIC))
    assert result.static is None


def test_a_letter_of_the_data_base_for_a_plate_that_is_not_there_is_passed_over(synthetic, clean):
    first = clean.contacts[0]
    other = "right" if first.side == "left" else "left"
    letters = (Assignment(first.plate, other, origin="enf"), Assignment(8, "left", origin="enf"))
    result = process_trial(synthetic / "walk01.c3d", Options(assign=letters))
    given = [c for c in result.contacts if c.plate == first.plate]
    assert {c.side for c in given} == {other}
    assert given[0].reason == "given by the trial's .enf"
    with pytest.raises(UsageError, match="plate 8"):
        process_trial(synthetic / "walk01.c3d", Options(assign=(Assignment(8, "left"),)))


def test_markers_of_a_side_may_have_their_own_diameter(synthetic, tmp_path):
    trial = read_recording(synthetic / "walk01.c3d")
    path = tmp_path / "subject.toml"
    path.write_text("[subject]\n[subject.left]\nmarker_diameter_mm = 24\n")
    subject, _ = resolve_subject(Options(subject=str(path)), trial, None)
    assert subject.left.marker_diameter_m == 0.024
    left, right = half_widths(subject, "left"), half_widths(subject, "right")
    wide, narrow = (subject.leg(s).knee_width_m or 0.0 for s in ("left", "right"))
    assert left[0] == pytest.approx((wide + 0.024) / 2)
    assert right[0] == pytest.approx((narrow + (subject.marker_diameter_m or 0.0)) / 2)
    subject, _ = resolve_subject(Options(subject=str(path), marker_diameter_mm=9), trial, None)
    assert subject.left.marker_diameter_m is None
    assert subject.marker_diameter_m == 0.009


def test_a_diameter_given_for_all_that_is_not_that_of_a_side_is_told(synthetic, tmp_path):
    trial = read_recording(synthetic / "walk01.c3d")
    path = tmp_path / "subject.toml"
    path.write_text("[subject]\n[subject.left]\nmarker_diameter_mm = 24\n")
    options = Options(subject=str(path), marker_diameter_mm=9)
    _, findings = resolve_subject(options, trial, None)
    told = [f.message for f in findings if f.scope == "left.marker_diameter_m"]
    assert told == [
        ("left marker diameter: 9 mm from the option, 24 mm from the subject file; 9 mm is used")
    ]


def drawn_with(recording: Recording, diameter_m: float) -> Recording:
    """The knee centres as the vendor draws them for markers of that diameter."""
    widths = [recording.subject.leg(s).knee_width_m or np.nan for s in ("left", "right")]
    gaps = [(width + diameter_m) / 2 for width in widths]
    drawn = np.stack(
        [
            recording.marker(f"{x}KNE") + np.array([g, 0.0, 0.0])
            for x, g in zip("LR", gaps, strict=True)
        ],
        axis=1,
    )
    markers = np.concatenate([recording.markers_L, drawn], axis=1)
    subject = replace(recording.subject, marker_diameter_m=None)
    labels = (*recording.labels, "LFEO", "RFEO")
    return replace(recording, labels=labels, markers_L=markers, subject=subject)


def test_widths_that_nobody_states_are_those_of_the_drawn_centres(synthetic):
    """Centres 57 and 42 mm from markers of 14 mm: 100 and 70 mm; 62 mm with one of 24 mm."""
    trial = read_recording(synthetic / "walk01.c3d")
    named = {"LFEO": ("LKNE", 57.0), "LTIO": ("LANK", 42.0), "RTIO": ("RANK", 43.0)}
    away = np.array([0.6, 0.0, 0.8])
    drawn = [trial.marker(marker) + 0.001 * mm * away for marker, mm in named.values()]
    drawn += [trial.marker("RKNE") + 0.3 * away]  # no knee is as wide
    markers = np.concatenate([trial.markers_L, np.stack(drawn, axis=1)], axis=1)
    trial = replace(trial, labels=(*trial.labels, *named, "RFEO"), markers_L=markers)
    subject = Subject(
        left=LegMeasures(), right=LegMeasures(marker_diameter_m=0.024), marker_diameter_m=0.014
    )
    found, told = with_drawn_widths(subject, [trial])
    assert found.left.knee_width_m == pytest.approx(0.1, abs=1e-5)
    assert found.left.ankle_width_m == pytest.approx(0.07, abs=1e-5)
    assert found.right.ankle_width_m == pytest.approx(0.062, abs=1e-5)
    assert found.right.knee_width_m is None
    assert found.sources["left.knee_width_m"] == "walk01.c3d"
    assert [(f.scope, round(f.value or 0.0)) for f in told] == [
        ("left", 100), ("left", 70), ("right", 62)
    ]  # fmt: skip
    stated = replace(subject, left=LegMeasures(knee_width_m=0.09))
    assert with_drawn_widths(stated, [trial])[0].left.knee_width_m == 0.09


@pytest.mark.parametrize("given", [None, 14.0, 14.3, 25.0])
def test_a_given_diameter_that_the_drawn_knee_centre_contradicts_is_told(synthetic, given):
    trial = drawn_with(read_recording(synthetic / "walk01.c3d"), 0.014)
    width = trial.subject.left.knee_width_m or np.nan
    wider = replace(trial.subject.left, knee_width_m=width + 0.02)
    for subject in (
        trial.subject,
        replace(trial.subject, left=wider),
    ):  # not what it was drawn with
        used = replace(
            subject,
            marker_diameter_m=given and given / 1000,
            sources={"marker_diameter_m": "option"} if given else {},
        )
        told = diameter_doubts(used, [trial])
        if given != 25.0:
            assert not told
            found, _ = with_diameter(used, [trial])
            assert found.marker_diameter_m == pytest.approx((given or 14.0) / 1000)
            continue
        assert [finding.message for finding in told] == [
            (
                "marker diameter: 25 mm from the option, 14 mm from LFEO and LKNE of walk01.c3d; 25"
                " mm is used"
            )
        ]
        assert told[0].code == "subject-differs"
        assert told[0].value == pytest.approx(0.44)


def test_a_diameter_against_the_files_is_among_the_findings(synthetic):
    result = process_trial(synthetic / "walk01.c3d", Options(marker_diameter_mm=25))
    told = [f.message for f in result.findings if f.scope == "marker_diameter_m"]
    assert told == [
        (
            "marker diameter: 25 mm from the option, 14 mm from the static and the trial; 25 mm is"
            " used"
        )
    ]


def test_without_a_diameter_for_all_the_pelvis_has_the_mean_of_the_sides(synthetic):
    subject = replace(
        read_recording(synthetic / "walk01.c3d").subject,
        marker_diameter_m=None,
        left=LegMeasures(marker_diameter_m=0.014),
        right=LegMeasures(marker_diameter_m=0.010),
    )
    found, findings = with_diameter(subject, [])
    assert found.marker_diameter_m == pytest.approx(0.012)
    assert "mean of the sides" in findings[0].message


def test_a_parameter_file_is_recorded_without_the_name_it_carries(synthetic, tmp_path):
    path = tmp_path / "Ann Exampleton.mp"
    path.write_text("$Bodymass = 70\n$LKneeWidth = 3\n")
    result = process_trial(synthetic / "walk01.c3d", Options(subject_parameters=str(path)))
    assert result.subject.mass_kg == 70
    assert any("LKneeWidth = 3 is ignored" in f.message for f in result.findings)
    folder = ResultsFolder.prepare(tmp_path / "out", synthetic / "walk01.c3d", [], force=False)
    write_results(folder, result)
    text = (folder.path / "result.json").read_text(encoding="utf-8")
    assert "Exampleton" not in text
    assert "A************n.mp" in text


def test_the_drawn_centres_of_the_trial_are_among_the_findings(as_read: Session) -> None:
    result = processed(as_read, lambda r: drawn_with(r, 0.014), marker_diameter_mm=25)
    told = [f.message for f in result.findings if "from LFEO and LKNE of walk01.c3d" in f.message]
    assert len(told) == 1
