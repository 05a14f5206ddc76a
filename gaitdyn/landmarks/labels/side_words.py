"""Find sides from words in many languages, alone or inside a longer piece of a label."""

from __future__ import annotations

import re
from collections import Counter
from string import digits

from gaitdyn.landmarks.labels.label import camel, joined, pieces
from gaitdyn.landmarks.labels.sided import NEARLY_ALL, PAIRS_WANTED, Sided, mirrored
from gaitdyn.landmarks.labels.words import lexicon
from gaitdyn.types.landmarks import BodySide
from gaitdyn.types.side_words import SIDE_WORDS

_LONG = sorted((w for w in SIDE_WORDS if len(w) > 3), key=len, reverse=True)  # noqa: PLR2004

_NEEDS_BOTH: tuple[dict[str, BodySide], ...] = (
    {"LI": "left", "RE": "right"},
    {"G": "left", "D": "right"},
    {"S": "left", "D": "right"},
    {"I": "left", "D": "right"},
    {"E": "left", "D": "right"},
    {"V": "left", "H": "right"},
    {"V": "left", "O": "right"},
    {"SOL": "left", "SAG": "right"},
    {"VE": "left", "HO": "right"},
    {"VA": "left", "HO": "right"},
    {"VAS": "left", "OIK": "right"},
    {"B": "left", "J": "right"},
    {"Z": "left", "Y": "right"},
    {"A": "left", "D": "right"},
    {"AR": "left", "DE": "right"},
    {"L": "left", "P": "right"},
    {"L": "left", "D": "right"},
)
"""Short words that mean a side only if the word for the other side occurs too."""

PAIRED_WORDS = frozenset(word for pair in _NEEDS_BOTH for word in pair if len(word) > 2)  # noqa: PLR2004
"""Those that are too long for the initials of a person."""

_VERTEBRAE = ("L", "S")

_SPINOUS = re.compile(r"[LS]\d(SPIN|PROC)")

_FEW = range(1, 13)
_SIDED_NUMBER = re.compile(r"([A-Za-z]+)(\d+)")


def side_words(split_labels: list[list[str]]) -> dict[str, BodySide]:
    """Return the side words, plus the short pairs that both occur in this file."""
    counts = Counter(part.upper() for parts in split_labels if len(parts) > 1 for part in parts)
    words = dict(SIDE_WORDS)
    plain = counts["L"] and counts["R"]
    for pair in _NEEDS_BOTH:
        one, other = pair
        dominant = _is_dominant(split_labels, pair)
        enough = 1 if len(one) > 1 or dominant else PAIRS_WANTED
        clear = len(one) > 1 or (
            not plain and (one != "L" or dominant) and not _are_sided(split_labels, pair)
        )
        if min(counts[one], counts[other]) >= enough and clear:
            words |= pair
    return words


def _is_dominant(split_labels: list[list[str]], pair: dict[str, BodySide]) -> bool:
    """Return whether nearly all labels of several words begin or end with a word of a pair."""
    ends = [
        {end.upper().rstrip(digits) for end in (parts[0], parts[-1])}
        for parts in split_labels
        if len(parts) > 1
    ]
    count = sum(bool(words & pair.keys()) for words in ends)
    return count >= 2 * PAIRS_WANTED and count > NEARLY_ALL * len(ends)


def _are_sided(split_labels: list[list[str]], pair: dict[str, BodySide]) -> bool:
    """Return whether L and R in front are the sides of most labels with a word of a pair: LTH_A."""
    several = [parts for parts in split_labels if len(parts) > 1]
    cores = {joined(parts) for parts in several}
    owners = [joined(parts) for parts in several if pair.keys() & {part.upper() for part in parts}]
    sided = sum(core[0] in "LR" and mirrored(core, 0, "L", "R") in cores for core in owners)
    return 2 * sided > len(owners)


