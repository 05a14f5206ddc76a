"""What new users stumbled over."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from gaitdyn import process_trial
from gaitdyn.errors import UsageError
from gaitdyn.provenance.reproduce import reproduce
from gaitdyn.provenance.rerun import recorded_run
from gaitdyn.report import make_report
from gaitdyn.report.compared.groups import firsts_of_groups
from gaitdyn.report.contents import headline
from gaitdyn.report.first_screen.notices import group_notices, recorded_again
from gaitdyn.report.groups import Group
from gaitdyn.session.plan import plan_session
from gaitdyn.stages.reading import filter_log
from gaitdyn.store.result_tables import write_sweep
from gaitdyn.store.stored import StoredTrial, read_trial
from gaitdyn.synthetic import write_trial
from gaitdyn.types.options import Options
from gaitdyn.uncertainty.kept import swept_peaks
from gaitdyn.uncertainty.largest_changes import sweep_lines
from gaitdyn.uncertainty.leg_curves import stages_of
from gaitdyn.uncertainty.placing import place_again
from gaitdyn.uncertainty.sweeps import find_sweep, parse_sweeps
from tests.unit.walker_roles import in_roles, stood, walked


@pytest.fixture
def messy(synthetic: Path, tmp_path: Path) -> Path:
    """A folder with a static, a walk and half of the walk under a name between the two."""
    folder = tmp_path / "M\u00fcller 1"
    folder.mkdir()
    shutil.copy(synthetic / "static.c3d", folder / "Aufnahme stehend \u00fc.c3d")
    shutil.copy(synthetic / "walk01.c3d", folder / "Gang 01 (gut).c3d")
    data = (synthetic / "static.c3d").read_bytes()
    (folder / "Bruch.c3d").write_bytes(data[: len(data) * 2 // 3])
    return folder


def test_a_static_that_is_cut_off_is_passed_over(messy):
    result = process_trial(messy / "Gang 01 (gut).c3d")
    assert result.static is not None
    assert result.static.name == "Aufnahme stehend \u00fc.c3d"


def test_a_copy_of_a_walk_is_noted(messy):
    shutil.copy(messy / "Gang 01 (gut).c3d", messy / "Gang 01 (gut) - Kopie.c3d")
    notes = [note for note in plan_session(messy).notes if "copy" in note]
    assert len(notes) == 1
    assert "use = false" in notes[0]


def test_copies_that_are_pooled_are_told(session):
    trial = read_trial(session / "walk01")
    both = Group("", (trial, replace(trial, name="again")))
    assert recorded_again(Group("", (trial, read_trial(session / "walk02")))) == []
    told = "walk01 is here twice (also as again); its strides count once"
    assert recorded_again(both) == [told]
    assert headline([both]).verdict == "check"


def test_results_of_one_walk_in_two_folders_that_are_pooled_are_told(session):
    """They have one name, and nothing was said of strides that count twice."""
    trial = read_trial(session / "walk01")
    both = Group("", (trial, replace(trial, path=session.with_name("other") / "walk01")))
    told = "walk01 is here twice; its strides count once"
    assert recorded_again(both) == [told]


def test_sessions_that_are_compared_and_have_one_recording_are_told(session):
    trial, other = read_trial(session / "walk01"), read_trial(session / "walk02")
    again = replace(trial, name="again", path=trial.path.with_name("again"))
    (told,) = make_report([Group("A", (trial, other)), Group("B", (again,))]).notices
    assert (told.title, told.glyph) == ("A and B: one recording", "!")
    assert told.text.startswith("walk01 (there again) is the same recording in both: what differs")
    assert make_report([Group("A", (trial,)), Group("B", (other,))]).notices == ()


def test_belts_and_floor_in_one_group_are_told(session):
    floor = read_trial(session / "walk01")
    belts = replace(floor, document=floor.document | {"belts": [{"speed_m_s": 1.0}]})
    other = read_trial(session / "walk02")
    assert group_notices(Group("", (floor, other))) == ()
    assert group_notices(Group("", (belts,))) == ()
    (notice,) = group_notices(Group("", (belts, other)))
    assert (notice.title, notice.glyph) == ("Treadmill and overground together", "!")
    assert notice.text.startswith("On belts: walk01. Give belt trials a condition")


def of(trial: StoredTrial, **subject: Any) -> Group:
    document = trial.document | {"subject": trial.document["subject"] | subject}
    return Group("", (replace(trial, document=document),))


@pytest.mark.parametrize(
    ("one", "two", "told"),
    [
        ({"id": None, "mass_kg": 74.0}, {"id": None, "mass_kg": 53.5}, "74 kg and 53.5 kg"),
        ({"id": "A", "mass_kg": 74.0}, {"id": "A", "mass_kg": 53.5}, ""),
        ({"id": "A"}, {"id": "B"}, "two people (A and B): no change is judged"),
        ({"id": None, "mass_kg": 60.0}, {"id": None, "mass_kg": 70.0}, ""),
        ({"id": None, "mass_kg": None}, {"id": None, "mass_kg": 70.0}, ""),
    ],
)
def test_a_comparison_of_two_people_is_told(session, one, two, told):
    trial = read_trial(session / "walk01")
    groups = [of(trial, **one), of(trial, **two)]
    (reason,) = [r.sentence for _, r in firsts_of_groups(groups)]
    assert bool(reason) == bool(told)
    assert told in reason
    assert (
        reason in headline(groups, (), [r for _, r in firsts_of_groups(groups)]).reasons
    ) == bool(told)


def test_a_sweep_says_what_it_left_out_and_goes_on(synthetic, tmp_path):
    trial, wanted = synthetic / "walk01.c3d", parse_sweeps(["anthropometry=dempster,deleva"])
    found = find_sweep(process_trial(trial), wanted)
    assert [one.word for one in found.settings] == ["dempster-winter"]
    write_sweep(tmp_path, swept_peaks(found))
    assert (
        "sex"
        in json.loads((tmp_path / "sweep.json").read_text())["left_out"]["anthropometry=de-leva"]
    )
    assert sweep_lines(swept_peaks(found))[0].startswith(
        "--sweep anthropometry=de-leva is left out: "
    )


def test_a_cut_off_above_half_the_rate_is_told(synthetic):
    result = process_trial(synthetic / "walk01.c3d", Options(cutoff_hz=60.0))
    assert any("half the marker rate (50 Hz)" in line for line in result.log)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (Options(cutoff_hz=6.0, force_cutoff_hz=25.0), "markers 6 Hz, forces 25 Hz"),
        (Options(force_cutoff_hz=None), "markers 10 Hz, forces none"),
        (Options(force_cutoff_hz=10.0), ""),
    ],
)
def test_cut_offs_that_do_not_match_are_told(options, told):
    lines = filter_log(options, 100.0)
    assert [line.split(": ")[1] for line in lines] == ([told] if told else [])
    assert all(line.startswith("cut-offs differ: ") for line in lines)


def test_a_choice_about_the_static_is_not_silently_lost_without_one(synthetic):
    path = synthetic / "walk01.c3d"
    told = "--flat-foot not used: there is no static"
    assert told in process_trial(path, static="none", flat_foot="yes").log
    assert told not in process_trial(path, static="none").log


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"offsets": "trial"}, ["walk01.c3d stores none for the left and right legs"]),
        (
            {"model": "ladder", "offsets": "trial", "flat_foot": "no"},
            ["the model ladder does not calibrate the feet as Plug-in Gait does"],
        ),
        ({"flat_foot": "no"}, []),
    ],
)
def test_choices_about_the_feet_that_are_not_used_are_told(synthetic, words, told):
    log = process_trial(synthetic / "walk01.c3d", **words).log
    assert [line.split(" not used: ")[1] for line in log if " not used: " in line] == told


def test_a_result_is_short_in_a_notebook_and_a_table_when_asked(synthetic):
    result = process_trial(synthetic / "walk01.c3d")
    assert "walk01.c3d" in repr(result)
    assert max(len(repr(x)) for x in (result, result.pose, result.trial, result.recording)) < 700
    table = result.to_frame()
    assert table.index.name == "frame"
    assert np.array_equal(table.index, result.frame_numbers)
    kinetics = result.sides["left"].kinetics
    assert kinetics is not None
    assert table.attrs["columns"]["left_knee_moment_extension"]["unit"] == "N m"
    assert set(table.columns) == {"time_s", *table.attrs["columns"]}


def test_options_that_are_none_are_refused_in_words(synthetic):
    with pytest.raises(UsageError, match=r"options is \{.*\}, wanted gaitdyn\.Options"):
        process_trial(synthetic / "walk01.c3d", cast("Any", {"cutoff_hz": 6}))
    with pytest.raises(UsageError, match="wanted a number"):
        Options(cutoff_hz=cast("Any", "6"))


def test_wrong_paths_are_told_in_words(gaitdyn, synthetic):
    trial = synthetic / "walk01.c3d"
    for option in ("--quality", "--subject", "--uncertainty"):
        done = gaitdyn("process", trial, option, "nowhere.toml")
        assert done.returncode == 2
        assert "Errno" not in done.stderr
    assert (
        "no such folder" in gaitdyn("explain", "x", "--frame", 1, "--segment", "left_foot").stderr
    )
    assert "gaitdyn batch" in gaitdyn("process", synthetic).stderr


def test_forces_none_leaves_the_plates_of_a_c3d_out_and_is_run_again(synthetic, tmp_path):
    result = process_trial(synthetic / "walk01.c3d", forces="none")
    assert result.no_kinetics == "no forces, as requested with --forces none: kinematics only"
    assert not result.recording.plates
    assert {status.code for status in result.status} == {"no-forces"}
    result.save(tmp_path / "walk01")
    run = recorded_run(tmp_path / "walk01", {}, [synthetic], None)
    assert run.options.forces == "none"
    assert reproduce(run).same(0.0)


def test_markers_that_only_the_static_shows_are_placed_anew_too(tmp_path):
    """The condyles of a cluster model decide the axis of the knee."""
    clusters = tuple(f"{x}{i}" for x in ("TH", "SK", "FT") for i in range(1, 5))
    pelvis = ("LASI", "RASI", "LPSI", "RPSI")
    landmarks = ("KNE", "KNM", "ANK", "MED", "HEE", "TOE")
    moving = in_roles(walked(), lambda role: role in pelvis or role[1:] in clusters)
    still = in_roles(stood(), lambda role: role in pelvis or role[1:] in (*clusters, *landmarks))
    write_trial(tmp_path / "walk.c3d", moving)
    write_trial(tmp_path / "static.c3d", still)
    result = process_trial(tmp_path / "walk.c3d", mass_kg=70.0, audit=False)
    placed = place_again(stages_of(result), result, 5.0, 5)
    turned = placed.curves["left", "knee_angle_internal_rotation"]
    assert np.sqrt(np.mean(turned**2)) > 1.5  # deg; 5 mm on condyles 100 mm apart turn it by 4


def test_a_side_and_its_length_are_two_words(synthetic, tmp_path):
    text = "[subject]\n[subject.left]\nleg_length_mm = 700\n"
    (tmp_path / "subject.toml").write_text(text, encoding="utf-8")
    result = process_trial(synthetic / "walk01.c3d", subject=str(tmp_path / "subject.toml"))
    told = [f.message for f in result.findings if f.code == "subject-differs"]
    assert told[0].startswith("left leg length: 700 mm from the subject file, ")


def test_a_subject_prefix_that_no_label_has_is_told(synthetic):
    result = process_trial(synthetic / "walk01.c3d", subject_prefix="Foo")
    assert any(line.startswith("no label has the subject prefix asked for") for line in result.log)


def test_an_up_that_nothing_in_the_file_shows_is_told_first(synthetic):
    from gaitdyn.quality.plain_words import warning_lines

    trial = synthetic / "walk01.c3d"
    result = process_trial(trial, up="+Y")
    first = warning_lines(result.findings)[0]
    assert first.startswith("walk01.c3d: up +Y was given, but nothing in the file agrees (")
    assert "pelvis above feet" in first
    assert first.endswith(": leave `up` out")
    assert not [one for one in result.findings if one.code == "axes-doubt"]
    assert result.verdict == "fail"
    assert result.no_kinetics.startswith(
        "no usable force plate (plate 1, plate 2, plate 3: does not face up): kinematics only;"
        " leave --up out or "
    )
    for up in (None, "+Z"):
        assert not [one for one in process_trial(trial, up=up).findings if "up-" in one.code]


def test_a_forward_against_the_walk_is_told(synthetic):
    trial = synthetic / "walk01.c3d"

    def said(**settings: Any) -> list[tuple[str, str]]:
        found = process_trial(trial, **settings).findings
        return [(one.level, one.message) for one in found if one.code == "forward-astray"]

    assert said(forward="+X") == []
    ((level, message),) = said(forward="-X")
    assert level == "info"
    assert "forward -X was given, but the person walks along +X: laboratory" in message
    assert said(forward="+Y")
    log = process_trial(trial, forward="+Y").log
    assert "axes: up +Z, forward is +Y (given) of the laboratory" in log
    assert not any("walking along +Y" in line for line in log)  # the next line says otherwise
    (level, message) = said(forward="-X", profile="plug-in-gait")[0]
    assert level == "warning"
    assert "angles and moments" in message
