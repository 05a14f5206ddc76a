"""The plan of a session: roles, statics, options, and where each came from."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from gaitdyn.calibrate.statics.find import find_static
from gaitdyn.door import process_trial
from gaitdyn.errors import FileRefused, UsageError
from gaitdyn.io.recording import read_recording
from gaitdyn.session import TrialPlan, plan_description, plan_lines, plan_session, plan_trial
from gaitdyn.session import plan as plan_module
from gaitdyn.session.contents import scan_file
from gaitdyn.session.person import MUSCLES_ALONE, mass_in_others
from gaitdyn.session.plan_description import describe_session
from gaitdyn.synthetic import Recording, Walker, WalkerBody, write_trial
from gaitdyn.tables.run_start import RunStart
from gaitdyn.types.options import NO_STATIC, Assignment, Options
from gaitdyn.types.recording import Event
from gaitdyn.types.subject import Subject
from tests.walks import stand, walk


@pytest.fixture
def session(synthetic, tmp_path) -> Path:
    """static.c3d, walk01.c3d and walk02.c3d of one person."""
    folder = tmp_path / "Session 1"
    folder.mkdir()
    shutil.copy(synthetic / "static.c3d", folder / "static.c3d")
    for name in ("walk01.c3d", "walk02.c3d"):
        shutil.copy(synthetic / "walk01.c3d", folder / name)
    return folder


def planned(folder, name: str, **given) -> TrialPlan:
    return next(t for t in plan_session(folder, given).trials if t.path.name == name)


def say(folder, text: str) -> None:
    (folder / "session.toml").write_text(text, encoding="utf-8")


def enf(folder, stem: str, text: str, encoding: str = "utf-8") -> None:
    (folder / f"{stem}.Trial.enf").write_bytes(f"[TRIAL_INFO]\n=\n{text}\n".encode(encoding))


def test_files_of_eclipse_are_counted_in_the_singular_too(session):
    enf(session, "walk01", "TYPE=Dynamic")
    assert "read: 1 .enf file of Vicon Eclipse" in plan_session(session).notes
    enf(session, "walk02", "TYPE=Dynamic")
    assert "read: 2 .enf files of Vicon Eclipse" in plan_session(session).notes


def test_a_folder_without_any_words_is_planned(session):
    plan = plan_session(session)
    assert [(t.path.name, t.role) for t in plan.trials] == [
        ("static.c3d", "static"),
        ("walk01.c3d", "dynamic"),
        ("walk02.c3d", "dynamic"),
    ]
    assert plan.name == "Session 1"
    assert plan.trials[0].reason == "by its name"
    walk = plan.trials[2]
    assert walk.options.static == str(session / "static.c3d")
    assert walk.problem == ""
    assert plan.subject.mass_kg
    assert plan.subject.sources["mass_kg"] == "static"


def test_a_mass_in_one_file_is_that_of_the_other_walks_of_this_subject(tmp_path):
    bare, heavy = Recording(parameters=False), Walker(body=WalkerBody(mass_kg=80.0))
    for name, walker, recording in (
        ("walk01", Walker(), Recording()), ("walk02", Walker(), bare),
        ("walk03", Walker(), replace(bare, subject="")),
    ):  # fmt: skip
        write_trial(tmp_path / f"{name}.c3d", walk(walker, recording))
    found = planned(tmp_path, "walk02.c3d")
    assert (found.subject.mass_kg, found.options.mass_kg) == (
        pytest.approx(70.0),
        pytest.approx(70.0),
    )
    assert found.sources["mass_kg"] == "walk01.c3d"
    assert planned(tmp_path, "walk02.c3d", mass_kg=66.0).subject.mass_kg == 66.0
    assert planned(tmp_path, "walk01.c3d").options.mass_kg is None
    assert planned(tmp_path, "walk03.c3d").subject.mass_kg is None
    write_trial(tmp_path / "walk04.c3d", walk(heavy, Recording()))
    assert planned(tmp_path, "walk02.c3d").subject.mass_kg is None


def test_a_mass_is_not_that_of_a_person_of_another_height_under_the_same_name(tmp_path):
    """As with "New Patient", which the laboratory's software proposes for everybody."""
    for name, recording in (
        ("walk01", Recording()),
        ("walk02", Recording(parameters=False)),
    ):
        write_trial(tmp_path / f"{name}.c3d", walk(Walker(), recording))
    whole, bare = (scan_file(tmp_path / name, {}) for name in ("walk01.c3d", "walk02.c3d"))
    assert whole.content is not None
    height = whole.content.sample.subject.height_m
    assert height
    for unlike, mass in ((0.02, 70.0), (0.12, None)):
        found = mass_in_others(bare, Subject(height_m=height - unlike), [whole])
        assert (found and found[0]) == (mass and pytest.approx(mass))
    assert mass_in_others(bare, Subject(), [whole])


