"""The clinician's PDF: landscape A4 sheets with the drawings and words of the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from gaitdyn.plots.clinic.palette import HAIR, INK, MUTED
from gaitdyn.plots.clinic.series import HEIGHT as SERIES_HEIGHT
from gaitdyn.plots.clinic.series import WIDTH as WIDE
from gaitdyn.plots.marks import Mark, Sheet, TextLine
from gaitdyn.report.clinic_grids import (
    comparison_sheets,
    kinematics_marks,
    kinetics_marks,
    muscles_marks,
)
from gaitdyn.report.clinic_summary import GAP, summary_marks
from gaitdyn.report.comparison import comparisons_of, opens_with
from gaitdyn.report.contents import TextTable
from gaitdyn.report.notices import Notice
from gaitdyn.report.page_muscles import beside_loads, view_muscles
from gaitdyn.report.page_views import norm_words
from gaitdyn.report.paper import BODY_TOP, BOTTOM, LEFT, RIGHT, SheetColumn, frame, sheet_of
from gaitdyn.report.patient import (
    all_comments,
    examination_tables,
    fact_line,
    sheet_facts,
    who_rows,
)
from gaitdyn.report.report import Report
from gaitdyn.report.series import series_of
from gaitdyn.report.since import since_lines
from gaitdyn.report.views import GroupView

_T = TypeVar("_T")


def clinic_sheets(report: Report) -> list[Sheet]:
    """Return the sheets of the group that the page opens with: the later of several sessions.

    They are summary, kinematics, kinetics and, if recorded, muscles. A comparison adds one sheet
    per side, and more if loads are compared. The last one has the patient and boxes to write in.
    """
    view = report.views[opens_with(report)]
    since = since_lines(report)
    before = [f"Since {comparisons_of(report)[-1].before}"] if since else []
    pages = [
        *_view_marks(view, (*before, *since), report.notices),
        *_series_marks(report),
        *comparison_sheets(report),
    ]
    count, facts = len(pages) + 1, sheet_facts(report, view)
    sheets = [
        sheet_of(marks, report.title, facts, i, count, norm_words(view))
        for i, marks in enumerate(pages, 1)
    ]
    return [*sheets, sheet_of(_last_marks(report), report.title, fact_line(report), count, count)]


def other_sheets(report: Report) -> list[Sheet]:
    """Return the sheets of the other groups, such as an earlier session, for an annex."""
    others = [view for i, view in enumerate(report.views) if i != opens_with(report)]
    pages = [(view, marks) for view in others for marks in _view_marks(view, (), report.notices)]
    return [
        sheet_of(marks, report.title, sheet_facts(report, view), i, len(pages), norm_words(view))
        for i, (view, marks) in enumerate(pages, 1)
    ]


def _series_marks(report: Report) -> list[list[Mark]]:
    """Return the sheet of a series: three sessions or more."""
    series = series_of(report)
    if series is None:
        return []
    sheet = SheetColumn(LEFT, BODY_TOP, RIGHT - LEFT)
    sheet.text("Over time", 11.0, bold=True)
    words = "Grey: norm \u00b11 and \u00b12 SD; " + (
        "by date" if series.by_date else "in the order of the sessions"
    )
    sheet.text(words, 7.6, MUTED, above=0.5)
    cell = (RIGHT - LEFT - 3 * GAP) / 4
    top = sheet.y
    for i, plot in enumerate(series.panels):
        panel = SheetColumn(LEFT + i * (cell + GAP), top, cell, sheet.marks)
        panel.text(f"{plot.title}, {plot.note}", 8.4, above=3.0, bold=True, most=1)
        panel.draw(plot.marks, (WIDE, SERIES_HEIGHT), above=1.0)
        sheet.y = panel.y
    edges = (60.0, 90.0, *(90.0 + 22.0 * (i + 1) for i in range(len(series.head) - 2)))
    sheet.rows([series.head, *series.rows], edges, 7.6, above=8.0)
    return [sheet.marks]


def _view_marks(
    view: GroupView, since: Sequence[str], notices: Sequence[Notice]
) -> list[list[Mark]]:
    pages = [summary_marks(view, since, notices), kinematics_marks(view), kinetics_marks(view)]
    if not view_muscles(view) or beside_loads(view):
        return pages
    return [*pages, muscles_marks(view)]


def _last_marks(report: Report) -> list[Mark]:
    """Return the last sheet: the patient, and boxes below."""
    marks, top = _patient(report)
    floor = BOTTOM + 6.0
    ceiling = min(top - 4.0, floor + 95.0)
    edges = (LEFT, LEFT + 105.0, LEFT + 213.0)
    rights = (LEFT + 99.0, LEFT + 207.0, RIGHT)
    names = ("Interpretation", "Recommendation", "Read by, date")
    boxes = zip(edges, rights, names, strict=True) if ceiling > floor + 15.0 else ()
    for left, right, name in boxes:
        marks.append(frame(left, floor, right, ceiling, HAIR))
        marks.append(TextLine(left + 2.5, ceiling - 5.0, name, 8.4, INK, bold=True))
    return marks


_ACROSS, _APART = 3, 92.0
"""Columns of facts, of the visit, then of each person or visit, and their distance, mm."""


def _in_rows(items: Sequence[_T]) -> Iterator[Sequence[tuple[int, _T]]]:
    """Yield the items of one row of columns after the other, each with its column."""
    for first in range(0, len(items), _ACROSS):
        yield list(enumerate(items[first : first + _ACROSS]))


def _table_end(sheet: SheetColumn, left: float, table: TextTable) -> float:
    """Draw a table from where the sheet is free; return its lower edge, mm."""
    column = SheetColumn(left, sheet.y, _APART - 8.0, sheet.marks)
    column.text(table.title, 7.6, above=1.0, bold=True)
    sides = [f"{head.lower()} " if head else "" for head in table.columns[1:]]
    for measure, *values in table.rows:
        told = ", ".join(f"{side}{value}" for side, value in zip(sides, values, strict=False))
        column.text(f"{measure}: {told}" if told else measure, 7.6)
    return column.y


def _facts_end(
    sheet: SheetColumn, left: float, label: str, rows: Sequence[tuple[str, str]]
) -> float:
    """Draw facts below their label, from where the sheet is free; return their lower edge, mm."""
    values = SheetColumn(left + 34.0, sheet.y - 1.0, 54.0, sheet.marks)
    for name, value in ((label, ""), *rows) if label else rows:
        colour = MUTED if value else INK
        sheet.marks.append(TextLine(left, values.y - 3.6, name, 7.6, colour, bold=not value))
        values.text(value, 7.6, above=0.6)
        values.y -= 0.6
    return values.y


def _patient(report: Report) -> tuple[list[Mark], float]:
    sheet = SheetColumn(LEFT, BODY_TOP, RIGHT - LEFT)
    sheet.text("Patient", 11.0, bold=True)
    for part in _in_rows(who_rows(report)):
        sheet.y = min(_facts_end(sheet, LEFT + _APART * i, *one) for i, one in part) - 2.0
    for part in _in_rows(examination_tables(report)):
        sheet.y = min(_table_end(sheet, LEFT + _APART * i, one) for i, one in part) - 2.0
    remarks = all_comments(report)
    if remarks:
        sheet.text("Comments", 9.0, above=3.0, bold=True)
        for line in filter(str.strip, remarks.splitlines()):
            if sheet.y < BOTTOM + 14.0:
                sheet.text("The other comments are on the page.", 8.0, MUTED, above=0.5)
                break
            sheet.text(line, 8.0, above=0.5)
    return sheet.marks, sheet.y
