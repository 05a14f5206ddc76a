"""Electromyography over the gait cycle: signal, envelope, norm and on-times, a row a muscle."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.frames import Frame, below_words, empty_marks, scale_marks, title_marks
from gaitdyn.plots.headline import (
    EDGE_MM,
    header_height,
    headline,
    key,
    key_rows,
    side_stroke,
    trial_name,
)
from gaitdyn.plots.marks import COLOUR, PALE, Area, Line, Sheet, Stroke, characters
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.emg.panels import EmgPanel
    from gaitdyn.plots.marks import Mark
    from gaitdyn.types.result import Processed

_WIDTH, _HEIGHT = 74.0, 30.0
_GUTTER, _HEAD, _GAP, _FOOT, _KEY_STEP = 13.0, 8.0, 4.0, 13.0, 4.2
_PERCENT = np.linspace(0.0, 100.0, 101)
_TICKS = (0.0, 20.0, 40.0, 60.0, 80.0, 100.0)
_NORM = "#D2D2D2"
_LIMITS, _ON = (-0.16, 1.6), (-0.13, -0.05)
_RAW, _BAND = Stroke(PALE, 0.4, level=2), Stroke(_NORM, 4.0)


def muscle_sheet(result: Processed, panels: Sequence[EmgPanel]) -> Sheet:
    """Return the muscles of both legs, left and right beside each other.

    Pale the rectified signal of the stride nearest to the mean, above it the mean envelope; grey
    the shape of the norm and one standard deviation, on the same mean; below zero when the muscle
    is on, the darker the more strides. A muscle that is not shown has its reason in its place.

    Parameters
    ----------
    result : Processed
    panels : sequence of EmgPanel
        Of :func:`gaitdyn.emg.panels.emg_panels`.
    """
    muscles = list(dict.fromkeys(panel.muscle for panel in panels))
    width = 2 * EDGE_MM + 2 * (_GUTTER + _WIDTH) + _GAP
    lines = _lines(panels)
    entries: list[tuple[str, Stroke | None]] = [
        ("left", side_stroke("left", 1.7)),
        ("right", side_stroke("right", 1.7)),
        ("signal", Stroke(PALE, 1.2)),
        ("norm, 1 SD", _BAND),
    ]
    keys = key_rows(entries, width - 2 * EDGE_MM)
    top = header_height(lines, width) + len(keys) * _KEY_STEP
    rows = [_HEAD + _HEIGHT + _GAP for _ in muscles]
    height = top + sum(rows) + _FOOT
    marks, _ = headline(f"Muscles \u2013 {trial_name(result)}", lines, width, height)
    for i, row in enumerate(keys):
        y = height - header_height(lines, width) - (i + 1) * _KEY_STEP
        marks += key(row, EDGE_MM, y)
    found = {(panel.side, panel.muscle): panel for panel in panels}
    for i, muscle in enumerate(muscles):
        bottom = height - top - (i + 1) * (_HEAD + _HEIGHT) - i * _GAP
        for k, side in enumerate(SIDES):
            left = EDGE_MM + _GUTTER + k * (_GUTTER + _WIDTH + _GAP)
            frame = Frame(left, bottom, _WIDTH, _HEIGHT, (0.0, 100.0), _LIMITS)
            marks += panel_marks(frame, found.get((side, muscle)), side, muscle)
            if i == len(muscles) - 1:
                marks.append(below_words(frame, "% gait cycle"))
    return Sheet(width, height, tuple(marks))


def _lines(panels: Sequence[EmgPanel]) -> list[str]:
    strides = {
        side: max((p.strides for p in panels if p.side == side), default=0) for side in SIDES
    }
    counts = ", ".join(f"{side} {n} strides" for side, n in strides.items())
    return [f"{counts}; 1 is the peak of the mean", "Shapes are compared with the norm, not sizes"]


def panel_marks(frame: Frame, panel: EmgPanel | None, side: str, muscle: str) -> list[Mark]:
    """Return the marks of one muscle of one side.

    Parameters
    ----------
    frame : Frame
    panel : EmgPanel or None
        None where the file has no such channel.
    side, muscle : str
    """
    title = title_marks(frame, f"{side} {muscle.replace('_', ' ')}", "")
    if panel is None or not panel.mean.size:
        reason = "no channel" if panel is None else panel.reason
        words = textwrap.wrap(reason, characters(_WIDTH - 4.0, 7.0))[:4]
        return [*title, *empty_marks(frame, words)]
    marks: list[Mark] = [*title, *_norm_marks(frame, panel)]
    quarter = np.linspace(0.125, 99.875, len(panel.rectified))
    top = _LIMITS[1]
    marks += scale_marks(frame, _TICKS, (0.0, 0.5, 1.0, 1.5))
    marks.append(Line(frame.at(quarter, np.minimum(panel.rectified, top)), _RAW, "signal"))
    mean = np.minimum(panel.mean, top)
    marks.append(Line(frame.at(_PERCENT, mean), side_stroke(side, 1.7), f"{side} {muscle}"))
    return marks + _on_marks(frame, panel, side)


def _norm_marks(frame: Frame, panel: EmgPanel) -> list[Mark]:
    """Return the band of the norm within the frame."""
    if panel.norm is None or panel.norm_sd is None:
        return []
    low = np.clip(panel.norm - panel.norm_sd, 0.0, _LIMITS[1])
    high = np.clip(panel.norm + panel.norm_sd, 0.0, _LIMITS[1])
    edge = np.concatenate((frame.at(_PERCENT, low), frame.at(_PERCENT, high)[::-1]))
    return [Area(edge, _NORM, "norm")]


def _on_marks(frame: Frame, panel: EmgPanel, side: str) -> list[Mark]:
    """Return a bar for each per cent in which the muscle is on in some stride."""
    marks: list[Mark] = []
    for percent, share in enumerate(panel.on_share[:100].tolist()):
        if share > 0:
            corners = frame.at(
                np.array([percent, percent + 1.0, percent + 1.0, percent]),
                np.array([_ON[0], _ON[0], _ON[1], _ON[1]]),
            )
            marks.append(Area(corners, COLOUR[side], "on", alpha=share))
    return marks
