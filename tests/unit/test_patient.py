"""The patient on a page of two visits: each visit has its own date, examination and comments."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from gaitdyn.plots.marks import TextLine
from gaitdyn.report import make_report, pooled
from gaitdyn.report.page.document import page_text
from gaitdyn.report.paper.clinic import clinic_sheets
from gaitdyn.report.paper.layout import BOTTOM
from gaitdyn.report.patient import all_comments, examination_tables, who_rows
from gaitdyn.types.visit import Visit
from tests.unit import report_cases as build

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.report import Report
    from gaitdyn.store.stored import StoredTrial

FIRST = Visit(
    (("date", "2023-05-04"), ("aids", "none"), ("comments", "before surgery")),
    (("knee extension", "-5", "0"),),
)
LATER = Visit(
    (("date", "2024-06-10"), ("aids", "none"), ("comments", "after surgery")),
    (("knee extension", "0", "1"),),
)


@pytest.fixture(scope="module")
def trial(session: Path) -> StoredTrial:
    return build.edited(session / "walk01")


def compared(trial: StoredTrial, *visits: Visit) -> Report:
    trials = [
        replace(trial, visit=visit, path=trial.path.parent / f"walk0{i}")
        for i, visit in enumerate(visits, 1)
    ]
    return make_report([g for i, one in enumerate(trials, 1) for g in pooled([one], f"V{i}")])


def test_each_visit_has_its_own_date_and_examination(trial: StoredTrial) -> None:
    report = compared(trial, FIRST, LATER)
    (label, shared), *own = who_rows(report)
    assert (label, shared[0]) == ("", ("Aids", "none"))
    dates = [(label, dict(rows)["Date"]) for label, rows in own]
    assert dates == [("V1", "2023-05-04"), ("V2", "2024-06-10")]
    tables = examination_tables(report)
    assert [(table.title, table.rows) for table in tables] == [
        ("Physical examination, V1", FIRST.examination),
        ("Physical examination, V2", LATER.examination),
    ]
    text = page_text(report)
    assert all(f"<h3>{table.title}</h3>" in text for table in tables)
    lines = [mark.text for mark in clinic_sheets(report)[-1].marks if isinstance(mark, TextLine)]
    assert "knee extension: left -5, right 0" in lines
    assert "knee extension: left 0, right 1" in lines
    assert lines.index("V1: before surgery") < lines.index("V2: after surgery")


def test_what_two_conditions_of_one_visit_share_is_told_once(trial: StoredTrial) -> None:
    report = compared(trial, FIRST, FIRST)
    assert dict(who_rows(report)[0][1])["Date"] == "2023-05-04"
    assert [table.title for table in examination_tables(report)] == ["Physical examination"]
    assert all_comments(report) == "before surgery"


def test_a_series_tells_once_what_all_visits_share_and_fits_its_sheet(trial: StoredTrial) -> None:
    notes = [(("date", f"202{i}-01-10"), ("comments", f"no. {i}")) for i in range(6)]
    report = compared(trial, *(replace(LATER, texts=texts) for texts in notes))
    (label, shared), *own = who_rows(report)
    assert label == ""
    assert {"Mass", "Leg length"} <= {name for name, _ in shared}
    assert [tuple(dict(rows)) for _, rows in own] == [("Date",)] * 6
    marks = clinic_sheets(report)[-1].marks
    lines = {mark.text: mark.y for mark in marks if isinstance(mark, TextLine)}
    assert lines["V6: no. 5"] > lines["Interpretation"] > BOTTOM


def test_a_visit_without_notes_does_not_take_those_of_the_other(trial: StoredTrial) -> None:
    report = compared(trial, FIRST, Visit())
    assert "Date" not in dict(who_rows(report)[-1][1])
    assert [table.title for table in examination_tables(report)] == ["Physical examination, V1"]
    assert all_comments(report) == "V1: before surgery"


def test_comments_saved_from_the_page_repeat_nothing(trial: StoredTrial) -> None:
    report = compared(trial, FIRST)
    report = replace(report, comments=f"{all_comments(report)}\n\nlimps")
    assert all_comments(report) == "before surgery\n\nlimps"
    both = compared(trial, FIRST, LATER)
    saved = replace(both, comments=all_comments(both))
    assert all_comments(saved) == "V1: before surgery\n\nV2: after surgery"
