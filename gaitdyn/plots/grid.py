"""Small graphs in rows and columns: every cycle of both sides on fixed scales."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.cycles import mean_curve
from gaitdyn.plots.frames import (
    Frame,
    below_words,
    empty_marks,
    end_words,
    known_lines,
    scale_marks,
    ticks,
    title_marks,
    widened,
    with_limits,
)
from gaitdyn.plots.headline import EDGE_MM, header_height, headline, key, side_stroke
from gaitdyn.plots.marks import AMBER, Line, Sheet, Stroke, Words, characters
from gaitdyn.plots.panels import fitting_panel
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.marks import Mark
    from gaitdyn.plots.panels import Grid, Panel
    from gaitdyn.plots.strips import Strip

_WIDTH, _HEIGHT = 56.0, 42.0
_GUTTER, _HEAD, _GAP, _FOOT = 17.0, 8.0, 4.0, 13.0
_THIN_PT, _MEAN_PT, _OFF_PT = 0.7, 1.7, 0.8


@dataclass(frozen=True, slots=True)
class Abscissa:
    """What the graphs of a grid have in common: their horizontal scale."""

    label: str
    limits: tuple[float, float]
    ticks: tuple[float, ...]
    averaged: bool


PERCENT = Abscissa("% gait cycle", (0.0, 100.0), (0, 20, 40, 60, 80, 100), averaged=True)


def seconds(first: float, last: float) -> Abscissa:
    """Return the scale of a whole trial."""
    return Abscissa("time (s)", (first, last), tuple(ticks(first, last).tolist()), averaged=False)


def grid_sheet(
    grid: Grid,
    strips: Sequence[Strip],
    abscissa: Abscissa,
    heading: tuple[str, Sequence[str]],
    why_empty: str,
) -> Sheet:
    """Return the sheet of a grid of panels.

    Parameters
    ----------
    grid : tuple of tuple of Panel
    strips : sequence of Strip
    abscissa : Abscissa
    heading : (str, sequence of str)
        Title and the lines below it.
    why_empty : str
        What a panel without any known value says after "no data".
    """
    title, lines = heading
    columns = max(len(row) for row in grid)
    width = 2 * EDGE_MM + columns * (_GUTTER + _WIDTH) + (columns - 1) * _GAP - 5.0
    above = header_height(lines, width) + 10.0
    height = above + len(grid) * (_HEAD + _HEIGHT) + _FOOT + EDGE_MM - 4.0
    marks, taken = headline(title, lines, width, height)
    marks += key(_key_entries(strips, abscissa), EDGE_MM, height - taken - 6.5)
    for i, row in enumerate(grid):
        for j, panel in enumerate(row):
            left = EDGE_MM + _GUTTER - 5.0 + j * (_GUTTER + _WIDTH + _GAP)
            bottom = height - above - (i + 1) * (_HEAD + _HEIGHT)
            frame = Frame(left, bottom, _WIDTH, _HEIGHT, abscissa.limits, panel.limits)
            last = i == len(grid) - 1
            marks += panel_marks(panel, frame, strips, abscissa, why_empty, last=last)
    return Sheet(width, height, tuple(marks))


def panel_marks(
    panel: Panel,
    frame: Frame,
    strips: Sequence[Strip],
    abscissa: Abscissa,
    why_empty: str,
    *,
    last: bool,
) -> list[Mark]:
    """Return one panel.

    Parameters
    ----------
    panel : Panel
    frame : Frame
        Where it stands.
    strips : sequence of Strip
    abscissa : Abscissa
    why_empty : str
    last : bool
        Whether it stands in the last row and carries the label of its horizontal scale.
    """
    panel = fitting_panel(panel, {name for strip in strips for name in strip.names})
    marks = title_marks(frame, panel.title, panel.unit)
    if last:
        marks.append(below_words(frame, abscissa.label))
    values = [strip.curve(panel.name) for strip in strips]
    if not any(np.isfinite(value).any() for value in values):
        fit = characters(frame.width - 4.0, 7.0)
        return marks + empty_marks(frame, textwrap.wrap(f"no data: {why_empty}", fit))
    limits, moved = widened(panel.limits, np.concatenate(values))
    frame = with_limits(frame, limits)
    marks += scale_marks(frame, abscissa.ticks, ticks(*limits), numbers_below=last)
    marks += end_words(frame, panel.top, panel.bottom)
    if moved:
        marks += _moved_marks(panel, frame)
    for side in SIDES:
        own = [strip for strip in strips if strip.side == side]
        marks += _curve_marks(panel, frame, own, averaged=abscissa.averaged)
    return marks


def _curve_marks(
    panel: Panel, frame: Frame, strips: Sequence[Strip], *, averaged: bool
) -> list[Mark]:
    """Return the curves of one side, their mean, and when the foot leaves the ground."""
    marks: list[Mark] = []
    known = [strip for strip in strips if np.isfinite(strip.curve(panel.name)).any()]
    for strip in known:
        thin = side_stroke(strip.side, _THIN_PT)
        marks += known_lines(frame, strip.at, strip.curve(panel.name), thin, strip.side)
    mean = mean_curve([strip.curve(panel.name) for strip in known]) if averaged else None
    if mean is not None:
        thick = side_stroke(known[0].side, _MEAN_PT, level=4)
        marks += known_lines(frame, known[0].at, mean, thick, f"{known[0].side} mean")
    offs = [off for strip in known for off in strip.foot_offs]
    for off in [float(np.mean(offs))] if averaged and offs else offs:
        x = float(frame.at(off, frame.y[0])[0, 0])
        upright = np.array([[x, frame.bottom], [x, frame.top]])
        stroke = side_stroke(known[0].side, _OFF_PT, level=1)
        marks.append(Line(upright, stroke, f"{known[0].side} foot-off"))
    return marks


def _moved_marks(panel: Panel, frame: Frame) -> list[Mark]:
    """Return the words for a scale that had to be moved, and where its fixed limits lie."""
    dotted = Stroke(AMBER, 0.8, (1.0, 2.0))
    marks: list[Mark] = [
        Words(frame.right, frame.top + 2.2, "axis extended", 6.5, AMBER, "right", name="extended")
    ]
    for limit in panel.limits:
        if frame.y[0] < limit < frame.y[1]:
            points = frame.at(np.array(frame.x), np.array([limit, limit]))
            marks.append(Line(points, dotted, "fixed limit"))
    return marks


def _key_entries(strips: Sequence[Strip], abscissa: Abscissa) -> list[tuple[str, Stroke | None]]:
    """Return the key of the lines that are there."""
    sides = [side for side in SIDES if any(strip.side == side for strip in strips)]
    words = ", each cycle" if abscissa.averaged else ""
    entries: list[tuple[str, Stroke | None]] = [
        (f"{side}{words}", side_stroke(side, 1.0)) for side in sides
    ]
    counts = [sum(strip.side == side for strip in strips) for side in sides]
    if abscissa.averaged and max(counts, default=0) > 1:
        entries.append(("thick: mean of complete cycles", None))
    entries.append(("vertical line: foot-off" + (", mean" if abscissa.averaged else ""), None))
    return entries
