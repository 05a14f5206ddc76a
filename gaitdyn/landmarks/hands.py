"""Choose the marker of a hand that stands for its knuckles, by the words of the labels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_NO_KNUCKLE = re.compile(r"THUMB|TH?MB|THM|POUCE|DAUMEN|POLLICE|PULGAR|DUIM|TIP|DACTYL")
"""Letters of a thumb or of the tip of a finger, which no hand axis goes through."""

_LITTLE = re.compile(r"PINK|LITTLE|SMALL|OUT|ULN|LAT|(?<=[LR])OHAND|^OHAND")
_MIDDLE_RAYS, _LITTLE_RAY = {"2", "3"}, "5"


def knuckles_of(labels: Sequence[str]) -> list[int]:
    """Return the places of the labels that may stand for the knuckles of one hand, best first.

    The second or third metacarpal is on the axis of the hand, or nearly. A thumb or the tip of a
    finger is not.

    Parameters
    ----------
    labels : sequence of str
        Of the markers of one hand, best candidate first.

    Examples
    --------
    >>> knuckles_of(["LThumb", "LMC5", "LMC2"])
    [2, 1]
    >>> knuckles_of(["R_Thumb_Tip"])
    []
    """
    upper = [label.upper() for label in labels]
    fitting = [i for i, text in enumerate(upper) if not _NO_KNUCKLE.search(text)]
    return sorted(fitting, key=lambda i: _off_axis(upper[i]))


def _off_axis(text: str) -> int:
    """Return 0 for the second and third ray, 1 for a hand without a ray, more for others."""
    numbers = re.findall(r"\d+", text)
    if numbers and numbers[-1] in _MIDDLE_RAYS:
        return 0
    if (numbers and numbers[-1] == _LITTLE_RAY) or _LITTLE.search(text):
        return 3
    return 2 if numbers else 1
