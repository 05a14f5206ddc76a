"""What Python calls: the door of the package, its tables, and results saved and read back."""

from __future__ import annotations

import doctest
import inspect
import json
import pickle
import re
import shutil
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import gaitdyn
from gaitdyn.cycles import normalise
from gaitdyn.cycles.normalise import values_at
from gaitdyn.errors import (
    ArrayShapeError,
    FileRefused,
    OptionRefused,
    OutputRefused,
    ResultsRefused,
    StaticRefused,
    UsageError,
)
from gaitdyn.exchange import export
from gaitdyn.io.c3d import reader
from gaitdyn.report import make_report, read_groups
from gaitdyn.report.page.document import page_text
from gaitdyn.report.strides import counted_cycles, kinetic_cycles
from gaitdyn.store.stored import read_trial
from gaitdyn.tables.answers import stance_curves_of
from gaitdyn.trial.without_model import emg_only_result
from gaitdyn.types.result import Processed
from gaitdyn.types.uncertainty import BANDS
from tests.sealed import close_again

DOOR = [
    "GaitdynError", "Options", "Result", "__version__", "errors", "inverse_dynamics",
    "process_session", "process_trial", "read_results",
]  # fmt: skip
COUNTS = ["kinematics", "kinetics", "turning", "representative"]
TABLES = {"cycles": "cycle", "peaks": "cycle", "gait_parameters": "cycle"}


@pytest.fixture(scope="module")
def result(synthetic: Path) -> gaitdyn.Result:
    return gaitdyn.process_trial(synthetic / "walk01.c3d")


