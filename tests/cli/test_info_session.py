"""``gaitdyn info SESSION``: the plan of a folder, before anything is done."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest

from gaitdyn import process_session
from gaitdyn.io.recording import read_recording
from gaitdyn.synthetic import Recording, Walker, WalkerBody, write_trial
from tests.unit.trc_texts import as_trc
from tests.walks import stand, walk


@pytest.fixture
def session(synthetic, tmp_path):
    folder = tmp_path / "barefoot and shod"
    shutil.copytree(synthetic, folder)
    return folder


def test_the_plan_says_what_will_be_done_and_why(session, gaitdyn):
    (session / "session.toml").write_text(
        '[subject]\nid = "S01"\nmass_kg = 66\n[options]\ncutoff = 6\nemg_band = "30-400"\n'
        '[rename]\nRTOE = "RTOE"\n[trials."walk01.c3d"]\ncondition = "shod"\n'
        'assign = "1=left,2=right:5-9"\nleave_out = ["left 1"]\n'
        '[[trials."walk01.c3d".events]]\nside = "left"\nevent = "foot_off"\nframe = 50\n'
    )
    done = gaitdyn("info", session)
    assert done.returncode == 0, done.stderr
    for told in (
        "barefoot and shod: 2 recordings, 1 to process",
        "why: by its name",
        "walk01.c3d  dynamic  static.c3d  shod       1 left, 2 right 5-9",
        "static: the only one that fits; same person, all model markers",
        "feet on plates: session.toml",
        "cutoff: 6 Hz (session.toml [options])",
        "emg band: 30-400 Hz (session.toml [options])",
        "rename: RTOE = RTOE",
        "events: 1 given instead of those in the file",
        "cycles left out: left 1",
        "Subject S01 of walk01.c3d",
        "    subject: session.toml\n",
        "mass 66 kg (subject file)",
    ):
        assert told in done.stdout, told
    assert not (session.parent / "gaitdyn-results").exists()


def test_what_processing_would_warn_of_is_noted(session, gaitdyn):
    (session / "session.toml").write_text(
        '[options]\nforward = "-X"\n[trials."walk01.c3d"]\nleave_out = ["left 7"]\n'
    )
    for where in (session, session / "walk01.c3d"):
        said = gaitdyn("info", where).stdout
        assert "note: leave_out names left cycle 7: the left side has cycles 1 to 2\n" in said
        assert "note: walk01.c3d: forward -X was given, but the person walks along +X" in said
    assert "forward +X was given" not in gaitdyn("info", where, "--forward", "+X").stdout


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('assign = "9=left"', "assign names plate 9; walk01.c3d has usable plates 1, 2, 3"),
        (
            'assign = "2=left:9000-9001"',
            "assign names frames 9000-9001 of plate 2; walk01.c3d has frames 101-",
        ),
        (
            'events = [{ side = "left", event = "foot_off", time_s = 99 }]',
            "a given left foot off is at 99 s, frame 9901; the recording lasts from 1 to ",
        ),
        ('options = { emg_normalise = "mvc.toml" }', "mvc.toml: no such file or directory"),
        ('options = { uncertainty = "in.toml" }', "in.toml', wanted none, default or an existing"),
    ],
)
def test_what_processing_refuses_is_told_in_the_same_words(session, tmp_path, gaitdyn, line, told):
    """`info` showed a plate that the file does not have as if it were taken."""
    (session / "session.toml").write_text(f'[trials."walk01.c3d"]\n{line}\n')
    out = tmp_path / "out"
    done = gaitdyn("process", session / "walk01.c3d", "-o", out)
    assert (done.returncode, told in done.stderr) == (2, True)
    assert told in gaitdyn("batch", session, "-o", out, "--report", "none").stderr
    said = gaitdyn("info", session).stdout
    assert " 1 to process, of which 1 will be refused\n" in said
    assert "    will be refused: " in said
    assert told in said
    one = " ".join(gaitdyn("info", session / "walk01.c3d").stdout.split())
    assert told in one.partition(" Refused ")[2]


def test_a_static_that_is_to_be_a_walk_is_refused_in_the_words_of_processing(
    session, tmp_path, gaitdyn
):
    """`info` said of it that nobody walks in it, and no more."""
    shutil.move(session / "static.c3d", session / "walk02.c3d")
    (session / "session.toml").write_text('[trials."walk02.c3d"]\nuse = true\n')
    done = gaitdyn("process", session / "walk02.c3d", "-o", tmp_path / "out")
    told = done.stderr.splitlines()[-1].removeprefix("gaitdyn: ")
    assert "nobody walks in it (pelvis and feet move by" in told
    assert f"    will be refused: {told}\n" in gaitdyn("info", session).stdout
    with pytest.warns(UserWarning, match=r"^walk02.c3d is left out: nobody walks in it"):
        assert len(process_session(session)) == 1


def test_a_short_recording_of_a_person_who_stands_is_refused(session, tmp_path, gaitdyn):
    static = read_recording(session / "static.c3d")
    short = tmp_path / "short.trc"
    short.write_text(as_trc(replace(static, markers_L=static.markers_L[:2])), encoding="utf-8")
    told = "short.trc: 2 frames found, wanted at least 20"
    assert told in gaitdyn("process", short, "-o", tmp_path / "out").stderr
    assert told in gaitdyn("info", short).stdout.partition("\nRefused\n")[2]


def test_a_label_that_no_marker_has_is_told_before_processing(session, tmp_path, gaitdyn):
    (session / "session.toml").write_text('[rename]\nLASX = "LASI"\n')
    told = "--rename LASX=LASI: no marker is called 'LASX'; similar are LASI, RASI, LPSI\n"
    for where in (session, session / "walk01.c3d"):
        assert f"note: {told}" in gaitdyn("info", where).stdout
    walk01 = session / "walk01.c3d"
    assert told in gaitdyn("process", walk01, "-o", tmp_path, "--no-figures").stdout
    assert "Refused" not in gaitdyn("info", session / "static.c3d").stdout


def test_a_batch_tells_the_doubts_about_a_session_that_info_notes(session, tmp_path, gaitdyn):
    """They stood in session.json alone."""
    (session / "session.toml").write_text('[report]\ndate = "01.09.2024"\n')
    (session / "one.mp").write_bytes(b"$Bodymass = 71,5\n")
    shutil.copy(session / "walk01.c3d", session / "walk02.c3d")
    done = gaitdyn("batch", session, "-o", tmp_path / "out", "--report", "none")
    lines = [line.split(": ", 1) for line in done.stderr.splitlines()]
    told = [words for name, *words in lines if name == session.name]
    noted = gaitdyn("info", session).stdout.splitlines()
    notes = [line.removeprefix("  note: ") for line in noted if line.startswith("  note: ")]
    assert len(notes) == 4  # the first: which file was read
    assert [words for (words,) in told] == [n for n in notes if n != "session.toml is read"]


def test_a_given_static_is_that_of_the_walks(session, gaitdyn):
    said = gaitdyn("info", session, "--static", session / "static.c3d").stdout
    assert "static.c3d  static   -           -" in said
    assert "walk01.c3d  dynamic  static.c3d  -" in said
    assert "static: command line" in said
    assert "None" not in said


def test_the_plan_is_one_json_document(session, gaitdyn):
    found = json.loads(gaitdyn("info", session, "--json").stdout)
    assert list(found) == ["session", "notes", "files", "subjects"]
    assert [entry["role"] for entry in found["files"]] == ["static", "dynamic"]
    assert found["subjects"][0]["mass_kg"]["source"] == "static"


def test_a_folder_of_two_people_says_so(session, gaitdyn, tmp_path):
    for name, mass in (("walk01", 60), ("walk02", 80)):
        if name == "walk02":
            shutil.copy(session / "walk01.c3d", session / "walk02.c3d")
        with (session / "session.toml").open("a", encoding="utf-8") as file:
            file.write(f'[trials."{name}.c3d".options]\nmass = {mass}\n')
    told = (
        "the folder holds 2 people (body mass 60.0 to 80.0 kg): walk01.c3d; walk02.c3d; each is"
        " shown separately"
    )
    assert f"  note: {told}\n" in gaitdyn("info", session).stdout
    words = ("--no-figures", "--report", "none")
    done = gaitdyn("batch", session, "-o", tmp_path / "out", *words)
    assert f"{session.name}: {told}\n" in done.stderr
    (session / "session.toml").write_text("[subject]\nmass_kg = 60\n", encoding="utf-8")
    assert "people" not in gaitdyn("info", session).stdout


def test_a_mass_from_another_file_is_printed_as_written_there(tmp_path, gaitdyn):
    """C3D files hold 32 bits: 45.8 is 45.79999923706055."""
    light = Walker(body=WalkerBody(mass_kg=45.8))
    write_trial(tmp_path / "walk01.c3d", walk(light, Recording()))
    write_trial(tmp_path / "walk02.c3d", walk(light, Recording(parameters=False)))
    assert "mass: 45.8 kg (walk01.c3d)\n" in gaitdyn("info", tmp_path).stdout


def test_a_mass_from_another_file_is_told_with_that_file(tmp_path, gaitdyn):
    write_trial(tmp_path / "walk01.c3d", walk(Walker(), Recording()))
    write_trial(tmp_path / "walk02.c3d", walk(Walker(), Recording(parameters=False)))
    (tmp_path / "session.toml").write_text("[options]\nmarker_diameter = 16\n")
    taken = "70 kg (walk01.c3d), markers of 16 mm (session.toml [options])"
    assert f"process takes {taken}" in gaitdyn("info", tmp_path / "walk02.c3d").stdout
    assert "  mass 70 kg (walk01.c3d), height not given" in gaitdyn("info", tmp_path).stdout


def test_names_are_told_only_to_those_who_ask(session, gaitdyn):
    folder = session.rename(session.parent / "SYN01")
    assert "SYN01" not in gaitdyn("info", folder).stdout
    asked = gaitdyn("info", folder, "--show-names").stdout
    assert asked.startswith("SYN01: ")
    assert asked.rstrip().endswith("Names\n  SYN01")


def test_what_is_missing_is_said(synthetic, tmp_path, gaitdyn):
    folder = tmp_path / "one"
    folder.mkdir()
    shutil.copy(synthetic / "walk01.c3d", folder / "walk01.c3d")
    (folder / "torn.c3d").write_bytes(b"no recording")
    done = gaitdyn("info", folder)
    assert done.returncode == 0, done.stderr
    assert "incomplete: no static in the session" in done.stdout
    assert "will be refused: torn.c3d: found" in done.stdout
    assert " to process, of which 1 will be refused\n" in done.stdout


def test_mistakes_end_in_one_line(session, tmp_path, gaitdyn):
    (session / "session.toml").write_text("[options]\ncutof = 6\n")
    done = gaitdyn("info", session)
    assert done.returncode == 2
    assert "session.toml, line 2: found 'cutof'" in done.stderr
    assert done.stderr.count("\n") == 1
    (tmp_path / "empty").mkdir()
    done = gaitdyn("info", tmp_path / "empty")
    assert (done.returncode, done.stdout) == (1, "")
    assert "found no C3D or TRC file in it" in done.stderr
    done = gaitdyn("info", session, "--joint-centres")
    assert done.returncode == 2


def test_the_measures_of_a_plan_are_those_that_process_takes(tmp_path, gaitdyn):
    """A mass weighed on the static's plates was "not given", and no diameter was assumed."""
    bare, folder = Recording(parameters=False), tmp_path / "session"
    folder.mkdir()
    write_trial(folder / "static.c3d", stand(recording=replace(bare, events=False)))
    write_trial(folder / "walk.c3d", walk(recording=bare))
    said = gaitdyn("info", folder).stdout
    assert "mass 70 kg (static force), height not given, marker diameter 14 mm (default)" in said
    assert "no body mass" not in said
    (folder / "static.c3d").unlink()
    alone = gaitdyn("info", folder).stdout
    assert "mass not given" in alone
    assert "incomplete: no body mass: kinematics only\n" in alone  # no static to hope for
