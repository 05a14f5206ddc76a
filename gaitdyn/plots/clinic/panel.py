"""One panel: bands, thin strides, heavy means, foot-off ticks, and strips of verdicts below."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import runs
from gaitdyn.plots.clinic.palette import (
    DIRECTION,
    EDGE,
    FAR,
    HAIR,
    MUTED,
    NEAR,
    OFF,
    PARTIAL_ALPHA,
    SIDE,
    STRIDE,
    STRIDE_ALPHA,
    TICK,
    WITHIN,
    ZERO,
    mean_stroke,
    size,
    stroke,
)
from gaitdyn.plots.frames import (
    Frame,
    areas_between,
    known_lines,
    lines_of_curves,
    sd_areas,
    tick_label,
)
from gaitdyn.plots.marks import (
    Area,
    Fixed,
    Line,
    Mark,
    Part,
    Stroke,
    TextLine,
    marks_of,
    rectangle,
    segment,
)
from gaitdyn.types.subject import LETTER, SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.plots.clinic.shown import PanelCurve, VerdictStrip
    from gaitdyn.plots.panels import Panel
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.norms import Band

WIDTH, LEFT_EDGE, PLOT, TALL, ABOVE = 240.0, 24.0, 212.0, 150.0, 6.0
NUMBERED, STRIPS = 16.0, 26.0
_SLACK = 0.03
_TICKS = 5
_HEIGHTS = {1: (2.4, 0.5), 2: (4.4, 1.0)}
"""Height and opacity of cells that are possibly (1) and clearly (2) outside."""

_THIN = 2
"""% between the points of thin lines; means are drawn with all their points."""

_PERCENTS = (0.0, 20.0, 40.0, 60.0, 80.0, 100.0)
EVERY = np.linspace(0.0, 100.0, 101)
"""Per cents of the cycle of a curve."""

_AXES = 128
"""Axes whose marks are cached: many pages have the same axes."""

MOST_ALPHA = 0.25
"""Opacity of the area of many strides."""


@dataclass(frozen=True, slots=True)
class Panelled:
    """A drawn panel.

    Attributes
    ----------
    parts : tuple of Part
    height : float
    limits : tuple of float
        Limits of the vertical axis, as drawn.
    extended : bool
    """

    parts: tuple[Part, ...]
    height: float
    limits: tuple[float, float]
    extended: bool

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All marks."""
        return tuple(marks_of(self.parts))


def panel_drawing(
    panel: Panel,
    curves: Mapping[tuple[str, str], PanelCurve],
    band: Band | None,
    *,
    last: bool = False,
    strips: bool = True,
    banded: bool = False,
) -> Panelled:
    """Draw one panel.

    Parameters
    ----------
    panel : Panel
    curves : mapping
        (side, name) -> curve.
    band : Band or None
    last : bool
        Whether the horizontal axis has numbers on a wide screen; on a narrow one all have them.
    strips : bool
        Whether strips with the verdicts against the reference are drawn below.
    banded : bool
        Whether other curves have a reference; a panel without one is then labelled.
    """
    shown = [curves[s, panel.name] for s in SIDES if (s, panel.name) in curves]
    limits, extended = axis_limits(panel, shown, band)
    height = ABOVE + TALL + NUMBERED + (STRIPS if strips else 0.0)
    frame = Frame(LEFT_EDGE, height - ABOVE - TALL, PLOT, TALL, (0.0, 100.0), limits)
    marks: list[Part] = []
    if band is not None:
        marks += band_marks(frame, band)
    marks.append(axis_marks(frame, panel, last=last, extended=extended))
    if banded and band is None and not extended:
        marks += corner_words(frame, "no norm")
    marks += _curves(frame, shown)
    if not shown:
        x, y = frame.left + frame.width / 2, frame.bottom + frame.height / 2
        marks.append(TextLine(x, y, "not measured", size(10.0), MUTED, "center", name="none"))
    if strips and band is not None:
        bottom = frame.bottom - NUMBERED
        marks += _strips(frame, bottom, {curve.side: curve for curve in shown})
    return Panelled(tuple(marks), height, limits, extended)


def axis_limits(
    panel: Panel, shown: list[PanelCurve], band: Band | None
) -> tuple[tuple[float, float], bool]:
    """Return the fixed limits, or round ones beyond curves that exceed them by more than 3 %.

    Strides and the band of one SD count; the band of two SD is clipped. Steps are 5 deg, or 0.5 of
    another unit.
    """
    curves = [
        c for one in shown for c in (one.percentiles if one.many else (*one.whole, *one.partial))
    ]
    if band is not None:
        curves += [band.mean - band.sd, band.mean + band.sd]
    return limits_of(panel, curves)


