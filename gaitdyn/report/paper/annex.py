"""The annex for the engineer: portrait A4, the tables and drawings of the page's second part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from gaitdyn.plots.flow import (
    MARGIN_MM,
    PORTRAIT,
    Block,
    box,
    flow_pages,
    heading,
    is_narrow,
    numbered,
    on_page,
    paragraph,
    side_by_side,
    table,
)
from gaitdyn.plots.marks import INK, Sheet, TextLine
from gaitdyn.report.contents import Headline, TextTable
from gaitdyn.report.extra_sheets import extra_sheets, extra_tables, quality_sheets
from gaitdyn.report.first_screen.notices import SYMBOLS
from gaitdyn.report.grid_sheets import load_sheets
from gaitdyn.report.many_strides import many_sheets, trend_tables
from gaitdyn.report.paper.clinic import other_sheets
from gaitdyn.report.report import Report
from gaitdyn.report.tables.verdicts import verdict_tables
from gaitdyn.version import __version__

_WIDTH = PORTRAIT[0] - 2 * MARGIN_MM
_GUTTER = 8.0
_HALF = (_WIDTH - _GUTTER) / 2
_SHORT = 14
"""Most rows of a table that may share its width with another."""
_LIGHTS = {"pass": "#D9EFE1", "check": "#FBE3C8", "fail": "#F6D3D5"}


def annex_sheets(report: Report) -> list[Sheet]:
    """Return the pages: facts, loads, bands and cut-offs, parameters and bursts, quality, methods.

    The clinician's landscape sheets of the groups that the PDF leaves out follow.
    """
    pages = flow_pages(_summary(report))
    pages += [on_page(sheet) for _, sheet in load_sheets(report)]
    pages += [on_page(sheet) for sheet in extra_sheets(report)]
    for chapter in _chapters(report):
        pages += [on_page(sheet) for sheet in chapter.sheets]
        blocks = [heading(chapter.title), *chapter.before, *_tables(chapter.tables)]
        pages += flow_pages([*blocks, *chapter.after])
    pages = numbered(pages, f"Gait report, annex: {report.title}; gaitdyn {__version__}")
    return [*pages, *other_sheets(report)]


class _Chapter(NamedTuple):
    """Sheets, then a heading, blocks, tables and more blocks."""

    title: str
    tables: Sequence[TextTable]
    sheets: Sequence[Sheet] = ()
    before: Sequence[Block] = ()
    after: Sequence[Block] = ()


def _chapters(report: Report) -> list[_Chapter]:
    """Return the chapters that have something to say."""
    words = table("Definitions", ("", ""), report.definitions, (), _WIDTH)
    why = () if report.has_loads else (paragraph(f"No kinetics: {report.no_loads}.", _WIDTH),)
    many = [sheet for _, sheet in many_sheets(report)]
    chapters = [
        _Chapter("Verdicts on the curves", verdict_tables(report)),
        _Chapter("Gait parameters", report.changes or report.parameters, after=words),
        _Chapter("Power bursts, work and peaks", report.peak_changes or report.bursts, before=why),
        _Chapter("Many strides", trend_tables(report), many),
        _Chapter("Trust in the loads", extra_tables(report)),
        _Chapter("Quality", (*report.quality, *report.notes), quality_sheets(report)),
        _Chapter("Methods and provenance", report.methods),
    ]
    return [chapter for chapter in chapters if chapter.tables or chapter.before]


def _tables(tables: Sequence[TextTable]) -> list[Block]:
    """Return tables below each other; two narrow ones share a row."""
    blocks: list[Block] = []
    rest = _without_repeated_notes(tables)
    while rest:
        pair = rest[:2]
        if len(pair) == 2 and all(_is_short(short) for short in pair):  # noqa: PLR2004
            left, right = (_table(short, _HALF) for short in pair)
            blocks.append(side_by_side(left, right, _HALF + _GUTTER))
            rest = rest[2:]
        else:
            blocks += _table(rest.pop(0), _WIDTH)
    return blocks


def _without_repeated_notes(tables: Sequence[TextTable]) -> list[TextTable]:
    """Return consecutive tables, with a note that several share only below the last of them."""
    later: set[str] = set()
    filtered = []
    for text_table in reversed(tables):
        notes = tuple(note for note in text_table.notes if note not in later)
        filtered.append(replace(text_table, notes=notes))
        later.update(text_table.notes)
    return filtered[::-1]


def _is_short(text_table: TextTable) -> bool:
    rows = text_table.rows
    return len(rows) <= _SHORT and is_narrow(text_table.columns, rows, _HALF)


def _table(content: TextTable, width: float) -> list[Block]:
    return table(content.title, content.columns, content.rows, content.notes, width)


def _summary(report: Report) -> list[Block]:
    head = report.headline
    blocks = [
        replace(heading("Gait report, annex"), keep=True),
        paragraph(report.title, _WIDTH, 9.0),
        Block(2.0, ()),
        _light(head),
        *(paragraph(f"\u2022 {reason}", _WIDTH) for reason in head.reasons),
    ]
    blocks.append(Block(3.0, ()))
    facts = [TextTable("Walk", ("", ""), head.facts)]
    for label, rows in head.subject:
        facts.append(TextTable(f"Subject{', ' + label if label else ''}", ("", ""), rows))
    return [*blocks, *_tables(facts), *_tables(report.scores)]


def _light(head: Headline) -> Block:
    """Return the verdict in its coloured box."""
    words = f"{SYMBOLS[head.verdict]} {head.verdict.upper()}: {head.words}"
    return Block(
        14.0, (box(_LIGHTS[head.verdict], _WIDTH, 11.0), TextLine(4.0, -7.2, words, 12.0, INK))
    )
