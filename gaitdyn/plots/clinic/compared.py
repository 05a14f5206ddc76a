"""Panels of one side in two sessions, with their difference and its band below.

In the upper part the earlier session is pale and dashed, the later one solid. The lower part shows
the difference about zero: two sessions of an unchanged person stay inside the band. At the right
edge the median over the cycle is drawn next to the limit that it must exceed.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from gaitdyn.plots.clinic.axes import (
    ABOVE,
    LEFT_EDGE,
    PLOT,
    axis_limits,
    axis_marks,
    axis_remark,
    percent_marks,
)
from gaitdyn.plots.clinic.key import KeyEntry
from gaitdyn.plots.clinic.palette import HAIR, INK, MUTED, PALE, SIDE, TICK, size, stroke
from gaitdyn.plots.clinic.panel import EVERY, NUMBERED, Panelled, band_marks
from gaitdyn.plots.clinic.shown import PanelCurve
from gaitdyn.plots.frames import Frame, areas_between, known_lines, lines_of_curves, tick_label
from gaitdyn.plots.marks import Area, Fixed, Line, Mark, Part, Stroke, TextLine, rectangle, segment
from gaitdyn.plots.panels import Panel
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import Band

RIBBON_ALPHA, BAND_ALPHA = 0.2, 0.45
BEFORE, AFTER = (1.7, (4.5, 2.2)), (2.3, ())
"""Width and dash of the means of the earlier and the later session, units."""

_EDGE = 6.0
_AXES = 64
"""Axes whose marks are cached."""

_TALL, _LOW, _BETWEEN = 112.0, 54.0, 10.0
"""Heights of the curves, of their difference, and of the space between them."""

_STEPS = {"deg": (5.0, 10.0, 15.0, 20.0, 30.0, 45.0, 60.0, 90.0, 180.0)}
_LOADS = (0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)


@frozen(eq=False)
class SessionDifference:
    """The second session minus the first, and how this difference was judged.

    Attributes
    ----------
    values : array, shape (101,)
    limit : array, shape (101,), or None
        Distance from ``level`` (from zero without a level) beyond which it counts as a change;
        None if the difference was not judged.
    level, level_limit : float
        Median over the cycle, and the limit that it must exceed; NaN if the curve was judged as a
        whole.
    words : str
        Reason why there is no band, shown in its place.
    """

    values: Array
    limit: Array | None
    level: float = np.nan
    level_limit: float = np.nan
    words: str = ""


def compared_drawing(
    panel: Panel, before: PanelCurve | None, after: PanelCurve | None, band: Band | None,
    change: SessionDifference, side: str, *, last: bool,
) -> Panelled:  # fmt: skip
    """Draw a panel of one side in two sessions.

    Parameters
    ----------
    panel : Panel
    before, after : PanelCurve or None
    band : Band or None
    change : SessionDifference
    side : {"left", "right"}
    last : bool
        Whether the horizontal axis has numbers.
    """
    shown = [curve for curve in (before, after) if curve is not None]
    limits, extended = axis_limits(panel, shown, band)
    height = ABOVE + _TALL + _BETWEEN + _LOW + NUMBERED
    low = NUMBERED + _LOW
    frame = Frame(LEFT_EDGE, low + _BETWEEN, PLOT, _TALL, (0.0, 100.0), limits)
    marks: list[Part] = [] if band is None else list(band_marks(frame, band))
    remark = axis_remark(extended=extended)
    marks.append(axis_marks(frame, panel, last=last, remark=remark, at=()))
    means: list[tuple[Array, Stroke, str]] = []
    for curve, colours, width, dash in ((before, PALE, *BEFORE), (after, SIDE, *AFTER)):
        if curve is not None and curve.mean is not None:
            marks += _ribbon(frame, curve, colours[curve.side])
            line = stroke(colours[curve.side], width, dash, 4)
            means.append((curve.mean, line, "session mean"))
    marks += lines_of_curves(frame, EVERY, means)
    marks += _change_marks(panel, change, SIDE[side], last=last)
    return Panelled(tuple(marks), height, limits)


def _change_marks(
    panel: Panel, change: SessionDifference, colour: str, *, last: bool
) -> list[Part]:
    """Draw the difference about zero, its band, and the level at the right edge."""
    reach = _reach(panel, change)
    frame = Frame(LEFT_EDGE, NUMBERED, PLOT, _LOW, (0.0, 100.0), (-reach, reach))
    marks: list[Part] = [_change_axes(frame, last=last)]
    if change.words:
        early = change.values[: len(change.values) // 2]  # the curve leaves the words their half
        below = np.nanmax(early, initial=0.0) > -np.nanmin(early, initial=0.0)
        y = frame.bottom + 2.5 if below else frame.top - 8.5
        marks.append(TextLine(frame.left + 4.0, y, change.words, size(8.8), MUTED))
    if change.limit is not None:
        marks += _limit_marks(frame, change, change.limit)
    marks += known_lines(frame, EVERY, change.values, stroke(colour, 1.9, level=4), "change mean")
    return marks + _level_marks(frame, change, colour)


@lru_cache(maxsize=_AXES)
def _change_axes(frame: Frame, *, last: bool) -> Fixed:
    """Draw both axes of a difference; cached."""
    zero, top = (frame.place(0.0, value)[1] for value in (0.0, frame.y[1]))
    x, type_pt = frame.left - 4.0, size(TICK)
    ends = (frame.left, zero), (frame.right, zero)
    middle = frame.bottom + _LOW / 2 - 3.4
    return Fixed((
        *percent_marks(frame, last=last).marks,
        segment(*ends, stroke(MUTED, 0.6, level=1), "zero"),
        TextLine(x, top - 6.4, f"\u00b1{tick_label(frame.y[1])}", type_pt, MUTED, "right"),
        TextLine(x, middle, "\u0394", type_pt, INK, "right", bold=True),
    ))  # fmt: skip


def _limit_marks(frame: Frame, change: SessionDifference, limit: Array) -> list[Mark]:
    """Draw the band within which an unchanged person stays, at every other per cent."""
    middle = change.level if np.isfinite(change.level) else 0.0
    low, high = middle - limit[::2], middle + limit[::2]
    return areas_between(frame, EVERY[::2], low, high, HAIR, "change band", BAND_ALPHA)


def _level_marks(frame: Frame, change: SessionDifference, colour: str) -> list[Mark]:
    """Draw two short bars at the right edge: the level, and the limit that it must exceed."""
    if not (np.isfinite(change.level) and np.isfinite(change.level_limit)):
        return []
    level, limit = (
        float(np.clip(v, -frame.y[1], frame.y[1])) for v in (change.level, change.level_limit)
    )
    zero, top, low, high = (frame.place(100.0, v)[1] for v in (0.0, level, -limit, limit))
    x = frame.right
    ends = [(x - _EDGE, low), (x, low), (x, high), (x - _EDGE, high)]
    return [
        Line(np.array(ends), stroke(INK, 0.9, level=5), "level limit"),
        Area(rectangle(x - 2 * _EDGE, zero, x - _EDGE, top), colour, "level"),
    ]


def _reach(panel: Panel, change: SessionDifference) -> float:
    """Return the end of the axis of a difference: a round number beyond everything drawn."""
    steps = _STEPS.get(panel.unit, _LOADS)
    sizes = [np.abs(change.values)]
    if change.limit is not None:
        sizes.append(np.abs(np.nan_to_num(change.level)) + change.limit)
    sizes.append(np.abs(np.array([change.level, change.level_limit])))
    values = np.concatenate(sizes)
    largest = float(np.nanmax(values)) if np.isfinite(values).any() else 0.0
    beyond = steps[-1] * math.ceil(largest / steps[-1])
    return next((step for step in steps if step >= largest), beyond)


def _ribbon(frame: Frame, curve: PanelCurve, colour: str) -> list[Mark]:
    """Draw the area within one SD of the strides, one area per run of known values."""
    mean, sd = curve.mean, curve.sd
    if mean is None or sd is None:
        return []
    mean, sd = mean[::2], sd[::2]
    return areas_between(frame, EVERY[::2], mean - sd, mean + sd, colour, "ribbon", RIBBON_ALPHA)


COMPARED_KEY = {
    "before": "A {before}",
    "after": "B {after}",
    "ribbon": "\u00b11 SD of strides",
    "unchanged": "\u0394 = B \u2212 A stays inside if nothing changed",
    "level": "its median over the cycle, and the limit it must pass",
    "largest": "\u0394 +1.0 (5.6): the largest, and its limit",
    "shape": "shape: beside the median",
}
"""Entries of the key, in their order."""


def compared_entries(before: str, after: str) -> tuple[KeyEntry, ...]:
    """Return the entries of the key for two sessions.

    Examples
    --------
    >>> [entry.words for entry in compared_entries("first", "second")][:2]
    ['A first', 'B second']
    """
    texts = {kind: words.format(before=before, after=after) for kind, words in COMPARED_KEY.items()}
    return tuple(KeyEntry(kind, words, words) for kind, words in texts.items())


def compared_sample(kind: str, left: float, y: float, wide: float, side: str) -> list[Mark]:
    """Draw the sample of a key entry; nothing for an entry that is an example in words.

    Parameters
    ----------
    kind : str
        Name in :data:`COMPARED_KEY`.
    left, y, wide : float
        Left end, middle and width of the sample, mm.
    side : str
        Side that is drawn.
    """
    dashed = {"before": (PALE[side], *BEFORE), "after": (SIDE[side], *AFTER)}
    if kind in dashed:
        colour, width, dash = dashed[kind]
        parts = tuple(part / width for part in dash)
        return [segment((left, y), (left + wide, y), Stroke(colour, 0.75 * width, parts), "key")]
    if kind == "level":
        x = left + 0.7 * wide
        edge = np.array([[x - 0.8, y - 1.2], [x, y - 1.2], [x, y + 1.2], [x - 0.8, y + 1.2]])
        bar = rectangle(x - 2.0, y - 0.8, x - 0.8, y + 0.4)
        return [Area(bar, SIDE[side], "key"), Line(edge, Stroke(INK, 0.6), "key")]
    areas = {"ribbon": (SIDE[side], RIBBON_ALPHA), "unchanged": (HAIR, BAND_ALPHA)}
    if kind not in areas:
        return []
    colour, alpha = areas[kind]
    return [Area(rectangle(left, y - 1.1, left + wide, y + 1.1), colour, "key", alpha)]
