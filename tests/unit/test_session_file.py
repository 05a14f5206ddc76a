"""session.toml: what may stand in it, and how a mistake is told."""

from __future__ import annotations

import pytest

from gaitdyn.errors import UsageError
from gaitdyn.session.session_file import StaticEntry, read_session_file
from gaitdyn.session.statics import named_static
from gaitdyn.session.trial_options import named_forces
from gaitdyn.session.trial_table import GivenEvent
from gaitdyn.types.options import Assignment


def written(tmp_path, text: str):
    path = tmp_path / "session.toml"
    path.write_text(text, encoding="utf-8")
    return path


EVENT = '[[trials."a.c3d".events]]\nside = "left"\nevent = "foot_off"\ntime_s = 1\n'
OF_BAREFOOT = 'file = "s.c3d"\ncondition = "barefoot"'
WHOLE = """
[subject]
id = "S01"
mass_kg = 66.5
[subject.left]
leg_length_mm = 940
[options]
cutoff = 6
force-cutoff = "same"
profile = "plug-in-gait"
model = "own.toml"
[[statics]]
file = "static.c3d"
[[statics]]
file = "shod.c3d"
condition = "shod"
[trials."walk01.c3d"]
use = true
condition = "shod"
assign = "1=left,2=right:114-181,3=none"
static = "shod.c3d"
leave_out = ["left 2", "Right 1"]
[[trials."walk01.c3d".events]]
side = "left"
event = "foot_strike"
time_s = 1.25
[[trials."walk01.c3d".events]]
side = "left"
event = "foot_off"
frame = 191
[trials."walk02.c3d"]
use = false
[trials."walk02.c3d".options]
cutoff = "none"
"""


def test_everything_of_the_format_is_read(tmp_path):
    file = read_session_file(written(tmp_path, WHOLE))
    assert file.has_subject
    assert file.statics == (StaticEntry("static.c3d"), StaticEntry("shod.c3d", "shod"))
    assert file.options["cutoff_hz"] == 6.0
    assert file.options["force_cutoff_hz"] == "same"
    assert file.options["model"] == str(tmp_path / "own.toml")
    walk = file.trial("walk01.c3d")
    assert (walk.use, walk.condition, walk.static) == (True, "shod", "shod.c3d")
    assert walk.assign[1] == Assignment(2, "right", (114, 181))
    assert walk.leave_out == (("left", 2), ("right", 1))
    assert walk.events[0] == GivenEvent("left", "foot_strike", time_s=1.25)
    assert walk.events[1].frame == 191
    assert file.trial("walk02.c3d").use is False
    assert file.trial("walk02.c3d").options == {"cutoff_hz": None}
    assert file.trial("walk03.c3d").use is None


def test_an_event_may_lie_before_0_s(tmp_path):
    file = read_session_file(written(tmp_path, EVENT.replace("time_s = 1", "time_s = -1.2")))
    assert file.trial("a.c3d").events == (GivenEvent("left", "foot_off", time_s=-1.2),)


def test_one_static_needs_no_table(tmp_path):
    file = read_session_file(written(tmp_path, 'static = "stand.c3d"\n'))
    assert file.statics == (StaticEntry("stand.c3d"),)


def test_limits_and_input_errors_are_files_of_the_session(tmp_path):
    text = '[options]\nquality = "own.toml"\nuncertainty = "errors.toml"\nhip-centre = "bell"\n'
    found = read_session_file(written(tmp_path, text)).options
    folder = written(tmp_path, text).parent
    assert found == {
        "quality": str(folder / "own.toml"),
        "uncertainty": str(folder / "errors.toml"),
        "hip_centre": "bell",
    }
    text = '[options]\nuncertainty = "default"\n'
    assert read_session_file(written(tmp_path, text)).options == {"uncertainty": "default"}


