"""A rectangle with two scales: positions on the sheet, ticks, and lines with gaps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from gaitdyn.core.runs import runs
from gaitdyn.plots.marks import (
    FAINT,
    GREY,
    INK,
    PALE,
    Area,
    Line,
    Mark,
    Stroke,
    TextLine,
    rectangle,
    wrapped,
)
from gaitdyn.plots.typeface import regular_width
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

MARGIN = 0.03
"""Fraction of its range by which a scale extends beyond its limits, to show a line at a limit."""

_GRID, _ZERO, _EDGE = Stroke(FAINT, 0.6, level=1), Stroke(PALE, 0.8, level=1), Stroke(INK, 0.7)
_STEPS = (1.0, 2.0, 5.0, 10.0)
_TICK_MM = 0.9
_SIZE_PT = 7.0


@frozen()
class Frame:
    """A rectangle on the sheet, mm, and the values at its edges."""

    left: float
    bottom: float
    width: float
    height: float
    x: tuple[float, float]
    y: tuple[float, float]

    @property
    def right(self) -> float:
        """Right edge, mm."""
        return self.left + self.width

    @property
    def top(self) -> float:
        """Upper edge, mm."""
        return self.bottom + self.height

    def at(self, x: Array | float, y: Array | float) -> Array:
        """Return points on the sheet, mm, shape (..., 2); one of x and y may be a number."""
        x_mm = self.left + (x - self.x[0]) / (self.x[1] - self.x[0]) * self.width
        y_mm = self.bottom + (y - self.y[0]) / (self.y[1] - self.y[0]) * self.height
        points = np.empty((*np.broadcast(x_mm, y_mm).shape, 2))
        points[..., 0], points[..., 1] = x_mm, y_mm
        return points

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return one point on the sheet, mm."""
        x_mm = self.left + (x - self.x[0]) / (self.x[1] - self.x[0]) * self.width
        return x_mm, self.bottom + (y - self.y[0]) / (self.y[1] - self.y[0]) * self.height

    def box(self) -> Array:
        """Return the corners, shape (4, 2), mm."""
        return rectangle(self.left, self.bottom, self.right, self.top)


def ticks(low: float, high: float, most: int = 6) -> Array:
    """Return round numbers from ``low`` to ``high``, at most ``most`` steps.

    Examples
    --------
    >>> ticks(-30, 60).tolist()
    [-20.0, 0.0, 20.0, 40.0, 60.0]
    """
    rough = max((high - low) / most, 1e-9 * max(abs(low), abs(high), 1.0))
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * next((s for s in _STEPS if s * power >= rough * (1 - 1e-9)), _STEPS[-1])
    first, last = np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9)
    return np.arange(first, last + 1) * step


@lru_cache(maxsize=1024)
def tick_label(value: float) -> str:
    """Return the label of a tick, with a true minus sign.

    Examples
    --------
    >>> tick_label(0.5), tick_label(-20.0)
    ('0.5', '\u221220')
    """
    return f"{round(value, 6) + 0.0:g}".replace("-", "\u2212")


def widened_limits(limits: tuple[float, float], values: Array) -> tuple[tuple[float, float], bool]:
    """Return limits that contain all values, and whether they had to be moved.

    Parameters
    ----------
    limits : tuple of float
        Usual limits, which make two sessions comparable.
    values : array
        NaN is ignored.

    Examples
    --------
    >>> widened_limits((0.0, 10.0), np.array([5.0, 13.5]))
    ((0.0, 15.0), True)
    """
    known = values[np.isfinite(values)]
    if not known.size:
        return limits, False
    return limits_around(limits, float(known.min()), float(known.max()))


def known_range(values: Array, otherwise: tuple[float, float] = (0.0, 1.0)) -> tuple[float, float]:
    """Return the least and the greatest known value, or two given numbers if none is known."""
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if known.size else otherwise


def limits_around(
    limits: tuple[float, float], lowest: float, highest: float
) -> tuple[tuple[float, float], bool]:
    """Return limits that contain two values, see :func:`widened_limits`."""
    low, high = limits
    slack = MARGIN * (high - low)
    down, up = lowest < low - slack, highest > high + slack
    if not (down or up):
        return limits, False
    ends = lowest if down else low, highest if up else high
    marks = ticks(*ends)
    step = float(marks[1] - marks[0]) / 2
    new_low = float(np.floor(ends[0] / step) * step) if down else low
    new_high = float(np.ceil(ends[1] / step) * step) if up else high
    return (new_low, new_high), True


def with_limits(frame: Frame, limits: tuple[float, float]) -> Frame:
    """Return the frame with a vertical scale slightly beyond the limits."""
    slack = MARGIN * (limits[1] - limits[0])
    y = limits[0] - slack, limits[1] + slack
    return Frame(frame.left, frame.bottom, frame.width, frame.height, frame.x, y)


def known_lines(frame: Frame, x: Array, y: Array, stroke: Stroke, name: str) -> list[Mark]:
    """Return the lines of a curve: one per run of known values, with gaps between them.

    Parameters
    ----------
    frame : Frame
    x, y : arrays, shape (n,)
    stroke : Stroke
    name : str
    """
    return lines_of_curves(frame, x, [(y, stroke, name)])


