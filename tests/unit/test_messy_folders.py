"""Folders and settings as they are in a laboratory: links, copies, contradictions."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gaitdyn.archive import result_folders
from gaitdyn.archive.connection import writing
from gaitdyn.batch.run import session_folders
from gaitdyn.calibrate.body.subject_file import read_subject_file
from gaitdyn.calibrate.statics.find import find_static
from gaitdyn.errors import ArchiveRefused, FileRefused, UsageError
from gaitdyn.io.c3d.parameters import read_parameters
from gaitdyn.io.recording import read_recording
from gaitdyn.io.toml_lines import read_toml
from gaitdyn.report.contents import headline
from gaitdyn.report.first_screen.notices import group_notices
from gaitdyn.report.groups import Group
from gaitdyn.session.contents import folders_of_exports, linked_folders, recordings_in
from gaitdyn.session.plan import plan_session
from gaitdyn.session.plan_description import describe_session
from gaitdyn.stages.reading import filter_log
from gaitdyn.store.stored import StoredTrial, read_trial
from gaitdyn.synthetic import Recording, Walker, WalkerBody, walk, write_trial
from gaitdyn.types.options import Options

LINKS = pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")


@pytest.fixture
def day(synthetic: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "S01"
    folder.mkdir()
    shutil.copy(synthetic / "walk01.c3d", folder)
    return folder


# ---------------------------------------------------------------- folders


def test_a_session_named_in_two_ways_is_one_session(day: Path):
    again = day.parent / "." / "S01" / ".." / "S01"
    assert session_folders([day, again, day.parent]) == [day]


@LINKS
def test_a_link_to_a_session_is_that_session(day: Path):
    link = day.parent / "link"
    link.symlink_to(day)
    assert session_folders([link, day]) == [link]


def test_hidden_folders_and_files_are_no_sessions(day: Path):
    for hidden in (day / ".snapshot", day.parent / "empty"):
        hidden.mkdir()
        shutil.copy(day / "walk01.c3d", hidden / ".walk01.c3d")
    shutil.copy(day / "walk01.c3d", day / ".snapshot")
    assert session_folders([day.parent]) == [day]
    with pytest.raises(FileRefused, match="found no C3D or TRC file"):
        session_folders([day.parent / "empty"])


def test_exports_among_recordings_are_neither_trials_nor_statics(day: Path, synthetic: Path):
    shutil.copy(synthetic / "static.c3d", day)
    for copy, name in (("walk01", "walk01.gaitdyn"), ("static", "walk01.gaitdyn.static")):
        shutil.copy(day / f"{copy}.c3d", day / f"{name}.c3d")
    plan = plan_session(day)
    assert [trial.path.name for trial in plan.trials] == ["static.c3d", "walk01.c3d"]
    assert "walk01.gaitdyn.c3d is left out: `gaitdyn export` wrote it" in plan.notes
    walk01 = day / "walk01.c3d"
    found = find_static(walk01, read_recording(walk01), Options())
    assert found.path == day / "static.c3d"


def test_exports_alone_are_a_session(day: Path):
    (day / "walk01.c3d").rename(day / "walk01.gaitdyn.c3d")
    assert [path.name for path in recordings_in(day)] == ["walk01.gaitdyn.c3d"]


def test_a_folder_of_exports_is_no_session_among_others(day: Path):
    sent = day.parent / "to send"
    sent.mkdir()
    (day / "walk01.gaitdyn.c3d").write_bytes((day / "walk01.c3d").read_bytes())
    shutil.copy(day / "walk01.c3d", sent / "walk01.gaitdyn.c3d")
    assert session_folders([day.parent]) == [day]
    assert folders_of_exports(day.parent) == [sent]
    with pytest.raises(FileRefused, match=f"such as its sub-folder {day.name};"):
        plan_session(day.parent)
    assert session_folders([sent]) == [sent]
    assert folders_of_exports(sent) == []


@LINKS
def test_recordings_are_counted_as_they_are_planned(day: Path):
    shutil.copy(day / "walk01.c3d", day / "._walk01.c3d")
    (day / "gone.c3d").symlink_to("nowhere.c3d")
    assert [path.name for path in recordings_in(day)] == ["gone.c3d", "walk01.c3d"]


@LINKS
def test_a_link_that_leads_nowhere_is_told_with_its_target(tmp_path: Path):
    link = tmp_path / "walk.c3d"
    link.symlink_to("nowhere.c3d")
    with pytest.raises(FileRefused, match=r"a link to nowhere\.c3d, which does not exist;"):
        read_parameters(link)


# ---------------------------------------------------------------- settings


def processed_with(trial: StoredTrial, **options: object) -> StoredTrial:
    changed = trial.document | {"options": trial.document["options"] | options}
    return replace(trial, document=changed)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"cutoff_hz": 6.0}, "Mixed: --cutoff 10/6. Process all"),
        ({"cutoff_hz": None}, "Mixed: --cutoff none/10. Process all"),
        ({"profile": "plug-in-gait"}, "Mixed: --profile default/plug-in-gait. Process all"),
    ],
)
def test_trials_processed_differently_are_told_where_they_are_pooled(session, options, told):
    one, two = (read_trial(session / name) for name in ("walk01", "walk02"))
    mixed = Group("", (one, processed_with(two, **options)))
    (notice,) = group_notices(mixed)
    assert (notice.title, notice.glyph) == ("Trials processed differently", "!")
    assert notice.text.startswith(told)
    assert headline([mixed]).verdict == "check"


@pytest.mark.parametrize("alike", [{"moments_in": "lab"}, {"cutoff_hz": 10.5}])
def test_settings_that_change_no_shown_curve_are_not_told(session, alike):
    one, two = (read_trial(session / name) for name in ("walk01", "walk02"))
    assert group_notices(Group("", (one, processed_with(two, **alike)))) == ()


def test_settings_that_the_vendors_profile_does_not_use_are_told():
    unused = Options(profile="plug-in-gait", cutoff_hz=6, filter="butterworth")
    (line,) = filter_log(unused, 100.0)
    assert line.startswith("--cutoff, --filter not used: ")
    assert filter_log(Options(profile="plug-in-gait"), 10.0) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a = 1\na = 2", "line 2, 'a = 2' cannot be read; this name is there twice: keep one"),
        ("use = true\nuse = true", "line 2, 'use = true' cannot be read; this name is there twice"),
        ("[s]\n[s]\n", "line 2, '[s]' cannot be read; this table is there twice"),
        (
            "h\u00fcfte = 1",
            "write NAME = VALUE; a name with blanks or letters beyond a to z in quo",
        ),
        ("[s\na = 1", "line 1, '[s' cannot be read; write [TABLE], with both brackets"),
        ('id = "S01', "line 1, 'id = \"S01' cannot be read; close the quotes"),
        ("mass 66", "write NAME = VALUE"),
    ],
)
def test_a_line_that_is_not_toml_is_told_with_what_to_write(text, told):
    with pytest.raises(ValueError, match="line") as refused:
        read_toml(text)
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a = " + "[" * 3000 + "]" * 3000, "too deep within one another"),
        ("a = " + "{a=" * 3000 + "1" + "}" * 3000, "too deep within one another"),
        ("\n[" + "a." * 5000 + "b]", "line 2, a name of a hundred parts"),
        ("[a]\nmass = 1" + "0" * 400, "a whole number has more than 19 digits, line 2"),
        ("mass = 1" + "0" * 5000, "thousands of digits"),
    ],
)
def test_a_text_that_no_hand_wrote_is_refused_in_one_line(text, told):
    with pytest.raises(ValueError, match=told):
        read_toml(text)


def test_a_marker_diameter_in_centimetres_is_not_told_to_be_moved_to_the_legs(tmp_path: Path):
    path = tmp_path / "subject.toml"
    path.write_text("[subject]\nmarker_diameter_mm = 1.4\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"is 1\.4, wanted a number from 2 to 50"):
        read_subject_file(path)


# ---------------------------------------------------------------- a full disk


def test_an_archive_on_a_full_disk_is_not_called_damaged(tmp_path: Path):
    full = sqlite3.OperationalError("database or disk is full")
    with pytest.raises(ArchiveRefused, match="the disk is full; free some space"):  # noqa: SIM117
        with writing(tmp_path / "lab.gaitdyn"):
            raise full


def test_a_demo_on_a_full_disk_names_the_folder(tmp_path: Path, monkeypatch, capsys):
    from gaitdyn_cli.app import main

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("gaitdyn.synthetic.write_session", full)
    monkeypatch.setattr(sys, "argv", ["gaitdyn", "demo", "-o", str(tmp_path)])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 1
    assert "session: no space left on device; choose another -o" in capsys.readouterr().err


# ---------------------------------------------------------------- people


def test_a_file_that_cannot_be_read_is_nobodys(day: Path):
    other = replace(WalkerBody(), mass_kg=45.0, height_m=1.4)
    short = Recording(strides=1.2, events=False, subject="OTHER")
    write_trial(day / "walk02.c3d", walk(Walker(other), short))
    (day / "broken.c3d").write_bytes(b"\x02\x50" + bytes(600))
    plan = plan_session(day)
    assert "2 people" in plan.people
    assert "broken" not in plan.people
    subjects = describe_session(plan)["subjects"]
    assert [subject["files"] for subject in subjects] == [["walk01.c3d"], ["walk02.c3d"]]


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links_to_folders_elsewhere_are_named_and_loops_are_not(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "root", tmp_path / "else" / "S2"
    for folder in (root / "S1", elsewhere):
        folder.mkdir(parents=True)
    (root / "S2").symlink_to(elsewhere)
    (root / "S1" / "back").symlink_to(root)
    (root / ".hidden").symlink_to(elsewhere)
    assert linked_folders([root]) == [root / "S2"]
    assert linked_folders([root, elsewhere]) == []


@LINKS
def test_results_are_found_behind_links_once_and_a_loop_ends(tmp_path: Path) -> None:
    group, place = tmp_path / "group", tmp_path / "out" / "S1" / "walk01"
    for folder in (place, group / "S2" / "walk01", group / ".old" / "walk01"):
        folder.mkdir(parents=True)
        (folder / "result.json").touch()
    (group / "S1").symlink_to(place.parent)
    (group / "S2" / "back").symlink_to(group)
    (group / "T2").symlink_to(group / "S2")
    assert result_folders(group) == [group / "S1" / "walk01", group / "S2" / "walk01"]
