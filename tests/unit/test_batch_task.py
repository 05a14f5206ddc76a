"""What a trial of a batch depends on, and what its row of the summary tells."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitdyn.batch.done_before import task_key
from gaitdyn.batch.pages import write_index
from gaitdyn.batch.session_lock import SessionLocks
from gaitdyn.batch.session_task import SessionTask
from gaitdyn.batch.settings import BatchSettings
from gaitdyn.batch.task import Task, what_changed
from gaitdyn.batch.trial_row import COLUMNS, certainty_row, moment_band, trial_row, worst_reason
from gaitdyn.errors import OutputRefused
from gaitdyn.report.strides import kinetic_cycles
from gaitdyn.store.stored import StoredTrial, read_trial
from gaitdyn.store.visit import read_visit
from gaitdyn.types.options import Options
from gaitdyn.types.visit import Visit
from tests.read_back import rows_of

QUIET = "marker_noise_mm = 0.1\ndraws = 20\n"


def task_of(trial: Path, out: Path, **changes: Any) -> Task:
    fields = {key: changes.pop(key) for key in ("sensitivity", "sweeps") if key in changes}
    settings = BatchSettings(out, reports=(), **fields)
    return Task("S01", "walk01", str(trial), Options(**changes), settings)


@pytest.fixture(scope="module")
def trial(synthetic: Path) -> Path:
    return synthetic / "walk01.c3d"


@pytest.fixture(scope="module")
def stored(trial: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[StoredTrial, Any]:
    """A trial done by a batch with bands of 20 draws, terms and a sweep."""
    out = tmp_path_factory.mktemp("batch")
    errors = out / "errors.toml"
    errors.write_text(QUIET, encoding="utf-8")
    task = task_of(trial, out, uncertainty=str(errors), terms=True, sweeps=("hip=davis,bell",))
    found = task.run()
    assert found.state == "done", found.reason
    return read_trial(task.folder), found


@pytest.mark.parametrize(
    "change",
    [
        {"terms": True},
        {"audit": False},
        {"uncertainty": "default"},
        {"hip_centre": "bell"},
        {"sensitivity": True},
        {"sweeps": ("cutoff=6",)},
    ],
)
def test_another_option_is_another_key(trial: Path, tmp_path: Path, change: dict[str, Any]):
    assert task_key(task_of(trial, tmp_path, **change)) != task_key(task_of(trial, tmp_path))


@pytest.mark.parametrize("option", ["quality", "uncertainty"])
def test_a_file_that_changed_in_its_place_is_another_key(trial: Path, tmp_path: Path, option: str):
    path = tmp_path / "own.toml"
    path.write_text("# one\n", encoding="utf-8")
    task = task_of(trial, tmp_path, **{option: str(path)})
    before = task_key(task)
    assert task_key(task) == before
    path.write_text("# two\n", encoding="utf-8")
    assert task_key(task) != before


def test_a_table_of_a_sweep_counts_by_its_contents(trial: Path, tmp_path: Path):
    keys: list[str] = []
    for place, text in (("one", "a"), ("two", "a"), ("two", "b")):
        (tmp_path / place).mkdir(exist_ok=True)
        table = tmp_path / place / "own.csv"
        table.write_text(text, encoding="utf-8")
        keys.append(task_key(task_of(trial, tmp_path, sweeps=(f"anthropometry={table}",))))
    assert keys[0] == keys[1] != keys[2]


def test_notes_on_the_visit_are_another_key(trial: Path, tmp_path: Path):
    task = task_of(trial, tmp_path)
    noted = replace(task, visit=Visit((("date", "2026-05-01"),)))
    assert task_key(task) != task_key(noted) != task_key(replace(task, visit=Visit()))


@pytest.mark.parametrize("name", ["walk.anc", "walk_grf.mot"])
def test_a_file_beside_a_trc_file_is_another_key(tmp_path: Path, name: str):
    (tmp_path / "walk.trc").write_text("markers", encoding="utf-8")
    task = task_of(tmp_path / "walk.trc", tmp_path)
    keys = {task_key(task)}
    (tmp_path / "other.anc").write_text("of another trial", encoding="utf-8")
    keys.add(task_key(task))
    assert len(keys) == 1
    for text in ("one", "two"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        keys.add(task_key(task))
    assert len(keys) == 3


def test_why_results_are_made_again_is_told(trial: Path, tmp_path: Path):
    task = task_of(trial, tmp_path)
    assert task.run().changed == ""
    noted = replace(task, visit=Visit((("date", "2026-05-01"),)))
    assert noted.run().changed == "[report] of session.toml was another"
    assert read_visit(task.folder).text("date") == "2026-05-01"
    (task.folder / "result.json").write_text("{}", encoding="utf-8")
    (task.folder / "batch.json").unlink()
    again = replace(noted, settings=replace(noted.settings, force=True))
    assert again.run().changed == "the earlier results cannot be read"


def test_what_is_asked_for_is_written_and_a_second_run_skips_it(stored: Any, trial: Path):
    found, outcome = stored
    names = {path.name for path in found.path.iterdir()}
    assert {"uncertainty.csv", "terms.csv", "sweep.csv"} <= names
    assert "sensitivity.csv" not in names
    errors = found.path.parents[1] / "errors.toml"
    again = task_of(
        trial, found.path.parents[1], uncertainty=str(errors), terms=True,
        sweeps=("hip=davis,bell",),
    )  # fmt: skip
    second = again.run()
    assert second.state == "skipped"
    assert second.row == outcome.row
    roles = {entry["role"]: entry["name"] for entry in found.document["inputs"]}
    assert roles["uncertainty"] == "errors.toml"


def test_a_wrong_setting_fails_its_trial_with_a_reason(trial: Path, tmp_path: Path):
    found = task_of(trial, tmp_path, quality=str(tmp_path / "none.toml")).run()
    assert (found.state, "none.toml" in found.reason or "no such file" in found.reason) == (
        "failed",
        True,
    )
    found = task_of(trial, tmp_path, sweeps=("colour=red",)).run()
    assert "--sweep is 'colour=red'" in found.reason


def test_the_row_tells_bands_closure_and_energy_as_the_files_do(stored: Any):
    trial, outcome = stored
    row = outcome.row
    assert tuple(row) == COLUMNS
    audit = trial.document["audit"]
    drifts = [
        d["largest_deg"] for side in ("left", "right") for d in audit["closure"][side].values()
    ]
    assert row["closure_deg"] == max(drifts)
    energies = [e for side in audit["energy"].values() for e in side.values()]
    assert row["energy_share"] == max(e["rms_w"] / e["throughput_w"] for e in energies)
    bands = rows_of(trial.path / "uncertainty.csv")
    peaks = [p for p in trial.tables["peaks"] if "_moment_" in p["quantity"] and p["percent"]]
    widths = []
    for peak in peaks:
        at = (peak["side"], peak["cycle"], str(round(float(peak["percent"]))))
        half = next(b for b in bands if (b["side"], b["cycle"], b["percent"]) == at)
        name = re.sub("_(first|second|stance|swing|max|min).*", "", peak["quantity"])
        widths.append(2 * float(half[name] or "nan"))
    assert row["moment_band"] == pytest.approx(np.nanmean(widths))
    assert 0.0 < row["moment_band"] < 0.5
    of_stance = {**peaks[0], "cycle": ""}  # of a stance without a cycle: no band
    tables = {**trial.tables, "peaks": [of_stance, *trial.tables["peaks"]]}
    assert moment_band(replace(trial, tables=tables)) == row["moment_band"]
    bare = replace(trial, document=trial.document | {"audit": None}, bands=None)
    assert moment_band(bare) is None
    assert certainty_row(bare)["closure_deg"] is None


def test_kinetic_cycles_are_counted_by_their_status(stored: Any):
    trial, _ = stored
    assert trial_row(trial)["left_kinetic_cycles"] == len(kinetic_cycles(trial, "left")) > 0
    number = kinetic_cycles(trial, "left")[0]
    status = [
        row | {"status": "partial", "code": "contact-partial"}
        if (row["side"], row["cycle"]) == ("left", number)
        else row
        for row in trial.document["status"]
    ]
    doubtful = replace(trial, document=trial.document | {"status": status})
    before = trial_row(trial)["left_kinetic_cycles"]
    assert trial_row(doubtful)["left_kinetic_cycles"] == before - 1


def test_the_worst_reason_is_an_error_before_a_warning(stored: Any):
    trial, _ = stored
    assert worst_reason(replace(trial, document=trial.document | {"verdict": "pass"})) is None
    rows = [
        {"level": "warning", "code": "peak-force", "scope": "plate 1", "message": "high"},
        {"level": "error", "code": "sides-swapped", "scope": "markers", "message": "exchanged"},
    ]
    failed = replace(
        trial,
        document=trial.document | {"verdict": "fail"},
        tables=trial.tables | {"quality": rows},
    )
    assert worst_reason(failed) == "sides-swapped: exchanged"
    missing = replace(
        trial,
        document=trial.document | {"verdict": "check", "kinetics": "no force plates"},
        tables=trial.tables | {"quality": []},
    )
    assert worst_reason(missing) == "no force plates"


def test_summary_and_index_show_them(stored: Any, tmp_path: Path):
    trial, outcome = stored
    doubtful = replace(outcome, row=outcome.row | {"worst": "plate-baseline: <b>high</b>"})
    folder = tmp_path / "S01" / "walk01"
    folder.mkdir(parents=True)
    text = (trial.path / "result.json").read_text(encoding="utf-8")
    (folder / "result.json").write_text(text, encoding="utf-8", newline="\n")
    SessionTask("S01", "S01", BatchSettings(tmp_path, reports=()), (doubtful,)).run()
    (row,) = rows_of(tmp_path / "S01" / "summary.csv")
    assert float(row["moment_band"]) == pytest.approx(outcome.row["moment_band"])
    assert row["worst"] == "plate-baseline: <b>high</b>"
    page = write_index(tmp_path).read_text(encoding="utf-8")
    assert ">&lt;b&gt;high&lt;/b&gt;<" in page  # in words, without the code of the rule
    assert f"{outcome.row['moment_band']:.2f}" in page
    assert "1 session, 1 trial: " in page
    told = json.loads((tmp_path / "S01" / "session.json").read_text(encoding="utf-8"))
    assert told["trials"][0]["closure_deg"] == outcome.row["closure_deg"]


def session_of(done: Any, out: Path) -> Path:
    """A session with the results of a trial, as its folder."""
    trial, _ = done
    shutil.copytree(trial.path, out / "S01" / "walk01")
    return out / "S01"


def test_the_tables_are_of_the_results_that_are_there(stored: Any, tmp_path: Path):
    """Another run has replaced a trial between its outcome and the end of the session."""
    place = session_of(stored, tmp_path)
    _, outcome = stored
    before = replace(outcome, row=outcome.row | {"worst": "of another run"}, seal="0" * 64)
    found = SessionTask("S01", "S01", BatchSettings(tmp_path, reports=()), (before,)).run()
    assert found.state == "done", found.reason
    told = json.loads((place / "session.json").read_text(encoding="utf-8"))
    assert told["trials"][0]["worst"] == outcome.row["worst"]
    (note,) = found.notes
    assert note.startswith("S01/walk01: another run has since replaced its results")


def test_results_of_a_trial_that_is_no_more_are_told(stored: Any, tmp_path: Path):
    place = session_of(stored, tmp_path)
    shutil.copytree(place / "walk01", place / "walk02")
    _, outcome = stored
    task = SessionTask("S01", "S01", BatchSettings(tmp_path, reports=()), (outcome,))
    (note,) = task.run().notes
    assert note.startswith("S01/walk02: results of an earlier run, kept;")
    told = json.loads((place / "session.json").read_text(encoding="utf-8"))
    assert [trial["name"] for trial in told["trials"]] == ["walk01"]
    assert [f"S01/{text}" for text in told["notes"]] == [note]
    assert told["settings"]["--cutoff"] == ["10"]
    assert (place / "walk02" / "result.json").is_file()


def test_files_that_are_no_longer_written_are_told(trial: Path, tmp_path: Path):
    """With the same settings of the computation, as after a run with --report and --norm."""
    page = '<meta name="generator" content="gaitdyn">\n</html>'
    table = "side,curve,phase,\n"
    earlier = replace(
        task_of(trial, tmp_path),
        settings=BatchSettings(tmp_path, figures=True, reports=("report.html",)),
    )
    done = earlier.run()
    place = tmp_path / "S01"
    SessionTask("S01", "S01", earlier.settings, (done,)).run()
    for folder in (place, earlier.folder):
        (folder / "report.html").write_text(page, encoding="utf-8")
        (folder / "abnormal.csv").write_text(table, encoding="utf-8")
    (earlier.folder / "own.txt").touch()
    now = task_of(trial, tmp_path)
    found = now.run()
    assert found.changed == (
        "other files are asked for; removed abnormal.csv, report.html, figures (4 files) of the"
        " earlier run, which this one does not write (another -o keeps both)"
    )
    assert (now.folder / "own.txt").is_file()
    (note,) = (
        SessionTask("S01", "S01", now.settings, (found,), removed=("report.html",)).run().notes
    )
    assert note == (
        "S01: removed abnormal.csv, report.html of the earlier run, which this one does not write"
    )
    assert now.run().changed == ""


def test_a_batch_with_other_settings_does_not_share_a_session(trial: Path, tmp_path: Path):
    first, second = SessionLocks(tmp_path), SessionLocks(tmp_path)
    first.take("S01", [task_of(trial, tmp_path)])
    second.take("S01", [task_of(trial, tmp_path)])
    second.release("S01")
    with pytest.raises(OutputRefused, match=r"other settings or files .process \d+ on"):
        second.take("S01", [task_of(trial, tmp_path, hip_centre="bell")])
    other = replace(task_of(trial, tmp_path, hip_centre="bell"), name="walk02")
    second.take("S01", [other])  # none of its trials is being done by the first
    second.take("S02", [task_of(trial, tmp_path, hip_centre="bell")])
    first.release_all()
    second.release_all()
    assert not list(tmp_path.iterdir())


def test_the_lock_of_a_batch_that_died_is_no_obstacle(trial: Path, tmp_path: Path):
    dead = tmp_path / ".S01.run-0123abcd.gaitdyn-lock"
    dead.write_text(json.dumps({"process": 4, "keys": {"walk01": "other"}}), encoding="utf-8")
    locks = SessionLocks(tmp_path)
    locks.take("S01", [task_of(trial, tmp_path)])
    assert not dead.exists()
    locks.release_all()


def test_a_setting_that_nobody_named_is_not_none(stored: Any) -> None:
    trial, _ = stored
    before = trial.document
    before = before | {"options": before["options"] | {"static": None}}
    given = {"mass_kg": 70.0, "static": "standing.c3d", "leave_out": [["left", 2]]}
    given |= {"assign": [{"plate": 2, "side": "right", "frames": [5, 9], "origin": "user"}]}
    now = before | {"options": before["options"] | given}
    told = what_changed(before, now)
    assert "mass_kg was not given, is 70.0" in told
    assert "static was not given, is standing.c3d" in told
    assert "leave_out was none, is left 2; " in f"{told}; "
    assert "assign was none, is 2=right:5-9; " in f"{told}; "
    assert "None" not in told