def test_nothing_is_written(session):
    before = {p: p.stat().st_mtime_ns for p in session.rglob("*")}
    plan_session(session)
    assert {p: p.stat().st_mtime_ns for p in session.rglob("*")} == before


def test_a_walk_that_is_a_copy_is_told_and_one_that_was_saved_again(session):
    first = (session / "walk01.c3d").read_bytes()
    for name, place in (("walk03.c3d", -1), ("walk04.c3d", -len(first) // 2)):
        other = bytearray(first)
        other[place] ^= 1
        (session / name).write_bytes(bytes(other))
    notes = plan_session(session).notes
    (note,) = (note for note in notes if "copy" in note)
    assert note.startswith("walk02.c3d is a copy of walk01.c3d: its cycles count once")
    again = [note.split(":")[0] for note in notes if "has the markers of" in note]
    assert again == [f"walk0{i}.c3d has the markers of walk01.c3d" for i in (3, 4)]
    (session / "walk01.c3d").rename(session / "walk02 (Kopie).c3d")
    (note,) = [n for n in plan_session(session).notes if "a copy" in n]
    assert note.startswith("walk02 (Kopie).c3d is a copy of walk02.c3d: ")


def test_walks_of_one_length_are_told_apart_by_their_markers(session):
    """Of the same walker: other noise."""
    write_trial(session / "walk02.c3d", walk(Walker(), Recording(marker_noise_mm=0.5, seed=1)))
    write_trial(session / "walk03.c3d", walk(Walker(), Recording(marker_noise_mm=0.5, seed=2)))
    assert not [note for note in plan_session(session).notes if "has the markers of" in note]


def test_walks_without_a_label_in_common_are_no_copies(session):
    trial = walk()
    write_trial(session / "walk02.c3d", replace(trial, labels=tuple(f"{x}x" for x in trial.labels)))
    assert not [note for note in plan_session(session).notes if "has the markers of" in note]


def test_muscles_are_promised_of_a_walk_that_has_channels_alone(session):
    trial = walk()
    write_trial(session / "walk02.c3d", replace(trial, labels=tuple(f"x{i}" for i in range(16))))
    bare = planned(session, "walk02.c3d").problem
    assert bare
    assert not bare.endswith(MUSCLES_ALONE)


def test_a_static_is_found_by_stillness(session):
    (session / "static.c3d").rename(session / "a07.c3d")
    plan = plan_session(session)
    assert plan.trials[0].role == "static"
    assert plan.trials[0].reason == "pelvis and feet move no more than 0.01 m"
    assert plan.trials[1].options.static == str(session / "a07.c3d")


def test_a_walk_that_is_named_static_is_no_static(session):
    (session / "walk02.c3d").rename(session / "walk standing up.c3d")
    walk = planned(session, "walk standing up.c3d")
    assert walk.role == "dynamic"
    assert "named like a static" in walk.reason


def test_the_type_in_an_enf_wins_over_the_name(session):
    (session / "static.c3d").rename(session / "range.c3d")
    enf(session, "range", "TYPE=Static")
    enf(session, "walk01", "TYPE=Knee Calibration")
    plan = plan_session(session)
    assert [t.role for t in plan.trials] == ["static", "left-out", "dynamic"]
    assert plan.trials[0].reason == "type Static in its .enf"


def test_session_toml_wins_over_an_enf(session):
    enf(session, "walk01", "TYPE=Dynamic")
    say(session, '[trials."walk01.c3d"]\nuse = false\n')
    assert planned(session, "walk01.c3d").role == "left-out"


def test_a_static_that_is_left_out_is_not_found_again(session):
    say(session, '[trials."static.c3d"]\nuse = false\n')
    walk = planned(session, "walk01.c3d")
    assert walk.options.static == NO_STATIC
    assert "no static in the session" in walk.missing


def test_statics_of_conditions_go_to_their_trials(session):
    shutil.copy(session / "static.c3d", session / "static2.c3d")
    say(
        session,
        '[[statics]]\nfile = "static.c3d"\n[[statics]]\nfile = "static2.c3d"\n'
        'condition = "shod"\n[trials."walk02.c3d"]\ncondition = "shod"\n',
    )
    assert planned(session, "walk01.c3d").options.static == str(session / "static.c3d")
    shod = planned(session, "walk02.c3d")
    assert shod.options.static == str(session / "static2.c3d")
    assert (shod.condition, shod.options.condition) == ("shod", "shod")


def test_a_condition_without_a_static_is_told_with_those_that_have_one(session):
    statics = '[[statics]]\nfile = "static.c3d"\ncondition = "barefoot"\n'
    say(session, statics + '[trials."walk02.c3d"]\ncondition = "shod"\n')
    told = "no static: session.toml names none for the condition 'shod', only for barefoot"
    assert told in planned(session, "walk02.c3d").missing
    told = "no static: session.toml names none for a trial without a condition, only for barefoot"
    assert told in planned(session, "walk01.c3d").missing


def test_a_trial_may_name_its_static_and_the_command_line_wins(session):
    shutil.copy(session / "static.c3d", session / "stand.c3d")
    say(session, '[trials."walk01.c3d"]\nstatic = "stand.c3d"\n')
    walk = planned(session, "walk01.c3d")
    assert walk.options.static == str(session / "stand.c3d")
    assert walk.static_reason == "session.toml, for this trial"
    assert planned(session, "walk01.c3d", static="x.c3d").options.static == "x.c3d"


def test_a_trial_may_go_without_a_static_as_on_the_command_line(session):
    say(session, '[trials."walk01.c3d"]\nstatic = "none"\n')
    walk = planned(session, "walk01.c3d")
    assert walk.options.static == NO_STATIC
    assert "no static: session.toml, for this trial" in walk.missing
    assert planned(session, "walk02.c3d").options.static == str(session / "static.c3d")


def test_the_last_static_before_a_trial_is_taken(session):
    (session / "walk02.c3d").rename(session / "walk03.c3d")
    shutil.copy(session / "static.c3d", session / "walk02 static.c3d")
    assert planned(session, "walk01.c3d").options.static == str(session / "static.c3d")
    assert planned(session, "walk03.c3d").options.static == str(session / "walk02 static.c3d")


def test_options_of_a_trial_win_over_those_of_the_session(session):
    say(
        session,
        '[options]\ncutoff = 6\nprofile = "plug-in-gait"\n'
        '[trials."walk01.c3d".options]\ncutoff = 8\n',
    )
    one, two = planned(session, "walk01.c3d"), planned(session, "walk02.c3d")
    assert (one.options.cutoff_hz, two.options.cutoff_hz) == (8.0, 6.0)
    assert one.options.profile == two.options.profile == "plug-in-gait"
    assert one.sources["cutoff_hz"] == "session.toml"
    assert two.sources["cutoff_hz"] == "session.toml [options]"
    assert planned(session, "walk01.c3d", cutoff_hz=5.0).options.cutoff_hz == 5.0


def test_plate_letters_come_from_the_enf_and_session_toml_wins_plate_by_plate(session):
    enf(session, "walk01", "FP1=Left\nFP2=Invalid\nFP9=Right\nDESCRIPTION=läuft", "latin-1")
    walk = planned(session, "walk01.c3d")
    assert walk.options.assign == (
        Assignment(1, "left", origin="enf"),
        Assignment(2, "none", origin="enf"),
    )
    assert walk.description == "läuft"
    say(session, '[trials."walk01.c3d"]\nassign = "2=right"\n')
    walk = planned(session, "walk01.c3d")
    assert walk.options.assign == (Assignment(1, "left", origin="enf"), Assignment(2, "right"))
    assert walk.sources["assign"] == "session.toml and .enf"


def test_events_at_frames_become_times_on_the_files_clock(session):
    say(
        session,
        '[[trials."walk01.c3d".events]]\nside = "right"\nevent = "foot_off"\nframe = 101\n'
        '[[trials."walk01.c3d".events]]\nside = "left"\nevent = "foot_strike"\ntime_s = 0.5\n',
    )
    assert planned(session, "walk01.c3d").options.events == (
        Event(0.5, "left", "foot_strike"),
        Event(1.0, "right", "foot_off"),
    )


def test_an_mp_file_stands_between_session_toml_and_the_c3d(session):
    (session / "SYN01.mp").write_text("$Bodymass = 70\n$LLegLength = 901\n$RMarkerDiameter = 20\n")
    walk = planned(session, "walk01.c3d")
    assert walk.subject.mass_kg == 70
    assert walk.subject.sources["mass_kg"] == "parameter file"
    assert walk.subject.right.marker_diameter_m == 0.02
    say(session, "[subject]\nmass_kg = 71\n")
    walk = planned(session, "walk01.c3d")
    assert walk.subject.mass_kg == 71
    assert walk.subject.sources["left.leg_length_m"] == "parameter file"
    assert walk.subject.sources["right.leg_length_m"] == "static"


def test_two_mp_files_are_told_apart_by_the_subject_or_passed_over(session):
    for name, mass in (("Ann", 50), ("Bob", 90)):
        (session / f"{name}.mp").write_text(f"$Bodymass = {mass}\n")
    plan = plan_session(session)
    assert plan.trials[1].options.subject_parameters is None
    assert "not clear whose: 2 .mp files" in plan.notes
    (session / "Bob.mp").rename(session / "syn01.mp")
    assert planned(session, "walk01.c3d").subject.mass_kg == 90


def test_one_trial_gets_the_measures_and_feet_that_its_session_gets(session):
    (session / "SYN01.mp").write_text("$Bodymass = 80\n")
    enf(session, "walk01", "FP1=Invalid")
    alone, inside = plan_trial(session / "walk01.c3d"), planned(session, "walk01.c3d")
    assert alone.options == inside.options
    assert alone.subject.mass_kg == 80
    assert [(a.plate, a.side) for a in alone.options.assign] == [(1, "none")]
    assert any("(.mp)" in line and "(.enf)" in line for line in plan_lines(alone))
    assert process_trial(session / "walk02.c3d").subject.mass_kg == 80


def test_one_trial_says_which_files_beside_it_were_of_no_use(session):
    for name in ("Ann", "Bob"):
        (session / f"{name}.mp").write_text("$Bodymass = 50\n")
    (session / "bad.mp").write_bytes(b" " * 1_000_001)
    (session / "walk01.Trial.enf").write_bytes(b"")
    lines = plan_lines(plan_trial(session / "walk01.c3d"))
    assert "not clear whose: 2 .mp files" in lines
    assert any(line.startswith("b*d.mp is skipped") for line in lines)
    assert any("walk01.Trial.enf: found an empty file" in line for line in lines)


def test_files_that_cannot_be_read_stay_in_the_plan(session):
    (session / "torn.c3d").write_bytes(b"\x02P" + b"\0" * 700)
    (session / "bad.mp").write_bytes(b" " * 1_000_001)
    (session / "gone.c3d").symlink_to(session / "nowhere.c3d")
    if not (session / "gone.c3d").is_symlink():
        pytest.skip("no links here")
    (session / "walk01.Trial.enf").write_bytes(b"")
    plan = plan_session(session)
    roles = {t.path.name: (t.role, bool(t.problem)) for t in plan.trials}
    assert roles["torn.c3d"] == roles["gone.c3d"] == ("dynamic", True)
    assert roles["walk01.c3d"] == ("dynamic", False)
    assert any(note.startswith("b*d.mp is skipped") for note in plan.notes)
    assert any("walk01.Trial.enf: found an empty file" in note for note in plan.notes)


@pytest.mark.parametrize("cut", [1, 1001, 4002])
def test_a_static_that_is_cut_off_is_refused_and_not_taken(session, cut):
    data = (session / "static.c3d").read_bytes()
    (session / "static.c3d").write_bytes(data[: len(data) - 512 * 20 - cut])
    plan = plan_session(session)
    assert "the file is cut off" in plan.trials[0].problem
    assert plan.trials[1].options.static == NO_STATIC


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_neighbour_that_is_cut_off_does_not_stop_the_search_of_a_static(session, cut):
    data = (session / "static.c3d").read_bytes()
    (session / "static.c3d").write_bytes(data[: len(data) - 512 * 20 - cut])
    trial = session / "walk01.c3d"
    assert find_static(trial, read_recording(trial), Options()).path is None


@pytest.mark.parametrize(
    ("day", "noted"), [('"01.09.2024"', True), ('"2024-09-01"', False), ("2024-09-01", False)]
)
def test_a_date_that_orders_no_sessions_is_noted(session, day, noted):
    say(session, f"[report]\ndate = {day}\n")
    assert any("date is '01.09.2024'" in note for note in plan_session(session).notes) == noted


def test_a_measurement_that_is_not_used_is_noted(session):
    (session / "good.mp").write_text("$Bodymass = 74,5\n$LLegLength = 940\n", encoding="utf-8")
    notes = plan_session(session).notes
    assert "g**d.mp: Bodymass = 74,5 is ignored: wanted 3 to 400, with a point" in notes


def test_folders_hidden_files_and_pipes_are_no_trials(session):
    (session / "more.c3d").mkdir()
    (session / "._walk01.c3d").write_bytes(b"x")
    names = [t.path.name for t in plan_session(session).trials]
    assert names == ["static.c3d", "walk01.c3d", "walk02.c3d"]
    if hasattr(os, "mkfifo"):
        os.mkfifo(session / "pipe.c3d")
        assert "pipe" in planned(session, "pipe.c3d").problem


def test_a_standing_file_that_is_to_be_processed_is_told(session):
    say(session, '[trials."static.c3d"]\nuse = true\n')
    assert planned(session, "static.c3d").problem == "nobody walks in it"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            '[trials."wlak01.c3d"]\nuse = false',
            "session.toml, line 1: found a table for 'wlak01.c3d', wanted one",
        ),
        ('static = "nothing.c3d"', "static 'nothing.c3d' does not exist"),
        ('[trials."walk01.c3d"]\nstatic = "no.c3d"', "static 'no.c3d' does not exist"),
        ('[options]\nnames = "pig"\nconvention = "external"', "session.toml, static.c3d: --names"),
    ],
)
def test_a_session_file_that_does_not_fit_the_folder_is_told(session, text, told):
    say(session, text)
    with pytest.raises(UsageError) as error:
        plan_session(session)
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        ("{}/wlak01.c3d", "a file of {}"),
        ("dynamik/walk01.c3d", "a file of dynamik"),
        ("wlak01.c3d", "a file of one of the folders below"),
    ],
)
def test_a_session_file_of_the_folder_above_names_existing_files(session, key, wanted):
    key, wanted = key.format(session.name), wanted.format(session.name)
    say(session.parent, f'[trials."{key}"]\nuse = false\n')
    with pytest.raises(UsageError, match=f"line 1: found '{key}', wanted {wanted}"):
        plan_session(session)
    say(session.parent, f'[trials."{session.name}/walk01.c3d"]\nuse = false\n')
    assert planned(session, "walk01.c3d").role == "left-out"


