"""Words of a contact's reason that the results folder keeps, and what they say when read again."""

from __future__ import annotations

import re
from collections.abc import Mapping

CUT = "the stance is cut by the"
"""Begins the reason of a contact that lacks nothing but what lies outside the file."""

_DISTANCE = re.compile(r"\b(left|right) foot (\d+) mm\b", re.ASCII)


def distance_words(distances_m: Mapping[str, float]) -> str:
    """Return how far each foot is from the centre of pressure.

    Examples
    --------
    >>> distance_words({"right": 0.3, "left": 0.12})
    'left foot 120 mm, right foot 300 mm'
    """
    return ", ".join(f"{s} foot {1000 * d:.0f} mm" for s, d in sorted(distances_m.items()))


def nearest_foot(reason: str) -> str:
    """Return the foot that is nearest by :func:`distance_words` in a reason; empty without them.

    Examples
    --------
    >>> nearest_foot("far from both feet (left foot 120 mm, right foot 30 mm)")
    'right'
    """
    found = [(int(mm), side) for side, mm in _DISTANCE.findall(reason)]
    return min(found)[1] if found else ""
