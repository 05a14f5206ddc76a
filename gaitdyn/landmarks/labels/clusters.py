"""Find numbered series of markers with one stem, and pairs that differ only in M and L."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.landmarks.labels.sided import Sided

_SERIES = re.compile(r"(?P<stem>.*?[A-Z])?0*(?P<number>\d{1,2})")
_LETTERED = re.compile(r"(?P<stem>[A-Z]{2,}?)(?P<number>[A-F])")
_NO_STEMS = re.compile(r"(D|P|H|B|F)?(M|MT|MH|MTH|MTP|MET|META|METATARSAL|TOE|TOES|RAY)|V|KD|MC")
_SPINE = re.compile(r"C|CV|T|TH|TV|L|LV|S|SV")
_FEWEST = 3
_RAYS = range(1, 6)
_BESIDE = 0.2
_HANGING = (0.75, 0.25)
"""Height and distance from the mid-plane beyond which a series is on an arm that hangs down."""

HEIGHTS = {"THX": (0.50, 0.97), "SHX": (0.12, 0.52), "FTX": (-0.1, 0.15), "PEX": (0.90, 1.25)}
"""Range of mean heights of a cluster of thigh, shank, foot or pelvis, ASIS heights."""


def series(labels: Sequence[Sided]) -> list[list[int]]:
    """Return groups of three or more labels with one side, one stem and numbers.

    Metatarsals and vertebrae are not series.
    """
    groups: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    lettered: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for i, sided in enumerate(labels):
        match = _SERIES.fullmatch(sided.core)
        if match and not _excluded(match["stem"] or "", sided.side):
            groups[sided.side, match["stem"] or ""][match["number"]].append(i)
        if letter := _LETTERED.fullmatch(sided.core):
            lettered[sided.side, letter["stem"]][letter["number"]].append(i)
    chosen = [group for group in groups.values() if len(group) >= _FEWEST]
    chosen += [group for group in lettered.values() if {"A", "B", "C"} <= set(group)]
    return [sorted(i for members in group.values() for i in members) for group in chosen]


def ray_of(core: str, others: Sequence[str]) -> int:
    """Return the number of a metatarsal in a core whose series skips some; 0 otherwise.

    ``T1``, ``T2``, ``T5`` of a foot are not a cluster, which would be numbered without gaps.

    Examples
    --------
    >>> ray_of("T5", ["T1", "T2", "T5"]), ray_of("FT2", ["FT1", "FT2", "FT3"])
    (5, 0)
    """
    matches = [_SERIES.fullmatch(other) for other in others]
    numbers = {int(match["number"]) for match in matches if match}
    match = _SERIES.fullmatch(core)
    rays = {1, 5} <= numbers <= set(_RAYS) and len(numbers) < len(_RAYS)
    return int(match["number"]) if match and rays else 0


def _excluded(stem: str, side: str) -> bool:
    return bool(_NO_STEMS.fullmatch(stem)) or (not side and bool(_SPINE.fullmatch(stem)))


def by_place(height: float, outward: float) -> dict[str, float]:
    """Return cluster code -> share for the mean position of a series, in ASIS heights.

    Markers beside the pelvis or an upper thigh belong to an arm.
    """
    aside = abs(outward)
    if height > _HANGING[0] and aside > _HANGING[1]:
        return {}
    fits = [code for code, (low, high) in HEIGHTS.items() if low <= height <= high]
    fits = [code for code in fits if code != "PEX" or not aside > _BESIDE]
    return {code: 1.0 / len(fits) for code in fits}


def twins(labels: Sequence[Sided], letters: str = "ML") -> list[tuple[int, int]]:
    """Return pairs (medial, lateral) on one side whose cores differ only in one M and L.

    Parameters
    ----------
    labels : sequence of Sided
    letters : str
        The two letters: ``ML``, or ``IE`` for the French internal and external.
    """
    items_of: dict[tuple[str, str], list[int]] = defaultdict(list)
    for i, sided in enumerate(labels):
        items_of[sided.side, sided.core].append(i)
    pairs: list[tuple[int, int]] = []
    for (side, core), medial in items_of.items():
        for k, letter in enumerate(core):
            lateral = (side, core[:k] + letters[1] + core[k + 1 :])
            if letter == letters[0] and side and lateral in items_of:
                pairs += [(i, j) for i in medial for j in items_of[lateral]]
    return pairs
