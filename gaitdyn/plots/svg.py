"""A sheet of marks as one SVG element, for a page that asks no host for anything."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from gaitdyn.plots.marks import MM_PER_PT, Area, Line, Words

if TYPE_CHECKING:
    from gaitdyn.plots.marks import Mark, Sheet
    from gaitdyn.types.arrays import Array

_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_TOP = 50


def svg_text(sheet: Sheet, label: str) -> str:
    """Return a sheet as an SVG element, every text in it escaped.

    Parameters
    ----------
    sheet : Sheet
    label : str
        What a reader of screens says of it.

    Examples
    --------
    >>> from gaitdyn.plots.marks import Sheet
    >>> svg_text(Sheet(2.0, 1.0, (Words(0.5, 0.5, "<b>", 2.0),)), "x").count("&lt;b&gt;")
    1
    """
    width, height = sheet.width_mm, sheet.height_mm
    marks = sorted(sheet.marks, key=_level)
    body = "".join(_element(mark, height) for mark in marks)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1f} {height:.1f}"'
        f' role="img" aria-label="{escape(label)}" font-family="DejaVu Sans, Verdana, sans-serif">'
        f"{body}</svg>"
    )


def _level(mark: Mark) -> int:
    if isinstance(mark, Area):
        return 0
    return mark.stroke.level if isinstance(mark, Line) else _TOP


def _element(mark: Mark, height: float) -> str:
    if isinstance(mark, Words):
        return _words(mark, height)
    points = _points(mark.points, height)
    if isinstance(mark, Area):
        return (
            f'<polygon points="{points}" fill="{escape(mark.colour)}" fill-opacity="{mark.alpha}"/>'
        )
    stroke = mark.stroke
    width = stroke.width_pt * MM_PER_PT
    dash = ",".join(f"{width * part:.2f}" for part in stroke.dash)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<polyline points="{points}" fill="none" stroke="{escape(stroke.colour)}"'
        f' stroke-width="{width:.2f}"{dashed}/>'
    )


def _words(mark: Words, height: float) -> str:
    x, y = mark.x, height - mark.y
    turned = f' transform="rotate(-90 {x:.2f} {y:.2f})"' if mark.turned else ""
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{mark.size_pt * MM_PER_PT:.2f}"'
        f' text-anchor="{_ANCHORS[mark.align]}" fill="{escape(mark.colour)}"{turned}>'
        f"{escape(mark.text)}</text>"
    )


def _points(points: Array, height: float) -> str:
    return " ".join(f"{x:.2f},{height - y:.2f}" for x, y in points)