def test_the_audit_and_the_terms_are_switches(tmp_path):
    text = "[options]\naudit = false\nterms = true\n"
    assert read_session_file(written(tmp_path, text)).options == {"audit": False, "terms": True}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[options]\ncutof = 6", "session.toml, line 2: found 'cutof', wanted cutoff"),
        ('[trials."a.c3d"]\nleve_out = ["left 2"]', "found 'leve_out', wanted leave_out"),
        ('[options]\ncutoff = "fast"', "line 2: options.cutoff is 'fast', wanted a number"),
        (
            '[options]\nmodel = "x"',
            "line 2: options.model is 'x', wanted auto, ladder, a .toml file",
        ),
        (
            '[options]\nanthropometry = "x"',
            "line 2: options.anthropometry is 'x', wanted one of de",
        ),
        (
            '[trials."walk.c3d".options]\nmodel = "x"',
            "line 2: trials.walk.c3d.options.model is 'x', wanted auto, ladder",
        ),
        ("[options]\ncutoff = 0", "options.cutoff is 0.0, wanted 0.5 to 1000 Hz"),
        ("[options]\ncutoff = nan", "wanted 0.5 to 1000 Hz"),
        ("[options]\nmass = true", "options.mass is True, wanted a number"),
        ('[options]\nprofile = "pig"', "wanted default or plug-in-gait"),
        ("[options]\nmodel = 3", "options.model is 3, wanted a text"),
        ("[options]\ncutoff = 1" + "0" * 400, "more than 19 digits, line 2"),
        (f"[options]\n{'x' * 300} = 1", f"line 2: found '{'x' * 56}..., wanted one of"),
        ('[options]\nterms = "yes"', "options.terms is 'yes', wanted true or false"),
        ("options = 3", "options is 3, wanted a table"),
        ("trials = 3", "trials is 3, wanted tables"),
        ("[trials]\nwalk = 3", "trials.walk is 3, wanted a table"),
        ('[trials."a.c3d"]\nuse = "no"', "line 2: trials.a.c3d.use is 'no', wanted true or false"),
        ('[trials."a.c3d"]\nassign = "1=up"', "assign is '1=up', wanted PLATE=left"),
        ('[trials."a.c3d"]\nleave_out = ["left"]', "wanted a side and a number from 1"),
        ('[trials."a.c3d"]\nleave_out = ["left 0"]', "wanted a side and a number from 1"),
        ('[trials."a.c3d"]\nleave_out = "left 2"', "wanted a list such as"),
        ('[trials."a.c3d"]\nplates = 2', "found 'plates', wanted one of use, condition"),
        ('[trials."a.c3d"]\nevents = 2', "wanted tables with side, event"),
        ('[[trials."a.c3d".events]]\nside = "up"', "side is 'up', wanted left or right"),
        ('[[trials."a.c3d".events]]\nevent = "foot_off"', "side is missing, wanted left or right"),
        (
            '[[trials."a.c3d".events]]\nside = "left"\nevent = "stumble"',
            "event is 'stumble', wanted foot_strike or foot_off",
        ),
        (
            '[[trials."a.c3d".events]]\nside = "left"\nevent = "foot_off"',
            "wanted either time_s or frame",
        ),
        (
            '[[trials."a.c3d".events]]\nside = "left"\nevent = "foot_off"\ntime_s = inf',
            "wanted a time in s on the file's clock",
        ),
        (
            '[[trials."a.c3d".events]]\nside = "left"\nevent = "foot_off"\nframe = 0',
            "events.frame is 0, wanted a whole number from 1",
        ),
        (
            '[[trials."a.c3d".events]]\nside = "left"\nevent = "foot_off"\nframe = 7.5',
            "events.frame is 7.5, wanted a whole number from 1; between frames or before 0 s give",
        ),
        (
            '[[trials."a.c3d".events]]\nside = "left"\nevent = "stumble"\ntime_s = 1',
            "line 3: trials.a.c3d.events.event is 'stumble'",
        ),
        (EVENT + EVENT.replace("left", "up"), "line 6: trials.a.c3d.events.side is 'up'"),
        (
            "[subject]\n[subject.left]\nleg_length_mm = 94",
            "session.toml, line 3: left.leg_length_mm",
        ),
        (
            "[report]\ndate = 17.05.2024",
            "line 2, 'date = 17.05.2024' cannot be read; write year-month-day",
        ),
        ("[report]\ndate = 7/5/2024", "write year-month-day, such as 2024-05-17"),
        ("[options]\ncutoff = 6,5", "write 6.5, with a point"),
        ("[options]\nmodel = auto", 'write "auto", with quotes'),
        ("[options]\naudit = True", "write true or false, with small letters"),
        ("[options]\nmodel = \u201eauto\u201c", 'write "auto", with straight quotes'),
        ("[options]\nmodel = # none", "write a value behind ="),
        ("[options]\naudit = No", "line 2, 'audit = No' cannot be read; write true or false"),
        ('static = "C:\\Users\\a.c3d"', "cannot be read; write paths with /, such as C:/data/walk"),
        ('static = "C:\\Gait\\a.c3d"', "cannot be read; write paths with /, such as C:/data/walk"),
        ('[options]\nstatic = "a.c3d"', "line 2: found 'static', wanted it in the first line of"),
        ('[options]\nrename = "A=B"', "line 2: found 'rename', wanted it in [rename]"),
        ('[options]\nemg-muscles = "a"', "line 2: found 'emg-muscles', wanted it in [emg]"),
        ('[options]\nnorm = "own.csv"', "line 2: found 'norm', wanted it on the command line"),
        ("cutoff = 6", "line 1: found 'cutoff', wanted it in [options]"),
        ('[trials."a.c3d"]\ncutoff = 6', """wanted it in [trials."a.c3d".options]"""),
        ("[trials.a.c3d]\nuse = true", """wanted it in [trials."a.c3d"], with quotes"""),
        ("[subject]\nmass = 66", "session.toml, line 2: mass is not known here, wanted mass_kg"),
        ("[subject.Left]\nleg_length_mm = 940", "line 1: Left is not known here, wanted left"),
        ("static = 3", "static is 3, wanted a text"),
        ('static = "a"\n[[statics]]\nfile = "b"', "static or [[statics]], not both"),
        ("[[statics]]\ncondition = 'shod'", "wanted a file in each"),
        (
            f'[[statics]]\n{OF_BAREFOOT}\n[trials."a.c3d"]\ncondition = "bare foot"',
            "line 5: trials.a.c3d.condition is 'bare foot', wanted one of the conditions of [[",
        ),
        ("[patient]\nname = 'x'", "line 1: found 'patient', wanted one of subject"),
        ("[subject]\nmass_kg = 3000", "session.toml, line 2: mass_kg is 3000, wanted a number"),
        ("[options\n", "session.toml: "),
        ("x = " + "[" * 3000, "session.toml: "),
    ],
)
def test_a_mistake_is_told_with_file_and_what_is_wanted(tmp_path, text, told):
    with pytest.raises(UsageError) as error:
        read_session_file(written(tmp_path, text))
    assert told in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("statics", "trial"),
    [
        ('file = "s.c3d"\n[[statics]]\nfile = "t.c3d"\ncondition = "barefoot"', ""),  # for all
        (OF_BAREFOOT, 'static = "none"'),
        ('file = "s.c3d"\ncondition = "shod"', ""),
    ],
)
def test_a_condition_of_its_own_is_no_mistake(tmp_path, statics, trial):
    text = f'[[statics]]\n{statics}\n[trials."a.c3d"]\ncondition = "bare foot"\n{trial}\n'
    assert read_session_file(written(tmp_path, text)).trial("a.c3d").condition == "bare foot"


