"""Drawings as SVG: compact paths in tenths of a unit, colours by class so that themes apply."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.plots.clinic.palette import CLASSES
from gaitdyn.plots.marks import MM_PER_PT, Area, Line, TextLine
from gaitdyn.plots.paths import K, Paths
from gaitdyn.plots.pieces import Hand, Svg, bodies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.marks import Mark, Part
    from gaitdyn.plots.pieces import Kind

_ANCHORS = {"left": "", "center": ' text-anchor="middle"', "right": ' text-anchor="end"'}
_MANY, _STRAIGHT, _EDGE = 40, 0.1, 0.25
"""Points above which those are left out that lie so near, in units, to a straight line; the edge of
an area is seen less sharply than a line."""

_NAMED = ("mean", "stride", "incomplete", "force")


class Drawing(NamedTuple):
    """What becomes an SVG element.

    Attributes
    ----------
    parts : sequence of Part
        In units, y upwards from the lower edge.
    width, height : float
        Units.
    label : str
        What a reader of screens says; without one the drawing is for the eye alone.
    extra : str
        SVG of our own that is put last.
    """

    parts: Sequence[Part]
    width: float
    height: float
    label: str = ""
    extra: str = ""


def drawing_svgs(drawings: Sequence[Drawing]) -> list[Svg]:
    """Return drawings as SVG elements: many at once take a fraction of the time of each."""
    inside = bodies([(one.parts, one.height) for one in drawings], _HAND)
    return [
        Svg(
            f'<svg viewBox="0 0 {K * one.width:.0f} {K * one.height:.0f}"'
            f"{_role(one.label)}>{body}{one.extra}</svg>"
        )
        for one, body in zip(drawings, inside, strict=True)
    ]


def drawing_svg(parts: Sequence[Part], width: float, height: float, label: str = "") -> Svg:
    """Return one drawing as an SVG element; see :class:`Drawing`."""
    return drawing_svgs([Drawing(parts, width, height, label)])[0]


def _role(label: str) -> str:
    return f' role="img" aria-label="{escape(label)}"' if label else ' aria-hidden="true"'


def _kind(mark: Mark) -> Kind:
    if isinstance(mark, Line):
        return "line", mark.stroke, mark.name
    if isinstance(mark, Area):
        return "area", mark.colour, mark.alpha, mark.name
    return ("words",)


def _element(first: Mark, data: str) -> str:
    if isinstance(first, TextLine):
        return data
    if isinstance(first, Area):
        alpha = "" if first.alpha == 1.0 else f' fill-opacity="{first.alpha:g}"'
        return f'<path class="{CLASSES[first.colour]}f"{alpha} d="{data}"/>'
    stroke = first.stroke
    width = stroke.width_pt * MM_PER_PT * K
    dash = " ".join([f"{width * part:.0f}" for part in stroke.dash])
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    alpha = "" if stroke.alpha == 1.0 else f' stroke-opacity="{stroke.alpha:g}"'
    name = first.name.rpartition(" ")[2]
    more = f" {name}" if name in _NAMED else ""
    return (
        f'<path class="{CLASSES[stroke.colour]}{more}" stroke-width="{width:.0f}"{dashed}{alpha}'
        f' d="{data}"/>'
    )


def _paths(marks: Sequence[Line | Area]) -> Paths:
    """Return paths, of means all points, of others no more than show their shape."""
    found = Paths.of([mark.points for mark in marks])
    within = [
        -1.0 if len(m.points) < _MANY or m.name.endswith("mean")
        else _EDGE if isinstance(m, Area) else _STRAIGHT
        for m in marks
    ]  # fmt: skip
    return found.straighter(np.array(within)) if max(within, default=-1.0) > 0.0 else found


def _words(mark: TextLine, height: float) -> str:
    x, y = K * mark.x, K * (height - mark.y)
    bold = ' font-weight="600"' if mark.bold else ""
    turned = f' transform="rotate(-90 {x:.0f} {y:.0f})"' if mark.turned else ""
    narrow = " xo" if mark.name.endswith("narrow") else ""
    return (
        f'<text class="{CLASSES[mark.colour]}t{narrow}" x="{x:.0f}" y="{y:.0f}"'
        f' font-size="{K * mark.size_pt * MM_PER_PT:.0f}"{_ANCHORS[mark.align]}{bold}{turned}>'
        f"{escape(mark.text)}</text>"
    )


_HAND = Hand(_kind, _words, _element, _paths)
