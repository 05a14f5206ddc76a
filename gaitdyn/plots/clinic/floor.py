"""The floor from above, walking to the right, and the ground reaction force from the side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.clinic.palette import FAR, HAIR, INK, MUTED, SIDE, mean_stroke, size, stroke
from gaitdyn.plots.marks import Align, Area, Line, Mark, TextLine, segment
from gaitdyn.plots.typeface import regular_width
from gaitdyn.types.arrays import Array
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gaitdyn.plots.clinic.steps import Butterfly, FloorPlan

WIDTH = 336.0
_ROOM_M, _LOWEST, _TALLEST = 0.12, 60.0, 150.0
_TYPE, _TALL, _BESIDE = 11.0, 8.0, 13.0
"""Size of the words; height of their letters; room above and below the plates for their names."""
BUTTERFLY_HEIGHT = 150.0
FORCE_TITLE = "Force from the side, body weights (BW)"
_MOST_ARROWS = 24


def floor_drawing(plan: FloorPlan) -> tuple[list[Mark], float]:
    """Draw plates, feet and paths of the force; return the marks and the height."""
    outlines = [*plan.plates, *(np.stack((_letter_at(f.line), f.line[1])) for f in plan.feet)]
    if not outlines:
        return [], 0.0
    points = np.concatenate(outlines)
    low, high = points.min(axis=0) - _ROOM_M, points.max(axis=0) + _ROOM_M
    span = high - low
    scale = min(WIDTH / span[0], _TALLEST / span[1])
    height = max(_LOWEST, scale * span[1]) + 18.0 + 2.0 * _BESIDE

    def on_sheet(xy: Array) -> Array:
        centre = (low + high) / 2
        moved = (np.atleast_2d(xy) - centre) * scale
        return np.asarray(moved + np.array([WIDTH / 2, 18.0 + (height - 18.0) / 2]))

    marks: list[Mark] = []
    for plate in plan.plates:
        corners = on_sheet(plate)
        marks.append(Area(corners, FAR, "plate"))
        outline = np.concatenate((corners, corners[:1]))
        marks.append(Line(outline, stroke(HAIR, 0.8, level=1), "plate"))
    marks += _plate_names(plan, on_sheet)
    for foot in plan.feet:
        marks += _foot(on_sheet, foot.side, foot.line)
    for side, path in plan.paths:
        known = path[np.isfinite(path).all(axis=1)]
        if len(known) > 1:
            marks.append(Line(on_sheet(known), stroke(SIDE[side], 1.6, level=4), f"{side} force"))
    half = 0.5 * scale
    marks.append(segment((0.0, 10.0), (half, 10.0), stroke(MUTED, 1.0), "scale"))
    marks.append(TextLine(half + 5.0, 6.0, "0.5 m", size(_TYPE), MUTED))
    if plan.walks:
        marks.append(TextLine(WIDTH, 6.0, "walking \u2192", size(_TYPE), MUTED, "right"))
    return marks, height


_NOWHERE = np.empty((0, 2))


def _plate_names(plan: FloorPlan, on_sheet: Callable[[Array], Array]) -> list[Mark]:
    """Write the name of each plate where no foot and no other name is in the way."""
    taken = np.concatenate([_foot_points(on_sheet, f.line) for f in plan.feet] or [_NOWHERE])
    marks: list[Mark] = []
    for number, plate in zip(plan.numbers, plan.plates, strict=True):
        name = f"plate {number}"
        wide = regular_width(name, size(_TYPE))
        x, y, align = _free_place(on_sheet(plate), taken, wide)
        marks.append(TextLine(x, y, name, size(_TYPE), MUTED, align))
        middle = np.array(_middle((x, y, align), wide))
        taken = np.concatenate((taken, middle + np.linspace((-wide / 2, 0.0), (wide / 2, 0.0), 9)))
    return marks


def _free_place(corners: Array, taken: Array, wide: float) -> tuple[float, float, Align]:
    """Return the position of a plate's name: within the plate, or else above or below it.

    Of the corners it is the one that is farthest from any foot, if no foot or name is in the way.

    Parameters
    ----------
    corners : array, shape (4, 2)
    taken : array, shape (n, 2)
        Points of the feet and of the names so far.
    wide : float
        Of the name.
    """
    low, high = corners.min(axis=0), corners.max(axis=0)
    left, right, middle = float(low[0]) + 3.0, float(high[0]) - 3.0, float(low[0] + high[0]) / 2
    top, bottom = float(high[1]), float(low[1])
    ends: tuple[tuple[float, Align], ...] = ((left, "left"), (right, "right"))
    inside: list[tuple[float, float, Align]] = [
        (x, y, a) for y in (top - _TALL - 2.0, bottom + 4.0) for x, a in ends
    ]
    beside: list[tuple[float, float, Align]] = [
        (middle, bottom - _TALL - 3.0, "center"), (middle, top + 4.0, "center"),
    ]  # fmt: skip

    def distance(position: tuple[float, float, Align]) -> float:
        x, y = _middle(position, wide)
        return float(np.hypot(*(taken - (x, y)).T).min()) if len(taken) else 0.0

    def free(position: tuple[float, float, Align]) -> bool:
        x, y = _middle(position, wide)
        apart = np.abs(taken - (x, y))
        within = wide / 2 <= x <= WIDTH - wide / 2
        return within and not (apart < (wide / 2 + 2.0, _TALL / 2 + 2.0)).all(axis=1).any()

    fits = right - left >= wide
    ranked = sorted(inside, key=distance, reverse=True) if fits else []
    return next(filter(free, (*ranked, *beside)), max((*inside, *beside), key=distance))


def _middle(position: tuple[float, float, Align], wide: float) -> tuple[float, float]:
    """Return the middle of a name of a width."""
    x, y, align = position
    shift = {"left": wide / 2, "right": -wide / 2, "center": 0.0}[align]
    return x + shift, y + _TALL / 2


def _foot_points(on_sheet: Callable[[Array], Array], line: Array) -> Array:
    """Return points of a foot and of its letter, close enough for no name to stand between."""
    outline = on_sheet(_foot_outline(line))
    dense = np.linspace(outline[:-1], outline[1:], 6).reshape(-1, 2)
    middle = outline.mean(axis=0)
    filled = [middle + part * (dense - middle) for part in (0.0, 0.35, 0.7, 1.0)]
    letter = on_sheet(_letter_at(line)) + np.array([[0.0, -4.0], [0.0, 0.0], [0.0, 4.0]])
    return np.concatenate((*filled, letter))


def _letter_at(line: Array) -> Array:
    """Return the place of a foot's letter, behind the heel."""
    return np.asarray(1.45 * line[0] - 0.45 * line[1])


