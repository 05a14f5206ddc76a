"""A sheet of marks as one SVG element, for a page that asks no host for anything."""

from __future__ import annotations

from functools import cache, lru_cache
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.plots.marks import MM_PER_PT, Area, Line, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gaitdyn.plots.marks import Mark, Sheet
    from gaitdyn.types.arrays import Array, Places

_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_TOP = 50
_MANY = 60
"""Points of a line above which half of them show its shape."""

_STRAIGHT_MM = 0.06
"""A third of a pixel of a sheet as wide as the page."""

_K = 10
"""Tenths: whole numbers are short."""

_FARTHEST = 4095
"""A step, in tenths, up to which steps are written by a table."""


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
    paths = iter(paths_data(_lighter(drawn) if light else drawn, sheet.height_mm))
    groups = (list(found) for _, found in groupby(marks, key=_kind))
    body = "".join(_element(found, paths, sheet.height_mm) for found in groups)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' role="img" aria-label="{escape(label)}"'
        f' font-family="Inter, DejaVu Sans, Verdana, sans-serif">{body}</svg>'
    )


def _lighter(paths: Sequence[Array]) -> list[Array]:
    """Return paths of many points with every second one, and fewer where they lie on a line."""
    many = [i for i, points in enumerate(paths) if len(points) >= _MANY]
    halves = [
        np.concatenate((points[::2], *(() if len(points) % 2 else (points[-1:],))))
        for points in (paths[i] for i in many)
    ]
    found = dict(zip(many, straighter(halves, [_STRAIGHT_MM] * len(many)), strict=True))
    return [found.get(i, points) for i, points in enumerate(paths)]


def straighter(paths: Sequence[Array], within: Sequence[float]) -> list[Array]:
    """Return paths without points that lie on the line of their neighbours.

    Every second point may go, and of those that are left every second one again.

    Parameters
    ----------
    paths : sequence of array, shape (k, 2)
    within : sequence of float
        Of each path, the distance from the line at which a point is left out.

    Examples
    --------
    >>> x = np.arange(5.0)
    >>> straighter([np.stack((x, np.array([0.0, 1.0, 2.0, 5.0, 4.0])), axis=1)], [0.1])[0][:, 0]
    array([0., 2., 3., 4.])
    """
    if not paths:
        return []
    points, far = np.concatenate(paths), np.array(within)
    counts = np.array([len(path) for path in paths])
    for _ in range(2):  # all paths at once: most are short
        points, counts = _without_straight(points, counts, far)
    return np.split(points, np.cumsum(counts)[:-1])


def _without_straight(points: Array, counts: Places, within: Array) -> tuple[Array, Places]:
    """Return the points of paths, one behind the other, without straight ones, and their counts."""
    starts, own = np.cumsum(counts) - counts, np.repeat(np.arange(len(counts)), counts)
    place = np.arange(len(points)) - starts[own]
    middle = np.flatnonzero((place % 2 == 1) & (place + 1 < counts[own]))
    before = points[middle - 1]
    along, aside = points[middle + 1] - before, points[middle] - before
    cross = np.abs(along[:, 0] * aside[:, 1] - along[:, 1] * aside[:, 0])
    keep = np.ones(len(points), dtype=np.bool_)
    keep[middle] = cross > within[own[middle]] * np.hypot(along[:, 0], along[:, 1])
    return points[keep], np.bincount(own[keep], minlength=len(counts))


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
    stops = np.cumsum([len(path) for path in paths])
    steps = np.diff(at, axis=0)
    steps[stops[:-1] - 1] = 0  # from one path to the next
    text, ends = _steps_text(steps.ravel())
    firsts = [0, *stops[:-1].tolist()]
    return [
        f"M{x}{y: d}" + (f"l{text[start:stop].lstrip()}" if stop > start else "")
        for (x, y), start, stop in zip(
            at[firsts].tolist(),
            ends[2 * np.array(firsts)].tolist(),
            ends[2 * (stops - 1)].tolist(),
            strict=True,
        )
    ]


def _steps_text(steps: Places) -> tuple[str, Places]:
    """Return numbers one behind the other, and where each begins: a blank or a sign parts them."""
    if not steps.size:
        return "", np.zeros(1, dtype=np.int64)
    if np.abs(steps).max() > _FARTHEST:
        texts = [f"{step: d}" for step in steps.tolist()]
        lengths = np.array([len(one) for one in texts])
        text = "".join(texts)
    else:
        words, sizes = _step_words()
        at = steps + _FARTHEST
        text, lengths = words[at].tobytes().translate(None, b"\0").decode("ascii"), sizes[at]
    return text, np.concatenate(([0], np.cumsum(lengths)))


@cache
def _step_words() -> tuple[np.ndarray[Any, Any], Places]:
    """Return steps as texts, and how long these are."""
    texts = [f"{step: d}".encode() for step in range(-_FARTHEST, _FARTHEST + 1)]
    return np.array(texts), np.array([len(text) for text in texts])
