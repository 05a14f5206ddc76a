"""What the markers of a file show above the legs, before anything is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.stages.upper import NEEDED, ONE_OF, VERTEBRAE
from gaitdyn.types.subject import LETTER
from gaitdyn.upper.markers import HEAD, ONE_WRIST

if TYPE_CHECKING:
    from collections.abc import Iterable


def upper_parts(names: Iterable[str]) -> dict[str, str]:
    """Return thorax, head and arms with the markers that show them, or what they lack.

    Parameters
    ----------
    names : iterable of str
        Landmarks under the names of the models.

    Returns
    -------
    dict
        ``thorax``, ``head``, ``left arm``, ``right arm`` and ``whole body`` -> words; empty without
        any marker of the trunk.

    Examples
    --------
    >>> upper_parts(["CLAV", "C7", "STRN"])["head"]
    'lacks LFHD, RFHD, LBHD, RBHD'
    >>> upper_parts(["LASI"])
    {}
    """
    have = set(names)
    if not have & (NEEDED | ONE_OF):
        return {}
    lower = [name for name in ("STRN", *VERTEBRAE) if name in have]
    lacking = [name for name in ("CLAV", "C7") if name not in have]
    lacking += [] if lower else ["STRN or T10"]
    found = {"thorax": _told(["CLAV", "C7", *lower[:2]], lacking)}
    found["head"] = _told(HEAD, [name for name in HEAD if name not in have])
    for side, letter in LETTER.items():
        wrist = [letter + name for name in ONE_WRIST if letter + name in have]
        needed = [letter + "SHO", letter + "ELB"]
        missing = [name for name in needed if name not in have]
        missing += [] if wrist else [f"{letter}WRA or {letter}WRB"]
        hand = [letter + "FIN"] if letter + "FIN" in have else []
        found[f"{side} arm"] = _told([*needed, *wrist, *hand], missing)
    absent = [part for part, words in found.items() if words.startswith("lacks")]
    found["whole body"] = "centre of mass and loads at the waist"
    if absent:
        found["whole body"] = f"no centre of mass, no loads at the waist: no {', no '.join(absent)}"
    if lacking:
        found["whole body"] = "nothing above the legs is computed without the thorax"
    return found


def _told(names: Iterable[str], lacking: list[str]) -> str:
    return f"lacks {', '.join(lacking)}" if lacking else " ".join(names)
