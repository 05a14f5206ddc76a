"""Tell markers of wrist and elbow from others of the arm, by their distance from the elbow."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gaitdyn.landmarks.case import Case

_ELBOW, _WRIST = {"ELL", "ELM"}, ("WRR", "WRU", "WRX")
_LATERAL = {"ELL", "KLE"}
_EPICONDYLES = {*_LATERAL, "ELM", "KME"}
SHORTEST = 0.19
"""Shortest distance of a marker of the wrist from one of the elbow, ASIS heights; in 201 pairs of
real statics and walks it is 0.226 to 0.354."""
WIDEST = 0.16
"""Largest distance of the medial marker of an elbow from the lateral one, ASIS heights; their skin
is 0.07 to 0.09 m apart."""
_ABOVE_KNEES = 0.8
"""Height above which an epicondyle is of an elbow, ASIS heights."""


def drop_along_forearms(case: Case, codes: list[dict[str, float]]) -> None:
    """Read a marker near the elbow as one of the forearm, not of the wrist.

    Radius and ulna reach from the elbow to the wrist: ``R.Ulna`` may be on any part of them. A
    marker far from the lateral one of the elbow is not its medial one.

    Parameters
    ----------
    case : Case
    codes : list of dict
        Landmark code -> weight of each item; changed in place.
    """
    elbows = [i for i, own in enumerate(codes) if _is_elbow(own) and case.height(i) > _ABOVE_KNEES]
    for i, own in enumerate(codes):
        weight = max((own.get(code, 0.0) for code in _WRIST), default=0.0)
        apart = [_apart(case, i, j) for j in elbows if weight and j != i]
        known = [distance for distance in apart if math.isfinite(distance)]
        if known and max(known) < SHORTEST:
            for code in _WRIST:
                own.pop(code, None)
            own["FRM"] = max(weight, own.get("FRM", 0.0))
    lateral = [j for j in elbows if max(codes[j], key=lambda c: codes[j][c]) in _LATERAL]
    for i, own in enumerate(codes):
        apart = [_apart(case, i, j) for j in lateral if "ELM" in own and j != i]
        known = [distance for distance in apart if math.isfinite(distance)]
        if known and min(known) > WIDEST:
            del own["ELM"]


def _is_elbow(own: dict[str, float]) -> bool:
    """Return whether a label means an epicondyle of the humerus, or of some bone."""
    return not _ELBOW.isdisjoint(own) and max(own, key=lambda code: own[code]) in _EPICONDYLES


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
