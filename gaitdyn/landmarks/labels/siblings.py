"""Read three or four letters as a place on a segment or heel where others with the first two are.

``RTHU`` beside ``RTHC`` and ``RTHD`` is the upper marker of the thigh; alone it is a thumb. ``HEL``
beside ``HET`` and ``HEB`` is the side of the heel.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.landmarks.labels.meanings import Meaning
from gaitdyn.types.landmarks import BodySide

if TYPE_CHECKING:
    from gaitdyn.landmarks.labels.sided import Sided

_SEGMENTS = ("THX", "SHX")
_LENGTHS, _STEM, _OTHERS = (3, 4), 2, 2
_INSTEAD = 0.5
"""Share that the meanings of the letters alone keep."""

_HEEL, _TOP, _BOTTOM = "CAL", "TU", "BD"
_SIDES_OF_HEEL = {"L": "CALL", "M": "CALM"}
_ON_HEEL = 0.8

_Family = tuple[BodySide, str, int]
"""Side, first letters and number of letters that siblings share."""


def like_their_siblings(sided: list[Sided], meanings: list[Meaning]) -> list[Meaning]:
    """Return meanings, those of unknown letters with that of at least two others on the side.

    Parameters
    ----------
    sided : list of Sided
        All labels of a file.
    meanings : list of Meaning
        One per label.
    """
    found: Counter[tuple[_Family, str]] = Counter()
    for label, meaning in zip(sided, meanings, strict=True):
        if _best(meaning) in _SEGMENTS:
            found[_family(label), _best(meaning)] += 1
    read = [_as_sibling(x, meaning, found) for x, meaning in zip(sided, meanings, strict=True)]
    for family in _heels(sided, read):
        for i in family:
            read[i] = _on_heel(sided[i].core[-1], read[i])
    return read


def _heels(sided: list[Sided], meanings: list[Meaning]) -> list[list[int]]:
    """Return the families of which one is a heel, and others are its top and its bottom."""
    families: dict[_Family, list[int]] = defaultdict(list)
    for i, label in enumerate(sided):
        if len(label.core) == _STEM + 1 and label.core.isalpha() and label.side:
            families[_family(label)].append(i)
    return [
        members
        for members in families.values()
        if len(members) > _OTHERS
        and any(_best(meanings[i]) == _HEEL for i in members)
        and all(any(sided[i].core[-1] in ends for i in members) for ends in (_TOP, _BOTTOM))
    ]


def _on_heel(letter: str, meaning: Meaning) -> Meaning:
    """Return the meaning of a label of a heel with its place as last letter."""
    code = _SIDES_OF_HEEL.get(letter, _HEEL)
    if _best(meaning) == code:
        return meaning
    codes = {other: _INSTEAD * weight for other, weight in meaning.codes.items()}
    how = "like the others of the heel"
    return Meaning(codes | {code: _ON_HEEL}, how, reasons=meaning.reasons | {code: how})


def _as_sibling(label: Sided, meaning: Meaning, found: Counter[tuple[_Family, str]]) -> Meaning:
    family = _family(label)
    code = max(_SEGMENTS, key=lambda segment: found[family, segment])
    if (
        meaning.exact
        or _best(meaning) in ("", *_SEGMENTS)
        or family[-1] not in _LENGTHS
        or found[family, code] < _OTHERS
    ):
        return meaning
    codes = {other: _INSTEAD * weight for other, weight in meaning.codes.items()}
    reasons = meaning.reasons | {code: f"like the others that begin with {family[1]}"}
    return replace(meaning, codes=codes | {code: max(meaning.codes.values())}, reasons=reasons)


def _family(label: Sided) -> _Family:
    letters = label.core if label.side and label.core.isalpha() else ""
    return label.side, letters[:_STEM], len(letters)


def _best(meaning: Meaning) -> str:
    return max(meaning.codes, key=lambda code: meaning.codes[code], default="")
