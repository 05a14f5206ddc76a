"""Sides by words: of many languages, alone or inside a longer piece of a label."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from gaitdyn.landmarks.label import camel, joined, pieces
from gaitdyn.landmarks.sided import NEARLY_ALL, PAIRS_WANTED, Sided
from gaitdyn.types.side_words import SIDE_WORDS

if TYPE_CHECKING:
    from gaitdyn.types.landmarks import BodySide

_LONG = sorted((w for w in SIDE_WORDS if len(w) > 3), key=len, reverse=True)  # noqa: PLR2004

_NEEDS_BOTH: tuple[dict[str, BodySide], ...] = (
    {"LI": "left", "RE": "right"},
    {"G": "left", "D": "right"},
    {"S": "left", "D": "right"},
    {"I": "left", "D": "right"},
    {"E": "left", "D": "right"},
    {"V": "left", "H": "right"},
    {"SOL": "left", "SAG": "right"},
    {"L": "left", "P": "right"},
)
"""Short words that mean a side only where the word of the other side is met too."""

_VERTEBRAE = ("L", "S")

_SPINOUS = re.compile(r"[LS]\d(SPIN|PROC)")

_SIDED_NUMBER = re.compile(r"([A-Za-z]+)(\d+)")


def side_words(cut: list[list[str]]) -> dict[str, BodySide]:
    """Return the side words, with the short ones of which both are met in this file."""
    met = Counter(part.upper() for parts in cut if len(parts) > 1 for part in parts)
    words = dict(SIDE_WORDS)
    plain = met["L"] and met["R"]
    for pair in _NEEDS_BOTH:
        one, other = pair
        all_say = _nearly_all_say(cut, pair)
        enough = 1 if len(one) > 1 or all_say else PAIRS_WANTED
        clear = len(one) > 1 or (not plain and (one != "L" or all_say))
        if min(met[one], met[other]) >= enough and clear:
            words |= pair
    return words


def _nearly_all_say(cut: list[list[str]], pair: dict[str, BodySide]) -> bool:
    """Return whether one word of a pair begins or ends nearly all labels of several words."""
    ends = [{parts[0].upper(), parts[-1].upper()} for parts in cut if len(parts) > 1]
    said = sum(bool(words & pair.keys()) for words in ends)
    return said >= 2 * PAIRS_WANTED and said > NEARLY_ALL * len(ends)


def by_word(parts: list[str], words: dict[str, BodySide], met: set[str]) -> Sided | None:
    """Return the side that a word of a label tells, or None.

    Parameters
    ----------
    parts : list of str
    words : dict
        Of :func:`side_words`.
    met : set of str
        All pieces and all whole labels of the file, in upper case.
    """
    for i, part in enumerate(parts):
        upper = part.upper()
        if upper in words and len(parts) > 1 and not _is_vertebra(parts):
            return Sided(words[upper], tuple(parts[:i] + parts[i + 1 :]), explicit=True)
    for i, part in enumerate(parts):
        number = _SIDED_NUMBER.fullmatch(part)
        side = words.get(number[1].upper()) if number else None
        if number and side and len(parts) > 1 and _is_numbered_side(number, words, met):
            rest = (*parts[:i], number[2], *parts[i + 1 :])
            return Sided(side, rest, explicit=True)
    return None if _is_vertebra(parts) else _by_inner_word(parts, words, met)


def _is_numbered_side(number: re.Match[str], words: dict[str, BodySide], met: set[str]) -> bool:
    """Return whether a side word with a number behind it, as in ``Thigh_R1``, is a side.

    The other side is met with this number, or the first three numbers of this side are.
    """
    word, digits = number[1].upper(), number[2]
    others = [other for other, side in words.items() if side != words[word]]
    series = word not in _VERTEBRAE and all(f"{word}{i}" in met for i in (1, 2, 3))
    return series or any(other + digits in met for other in others)


def _by_inner_word(parts: list[str], words: dict[str, BodySide], met: set[str]) -> Sided | None:
    """Return the side that is a word inside a piece: ``LeftHip``, ``kneeLeft``, ``WaistLFront``."""
    for i, part in enumerate(parts):
        cut = camel(part)
        mixed = not part.isupper() and not part.islower() and len(cut) > 1
        for j, word in enumerate(cut if mixed else ()):
            if word.upper() in words and word[0].isupper() and _is_clear(parts, i, j, met):
                rest = (*parts[:i], *cut[:j], *cut[j + 1 :], *parts[i + 1 :])
                return Sided(words[word.upper()], rest, explicit=True)
        upper = part.upper()
        for word in _LONG:
            if upper != word and (upper.startswith(word) or upper.endswith(word)):
                at = upper.find(word) if upper.startswith(word) else len(upper) - len(word)
                left = part[:at] + part[at + len(word) :]
                return Sided(SIDE_WORDS[word], (*parts[:i], left, *parts[i + 1 :]), explicit=True)
    return None


def _is_clear(parts: list[str], i: int, j: int, met: set[str]) -> bool:
    """Return whether a letter inside a piece is a side: another letter behind may be it too."""
    cut = camel(parts[i])
    if len(cut[j]) > 1 or parts[-1][-1] not in "lr":
        return True
    swapped = cut[j].translate(str.maketrans("LRlr", "RLrl"))
    whole = (*parts[:i], *cut[:j], swapped, *cut[j + 1 :], *parts[i + 1 :])
    return joined(whole) in met


def _is_vertebra(parts: list[str]) -> bool:
    lone = len(parts) == 2 and parts[0].upper() == "L" and parts[1].isdigit()  # noqa: PLR2004
    return lone or bool(_SPINOUS.match(joined(parts)))


def side_of_text(text: str) -> BodySide:
    """Return the side that a description tells in words, or ``""``.

    Examples
    --------
    >>> side_of_text("Right medial ankle"), side_of_text("Knie re"), side_of_text("R.Knee")
    ('right', 'right', 'right')
    """
    parts = pieces(text)
    words: dict[str, BodySide] = {**SIDE_WORDS, **_NEEDS_BOTH[0]}
    sided = by_word(parts, words, set())
    if sided is None and len(parts) == 1 and parts[0].upper() in words:
        return words[parts[0].upper()]
    return "" if sided is None else sided.side
