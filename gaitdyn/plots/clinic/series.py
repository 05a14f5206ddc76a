"""A number of both sides over several sessions: points on the norm of each session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.clinic.palette import FAR, MUTED, NEAR, SIDE, TICK, mean_stroke, size
from gaitdyn.plots.clinic.panel import LEFT_EDGE, PLOT, WIDTH, axis_ticks, lower_edge, lower_tick
from gaitdyn.plots.frames import Frame, areas_between, known_lines, number
from gaitdyn.plots.marks import Area, TextLine
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.metrics.healthy import Expected
    from gaitdyn.plots.marks import Mark
    from gaitdyn.types.arrays import Array

HEIGHT = 150.0
_TALL, _BELOW, _INSET = 118.0, 26.0, 14.0
_DOT = 3.4
_NARROW = 30.0
"""Units between two labels below which every second one is left out."""

__all__ = ["HEIGHT", "WIDTH", "series_drawing"]


def series_drawing(
    values: Mapping[str, Sequence[float | None]],
    norms: Sequence[Expected | None],
    at: Sequence[float],
    labels: Sequence[str],
) -> list[Mark]:
    """Return one number over the sessions.

    Parameters
    ----------
    values : mapping
        Side -> value of each session, None where it is not known.
    norms : sequence of Expected or None
        Of each session: its speed and leg length may change.
    at : sequence of float
        When each session was, 0 to 1.
    labels : sequence of str
        Below the axis.
    """
    own = {side: np.array([np.nan if v is None else v for v in values[side]]) for side in SIDES}
    ends = {
        z: np.array([np.nan if one is None else one.at(z) for one in norms])
        for z in (-2.0, -1.0, 1.0, 2.0)
    }
    every = np.concatenate([*own.values(), ends[-2.0], ends[2.0]])
    known = every[np.isfinite(every)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    room = 0.08 * (high - low) or 0.5
    across, along = (-_INSET / PLOT, 1 + _INSET / PLOT), (low - room, high + room)
    frame = Frame(LEFT_EDGE, _BELOW, PLOT, _TALL, across, along)
    x = np.array(at)
    marks: list[Mark] = []
    for k, colour in ((2.0, FAR), (1.0, NEAR)):
        marks += _norm_marks(frame, x, (ends[-k], ends[k]), colour)
    for value in axis_ticks(*frame.y):
        y = frame.place(0.0, value)[1]
        marks.append(TextLine(LEFT_EDGE - 4.0, y - 3.2, number(value), size(TICK), MUTED, "right"))
    marks.append(lower_edge(frame))
    marks += _label_marks(frame, x, labels)
    for side in SIDES:
        marks += known_lines(frame, x, own[side], mean_stroke(side, 1.7), f"{side} mean")
        there = np.isfinite(own[side])
        marks += [
            Area(_dot(*place), SIDE[side], f"{side} session")
            for place in frame.at(x[there], own[side][there])
        ]
    return marks


def _norm_marks(frame: Frame, x: Array, told: tuple[Array, Array], colour: str) -> list[Mark]:
    low, high = told
    there = np.isfinite(low) & np.isfinite(high)
    if there.sum() < 2:  # noqa: PLR2004  an area needs two
        return []
    return areas_between(frame, x[there], low[there], high[there], colour, "norm")


def _label_marks(frame: Frame, x: Array, labels: Sequence[str]) -> list[Mark]:
    """Return ticks and as many labels as have room, the last one always."""
    marks: list[Mark] = []
    free = np.inf
    for i in range(len(labels) - 1, -1, -1):
        place = frame.place(float(x[i]), frame.y[0])[0]
        marks.append(lower_tick(frame, place))
        wide = max(_NARROW, 5.4 * len(labels[i]))
        if place + wide / 2 <= free:
            middle = min(place, frame.right + 4.0 - wide / 2)
            marks.append(
                TextLine(middle, frame.bottom - 13.0, labels[i], size(TICK), MUTED, "center")
            )
            free = middle - wide / 2
    return marks


def _dot(x: float, y: float) -> Array:
    turn = np.linspace(0.0, 2 * np.pi, 13)[:-1]
    return np.stack((x + _DOT * np.cos(turn), y + _DOT * np.sin(turn)), axis=1)
