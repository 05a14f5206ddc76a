"""A sheet of marks as one SVG element, for a page that asks no host for anything."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.marks import MM_PER_PT, Area, Line, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gaitdyn.plots.marks import Mark, Sheet
    from gaitdyn.types.arrays import Array

_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_TOP = 50
_MANY = 60
"""Points of a line above which half of them show its shape."""

_STRAIGHT_MM = 0.06
"""A third of a pixel of a sheet as wide as the page."""

_K = 10
"""Tenths: whole numbers are short."""


def svg_text(sheet: Sheet, label: str, *, light: bool = False) -> str:
    """Return a sheet as an SVG element, every text in it escaped.

    Lengths are whole tenths of a millimetre and lines of one stroke are one path, so that a page of
    many drawings stays light.

    Parameters
    ----------
    sheet : Sheet
    label : str
        What a reader of screens says of it.
    light : bool
        Of long lines every second point alone, their ends kept: curves of 101 points have 51.

    Examples
    --------
    >>> from gaitdyn.plots.marks import Sheet
    >>> svg_text(Sheet(2.0, 1.0, (Words(0.5, 0.5, "<b>", 2.0),)), "x").count("&lt;b&gt;")
    1
    """
    width, height = _K * sheet.width_mm, _K * sheet.height_mm
    marks = sorted(sheet.marks, key=_place)
    drawn = [mark.points for mark in marks if not isinstance(mark, Words)]
    paths = iter(paths_data([_lighter(one) for one in drawn] if light else drawn, sheet.height_mm))
    groups = (list(found) for _, found in groupby(marks, key=_kind))
    body = "".join(_element(found, paths, sheet.height_mm) for found in groups)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' role="img" aria-label="{escape(label)}"'
        f' font-family="Inter, DejaVu Sans, Verdana, sans-serif">{body}</svg>'
    )


def _lighter(points: Array) -> Array:
    """Return every second of many points, and fewer where they lie on a line."""
    if len(points) < _MANY:
        return points
    last = () if len(points) % 2 else (points[-1:],)
    return straighter(straighter(np.concatenate((points[::2], *last))))


def straighter(points: Array, within: float = _STRAIGHT_MM) -> Array:
    """Return a path without every second point that lies on the line of its neighbours.

    Parameters
    ----------
    points : array, shape (k, 2)
    within : float
        Distance from the line at which a point is left out.

    Examples
    --------
    >>> x = np.arange(5.0)
    >>> straighter(np.stack((x, np.array([0.0, 1.0, 2.0, 5.0, 4.0])), axis=1))[:, 0]
    array([0., 2., 3., 4.])
    """
    ends = points[2::2]
    before, middle = points[:-2:2][: len(ends)], points[1:-1:2][: len(ends)]
    along, aside = ends - before, middle - before
    cross = np.abs(along[:, 0] * aside[:, 1] - along[:, 1] * aside[:, 0])
    keep = np.ones(len(points), dtype=np.bool_)
    keep[1 : 1 + 2 * len(ends) : 2] = cross > within * np.hypot(along[:, 0], along[:, 1])
    return points[keep]


def _level(mark: Mark) -> int:
    if isinstance(mark, Area):
        return 0
    return mark.stroke.level if isinstance(mark, Line) else _TOP


def _place(mark: Mark) -> tuple[int, str]:
    """Return what comes first: lower levels, and words of one style together."""
    return _level(mark), _told(_kind(mark)) if isinstance(mark, Words) else ""


@lru_cache(maxsize=256)
def _told(kind: tuple[object, ...]) -> str:
    return str(kind)


def _kind(mark: Mark) -> tuple[object, ...]:
    """Return what marks have in common that become one path."""
    if isinstance(mark, Line):
        return "line", mark.stroke
    if isinstance(mark, Area):
        return "area", mark.colour, mark.alpha
    return "words", mark.colour, mark.size_pt, mark.align, mark.bold


def _element(marks: Sequence[Mark], paths: Iterator[str], height: float) -> str:
    """Return marks of one kind; the data of their paths are the next ones."""
    first = marks[0]
    if isinstance(first, Words):
        return _words([mark for mark in marks if isinstance(mark, Words)], height)
    closed = "z" if isinstance(first, Area) else ""
    data = "".join(next(paths) + closed for _ in marks)
    if isinstance(first, Area):
        alpha = "" if first.alpha == 1.0 else f' fill-opacity="{first.alpha:g}"'
        return f'<path fill="{escape(first.colour)}"{alpha} d="{data}"/>'
    stroke = first.stroke
    width = _K * stroke.width_pt * MM_PER_PT
    dash = ",".join(f"{width * part:.1f}" for part in stroke.dash)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    alpha = "" if stroke.alpha == 1.0 else f' stroke-opacity="{stroke.alpha:g}"'
    return (
        f'<path fill="none" stroke="{escape(stroke.colour)}" stroke-width="{width:.1f}"'
        f'{dashed}{alpha} d="{data}"/>'
    )


def _words(marks: Sequence[Words], height: float) -> str:
    """Return words of one style as a group."""
    first = marks[0]
    anchor = _ANCHORS[first.align]
    anchored = f' text-anchor="{anchor}"' if anchor != "start" else ""
    bold = ' font-weight="600"' if first.bold else ""
    size = f"{_K * first.size_pt * MM_PER_PT:.0f}"
    body = "".join(_line_of_words(mark, height) for mark in marks)
    return f'<g font-size="{size}" fill="{escape(first.colour)}"{anchored}{bold}>{body}</g>'


def _line_of_words(mark: Words, height: float) -> str:
    x, y = _K * mark.x, _K * (height - mark.y)
    turned = f' transform="rotate(-90 {x:.0f} {y:.0f})"' if mark.turned else ""
    return f'<text x="{x:.0f}" y="{y:.0f}"{turned}>{escape(mark.text)}</text>'


def paths_data(paths: Sequence[Array], height: float) -> list[str]:
    """Return the data of paths: of each its first place, then steps, in tenths of a unit.

    Parameters
    ----------
    paths : sequence of array, shape (k, 2)
        y upwards from the lower edge.
    height : float
        Of the drawing.

    Examples
    --------
    >>> paths_data([np.array([[0.0, 1.0], [1.0, 1.5], [2.0, 1.0]])], 2.0)
    ['M0 10l10-5 10 5']
    """
    if not paths:
        return []
    points = np.concatenate(paths)
    at = np.empty(points.shape, dtype=np.int64)  # at once: most paths are short
    at[:, 0] = np.rint(_K * points[:, 0])
    at[:, 1] = np.rint(_K * (height - points[:, 1]))
    places, steps = at.ravel().tolist(), np.diff(at, axis=0).ravel().tolist()
    found, start = [], 0
    for path in paths:
        stop = start + 2 * len(path)
        own = tuple(steps[start : stop - 2])
        text = f"M{places[start]}{places[start + 1]: d}"
        tail = ("% d% d" * (len(path) - 1) % own).lstrip()
        found.append(f"{text}l{tail}" if tail else text)
        start = stop
    return found
