"""Write sheets as SVG elements, for a page that loads nothing from a server."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape

import numpy as np

from gaitdyn.plots.marks import MM_PER_PT, Area, Line, Mark, Sheet, Stroke, TextLine
from gaitdyn.plots.paths import K, Kind, Paths, Svg, SvgWriter, svg_contents

_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_MANY = 60
"""Lines with at least this many points are drawn with half of them."""

_STRAIGHT_MM = 0.06
"""A third of a pixel, for a sheet as wide as the page."""


def svg_text(sheet: Sheet, label: str) -> str:
    """Return a sheet as an SVG element with all points of its lines; see :func:`light_svgs`.

    Examples
    --------
    >>> from gaitdyn.plots.marks import Sheet
    >>> svg_text(Sheet(2.0, 1.0, (TextLine(0.5, 0.5, "<b>", 2.0),)), "x").count("&lt;b&gt;")
    1
    """
    return _svgs([(label, sheet)], _WHOLE)[0]


def light_svgs(sheets: Sequence[tuple[str, Sheet]]) -> list[Svg]:
    """Return sheets as SVG elements, every text in them escaped.

    Lengths are whole tenths of a millimetre and lines of one stroke are one path, so a page with
    many drawings stays small. Long lines keep only every second point and their ends: curves of 101
    points have 51.

    Parameters
    ----------
    sheets : sequence of (str, Sheet)
        Text for screen readers, and sheet.
    """
    return _svgs(sheets, _LIGHT)


def _svgs(sheets: Sequence[tuple[str, Sheet]], writer: SvgWriter) -> list[Svg]:
    contents = svg_contents([(sheet.parts, sheet.height_mm) for _, sheet in sheets], writer)
    return [
        Svg(
            f'<svg xmlns="http://www.w3.org/2000/svg"'
            f' viewBox="0 0 {K * sheet.width_mm:.0f} {K * sheet.height_mm:.0f}"'
            f' role="img" aria-label="{escape(label)}"'
            f' font-family="Inter, DejaVu Sans, Verdana, sans-serif">{body}</svg>'
        )
        for (label, sheet), body in zip(sheets, contents, strict=True)
    ]


def _paths(marks: Sequence[Line | Area]) -> Paths:
    return Paths.of([mark.points for mark in marks])


def _light_paths(marks: Sequence[Line | Area]) -> Paths:
    """Return paths; long ones keep every second point, and fewer on straight parts."""
    paths = _paths(marks)
    long = paths.counts >= _MANY
    if not long.any():
        return paths
    return paths.halved(long).straighter(np.where(long, _STRAIGHT_MM, -1.0))


def _kind(mark: Mark) -> Kind:
    if isinstance(mark, Line):
        return "line", mark.stroke
    if isinstance(mark, Area):
        return "area", mark.colour, mark.alpha
    return "words", mark.colour, mark.size_pt, mark.align, mark.bold


def _element(first: Mark, data: str) -> str:
    """Return marks of one kind as one element: a path, or a group of words of one style."""
    if isinstance(first, TextLine):
        anchor = _ANCHORS[first.align]
        anchored = f' text-anchor="{anchor}"' if anchor != "start" else ""
        bold = ' font-weight="600"' if first.bold else ""
        size = f"{K * first.size_pt * MM_PER_PT:.0f}"
        return f'<g font-size="{size}" fill="{escape(first.colour)}"{anchored}{bold}>{data}</g>'
    if isinstance(first, Area):
        alpha = "" if first.alpha == 1.0 else f' fill-opacity="{first.alpha:g}"'
        return f'<path fill="{escape(first.colour)}"{alpha} d="{data}"/>'
    return f'<path fill="none" {_stroke_attributes(first.stroke)} d="{data}"/>'


@lru_cache(maxsize=256)
def _stroke_attributes(stroke: Stroke) -> str:
    width = K * stroke.width_pt * MM_PER_PT
    dash = ",".join([f"{width * part:.1f}" for part in stroke.dash])
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    alpha = "" if stroke.alpha == 1.0 else f' stroke-opacity="{stroke.alpha:g}"'
    return f'stroke="{escape(stroke.colour)}" stroke-width="{width:.1f}"{dashed}{alpha}'


def _line_of_words(mark: TextLine, height: float) -> str:
    x, y = K * mark.x, K * (height - mark.y)
    turned = f' transform="rotate(-90 {x:.0f} {y:.0f})"' if mark.turned else ""
    return f'<text x="{x:.0f}" y="{y:.0f}"{turned}>{escape(mark.text)}</text>'


_WHOLE = SvgWriter(_kind, _line_of_words, _element, _paths)
_LIGHT = SvgWriter(_kind, _line_of_words, _element, _light_paths)
