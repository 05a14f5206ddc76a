"""The clinician's sheets that compare two groups."""

from __future__ import annotations

from collections.abc import Sequence

from gaitdyn.plots.clinic.axes import WIDTH
from gaitdyn.plots.clinic.compared import compared_entries, compared_sample
from gaitdyn.plots.clinic.palette import INK, MUTED
from gaitdyn.plots.clinic.placing import LEAST_PT, placed
from gaitdyn.plots.marks import Mark, TextLine
from gaitdyn.report.compared.comparison import GroupComparison, comparisons_of
from gaitdyn.report.compared.one_side import ComparedPanel, ComparedSide
from gaitdyn.report.page.group import kinetic_words
from gaitdyn.report.paper.layout import BELOW_HEADING, BODY_TOP, LEFT, RIGHT, SheetColumn, paragraph
from gaitdyn.report.report import Report

_COMPARED_RAIL = 70.0

_CHANGE_BELOW = 7.0
"""Height of the title of a compared panel and of the change below it, mm."""

_MOST_CHANGED = 10
"""Curves listed next to the compared panels of a sheet."""


def comparison_sheets(report: Report) -> list[list[Mark]]:
    """Return the sheets of the last comparison; empty for a single group.

    Each side has its angles, then its loads if there are any.
    """
    sheets = []
    for comparison in comparisons_of(report)[-1:]:
        words = kinetic_words(comparison.first)
        for side in comparison.printed:
            sheets.append(_angles_compared(comparison, side))
            sheets += [_loads_compared(comparison, side, words)] if side.loads else []
    return sheets


def _angles_compared(comparison: GroupComparison, side: ComparedSide) -> list[Mark]:
    """Return the angles of a side, with what changed in a rail."""
    head = _compared_heading("Comparison", comparison, side)
    head.text(side.verdict, 9.6, above=1.0, bold=True, most=2)
    top = head.y - BELOW_HEADING
    panels = _compared_panels(comparison, side, side.panels, side.columns, top)
    rail = SheetColumn(RIGHT - _COMPARED_RAIL, top, _COMPARED_RAIL)
    rail.text("What changed", 9.0, bold=True)
    lines = [curve.words for curve in side.changed[:_MOST_CHANGED]] or [side.unchanged]
    more = len(side.changed) - _MOST_CHANGED
    lines += [f"and {more} more, in the annex"] if more > 0 else []
    for words in filter(None, (*lines, side.lowered, comparison.note)):
        rail.text(words, 7.2, above=1.0, most=4)
    rail.text(f"{side.table_title}, degrees", 8.0, above=3.0, bold=True)
    rows = [("", "A", "B", "B \u2212 A"), *side.rows]
    rail.rows(rows, (30.0, 40.0, 50.0, _COMPARED_RAIL), above=1.0)
    if side.muscles:
        rows = [("Muscles, shape alone", "r", "B later, %"), *side.muscles]
        rail.rows(rows, (38.0, 50.0, _COMPARED_RAIL), above=2.0)
    if side.full:
        rail.marks += _compared_key(comparison, side, rail.left, rail.y - 4.0, _COMPARED_RAIL)
    return head.marks + panels + rail.marks


def _loads_compared(comparison: GroupComparison, side: ComparedSide, words: str) -> list[Mark]:
    """Return the loads of a side; ``words`` gives their convention and units."""
    head = _compared_heading("Comparison of moments, powers and forces", comparison, side)
    top = head.y - BELOW_HEADING
    panels = _compared_panels(comparison, side, side.loads, 4, top)
    rail = SheetColumn(RIGHT - _COMPARED_RAIL, top, _COMPARED_RAIL)
    rail.text(words, 7.2, MUTED)
    return head.marks + panels + rail.marks


def _compared_heading(
    contents: str, comparison: GroupComparison, side: ComparedSide
) -> SheetColumn:
    words = (
        f"{contents}, {side.side} side: A {comparison.before} (dashed, pale), B {comparison.after}"
    )
    head = SheetColumn(LEFT, BODY_TOP, RIGHT - LEFT)
    head.text(words, 11.0, bold=True, most=1)
    return head


def _compared_key(
    comparison: GroupComparison, side: ComparedSide, left: float, y: float, wide: float
) -> list[Mark]:
    """Return the key of compared panels."""
    marks: list[Mark] = []
    for entry in compared_entries(comparison.before, comparison.after):
        marks += compared_sample(entry.kind, left, y, 8.0, side.side)
        words, low = paragraph(entry.words, left + 10.0, y + 1.3, wide - 10.0, 6.6, MUTED, most=2)
        marks += words
        y = min(y - 4.2, low - 2.4)
    return marks


def _compared_panels(
    comparison: GroupComparison, side: ComparedSide, panels: Sequence[ComparedPanel], columns: int,
    top: float,
) -> list[Mark]:  # fmt: skip
    """Return panels in columns next to a rail, with the key in the first free cell."""
    wide, gap = RIGHT - LEFT - _COMPARED_RAIL - 8.0, 5.0
    cell = (wide - (columns - 1) * gap) / columns
    scale = cell / WIDTH
    drawn = scale * max(panel.drawn.height for panel in panels if panel.drawn is not None)
    high = _CHANGE_BELOW + drawn + 1.0
    marks: list[Mark] = []
    keyed = side.full
    for i, panel in enumerate(panels):
        row, column = divmod(i, columns)
        x = LEFT + column * (cell + gap)
        y = top - row * high
        if panel.drawn is None:
            marks += [] if keyed else _compared_key(comparison, side, x + 3.0, y - 8.0, cell - 3.0)
            keyed = True
            continue
        bottom = y - _CHANGE_BELOW - scale * panel.drawn.height
        marks.append(TextLine(x + scale * 24.0, y - 3.4, panel.title, 7.2, INK, bold=True))
        marks.append(TextLine(x + scale * 24.0, y - 6.2, panel.note, 6.0, MUTED))
        marks += placed(panel.drawn.marks, x, bottom, scale, least_pt=LEAST_PT)
    return marks
