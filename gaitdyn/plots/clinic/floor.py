"""The floor from above, walking to the right, and the ground reaction force from the side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.clinic.palette import FAR, HAIR, INK, MUTED, SIDE, mean_stroke, size, stroke
from gaitdyn.plots.marks import Align, Area, Line, Mark, TextLine, segment
from gaitdyn.types.arrays import Array
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gaitdyn.plots.clinic.steps import Butterfly, FloorPlan

WIDTH = 336.0
_ROOM_M, _LOWEST, _TALLEST = 0.12, 60.0, 150.0
BUTTERFLY_HEIGHT = 150.0
FORCE_TITLE = "Force from the side, body weights (BW)"
_MOST_ARROWS = 24


def floor_drawing(plan: FloorPlan) -> tuple[list[Mark], float]:
    """Draw plates, feet and paths of the force; return the marks and the height."""
    outlines = [*plan.plates, *(np.stack((1.45 * f.line[0] - 0.45 * f.line[1], f.line[1]))
                              for f in plan.feet)]  # fmt: skip
    if not outlines:
        return [], 0.0
    points = np.concatenate(outlines)
    low, high = points.min(axis=0) - _ROOM_M, points.max(axis=0) + _ROOM_M
    span = high - low
    scale = min(WIDTH / span[0], _TALLEST / span[1])
    height = max(_LOWEST, scale * span[1]) + 18.0

    def on_sheet(xy: Array) -> Array:
        centre = (low + high) / 2
        moved = (np.atleast_2d(xy) - centre) * scale
        return np.asarray(moved + np.array([WIDTH / 2, 18.0 + (height - 18.0) / 2]))

    marks: list[Mark] = []
    foot_points = np.concatenate([on_sheet(f.line) for f in plan.feet] or [np.empty((0, 2))])
    for number, plate in zip(plan.numbers, plan.plates, strict=True):
        corners = on_sheet(plate)
        marks.append(Area(corners, FAR, "plate"))
        outline = np.concatenate((corners, corners[:1]))
        marks.append(Line(outline, stroke(HAIR, 0.8, level=1), "plate"))
        x, y, align = _free_corner(corners, foot_points)
        marks.append(TextLine(x, y, f"plate {number}", size(8.8), MUTED, align))
    for foot in plan.feet:
        marks += _foot(on_sheet, foot.side, foot.line)
    for side, path in plan.paths:
        known = path[np.isfinite(path).all(axis=1)]
        if len(known) > 1:
            marks.append(Line(on_sheet(known), stroke(SIDE[side], 1.6, level=4), f"{side} force"))
    half = 0.5 * scale
    marks.append(segment((0.0, 10.0), (half, 10.0), stroke(MUTED, 1.0), "scale"))
    marks.append(TextLine(half + 5.0, 7.0, "0.5 m", size(8.8), MUTED))
    if plan.walks:
        marks.append(TextLine(WIDTH, 7.0, "walking \u2192", size(8.8), MUTED, "right"))
    return marks, height


def _free_corner(corners: Array, feet: Array) -> tuple[float, float, Align]:
    """Return the position of a plate's name: the corner that is farthest from any foot."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    left, right = float(low[0]) + 3.0, float(high[0]) - 3.0
    ends: tuple[tuple[float, Align], ...] = ((left, "left"), (right, "right"))
    heights = float(high[1]) - 10.0, float(low[1]) + 4.0
    positions: list[tuple[float, float, Align]] = [(x, y, a) for y in heights for x, a in ends]

    def distance(position: tuple[float, float, Align]) -> float:
        middle = position[0] + (14.0 if position[2] == "left" else -14.0), position[1] + 3.0
        return float(np.hypot(*(feet - middle).T).min()) if len(feet) else 0.0

    return max(positions, key=distance)


def _foot(on_sheet: Callable[[Array], Array], side: str, line: Array) -> list[Mark]:
    """Draw the outline of a foot about the line from heel to toe."""
    heel, toe = line
    along = toe - heel
    length = float(np.hypot(*along))
    if not length:
        return []
    forward = along / length
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
    points = on_sheet(np.array(outline))
    colour = SIDE[side]
    x, y = on_sheet(heel - 0.45 * along)[0]
    return [
        Line(points, stroke(colour, 1.4, level=3), f"{side} foot"),
        TextLine(float(x), float(y) - 3.5, LETTER[side], size(10.0), colour, "center", bold=True),
    ]  # fmt: skip


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
        marks.append(TextLine(left, body + 3.0, "1 BW", size(8.8), MUTED))
        marks.append(
            TextLine(left, 6.0, step.side.capitalize(), size(10.5), SIDE[step.side], bold=True)
        )
        peaks = " \u00b7 ".join(f"{p:.2f}" for p in step.peaks)
        head = "peaks" if len(step.peaks) > 1 else "peak"
        words = f"{head} {peaks} BW" if peaks else f"peak {np.nanmax(step.force[:, 1]):.2f} BW"
        marks.append(TextLine(left + plot_width, 6.0, words, size(9.0), INK, "right"))
    return marks
