"""One panel: bands, thin strides, heavy means, foot-off ticks, and strips of verdicts below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gaitdyn.core.runs import runs
from gaitdyn.plots.clinic.axes import (
    ABOVE,
    LEFT_EDGE,
    PLOT,
    TALL,
    axis_limits,
    axis_marks,
    axis_remark,
)
from gaitdyn.plots.clinic.palette import (
    DIRECTION,
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
    mean_stroke,
    size,
    stroke,
)
from gaitdyn.plots.clinic.shown import PanelCurve, VerdictStrip
from gaitdyn.plots.frames import Frame, areas_between, known_lines, lines_of_curves, sd_areas
from gaitdyn.plots.marks import (
    Area,
    Line,
    Mark,
    Part,
    Stroke,
    TextLine,
    marks_of,
    rectangle,
    segment,
)
from gaitdyn.plots.panels import Panel
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import Band
from gaitdyn.types.subject import LETTER, SIDES

NUMBERED, STRIPS = 16.0, 26.0
_HEIGHTS = {1: (2.4, 0.5), 2: (4.4, 1.0)}
"""Height and opacity of cells that are possibly (1) and clearly (2) outside."""

_THIN = 2
"""% between the points of thin lines; means are drawn with all their points."""

EVERY = np.linspace(0.0, 100.0, 101)
"""Per cents of the cycle of a curve."""


MOST_ALPHA = 0.25
"""Opacity of the area of many strides."""


@frozen()
class Panelled:
    """A drawn panel.

    Attributes
    ----------
    parts : tuple of Part
    height : float
    limits : tuple of float
        Limits of the vertical axis, as drawn.
    """

    parts: tuple[Part, ...]
    height: float
    limits: tuple[float, float]

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
    remark = axis_remark(extended=extended, no_norm=banded and band is None)
    marks.append(axis_marks(frame, panel, last=last, remark=remark))
    marks += _curves(frame, shown)
    if not shown:
        marks.append(nothing(frame))
    if strips and band is not None:
        bottom = frame.bottom - NUMBERED
        marks += _strips(frame, bottom, {curve.side: curve for curve in shown})
    return Panelled(tuple(marks), height, limits)


def nothing(frame: Frame) -> TextLine:
    """Write that nothing is measured in the middle of a frame, above a line of zero there."""
    x, y = frame.left + frame.width / 2, frame.bottom + frame.height / 2
    zero = frame.place(0.0, 0.0)[1]
    y = zero + 4.0 if y - 4.0 < zero < y + 12.0 else y
    return TextLine(x, y, "not measured", size(10.0), MUTED, "center", name="none")


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
    marks: list[Mark] = [TextLine(x, y - 2.8, letter, size(TICK), colour, "right", bold=True)]
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
