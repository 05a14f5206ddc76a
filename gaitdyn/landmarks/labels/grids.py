"""Find labels of one segment whose last letters are places that cross.

``TTL``, ``TTM``, ``TBL``, ``TBM`` are top and bottom, lateral and medial of a thigh.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.landmarks.labels.sided import Sided

_UPRIGHT = ("TB", "UL", "UD", "PD", "SI", "HB", "OU")
_OPPOSITE = (*_UPRIGHT, "AP", "FB", "VH", "LM", "IE", "IO")
"""Letters of opposite places, first those of which one is above the other; some are French (haut,
bas) or German (oben, unten, vorne, hinten).
"""
_LETTERS = {letter for pair in _OPPOSITE for letter in pair}
_CROSSING = tuple({a + b for a in one for b in other} for one, other in permutations(_OPPOSITE, 2))
_SHARED = 3

_Ends = dict[tuple[str, str], dict[str, list[int]]]
"""Side and stem -> last letters -> labels."""


def grids(labels: Sequence[Sided]) -> list[list[int]]:
    """Return groups of labels with one side and one stem that end in crossing places.

    Either their last two letters cross, or the last letters of three are also those of another
    stem: ``TT``, ``TB``, ``TP`` beside ``SHT``, ``SHB``, ``SHP``.
    """
    one, two = _by_ends(labels, 1), _by_ends(labels, 2)
    found = [(ends, cross) for ends in two.values() for cross in _CROSSING if ends.keys() >= cross]
    for (side, stem), ends in one.items():
        for (other_side, other), others in one.items():
            shared = ends.keys() & others.keys()
            beside = side == other_side and stem != other and len(shared) >= _SHARED
            if beside and any(shared >= set(pair) for pair in _UPRIGHT):
                found.append((ends, shared))
    groups = (tuple(sorted(i for end in some for i in ends[end])) for ends, some in found)
    return [list(group) for group in dict.fromkeys(groups)]


def _by_ends(labels: Sequence[Sided], count: int) -> _Ends:
    """Return the labels with a side that end in so many letters of places, after others."""
    found: _Ends = defaultdict(lambda: defaultdict(list))
    for i, sided in enumerate(labels):
        stem, end = sided.core[:-count], sided.core[-count:]
        if sided.side and stem.isalpha() and _LETTERS.issuperset(end):
            found[sided.side, stem][end].append(i)
    return {family: ends for family, ends in found.items() if len(ends) >= _SHARED}
