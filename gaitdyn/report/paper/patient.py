"""The last sheets of the clinician's PDF: the patient, examination and comments, and boxes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gaitdyn.plots.clinic.palette import HAIR, INK, MUTED
from gaitdyn.plots.marks import Mark, TextLine, wrapped
from gaitdyn.plots.typeface import regular_width
from gaitdyn.report.paper.layout import BODY_TOP, BOTTOM, LEFT, RIGHT, SheetColumn, frame
from gaitdyn.report.patient import all_comments, examination_tables, who_rows
from gaitdyn.report.report import Report

_ACROSS = 3
"""Columns of facts: of the visit, then of each person or visit."""

_MOST_LINES = 40
"""Lines of one fact."""

_FLOOR = BOTTOM + 6.0
_LOW_BOX, _HIGH_BOX = 40.0, 95.0
"""Least and most height of the boxes to write in, mm."""


class _Line(NamedTuple):
    """A line of text, ``above`` mm below the last one."""

    text: str
    size_pt: float
    above: float = 0.0
    bold: bool = False


def patient_sheets(report: Report) -> list[list[Mark]]:
    """Return the patient, what was examined, the comments and boxes, on as many sheets as needed.

    A text that is too long for a sheet is continued on the next one.
    """
    sheets = [_facts(report)]
    for line in _lines(report):
        if sheets[-1].y - line.above - 0.5 * line.size_pt < _FLOOR:
            sheets.append(_blank())
        sheets[-1].text(line.text, line.size_pt, above=line.above, bold=line.bold, most=1)
    if sheets[-1].y - 4.0 - _LOW_BOX < _FLOOR:
        sheets.append(_blank())
    sheets[-1].marks += _boxes(sheets[-1].y)
    return [sheet.marks for sheet in sheets]


def _blank() -> SheetColumn:
    return SheetColumn(LEFT, BODY_TOP, RIGHT - LEFT)


def _boxes(top: float) -> list[Mark]:
    """Return boxes to write in, below everything else on the sheet."""
    marks: list[Mark] = []
    ceiling = min(top - 4.0, _FLOOR + _HIGH_BOX)
    edges = (LEFT, LEFT + 105.0, LEFT + 213.0)
    rights = (LEFT + 99.0, LEFT + 207.0, RIGHT)
    for left, right, name in zip(
        edges, rights, ("Interpretation", "Recommendation", "Read by, date"), strict=True
    ):
        marks.append(frame(left, _FLOOR, right, ceiling, HAIR))
        marks.append(TextLine(left + 2.5, ceiling - 5.0, name, 8.4, INK, bold=True))
    return marks


def _facts(report: Report) -> SheetColumn:
    """Return the sheet with the facts about the visit and each person."""
    sheet = _blank()
    sheet.text("Patient", 11.0, bold=True)
    everyone = who_rows(report)
    for first in range(0, len(everyone), _ACROSS):
        row = enumerate(everyone[first : first + _ACROSS])
        sheet.y = min(_facts_end(sheet, LEFT + 92.0 * i, *facts) for i, facts in row) - 2.0
    return sheet


def _facts_end(
    sheet: SheetColumn, left: float, label: str, rows: Sequence[tuple[str, str]]
) -> float:
    """Draw facts below their label, from where the sheet is free; return their lower edge, mm."""
    values = SheetColumn(left + 34.0, sheet.y - 1.0, 54.0, sheet.marks)
    for name, value in ((label, ""), *rows) if label else rows:
        colour = MUTED if value else INK
        sheet.marks.append(TextLine(left, values.y - 3.6, name, 7.6, colour, bold=not value))
        values.text(value, 7.6, above=0.6, most=_MOST_LINES)
        values.y -= 0.6
    return values.y


def _lines(report: Report) -> Iterator[_Line]:
    """Yield the lines of the examination and of the comments."""
    for examined in examination_tables(report):
        yield _Line(examined.title, 9.0, 3.0, bold=True)
        for first, *more in examined.rows:
            heads = [head.lower() for head in examined.columns[1:]]
            cells = [f"{h} {cell}".strip() for h, cell in zip(heads, more, strict=False)]
            yield from _wrapped(": ".join(filter(None, (first, ", ".join(cells)))), 7.6)
    if remarks := all_comments(report):
        yield _Line("Comments", 9.0, 3.0, bold=True)
        for paragraph in remarks.splitlines():
            yield from _wrapped(paragraph, 8.0)


def _wrapped(text: str, size_pt: float) -> Iterator[_Line]:
    for line in wrapped(text, RIGHT - LEFT, size_pt, regular_width):
        yield _Line(line, size_pt)
