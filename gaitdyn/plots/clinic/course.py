"""One panel over the time of a whole trial: of what is no walk, or has no complete stride."""

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
"""Points of a line, five a unit of its width; steps of the axis of time."""

_WIDE = 1.4


def course_drawing(panel: Panel, course: Sequence[CurveStrip], *, last: bool = False) -> Panelled:
    """Return one panel over time.

    Parameters
    ----------
    panel : Panel
    course : sequence of CurveStrip
        Of both sides, s.
    last : bool
        Whether its horizontal axis carries numbers on a wide screen.
    """
    known = [one for one in course if np.isfinite(one.curve(panel.name)).any()]
    limits, extended = limits_of(panel, [one.curve(panel.name) for one in known])
    span = float(course[0].at[0]), float(course[0].at[-1])
    frame = Frame(LEFT_EDGE, NUMBERED, PLOT, TALL, span, limits)
    at = tuple(float(t) for t in ticks(*span, _TICKS))
    marks: list[Part] = [axis_marks(frame, panel, last=last, extended=extended, at=at)]
    for one in known:
        step = -(-len(one.at) // _MOST)
        curve = one.curve(panel.name)[::step]
        line = mean_stroke(one.side, _WIDE)
        marks += known_lines(frame, one.at[::step], curve, line, f"{one.side} course")
        marks += [foot_off_tick(frame, one.side, off) for off in one.foot_offs]
    if not known:
        x, y = frame.left + frame.width / 2, frame.bottom + frame.height / 2 + 4.0
        marks.append(TextLine(x, y, "not measured", size(10.0), MUTED, "center", name="none"))
    return Panelled(tuple(marks), ABOVE + TALL + NUMBERED, limits, extended)
