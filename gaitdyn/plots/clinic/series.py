"""A value of both sides over several sessions, with the norm of each session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.clinic.axes import LEFT_EDGE, PLOT, WIDTH, axis_ticks, lower_edge, lower_tick
from gaitdyn.plots.clinic.palette import FAR, MUTED, NEAR, SIDE, TICK, mean_stroke, size
from gaitdyn.plots.frames import Frame, areas_between, known_lines, known_range, tick_label
from gaitdyn.plots.marks import Area, Mark, TextLine, disc
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.metrics.healthy import Expected
    from gaitdyn.types.arrays import Array

HEIGHT = 150.0
_TALL, _BELOW, _INSET = 118.0, 26.0, 14.0
_DOT = 3.4
_NARROW = 30.0
"""Least space for a label, units; a label without enough space is left out."""

__all__ = ["HEIGHT", "WIDTH", "series_drawing"]


def series_drawing(
    values: Mapping[str, Sequence[float | None]],
    norms: Sequence[Expected | None],
    at: Sequence[float],
    labels: Sequence[str],
) -> list[Mark]:
    """Draw one value over the sessions.

    Parameters
    ----------
    values : mapping
        Side -> value of each session, None if unknown.
    norms : sequence of Expected or None
        Norm of each session, as speed and leg length may change.
    at : sequence of float
        Time of each session, 0 to 1.
    labels : sequence of str
        Labels below the axis.
    """
    by_side = {side: np.array([np.nan if v is None else v for v in values[side]]) for side in SIDES}
    ends = {
        z: np.array([np.nan if norm is None else norm.at(z) for norm in norms])
        for z in (-2.0, -1.0, 1.0, 2.0)
    }
    low, high = known_range(np.concatenate([*by_side.values(), ends[-2.0], ends[2.0]]))
    margin = 0.08 * (high - low) or 0.5
    x_limits, y_limits = (-_INSET / PLOT, 1 + _INSET / PLOT), (low - margin, high + margin)
    frame = Frame(LEFT_EDGE, _BELOW, PLOT, _TALL, x_limits, y_limits)
    x = np.array(at)
    marks: list[Mark] = []
    for k, colour in ((2.0, FAR), (1.0, NEAR)):
        marks += _norm_marks(frame, x, (ends[-k], ends[k]), colour)
    for value in axis_ticks(*frame.y):
        x_label, y = LEFT_EDGE - 4.0, frame.place(0.0, value)[1] - 3.2
        marks.append(TextLine(x_label, y, tick_label(value), size(TICK), MUTED, "right"))
    marks.append(lower_edge(frame))
    marks += _label_marks(frame, x, labels)
    for side in SIDES:
        marks += known_lines(frame, x, by_side[side], mean_stroke(side, 1.7), f"{side} mean")
        known_rows = np.isfinite(by_side[side])
        marks += [
            Area(disc(x_at, y_at, _DOT), SIDE[side], f"{side} session")
            for x_at, y_at in frame.at(x[known_rows], by_side[side][known_rows])
        ]
    return marks


def _norm_marks(frame: Frame, x: Array, ends: tuple[Array, Array], colour: str) -> list[Mark]:
    low, high = ends
    known = np.isfinite(low) & np.isfinite(high)
    if known.sum() < 2:  # noqa: PLR2004  an area needs two
        return []
    return areas_between(frame, x[known], low[known], high[known], colour, "norm")


def _label_marks(frame: Frame, x: Array, labels: Sequence[str]) -> list[Mark]:
    """Draw ticks and as many labels as fit, always including the last one."""
    marks: list[Mark] = []
    free_to = np.inf
    for i in range(len(labels) - 1, -1, -1):
        tick_x = frame.place(float(x[i]), frame.y[0])[0]
        marks.append(lower_tick(frame, tick_x))
        label_width = max(_NARROW, 5.4 * len(labels[i]))
        if tick_x + label_width / 2 <= free_to:
            middle = min(tick_x, frame.right + 4.0 - label_width / 2)
            marks.append(
                TextLine(middle, frame.bottom - 13.0, labels[i], size(TICK), MUTED, "center")
            )
            free_to = middle - label_width / 2
    return marks
