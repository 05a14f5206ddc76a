"""Drawings as SVG: compact paths in tenths of a unit, colours by class so that themes apply."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from gaitdyn.plots.clinic.palette import CLASSES
from gaitdyn.plots.marks import MM_PER_PT, Area, Line, Words
from gaitdyn.plots.svg import paths_data, straighter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gaitdyn.plots.marks import Mark
    from gaitdyn.types.arrays import Array

_ANCHORS = {"left": "", "center": ' text-anchor="middle"', "right": ' text-anchor="end"'}
_MANY, _STRAIGHT, _EDGE = 40, 0.1, 0.25
"""Points above which those are left out that lie so near, in units, to a straight line; the edge of
an area is seen less sharply than a line."""

_K = 10
"""Tenths of a unit: whole numbers are short."""


def drawing_svg(
    marks: Iterable[Mark], width: float, height: float, label: str = "", extra: str = ""
) -> str:
    """Return marks as an SVG element.

    Parameters
    ----------
    marks : iterable of Mark
        In units, y upwards from the lower edge.
    width, height : float
        Units.
    label : str
        What a reader of screens says; without one the drawing is for the eye alone.
    extra : str
        SVG of our own that is put last.
    """
    ordered = sorted(marks, key=_level)
    drawn = [mark for mark in ordered if not isinstance(mark, Words)]
    paths = iter(paths_data(_lighter(drawn), height))
    body = "".join(
        _group(list(found), paths, height) for _, found in groupby(ordered, key=_kind)
    )  # fmt: skip
    told = f' role="img" aria-label="{escape(label)}"' if label else ' aria-hidden="true"'
    return f'<svg viewBox="0 0 {_K * width:.0f} {_K * height:.0f}"{told}>{body}{extra}</svg>'


def _level(mark: Mark) -> int:
    if isinstance(mark, Area):
        return 0
    return mark.stroke.level if isinstance(mark, Line) else 50


def _kind(mark: Mark) -> tuple[object, ...]:
    """Return what marks have in common that become one path."""
    if isinstance(mark, Line):
        return "line", mark.stroke, mark.name
    if isinstance(mark, Area):
        return "area", mark.colour, mark.alpha, mark.name
    return "words", id(mark)


def _group(marks: Sequence[Mark], paths: Iterator[str], height: float) -> str:
    first = marks[0]
    if isinstance(first, Words):
        return _words(first, height)
    closed = "z" if isinstance(first, Area) else ""
    d = "".join(next(paths) + closed for _ in marks)
    if isinstance(first, Area):
        alpha = "" if first.alpha == 1.0 else f' fill-opacity="{first.alpha:g}"'
        return f'<path class="{_class(first.colour)}f"{alpha} d="{d}"/>'
    stroke = first.stroke
    width = stroke.width_pt * MM_PER_PT * _K
    dash = " ".join(f"{width * part:.0f}" for part in stroke.dash)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    alpha = "" if stroke.alpha == 1.0 else f' stroke-opacity="{stroke.alpha:g}"'
    name = first.name.rpartition(" ")[2]
    more = f" {name}" if name in ("mean", "stride", "incomplete", "force") else ""
    return (
        f'<path class="{_class(stroke.colour)}{more}" stroke-width="{width:.0f}"{dashed}{alpha}'
        f' d="{d}"/>'
    )


def _lighter(marks: Sequence[Line | Area]) -> list[Array]:
    """Return the points of marks, of means all, of others no more than show their shape."""
    many = [
        i for i, m in enumerate(marks) if len(m.points) >= _MANY and not m.name.endswith("mean")
    ]
    within = [_EDGE if isinstance(marks[i], Area) else _STRAIGHT for i in many]
    less = straighter([marks[i].points for i in many], within)
    found = dict(zip(many, less, strict=True))
    return [found.get(i, mark.points) for i, mark in enumerate(marks)]


def _class(colour: str) -> str:
    return CLASSES[colour]


def _words(mark: Words, height: float) -> str:
    x, y = _K * mark.x, _K * (height - mark.y)
    bold = ' font-weight="600"' if mark.bold else ""
    turned = f' transform="rotate(-90 {x:.0f} {y:.0f})"' if mark.turned else ""
    narrow = " xo" if mark.name.endswith("narrow") else ""
    return (
        f'<text class="{_class(mark.colour)}t{narrow}" x="{x:.0f}" y="{y:.0f}"'
        f' font-size="{_K * mark.size_pt * MM_PER_PT:.0f}"{_ANCHORS[mark.align]}{bold}{turned}>'
        f"{escape(mark.text)}</text>"
    )
