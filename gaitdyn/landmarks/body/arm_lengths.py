"""Tell markers of wrist and elbow from others of an arm, by their distance from the joint above."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from gaitdyn.landmarks.body.case import Case

_ELBOW, _WRIST = ("ELL", "ELM"), ("WRR", "WRU", "WRX")
_LATERAL = {"ELL", "KLE"}
_EPICONDYLES = {*_LATERAL, "ELM", "KME"}
FOREARM = 0.19
"""Shortest distance of a marker of the wrist from one of the elbow, ASIS heights; in 201 pairs of
real statics and walks it is 0.226 to 0.354."""
UPPER_ARM = 0.23
"""Shortest distance of a marker of the elbow from that of the shoulder, ASIS heights; in 114 pairs
it is 0.263 to 0.407."""
WIDEST = 0.16
"""Largest distance of the medial marker of an elbow from the lateral one, ASIS heights; their skin
is 0.07 to 0.09 m apart."""
_ABOVE_KNEES, _ABOVE_ELBOWS = 0.8, 1.3
"""Height above which an epicondyle is of an elbow, and a shoulder is one, ASIS heights."""


def drop_along_arms(case: Case, codes: list[dict[str, float]]) -> None:
    """Read a marker near the shoulder or the elbow as one of the segment below, not of its end.

    Humerus, radius and ulna reach from joint to joint: ``R.Ulna`` may be on any part. Distances
    hold for arms that hang and for arms held out. A marker far from the lateral one of the elbow is
    not its medial one.

    Parameters
    ----------
    case : Case
    codes : list of dict
        Landmark code -> weight of each item; changed in place.
    """
    shoulders = [
        i for i, own in enumerate(codes) if _best(own) == "ACR" and case.height(i) > _ABOVE_ELBOWS
    ]
    _drop_near(case, codes, shoulders, (_ELBOW, UPPER_ARM, "UPA"))
    elbows = [i for i, own in enumerate(codes) if _is_elbow(own) and case.height(i) > _ABOVE_KNEES]
    _drop_near(case, codes, elbows, (_WRIST, FOREARM, "FRM"))
    lateral = [j for j in elbows if _best(codes[j]) in _LATERAL]
    for i, own in enumerate(codes):
        apart = [_apart(case, i, j) for j in lateral if "ELM" in own and j != i]
        known = [distance for distance in apart if math.isfinite(distance)]
        if known and min(known) > WIDEST:
            del own["ELM"]


def _drop_near(
    case: Case,
    codes: list[dict[str, float]],
    joints: Sequence[int],
    end: tuple[Collection[str], float, str],
) -> None:
    """Replace the landmarks of the end of a segment where an item is too near its joints above."""
    dropped, least, segment = end
    for i, own in enumerate(codes):
        weight = max((own.get(code, 0.0) for code in dropped), default=0.0)
        apart = [_apart(case, i, j) for j in joints if weight and j != i]
        known = [distance for distance in apart if math.isfinite(distance)]
        if known and max(known) < least:
            for code in dropped:
                own.pop(code, None)
            own[segment] = max(weight, own.get(segment, 0.0))


def _best(own: dict[str, float]) -> str:
    return max(own, key=lambda code: own[code], default="")


def _is_elbow(own: dict[str, float]) -> bool:
    """Return whether a label means an epicondyle of the humerus, or of some bone."""
    return not own.keys().isdisjoint(_ELBOW) and _best(own) in _EPICONDYLES


def _apart(case: Case, i: int, j: int) -> float:
    """Return the distance of two items of one side in a file that shows both; NaN without one."""
    if case.words[i].sided.side != case.words[j].sided.side:
        return math.nan
    for number in range(len(case.files)):
        evidence = case.evidence(number)
        a, b = evidence.position(i), evidence.position(j)
        if a is not None and b is not None:
            return math.hypot(a.ahead - b.ahead, a.outward - b.outward, a.height - b.height)
    return math.nan
