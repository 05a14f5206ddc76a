"""Meanings that the place of a marker rules out, whatever its label says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.landmarks.places import places

if TYPE_CHECKING:
    from gaitdyn.landmarks.case import Case

_OF_PELVIS = (0.75, 1.4)
"""Range of heights of a marker that may move with the pelvis, ASIS heights."""
_ASIDE = 0.25
"""Largest distance of such a marker from the mid-plane, ASIS heights; hands hang farther out."""
_LEG = {"foot", "shank", "knee", "thigh"}
_ON_ARM = (1.1, 0.4)
"""Height and distance from the mid-plane beyond which a marker is on an arm held out and on no leg,
even where so many names of the hand are mistaken that nobody seems to stand."""
_TRACKERS = {"THX", "SHX", "FTX"}


def is_out_of_reach(case: Case, i: int, code: str) -> bool:
    """Return whether an item cannot be a landmark, being too high or too far aside for it.

    Of known spellings only those of markers that track a segment are judged, as ``FT3`` on a
    finger; a landmark far from its place is left to the other checks.

    Parameters
    ----------
    case : Case
    i : int
        Item.
    code : str
        Of the landmark.
    """
    tracks_pelvis = code == "PEX"
    if not tracks_pelvis and case.words[i].meaning.exact and code not in _TRACKERS:
        return False
    place = places().get(code)
    if not tracks_pelvis and (place is None or place.level not in _LEG):
        return False
    for number in case.items[i].index:
        evidence = case.evidence(number)
        position = evidence.position(i)
        if position is None:
            continue
        aside = abs(position.outward)
        if tracks_pelvis:
            low, high = _OF_PELVIS
            return (evidence.upright and aside > _ASIDE) or not low <= position.height <= high
        return position.height > _ON_ARM[0] and aside > _ON_ARM[1]
    return False
