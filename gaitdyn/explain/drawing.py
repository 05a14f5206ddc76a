"""Draw a free body: the segment, arrows for forces, arcs for moments."""

from __future__ import annotations

from typing import Literal

import numpy as np

from gaitdyn.explain.free_body import FreeBody
from gaitdyn.plots.marks import (
    AMBER,
    COLOUR,
    GREY,
    INK,
    PALE,
    Area,
    Line,
    Mark,
    Sheet,
    Stroke,
    TextLine,
    text_width,
)
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

View = Literal["sagittal", "frontal"]
_ACROSS = {"sagittal": 0, "frontal": 2}
_ABOUT: dict[str, tuple[int, float]] = {"sagittal": (2, 1.0), "frontal": (0, -1.0)}
_VIEWED = {"sagittal": "seen from the right: forward to the right", "frontal": "seen from behind"}

_WIDTH, _HEIGHT = 190.0, 185.0
_SEGMENT_MM, _ARROW_MM, _ARC_MM = 58.0, 42.0, 7.5
_SMALLEST = 1.5
"""mm; a shorter arrow is not drawn, its force is only listed."""

_GROUND = "ground"
_GREEN, _BLUE = "#1B6E3C", "#3B3B98"


@frozen(eq=False)
class _Arrow:
    """A force on the segment, its point of application and its label."""

    at_G: Array
    force_G: Array
    colour: str
    words: str


def free_body_sheet(body: FreeBody, view: View = "sagittal") -> Sheet:
    """Draw a free body.

    Parameters
    ----------
    body : FreeBody
    view : {"sagittal", "frontal"}
    """
    ends = _ends(body)
    flat = _flat(ends, view)
    size = max(float(np.ptp(flat, axis=0).max()), 0.05)
    middle = flat.mean(axis=0)
    mm = _SEGMENT_MM / size

    def on_sheet(point_G: Array) -> Array:
        return (_flat(point_G, view) - middle) * mm + (74.0, 82.0)

    marks = _heading(body, view)
    marks += _segment(body, on_sheet(ends), on_sheet(body.r_cm_G))
    arrows = _arrows(body)
    largest = max(float(np.linalg.norm(_flat(a.force_G, view))) for a in arrows)
    for arrow in arrows:
        along = _flat(arrow.force_G, view) / max(largest, 1e-9) * _ARROW_MM
        pushes = float((body.r_cm_G - arrow.at_G) @ arrow.force_G) > 0 or arrow.words == _GROUND
        words = f"{arrow.words} {np.linalg.norm(arrow.force_G):.0f} N"
        marks += arrow_marks(on_sheet(arrow.at_G), along, arrow.colour, words, pushes=pushes)
    for at_G, moment_G, colour, words in _turning(body):
        axis, sign = _ABOUT[view]
        marks += arc_marks(on_sheet(at_G), sign * float(moment_G[axis]), colour, words)
    marks += _key(body, arrows, view)
    return Sheet(_WIDTH, _HEIGHT, tuple(marks))


def _flat(vector_G: Array, view: View) -> Array:
    """Return the horizontal and vertical component in a view, shape (..., 2)."""
    return vector_G[..., [_ACROSS[view], 1]]


def _ends(body: FreeBody) -> Array:
    """Return proximal joint and distal end; a foot extends as far beyond its centre of mass."""
    if body.distal:
        return np.stack((body.r_prox_G, body.r_dist_G))
    return np.stack((body.r_prox_G, 2 * body.r_cm_G - body.r_prox_G))


def _segment(body: FreeBody, ends: Array, cm: Array) -> list[Mark]:
    along = ends[1] - ends[0]
    across = np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-9) * 4.0
    corners = (ends[0] + across, ends[1] + 0.7 * across, ends[1] - 0.7 * across, ends[0] - across)
    outline = np.stack(corners)
    marks: list[Mark] = [Area(outline, "#EFEFEF", "segment")]
    marks.append(Line(np.vstack((outline, outline[:1])), Stroke(PALE, 0.9), "segment"))
    points = [(ends[0], body.proximal), (cm, "centre of mass")]
    points += [(ends[1], body.distal)] if body.distal else []
    for point, name in points:
        angles = np.linspace(0, 2 * np.pi, 17)
        circle = point + 1.1 * np.stack((np.cos(angles), np.sin(angles)), axis=-1)
        marks.append(Area(circle, COLOUR[body.side], name))
        marks.append(TextLine(point[0] + 10.0, point[1] - 1.0, name, 7.0, INK, name="point"))
    return marks


def _arrows(body: FreeBody) -> list[_Arrow]:
    arrows = [_Arrow(body.r_cm_G, body.weight_G, GREY, "weight")]
    if np.any(body.ground_G):
        arrows.append(_Arrow(_ground_point(body), body.ground_G, _GREEN, _GROUND))
    if body.distal:
        arrows.append(_Arrow(body.r_dist_G, body.distal_G, _BLUE, f"\u2212F {body.distal}"))
    arrows.append(_Arrow(body.r_prox_G, body.proximal_G, COLOUR[body.side], f"F {body.proximal}"))
    return [*arrows, _Arrow(body.r_cm_G, body.mass_times_acceleration_G, AMBER, "m a (sum)")]


