"""The clinician's PDF: landscape A4 sheets with the drawings and words of the page."""

from __future__ import annotations

from collections.abc import Sequence

from gaitdyn.plots.clinic.palette import MUTED
from gaitdyn.plots.clinic.series import HEIGHT as SERIES_HEIGHT
from gaitdyn.plots.clinic.series import WIDTH as WIDE
from gaitdyn.plots.marks import Mark, Sheet
from gaitdyn.report.compared.comparison import comparisons_of, opens_with
from gaitdyn.report.first_screen.notices import Notice
from gaitdyn.report.first_screen.since import since_lines
from gaitdyn.report.page.group import norm_words
from gaitdyn.report.page.muscles import beside_loads, view_muscles
from gaitdyn.report.paper.comparison import comparison_sheets
from gaitdyn.report.paper.grids import kinematics_marks, kinetics_marks, muscles_marks
from gaitdyn.report.paper.layout import BODY_TOP, LEFT, RIGHT, SheetColumn, sheet_of
from gaitdyn.report.paper.patient import patient_sheets
from gaitdyn.report.paper.summary import GAP, summary_marks
from gaitdyn.report.patient import fact_line, sheet_facts
from gaitdyn.report.report import Report
from gaitdyn.report.series import series_of
from gaitdyn.report.views import GroupView


def clinic_sheets(report: Report) -> list[Sheet]:
    """Return the sheets of the group that the page opens with: the later of several sessions.

    They are summary, kinematics, kinetics and, if recorded, muscles. A comparison adds one sheet
    per side, and more if loads are compared. The last ones have the patient and boxes to write in.
    """
    view = report.views[opens_with(report)]
    since = [f"{line[0].upper()}{line[1:]}" for line in since_lines(report)]
    before = [comparisons_of(report)[-1].since] if since else []
    facts, foot, everyone = sheet_facts(report, view), norm_words(view), fact_line(report)
    pages = [(m, facts, foot) for m in _view_marks(view, (*before, *since), report.notices)]
    pages += [(marks, everyone, foot) for marks in _series_marks(report)]
    compared = [norm_words(comparison.first) for comparison in comparisons_of(report)[-1:]]
    pages += [(marks, everyone, *compared) for marks in comparison_sheets(report)]
    pages += [(marks, everyone, "") for marks in patient_sheets(report)]
    return [
        sheet_of(marks, report.title, words, i, len(pages), foot)
        for i, (marks, words, foot) in enumerate(pages, 1)
    ]


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
