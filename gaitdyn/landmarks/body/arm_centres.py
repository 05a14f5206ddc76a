"""Tell the centres of the joints of an arm from its markers, where both have bare words."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

from gaitdyn.landmarks.labels.words import read_parts

if TYPE_CHECKING:
    from gaitdyn.landmarks.body.case import Case
    from gaitdyn.landmarks.body.evidence import MarkerPosition

_OF_JOINT = {
    "ELBOW": {"ELL", "ELM"},
    "WRIST": {"WRR", "WRU", "WRX"},
    "SHOULDER": {"ACR"},
}
"""Bare word for a joint, and the landmarks of the markers on it."""
_ANY = frozenset[str]().union(*_OF_JOINT.values())

_ACROSS = (0.03, 0.14)
"""Range of the distance of the markers on both sides of an elbow or a wrist, ASIS heights."""
_OFF = 0.02
"""Largest distance of a centre from the middle of those markers, ASIS heights."""
_ABOVE, _BESIDE = (0.02, 0.09), 0.05
"""How far the marker of a shoulder is above its centre, and at most beside it, ASIS heights."""
_OUTER = 0.02
"""Least distance of the lateral marker of an elbow outside the medial one, ASIS heights."""


def drop_centres_of_arms(case: Case, codes: list[dict[str, float]]) -> None:
    """Drop the landmarks of elbow, wrist and shoulder from bare words that are centres of joints.

    ``LELBOW`` in the middle of two other markers of the elbow is its centre, and so are ``lwri``
    between two of the wrist and ``lsho`` below another marker of the shoulder. Of the markers of
    such an elbow the outer one is lateral, even if it is called ``lelbm``.

    Parameters
    ----------
    case : Case
    codes : list of dict
        Landmark code -> weight of each item; changed in place. A centre has only ``VIR``.
    """
    bare = {i: word for i in range(len(codes)) if (word := _bare_word(case, i, codes[i]))}
    for i, word in bare.items():
        own = _OF_JOINT[word]
        others = [
            j
            for j in range(len(codes))
            if j not in bare and not own.isdisjoint(codes[j]) and _same_side(case, i, j)
        ]
        if word == "SHOULDER":
            is_centre = any(_is_above(case, j, i) for j in others)
        else:
            pair = next((p for p in combinations(others, 2) if _is_middle(case, i, p)), None)
            is_centre = pair is not None
            if pair is not None and word == "ELBOW":
                _as_sides(case, codes, pair)
        if is_centre:
            codes[i].clear()
            codes[i]["VIR"] = 1.0


def _bare_word(case: Case, i: int, own: dict[str, float]) -> str:
    """Return the word of a joint of the arm that a label consists of, or an empty string."""
    if own.keys().isdisjoint(_ANY):
        return ""
    found = read_parts(case.words[i].sided.parts)
    word = found[0].meanings[0] if found and len(found[0].meanings) == 1 else ""
    return word if word in _OF_JOINT and not _OF_JOINT[word].isdisjoint(own) else ""


def _same_side(case: Case, i: int, j: int) -> bool:
    return case.words[i].sided.side == case.words[j].sided.side != ""


def _places(case: Case, items: tuple[int, ...]) -> tuple[MarkerPosition, ...]:
    """Return the positions of items in the first file that shows all of them; empty without one."""
    for number in range(len(case.files)):
        found = tuple(
            place for i in items if (place := case.evidence(number).position(i)) is not None
        )
        if len(found) == len(items):
            return found
    return ()


def _is_middle(case: Case, i: int, pair: tuple[int, int]) -> bool:
    places = _places(case, (i, *pair))
    if not places:
        return False
    centre, a, b = ((p.ahead, p.outward, p.height) for p in places)
    middle = tuple((x + y) / 2 for x, y in zip(a, b, strict=True))
    return _ACROSS[0] < math.dist(a, b) < _ACROSS[1] and math.dist(centre, middle) < _OFF


def _is_above(case: Case, marker: int, centre: int) -> bool:
    places = _places(case, (marker, centre))
    if not places:
        return False
    upper, lower = places
    beside = math.hypot(upper.ahead - lower.ahead, upper.outward - lower.outward)
    return _ABOVE[0] < upper.height - lower.height < _ABOVE[1] and beside < _BESIDE


def _as_sides(case: Case, codes: list[dict[str, float]], pair: tuple[int, int]) -> None:
    """Name the outer marker of an elbow lateral and the inner one medial, if one is clearly out."""
    a, b = _places(case, pair)
    outer, inner = pair if a.outward > b.outward else pair[::-1]
    if abs(a.outward - b.outward) > _OUTER:
        for i, code, other in ((outer, "ELL", "ELM"), (inner, "ELM", "ELL")):
            weight = max(codes[i].get(code, 0.0), codes[i].pop(other, 0.0))
            codes[i][code] = weight
