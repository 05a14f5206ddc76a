"""The floor from above, walking to the right, and the force of the ground from the side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.clinic.palette import FAR, HAIR, INK, MUTED, SIDE, mean_stroke, size, stroke
from gaitdyn.plots.marks import Area, Line, TextLine, segment
from gaitdyn.types.arrays import Array
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gaitdyn.plots.clinic.steps import Butterfly, FloorPlan
    from gaitdyn.plots.marks import Align, Mark

WIDTH = 336.0
_ROOM_M, _LOWEST, _TALLEST = 0.12, 60.0, 150.0
BUTTERFLY_HEIGHT = 150.0
FORCE_TITLE = "Force from the side, body weights (BW)"
_MOST_ARROWS = 24


def floor_drawing(plan: FloorPlan) -> tuple[list[Mark], float]:
    """Return plates, feet and paths of the force, and the drawing's height.

    Parameters
    ----------
    plan : FloorPlan
    """
    places = [*plan.plates, *(np.stack((1.45 * f.line[0] - 0.45 * f.line[1], f.line[1]))
                              for f in plan.feet)]  # fmt: skip
    if not places:
        return [], 0.0
    points = np.concatenate(places)
    low, high = points.min(axis=0) - _ROOM_M, points.max(axis=0) + _ROOM_M
    span = high - low
    scale = min(WIDTH / span[0], _TALLEST / span[1])
    height = max(_LOWEST, scale * span[1]) + 18.0

    def at(xy: Array) -> Array:
        centre = (low + high) / 2
        moved = (np.atleast_2d(xy) - centre) * scale
        return np.asarray(moved + np.array([WIDTH / 2, 18.0 + (height - 18.0) / 2]))

    marks: list[Mark] = []
    trodden = np.concatenate([at(f.line) for f in plan.feet] or [np.empty((0, 2))])
    for number, plate in zip(plan.numbers, plan.plates, strict=True):
        corners = at(plate)
        marks.append(Area(corners, FAR, "plate"))
        outline = np.concatenate((corners, corners[:1]))
        marks.append(Line(outline, stroke(HAIR, 0.8, level=1), "plate"))
        x, y, align = _free_corner(corners, trodden)
        marks.append(TextLine(x, y, f"plate {number}", size(8.8), MUTED, align))
    for foot in plan.feet:
        marks += _foot(at, foot.side, foot.line)
    for side, path in plan.paths:
        known = path[np.isfinite(path).all(axis=1)]
        if len(known) > 1:
            marks.append(Line(at(known), stroke(SIDE[side], 1.6, level=4), f"{side} force"))
    half = 0.5 * scale
    marks.append(segment((0.0, 10.0), (half, 10.0), stroke(MUTED, 1.0), "scale"))
    marks.append(TextLine(half + 5.0, 7.0, "0.5 m", size(8.8), MUTED))
    if plan.walks:
        marks.append(TextLine(WIDTH, 7.0, "walking \u2192", size(8.8), MUTED, "right"))
    return marks, height


def _free_corner(corners: Array, feet: Array) -> tuple[float, float, Align]:
    """Return where the name of a plate stands: in the corner that lies farthest from any foot."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    left, right = float(low[0]) + 3.0, float(high[0]) - 3.0
    ends: tuple[tuple[float, Align], ...] = ((left, "left"), (right, "right"))
    heights = float(high[1]) - 10.0, float(low[1]) + 4.0
    places: list[tuple[float, float, Align]] = [(x, y, how) for y in heights for x, how in ends]

    def apart(place: tuple[float, float, Align]) -> float:
        middle = place[0] + (14.0 if place[2] == "left" else -14.0), place[1] + 3.0
        return float(np.hypot(*(feet - middle).T).min()) if len(feet) else 0.0

    return max(places, key=apart)


def _foot(at: Callable[[Array], Array], side: str, line: Array) -> list[Mark]:
    """Return the outline of a foot about the line from heel to toe."""
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
    points = at(np.array(outline))
    colour = SIDE[side]
    x, y = at(heel - 0.45 * along)[0]
    return [
        Line(points, stroke(colour, 1.4, level=3), f"{side} foot"),
        TextLine(float(x), float(y) - 3.5, LETTER[side], size(10.0), colour, "center", bold=True),
    ]  # fmt: skip


def butterfly_drawing(found: Sequence[Butterfly]) -> list[Mark]:
    """Return the force of the ground along its path from the side, left then right.

    Parameters
    ----------
    found : sequence of Butterfly
        At most one a side.
    """
    marks: list[Mark] = []
    most = max((float(np.nanmax(one.force[:, 1])) for one in found), default=1.0)
    scale = (BUTTERFLY_HEIGHT - 34.0) / max(most, 1.3)
    floor = 22.0
    body = floor + scale
    for one in found:
        left = 6.0 if one.side == "left" else WIDTH / 2 + 6.0
        wide = WIDTH / 2 - 12.0
        low, high = float(np.nanmin(one.along)), float(np.nanmax(one.along))
        centre = left + wide / 2
        per_m = min(0.45 * wide / max(high - low, 0.05), 320.0)
        base = np.stack(
            (centre + per_m * (one.along - (low + high) / 2), np.full_like(one.along, floor)),
            axis=1,
        )
        tips = base + scale * one.force
        step = max(1, len(base) // _MOST_ARROWS)
        thin = stroke(SIDE[one.side], 0.6, level=2, alpha=0.55)
        marks += [
            Line(arrow, thin, f"{one.side} force")
            for arrow in np.stack((base, tips), axis=1)[::step]
            if np.isfinite(arrow).all()
        ]
        known = np.isfinite(tips).all(axis=1)
        marks.append(Line(tips[known], mean_stroke(one.side), f"{one.side} outline"))
        line = stroke(HAIR, 0.7, (3.0, 3.0), level=1)
        marks.append(segment((left, body), (left + wide, body), line, "body weight"))
        marks.append(TextLine(left, body + 3.0, "1 BW", size(8.8), MUTED))
        marks.append(
            TextLine(left, 6.0, one.side.capitalize(), size(10.5), SIDE[one.side], bold=True)
        )
        told = " \u00b7 ".join(f"{p:.2f}" for p in one.peaks)
        words = f"peaks {told} BW" if told else f"peak {float(np.nanmax(one.force[:, 1])):.2f} BW"
        marks.append(TextLine(left + wide, 6.0, words, size(9.0), INK, "right"))
    return marks
