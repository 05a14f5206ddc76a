"""The key of compared panels: what is drawn and in which words, the same on page and paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.clinic.compared import AFTER, BAND_ALPHA, BEFORE, RIBBON_ALPHA
from gaitdyn.plots.clinic.key import KeyEntry
from gaitdyn.plots.clinic.palette import HAIR, INK, PALE, SIDE
from gaitdyn.plots.marks import Area, Line, Stroke, rectangle, segment

if TYPE_CHECKING:
    from gaitdyn.plots.marks import Mark

COMPARED_KEY = {
    "before": "A {before}",
    "after": "B {after}",
    "ribbon": "\u00b11 SD of strides",
    "unchanged": "\u0394 = B \u2212 A stays inside if nothing changed",
    "level": "its mean over the cycle, and the limit it must pass",
    "largest": "\u0394 +1.0 (5.6): the largest, and its limit",
}
"""What the key holds, in its order."""


def compared_entries(before: str, after: str) -> tuple[KeyEntry, ...]:
    """Return the lines of the key of two groups.

    Examples
    --------
    >>> [one.words for one in compared_entries("first", "second")][:2]
    ['A first', 'B second']
    """
    told = {kind: words.format(before=before, after=after) for kind, words in COMPARED_KEY.items()}
    return tuple(KeyEntry(kind, words, words) for kind, words in told.items())


def compared_sample(kind: str, left: float, y: float, wide: float, side: str) -> list[Mark]:
    """Return what stands before the words of a line; nothing before an example in words.

    Parameters
    ----------
    kind : str
        Of :data:`COMPARED_KEY`.
    left, y, wide : float
        Its left end, its middle and its width, mm.
    side : str
        That is drawn.
    """
    lines = {"before": (PALE[side], *BEFORE), "after": (SIDE[side], *AFTER)}
    if kind in lines:
        colour, width, dash = lines[kind]
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
