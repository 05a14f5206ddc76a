"""Meanings that the place of a marker rules out, whatever its label says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.landmarks.body.places import places
from gaitdyn.landmarks.labels.meanings import WHOLE

if TYPE_CHECKING:
    from gaitdyn.landmarks.body.case import Case
    from gaitdyn.landmarks.body.evidence import MarkerPosition

_OF_PELVIS = (0.75, 1.4)
"""Range of heights of a marker that may move with the pelvis, ASIS heights."""
_ASIDE = 0.25
"""Largest distance of such a marker from the mid-plane, ASIS heights; hands hang farther out."""
_LEG = {"foot", "shank", "knee", "thigh"}
_ON_ARM = (1.1, 0.4)
"""Height and distance from the mid-plane beyond which a marker is on an arm held out and on no leg,
even where so many names of the hand are mistaken that nobody seems to stand."""
_TRACKERS = {"THX", "SHX", "FTX", "PEX"}
_ARM = {"UPA", "ELL", "ELM", "FRM", "WRR", "WRU", "WRX", "HAN"}
_LOWEST_ARM = 0.55
"""Height below which no word in doubt is one of an arm of a person who stands; fingertips are at
0.65."""


def is_out_of_reach(case: Case, i: int, code: str) -> bool:
    """Return whether an item cannot be a landmark, being too high, too low or too far aside.

    Of known spellings only those of markers that track a segment are judged, as ``FT3`` on a
    finger; a landmark far from its place is left to the other checks. Further meanings of a known
    spelling are judged if they are of an arm, as of ``STL`` on the shank.

    Parameters
    ----------
    case : Case
    i : int
        Item.
    code : str
        Of the landmark.
    """
    meaning = case.words[i].meaning
    if code in _ARM:
        judged = meaning.codes.get(code, 0.0) < WHOLE
    else:
        judged = code in _TRACKERS or (not meaning.exact and _is_of_leg(code))
    seen = _seen(case, i) if judged else None
    if seen is None:
        return False
    position, upright = seen
    if code in _ARM:
        return upright and position.height < _LOWEST_ARM
    aside = abs(position.outward)
    if code == "PEX":
        low, high = _OF_PELVIS
        return (upright and aside > _ASIDE) or not low <= position.height <= high
    return position.height > _ON_ARM[0] and aside > _ON_ARM[1]


def _is_of_leg(code: str) -> bool:
    place = places().get(code)
    return place is not None and place.level in _LEG


def _seen(case: Case, i: int) -> tuple[MarkerPosition, bool] | None:
    """Return the position of an item, and whether the person stands in that file."""
    for number in case.items[i].index:
        evidence = case.evidence(number)
        position = evidence.position(i)
        if position is not None:
            return position, evidence.upright
    return None
