"""Two sessions in one panel, one side at a time: the earlier pale and dashed, the later full."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import runs
from gaitdyn.plots.clinic.palette import PALE, SIDE, stroke
from gaitdyn.plots.clinic.panel import (
    ABOVE,
    LEFT_EDGE,
    NUMBERED,
    PLOT,
    TALL,
    Panelled,
    axis_limits,
    axis_marks,
    band_marks,
    strip_marks,
)
from gaitdyn.plots.frames import Frame, known_lines
from gaitdyn.plots.marks import Area

if TYPE_CHECKING:
    from gaitdyn.plots.clinic.shown import Shown, Strip
    from gaitdyn.plots.marks import Mark
    from gaitdyn.plots.panels import Panel
    from gaitdyn.types.norms import Band

_RIBBON, _STRIP = 0.2, 14.0


def compared_drawing(
    panel: Panel, before: Shown | None, after: Shown | None, band: Band | None,
    strip: Strip | None, side: str, *, last: bool,
) -> Panelled:  # fmt: skip
    """Return a panel of one side in two sessions.

    Parameters
    ----------
    panel : Panel
    before, after : Shown or None
    band : Band or None
    strip : Strip or None
        The verdict on the change.
    side : {"left", "right"}
    last : bool
        Whether its horizontal axis carries numbers.
    """
    shown = [one for one in (before, after) if one is not None]
    limits, extended = axis_limits(panel, shown, band)
    height = ABOVE + TALL + NUMBERED + _STRIP
    frame = Frame(LEFT_EDGE, NUMBERED + _STRIP, PLOT, TALL, (0.0, 100.0), limits)
    marks: list[Mark] = [] if band is None else band_marks(frame, band)
    marks += axis_marks(frame, panel, last=last, extended=extended)
    for one, colours, width, dash in (
        (before, PALE, 1.7, (4.5, 2.2)),
        (after, SIDE, 2.3, ()),
    ):
        if one is None or one.mean is None:
            continue
        colour = colours[one.side]
        if one.sd is not None:
            marks += _ribbon(frame, one, colour)
        at = np.linspace(0.0, 100.0, len(one.mean))
        marks += known_lines(frame, at, one.mean, stroke(colour, width, dash, 4), "session mean")
    marks += strip_marks(frame, _STRIP / 2, "\u0394", SIDE[side], strip)
    return Panelled(tuple(marks), height, limits, extended)


def _ribbon(frame: Frame, one: Shown, colour: str) -> list[Mark]:
    """Return the area within one SD of the strides, one a run of known values."""
    mean, sd = one.mean, one.sd
    if mean is None or sd is None:
        return []
    mean, sd = mean[::2], sd[::2]
    at = np.linspace(0.0, 100.0, len(mean))
    found: list[Mark] = []
    for a, b in runs(np.isfinite(mean) & np.isfinite(sd)):
        x = np.concatenate((at[a:b], at[a:b][::-1]))
        y = np.concatenate(((mean - sd)[a:b], (mean + sd)[a:b][::-1]))
        found.append(Area(frame.at(x, np.clip(y, *frame.y)), colour, "ribbon", _RIBBON))
    return found
