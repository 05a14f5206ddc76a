"""A muscle over the gait cycle, left above right: signal, envelope, norm and activity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import runs
from gaitdyn.plots.clinic.axes import ABOVE, LEFT_EDGE, PLOT, lower_edge
from gaitdyn.plots.clinic.palette import FAR, MUTED, NEAR, SIDE, TICK, mean_stroke, size, stroke
from gaitdyn.plots.clinic.panel import NUMBERED, Panelled, foot_off_tick
from gaitdyn.plots.frames import Frame, sd_areas
from gaitdyn.plots.marks import Area, Line, Mark, TextLine, few_lines, rectangle
from gaitdyn.plots.typeface import regular_width
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.emg.panels import EmgPanel
    from gaitdyn.types.arrays import Mask

_TALL = {1: 84.0, 2: 58.0}
"""Number of sides in a drawing -> height of the frame of each side."""

_ON_BAR, _BETWEEN = 13.0, 7.0

_TOP = 1.6
"""Upper limit, in peaks of the mean envelope; higher samples of the signal are clipped."""

_GROUPED = 2
"""Samples in a group, whose largest is drawn: a panel has one pixel for each group."""

_PALE = 0.3
_OFTEN = 0.5
"""Share of the strides in which a muscle must be on to have a bar below its curve."""

_HALF = 0.5
"""Fraction of the range of the norm above which the norm counts as active."""

_REASON = 10.0
"""Size of the words of a reason, units."""


def muscle_height(sides: int) -> float:
    """Return the height of a drawing of this many sides."""
    return ABOVE + sides * (_TALL[sides] + _ON_BAR) + (sides - 1) * _BETWEEN + NUMBERED


def muscle_drawing(
    panels: Mapping[str, EmgPanel | None], foot_off: Mapping[str, float | None]
) -> Panelled:
    """Draw one muscle, one row per side; without curves, show the reason.

    Parameters
    ----------
    panels : mapping
        Side -> its panel, None if nothing was recorded; in the order of the rows.
    foot_off : mapping
        Side -> % of the cycle.
    """
    frame_height, height = _TALL[len(panels)], muscle_height(len(panels))
    marks: list[Mark] = []
    bottom = height - ABOVE + _ON_BAR + _BETWEEN
    for side, panel in panels.items():
        bottom -= _BETWEEN + frame_height + _ON_BAR
        frame = Frame(LEFT_EDGE, bottom, PLOT, frame_height, (0.0, 100.0), (0.0, _TOP))
        marks += _axis(frame, side)
        marks += _side(frame, panel, foot_off.get(side))
    marks += [
        TextLine(
            LEFT_EDGE + PLOT * value / 100.0, 4.0, str(value), size(TICK), MUTED, "center",
            name="percent",
        )
        for value in range(0, 101, 20)
    ]  # fmt: skip
    return Panelled(tuple(marks), height, (0.0, _TOP))


def _side(frame: Frame, panel: EmgPanel | None, foot_off: float | None) -> list[Mark]:
    if panel is None or not len(panel.mean):
        return _reason(frame, "not recorded" if panel is None else panel.reason)
    percent = np.linspace(0.0, 100.0, len(panel.mean))
    marks: list[Mark] = []
    if panel.norm is not None and panel.norm_sd is not None:
        marks += sd_areas(frame, percent, panel.norm, panel.norm_sd, (FAR, NEAR))
    peaks = np.nan_to_num(panel.rectified).reshape(-1, _GROUPED).max(axis=1)
    signal_percent = np.linspace(0.0, 100.0, len(peaks), endpoint=False)
    signal = np.clip(peaks, 0.0, _TOP)
    pale = stroke(SIDE[panel.side], 0.5, level=2, alpha=_PALE)
    marks.append(Line(frame.at(signal_percent, signal), pale, f"{panel.side} signal"))
    mean = np.clip(panel.mean, 0.0, _TOP)
    marks.append(Line(frame.at(percent, mean), mean_stroke(panel.side), f"{panel.side} mean"))
    if foot_off is not None:
        marks.append(foot_off_tick(frame, panel.side, foot_off))
    marks += _bars(frame, np.nan_to_num(panel.on_share) > _OFTEN, SIDE[panel.side], 6.5, "on")
    if panel.norm is not None:
        level = panel.norm.min() + _HALF * np.ptp(panel.norm)
        marks += _bars(frame, panel.norm > level, MUTED, 11.0, "norm bar")
    return marks


def _reason(frame: Frame, text: str) -> list[Mark]:
    """Write the reason for missing curves in the middle of the frame."""
    lines = few_lines(text or "no whole stride", PLOT, size(_REASON), 3, regular_width)
    x, middle = frame.left + PLOT / 2, frame.bottom + frame.height / 2
    return [
        TextLine(
            x, middle + 12.0 * (len(lines) / 2 - i - 0.8), line, size(_REASON), MUTED, "center"
        )
        for i, line in enumerate(lines)
    ]


def _bars(frame: Frame, on: Mask, colour: str, below: float, name: str) -> list[Mark]:
    """Draw a bar below the axis for each period in which a muscle is on."""
    y, bar_height = frame.bottom - below, 4.0 if below < _ON_BAR / 2 + 1 else 2.5
    marks: list[Mark] = []
    for a, b in runs(on):
        left, right = (frame.place(float(k), 0.0)[0] for k in (a, min(b, 100)))
        marks.append(Area(rectangle(left, y, right, y + bar_height), colour, name))
    return marks


def _axis(frame: Frame, side: str) -> list[Mark]:
    """Draw the lower axis and the letter of the side."""
    letter = TextLine(
        frame.left - 12.0, frame.top - 9.0, LETTER[side], size(TICK), SIDE[side], bold=True,
        name="side",
    )  # fmt: skip
    return [lower_edge(frame), letter]
