"""Force vectors from the side, drawn at the centre of pressure (Pedotti diagram)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.frames import (
    below_words,
    empty_marks,
    end_words,
    known_lines,
    scale_marks,
    tick_label,
    ticks,
    title_marks,
)
from gaitdyn.plots.marks import DASH, INK, Line, Stroke, TextLine
from gaitdyn.plots.plan import step_colour

if TYPE_CHECKING:
    from gaitdyn.plots.frames import Frame
    from gaitdyn.plots.marks import Mark
    from gaitdyn.plots.plan import PlanView
    from gaitdyn.plots.walkway import DrawnStep

_VECTORS = 25
"""Approximate number of vectors per step."""


def vector_marks(frame: Frame, view: PlanView) -> list[Mark]:
    """Draw the force vectors from the centre of pressure, with one scale in both directions."""
    N_per_mm = 1.18 * view.peak_N / frame.height
    frame = replace(frame, y=(0.0, N_per_mm * frame.height))
    title = "Force vectors at the centre of pressure, seen from the right side"
    marks = title_marks(frame, title, "N")
    marks.append(below_words(frame, "forward (m)"))
    if not view.steps:
        return marks + empty_marks(frame, ["no data: no foot on a plate"])
    marks += scale_marks(frame, ticks(*frame.x, most=12), ticks(*frame.y, most=5))
    marks += end_words(frame, "up", "")
    for step in view.steps:
        marks += _vectors(frame, step, N_per_mm, named=view.named)
    size = float(ticks(0.0, view.peak_N, most=3)[1])
    return marks + _scale_bar(frame, size, N_per_mm)


def _vectors(frame: Frame, step: DrawnStep, N_per_mm: float, *, named: bool) -> list[Mark]:
    """Draw the vectors of one step, the line through their ends, and the largest force."""
    colour = step_colour(step.side)
    known = np.isfinite(step.force).all(axis=1)
    known &= (step.cop[:, 0] >= frame.x[0]) & (step.cop[:, 0] <= frame.x[1])
    base = frame.at(step.cop[:, 0], 0.0)
    tip = np.where(known[:, None], base + step.force / N_per_mm, np.nan)
    rows = np.flatnonzero(known)
    if not len(rows):
        return []
    thin, outline = Stroke(colour, 0.6, level=2), Stroke(colour, 1.5, DASH.get(step.side, ()), 4)
    marks: list[Mark] = [
        Line(np.stack((base[row], tip[row])), thin, f"{step.side} force")
        for row in rows[:: max(round(len(rows) / _VECTORS), 1)]
    ]
    page = replace(frame, x=(frame.left, frame.right), y=(frame.bottom, frame.top))
    marks += known_lines(page, tip[:, 0], tip[:, 1], outline, f"{step.side} force ends")
    if not named:
        return marks
    peak = float(np.max(step.force[rows, 1]))
    x, highest = float(np.mean(tip[rows, 0])), float(np.max(tip[rows, 1]))
    words = f"{step.side}, peak {round(peak)} N"
    return [*marks, TextLine(x, highest + 2.0, words, 7.0, colour, "center", name="step")]


def _scale_bar(frame: Frame, size_N: float, N_per_mm: float) -> list[Mark]:
    x, length = frame.right + 4.0, size_N / N_per_mm
    low, high = frame.bottom, frame.bottom + length
    bar_x = [x - 1, x + 1, x, x, x - 1, x + 1]
    bar = np.stack((bar_x, [high, high, high, low, low, low]), axis=-1)
    text = f"{tick_label(size_N)} N"
    return [
        Line(bar, Stroke(INK, 1.2), "scale bar"),
        TextLine(x + 3.8, low + length / 2, text, 7.0, INK, "center", turned=True),
    ]
