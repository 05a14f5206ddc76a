"""The key of the panels: samples and words, the same on the page, on paper and in figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from gaitdyn.plots.clinic.palette import (
    FAR,
    HAIR,
    NEAR,
    OFF,
    PARTIAL_ALPHA,
    RIGHT_DASH,
    SIDE,
    WITHIN,
)
from gaitdyn.plots.clinic.panel import MOST_ALPHA
from gaitdyn.plots.clinic.placing import placed
from gaitdyn.plots.clinic.writing import drawing_svg
from gaitdyn.plots.marks import Area, Line, Mark, Stroke, rectangle
from gaitdyn.types.frozen import frozen


@frozen()
class KeyEntry:
    """One entry of the key.

    Attributes
    ----------
    kind : str
        Name in :data:`KEY`.
    words : str
    short : str
        Shorter words for narrow places.
    """

    kind: str
    words: str
    short: str


KEY = {
    "left": "left",
    "right": "right",
    "near": "norm ±1 SD",
    "far": "norm ±2 SD",
    "within": "95 % of healthy curves stay inside everywhere",
    "off": "foot-off",
    "strip": "outside: possible, clear",
    "many": "5 to 95 % of strides",
    "pale": "incomplete, not averaged",
}
"""Possible entries in their order."""

_SHORT = {"far": "±2 SD", "within": "95 % stay inside"}

_AREAS = {"near": NEAR, "far": FAR, "within": WITHIN}
_BARS = ((0.07, 0.37, 0.8, 0.5), (0.5, 0.87, 1.4, 1.0))
"""Bars of the two verdicts in the sample of a strip: start, end, height (mm), opacity."""


def key_entries(kinds: Sequence[str]) -> tuple[KeyEntry, ...]:
    """Return the entries of a key in their order.

    Examples
    --------
    >>> [entry.words for entry in key_entries(["off", "right"])]
    ['right', 'foot-off']
    """
    return tuple(KeyEntry(k, words, _SHORT.get(k, words)) for k, words in KEY.items() if k in kinds)


_SAMPLE = 8.0, 2.7
"""Width and height of a sample, mm."""


@lru_cache(maxsize=64)
def sample_svg(sample: Callable[..., list[Mark]], kind: str, whose: str | tuple[str, ...]) -> str:
    """Return a sample as SVG for the page, 30 units wide, cached; empty if there is no sample.

    Parameters
    ----------
    sample : callable
        :func:`key_sample`, or the one for two sessions.
    kind : str
    whose : str or tuple of str
        Side or sides.
    """
    wide, high = _SAMPLE
    marks = sample(kind, 0.0, high / 2, wide, whose)
    scale = 30.0 / wide
    drawn = placed(marks, 0.0, 0.0, scale)
    return drawing_svg(drawn, scale * wide, scale * high) if marks else ""


def key_sample(kind: str, left: float, y: float, wide: float, sides: Sequence[str]) -> list[Mark]:
    """Draw the sample of an entry.

    Parameters
    ----------
    kind : str
        Name in :data:`KEY`.
    left, y, wide : float
        Left end, middle and width of the sample, mm.
    sides : sequence of str
        Sides that are drawn.
    """
    line = np.array([[left, y], [left + wide, y]])
    if kind in SIDE:
        dash = tuple(part / 2.1 for part in RIGHT_DASH) if kind == "right" else ()
        return [Line(line, Stroke(SIDE[kind], 1.5, dash), "key")]
    if kind in _AREAS:
        box = rectangle(left, y - 1.1, left + wide, y + 1.1)
        edge = Line(np.concatenate((box, box[:1])), Stroke(HAIR, 0.5), "key")
        return [Area(box, _AREAS[kind], "key"), *([edge] if kind == "within" else [])]
    if kind == "off":
        ticks = [np.array([[left + x, y - 1.2], [left + x, y + 1.2]]) for x in (2.0, 5.0)]
        return [
            Line(points, Stroke(SIDE[side], OFF / 1.5), "key")
            for points, side in zip(ticks, sides, strict=False)
        ]
    colours = [SIDE[side] for side in sides] or [SIDE["left"]]
    if kind == "strip":
        bars: list[Mark] = [
            Area(rectangle(left + a * wide, y, left + b * wide, y + tall), colour, "key", alpha)
            for (a, b, tall, alpha), colour in zip(_BARS, (colours[0], colours[-1]), strict=True)
        ]
        return [Line(line, Stroke(HAIR, 0.5), "key"), *bars]
    if kind == "many":
        return [Area(rectangle(left, y - 1.1, left + wide, y + 1.1), colours[0], "key", MOST_ALPHA)]
    return [Line(line, Stroke(colours[0], 0.7, alpha=PARTIAL_ALPHA), "key")]