def by_word(parts: list[str], words: dict[str, BodySide], met: set[str]) -> Sided | None:
    """Return the side given by a word of a label, or None.

    Parameters
    ----------
    parts : list of str
    words : dict
        From :func:`side_words`.
    met : set of str
        All pieces and all complete labels of the file, in upper case.
    """
    for i, part in enumerate(parts):
        upper = part.upper()
        if upper in words and len(parts) > 1 and not _is_vertebra(parts):
            return Sided(words[upper], tuple(parts[:i] + parts[i + 1 :]), explicit=True)
    for i, part in enumerate(parts):
        number = _SIDED_NUMBER.fullmatch(part)
        side = words.get(number[1].upper()) if number else None
        before = joined(parts[:i])
        if number and side and len(parts) > 1 and _is_numbered_side(number, before, words, met):
            return Sided(side, (*parts[:i], number[2], *parts[i + 1 :]), explicit=True)
    return None if _is_vertebra(parts) else _by_inner_word(parts, words, met)


def _is_numbered_side(
    number: re.Match[str], before: str, words: dict[str, BodySide], met: set[str]
) -> bool:
    """Return whether a side word followed by a number, as in ``Thigh_R1``, is a side.

    Either the other side occurs with this number, or this side with the first three numbers, or
    both sides with one number after the same word.
    """
    word, digits = number[1].upper(), number[2]
    others = [other for other, side in words.items() if side != words[word]]
    series = word not in _VERTEBRAE and all(f"{word}{i}" in met for i in (1, 2, 3))
    return series or any(
        other + digits in met
        or any({f"{before}{x}{n}" for x in (word, other)} <= met for n in _FEW)
        for other in others
    )


def _by_inner_word(parts: list[str], words: dict[str, BodySide], met: set[str]) -> Sided | None:
    """Return the side that is a word inside a piece: ``LeftHip``, ``kneeLeft``, ``WaistLFront``."""
    for i, part in enumerate(parts):
        words_inside = camel(part)
        mixed = not part.isupper() and not part.islower() and len(words_inside) > 1
        for j, word in enumerate(words_inside if mixed else ()):
            if word.upper() in words and word[0].isupper() and _is_clear(parts, i, j, met):
                rest = (*parts[:i], *words_inside[:j], *words_inside[j + 1 :], *parts[i + 1 :])
                return Sided(words[word.upper()], rest, explicit=True)
        upper = part.upper()
        if upper[0] != "D" and "D" + upper[1:] in met:  # gcheville beside dcheville, not GCHE
            continue
        stem = upper.rstrip(digits)  # the right of clusterfemurright1
        for word in _LONG:
            if upper != word and (upper.startswith(word) or stem.endswith(word)):
                start = 0 if upper.startswith(word) else len(stem) - len(word)
                remainder = part[:start] + part[start + len(word) :]
                return Sided(
                    SIDE_WORDS[word], (*parts[:i], remainder, *parts[i + 1 :]), explicit=True
                )
    return None


def _is_clear(parts: list[str], i: int, j: int, met: set[str]) -> bool:
    """Return whether a letter inside a piece is a side: a later letter might be it instead."""
    words_inside = camel(parts[i])
    last = camel(parts[-1])[-1]
    if len(words_inside[j]) > 1 or last[-1] not in "lr" or last.upper() in lexicon():
        return True
    swapped = words_inside[j].translate(str.maketrans("LRlr", "RLrl"))
    whole = (*parts[:i], *words_inside[:j], swapped, *words_inside[j + 1 :], *parts[i + 1 :])
    return joined(whole) in met


def _is_vertebra(parts: list[str]) -> bool:
    lone = len(parts) == 2 and parts[0].upper() == "L" and parts[1].isdigit()  # noqa: PLR2004
    return lone or bool(_SPINOUS.match(joined(parts)))


def side_of_text(text: str) -> BodySide:
    """Return the side stated in a description, or ``""``.

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
