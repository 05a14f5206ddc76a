"""A panel over the time of a whole trial, for tasks other than walking or without a stride."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.clinic.palette import MUTED, mean_stroke, size
from gaitdyn.plots.clinic.panel import (
    ABOVE,
    LEFT_EDGE,
    NUMBERED,
    PLOT,
    TALL,
    Panelled,
    axis_marks,
    foot_off_tick,
    limits_of,
)
from gaitdyn.plots.frames import Frame, known_lines, ticks
from gaitdyn.plots.marks import TextLine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.cycles.strips import CurveStrip
    from gaitdyn.plots.marks import Part
    from gaitdyn.plots.panels import Panel

_MOST, _TICKS = 1000, 5
"""Most points of a line (five per unit of its width); steps of the time axis."""

_WIDE = 1.4


def course_drawing(panel: Panel, course: Sequence[CurveStrip], *, last: bool = False) -> Panelled:
    """Draw one panel over time.

    Parameters
    ----------
    panel : Panel
    course : sequence of CurveStrip
        Curves of both sides over time, s.
    last : bool
        Whether the horizontal axis has numbers on a wide screen.
    """
    known = [strip for strip in course if np.isfinite(strip.curve(panel.name)).any()]
    limits, extended = limits_of(panel, [strip.curve(panel.name) for strip in known])
    span = float(course[0].at[0]), float(course[0].at[-1])
    frame = Frame(LEFT_EDGE, NUMBERED, PLOT, TALL, span, limits)
    time_ticks = tuple(float(t) for t in ticks(*span, _TICKS))
    marks: list[Part] = [axis_marks(frame, panel, last=last, extended=extended, at=time_ticks)]
    for strip in known:
        step = -(-len(strip.at) // _MOST)
        curve = strip.curve(panel.name)[::step]
        line = mean_stroke(strip.side, _WIDE)
        marks += known_lines(frame, strip.at[::step], curve, line, f"{strip.side} course")
        marks += [foot_off_tick(frame, strip.side, off) for off in strip.foot_offs]
    if not known:
        x, y = frame.left + frame.width / 2, frame.bottom + frame.height / 2 + 4.0
        marks.append(TextLine(x, y, "not measured", size(10.0), MUTED, "center", name="none"))
    return Panelled(tuple(marks), ABOVE + TALL + NUMBERED, limits, extended)