def limits_of(panel: Panel, curves: Sequence[Array]) -> tuple[tuple[float, float], bool]:
    """Return limits that contain all curves, and whether they are wider than the fixed ones."""
    low, high = panel.limits
    known = np.concatenate(curves) if curves else np.empty(0)
    known = known[np.isfinite(known)]
    if not known.size:
        return (low, high), False
    step = 5.0 if panel.unit == "deg" else 0.5
    slack = _SLACK * (high - low)
    smallest, largest = float(known.min()), float(known.max())
    new_low = low if smallest >= low - slack else float(np.floor(smallest / step) * step)
    new_high = high if largest <= high + slack else float(np.ceil(largest / step) * step)
    return (new_low, new_high), (new_low, new_high) != (low, high)


def axis_ticks(low: float, high: float) -> list[float]:
    """Return at most five round numbers, including 0 if it is inside the limits.

    Examples
    --------
    >>> axis_ticks(-10.0, 40.0), axis_ticks(0.0, 14.0)
    ([0.0, 20.0, 40.0], [0.0, 5.0, 10.0])
    """
    for step in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 50.0, 100.0, 200.0, 500.0):
        first, last = np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9)
        if last - first < _TICKS:
            return [float(k * step) for k in range(int(first), int(last) + 1)]
    return [0.0]


def band_marks(frame: Frame, band: Band) -> list[Mark]:
    """Draw the areas within two and one SD of the reference, clipped at the frame.

    Behind them, if it is known, is the area in which the curves of healthy walkers stay everywhere.
    """
    marks = [] if band.limit is None else _within_marks(frame, band, band.limit)
    return marks + sd_areas(frame, band.percent, band.mean, band.sd, (FAR, NEAR))


def _within_marks(frame: Frame, band: Band, limit: Array) -> list[Mark]:
    """Draw the simultaneous band: an area between two thin lines, at every other per cent."""
    at = np.linspace(0.0, 100.0, len(limit))[::2]
    half, mean = limit[::2], np.interp(at, band.percent, band.mean)
    marks = areas_between(frame, at, mean - half, mean + half, WITHIN, "within")
    edge = stroke(HAIR, 0.8, level=1)
    for curve in (mean - half, mean + half):
        inside = np.where((curve > frame.y[0]) & (curve < frame.y[1]), curve, np.nan)
        marks += known_lines(frame, at, inside, edge, "limit")
    return marks


@lru_cache(maxsize=_AXES)
def axis_marks(
    frame: Frame, panel: Panel, *, last: bool, extended: bool, at: tuple[float, ...] = _PERCENTS
) -> Fixed:
    """Draw both axes, their numbers and the meaning of the ends of the vertical one; cached.

    Parameters
    ----------
    frame : Frame
    panel : Panel
    last : bool
        Whether the horizontal axis has numbers on a wide screen.
    extended : bool
    at : tuple of float
        Numbers of the horizontal axis, % of the cycle or s; without any it is not drawn.
    """
    marks: list[Mark] = []
    for value in axis_ticks(*frame.y):
        x, y = frame.place(frame.x[0], value)
        if value == 0:
            line = stroke(MUTED, ZERO, level=1)
            marks.append(segment((x, y), (frame.right, y), line, "zero"))
        marks.append(TextLine(x - 4.0, y - 3.2, tick_label(value), size(TICK), MUTED, "right"))
    marks += percent_marks(frame, last=last, at=at).marks if at else ()
    for word, y in (
        (f"{panel.top} \u2191", frame.top - 9.0),
        (f"{panel.bottom} \u2193", frame.bottom + 4.5),
    ):
        if word.strip(" \u2191\u2193"):
            marks.append(TextLine(frame.left + 4.0, y, word, size(DIRECTION), MUTED, name="end"))
    return Fixed((*marks, *(corner_words(frame, "axis extended", 19.0) if extended else ())))


def corner_words(frame: Frame, words: str, below: float = 9.0) -> list[Mark]:
    """Write words in the upper right corner of a panel; long ones go below the foot-off tick."""
    return [TextLine(frame.right, frame.top - below, words, size(DIRECTION), MUTED, "right")]


def lower_edge(frame: Frame) -> Line:
    """Draw the lower edge of a panel."""
    ends = (frame.left, frame.bottom), (frame.right, frame.bottom)
    return segment(*ends, stroke(MUTED, EDGE, level=1), "axis")


def lower_tick(frame: Frame, x: float) -> Line:
    """Draw a tick below the lower edge of a panel."""
    ends = (x, frame.bottom - 3.0), (x, frame.bottom)
    return segment(*ends, stroke(MUTED, EDGE, level=1), "axis")