def test_a_static_beside_the_folder_is_read_with_the_labels_of_the_trial(session, monkeypatch):
    outside = session.parent / "standing" / "static.c3d"
    outside.parent.mkdir()
    (session / "static.c3d").rename(outside)
    read = []
    scan = plan_module.scan_file
    monkeypatch.setattr(plan_module, "scan_file", lambda *a: read.append(a) or scan(*a))
    plan_session(session, {"static": str(outside), "subject_prefix": "S01"})
    assert {options["subject_prefix"] for _, options in read} == {"S01"}


def test_a_session_of_statics_names_the_trials_below_it(session):
    plain = plan_session(session).notes
    assert not any("sub-folder" in note for note in plain)
    (session / "trials").mkdir()
    for path in session.glob("walk*"):
        path.rename(session / "trials" / path.name)
    told = "not part of it: its sub-folder trials; `gaitdyn batch` takes each as a session"
    assert told in plan_session(session).notes


def test_a_folder_of_sessions_names_those_below_it(session):
    (session.parent / ".hidden").mkdir(exist_ok=True)
    (session.parent / ".hidden" / "walk.c3d").touch()
    with pytest.raises(FileRefused) as refused:
        plan_session(session.parent)
    assert f"such as its sub-folder {session.name}; `gaitdyn batch`" in str(refused.value)


