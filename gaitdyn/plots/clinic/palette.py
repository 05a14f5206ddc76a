"""Colours, widths and sizes of the clinician's drawings, each in one place.

Contrast is WCAG's on white: left 5.8, right 6.9, muted words 6.2. Only the reference is grey and
the reference is only grey. Without colour the dash tells the sides apart.
"""

from __future__ import annotations

from functools import lru_cache

from gaitdyn.plots.marks import LEFT, MM_PER_PT, RIGHT, Stroke

INK, MUTED = "#14202B", "#56636F"
NEAR, FAR = "#C6CED7", "#E9EDF1"
"""Within one and two SD of the reference."""

WITHIN = "#F4F6F8"
"""Where the curves of healthy walkers stay everywhere."""

HAIR, LINE, CARD = "#C3CBD3", "#DDE2E7", "#FFFFFF"
LEFT_PALE, RIGHT_PALE = "#B85F63", "#4A80BA"
"""The earlier of two sessions."""

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
"""What the page calls a colour, so that it follows the reader's theme."""

MEAN, STRIDE, ZERO, EDGE, OFF = 2.1, 0.7, 0.6, 0.8, 1.7
STRIDE_ALPHA, PARTIAL_ALPHA = 0.6, 0.28
TICK, DIRECTION, TITLE = 9.6, 8.8, 12.5
RIGHT_DASH = (11.0, 1.5)


@lru_cache(maxsize=256)
def stroke(
    colour: str, width: float, dash: tuple[float, ...] = (), level: int = 2, alpha: float = 1.0
) -> Stroke:
    """Return a stroke of a width in units, its dash in units, too."""
    return Stroke(colour, width / MM_PER_PT, tuple(part / width for part in dash), level, alpha)


def mean_stroke(side: str, width: float = MEAN) -> Stroke:
    """Return the stroke of a side's mean: left solid, right dashed."""
    return stroke(SIDE[side], width, RIGHT_DASH if side == "right" else (), 4)


def size(units: float) -> float:
    """Return the points of type whose height is so many units."""
    return units / MM_PER_PT
