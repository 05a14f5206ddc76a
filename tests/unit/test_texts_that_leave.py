"""No text of a file computes in a spreadsheet or steers a terminal."""

from __future__ import annotations

import csv
import io
import json
import sys
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.archive.tables import CsvTable
from gaitdyn.batch.outcome import Outcome
from gaitdyn.batch.pages import write_index
from gaitdyn.batch.session_task import SessionTask
from gaitdyn.batch.settings import BatchSettings
from gaitdyn.report import make_report, pooled
from gaitdyn.report.page.document import page_text
from gaitdyn.store.stored import read_trial
from gaitdyn.tables.csv_files import block_lines, safe_cell, write_rows
from gaitdyn.types.texts import DIRECTION_MARKS
from gaitdyn_cli import console

FORMULAE = ("=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-", "=")
NUMBERS = ("-1", "+2.5", "-.5e-3", "1e9", "-0.", "")


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("text", FORMULAE)
def test_a_cell_that_begins_like_a_formula_is_quoted(tmp_path, text):
    told = f"'{text}".replace("\r", " ")
    write_rows(tmp_path / "a.csv", ["message", "value"], [[text, -1.5]])
    assert rows_of(tmp_path / "a.csv")[1] == [told, "-1.5"]
    with closing(CsvTable(tmp_path / "b.csv", ("trial", "n"), 1)) as table:
        table.write([(text, -3, np.array([-2.5], "<f4").tobytes())])
    assert rows_of(tmp_path / "b.csv")[1] == [told, "-3", "-2.5"]


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_and_plain_texts_stay(text):
    assert safe_cell(text) == text
    assert safe_cell(f"a{text}") == f"a{text}"


def test_the_summary_of_a_session_is_quoted_and_its_document_is_not(tmp_path):
    name = "=HYPERLINK(1)"
    failed = Outcome(name, "@walk", "@walk.c3d", "failed", "+it broke")
    task = SessionTask(name, str(tmp_path), BatchSettings(tmp_path, reports=()), (failed,))
    assert task.run().state == "done"
    found = rows_of(tmp_path / name / "summary.csv")
    assert found[1][:3] == [f"'{name}", "'@walk", "'@walk.c3d"]
    assert found[1][-1] == "'+it broke"
    told = json.loads((tmp_path / name / "session.json").read_text(encoding="utf-8"))
    assert (told["session"], told["trials"][0]["file"]) == (name, "@walk.c3d")


TURNED = f"walk{DIRECTION_MARKS}ANKL"
"""Letters behind such marks are shown in another order: one name passes for another."""


def test_no_name_turns_the_direction_of_a_page(session):
    trial = read_trial(session / "walk01")
    document = {**trial.document, "subject": {**trial.document["subject"], "id": TURNED}}
    document["options"] = {**document["options"], "condition": TURNED}
    (row, *rows) = trial.tables["quality"] or [{"level": "warning", "code": "a", "scope": ""}]
    tables = {**trial.tables, "quality": [{**row, "message": TURNED}, *rows]}
    trial = replace(trial, name=TURNED, document=document, tables=tables)
    report = make_report(pooled([trial]))
    page = page_text(report)
    assert not set(page) & set(DIRECTION_MARKS)
    assert "walk\\u061c\\u200e" in page
    assert "walk\\u061c" in report.title
    assert '"name":"walk\\u061c' not in page  # in a script it would be the mark again


def test_names_in_an_index_are_escaped_and_those_in_tables_are_those_on_the_disk(tmp_path):
    failed = Outcome("s", TURNED, f"{TURNED}.c3d", "failed", "it broke")
    task = SessionTask("s", str(tmp_path), BatchSettings(tmp_path, reports=()), (failed,))
    assert task.run().state == "done"
    page = write_index(tmp_path).read_text(encoding="utf-8")
    assert not set(page) & set(DIRECTION_MARKS)
    assert "walk\\u061c\\u200e" in page
    assert rows_of(tmp_path / "s" / "summary.csv")[1][2] == f"{TURNED}.c3d"


STEERING = "walk\x1b[2J\x07\r01\x9b31m\u202e\x00\nnext"


def test_messages_and_answers_hold_no_character_that_steers(monkeypatch):
    for tell, name in ((console.say, "stderr"), (console.answer, "stdout")):
        stream = io.StringIO()
        monkeypatch.setattr(sys, name, stream)
        tell(STEERING)
        assert stream.getvalue() == ("walk\\x1b[2J\\x07\\r01\\x9b31m\\u202e\\x00\\nnext\n")


def test_json_stays_json(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    document = {"name": STEERING, "é": "日本"}
    console.answer_json(json.dumps(document, indent=1, ensure_ascii=False))
    assert json.loads(stream.getvalue()) == document
    assert not set(stream.getvalue()) & {"\x1b", "\x9b", "\u202e", "\r"}


def test_other_letters_are_told_as_they_are():
    assert console.plain("Zoë Škoda 日本 👩‍🔬\u00a0a") == "Zoë Škoda 日本 👩‍🔬\u00a0a"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
def test_a_file_of_a_steering_name_is_told_without_it(gaitdyn, tmp_path):
    path = tmp_path / "walk\x1b[31m\n01.c3d"
    path.write_bytes(b"\x02\x50" + b"\0" * 1000)
    (tmp_path / "out").mkdir()
    for words in (("process", path), ("info", path), ("batch", tmp_path, "-o", "out/b")):
        done = gaitdyn(*words)
        assert done.returncode
        assert "\x1b" not in done.stdout + done.stderr


def test_the_texts_before_rows_of_numbers_are_quoted_and_no_formulas() -> None:
    numbers = np.array([[1.0, np.nan], [2.0, 0.5]])
    blocks = [(("=a, b", "left"), numbers), (("c", "right"), numbers[:0])]
    found = b"".join(block_lines(("name", "side", "number", "value"), blocks)).decode()
    rows = list(csv.reader(io.StringIO(found)))
    assert rows == [
        ["name", "side", "number", "value"],
        ["'=a, b", "left", "1", ""],
        ["'=a, b", "left", "2", "0.5"],
    ]
