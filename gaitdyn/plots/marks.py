"""Elements of a figure: lines, areas and words on a sheet, in mm from its lower left corner.

Drawing functions return marks and use no drawing library; :mod:`gaitdyn.plots.png`, ``pdf`` and
``svg`` turn a sheet into a file. One full-page sheet takes a third of the time of one set of axes
per panel.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Literal, TypeAlias
from unicodedata import combining, normalize

import numpy as np

from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

LEFT, RIGHT = "#C1272D", "#0057B8"
"""Contrast on white 5.8 and 6.9."""

INK, GREY, PALE, FAINT = "#1A1A1A", "#666666", "#B0B0B0", "#E4E4E4"
AMBER = "#8A4B00"
COLOUR = {"left": LEFT, "right": RIGHT}
TINT = {"left": "#F7DFE0", "right": "#DCE8F6", "rejected": "#E9E9E9"}
DASH: dict[str, tuple[float, ...]] = {"left": (), "right": (5.0, 2.6)}
"""Lengths in line widths; left is solid and right dashed, for red-blind readers."""

SECOND_COLOUR = {"left": "#C26419", "right": "#2C857B"}
SECOND_DASH: dict[str, tuple[float, ...]] = {"left": (1.2, 1.6), "right": (6.0, 2.0, 1.2, 2.0)}
"""Strokes of the second of two sessions: dotted and dash-dotted."""

MM_PER_PT = 25.4 / 72.0
Align: TypeAlias = Literal["left", "center", "right"]
_NO_BREAK = "\u00a0"
"""A space at which lines are not wrapped."""

_WORDS = re.compile(rf"(?:\S|{_NO_BREAK})+(?: %[,;.]?(?!\S))?")
"""Words; a number stays with its per cent sign."""
_WIDTHS = {
    character: width
    for width, characters_ in (
        (0.32, "'ijlIJ ,.\u00b7"),
        (0.41, "/:;\\|f-()[]t!\u00b2"),
        (0.54, 'r"*_`sz?\u2013\u00b0'),
        (0.60, "cLFkvxy\u2022"),
        (0.64, "PTYoaeEhnuSbdgpq$0123456789{}\u221a"),
        (0.70, "KAVXZBRC"),
        (0.79, "UNHDG&OQ"),
        (0.84, "w#+<=>^~\u00b1\u00d7\u2212\u2713\u2717"),
        (1.00, "Mm%W@"),
    )
    for character in characters_
}
_WIDEST = 1.1
"""Upper limit for the width of any other character, relative to the size of the type."""


@frozen()
class Stroke:
    """How a line is drawn; strokes of a higher level are drawn over lower ones."""

    colour: str
    width_pt: float
    dash: tuple[float, ...] = ()
    level: int = 2
    alpha: float = 1.0


@frozen(eq=False)
class Line:
    """A line through points, shape (k, 2), mm; ``name`` states what it shows."""

    points: Array
    stroke: Stroke
    name: str = ""


@frozen(eq=False)
class Area:
    """A filled outline, shape (k, 2), mm; ``alpha`` is its opacity, 0 (invisible) to 1."""

    points: Array
    colour: str
    name: str = ""
    alpha: float = 1.0


@frozen()
class TextLine:
    """A line of text, aligned at x on its base line y; turned text reads upwards."""

    x: float
    y: float
    text: str
    size_pt: float = 7.0
    colour: str = INK
    align: Align = "left"
    turned: bool = False
    name: str = ""
    bold: bool = False


Mark: TypeAlias = Line | Area | TextLine


@frozen(eq=False)
class Fixed:
    """Marks that many pages share; their written form is cached."""

    marks: tuple[Mark, ...]


Part: TypeAlias = Line | Area | TextLine | Fixed


def marks_of(parts: Iterable[Part]) -> list[Mark]:
    """Return all marks in order, including those of fixed parts."""
    marks: list[Mark] = []
    for part in parts:
        marks += part.marks if isinstance(part, Fixed) else (part,)
    return marks


@frozen()
class Sheet:
    """A page with everything on it."""

    width_mm: float
    height_mm: float
    parts: tuple[Part, ...]

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All marks."""
        return tuple(marks_of(self.parts))


