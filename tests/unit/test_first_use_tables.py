"""What new users read in the index of a batch, and what they were refused too late."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer

from gaitdyn.batch import BatchSettings, run_batch
from gaitdyn.batch.index_columns import TRIALS
from gaitdyn.batch.pages import session_row
from gaitdyn.calibrate.statics.find import find_static
from gaitdyn.errors import AgeMissing, SexMissing
from gaitdyn.io.recording import read_recording
from gaitdyn.pipeline import process_trial
from gaitdyn.quality.plain_words import reason_words
from gaitdyn.quality.rules.table import load_rules
from gaitdyn.stages.ground_findings import no_kinetics
from gaitdyn.store.run_lines import run_lines
from gaitdyn.types.options import Options
from gaitdyn_cli import console
from gaitdyn_cli.app import app_of
from gaitdyn_cli.progress import Progress


def session(**more: Any) -> dict[str, Any]:
    row = {"state": "done", "verdict": "pass", "left_speed": 1.2, "right_speed": 1.3}
    return {
        "folder": "A", "page": True, "session": "A", "trials": [row],
        "gps_deg": {"left": 5.0, "right": 6.0}, **more,
    }  # fmt: skip


def speed(**row: float | None) -> str:
    (column,) = [c for c in TRIALS if c.head.startswith("Speed")]
    return column.cell(dict(row))


def test_the_speed_of_a_trial_is_that_of_both_sides_or_of_the_one_known():
    assert speed(left_speed=1.20, right_speed=1.30) == "1.25"
    assert speed(left_speed=None, right_speed=1.26) == "1.26"
    assert speed(left_speed=None, right_speed=None) == ""


def test_a_folder_of_several_people_has_no_score_and_no_speed_in_the_index():
    one, four = session_row(session()), session_row(session(people=4))
    assert (one["speed"], one["gps"]["left"], one["subject"]) == (1.25, 5.0, "")
    assert (four["speed"], four["gps"], four["subject"]) == (None, {}, "4 people")


@pytest.mark.parametrize("missing", [SexMissing, AgeMissing])
def test_a_named_table_that_lacks_a_fact_is_refused_though_muscles_were_recorded(
    monkeypatch, missing
):
    def refused(*_: object, **__: object) -> None:
        message = "the table has rows by it"
        raise missing(message)

    monkeypatch.setattr("gaitdyn.pipeline.read_session", lambda *_: _Session())
    monkeypatch.setattr("gaitdyn.pipeline.refuse_standing", lambda _: None)
    monkeypatch.setattr("gaitdyn.pipeline._processed", refused)
    monkeypatch.setattr("gaitdyn.trial.without_model.without_model", lambda *_: "muscles alone")
    with pytest.raises(missing):
        process_trial("walk.c3d")


class _Session:
    trial = None


def test_a_static_that_cannot_be_read_is_named(synthetic: Path, tmp_path: Path):
    walk = Path(shutil.copy(synthetic / "walk01.c3d", tmp_path))
    data = (synthetic / "static.c3d").read_bytes()
    (tmp_path / "static.c3d").write_bytes(data[: len(data) // 2])
    choice = find_static(walk, read_recording(walk), Options())
    assert choice.path is None
    assert "static.c3d cannot be read" in choice.reason
    assert "no other recording" not in choice.reason


def test_a_session_has_the_pdf_that_was_asked_for(synthetic: Path, tmp_path: Path):
    (tmp_path / "S1").mkdir()
    for name in ("static.c3d", "walk01.c3d"):
        shutil.copy(synthetic / name, tmp_path / "S1")
    out = tmp_path / "out"
    run_batch([tmp_path / "S1"], BatchSettings(out, jobs=1, reports=("report.pdf",)), Progress())
    assert (out / "S1" / "report.pdf").is_file()
    assert not (out / "S1" / "report.html").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["process", "walk", "1.c3d"], "quote names with spaces"),
        (["process", "walk.c3d", "--mass", "60,3"], "wanted a number such as 60.5"),
        (["process", "walk.c3d", "-mass", "60.3"], "has two dashes, as in --mass"),
        (["--mass", "60.3", "process", "walk.c3d"], "options follow the command"),
        (["batch", "data", "--jobs", "0"], "wanted at least 1"),
    ],
)
def test_a_mistake_in_a_command_is_told_in_plain_words(words, told, capsys):
    command = typer.main.get_command(app_of("process", "batch"))
    assert console.run(lambda: command.main(words, "gaitdyn", standalone_mode=False)) == 2
    said = capsys.readouterr().err
    assert told in said
    assert "parse" not in said
    assert "unexpected" not in said
    assert "Input should" not in said


def test_a_mass_by_the_plates_is_not_printed_to_the_gram(synthetic: Path, tmp_path: Path):
    result = process_trial(synthetic / "walk01.c3d", Options(mass_kg=66.2998))
    lines = run_lines(result, result.save(tmp_path / "walk01"))
    assert [line for line in lines if line.startswith("subject: 66.3 kg")]


def reason_of(*plates: Any, usable: int = 0, forces: str | None = None) -> tuple[str, str]:
    recording: Any = SimpleNamespace(plates=plates, name="walk.c3d", notes=())
    return no_kinetics(recording, None, Options(forces=forces), usable=bool(usable))


def test_the_reason_for_no_kinetics_has_a_code_of_its_own():
    """Plates that could not be used were told as "the recording has no force plate"."""
    plate = SimpleNamespace(number=1, problem="")
    assert reason_of()[0] == "no-plates"
    assert reason_of(forces="none")[0] == "no-forces"
    assert reason_of(plate)[0] == "no-usable-plate"
    assert reason_of(plate, usable=1)[0] == "no-mass"
    codes = {"no-plates", "no-forces", "no-usable-plate", "no-mass"}
    assert codes <= reason_words().keys()
    assert all(load_rules().has(code) for code in codes)


def test_the_reason_for_plates_that_are_not_used_is_one_clause():
    _, reason = reason_of(*(SimpleNamespace(number=n, problem="") for n in (1, 2)))
    assert reason.partition("; ")[0].count("(") == reason.partition("; ")[0].count(")") == 1
