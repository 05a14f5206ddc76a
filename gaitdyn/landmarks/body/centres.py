"""Tell the centre of a joint from its lateral marker where both may have the same bare word."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gaitdyn.landmarks.labels.words import read_parts

if TYPE_CHECKING:
    from gaitdyn.landmarks.body.case import Case

APART = (0.05, 0.17)
"""Distance of the lateral marker of a joint outside the medial one, ASIS heights."""
LEVEL = 0.045
"""Largest difference of their heights, ASIS heights."""
_INSIDE = 0.02
_BARE = {"KLE": {("KNEE",)}, "ANL": {("ANKLE",), ("MALLEOLUS",)}}
"""Lateral landmark -> words that mean it without saying so, or else the centre of the joint."""
_JOINTS = {"KLE": {"KLE", "KME"}, "ANL": {"ANL", "ANM"}}
_OF_LEG: dict[tuple[str, ...], str] = {("HIP",): "GTR", ("FOOT",): "FTX"}
"""Words that mean a point of a drawn leg beside the centres of its knee or ankle, and else this."""
_PELVIS = ("PELVIS",)


def drop_centres(case: Case, codes: list[dict[str, float]]) -> None:
    """Drop the lateral landmark from bare words for a joint that are its centre.

    Beside ``MAL_LAT_L``, ``LEFT_ANKLE`` is the centre of the joint if it lies inside, and so are
    ``LEFT_HIP``, ``LEFT_FOOT`` and, if both sides have centres, ``PELVIS``. So is ``l_knee``
    between two other markers of the knee; the outer one is then lateral, even if it is called
    ``l_knem``, and so is ``l_ankm`` outside ``l_ank``.

    Parameters
    ----------
    case : Case
    codes : list of dict
        Landmark code -> weight of each item; changed in place. An item that is left with none is a
        computed point, ``VIR``.
    """
    sides = [words.sided.side for words in case.words]
    reads = [_read(case, i) for i in range(len(codes))]
    centred: set[str] = set()
    for code, bare in _BARE.items():
        of_joint = [i for i, own in enumerate(codes) if not own.keys().isdisjoint(_JOINTS[code])]
        for i in [i for i in of_joint if reads[i] in bare and code in codes[i]]:
            beside = [j for j in of_joint if sides[j] == sides[i]]
            outer = [j for j in beside if _is_inside(case, i, j)]
            named = any("LATERAL" in reads[j] for j in outer)
            if outer and (
                named or sides[i] in centred or any(_is_inside(case, j, i) for j in beside)
            ):
                centred.add(sides[i])
                _drop(codes[i], _JOINTS[code])
                _as_lateral([] if named else [codes[j] for j in outer], code)
    for own, read, side in zip(codes, reads, sides, strict=True):
        if side in centred and read in _OF_LEG:
            _drop(own, {_OF_LEG[read]})
        if read == _PELVIS and len(centred) > 1:
            _drop(own, {"PEX"})


def _drop(own: dict[str, float], dropped: set[str]) -> None:
    """Drop codes of an item; what has no other is a computed point."""
    for code in dropped & own.keys():
        del own[code]
    if not own:
        own["VIR"] = 1.0


def _as_lateral(outer: list[dict[str, float]], code: str) -> None:
    """Add the lateral landmark to the codes of the markers outside a centre."""
    for own in outer:
        own[code] = max(own.values())


def _read(case: Case, i: int) -> tuple[str, ...]:
    """Return the meanings of the words of a label, empty if they cannot be read."""
    found = read_parts(case.words[i].sided.parts)
    return found[0].meanings if found else ()


def _is_inside(case: Case, marker: int, lateral: int) -> bool:
    low, high = sorted((case.height(marker), case.height(lateral)))
    return high - low < LEVEL and _INSIDE < apart(case, marker, lateral) < APART[1]


def apart(case: Case, medial: int, lateral: int) -> float:
    """Return the distance of the lateral marker outside the medial one, ASIS heights.

    Parameters
    ----------
    case : Case
    medial, lateral : int
        Items.

    Returns
    -------
    float
        NaN if no file shows both.
    """
    for number in range(len(case.files)):
        evidence = case.evidence(number)
        inner, outer = evidence.position(medial), evidence.position(lateral)
        if inner is not None and outer is not None:
            return outer.outward - inner.outward
    return math.nan
