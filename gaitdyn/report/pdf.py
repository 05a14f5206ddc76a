"""The PDF for the patient's file: A4, the same panels, tables and numbers as the page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.plots.flow import (
    LANDSCAPE,
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
from gaitdyn.plots.headline import header_height
from gaitdyn.plots.marks import INK, Words
from gaitdyn.plots.panels import KINEMATICS, KINETICS
from gaitdyn.plots.strips import cycle_strips
from gaitdyn.report.contents import SYMBOLS, WORDS, kinetic_cycles
from gaitdyn.report.trust_pdf import quality_sheets, trust_sheets, trust_tables
from gaitdyn.types.subject import SIDES
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from gaitdyn.plots.marks import Sheet
    from gaitdyn.plots.panels import Grid
    from gaitdyn.report.contents import Headline, Table
    from gaitdyn.report.report import Report
    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.cycles import CycleCurves

_WIDTH = PORTRAIT[0] - 2 * MARGIN_MM
_LIGHTS = {"pass": "#D9EFE1", "check": "#FBE3C8", "fail": "#F6D3D5"}
_WIDTHS = {3: 72.0, 4: 51.0}
"""Columns of a grid -> width of its panels on A4 across, mm."""

_AROUND_MM = 75.0
"""Of a page across: margins, heads of the rows of panels, key and horizontal scale."""

_TALLEST = 195.0
"""Of a grid above the foot of its page, mm; with more lines above it its panels are lower."""


def pdf_sheets(report: Report) -> list[Sheet]:
    """Return the pages: summary, curves, trust, parameters and bursts, quality, methods."""
    pages = flow_pages(_summary(report))
    several = any(sum(len(t.cycles) for t in group.trials) > 2 for group in report.groups)  # noqa: PLR2004
    for grid, name in ((KINEMATICS, "Kinematics"), (KINETICS, "Kinetics")):
        if grid is KINEMATICS or report.has_loads:
            views = (False, True) if several else (False,)
            pages += [on_page(_grid(report, grid, name, spread=spread)) for spread in views]
    pages += [on_page(sheet) for sheet in trust_sheets(report)]
    for title, tables in (
        ("Gait parameters", report.changes or report.parameters),
        ("Power bursts, work and peaks", report.peak_changes or report.bursts),
        ("Trust in the loads", trust_tables(report)),
        ("Quality", (*report.quality, *report.notes)),
        ("Methods and provenance", report.methods),
    ):
        if title.startswith("Trust") and not tables:
            continue
        if title == "Quality":
            pages += [on_page(sheet) for sheet in quality_sheets(report)]
        blocks = [heading(title)]
        for found in tables:
            blocks += _table(found)
        if title == "Gait parameters" and tables:
            blocks += table("Definitions", ("", ""), report.definitions, (), _WIDTH)
        if title.startswith("Power") and not report.has_loads:
            blocks.insert(1, paragraph(f"No kinetics: {report.no_loads}.", _WIDTH))
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
    blocks += table("Walk", ("", ""), head.facts, (), _WIDTH)
    for label, facts in head.subject:
        blocks += table(f"Subject{', ' + label if label else ''}", ("", ""), facts, (), _WIDTH)
    for found in report.main_tables:
        blocks += _table(found)
    return blocks


def _light(head: Headline) -> Block:
    """Return the verdict in its box."""
    words = f"{SYMBOLS[head.verdict]} {head.verdict.upper()}: {WORDS[head.verdict]}"
    return Block(
        14.0, (box(_LIGHTS[head.verdict], _WIDTH, 11.0), Words(4.0, -7.2, words, 12.0, INK))
    )


def _shown(trial: StoredTrial, grid: Grid) -> list[CycleCurves]:
    """Return the cycles of a trial for a grid, of kinetics only whole steps if there are any."""
    if grid is KINEMATICS:
        return list(trial.cycles)
    whole = {side: kinetic_cycles(trial, side) for side in SIDES}
    return [c for c in trial.cycles if c.cycle.number in whole[c.cycle.side]] or list(trial.cycles)


def _grid(report: Report, grid: Grid, name: str, *, spread: bool) -> Sheet:
    strips = [
        strip
        for g, group in enumerate(report.groups)
        for trial in group.trials
        for strip in cycle_strips(_shown(trial, grid), g)
    ]
    bands = {} if report.norm is None else report.bands
    labels = tuple(group.label for group in report.groups)
    words = "mean of the complete cycles" if spread else "every cycle"
    lines = [f"{key}: {text}" for key, text in report.headline.facts if key.startswith("Cycles")]
    lines += [report.norm_words] if report.norm_words else []
    width = _WIDTHS[max(len(row) for row in grid)]
    above = header_height(lines, LANDSCAPE[0] - 2 * MARGIN_MM)
    height = (LANDSCAPE[1] - _AROUND_MM - above) / len(grid)

    def drawn(height: float) -> Sheet:
        style = GridStyle(width, height, bands, spread=spread, groups=labels)
        head = (f"{name}, {words}", lines)
        return grid_sheet(grid, strips, PERCENT, head, "no cycle has this curve", style)

    sheet = drawn(height)
    over = max(sheet.height_mm - _TALLEST, 0.0)
    return drawn(height - over / len(grid)) if over else sheet
