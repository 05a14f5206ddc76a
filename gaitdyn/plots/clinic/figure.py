"""A grid of panels as a figure for print: as wide as two columns of a journal, key below."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.clinic.palette import (
    FAR,
    HAIR,
    INK,
    MUTED,
    NEAR,
    OFF,
    PARTIAL_ALPHA,
    SIDE,
    WITHIN,
)
from gaitdyn.plots.clinic.panel import MOST_ALPHA, WIDTH
from gaitdyn.plots.clinic.placing import placed
from gaitdyn.plots.headline import header_height, headline
from gaitdyn.plots.marks import Area, Line, Sheet, Stroke, Words, rectangle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.clinic.drawn import Drawn
    from gaitdyn.plots.clinic.grids import Grid
    from gaitdyn.plots.marks import Mark

WIDE_MM = 180.0
"""Two columns of a journal; a column alone has half of it, and type of 3.5 pt."""

_GAP, _TITLE, _EDGE, _KEY = 5.0, 5.0, 3.0, 6.0
_SHORT = 14
"""Letters."""

NORM_KEY = (("norm \u00b11 SD", NEAR), ("\u00b12 SD", FAR), ("95 % stay inside", WITHIN))
"""The areas of a reference: the outermost holds 95 % of healthy curves everywhere."""

MANY_KEY = "5 to 95 % of strides"
"""The area in the place of many strides."""


def figure_sheet(
    grid: Grid, drawn: Drawn, heading: tuple[str, Sequence[str]] | None = None
) -> Sheet:
    """Return the panels of a grid, with bands and strips where a reference has the curve.

    Parameters
    ----------
    grid : Grid
    drawn : Drawn
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
            if panel is not None:
                at = x + scale * 24.0
                marks.append(Words(at, top - 3.4, one.title, 7.5, INK, bold=True, name="panel"))
                marks += placed(panel.marks, x, top - _TITLE - scale * panel.height, scale)
        top -= high
    return Sheet(WIDE_MM, height, (*marks, *key_line(drawn)))


def key_line(drawn: Drawn) -> list[Mark]:
    """Return the key in one line at the foot."""
    y, x = _EDGE + 1.5, _EDGE
    marks: list[Mark] = []
    strokes = [
        ("left", Stroke(SIDE["left"], 1.5)),
        ("right", Stroke(SIDE["right"], 1.5, (5.2, 0.8))),
    ]
    strokes += (
        [("incomplete, in no mean", Stroke(SIDE["left"], 0.7, alpha=PARTIAL_ALPHA))]
        if drawn.partial
        else []
    )
    for name, stroke in strokes:
        marks.append(Line(np.array([[x, y], [x + 7.0, y]]), stroke, "key"))
        marks.append(Words(x + 8.5, y - 0.9, name, 6.5, MUTED))
        x += 18.0 if len(name) < 10 else 37.0  # noqa: PLR2004  letters
    for name, colour in NORM_KEY if drawn.banded else ():
        marks += swatch(x, y, 7.0, colour)
        marks.append(Words(x + 8.5, y - 0.9, name, 6.5, MUTED))
        x += 24.0 if len(name) < _SHORT else 38.0
    if drawn.many:
        marks += swatch(x, y, 7.0, SIDE["left"], MOST_ALPHA)
        marks.append(Words(x + 8.5, y - 0.9, MANY_KEY, 6.5, MUTED))
        x += 34.0
    for k, side in enumerate(("left", "right")):
        points = np.array([[x + 2.0 + 3.0 * k, y - 1.2], [x + 2.0 + 3.0 * k, y + 1.2]])
        marks.append(Line(points, Stroke(SIDE[side], OFF / 1.5), "key"))
    across = "time, s" if drawn.course else "% of the cycle"
    marks.append(Words(x + 8.5, y - 0.9, f"foot off; across: {across}", 6.5, MUTED))
    return marks


def swatch(left: float, y: float, wide: float, colour: str, alpha: float = 1.0) -> list[Mark]:
    """Return a piece of an area for a key; the palest of a reference has a frame."""
    box = rectangle(left, y - 1.1, left + wide, y + 1.1)
    marks: list[Mark] = [Area(box, colour, "key", alpha)]
    if colour == WITHIN:
        marks.append(Line(np.concatenate((box, box[:1])), Stroke(HAIR, 0.5), "key"))
    return marks
