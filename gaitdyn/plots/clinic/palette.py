"""Colours, widths and sizes of the drawings for clinicians, each defined once.

Contrast on white (WCAG): left 5.8, right 6.9, muted words 6.2. The reference, and nothing else, is
grey. Without colour, the dash distinguishes the sides.
"""

from __future__ import annotations

from functools import lru_cache

from gaitdyn.plots.marks import LEFT, MM_PER_PT, RIGHT, Stroke

INK, MUTED = "#14202B", "#56636F"
NEAR, FAR = "#C6CED7", "#E9EDF1"
"""Areas within one and two SD of the reference."""

WITHIN = "#F4F6F8"
"""Area in which the curves of healthy walkers stay everywhere."""

HAIR, LINE, CARD = "#C3CBD3", "#DDE2E7", "#FFFFFF"
LEFT_PALE, RIGHT_PALE = "#B85F63", "#4A80BA"
"""Colours of the earlier of two sessions."""

USABLE, CHECK, FAILED = "#1D6B3A", "#7A4B00", "#8B1538"
USABLE_TINT, CHECK_TINT, FAILED_TINT = "#E6F3EA", "#FFF3DC", "#FBE6EC"

SIDE = {"left": LEFT, "right": RIGHT}
PALE = {"left": LEFT_PALE, "right": RIGHT_PALE}

CLASSES = {
    LEFT: "L",
    RIGHT: "R",
    INK: "ink",
    MUTED: "mut",
    NEAR: "n1",
    FAR: "n2",
    WITHIN: "n3",
    HAIR: "hair",
    LINE: "line",
    CARD: "card",
    LEFT_PALE: "Lp",
    RIGHT_PALE: "Rp",
    CHECK: "chk",
    FAILED: "bad",
    USABLE: "ok",
}
"""Colour -> its class on the page, so that it follows the reader's theme."""

MEAN, STRIDE, ZERO, EDGE, OFF = 2.1, 0.7, 0.6, 0.8, 1.7
STRIDE_ALPHA, PARTIAL_ALPHA = 0.6, 0.28
TICK, DIRECTION = 9.6, 8.8
RIGHT_DASH = (11.0, 1.5)


@lru_cache(maxsize=256)
def stroke(
    colour: str, width: float, dash: tuple[float, ...] = (), level: int = 2, alpha: float = 1.0
) -> Stroke:
    """Return a stroke; its width and dash are in units."""
    return Stroke(colour, width / MM_PER_PT, tuple(part / width for part in dash), level, alpha)


def mean_stroke(side: str, width: float = MEAN) -> Stroke:
    """Return the stroke for the mean of a side: left solid, right dashed."""
    return stroke(SIDE[side], width, RIGHT_DASH if side == "right" else (), 4)


def size(units: float) -> float:
    """Return the size of type, points, for a height in units."""
    return units / MM_PER_PT
