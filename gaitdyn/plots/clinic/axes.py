"""The axes of a panel: limits, ticks, numbers, and the edges around them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from gaitdyn.plots.clinic.palette import DIRECTION, EDGE, MUTED, TICK, ZERO, size, stroke
from gaitdyn.plots.clinic.shown import PanelCurve
from gaitdyn.plots.frames import Frame, tick_label, ticks
from gaitdyn.plots.marks import Fixed, Line, Mark, TextLine, segment
from gaitdyn.plots.panels import Panel
from gaitdyn.types.arrays import Array
from gaitdyn.types.norms import Band

WIDTH, LEFT_EDGE, PLOT, TALL, ABOVE = 240.0, 24.0, 212.0, 150.0, 6.0
_SLACK = 0.03
_TICKS, _FEW = 5, (3, 4, 5)
"""Most numbers of a vertical axis; most steps, tried in turn, where no usual step gives two."""
_PERCENTS = (0.0, 20.0, 40.0, 60.0, 80.0, 100.0)

_AXES = 128
"""Axes whose marks are cached: many pages have the same axes."""


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
    """Return two to six round numbers, including 0 if it is inside the limits.

    Examples
    --------
    >>> axis_ticks(-10.0, 40.0), axis_ticks(0.0, 14.0), axis_ticks(0.62, 0.64)
    ([0.0, 20.0, 40.0], [0.0, 5.0, 10.0], [0.62, 0.63, 0.64])
    """
    for step in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 50.0, 100.0, 200.0, 500.0):
        first, last = np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9)
        if 0 < last - first < _TICKS:
            return [float(k * step) for k in range(int(first), int(last) + 1)]
    found = (ticks(low, high, most).tolist() for most in _FEW)
    return next((values for values in found if len(values) > 1), [0.0])


@lru_cache(maxsize=_AXES)
def axis_marks(
    frame: Frame, panel: Panel, *, last: bool, remark: str = "", at: tuple[float, ...] = _PERCENTS
) -> Fixed:
    """Draw both axes, their numbers and the meaning of the ends of the vertical one; cached.

    Parameters
    ----------
    frame : Frame
    panel : Panel
    last : bool
        Whether the horizontal axis has numbers on a wide screen.
    remark : str
        Words above the right end of the frame, where no curve is, see :func:`axis_remark`.
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
    if remark:
        ends = frame.right, frame.top + 1.0
        marks.append(TextLine(*ends, remark, size(DIRECTION), MUTED, "right"))
    return Fixed(tuple(marks))


def axis_remark(*, extended: bool, no_norm: bool = False) -> str:
    """Return what must be known of an axis.

    Examples
    --------
    >>> axis_remark(extended=True, no_norm=True), axis_remark(extended=False)
    ('axis extended, no norm', '')
    """
    words = {"axis extended": extended, "no norm": no_norm}
    return ", ".join(word for word, true in words.items() if true)


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