@lru_cache(maxsize=_AXES)
def percent_marks(frame: Frame, *, last: bool, at: tuple[float, ...] = _PERCENTS) -> Fixed:
    """Draw the lower edge of a panel with ticks and numbers; cached."""
    marks: list[Mark] = [lower_edge(frame)]
    for value in at:
        x = frame.place(value, frame.y[0])[0]
        marks.append(lower_tick(frame, x))
        name = "percent" if last else "percent narrow"
        y, label = frame.bottom - 12.0, tick_label(value)
        marks.append(TextLine(x, y, label, size(TICK), MUTED, "center", name=name))
    return Fixed(tuple(marks))


def _curves(frame: Frame, shown: Sequence[PanelCurve]) -> list[Mark]:
    """Draw strides, mean and foot-off tick of each side."""
    lines: list[tuple[Array, Stroke, str]] = []
    others: list[Mark] = []
    for curve in shown:
        side, colour = curve.side, SIDE[curve.side]
        thin = stroke(colour, STRIDE, level=2, alpha=STRIDE_ALPHA)
        pale = stroke(colour, STRIDE, level=2, alpha=PARTIAL_ALPHA)
        if curve.many:  # an area with 90 % of the strides replaces their lines
            low, high = curve.percentiles
            name = f"{side} strides"
            others += areas_between(frame, EVERY, low, high, colour, name, MOST_ALPHA)
        else:
            lines += [(stride, pale, f"{side} incomplete") for stride in curve.partial]
            whole = curve.whole if len(curve.whole) > 1 else ()
            lines += [(stride, thin, f"{side} stride") for stride in whole]
        if curve.mean is not None:
            lines.append((curve.mean, mean_stroke(side), f"{side} mean"))
        if curve.foot_off is not None:
            others.append(foot_off_tick(frame, side, curve.foot_off))
    return [*lines_of_curves(frame, EVERY, lines, _THIN), *others]


def foot_off_tick(frame: Frame, side: str, percent: float) -> Line:
    """Draw a short tick: left upwards from the axis, right downwards from the top."""
    x = frame.place(percent, frame.y[0])[0]
    ends = (frame.bottom, frame.bottom + 10.0) if side == "left" else (frame.top, frame.top - 10.0)
    line = stroke(SIDE[side], OFF, level=3)
    return segment((x, ends[0]), (x, ends[1]), line, f"{side} foot-off")


def _strips(frame: Frame, bottom: float, shown: Mapping[str, PanelCurve]) -> list[Mark]:
    """Draw one strip per side; words that are the same for both sides are written once."""
    strips = [one.strip if (one := shown.get(side)) is not None else None for side in SIDES]
    words = {strip.words for strip in strips if strip is not None}
    shared_words = words.pop() if len(words) == 1 and None not in strips else ""
    marks: list[Mark] = []
    for i, (side, strip) in enumerate(zip(SIDES, strips, strict=True)):
        y, drawn = bottom - 7.0 - 10.0 * i, None if shared_words else strip
        marks += strip_marks(frame, y, LETTER[side], SIDE[side], drawn)
    if shared_words:
        y = bottom - 12.0 - 2.8
        marks.append(TextLine(frame.left, y, shared_words, size(DIRECTION), MUTED, name="none"))
    return marks


def strip_marks(
    frame: Frame, y: float, letter: str, colour: str, strip: VerdictStrip | None
) -> list[Mark]:
    """Draw one strip: bars upwards where the curve is above the reference, downwards where below.

    Parameters
    ----------
    frame : Frame
        Frame of the panel above.
    y : float
        Height of the hairline.
    letter, colour : str
    strip : VerdictStrip or None
    """
    x = frame.left - 6.0
    marks: list[Mark] = [TextLine(x, y - 2.8, letter, size(8.0), colour, "right", bold=True)]
    if strip is None:
        return marks
    if strip.words:
        words = TextLine(frame.left, y - 2.8, strip.words, size(DIRECTION), MUTED, name="none")
        return [*marks, words]
    hair = stroke(HAIR, 0.7, level=1)
    marks.append(segment((frame.left, y), (frame.right, y), hair, "strip"))
    for kind, (tall, alpha) in _HEIGHTS.items():
        for sign in (1, -1):
            for a, b in runs(strip.cells == sign * kind):
                left, right = (frame.place(p, frame.y[0])[0] for p in (a - 0.5, b - 0.5))
                corners = max(left, frame.left), y, min(right, frame.right), y + sign * tall
                marks.append(Area(rectangle(*corners), colour, "strip", alpha))
    return marks