def test_a_folder_without_recordings_is_refused(tmp_path):
    with pytest.raises(FileRefused, match="found no C3D or TRC file in it; wanted a folder of rec"):
        plan_session(tmp_path)
    (tmp_path / "walk01.c3d").touch()
    with pytest.raises(FileRefused, match=r"walk01.c3d: found a file; wanted a folder"):
        plan_session(tmp_path / "walk01.c3d")
    with pytest.raises(FileRefused, match="no such folder"):
        plan_session(tmp_path / "nowhere")


def test_names_of_persons_are_masked(session):
    patient = session.parent / "SYN01"
    session.rename(patient)
    (patient / "Ann Exampleton.Patient.enf").write_text("[Node Information]\nTYPE=PATIENT\n")
    (patient / "Ann Exampleton.mp").write_text("$Bodymass = 66\n")
    enf(patient, "walk01", "DESCRIPTION=ANN walks like Exampleton, syn01")
    plan = plan_session(patient)
    told = str(describe_session(plan))
    for name in ("SYN01", "syn01", "Ann", "ANN", "Exampleton"):
        assert name not in told
    assert plan.name == "SYN01"
    assert describe_session(plan, show_names=True)["session"] == "SYN01"


def test_masses_that_only_plates_know_show_two_people_too(session, monkeypatch):
    def started(mass_kg):
        person = Subject(mass_kg=mass_kg)
        return SimpleNamespace(subject=person, body=1, session=None, refusal=None, doubts=[])

    weighed = {"walk01.c3d": started(60.4), "walk02.c3d": started(70.2)}
    plan, none = plan_session(session), RunStart()
    assert not plan.people
    monkeypatch.setattr(
        plan_description, "_start", lambda trial: weighed.get(trial.path.name, none)
    )
    told = "the folder holds 2 people (body mass 60.4 to 70.2 kg): walk01.c3d; walk02.c3d; each"
    assert [told in note for note in describe_session(plan)["notes"]].count(True) == 1
    monkeypatch.setattr(plan_description, "_start", lambda _: weighed["walk01.c3d"])
    assert "people" not in str(describe_session(plan)["notes"])


def test_what_is_called_a_static_precedes_what_stands_still_and_a_few_frames_do_not(session):
    shutil.copy(session / "static.c3d", session / "trial9.c3d")  # stands still, after the static
    assert planned(session, "walk01.c3d").options.static == str(session / "static.c3d")
    (session / "static.c3d").unlink()
    assert planned(session, "walk01.c3d").options.static == str(session / "trial9.c3d")
    short = stand(Walker(), Recording())
    few = replace(short, markers_G=short.markers_G[:12], frame=short.frame[:12], plates=())
    few = replace(few, channels=np.zeros((12 * few.recording.analog_ratio, 0)))
    write_trial(session / "trial9.c3d", few)
    assert planned(session, "trial9.c3d").role == "dynamic"
    assert planned(session, "walk01.c3d").options.static == NO_STATIC
    told = "trial9.c3d: 12 frames do not show whether somebody stands"
    path = session / "walk01.c3d"
    assert told in find_static(path, read_recording(path), Options()).reason
    write_trial(session / "cal.c3d", few)
    assert planned(session, "walk01.c3d").options.static == str(session / "cal.c3d")