def test_the_line_is_that_of_the_right_trial(tmp_path):
    text = '[trials."a.c3d"]\nuse = true\n[trials."b.c3d"]\nuse = 3\n'
    with pytest.raises(UsageError, match=r"line 4: trials\.b\.c3d\.use is 3"):
        read_session_file(written(tmp_path, text))


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"#" * 1_000_001, b"a = \x00"])
def test_a_file_that_is_no_text_is_told(tmp_path, data):
    path = tmp_path / "session.toml"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=r"session\.toml"):
        read_session_file(path)


def test_a_folder_of_that_name_is_told(tmp_path):
    (tmp_path / "session.toml").mkdir()
    with pytest.raises(UsageError, match="no such file"):
        read_session_file(tmp_path / "session.toml")


def test_a_path_may_begin_at_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))  # of Windows
    for name in ("func.c3d", "static.c3d", "plates.mot"):
        (tmp_path / name).touch()
    folder = tmp_path / "session"
    folder.mkdir()
    text = '[options]\nquality = "~/limits.toml"\n[functional]\nhip_left = "~/func.c3d"\n'
    options = read_session_file(written(folder, text)).options
    assert options["quality"] == str(tmp_path / "limits.toml")
    assert options["functional"] == (("hip_left", str(tmp_path / "func.c3d")),)
    assert named_static(folder, "~/static.c3d:1-9") == (tmp_path / "static.c3d", (1, 9))
    assert named_forces(folder, "~/plates.mot") == str(tmp_path / "plates.mot")