def layers(sheet: Sheet) -> tuple[list[Line], list[Area], list[Line], list[TextLine]]:
    """Return the marks of a sheet in the order of drawing, from back to front.

    Returns
    -------
    tuple of 4 lists
        Lines with a level below zero, areas, other lines by level, words.
    """
    marks = sheet.marks
    lines = [mark for mark in marks if isinstance(mark, Line)]
    lines.sort(key=lambda line: line.stroke.level)
    behind = [line for line in lines if line.stroke.level < 0]
    areas = [mark for mark in marks if isinstance(mark, Area)]
    words = [mark for mark in marks if isinstance(mark, TextLine)]
    return behind, areas, lines[len(behind) :], words


def rectangle(left: float, bottom: float, right: float, top: float) -> Array:
    """Return the corners from the lower left one, counter-clockwise, shape (4, 2)."""
    return np.array([[left, bottom], [right, bottom], [right, top], [left, top]])


def disc(x: float, y: float, radius: float) -> Array:
    """Return the outline of a disc, shape (12, 2)."""
    turn = np.linspace(0.0, 2 * np.pi, 13)[:-1]
    return np.stack((x + radius * np.cos(turn), y + radius * np.sin(turn)), axis=1)


def segment(
    start: tuple[float, float], end: tuple[float, float], stroke: Stroke, name: str = ""
) -> Line:
    """Return a straight line between two points, mm."""
    return Line(np.array([start, end]), stroke, name)


@lru_cache(maxsize=4096)
def text_width(text: str, size_pt: float) -> float:
    """Return an upper limit for the width of a text, mm.

    A letter with an accent counts as its base letter, one of another alphabet as the widest.
    """
    letters = (c for c in normalize("NFD", text) if not combining(c))
    return sum(_WIDTHS.get(c, _WIDEST) for c in letters) * size_pt * MM_PER_PT


WidthOf: TypeAlias = Callable[[str, float], float]


def wrapped(
    text: str, width_mm: float, size_pt: float, width_of: WidthOf = text_width
) -> list[str]:
    r"""Wrap a text into lines of limited width; a word that is too long is broken.

    ``width_of`` returns the width of a text at a size of type, mm.

    Examples
    --------
    >>> wrapped("one two three", 12.0, 8.0)
    ['one two', 'three']
    >>> wrapped("swing at 80 %, one", 15.0, 8.0)
    ['swing at', '80 %, one']
    >>> wrapped("swing; limit\u00a08", 15.0, 8.0)
    ['swing;', 'limit 8']
    """
    lines: list[str] = []
    line = ""
    for match in _WORDS.findall(text):
        word = match.replace(_NO_BREAK, " ")
        longer = f"{line} {word}" if line else word
        if width_of(longer, size_pt) <= width_mm:
            line = longer
            continue
        lines += [line] if line else []
        line = word
        while len(line) > 1 and width_of(line, size_pt) > width_mm:
            fit = fitting_length(line, width_mm, size_pt, width_of)
            lines.append(line[:fit])
            line = line[fit:]
    return [*lines, line]


def few_lines(
    text: str, width_mm: float, size_pt: float, most: int, width_of: WidthOf
) -> list[str]:
    """Wrap a text into a few lines at most; the last one ends with ``...`` if text is left out."""
    lines = wrapped(text, width_mm, size_pt, width_of)
    rest = " ".join(lines[most - 1 :])
    return [*lines[: most - 1], shortened(rest, width_mm, size_pt, width_of)] if rest else lines


def shortened(text: str, width_mm: float, size_pt: float, width_of: WidthOf = text_width) -> str:
    """Return a text, cut and ended with ``...`` if it is too wide; empty if there is no room.

    Examples
    --------
    >>> shortened("walk", 20.0, 8.0), shortened("walk of the first visit", 20.0, 8.0)
    ('walk', 'walk of the...')
    """
    if width_of(text, size_pt) <= width_mm:
        return text
    room = width_mm - width_of("...", size_pt)
    if room <= 0.0:
        return ""
    return f"{text[: fitting_length(text, room, size_pt, width_of)].rstrip()}..."


def fitting_length(
    text: str, width_mm: float, size_pt: float, width_of: WidthOf = text_width
) -> int:
    """Return how many leading characters of a text fit into a width, at least one."""
    ends = range(2, len(text) + 1)
    return next((n - 1 for n in ends if width_of(text[:n], size_pt) > width_mm), len(text))