def lines_of_curves(
    frame: Frame, x: Array, curves: Sequence[tuple[Array, Stroke, str]], step: int = 1
) -> list[Mark]:
    """Return the lines of curves with the same x, see :func:`known_lines`.

    Parameters
    ----------
    frame : Frame
    x : array, shape (n,)
    curves : sequence of (array, shape (n,), Stroke, str)
        Values, stroke and name of each curve.
    step : int
        Every ``step``-th point is drawn; of means all points are.
    """
    if not curves:
        return []
    y = np.array([curve for curve, _, _ in curves])
    known, all_points = np.isfinite(x + y), frame.at(x, y)
    lines: list[Mark] = []
    for i, complete in enumerate(np.logical_and.reduce(known, axis=1).tolist()):
        _, stroke, name = curves[i]
        points = all_points[i] if name.endswith("mean") else all_points[i, ::step]
        if complete and len(points) > 1:
            lines.append(Line(points, stroke, name))
        elif not complete:
            known_points = known[i] if name.endswith("mean") else known[i, ::step]
            lines += [Line(points[a:b], stroke, name) for a, b in runs(known_points) if b - a > 1]
    return lines


def areas_between(
    frame: Frame, x: Array, low: Array, high: Array, colour: str, name: str, alpha: float = 1.0
) -> list[Mark]:
    """Return the areas between two curves, clipped at the frame: one per run of known values.

    Parameters
    ----------
    frame : Frame
    x, low, high : array, shape (n,)
        In units of the scales; NaN if unknown.
    colour, name : str
    alpha : float
        Opacity, 0 (invisible) to 1.
    """
    areas: list[Mark] = []
    known = np.isfinite(low + high)
    for a, b in [(0, len(x))] if known.all() else runs(known):
        ends = np.clip(np.concatenate((low[a:b], high[a:b][::-1])), *frame.y)
        points = frame.at(np.concatenate((x[a:b], x[a:b][::-1])), ends)
        areas.append(Area(points, colour, name, alpha))
    return areas


def sd_areas(
    frame: Frame, x: Array, mean: Array, sd: Array, colours: tuple[str, str]
) -> list[Mark]:
    """Return the areas within two and within one SD of a mean, in two colours."""
    return [
        mark
        for k, colour in zip((2.0, 1.0), colours, strict=True)
        for mark in areas_between(frame, x, mean - k * sd, mean + k * sd, colour, "band")
    ]


def scale_marks(
    frame: Frame, x_ticks: Iterable[float], y_ticks: Iterable[float], *, numbers_below: bool = True
) -> list[Mark]:
    """Draw grid lines, edges, ticks and their numbers.

    Parameters
    ----------
    frame : Frame
    x_ticks, y_ticks : iterable of float
    numbers_below : bool
        Whether the ticks of x have numbers.
    """
    low, top, right = frame.y[0], frame.top, frame.right
    along_x = [(value, *frame.place(value, low)) for value in map(float, x_ticks)]
    along_y = [(value, *frame.place(frame.x[0], value)) for value in map(float, y_ticks)]
    ends = [((x, y), (x, top), (x, y - _TICK_MM), (x, y)) for _, x, y in along_x]
    ends += [((x, y), (right, y), (x - _TICK_MM, y), (x, y)) for _, x, y in along_y]
    lines = iter(np.array(ends).reshape(-1, 2, 2))
    marks: list[Mark] = []
    for value, x, y in along_x:
        marks += (Line(next(lines), _GRID), Line(next(lines), _EDGE))
        if numbers_below:
            marks.append(TextLine(x, y - 4.0, tick_label(value), _SIZE_PT, align="center"))
    for value, x, y in along_y:
        zero = _ZERO if value == 0 else _GRID
        marks += (Line(next(lines), zero), Line(next(lines), _EDGE))
        marks.append(TextLine(x - 1.6, y - 0.9, tick_label(value), _SIZE_PT, align="right"))
    corners = frame.box()
    marks.append(Line(corners[[3, 0, 1]], _EDGE))
    return marks


def empty_marks(frame: Frame, reason: str) -> list[Mark]:
    """Draw an empty frame with "no data" and the reason in its middle."""
    lines = wrapped(f"no data: {reason}", frame.width - 4.0, _SIZE_PT, regular_width)
    x = frame.left + frame.width / 2
    y = frame.bottom + frame.height / 2 + 1.7 * (len(lines) - 1)
    marks: list[Mark] = [Line(frame.box()[[0, 1, 2, 3, 0]], _GRID)]
    marks += [
        TextLine(x, y - 3.4 * i, line, _SIZE_PT, GREY, "center", name="no data")
        for i, line in enumerate(lines)
    ]
    return marks


def title_marks(frame: Frame, words: str, unit: str) -> list[Mark]:
    """Write the title above a frame, and the unit above the numbers of its vertical scale."""
    y = frame.top + 2.2
    marks: list[Mark] = [TextLine(frame.left - 1.6, y, unit, 7.0, GREY, "right", name="unit")]
    return [TextLine(frame.left, y, words, 8.0, name="panel"), *marks] if words else marks


def end_words(frame: Frame, top: str, bottom: str) -> list[Mark]:
    """Write the meaning of both ends of the vertical scale, to the left of its numbers."""
    x = frame.left - 9.6
    marks = (
        TextLine(x, frame.top, top, 6.5, GREY, "right", turned=True, name="top"),
        TextLine(x, frame.bottom, bottom, 6.5, GREY, turned=True, name="bottom"),
    )
    return [mark for mark in marks if mark.text]


def below_words(frame: Frame, words: str) -> TextLine:
    """Write the label of the horizontal scale."""
    return TextLine(frame.left + frame.width / 2, frame.bottom - 8.6, words, align="center")
