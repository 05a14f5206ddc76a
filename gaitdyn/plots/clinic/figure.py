"""A grid of panels as a figure for print: as wide as two columns of a journal, key below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.plots.clinic.key import key_sample
from gaitdyn.plots.clinic.palette import INK, MUTED
from gaitdyn.plots.clinic.panel import WIDTH
from gaitdyn.plots.clinic.placing import placed
from gaitdyn.plots.headline import header_height, headline
from gaitdyn.plots.marks import Sheet, TextLine, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.clinic.drawn import DrawnCurves
    from gaitdyn.plots.clinic.grids import Grid
    from gaitdyn.plots.marks import Mark

WIDE_MM = 180.0
"""Two columns of a journal; a column alone has half of it, and type of 3.5 pt."""

_GAP, _TITLE, _EDGE, _KEY = 5.0, 5.0, 3.0, 6.0
_TITLE_PT, _KEY_PT = 7.5, 6.5


def figure_sheet(
    grid: Grid, drawn: DrawnCurves, heading: tuple[str, Sequence[str]] | None = None
) -> Sheet:
    """Return the panels of a grid, with bands and strips where a reference has the curve.

    Parameters
    ----------
    grid : Grid
    drawn : DrawnCurves
    heading : (str, sequence of str), optional
        Title and lines above the panels.
    """
    columns = max(len(row) for row in grid)
    cell = (WIDE_MM - 2 * _EDGE - _GAP * (columns - 1)) / columns
    scale = cell / WIDTH
    rows = [[drawn.panel(cell) for cell in row] for row in grid]
    heights = [max(scale * p.height for p in row if p is not None) + _TITLE for row in rows]
    told = 0.0 if heading is None else header_height(heading[1], WIDE_MM)
    height = sum(heights) + _KEY + 2 * _EDGE + told
    marks: list[Mark] = [] if heading is None else headline(*heading, WIDE_MM, height)[0]
    top = height - _EDGE - told
    for row, panels, high in zip(grid, rows, heights, strict=True):
        for j, (one, panel) in enumerate(zip(row, panels, strict=True)):
            x = _EDGE + j * (cell + _GAP)
            if panel is not None and one.panel is not None:
                at, y = x + scale * 24.0, top - 3.4
                marks.append(TextLine(at, y, one.title, _TITLE_PT, INK, bold=True, name="panel"))
                after = at + text_width(one.title, _TITLE_PT)  # which is wide enough for bold, too
                marks.append(TextLine(after, y, one.panel.unit, _KEY_PT, MUTED))
                marks += placed(panel.marks, x, top - _TITLE - scale * panel.height, scale)
        top -= high
    return Sheet(WIDE_MM, height, (*marks, *key_line(drawn)))


def key_line(drawn: DrawnCurves) -> list[Mark]:
    """Return the key in one line at the foot."""
    y, x = _EDGE + 1.5, _EDGE
    marks: list[Mark] = []
    for one in drawn.key:
        if one.kind == "strip":
            continue
        marks += key_sample(one.kind, x, y, 7.0, drawn.sides)
        marks.append(TextLine(x + 8.5, y - 0.9, one.short, _KEY_PT, MUTED))
        x += 8.5 + text_width(one.short, _KEY_PT) + 1.5
    across = "time, s" if drawn.course else "% of the cycle"
    return [*marks, TextLine(x, y - 0.9, f"across: {across}", _KEY_PT, MUTED)]
