"""Small graphs in rows and columns: every cycle of both sides on fixed scales."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gaitdyn.cycles.outliers import MANY
from gaitdyn.cycles.strips import CurveStrip
from gaitdyn.plots.frames import Frame
from gaitdyn.plots.grid_panel import panel_parts
from gaitdyn.plots.grid_style import PLAIN, Abscissa, GridStyle
from gaitdyn.plots.headline import (
    EDGE_MM,
    header_height,
    headline,
    key_marks,
    key_rows,
    side_stroke,
)
from gaitdyn.plots.marks import Part, Sheet, Stroke
from gaitdyn.plots.panel_curves import PanelStrip, panel_strips
from gaitdyn.plots.panels import Grid, fitting_panel
from gaitdyn.types.subject import SIDES

GUTTER, HEAD, GAP, FOOT = 17.0, 8.0, 4.0, 13.0
KEY_STEP = 4.2


def grid_sheet(
    grid: Grid,
    strips: Sequence[CurveStrip],
    abscissa: Abscissa,
    heading: tuple[str, Sequence[str]],
    why_empty: str,
    style: GridStyle = PLAIN,
) -> Sheet:
    """Draw a grid of panels.

    Parameters
    ----------
    grid : tuple of tuple of Panel
    strips : sequence of CurveStrip
    abscissa : Abscissa
    heading : (str, sequence of str)
        Title and the lines below it.
    why_empty : str
        Reason that follows "no data" in a panel without any known value.
    style : GridStyle
    """
    title, lines = heading
    columns = max(len(row) for row in grid)
    width = 2 * EDGE_MM + columns * (GUTTER + style.width) + (columns - 1) * GAP - 5.0
    names, known = {name for strip in strips for name in strip.names}, panel_strips(strips)
    grid = tuple(tuple(fitting_panel(panel, names) for panel in row) for row in grid)
    entries = _key_entries(strips, _most_complete(grid, known), abscissa, style)
    if abscissa.averaged and not style.spread and _has_incomplete(grid, known):
        entries.append(("pale: incomplete cycles, not averaged", None))
    keys = key_rows(entries, width - 2 * EDGE_MM)
    above = header_height(lines, width) + 10.0 + (len(keys) - 1) * KEY_STEP
    height = above + len(grid) * (HEAD + style.height) + FOOT + EDGE_MM - 4.0
    height += max(abscissa.names_mm, 0.0)
    above_all, taken = headline(title, lines, width, height)
    marks: list[Part] = list(above_all)
    for i, entries in enumerate(keys):
        marks += key_marks(entries, EDGE_MM, height - taken - 6.5 - i * KEY_STEP)
    for i, row in enumerate(grid):
        for j, panel in enumerate(row):
            left = EDGE_MM + GUTTER - 5.0 + j * (GUTTER + style.width + GAP)
            bottom = height - above - (i + 1) * (HEAD + style.height)
            frame = Frame(left, bottom, style.width, style.height, abscissa.limits, panel.limits)
            last = i == len(grid) - 1 or j >= len(grid[i + 1])  # nothing stands below
            marks += panel_parts(panel, frame, known, abscissa, why_empty, style, last=last)
    return Sheet(width, height, tuple(marks))


def _has_incomplete(grid: Grid, strips: Sequence[PanelStrip]) -> bool:
    """Return whether any curve of the grid is known over only a part of its cycle."""
    panels = [panel for row in grid for panel in row]
    return any(p.name in strip.some and not strip.complete(p) for strip in strips for p in panels)


def _most_complete(grid: Grid, strips: Sequence[PanelStrip]) -> int:
    """Return the largest number of complete cycles of one side in one panel."""
    panels = [panel for row in grid for panel in row]
    counts = Counter(
        (strip.strip.side, strip.strip.group, panel.name)
        for strip in strips
        for panel in panels
        if panel.name in strip.some and strip.complete(panel)
    )
    return max(counts.values(), default=0)


def _key_entries(
    strips: Sequence[CurveStrip], complete: int, abscissa: Abscissa, style: GridStyle
) -> list[tuple[str, Stroke | None]]:
    """Return the key of the lines that are drawn, with the largest number of complete cycles."""
    counts = Counter((strip.side, strip.group) for strip in strips)
    several, many = max(counts.values(), default=0) > 1, complete > MANY
    each = ", each cycle" if abscissa.averaged and not (style.spread or many) and several else ""
    entries: list[tuple[str, Stroke | None]] = []
    for group, label in enumerate(style.groups):
        for side in SIDES:
            if (side, group) in counts:
                words = f"{side} {label}".rstrip() + each
                entries.append((words, side_stroke(side, 1.0, group=group)))
    if abscissa.averaged and complete > 1:
        mean = "mean and one SD" if style.spread else "thick: mean"
        entries.append((f"{mean} of complete cycles", None))
    if abscissa.averaged and not style.spread and many:
        entries.append((f"area: 5 to 95 % of more than {MANY} complete cycles", None))
    if style.margins:
        entries.append(("tinted: 95 % band by the stated input errors, about the mean", None))
    if any(strip.foot_offs for strip in strips):
        entries.append(("vertical line: foot-off" + (", mean" if abscissa.averaged else ""), None))
    return entries
