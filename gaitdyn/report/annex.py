"""The annex for the engineer: A4, the tables and drawings of the page's second part."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.plots.flow import (
    MARGIN_MM,
    PORTRAIT,
    Block,
    beside,
    box,
    flow_pages,
    heading,
    is_narrow,
    numbered,
    on_page,
    paragraph,
    table,
)
from gaitdyn.plots.marks import INK, TextLine
from gaitdyn.report.clinic_pdf import other_sheets
from gaitdyn.report.contents import WORDS, TextTable
from gaitdyn.report.extra_sheets import extra_sheets, extra_tables, quality_sheets
from gaitdyn.report.grid_sheets import load_sheets
from gaitdyn.report.many_strides import many_sheets, trend_tables
from gaitdyn.report.notices import SYMBOLS
from gaitdyn.report.verdict_tables import verdict_tables
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.marks import Sheet
    from gaitdyn.report.contents import Headline
    from gaitdyn.report.report import Report

_WIDTH = PORTRAIT[0] - 2 * MARGIN_MM
_GUTTER = 8.0
_HALF = (_WIDTH - _GUTTER) / 2
_SHORT = 14
"""Rows of a table that may stand beside another."""
_LIGHTS = {"pass": "#D9EFE1", "check": "#FBE3C8", "fail": "#F6D3D5"}


def annex_sheets(report: Report) -> list[Sheet]:
    """Return the pages: facts, loads, bands and cut-offs, parameters and bursts, quality, methods.

    After them stand, across, the clinician's sheets of the groups that the PDF leaves out.
    """
    pages = flow_pages(_summary(report))
    pages += [on_page(sheet) for _, sheet in load_sheets(report)]
    pages += [on_page(sheet) for sheet in extra_sheets(report)]
    for title, tables in (
        ("Verdicts on the curves", verdict_tables(report)),
        ("Gait parameters", report.changes or report.parameters),
        ("Power bursts, work and peaks", report.peak_changes or report.bursts),
        ("Many strides", trend_tables(report)),
        ("Trust in the loads", extra_tables(report)),
        ("Quality", (*report.quality, *report.notes)),
        ("Methods and provenance", report.methods),
    ):
        if title.startswith(("Trust", "Verdicts", "Many")) and not tables:
            continue
        if title.startswith("Many"):
            pages += [on_page(sheet) for _, sheet in many_sheets(report)]
        if title == "Quality":
            pages += [on_page(sheet) for sheet in quality_sheets(report)]
        blocks = [heading(title)]
        blocks += _tables(tables)
        if title == "Gait parameters" and tables:
            blocks += table("Definitions", ("", ""), report.definitions, (), _WIDTH)
        if title.startswith("Power") and not report.has_loads:
            blocks.insert(1, paragraph(f"No kinetics: {report.no_loads}.", _WIDTH))
        pages += flow_pages(blocks)
    told = numbered(pages, f"Gait report, annex: {report.title}; gaitdyn {__version__}")
    return [*told, *other_sheets(report)]


def _tables(tables: Sequence[TextTable]) -> list[Block]:
    """Return tables below each other; a narrow one stands beside the one before it."""
    blocks: list[Block] = []
    rest = _said_once(tables)
    while rest:
        pair = rest[:2]
        if len(pair) == 2 and all(_is_short(found) for found in pair):  # noqa: PLR2004
            left, right = (_table(found, _HALF) for found in pair)
            blocks.append(beside(left, right, _HALF + _GUTTER))
            rest = rest[2:]
        else:
            blocks += _table(rest.pop(0), _WIDTH)
    return blocks


def _said_once(tables: Sequence[TextTable]) -> list[TextTable]:
    """Return tables that stand below each other, a note of several below the last of them."""
    said: set[str] = set()
    found = []
    for one in reversed(tables):
        found.append(replace(one, notes=tuple(n for n in one.notes if n not in said)))
        said.update(one.notes)
    return found[::-1]


def _is_short(found: TextTable) -> bool:
    return len(found.rows) <= _SHORT and is_narrow(found.columns, found.rows, _HALF)


def _table(found: TextTable, width: float) -> list[Block]:
    return table(found.title, found.columns, found.rows, found.notes, width)


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
    """Return the verdict in its box."""
    words = f"{SYMBOLS[head.verdict]} {head.verdict.upper()}: {WORDS[head.verdict]}"
    return Block(
        14.0, (box(_LIGHTS[head.verdict], _WIDTH, 11.0), TextLine(4.0, -7.2, words, 12.0, INK))
    )
