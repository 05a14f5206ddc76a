"""The floor plan of the force plates: outlines, feet, paths of the centre of pressure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitdyn.plots.frames import (
    Frame,
    below_words,
    end_words,
    known_lines,
    scale_marks,
    ticks,
    title_marks,
)
from gaitdyn.plots.marks import COLOUR, DASH, GREY, INK, Line, Mark, Stroke, TextLine, text_width
from gaitdyn.plots.walkway import DrawnPlate, DrawnStep, drawn_plates, drawn_steps
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.result import Processed

REJECTED = "#7A7A7A"
_MOST_MM = 85.0
_ROOM_M = 0.15
_MOST_NAMED, _WORD_MM = 12, 2.5


@frozen(eq=False)
class PlanView:
    """Data that all parts of the figure share.

    Attributes
    ----------
    plates : sequence of DrawnPlate
    steps : sequence of DrawnStep
    time_s : array, shape (n,)
    m_per_mm : float
        Scale of both axes, so that a plate keeps its shape.
    x, y : tuple of float
        Visible part of the floor, forward and to the left, m.
    peak_N : float
        Largest upward force of a step; 1 if there is none, as on a plate that measures nothing.
    moving : bool
        Whether the ground moves: the plan is in its frame, in which the plates have no place.
    """

    plates: Sequence[DrawnPlate]
    steps: Sequence[DrawnStep]
    time_s: Array
    m_per_mm: float
    x: tuple[float, float]
    y: tuple[float, float]
    peak_N: float
    moving: bool = False

    @property
    def plan_height(self) -> float:
        """Height of the floor plan, mm."""
        return (self.y[1] - self.y[0]) / self.m_per_mm

    @property
    def named(self) -> bool:
        """Whether the steps are few enough to label each of them."""
        return len(self.steps) <= _MOST_NAMED


def view_of(result: Processed, width_mm: float) -> PlanView:
    """Return plates and steps with a common scale for both views.

    Parameters
    ----------
    result : Processed
    width_mm : float
        Width of the floor plan.
    """
    plates, steps = drawn_plates(result), drawn_steps(result)
    corners = [plate.corners for plate in plates]
    feet, paths = [f for step in steps for f in step.feet], [step.cop for step in steps]
    seen = [points for step in steps for points in (step.feet or (step.cop,))]
    moving = bool(result.belts) and any(np.isfinite(points).any() for points in seen)
    floor = np.concatenate(seen if moving else corners)
    low, high = np.nanmin(floor, axis=0) - 2 * _ROOM_M, np.nanmax(floor, axis=0) + 2 * _ROOM_M
    points = np.concatenate([*([] if moving else corners), *paths, *feet])
    inside = points[((points >= low) & (points <= high)).all(axis=1)]
    low, high = inside.min(axis=0) - _ROOM_M, inside.max(axis=0) + _ROOM_M
    size = high - low
    m_per_mm = max(size[0] / width_mm, size[1] / _MOST_MM)
    spare = (m_per_mm * width_mm - size[0]) / 2
    peaks = [np.nanmax(step.force[:, 1]) for step in steps if np.isfinite(step.force[:, 1]).any()]
    return PlanView(
        plates, steps, result.time_s, float(m_per_mm),
        (float(low[0] - spare), float(high[0] + spare)), (float(low[1]), float(high[1])),
        float(max((peak for peak in peaks if peak > 0.0), default=1.0)), moving,
    )  # fmt: skip


def step_colour(side: str) -> str:
    """Return the colour of a side, or grey for a rejected contact."""
    return COLOUR.get(side, REJECTED)


def plan_marks(frame: Frame, view: PlanView) -> list[Mark]:
    """Draw the floor seen from above, walking to the right."""
    seen = "Steps from above, in the frame of the belts" if view.moving else "Floor plan from above"
    marks = title_marks(frame, f"{seen}, walking to the right \u2192", "m")
    marks += scale_marks(frame, ticks(*frame.x, most=12), ticks(*frame.y, most=6))
    marks += end_words(frame, "to the left", "to the right")
    marks.append(below_words(frame, "forward (m)"))
    words: list[TextLine] = []
    for step in view.steps:
        colour = step_colour(step.side)
        stroke = Stroke(colour, 1.8, DASH.get(step.side, ()), level=4)
        cop = _inside(frame, step.cop)
        marks += known_lines(frame, cop[:, 0], cop[:, 1], stroke, f"{step.side} cop")
        for foot in step.feet:
            marks += _arrow(frame.at(foot[:, 0], foot[:, 1]), Stroke(colour, 0.8, level=3))
        if view.named:
            words += _plan_word(frame, cop, step)
    for plate in (p for p in view.plates if not (p.virtual or view.moving)):
        outline = frame.at(plate.corners[:, 0], plate.corners[:, 1])
        marks.append(Line(outline[[0, 1, 2, 3, 0]], Stroke(INK, 1.2), f"plate {plate.number}"))
        words.append(_plate_word(outline, f"plate {plate.number}", words))
    return [*marks, *words]


def _inside(frame: Frame, points: Array) -> Array:
    """Return the points, with NaN for those outside the scales of the frame."""
    low, high = np.array([frame.x[0], frame.y[0]]), np.array([frame.x[1], frame.y[1]])
    inside = np.all((points >= low) & (points <= high), axis=1)
    return np.where(inside[:, None], points, np.nan)


def _plate_word(outline: Array, text: str, others: Sequence[TextLine]) -> TextLine:
    """Write the name of a plate as near to its upper left corner as it fits inside and is free."""
    corner: Array = outline[int(np.argmax(outline[:, 1] - outline[:, 0]))]
    centre: Array = outline.mean(axis=0)
    size = np.array([text_width(text, 8.0), _WORD_MM])
    edges = np.roll(outline, -1, axis=0) - outline
    orientation = np.sign(edges[0, 0] * edges[1, 1] - edges[0, 1] * edges[1, 0])
    for part in np.linspace(0.0, 0.6, 13):
        start = corner + np.array([1.5, -4.0]) + part * (centre - corner)
        box = start + size * np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
        to_box = box[:, None] - outline
        inside = orientation * (edges[:, 0] * to_box[..., 1] - edges[:, 1] * to_box[..., 0]) > 0
        if inside.all() and not any(_overlap(box, other) for other in others):
            return TextLine(float(start[0]), float(start[1]), text, 8.0, GREY)
    return TextLine(float(centre[0]), float(centre[1]), text, 8.0, GREY, "center")


def _overlap(box: Array, word: TextLine) -> bool:
    """Return whether a word lies on a box, shape (4, 2)."""
    wide = text_width(word.text, word.size_pt)
    left = word.x - {"left": 0.0, "center": 0.5, "right": 1.0}[word.align] * wide
    (x0, y0), (x1, y1) = box.min(axis=0), box.max(axis=0)
    return bool(x0 < left + wide and left < x1 and y0 < word.y + _WORD_MM and word.y < y1)


def _plan_word(frame: Frame, cop: Array, step: DrawnStep) -> list[TextLine]:
    """Label a step: above a left foot, below the others."""
    known = cop[np.isfinite(cop).all(axis=1)]
    points = np.concatenate([known, *step.feet])
    if not len(points):
        return []
    on_sheet = frame.at(points[:, 0], points[:, 1])
    x = float((on_sheet[:, 0].min() + on_sheet[:, 0].max()) / 2)
    y = on_sheet[:, 1].max() + 3.5 if step.side == "left" else on_sheet[:, 1].min() - 5.5
    return [TextLine(x, float(y), step.side, 8.0, step_colour(step.side), "center", name="step")]


def _arrow(points: Array, stroke: Stroke) -> list[Mark]:
    """Draw an arrow between two points, mm."""
    heel, toe = points
    along = (toe - heel) / max(float(np.linalg.norm(toe - heel)), 1e-9)
    across = np.array([-along[1], along[0]])
    head = np.stack([toe - 2.2 * along + across, toe, toe - 2.2 * along - across])
    foot = np.stack([heel - across, heel + across])
    return [Line(points, stroke, "foot"), Line(head, stroke, "foot"), Line(foot, stroke, "foot")]
