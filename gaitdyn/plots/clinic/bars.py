"""Bars and markers of the first screen: profile, values against their norm, timing of each side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gaitdyn.plots.clinic.palette import FAR, INK, LINE, MUTED, NEAR, SIDE, size, stroke
from gaitdyn.plots.frames import tick_label
from gaitdyn.plots.marks import Area, Mark, TextLine, rectangle, segment
from gaitdyn.plots.typeface import regular_width
from gaitdyn.types.subject import LETTER, SIDES

PROFILE_WIDTH, ROW, BAR = 400.0, 45.0, 14.0
_NAMES, _VALUES, _TYPE = 122.0, 46.0, 12.5
MARKER_WIDTH, MARKER_HEIGHT = 140.0, 34.0
TIMING_WIDTH, TIMING_HEIGHT, _TIMES = 336.0, 70.0, 11.0
_STEPS, _MOST_STEPS = (5.0, 10.0, 20.0, 50.0), 6
"""Steps between the labels of the profile, deg, and the largest number of labels that fit."""

_BEYOND = 3.0
"""SD: a marker further out is drawn as an arrow at the end."""


def profile_drawing(
    rows: Sequence[tuple[str, Mapping[str, float | None], Sequence[float]]],
) -> tuple[list[Mark], float]:
    """Draw the movement analysis profile; return its marks and its height.

    Parameters
    ----------
    rows : sequence of (title, side -> deg, ends of the norm in deg)
        The last row is the GPS and is set apart. A norm is paler beyond its first end.
    """
    values = [v for _, by_side, norm in rows for v in (*by_side.values(), *norm) if v is not None]
    largest = max(10.0, float(np.ceil(max(values, default=0.0) / 5.0) * 5.0))
    height = ROW * len(rows) + 34.0
    scale = (PROFILE_WIDTH - _NAMES - _VALUES) / largest
    marks: list[Mark] = []
    step = next((s for s in _STEPS if largest / s <= _MOST_STEPS), largest)
    for value in np.arange(0.0, largest + 1.0, step):
        x = _NAMES + scale * float(value)
        marks.append(segment((x, 18.0), (x, height), stroke(LINE, 0.7, level=-1), "grid"))
        marks.append(TextLine(x, 4.0, tick_label(float(value)), size(_TYPE), MUTED, "center"))
    for i, (title, by_side, norm) in enumerate(rows):
        offset = 8.0 if i == len(rows) - 1 else 0.0
        middle = height - ROW * (i + 0.5) - offset
        marks += _profile_row(title, by_side, norm, (middle, scale), bold=bool(offset))
    return marks, height


def _profile_row(
    title: str,
    by_side: Mapping[str, float | None],
    norm: Sequence[float],
    position: tuple[float, float],
    *,
    bold: bool,
) -> list[Mark]:
    middle, scale = position
    marks: list[Mark] = [
        TextLine(_NAMES - 8.0, middle - 4.0, title, size(_TYPE), INK, "right", bold=bold)
    ]
    start = 0.0
    for end, colour in zip(norm, (NEAR, FAR), strict=False):
        box = rectangle(
            _NAMES + scale * start, middle - 18.0, _NAMES + scale * end, middle + 18.0
        )  # fmt: skip
        marks.append(Area(box, colour, "norm"))
        start = end
    for k, side in enumerate(SIDES):
        value, y = by_side.get(side), middle + (1.0 if k == 0 else -BAR - 1.0)
        if value is None:
            marks.append(TextLine(_NAMES + 4.0, y + 3.0, "not known", size(_TYPE), MUTED))
            continue
        end = _NAMES + scale * value
        marks.append(Area(rectangle(_NAMES, y, end, y + BAR), SIDE[side], f"{side} bar"))
        label = f"{LETTER[side]} {value:.1f}"  # in black and white both bars look the same
        marks.append(TextLine(end + 3.0, y + 3.0, label, size(_TYPE), INK, bold=bold))
    return marks


def marker_drawing(z_values: Mapping[str, float | None]) -> list[Mark]:
    """Draw the values of both sides against a norm: left from above, right from below.

    Parameters
    ----------
    z_values : mapping
        Side -> distance from the mean of the norm, SD, or None.
    """
    middle = MARKER_HEIGHT / 2
    unit = MARKER_WIDTH / (2 * _BEYOND + 1.0)
    centre = MARKER_WIDTH / 2
    marks: list[Mark] = []
    for k, colour in ((2.0, FAR), (1.0, NEAR)):
        box = rectangle(centre - k * unit, middle - 5.0, centre + k * unit, middle + 5.0)
        marks.append(Area(box, colour, "norm"))
    mean_line = (centre, middle - 5.0), (centre, middle + 5.0)
    marks.append(segment(*mean_line, stroke(MUTED, 1.5, level=1), "norm mean"))
    for side in SIDES:
        z = z_values.get(side)
        if z is None:
            continue
        x = centre + unit * float(np.clip(z, -_BEYOND - 0.2, _BEYOND + 0.2))
        up = 1.0 if side == "left" else -1.0
        if abs(z) > _BEYOND:
            marks += _beyond(x, middle + 8.0 * up, float(np.sign(z)), side)
            continue
        tip = middle + 2.0 * up
        points = np.array([[x, tip], [x - 5.0, tip + 9.0 * up], [x + 5.0, tip + 9.0 * up]])
        marks.append(Area(points, SIDE[side], f"{side} marker"))
    return marks


def _beyond(x: float, y: float, sign: float, side: str) -> list[Mark]:
    """Draw an arrow that points out of the drawing."""
    points = np.array([[x + 7.0 * sign, y], [x - 3.0 * sign, y + 4.5], [x - 3.0 * sign, y - 4.5]])
    return [Area(points, SIDE[side], f"{side} beyond")]


def timing_drawing(
    times: Mapping[str, tuple[float | None, float | None, float | None]],
) -> list[Mark]:
    """Draw stance and swing of both sides as bars, % of the cycle.

    A stance is divided only where the other foot leaves and strikes within it: not in running.

    Parameters
    ----------
    times : mapping
        Side -> opposite foot-off, opposite foot strike, foot-off, %.
    """
    left, right = 20.0, TIMING_WIDTH - 10.0
    scale = (right - left) / 100.0
    marks: list[Mark] = []
    for i, side in enumerate(SIDES):
        y = TIMING_HEIGHT - 20.0 - 22.0 * i
        marks.append(TextLine(2.0, y + 3.0, LETTER[side], size(_TIMES), SIDE[side], bold=True))
        marks.append(Area(rectangle(left, y, right, y + 15.0), FAR, "swing"))
        other_off, other_strike, off = times.get(side, (None, None, None))
        if off is None:
            marks.append(TextLine(left + 6.0, y + 4.0, "not known", size(_TIMES), MUTED))
            continue
        parts = [(0.0, off, 0.45, "stance")]
        if other_off is not None and other_strike is not None and other_off < other_strike < off:
            parts = [
                (0.0, other_off, 1.0, ""),
                (other_off, other_strike, 0.45, "single support"),
                (other_strike, off, 1.0, ""),
            ]
        for start, stop, alpha, name in parts:
            box = rectangle(left + scale * start, y, left + scale * stop, y + 15.0)
            marks.append(Area(box, SIDE[side], f"{side} stance", alpha))
            marks += _phase_label(name, start, stop, (left, scale, y)) if name else []
        marks += _phase_label("swing", off, 100.0, (left, scale, y))
    for value in range(0, 101, 20):
        x = left + scale * value
        marks.append(TextLine(x, 2.0, str(value), size(_TIMES), MUTED, "center"))
    return marks


def _phase_label(
    name: str, start: float, stop: float, position: tuple[float, float, float]
) -> list[Mark]:
    """Label a phase of the cycle, in its middle, with its name and duration if they fit."""
    left, scale, y = position
    x, share = left + scale * (start + stop) / 2, f"{stop - start:.0f} %"
    told = (f"{name} {share}", f"{name.removesuffix(' support')} {share}", share)
    room = scale * (stop - start)
    words = next((text for text in told if regular_width(text, size(_TIMES)) <= room), "")
    return [TextLine(x, y + 4.0, words, size(_TIMES), INK, "center")] if words else []
