"""The PDF for the patient's file: A4, the same panels, tables and numbers as the page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.plots.flow import (
    MARGIN_MM,
    PORTRAIT,
    Block,
    box,
    flow_pages,
    heading,
    numbered,
    on_page,
    paragraph,
    table,
)
from gaitdyn.plots.grid import PERCENT, GridStyle, grid_sheet
from gaitdyn.plots.marks import INK, Words
from gaitdyn.plots.panels import KINEMATICS, KINETICS
from gaitdyn.plots.strips import cycle_strips
from gaitdyn.report.contents import SYMBOLS, WORDS
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from gaitdyn.plots.marks import Sheet
    from gaitdyn.plots.panels import Grid
    from gaitdyn.report.contents import Headline, Table
    from gaitdyn.report.report import Report

_WIDTH = PORTRAIT[0] - 2 * MARGIN_MM
_LIGHTS = {"pass": "#D9EFE1", "check": "#FBE3C8", "fail": "#F6D3D5"}
_SIZES = {3: (72.0, 28.5), 4: (51.0, 28.5)}
"""Columns of a grid -> width and height of its panels on A4 across, mm."""

_TALLEST = 195.0
"""Of a grid above the foot of its page, mm; with more lines above it its panels are lower."""


def pdf_sheets(report: Report) -> list[Sheet]:
    """Return the pages: summary, kinematics, kinetics, parameters and bursts, quality, methods."""
    pages = flow_pages(_summary(report))
    for grid, name in ((KINEMATICS, "Kinematics"), (KINETICS, "Kinetics")):
        pages += [on_page(_grid(report, grid, name, spread=spread)) for spread in (False, True)]
    for title, tables in (
        ("Gait parameters", (*report.parameters, *report.comparison)),
        ("Power bursts, work and peaks", report.bursts),
        ("Quality", report.quality),
        ("Methods and provenance", report.methods),
    ):
        blocks = [heading(title)]
        for found in tables:
            blocks += _table(found)
        pages += flow_pages(blocks)
    return numbered(pages, f"Gait report: {report.title}; gaitdyn {__version__}")


def _table(found: Table) -> list[Block]:
    return table(found.title, found.columns, found.rows, found.notes, _WIDTH)


def _summary(report: Report) -> list[Block]:
    head = report.headline
    blocks = [
        replace(heading("Gait report"), keep=True),
        paragraph(report.title, _WIDTH, 9.0),
        Block(2.0, ()),
        _light(head),
        *(paragraph(f"\u2022 {reason}", _WIDTH) for reason in head.reasons),
    ]
    if head.more:
        blocks.append(paragraph(f"\u2022 {head.more} more under Quality", _WIDTH))
    blocks.append(Block(3.0, ()))
    rows = [*head.facts, *head.subject]
    blocks += table("Walk and subject", ("", ""), rows, (), _WIDTH)
    for found in report.main_tables:
        blocks += _table(found)
    return blocks


def _light(head: Headline) -> Block:
    """Return the verdict in its box."""
    words = f"{SYMBOLS[head.verdict]} {head.verdict.upper()}: {WORDS[head.verdict]}"
    return Block(
        14.0, (box(_LIGHTS[head.verdict], _WIDTH, 11.0), Words(4.0, -7.2, words, 12.0, INK))
    )


def _grid(report: Report, grid: Grid, name: str, *, spread: bool) -> Sheet:
    strips = [
        strip
        for g, group in enumerate(report.groups)
        for trial in group.trials
        for strip in cycle_strips(trial.cycles, g)
    ]
    width, height = _SIZES[max(len(row) for row in grid)]
    bands = {} if report.norm is None else report.bands
    labels = tuple(group.label for group in report.groups)
    words = "mean of the complete cycles" if spread else "every cycle"
    lines = [f"{key}: {text}" for key, text in report.headline.facts if key.startswith("Cycles")]
    lines += [report.norm_words] if report.norm_words else []

    def drawn(height: float) -> Sheet:
        style = GridStyle(width, height, bands, spread=spread, groups=labels)
        head = (f"{name}, {words}", lines)
        return grid_sheet(grid, strips, PERCENT, head, "no cycle has this curve", style)

    sheet = drawn(height)
    over = max(sheet.height_mm - _TALLEST, 0.0)
    return drawn(height - over / len(grid)) if over else sheet
