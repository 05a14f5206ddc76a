"""Write drawings as SVG: compact paths in tenths of a unit, colours as classes for themes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

import numpy as np

from gaitdyn.plots.clinic.palette import CLASSES
from gaitdyn.plots.marks import MM_PER_PT, Area, Line, Mark, Part, Stroke, TextLine
from gaitdyn.plots.paths import K, Kind, Paths, Svg, SvgWriter, svg_contents

_ANCHORS = {"left": "", "center": ' text-anchor="middle"', "right": ' text-anchor="end"'}
_MANY, _STRAIGHT, _EDGE = 40, 0.1, 0.25
"""Paths with at least this many points are simplified; distances from a straight line, in units,
within which a point of a line or of the edge of an area is left out."""

_NAMED = ("mean", "stride", "incomplete", "force")


class Drawing(NamedTuple):
    """A drawing that becomes an SVG element.

    Attributes
    ----------
    parts : sequence of Part
        Marks in units, y upwards from the lower edge.
    width, height : float
        Size in units.
    label : str
        Text for screen readers; without a label the drawing is hidden from them.
    extra : str
        Trusted SVG that is added at the end.
    """

    parts: Sequence[Part]
    width: float
    height: float
    label: str = ""
    extra: str = ""


def drawing_svgs(drawings: Sequence[Drawing]) -> list[Svg]:
    """Return drawings as SVG elements; writing many together is much faster than one by one."""
    contents = svg_contents([(drawing.parts, drawing.height) for drawing in drawings], _WRITER)
    return [
        Svg(
            f'<svg viewBox="0 0 {K * drawing.width:.0f} {K * drawing.height:.0f}"'
            f"{_role(drawing.label)}>{body}{drawing.extra}</svg>"
        )
        for drawing, body in zip(drawings, contents, strict=True)
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
    name = first.name.rpartition(" ")[2]
    second_class = f" {name}" if name in _NAMED else ""
    classes = CLASSES[first.stroke.colour] + second_class
    return f'<path class="{classes}" {_stroke_attributes(first.stroke)} d="{data}"/>'


@lru_cache(maxsize=256)
def _stroke_attributes(stroke: Stroke) -> str:
    width = stroke.width_pt * MM_PER_PT * K
    dash = " ".join([f"{width * part:.0f}" for part in stroke.dash])
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    alpha = "" if stroke.alpha == 1.0 else f' stroke-opacity="{stroke.alpha:g}"'
    return f'stroke-width="{width:.0f}"{dashed}{alpha}'


def _paths(marks: Sequence[Line | Area]) -> Paths:
    """Return paths: means with all points, others with only the points that show their shape."""
    paths = Paths.of([mark.points for mark in marks])
    tolerances = [
        -1.0 if len(m.points) < _MANY or m.name.endswith("mean")
        else _EDGE if isinstance(m, Area) else _STRAIGHT
        for m in marks
    ]  # fmt: skip
    return paths.straighter(np.array(tolerances)) if max(tolerances, default=-1.0) > 0.0 else paths


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


_WRITER = SvgWriter(_kind, _words, _element, _paths)
