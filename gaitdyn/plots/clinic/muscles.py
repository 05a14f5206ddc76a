"""A muscle over the gait cycle: its signal pale, the envelope, the norm, and when it is on."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import runs
from gaitdyn.plots.clinic.palette import (
    EDGE,
    FAR,
    MUTED,
    NEAR,
    SIDE,
    TICK,
    mean_stroke,
    size,
    stroke,
)
from gaitdyn.plots.clinic.panel import ABOVE, LEFT_EDGE, NUMBERED, PLOT, foot_off_tick
from gaitdyn.plots.frames import Frame
from gaitdyn.plots.marks import Area, Line, Words, rectangle

if TYPE_CHECKING:
    from gaitdyn.emg.panels import EmgPanel
    from gaitdyn.plots.marks import Mark
    from gaitdyn.types.arrays import Mask

TALL, ON_BAR = 84.0, 13.0
HEIGHT = ABOVE + TALL + ON_BAR + NUMBERED
"""Of a drawing, in the units of :mod:`gaitdyn.plots.clinic`."""

_TOP = 1.6
"""Of the peak of the mean envelope; higher samples of the signal are cut there."""

_BESIDE = 2
"""Points of the signal of which the largest is drawn: a panel has a pixel for each."""

_PALE = 0.3
_OFTEN = 0.5
"""Share of the strides in which a muscle is on, where the bar below says so."""

_HALF = 0.5
"""Of the range of the norm, above which the bar of the norm says that the muscle is on."""

_LINE_CHARACTERS = 34


def muscle_drawing(panel: EmgPanel, foot_off: float | None = None) -> tuple[Mark, ...]:
    """Return one muscle of one side; in place of curves the reason why there are none.

    Parameters
    ----------
    panel : EmgPanel
    foot_off : float, optional
        % of the cycle.
    """
    frame = Frame(LEFT_EDGE, NUMBERED + ON_BAR, PLOT, TALL, (0.0, 100.0), (0.0, _TOP))
    marks = _axis(frame)
    if not len(panel.mean):
        lines = textwrap.wrap(panel.reason or "no whole stride", _LINE_CHARACTERS)[:3]
        for i, text in enumerate(lines):
            y = frame.bottom + TALL / 2 + 12.0 * (len(lines) / 2 - i - 0.8)
            marks.append(Words(frame.left + PLOT / 2, y, text, size(10.0), MUTED, "center"))
        return tuple(marks)
    at = np.linspace(0.0, 100.0, len(panel.mean))
    if panel.norm is not None and panel.norm_sd is not None:
        for share, colour in ((2.0, FAR), (1.0, NEAR)):
            low, high = (np.clip(panel.norm + k * share * panel.norm_sd, 0, _TOP) for k in (-1, 1))
            outline = np.concatenate((at, at[::-1])), np.concatenate((low, high[::-1]))
            marks.append(Area(frame.at(*outline), colour, "band"))
    peaks = np.nan_to_num(panel.rectified).reshape(-1, _BESIDE).max(axis=1)
    fine = np.linspace(0.0, 100.0, len(peaks), endpoint=False)
    signal = np.clip(peaks, 0.0, _TOP)
    pale = stroke(SIDE[panel.side], 0.5, level=2, alpha=_PALE)
    marks.append(Line(frame.at(fine, signal), pale, f"{panel.side} signal"))
    mean = np.clip(panel.mean, 0.0, _TOP)
    marks.append(Line(frame.at(at, mean), mean_stroke(panel.side), f"{panel.side} mean"))
    if foot_off is not None:
        marks.append(foot_off_tick(frame, panel.side, foot_off))
    marks += _bars(frame, np.nan_to_num(panel.on_share) > _OFTEN, SIDE[panel.side], 6.5, "on")
    if panel.norm is not None:
        level = panel.norm.min() + _HALF * np.ptp(panel.norm)
        marks += _bars(frame, panel.norm > level, MUTED, 11.0, "norm bar")
    return tuple(marks)


def _bars(frame: Frame, on: Mask, colour: str, below: float, name: str) -> list[Mark]:
    """Return a bar below the axis wherever a muscle is on."""
    y, tall = frame.bottom - below, 4.0 if below < ON_BAR / 2 + 1 else 2.5
    found: list[Mark] = []
    for a, b in runs(on):
        left, right = (float(frame.at(float(k), 0.0)[0, 0]) for k in (a, min(b, 100)))
        found.append(Area(rectangle(left, y, right, y + tall), colour, name))
    return found


def _axis(frame: Frame) -> list[Mark]:
    """Return the lower axis with its numbers."""
    edge = np.array([[frame.left, frame.bottom], [frame.right, frame.bottom]])
    marks: list[Mark] = [Line(edge, stroke(MUTED, EDGE, level=1), "axis")]
    for value in range(0, 101, 20):
        x = float(frame.at(float(value), 0.0)[0, 0])
        y = frame.bottom - ON_BAR - 11.0
        marks.append(Words(x, y, str(value), size(TICK), MUTED, "center", name="percent"))
    return marks
