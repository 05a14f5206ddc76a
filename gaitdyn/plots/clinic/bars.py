"""Bars and markers of the first screen: the profile, a number on its norm, the timing of a side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.clinic.palette import FAR, INK, LINE, MUTED, NEAR, SIDE, size, stroke
from gaitdyn.plots.frames import number
from gaitdyn.plots.marks import Area, TextLine, rectangle, segment
from gaitdyn.types.subject import LETTER, SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.plots.marks import Mark

PROFILE_WIDTH, ROW, BAR = 400.0, 45.0, 14.0
_NAMES, _VALUES = 108.0, 42.0
MARKER_WIDTH, MARKER_HEIGHT = 140.0, 34.0
TIMING_WIDTH, TIMING_HEIGHT = 336.0, 70.0
_STEPS, _MOST_STEPS = (5.0, 10.0, 20.0, 50.0), 6
"""Between the numbers of the profile, deg, of which there are few enough to stand apart."""

_BEYOND = 3.0
"""SD: a marker further out becomes an arrow at the end."""


def profile_drawing(
    rows: Sequence[tuple[str, Mapping[str, float | None], Sequence[float]]],
) -> tuple[list[Mark], float]:
    """Return the movement analysis profile and its height.

    Parameters
    ----------
    rows : sequence of (title, side -> deg, ends of the norm in deg)
        The last one is the GPS and stands apart. Beyond its first end a norm is paler.
    """
    values = [v for _, own, norm in rows for v in (*own.values(), *norm) if v is not None]
    most = max(10.0, float(np.ceil(max(values, default=0.0) / 5.0) * 5.0))
    height = ROW * len(rows) + 34.0
    scale = (PROFILE_WIDTH - _NAMES - _VALUES) / most
    marks: list[Mark] = []
    step = next((s for s in _STEPS if most / s <= _MOST_STEPS), most)
    for value in np.arange(0.0, most + 1.0, step):
        x = _NAMES + scale * float(value)
        marks.append(segment((x, 18.0), (x, height), stroke(LINE, 0.7, level=-1), "grid"))
        marks.append(TextLine(x, 4.0, number(float(value)), size(10.5), MUTED, "center"))
    for i, (title, own, norm) in enumerate(rows):
        apart = 8.0 if i == len(rows) - 1 else 0.0
        middle = height - ROW * (i + 0.5) - apart
        marks += _profile_row(title, own, norm, (middle, scale), bold=bool(apart))
    return marks, height


def _profile_row(
    title: str,
    own: Mapping[str, float | None],
    norm: Sequence[float],
    place: tuple[float, float],
    *,
    bold: bool,
) -> list[Mark]:
    middle, scale = place
    marks: list[Mark] = [
        TextLine(_NAMES - 8.0, middle - 4.0, title, size(11.5), INK, "right", bold=bold)
    ]
    start = 0.0
    for end, colour in zip(norm, (NEAR, FAR), strict=False):
        box = rectangle(
            _NAMES + scale * start, middle - 18.0, _NAMES + scale * end, middle + 18.0
        )  # fmt: skip
        marks.append(Area(box, colour, "norm"))
        start = end
    for k, side in enumerate(SIDES):
        value, y = own.get(side), middle + (1.0 if k == 0 else -BAR - 1.0)
        if value is None:
            words = TextLine(_NAMES + 4.0, y + 3.5, "not known", size(10.5), MUTED)
            marks.append(words)
            continue
        end = _NAMES + scale * value
        marks.append(Area(rectangle(_NAMES, y, end, y + BAR), SIDE[side], f"{side} bar"))
        told = f"{LETTER[side]} {value:.1f}"  # in black and white the bars are alike
        marks.append(TextLine(end + 3.0, y + 3.5, told, size(10.5), INK, bold=bold))
    return marks


def marker_drawing(z_values: Mapping[str, float | None]) -> list[Mark]:
    """Return where numbers of the sides lie against a norm: left from above, right from below.

    Parameters
    ----------
    z_values : mapping
        Side -> distance from the norm's mean, SD, or None.
    """
    middle = MARKER_HEIGHT / 2
    unit = MARKER_WIDTH / (2 * _BEYOND + 1.0)
    centre = MARKER_WIDTH / 2
    marks: list[Mark] = []
    for k, colour in ((2.0, FAR), (1.0, NEAR)):
        box = rectangle(centre - k * unit, middle - 5.0, centre + k * unit, middle + 5.0)
        marks.append(Area(box, colour, "norm"))
    ends = (centre, middle - 5.0), (centre, middle + 5.0)
    marks.append(segment(*ends, stroke(MUTED, 1.5, level=1), "norm mean"))
    for side in SIDES:
        z = z_values.get(side)
        if z is None:
            continue
        x = centre + unit * float(np.clip(z, -_BEYOND - 0.2, _BEYOND + 0.2))
        way = 1.0 if side == "left" else -1.0
        if abs(z) > _BEYOND:
            marks += _beyond(x, middle + 8.0 * way, float(np.sign(z)), side)
            continue
        tip = middle + 2.0 * way
        points = np.array([[x, tip], [x - 5.0, tip + 9.0 * way], [x + 5.0, tip + 9.0 * way]])
        marks.append(Area(points, SIDE[side], f"{side} marker"))
    return marks


def _beyond(x: float, y: float, way: float, side: str) -> list[Mark]:
    """Return an arrow that points out of the drawing."""
    points = np.array([[x + 7.0 * way, y], [x - 3.0 * way, y + 4.5], [x - 3.0 * way, y - 4.5]])
    return [Area(points, SIDE[side], f"{side} beyond")]


def timing_drawing(
    times: Mapping[str, tuple[float | None, float | None, float | None]],
) -> list[Mark]:
    """Return stance and swing of both sides as bars, % of the cycle.

    Parameters
    ----------
    times : mapping
        Side -> opposite foot-off, opposite strike, foot-off, %.
    """
    left, right = 20.0, TIMING_WIDTH - 10.0
    scale = (right - left) / 100.0
    marks: list[Mark] = []
    for i, side in enumerate(SIDES):
        y = TIMING_HEIGHT - 20.0 - 22.0 * i
        marks.append(TextLine(2.0, y + 3.0, LETTER[side], size(11.0), SIDE[side], bold=True))
        marks.append(Area(rectangle(left, y, right, y + 15.0), FAR, "swing"))
        other_off, other_strike, off = times.get(side, (None, None, None))
        if off is None:
            marks.append(TextLine(left + 6.0, y + 4.0, "not known", size(9.5), MUTED))
            continue
        parts = [(0.0, off, 0.45, "stance")]
        if other_off is not None and other_strike is not None:
            parts = [
                (0.0, other_off, 1.0, ""),
                (other_off, other_strike, 0.45, "single support"),
                (other_strike, off, 1.0, ""),
            ]
        for start, stop, alpha, name in parts:
            box = rectangle(left + scale * start, y, left + scale * stop, y + 15.0)
            marks.append(Area(box, SIDE[side], f"{side} stance", alpha))
            marks += _named(name, start, stop, (left, scale, y)) if name else []
        marks += _named("swing", off, 100.0, (left, scale, y))
    for value in range(0, 101, 20):
        x = left + scale * value
        marks.append(TextLine(x, 2.0, str(value), size(9.6), MUTED, "center"))
    return marks


def _named(name: str, start: float, stop: float, place: tuple[float, float, float]) -> list[Mark]:
    """Return the name of a part of the cycle, and how long it is, in its middle."""
    left, scale, y = place
    x, words = left + scale * (start + stop) / 2, f"{name} {stop - start:.0f} %"
    return [TextLine(x, y + 4.5, words, size(9.5), INK, "center")]