def _ground_point(body: FreeBody) -> Array:
    """Return the point on the line of the ground force that is nearest to the centre of mass."""
    moment_G = body.R_GS @ body.ground_moment_S
    force = body.ground_G
    return body.r_cm_G + np.cross(force, moment_G) / float(force @ force)


def _turning(body: FreeBody) -> list[tuple[Array, Array, str, str]]:
    moments = []
    if body.distal:
        moment_G = body.R_GS @ body.distal_moment_S
        moments.append((body.r_dist_G, moment_G, _BLUE, f"\u2212M {body.distal}"))
    moment_G = body.R_GS @ body.proximal_moment_S
    return [*moments, (body.r_prox_G, moment_G, COLOUR[body.side], f"M {body.proximal}")]


def arrow_marks(point: Array, along: Array, colour: str, words: str, *, pushes: bool) -> list[Mark]:
    """Draw an arrow with a label at its free end; nothing if it is too short.

    Parameters
    ----------
    point : array, shape (2,)
        Where the force acts, mm.
    along : array, shape (2,)
        From tail to tip, mm.
    colour, words : str
    pushes : bool
        Whether the tip, not the tail, is at the point: the force comes from outside the segment.
    """
    length = float(np.hypot(*along))
    if length < _SMALLEST:
        return []
    start = point - along if pushes else point
    tip, unit = start + along, along / length
    side = np.array([-unit[1], unit[0]])
    size = min(3.0, 0.6 * length)
    corners = (tip, tip - size * (unit - 0.4 * side), tip - size * (unit + 0.4 * side))
    shaft = Line(np.stack((start, tip - 0.7 * size * unit)), Stroke(colour, 1.5, level=4), words)
    free = start - 3.0 * unit if pushes else tip + 3.0 * unit
    text = TextLine(free[0] + 1.0, free[1] - 1.0, words, 7.0, colour, "left", name="force")
    return [shaft, Area(np.stack(corners), colour, words), text]


def arc_marks(centre: Array, moment: float, colour: str, words: str) -> list[Mark]:
    """Draw an arc with a head in the sense of the moment, and a label."""
    if abs(moment) < 1e-6:  # noqa: PLR2004
        return []
    sign = np.sign(moment)
    angles = np.linspace(-0.25 * np.pi, 1.0 * np.pi, 40)[:: int(sign)]
    arc = centre + _ARC_MM * np.stack((np.cos(angles), np.sin(angles)), axis=-1)
    tip, unit = arc[-1], arc[-1] - arc[-3]
    unit = unit / float(np.hypot(*unit))
    across = np.array([-unit[1], unit[0]])
    head = np.stack((tip + 2.0 * unit, tip - unit + 1.2 * across, tip - unit - 1.2 * across))
    text = f"{words} {abs(moment):.1f} N m"
    x = centre[0] - _ARC_MM - 2.0
    y = centre[1] + _ARC_MM - 1.0
    label = TextLine(x, y, text, 7.0, colour, "right", name="moment")
    return [Line(arc, Stroke(colour, 1.2, level=4), words), Area(head, colour, words), label]


def _heading(body: FreeBody, view: View) -> list[Mark]:
    title = f"Free body of the {body.side} {body.segment}, frame {body.frame}"
    subtitle = f"{_VIEWED[view]}; forces to one scale, moments about the axis towards the viewer"
    return [
        TextLine(8.0, _HEIGHT - 8.0, title, 10.0),
        TextLine(8.0, _HEIGHT - 13.0, subtitle, 7.0, GREY),
    ]


def _key(body: FreeBody, arrows: list[_Arrow], view: View) -> list[Mark]:
    """List every force in numbers to the right of the drawing."""
    x, top = 142.0, _HEIGHT - 26.0
    head = f"{'forward' if view == 'sagittal' else 'to the right'}, up (N)"
    marks: list[Mark] = [TextLine(_WIDTH - 6.0, top, head, 7.0, GREY, "right")]
    for i, arrow in enumerate(arrows):
        y = top - 5.0 * (i + 1)
        flat = _flat(arrow.force_G, view)
        numbers = f"{flat[0]:.1f}, {flat[1]:.1f}".replace("-", "\u2212")
        marks.append(TextLine(x, y, arrow.words, 7.0, arrow.colour))
        marks.append(TextLine(_WIDTH - 6.0, y, numbers, 7.0, arrow.colour, "right"))
    residual = np.abs(_flat(body.force_residual_G, view)).max()
    text = f"residual {residual:.1e} N"
    y = top - 5.0 * (len(arrows) + 1)
    return [*marks, TextLine(_WIDTH - 6.0 - text_width(text, 7.0), y, text, 7.0, GREY)]
