"""The layout of the clinician's landscape A4 sheets, and text and drawings on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from gaitdyn.plots.clinic.palette import INK, LINE, MUTED
from gaitdyn.plots.clinic.placing import LEAST_PT, placed
from gaitdyn.plots.flow import LANDSCAPE
from gaitdyn.plots.marks import (
    Area,
    Line,
    Mark,
    Sheet,
    Stroke,
    TextLine,
    rectangle,
    segment,
    wrapped,
)
from gaitdyn.plots.typeface import bold_width, regular_width

WIDE, HIGH = LANDSCAPE
LEFT, RIGHT, TOP, BOTTOM = 10.0, WIDE - 10.0, HIGH - 9.0, 8.0
BODY_TOP, BELOW_HEADING = TOP - 9.0, 2.0
_LINE = 0.46
"""Distance between lines, mm per point of type size."""


def sheet_of(
    marks: Iterable[Mark], title: str, facts: str, number: int, count: int, foot: str = ""
) -> Sheet:
    """Return a sheet with its identity line and its foot."""
    head: list[Mark] = [TextLine(LEFT, TOP - 3.5, title, 11.0, INK, bold=True, name="heading")]
    tail = f"{number} of {count}"
    x = LEFT + bold_width(title, 11.0) + 6.0
    room = RIGHT - x - regular_width(tail, 8.4) - 4.0
    if room > 20.0:  # noqa: PLR2004  mm, for more than a word
        line = wrapped(facts, room, 8.4, regular_width)[0]
        head.append(TextLine(x, TOP - 3.5, line, 8.4, INK, name="facts"))
    head.append(TextLine(RIGHT, TOP - 3.5, tail, 8.4, INK, "right", name="number"))
    head.append(rule(LEFT, RIGHT, TOP - 5.5, INK, 1.2))
    if foot:
        line = wrapped(foot, RIGHT - LEFT - 30.0, 7.0, regular_width)[0]
        head.append(TextLine(LEFT, BOTTOM, line, 7.0, MUTED, name="foot"))
    from gaitdyn.version import __version__

    head.append(TextLine(RIGHT, BOTTOM, f"gaitdyn {__version__}", 7.0, MUTED, "right", name="foot"))
    return Sheet(WIDE, HIGH, (*head, *marks))


def rule(left: float, right: float, y: float, colour: str = LINE, width: float = 0.5) -> Line:
    """Return a horizontal line."""
    return segment((left, y), (right, y), Stroke(colour, width, level=1), "rule")


def box(left: float, bottom: float, right: float, top: float, colour: str) -> Area:
    """Return a filled rectangle."""
    return Area(rectangle(left, bottom, right, top), colour, "box")


def frame(left: float, bottom: float, right: float, top: float, colour: str) -> Line:
    """Return an empty rectangle."""
    corners = rectangle(left, bottom, right, top)
    return Line(np.concatenate((corners, corners[:1])), Stroke(colour, 0.6, level=1), "frame")


def paragraph(
    text: str,
    left: float,
    top: float,
    width: float,
    size_pt: float,
    colour: str = INK,
    *,
    bold: bool = False,
    most: int = 12,
) -> tuple[list[Mark], float]:
    """Return the lines of a text and their lower edge, mm."""
    step = _LINE * size_pt
    marks: list[Mark] = []
    lines = wrapped(text, width, size_pt, bold_width if bold else regular_width)
    for i, line in enumerate(lines[:most]):
        y = top - step * (i + 0.78)
        marks.append(TextLine(left, y, line, size_pt, colour, bold=bold))
    return marks, top - step * min(len(lines), most)


def drawing(
    marks: Iterable[Mark],
    width: float,
    height: float,
    left: float,
    top: float,
    wide: float,
    least_pt: float = LEAST_PT,
) -> tuple[list[Mark], float]:
    """Return a drawing scaled to a width on the sheet, and its lower edge, mm.

    Parameters
    ----------
    marks : iterable of Mark
        In the drawing's units.
    width, height : float
        Of the drawing, units.
    left, top, wide : float
        Its position and its width on the sheet, mm.
    least_pt : float
        Smallest size of its text.
    """
    scale = wide / width
    bottom = top - scale * height
    return placed(marks, left, bottom, scale, least_pt=least_pt), bottom


@dataclass(slots=True)
class SheetColumn:
    """A column on a sheet, filled from ``y`` downwards, mm, with its marks so far."""

    left: float
    y: float
    wide: float
    marks: list[Mark] = field(default_factory=list["Mark"])

    def text(
        self, text: str, size_pt: float, colour: str = INK, *,
        above: float = 0.0, bold: bool = False, most: int = 12,
    ) -> None:  # fmt: skip
        """Add a paragraph, ``above`` mm below the last item."""
        top = self.y - above
        marks, self.y = paragraph(
            text, self.left, top, self.wide, size_pt, colour, bold=bold, most=most
        )
        self.marks += marks

    def draw(
        self, marks: Iterable[Mark], size: tuple[float, float], *,
        above: float, wide: float | None = None, least_pt: float = LEAST_PT,
    ) -> None:  # fmt: skip
        """Add a drawing with a size in its own units, as wide as the column unless given."""
        top, across = self.y - above, self.wide if wide is None else wide
        scaled, self.y = drawing(marks, *size, self.left, top, across, least_pt)
        self.marks += scaled

    def rows(
        self, rows: Sequence[Sequence[str]], columns: Sequence[float], size_pt: float = 7.2, *,
        above: float, head: bool = True, colours: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """Add rows of cells; all but the first column are right-aligned to their edges."""
        step = 0.62 * size_pt
        top, left = self.y - above, self.left
        for i, row in enumerate(rows):
            y = top - step * (i + 0.8)
            for j, cell in enumerate(row):
                colour = colours[j] if j < len(colours) else INK
                bold = (head and i == 0) or j == 0
                if j == 0:
                    text = wrapped(cell, columns[0], size_pt, bold_width)[0]
                    self.marks.append(TextLine(left, y, text, size_pt, colour, bold=bold))
                else:
                    x = left + columns[j]
                    self.marks.append(TextLine(x, y, cell, size_pt, colour, "right", bold=bold))
            self.marks.append(rule(left, left + columns[-1], y - 0.25 * step))
        self.y = top - step * len(rows) - 1.0