@pytest.fixture(scope="module")
def saved(result: gaitdyn.Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved") / "any name"
    result.save(folder)
    return folder


def test_a_result_travels_between_processes(result: gaitdyn.Result):
    again = pickle.loads(pickle.dumps(result))  # noqa: S301
    assert again.verdict == result.verdict
    assert again.peaks().equals(result.peaks())


def test_the_door_is_all_that_is_public():
    assert gaitdyn.__all__ == DOOR
    for name in DOOR:
        assert getattr(gaitdyn, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'pipelines'"):
        _ = gaitdyn.pipelines  # pyrefly: ignore[missing-attribute]


def test_the_stub_says_what_the_package_gives():
    stub = inspect.getsourcefile(gaitdyn)
    assert stub is not None
    space: dict[str, object] = {}
    with open(stub.replace("__init__.py", "__init__.pyi"), encoding="utf-8") as file:  # noqa: PTH123
        exec(file.read(), space)  # noqa: S102
    assert space["__all__"] == DOOR
    assert all(space[name] is getattr(gaitdyn, name) for name in DOOR)


def test_the_package_is_light_to_import():
    code = "import gaitdyn, sys; print(sorted({'numpy', 'scipy', 'pandas'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_settings_are_fields_of_options(synthetic: Path):
    result = gaitdyn.process_trial(synthetic / "walk01.c3d", cutoff_hz=6)
    assert result.options.cutoff_hz == 6
    base = gaitdyn.Options(cutoff_hz=8, names="pig")
    result = gaitdyn.process_trial(synthetic / "walk01.c3d", base, cutoff_hz=6)
    assert (result.options.cutoff_hz, result.options.names) == (6, "pig")


def test_errors_of_python_speak_of_arguments(synthetic: Path, tmp_path: Path):
    walk = synthetic / "walk01.c3d"
    with pytest.raises(UsageError, match="no setting 'cutof_hz'; did you mean cutoff_hz"):
        gaitdyn.process_trial(walk, cutof_hz=6)
    with pytest.raises(OptionRefused, match=r"^cutoff_hz is 0, wanted"):
        gaitdyn.process_trial(walk, cutoff_hz=0)
    with pytest.raises(FileRefused, match=r"; gaitdyn\.process_session takes folders$"):
        gaitdyn.process_trial(synthetic)
    shutil.copytree(synthetic, tmp_path / "sessions" / "S01")
    with pytest.raises(FileRefused, match=r"such as its sub-folder S01; name one$"):
        gaitdyn.process_session(tmp_path / "sessions")
    with pytest.raises(
        StaticRefused, match=r"name a standing trial with `static`, or frames"
    ) as error:
        gaitdyn.process_trial(walk, static=str(walk))
    assert "--" not in str(error.value)
    with pytest.raises(OutputRefused) as refused:
        (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
        gaitdyn.process_trial(walk).save(tmp_path)
    assert "force=True" in str(refused.value)
    assert " -o" not in str(refused.value)


def test_a_reason_without_its_decision_is_refused_as_in_a_session_file(synthetic: Path):
    """It was dropped without a word: the correction that it explains had been misspelt."""
    walk = synthetic / "walk01.c3d"
    wanted = "reasons names 'left 7', wanted one of the decisions of this trial: assign, right 1"
    with pytest.raises(UsageError) as refused:
        gaitdyn.process_trial(
            walk, assign="1=left", leave_out="right 1", reasons={"left 7": "a stumble"}
        )
    assert str(refused.value) == wanted
    with pytest.raises(UsageError, match="none; add events, assign or leave_out"):
        gaitdyn.process_trial(walk, reasons={"events": "the video"})
    with pytest.raises(UsageError, match="none; add events, assign or leave_out"):
        gaitdyn.process_trial(walk, gaitdyn.Options(), reasons={"events": "the video"})
    given = gaitdyn.process_trial(walk, leave_out="right 1", reasons={"right 1": "a stumble"})
    assert given.options.reasons == (("right 1", "a stumble"),)


def test_findings_speak_of_arguments_and_the_table_of_options(synthetic: Path, tmp_path: Path):
    alone = tmp_path / "walk01.c3d"
    alone.write_bytes((synthetic / "walk01.c3d").read_bytes())
    result = gaitdyn.process_trial(alone)
    told = [f.message for f in result.findings]
    assert any(message.endswith("; name a standing trial with `static`") for message in told)
    assert "--" not in " ".join(told)
    result.save(tmp_path / "saved")
    table = (tmp_path / "saved" / "quality.csv").read_text(encoding="utf-8")
    assert "; name a standing trial with --static" in table


def test_tables_give_units_signs_and_definitions(result: gaitdyn.Result):
    cycles = result.cycles()
    assert cycles.attrs["columns"]["knee_moment_extension"]["unit"] == "N m/kg"
    assert cycles.attrs["columns"]["knee_moment_extension"]["positive"] == "extension"
    both = cycles.attrs["columns"]["knee_moment_extension"]["rung"]
    assert all(word in both for word in ("left: ", "LKNE", "right: ", "RKNE"))
    assert "Winter" in result.gait_parameters().attrs["quantities"]["cadence"]
    assert "flexion" in result.peaks().attrs["quantities"]["knee_angle_flexion_range"]
    words = cycles["knee_moment_extension"].attrs["columns"]
    assert words is cycles.attrs["columns"], "taken with a column, not copied for it"


def test_the_tables_are_those_of_the_folder_also_where_values_are_missing(
    result: gaitdyn.Result, tmp_path: Path
):
    strikes = [e for e in result.events if e.kind == "foot_strike" and e.side == "left"]
    cut = replace(result, events=tuple(e for e in result.events if e is not strikes[-1]))
    cut.save(tmp_path / "cut")
    for name in ("to_frame", *TABLES, "stances"):
        table = getattr(cut, name)()
        counts = [count for count in COUNTS if count in table]
        table = table[[*(c for c in table if c not in counts), *counts]]  # last in the folder
        table = table.reset_index() if name == "to_frame" else table
        there = pd.read_csv(tmp_path / "cut" / f"{name.replace('to_frame', 'timeseries')}.csv")
        there = there.fillna({"unit": ""})
        kinds = {c: there[c].dtype.kind for c in there}
        assert {c: kinds[c] for c in counts} == dict.fromkeys(counts, "i")
        table = table.astype({c: "float64" for c in table if kinds[c] in "if"})
        there = there.astype({c: "float64" for c in there if kinds[c] in "if"})
        pd.testing.assert_frame_equal(table, there, rtol=1e-8, check_dtype=False, obj=name)
    peaks = cut.peaks()
    apart = peaks[peaks["cycle"].isna()]
    assert list(apart["side"].unique()) == ["left"]
    assert apart["quantity"].str.endswith("_stance").all()
    assert not apart[COUNTS].any(axis=None)
    assert set(peaks["quantity"]) == set(peaks.attrs["quantities"])


@pytest.mark.parametrize("name", [*TABLES, "stances", "emg"])
def test_a_table_of_nothing_has_the_types_of_a_full_one(result: gaitdyn.Result, name: str):
    bare = getattr(replace(result, events=(), contacts=()), name)()
    assert bare.empty
    if name == "emg":  # of which this trial has none
        kinds = {"cycle": "i", "percent": "i", "envelope": "f", "on": "f"}
        assert {c: k for c, k in kinds.items() if bare[c].dtype.kind != k} == {}
    else:
        full = getattr(result, name)()
        assert dict(bare.dtypes) == {column: full[column].dtype for column in bare}


def test_a_stance_is_a_valid_contact_in_101_rows(result: gaitdyn.Result):
    stances = result.stances()
    valid = [c for c in result.contacts if c.verdict == "valid"]
    assert len(stances) == 101 * len(valid)
    assert list(stances.columns[:3]) == ["side", "stance", "percent"]
    one = stances.query("side == 'left' and stance == 1").reset_index(drop=True)
    left = next(s.stance for s in stance_curves_of(result) if s.stance.side == "left")
    knee = result.to_frame()["left_knee_moment_extension"].to_numpy()[:, None]
    mass = result.subject.mass_kg or np.nan
    ends = values_at(knee / mass, np.array([left.start_row, left.stop_row]))[:, 0]
    np.testing.assert_allclose(one["knee_moment_extension"].iloc[[0, 100]], ends, rtol=1e-9)
    assert one["grf_y"].max() > 9.0


def test_a_result_without_legs_says_so(result: gaitdyn.Result):
    bare = emg_only_result(result.recording, result.options, "no marker model fits")
    assert "static none, no leg; to_frame()" in repr(bare)
    with pytest.raises(UsageError, match=r"no curve 'knee', nor any other; the findings of the"):
        bare.plot("knee")


def test_results_without_legs_have_nothing_to_add_to_a_c3d(
    result: gaitdyn.Result, synthetic: Path, tmp_path: Path
):
    bare = emg_only_result(result.recording, result.options, "no marker model fits")
    bare.save(tmp_path / "bare")
    with pytest.raises(ResultsRefused, match=r"to add; quality\.csv says why$"):
        export(tmp_path / "bare", "c3d", tmp_path, trial=synthetic / "walk01.c3d")


def test_answers_are_found_once(synthetic: Path, monkeypatch: pytest.MonkeyPatch):
    searched: list[str] = []
    search = normalise._cut_cycles  # noqa: SLF001
    monkeypatch.setattr(normalise, "_cut_cycles", lambda r, s: searched.append(s) or search(r, s))
    result = gaitdyn.process_trial(synthetic / "walk01.c3d")
    tables = [result.cycles(), result.peaks(), result.gait_parameters()]
    assert all(len(table) for table in tables)
    assert (result.verdict, len(result.status), bool(result.plot("knee_moment"))) == ("pass", 12, 1)
    assert sorted(searched) == ["left", "right"]
    assert result.findings is result.findings


def test_what_was_saved_is_read_back(result: gaitdyn.Result, saved: Path, tmp_path: Path):
    again = gaitdyn.read_results(saved)
    assert type(again) is gaitdyn.Result
    for name in (*TABLES, "to_frame", "stances"):
        pd.testing.assert_frame_equal(getattr(again, name)(), getattr(result, name)())
    assert (again.verdict, again.status) == (result.verdict, result.status)
    assert (again.findings, again.methods) == (result.findings, result.methods)
    assert (again.contacts, again.events) == (result.contacts, result.events)
    assert again.options.static == "static.c3d"
    again.save(tmp_path / "again")
    for path in saved.iterdir():
        if path.name != "values.npz":
            assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes(), path.name
    assert gaitdyn.read_results(tmp_path / "again").to_frame().equals(result.to_frame())


def test_a_file_is_no_place_for_results(result: gaitdyn.Result, tmp_path: Path):
    (tmp_path / "notes.txt").write_text("precious", encoding="utf-8")
    with pytest.raises(OutputRefused, match=r"notes.txt is a file, wanted a folder"):
        result.save(tmp_path / "notes.txt", force=True)
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "precious"


def test_the_tables_are_not_read_back(saved: Path, result: gaitdyn.Result, tmp_path: Path):
    copy = shutil.copytree(saved, tmp_path / "copy")
    for path in copy.glob("*.csv"):
        path.write_text("for,people\n", encoding="utf-8")
    assert gaitdyn.read_results(copy).peaks().equals(result.peaks())


def test_a_folder_without_values_is_refused_in_words(saved: Path, tmp_path: Path):
    with pytest.raises(ResultsRefused, match="no such folder"):
        gaitdyn.read_results(tmp_path / "nowhere")
    copy = shutil.copytree(saved, tmp_path / "copy")
    (copy / "values.npz").write_bytes(b"PK nonsense")
    with pytest.raises(ResultsRefused, match="process the trial again"):
        gaitdyn.read_results(copy)
    (copy / "values.npz").unlink()
    with pytest.raises(ResultsRefused, match="older versions"):
        gaitdyn.read_results(copy)


def test_values_name_nothing_but_gaitdyns_own(saved: Path, tmp_path: Path):
    copy = shutil.copytree(saved, tmp_path / "copy")
    with np.load(copy / "values.npz") as file:
        numbers, text = file["numbers"], file["outline"].tobytes().decode()
    bad = text.replace("gaitdyn.types.trial:Trial", "subprocess:Popen")
    assert bad != text
    outline = np.frombuffer(bad.encode(), np.uint8)
    np.savez(copy / "values.npz", numbers=numbers, outline=outline)
    with pytest.raises(ResultsRefused, match="bytes, wanted"):
        gaitdyn.read_results(copy)
    close_again(copy)
    with pytest.raises(ResultsRefused, match="is not part of results"):
        gaitdyn.read_results(copy)


@pytest.mark.parametrize(
    ("name", "ask"),
    [
        ("sides", lambda read: read.verdict),
        ("events", lambda read: read.cycles()),
        ("options", lambda read: read.methods),
        ("recording", lambda read: read.emg()),
        ("options", lambda read: read.to_frame()),
    ],
)
def test_values_that_do_not_fit_are_refused_when_asked_for(
    saved: Path, tmp_path: Path, name: str, ask: Any
):
    copy = shutil.copytree(saved, tmp_path / "copy")
    with np.load(copy / "values.npz") as file:
        numbers, outline = file["numbers"], json.loads(file["outline"].tobytes())
    outline["kept"] = {"dict": []}
    fields = outline["values 1"]["dict"]
    outline["values 1"]["dict"] = [[key, 7 if key == name else x] for key, x in fields]
    text = np.frombuffer(json.dumps(outline).encode(), np.uint8)
    np.savez(copy / "values.npz", numbers=numbers, outline=text)
    close_again(copy)
    with pytest.raises(ResultsRefused, match=r"cannot be read \(.*process the trial again"):
        ask(gaitdyn.read_results(copy))


def test_values_hold_no_path_and_no_raw_channel(result: gaitdyn.Result, saved: Path):
    with np.load(saved / "values.npz") as file:
        text = file["outline"].tobytes().decode()
    assert str(saved.anchor) + "tmp" not in text
    again = gaitdyn.read_results(saved)
    assert all(plate.channels.shape[0] == 0 for plate in again.recording.plates)
    assert {f.name for f in fields(Processed)} <= {f.name for f in fields(gaitdyn.Result)}
    assert result.static is not None
    assert again.static is not None
    assert again.static.n_frames == result.static.n_frames
    assert again.static.markers_L.shape[1] == 0 < result.static.markers_L.shape[1]


def test_a_report_is_made_without_a_folder(result: gaitdyn.Result, saved: Path, tmp_path: Path):
    page = result.report(tmp_path / "page.html").read_text(encoding="utf-8")
    of_folder = page_text(make_report(read_groups([saved])))
    assert page == of_folder
    with pytest.raises(UsageError, match=r"\.html or \.pdf"):
        result.report(tmp_path / "page.txt")


def test_parts_of_a_result_are_shown_in_a_line(result: gaitdyn.Result):
    for part in (result, result.motion, result.cycle_curves[0], result.pose, result.sides["left"]):
        assert len(repr(part)) < 500, type(part)


@pytest.mark.parametrize(
    "name", ["trunk_angle", "left_trunk_angle_tilt", "trunk", "waist_moment", "com", "com_velocity"]
)
def test_a_plot_of_a_curve_that_this_trial_lacks_says_why(result: gaitdyn.Result, name: str):
    why = "it needs markers of the trunk, C7, CLAV and STRN or T10"
    with pytest.raises(UsageError, match=f"^this trial has no curve '{name}': {why}$"):
        result.plot(name)  # was: did you mean 'ankle_angle'?


def test_a_plot_that_a_script_is_to_show_says_how_to_write_it(result: gaitdyn.Result):
    with pytest.raises(UsageError, match=r'write this one with savefig\("knee.png"\)'):
        result.plot("knee_moment").show()  # was: an AttributeError of matplotlib


def test_a_plot_of_moments_without_forces_says_why(synthetic: Path):
    without = gaitdyn.process_trial(synthetic / "walk01.c3d", forces="none")
    for name in ("knee_moment", "left_hip_power", "grf_y", "free_moment"):
        with pytest.raises(UsageError, match=rf"no curve '{name}': no forces, as requested"):
            without.plot(name)
    with pytest.raises(UsageError, match=r"did you mean 'knee_angle'\?"):
        without.plot("knee_angel")


def test_a_plot_shows_the_curves_of_a_name(result: gaitdyn.Result):
    words = {text.get_text() for text in result.plot("knee_moment").findobj(Text)}
    assert any("Knee moment, sagittal" in word for word in words)
    words = {text.get_text() for text in result.plot("grf").findobj(Text)}
    assert "Ground force \u2013 walk01" in words
    figure: Any = result.plot("ankle_power_sagittal")
    assert figure._repr_png_().startswith(b"\x89PNG")
    words = {text.get_text() for text in figure.findobj(Text)}
    assert {"Ankle power sagittal", "generation", "absorption"} <= words
    assert not any("Moments:" in word for word in words)
    meant = r"did you mean 'knee_moment_extension' \(a figure holds both sides\)\?"
    with pytest.raises(UsageError, match=meant):
        result.plot("left_knee_moment_extension")
    with pytest.raises(UsageError, match=r"did you mean 'knee' \(a figure holds both sides\)\?"):
        result.plot("left_knee")  # not a place: the joint has curves
    with pytest.raises(UsageError, match=r"did you mean 'knee_moment'\?"):
        result.plot("knee_momnt")
    with pytest.raises(UsageError, match=r"no curve 'knie'; wanted one of .*knee_moment"):
        result.plot("knie")
    for place in ("hip_center", "left_hip_center_x", "cop"):  # was: did you mean 'hip_moment'?
        with pytest.raises(UsageError, match=rf"'{place}' is a place in the laboratory") as told:
            result.plot(place)
        column = re.search(r"to_frame\(\) has it: (\w+) and others", str(told.value))
        assert column
        assert column[1] in result.to_frame()


def test_a_folder_at_home_is_meant_by_its_sign(
    result: gaitdyn.Result, synthetic: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))  # of Windows
    shutil.copytree(synthetic, tmp_path / "data")
    result.save("~/mine")
    assert (tmp_path / "mine" / "result.json").is_file()
    assert gaitdyn.read_results("~/mine").to_frame().equals(result.to_frame())
    static, given = tmp_path / "data/static.c3d", {"functional": "hip_left=~/f.c3d"}
    ((joint, file),) = gaitdyn.Options(**cast("Any", given)).functional
    assert (joint, Path(file)) == ("hip_left", tmp_path / "f.c3d")
    (again,) = gaitdyn.process_session("~/data", static="~/data/static.c3d:101-150")
    one = gaitdyn.process_trial("~/data/walk01.c3d", static="~/data/static.c3d:101-150")
    assert [Path(str(r.options.static)) for r in (again, one)] == [static, static]
    assert result.report("~/page.html", "schwartz2008") == tmp_path / "page.html"


WRONG = {"None": None, "number": 5, "list": [], "table": pd.DataFrame(), "bytes": b"x", "empty": ""}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_wrong_arguments_are_named_with_what_is_wanted(
    result: gaitdyn.Result, synthetic: Path, wrong: Any
):
    calls = {
        "path": (gaitdyn.process_trial, result.report),
        "folder": (gaitdyn.process_session, gaitdyn.read_results, result.save),
    }
    for name, functions in calls.items():
        for call in functions:
            with pytest.raises(UsageError, match=rf"^{name} is .*, wanted the path of a") as found:
                call(wrong)
            assert "\n" not in str(found.value)
    if wrong is not None:
        with pytest.raises(UsageError, match=r"^norm is .*, wanted the path of a reference set"):
            result.report("page.html", wrong)
        with pytest.raises(UsageError, match=r"^options is .*, wanted gaitdyn\.Options"):
            gaitdyn.process_session(synthetic, wrong)
    with pytest.raises(UsageError, match=r"^name is .*, wanted one text|no curve ''"):
        result.plot(cast("str", wrong))


@pytest.mark.parametrize("field", [f.name for f in fields(gaitdyn.Options)])
def test_a_setting_is_never_a_table_and_the_message_is_one_line(field: str):
    with pytest.raises(OptionRefused, match=rf"^{field} is Empty DataFrame .*, wanted ") as found:
        gaitdyn.Options(**cast("Any", {field: pd.DataFrame()}))
    assert "\n" not in str(found.value)


def test_settings_that_no_run_can_use_are_refused():
    impossible = {
        "cutoff_hz": "same", "mass_kg": "same", "longest_gap_s": np.nan, "uncertainty": "larg",
        "static": "", "subject": " ", "quality": "a\0b",
    }  # fmt: skip
    for name, value in impossible.items():
        unusable = "the path of a file" if name in ("static", "subject", "quality") else ""
        with pytest.raises(OptionRefused, match=rf"^{name} is .*, wanted {unusable}"):
            gaitdyn.Options(**cast("Any", {name: value}))
    frames = tuple(np.array([120, 180]))
    assert gaitdyn.Options(static_frames=cast("Any", frames)).static_frames == (120, 180)


def test_arrays_of_other_things_than_numbers_are_named():
    names = inspect.signature(gaitdyn.inverse_dynamics).parameters
    wrong: dict[str, Any] = dict.fromkeys(names, 1.0)
    for value in ("text", [[1], [2, 3]]):
        with pytest.raises(ArrayShapeError, match=r"^mass is .*, wanted an array of real numbers"):
            gaitdyn.inverse_dynamics(**(wrong | {"mass": value}))
    wrong |= {"mass": [1.0, 3.0], "R_GS": np.zeros((5, 3, 3, 3))}
    with pytest.raises(ArrayShapeError, match=r"wanted \(n, 2, 3, 3\); mass has 2 segments"):
        gaitdyn.inverse_dynamics(**wrong)


def test_a_session_is_a_list_of_results(synthetic: Path, tmp_path: Path):
    found = gaitdyn.process_session(synthetic, cutoff_hz=8)
    assert [r.recording.name for r in found] == ["walk01.c3d"]
    assert found[0].options.cutoff_hz == 8
    folder = shutil.copytree(synthetic, tmp_path / "session")
    (folder / "session.toml").write_text(
        '[trial."walk01.c3d"]\noptions = { moments_in = "lab", names = "pig" }\n', encoding="utf-8"
    )
    with pytest.raises(UsageError):
        gaitdyn.process_session(folder)


def test_a_session_takes_all_settings_in_one_value(synthetic: Path, tmp_path: Path):
    folder = shutil.copytree(synthetic, tmp_path / "session")
    (folder / "session.toml").write_text("[options]\ncutoff = 8\n", encoding="utf-8")
    options = gaitdyn.Options(force_cutoff_hz=20)
    (found,) = gaitdyn.process_session(folder, options, moments_in="jcs")
    alone = gaitdyn.process_trial(folder / "walk01.c3d", options, moments_in="jcs")
    assert (found.options.cutoff_hz, found.options.force_cutoff_hz) == (10, 20)
    assert found.options == alone.options
    assert found.to_frame().equals(alone.to_frame())


def test_a_trial_that_is_refused_is_told_and_the_others_are_there(synthetic: Path, tmp_path: Path):
    folder = shutil.copytree(synthetic, tmp_path / "session")
    (folder / "walk02.c3d").write_bytes((folder / "walk01.c3d").read_bytes()[:4000])
    with pytest.warns(UserWarning, match=r"walk02.c3d is left out") as told:
        found = gaitdyn.process_session(folder)
    assert [r.recording.name for r in found] == ["walk01.c3d"]
    assert len(told) == 1


def test_a_path_may_be_a_path_wherever_one_is_wanted(synthetic: Path):
    static = synthetic / "static.c3d"
    given: dict[str, Any] = {"static": static, "functional": (("hip_left", static),)}
    found = gaitdyn.Options(**given)
    assert (found.static, found.functional) == (str(static), (("hip_left", str(static)),))
    result = gaitdyn.process_trial(synthetic / "walk01.c3d", static=static)
    assert result.options.static == str(static)


def test_one_run_with_a_report_opens_each_file_once(
    synthetic: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    opened: list[str] = []
    read = reader.read_c3d

    def counted(path: Path, *rest: Any) -> Any:
        opened.append(str(path))
        return read(path, *rest)

    for name, module in list(sys.modules.items()):
        if name.startswith("gaitdyn") and getattr(module, "read_c3d", None) is read:
            monkeypatch.setattr(module, "read_c3d", counted)
    own = shutil.copytree(synthetic, tmp_path / "session")  # of which nothing was read before
    result = gaitdyn.process_trial(own / "walk01.c3d", static=str(own / "static.c3d"))
    result.save(tmp_path / "out")
    result.report(tmp_path / "page.html")
    assert len(opened) == len(set(opened)) == 2


def test_a_table_of_nothing_has_its_columns(result: gaitdyn.Result):
    bare = replace(result, events=(), contacts=())
    assert list(bare.cycles().columns) == ["side", "cycle", "percent", *COUNTS]
    assert list(bare.stances().columns) == ["side", "stance", "percent"]
    assert bare.peaks().empty


PUBLIC = [name for name in DOOR if callable(getattr(gaitdyn, name)) and name != "GaitdynError"]


@pytest.mark.parametrize("name", PUBLIC)
def test_examples_of_the_reference_run(
    name: str, result: gaitdyn.Result, synthetic: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):  # fmt: skip
    shutil.copytree(synthetic, tmp_path / "data")
    result.save(tmp_path / "gaitdyn-results/walk01")
    monkeypatch.chdir(tmp_path)
    space = {"result": result, "gaitdyn": gaitdyn, **{n: getattr(gaitdyn, n) for n in PUBLIC}}
    for found in doctest.DocTestFinder().find(getattr(gaitdyn, name), name, globs=space):
        assert "." in found.name or found.examples, f"{name} has no example"
        for example in found.examples:
            example.options.clear()  # without the mark that leaves it out elsewhere
            exec(compile(example.source, found.name, "single"), found.globs)  # noqa: S102


SESSION = """
[subject]
mass_kg = 90
[trials."walk01.c3d"]
assign = "1=none"
[options]
cutoff = 6
[report]
date = 2024-05-17
"""


@pytest.fixture
def session(synthetic: Path, tmp_path: Path) -> Path:
    folder = shutil.copytree(synthetic, tmp_path / "session")
    (folder / "session.toml").write_text(SESSION, encoding="utf-8")
    return folder


def test_one_trial_follows_the_session_beside_it_and_says_so(session: Path):
    result = gaitdyn.process_trial(session / "walk01.c3d")
    assert (result.subject.mass_kg, result.options.cutoff_hz) == (90, 6)
    assert [c.side for c in result.contacts if c.plate == 1] == ["none"]
    assert "cutoff (session.toml [options])" in result.log[0]
    (same,) = gaitdyn.process_session(session)
    assert (same.options, same.log) == (result.options, result.log)
    assert same.to_frame().equals(result.to_frame())


def test_the_visit_goes_with_the_result_into_page_and_folder(session: Path, tmp_path: Path):
    result = gaitdyn.process_trial(session / "walk01.c3d")
    result.save(tmp_path / "results")
    read = gaitdyn.read_results(tmp_path / "results")
    for name, one in (("new.html", result), ("read.html", read)):
        assert one.visit.text("date") == "2024-05-17"
        assert "2024-05-17" in one.report(tmp_path / name).read_text(encoding="utf-8")


def test_settings_of_python_win_over_the_session(session: Path):
    static = session / "static.c3d"
    result = gaitdyn.process_trial(
        session / "walk01.c3d", cutoff_hz=8, mass_kg=70, static=f"{static}:101-150"
    )
    assert (result.subject.mass_kg, result.options.cutoff_hz) == (70, 8)
    assert (result.options.static, result.options.static_frames) == (str(static), (101, 150))
    assert "cutoff" not in result.log[0]
    with pytest.raises(OptionRefused, match=r"^cutoff_hz is 0, wanted"):
        gaitdyn.process_trial(session / "walk01.c3d", cutoff_hz=0)


def test_with_all_options_in_one_value_no_session_is_read(session: Path, result: gaitdyn.Result):
    apart = gaitdyn.process_trial(session / "walk01.c3d", gaitdyn.Options())
    assert apart.to_frame().equals(result.to_frame())
    assert apart.log == result.log


def test_tables_say_which_cycles_count_as_the_report_does(result: gaitdyn.Result, saved: Path):
    stored = read_trial(saved)
    cycles, peaks = result.cycles(), result.peaks()
    for side in ("left", "right"):
        whole = kinetic_cycles(stored, side)
        for table in (cycles, peaks):
            own = table[table["side"] == side]
            assert sorted(own.loc[own["kinetics"], "cycle"].unique()) == whole
            assert own["kinematics"].all()
    assert kinetic_cycles(stored, "right") == [2]
    name = "ankle_moment_plantarflexion"
    of_report = [c for c in counted_cycles([stored]) if c.cycle.side == "right"]
    mean = cycles.query("kinetics").groupby(["side", "percent"])[name].mean()["right"]
    (wanted,) = (c.curve(name) for c in of_report if np.isfinite(c.curve(name)).all())
    np.testing.assert_allclose(mean, wanted, rtol=1e-12)
    assert not cycles["turning"].any()
    first = replace(result.cycle_curves[0].cycle, heading_change_deg=20.0)
    turned = replace(result)
    turned.kept["cycle curves"] = [replace(result.cycle_curves[0], cycle=first)]
    assert turned.peaks()["turning"].all()
    left = turned.gait_parameters().query("side == 'left' and cycle == 1")
    assert left["turning"].all()
    assert not result.gait_parameters()["turning"].any()
    mixed = cycles.groupby(["side", "percent"])[name].mean()["right"]
    assert np.abs(mixed - wanted).max() > 1e-3


def test_a_folder_of_results_names_those_in_it(saved: Path, tmp_path: Path):
    for place in ("out/S01/walk01", "out/S01/walk02"):
        shutil.copytree(saved, tmp_path / place)
    with pytest.raises(ResultsRefused, match=r"in 2 of its folders; wanted one: walk01, walk02$"):
        gaitdyn.read_results(tmp_path / "out/S01")
    with pytest.raises(ResultsRefused, match=r"in 2 of its folders; wanted one: S01/walk01, "):
        gaitdyn.read_results(tmp_path / "out")
    with pytest.raises(ResultsRefused, match="found no results in it; wanted a folder that"):
        gaitdyn.read_results(tmp_path)


def test_bands_that_are_asked_for_are_kept_saved_and_read_back(synthetic: Path, tmp_path: Path):
    errors = tmp_path / "errors.toml"
    errors.write_text("draws = 20\n", encoding="utf-8")
    trial = synthetic / "walk01.c3d"
    for options in ((), (gaitdyn.Options(),)):
        result = gaitdyn.process_trial(trial, *options, uncertainty=str(errors))
        folder = tmp_path / f"out{len(options)}"
        result.save(folder)
        assert (folder / "uncertainty.csv").is_file()
        bands = gaitdyn.read_results(folder).kept[BANDS]
        assert bands.names == result.kept[BANDS].names
        for cycle, half in result.kept[BANDS].half.items():
            np.testing.assert_array_equal(bands.half[cycle], half)
    assert BANDS not in gaitdyn.process_trial(trial).kept