def _foot(on_sheet: Callable[[Array], Array], side: str, line: Array) -> list[Mark]:
    """Draw the outline of a foot about the line from heel to toe."""
    if not float(np.hypot(*(line[1] - line[0]))):
        return []
    points = on_sheet(_foot_outline(line))
    colour = SIDE[side]
    x, y = on_sheet(_letter_at(line))[0]
    return [
        Line(points, stroke(colour, 1.4, level=3), f"{side} foot"),
        TextLine(float(x), float(y) - 4.0, LETTER[side], size(_TYPE), colour, "center", bold=True),
    ]  # fmt: skip


def _foot_outline(line: Array) -> Array:
    """Return the outline of a foot about the line from heel to toe, closed."""
    heel, toe = line
    along = toe - heel
    length = float(np.hypot(*along))
    forward = along / (length or 1.0)
    across = np.array([-forward[1], forward[0]])
    outline = [
        heel - 0.08 * length * forward,
        heel + 0.16 * length * across,
        heel + 0.55 * along + 0.14 * length * across,
        heel + 0.88 * along + 0.24 * length * across,
        heel + 1.18 * along + 0.10 * length * across,
        heel + 1.2 * along - 0.1 * length * across,
        heel + 0.88 * along - 0.22 * length * across,
        heel + 0.5 * along - 0.12 * length * across,
        heel - 0.16 * length * across,
        heel - 0.08 * length * forward,
    ]
    return np.array(outline)


def butterfly_drawing(steps: Sequence[Butterfly]) -> list[Mark]:
    """Draw the ground reaction force along its path, seen from the side, left then right.

    Parameters
    ----------
    steps : sequence of Butterfly
        At most one per side.
    """
    marks: list[Mark] = []
    largest = max((float(np.nanmax(step.force[:, 1])) for step in steps), default=1.0)
    scale = (BUTTERFLY_HEIGHT - 34.0) / max(largest, 1.3)
    floor = 22.0
    body = floor + scale
    for step in steps:
        left = 6.0 if step.side == "left" else WIDTH / 2 + 6.0
        plot_width = WIDTH / 2 - 12.0
        low, high = float(np.nanmin(step.along)), float(np.nanmax(step.along))
        centre = left + plot_width / 2
        per_m = min(0.45 * plot_width / max(high - low, 0.05), 320.0)
        points = np.stack(
            (centre + per_m * (step.along - (low + high) / 2), np.full_like(step.along, floor)),
            axis=1,
        )
        tips = points + scale * step.force
        every = max(1, len(points) // _MOST_ARROWS)
        thin = stroke(SIDE[step.side], 0.6, level=2, alpha=0.55)
        marks += [
            Line(arrow, thin, f"{step.side} force")
            for arrow in np.stack((points, tips), axis=1)[::every]
            if np.isfinite(arrow).all()
        ]
        known = np.isfinite(tips).all(axis=1)
        marks.append(Line(tips[known], mean_stroke(step.side), f"{step.side} outline"))
        line = stroke(HAIR, 0.7, (3.0, 3.0), level=1)
        marks.append(segment((left, body), (left + plot_width, body), line, "body weight"))
        marks.append(TextLine(left, body + 3.0, "1 BW", size(_TYPE), MUTED))
        marks.append(
            TextLine(left, 6.0, step.side.capitalize(), size(_TYPE), SIDE[step.side], bold=True)
        )
        peaks = " \u00b7 ".join(f"{p:.2f}" for p in step.peaks)
        head = "mean peaks" if len(step.peaks) > 1 else "mean peak"
        words = f"{head} {peaks}" if peaks else f"peak {np.nanmax(step.force[:, 1]):.2f}"
        marks.append(TextLine(left + plot_width, 6.0, words, size(_TYPE), INK, "right"))
    return marks
