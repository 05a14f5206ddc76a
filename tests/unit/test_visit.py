"""The header of the report: from session.toml into results, page and PDF; comments are kept."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gaitdyn import process_trial, read_results
from gaitdyn.batch.recorded_source import source_of
from gaitdyn.errors import UsageError
from gaitdyn.plots.marks import TextLine
from gaitdyn.report import make_report, read_groups
from gaitdyn.report.page.document import page_text
from gaitdyn.report.paper.clinic import clinic_sheets
from gaitdyn.report.paper.layout import BOTTOM
from gaitdyn.report.patient import examination_tables
from gaitdyn.session.session_file import read_session_file
from gaitdyn.store.being_written import carry_over
from gaitdyn.store.visit import read_comments, read_visit, write_visit
from gaitdyn.store.whole import with_files
from gaitdyn.types.visit import FIELDS, Visit
from tests.unit import report_cases as build

if TYPE_CHECKING:
    from gaitdyn.report import Report

TOML = """
[report]
date = 2024-05-17
laboratory = "Gait laboratory"
diagnosis = "diplegia"
aids = "none"
referral = "before surgery"
comments = "second visit"
examination = [["hip flexion", "110", "105"], ["popliteal angle", 40, 35]]
"""


def told(tmp_path: Path, text: str) -> Visit:
    path = tmp_path / "session.toml"
    path.write_text(text, encoding="utf-8")
    return read_session_file(path).visit


def test_the_table_is_read(tmp_path: Path) -> None:
    visit = told(tmp_path, TOML)
    assert [name for name, _ in visit.texts] == list(FIELDS)
    assert visit.text("date") == "2024-05-17"
    assert visit.examination[1] == ("popliteal angle", "40", "35")
    assert not told(tmp_path, "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[report]\nname = 'x'", "found 'name', wanted one of date"),
        ("[report]\ndate = 5", "report.date is 5, wanted a text"),
        ("[report]\nexamination = 'x'", "wanted rows of texts"),
        ("[report]\nexamination = [[[1]]]", "wanted rows of texts"),
        ("report = 3", "wanted a table such as"),
    ],
)
def test_what_is_wrong_in_it_is_told(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        told(tmp_path, text)


def test_it_stands_on_page_and_pdf(session: Path, tmp_path: Path) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    write_visit(folder, told(tmp_path, TOML))
    report = make_report(read_groups([folder]))
    page = page_text(report)
    words = " ".join(
        m.text for s in clinic_sheets(report) for m in s.marks if isinstance(m, TextLine)
    )
    for text in ("2024-05-17", "Gait laboratory", "diplegia", "before surgery", "second visit",
                 "popliteal angle"):  # fmt: skip
        assert text in page
        assert text in words


def of_visit(report: Report, visit: Visit) -> Report:
    groups = [
        replace(group, trials=tuple(replace(trial, visit=visit) for trial in group.trials))
        for group in report.groups
    ]
    return replace(report, groups=tuple(groups))


def test_long_comments_and_examinations_are_printed_whole(report: Report) -> None:
    """Behind 12 lines of comments nothing was printed, and behind 40 rows all was off the sheet."""
    rows = tuple((f"measure {i}", f"{i}", f"{i + 100}") for i in range(60))
    remarks = "\n".join(f"remark {i} {'word ' * 40}end {i}" for i in range(30))
    long = replace(of_visit(report, Visit((), rows)), comments=remarks)
    last = clinic_sheets(long)[3:]
    assert len(last) > 2
    lines = [mark for sheet in last for mark in sheet.marks if isinstance(mark, TextLine)]
    assert min(line.y for line in lines) >= BOTTOM
    words = " ".join(line.text for line in lines)
    for i in range(60):
        assert f"measure {i}: left {i}, right {i + 100} " in words
    for i in range(30):
        assert f"remark {i} word" in words
        assert f"end {i}" in words
    assert "Interpretation" not in str(last[:-1])
    assert "Interpretation" in str(last[-1])


def test_a_list_in_comments_stays_a_list_on_paper(report: Report) -> None:
    listed = clinic_sheets(replace(report, comments="- brace\n\n- botulinum toxin"))[-1]
    texts = [mark.text for mark in listed.marks if isinstance(mark, TextLine)]
    assert texts[texts.index("Comments") + 1 :][:3] == ["- brace", "", "- botulinum toxin"]


def test_only_rows_of_a_measure_and_both_sides_have_sides(report: Report) -> None:
    """Two cells, a name and a grade, stood below "Left"."""
    for rows, heads in (
        ((("Modified Ashworth", "2"),), ("", "")),
        ((("hip flexion", "110", "105"),), ("", "Left", "Right")),
    ):
        (table,) = examination_tables(of_visit(report, Visit((), rows)))
        assert table.columns == heads


def test_texts_of_a_visit_stay_texts(session: Path, tmp_path: Path) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    hostile = "</textarea><img src=x onerror=alert(1)>"
    write_visit(folder, Visit((("diagnosis", hostile), ("comments", hostile)), ((hostile,),)))
    (folder / "comments.txt").write_text(hostile + "!", encoding="utf-8")
    page = page_text(make_report(read_groups([folder])))
    assert "<img" not in page
    assert page.count("&lt;img") >= 5


def test_comments_of_the_folder_above_are_read_from_within(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "S01" / "walk01").mkdir(parents=True)
    (tmp_path / "S01" / "comments.txt").write_text("limps", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "S01" / "walk01")
    assert read_comments([Path()]) == "limps"


def test_comments_are_kept_by_the_next_run(tmp_path: Path) -> None:
    old, new = tmp_path / "results" / "walk01", tmp_path / "aside"
    old.mkdir(parents=True)
    new.mkdir()
    (old / "comments.txt").write_text("limps when tired\n", encoding="utf-8")
    write_visit(new, Visit(), old)
    assert read_comments([new]) == "limps when tired"
    assert [p.name for p in new.iterdir()] == ["comments.txt"]


def test_comments_stay_those_of_their_writer_whatever_runs_follow(
    synthetic: Path, tmp_path: Path
) -> None:
    result, folder = process_trial(synthetic / "walk01.c3d"), tmp_path / "walk01"
    result.save(folder)
    for text in ("limps when tired", "limps, but less than in May", "walks well"):
        (folder / "comments.txt").write_text(text, encoding="utf-8")
        assert read_results(folder).verdict == result.verdict
        result.save(folder)
        assert [p.name for p in folder.glob("comm*")] == ["comments.txt"]
        assert read_comments([folder]) == text


def test_comments_above_the_folder_are_on_the_page_that_a_run_makes(tmp_path: Path) -> None:
    before, new = tmp_path / "S01" / "walk01", tmp_path / "S01" / ".walk01" / "new"
    before.mkdir(parents=True)
    new.mkdir(parents=True)
    (tmp_path / "S01" / "comments.txt").write_text("of the session", encoding="utf-8")
    write_visit(new, Visit(), before)
    assert read_comments([new]) == "of the session"


def test_comments_that_an_older_version_lists_are_kept_too(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
    (old / "comments.txt").write_text("limps", encoding="utf-8")
    text = with_files({"inputs": []}, old, lambda document: json.dumps(document) + "\n")[1]
    (old / "result.json").write_text(text, encoding="utf-8")
    carry_over(old, new)
    assert [path.name for path in new.iterdir()] == ["comments.txt"]


def test_comments_beside_the_folders_count_once(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("walk01", "walk02")]
    for folder in folders:
        folder.mkdir()
    (tmp_path / "comments.txt").write_text("of the session", encoding="utf-8")
    assert read_comments(folders) == "of the session"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
def test_a_pipe_is_never_opened(tmp_path: Path) -> None:
    for name in ("visit.json", "comments.txt", "session.json"):
        os.mkfifo(tmp_path / name)
    assert not read_visit(tmp_path)
    assert not read_comments([tmp_path])
    assert source_of(tmp_path) is None


def test_a_damaged_file_says_nothing(tmp_path: Path) -> None:
    for text in ("", "[]", '{"texts": 3}', '{"texts": {}, "examination": 4}'):
        (tmp_path / "visit.json").write_text(text, encoding="utf-8")
        assert not read_visit(tmp_path)
