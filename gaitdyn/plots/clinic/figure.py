"""A grid of panels as a figure for print: as wide as two journal columns, with the key below."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gaitdyn.plots.clinic.axes import WIDTH
from gaitdyn.plots.clinic.drawn import DrawnCurves
from gaitdyn.plots.clinic.grids import Grid
from gaitdyn.plots.clinic.key import key_sample
from gaitdyn.plots.clinic.palette import INK, MUTED
from gaitdyn.plots.clinic.placing import placed
from gaitdyn.plots.headline import header_height, headline
from gaitdyn.plots.marks import Mark, Sheet, TextLine, text_width

WIDE_MM = 180.0
"""Width of two journal columns; at the width of one, type shrinks to 3.5 pt."""

_GAP, _TITLE, _EDGE, _KEY, _KEY_LINE = 5.0, 5.0, 3.0, 6.0, 4.4
_TITLE_PT, _KEY_PT = 7.5, 6.5


def figure_sheet(
    grid: Grid, drawn: DrawnCurves, heading: tuple[str, Sequence[str]] | None = None
) -> Sheet:
    """Draw the panels of a grid, with bands and strips for curves that have a reference.

    Parameters
    ----------
    grid : Grid
    drawn : DrawnCurves
    heading : (str, sequence of str), optional
        Title, and lines below it, above the panels.
    """
    columns = max(len(row) for row in grid)
    cell_width = (WIDE_MM - 2 * _EDGE - _GAP * (columns - 1)) / columns
    scale = cell_width / WIDTH
    rows = [[drawn.panel(cell) for cell in row] for row in grid]
    heights = [max(scale * p.height for p in row if p is not None) + _TITLE for row in rows]
    header = 0.0 if heading is None else header_height(heading[1], WIDE_MM)
    key = key_below(drawn.within(grid), WIDE_MM - 2 * _EDGE)
    key_lines = len({mark.y for mark in key if isinstance(mark, TextLine)})
    height = sum(heights) + _KEY + _KEY_LINE * (key_lines - 1) + 2 * _EDGE + header
    marks: list[Mark] = [] if heading is None else headline(*heading, WIDE_MM, height)[0]
    top = height - _EDGE - header
    for row, panels, row_height in zip(grid, rows, heights, strict=True):
        for j, (cell, panel) in enumerate(zip(row, panels, strict=True)):
            x = _EDGE + j * (cell_width + _GAP)
            if panel is not None and cell.panel is not None:
                title = TextLine(
                    x + scale * 24.0, top - 3.4, cell.title, _TITLE_PT, INK, bold=True, name="panel"
                )
                unit_x = title.x + text_width(cell.title, _TITLE_PT)  # wide enough for bold, too
                marks += [title, TextLine(unit_x, title.y, cell.panel.unit, _KEY_PT, MUTED)]
                marks += placed(panel.marks, x, top - _TITLE - scale * panel.height, scale)
        top -= row_height
    return Sheet(WIDE_MM, height, (*marks, *key))


def key_below(drawn: DrawnCurves, width: float = math.inf) -> list[Mark]:
    """Draw the key at the foot, in as many lines of this width, mm, as it needs."""
    across = "time, s" if drawn.course else "% of the cycle"
    lines: list[list[Mark]] = [[]]
    x = _EDGE
    for kind, words in (*((e.kind, e.short) for e in drawn.key), ("", f"across: {across}")):
        sample = 8.5 if kind else 0.0
        wide = sample + text_width(words, _KEY_PT)
        if x + wide > _EDGE + width:
            lines.append([])
            x = _EDGE
        drawn_sample = key_sample(kind, x, 0.0, 7.0, drawn.sides) if kind else []
        lines[-1] += [
            *drawn_sample, TextLine(x + sample, -0.9, words, _KEY_PT, MUTED, name="key")
        ]  # fmt: skip
        x += wide + 1.5
    foot = _EDGE + 1.5
    return [
        mark
        for i, line in enumerate(reversed(lines))
        for mark in placed(line, 0.0, foot + _KEY_LINE * i, 1.0)
    ]
