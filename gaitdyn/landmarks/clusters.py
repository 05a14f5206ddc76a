"""Series of markers with one stem and numbers, and pairs that differ in M and L alone."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.landmarks.sided import Sided

_SERIES = re.compile(r"(?P<stem>.*?[A-Z])?0*(?P<number>\d{1,2})")
_LETTERED = re.compile(r"(?P<stem>[A-Z]{2,}?)(?P<number>[A-F])")
_NO_STEMS = re.compile(r"(D|P|H|B|F)?(M|MT|MH|MTH|MTP|MET|META|METATARSAL|TOE|TOES|RAY)|V|KD|MC")
_SPINE = re.compile(r"C|CV|T|TH|TV|L|LV|S|SV")
_FEWEST = 3
_RAYS = range(1, 6)
_BESIDE = 0.2

HEIGHTS = {"THX": (0.50, 0.97), "SHX": (0.12, 0.52), "FTX": (-0.1, 0.15), "PEX": (0.90, 1.25)}
"""Mean heights at which a series is a cluster of thigh, shank, foot or pelvis."""


def series(labels: Sequence[Sided]) -> list[list[int]]:
    """Return the groups of three and more labels with one side, one stem and numbers behind.

    Metatarsals and vertebrae are not series.
    """
    groups: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    lettered: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for i, sided in enumerate(labels):
        match = _SERIES.fullmatch(sided.core)
        if match and not _excluded(match["stem"] or "", sided.side):
            groups[sided.side, match["stem"] or ""][match["number"]].append(i)
        letter = _LETTERED.fullmatch(sided.core)
        if letter:
            lettered[sided.side, letter["stem"]][letter["number"]].append(i)
    found = [group for group in groups.values() if len(group) >= _FEWEST]
    found += [group for group in lettered.values() if {"A", "B", "C"} <= set(group)]
    return [sorted(i for places in group.values() for i in places) for group in found]


def ray_of(core: str, others: Sequence[str]) -> int:
    """Return the number of the metatarsal in a core whose series skips some, 0 for none.

    ``T1``, ``T2``, ``T5`` of a foot are no cluster: those number what they have.

    Examples
    --------
    >>> ray_of("T5", ["T1", "T2", "T5"]), ray_of("FT2", ["FT1", "FT2", "FT3"])
    (5, 0)
    """
    found = [_SERIES.fullmatch(other) for other in others]
    numbers = {int(match["number"]) for match in found if match}
    own = _SERIES.fullmatch(core)
    rays = {1, 5} <= numbers <= set(_RAYS) and len(numbers) < len(_RAYS)
    return int(own["number"]) if own and rays else 0


def _excluded(stem: str, side: str) -> bool:
    return bool(_NO_STEMS.fullmatch(stem)) or (not side and bool(_SPINE.fullmatch(stem)))


def by_place(height: float, outward: float) -> dict[str, float]:
    """Return cluster code -> share for the mean place of a series, in ASIS heights.

    What hangs beside the pelvis is an arm.
    """
    fits = [code for code, (low, high) in HEIGHTS.items() if low <= height <= high]
    fits = [code for code in fits if code != "PEX" or not abs(outward) > _BESIDE]
    return {code: 1.0 / len(fits) for code in fits}


def twins(labels: Sequence[Sided]) -> list[tuple[int, int]]:
    """Return pairs (medial, lateral) of one side whose cores differ in one M and L alone."""
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for i, sided in enumerate(labels):
        places[sided.side, sided.core].append(i)
    found: list[tuple[int, int]] = []
    for (side, core), medial in places.items():
        for at, letter in enumerate(core):
            other = (side, core[:at] + "L" + core[at + 1 :])
            if letter == "M" and side and other in places:
                found += [(i, j) for i in medial for j in places[other]]
    return found
