"""The words of a label, and the side that the first or the last of them means."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from gaitdyn.emg.muscle_table import row_of
from gaitdyn.types.side_words import SIDE_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIDES = SIDE_WORDS | {"G": "left", "LI": "left", "D": "right", "DES": "right", "RE": "right"}
_RARE = {"G": "left", "D": "right", "E": "left", "I": "left"}
"""Letters that are a side in French, Portuguese or Spanish, if another label of the file agrees."""

_ALSO_MUSCLES = {"g", "d", "re", "droit"}
"""Words of a side that may also begin the name of a muscle."""

_NOT_A_WORD = re.compile(
    r"(voltage|s?emg|analog|sensor|noraxon|ultium|delsys|trigno|im|cometa|myon|channels?|ch|io"
    r"|musc(le)?|m|[um]?v|raw|norm(ali[sz]ed)?|processed|upper|lower|proximal|distal)?\d*",
    re.IGNORECASE,
)
"""Words of a label that name a device, unit, number or step, or the place of an electrode."""

_GLUED = re.compile(
    r"(left|right|links|rechts)(\w{2,})"
    r"|(\w{2,})(left|right|links|rechts|gauche|droite?|sinistr[ao]|destr[ao]|izquierd[ao]"
    r"|derech[ao]|esquerd[ao]|direit[ao])",
    re.IGNORECASE,
)


def words_of(text: str) -> list[str]:
    """Return the words of a label, without accents and what is a device, a unit or a number."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    parts = [word for word in re.split(r"[\s._:\-/()\[\],;#+]+", bare.strip()) if word]
    return _with_side_apart([word for word in parts if not _NOT_A_WORD.fullmatch(word)])


def _with_side_apart(words: list[str]) -> list[str]:
    """Return the words, with the side split off a single word such as ``LeftTibAnt``."""
    if len(words) != 1:
        return words
    glued = _GLUED.fullmatch(words[0])
    return words if glued is None else [part for part in glued.groups() if part]


def letters(words: Sequence[str]) -> str:
    """Return some words squeezed to lower-case letters, as the patterns of the table want them."""
    return re.sub(r"[^a-z]", "", "".join(words).lower())


def _side_of(word: str) -> str:
    return _SIDES.get(word.upper(), "")


def _side_at(words: list[str], end: int, rest: list[str], others: tuple[str, ...]) -> str:
    """Return the side that the first (0) or last (-1) word of a label means.

    Beside other labels, ``G`` and ``D`` are a side only if a second label has such a letter; ``E``
    and ``I``, left in Portuguese and Spanish, if there is the same label with ``D``.
    """
    letter = words[end].upper()
    if letter not in _RARE or len(others) < 2:  # noqa: PLR2004
        return _side_of(words[end])
    beside = _rare_letters(others)
    mirrored = ("D", letters(rest)) in beside
    return _RARE[letter] if (mirrored if letter in "EI" else len(beside) > 1) else ""


@lru_cache(maxsize=8)
def _rare_letters(labels: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    """Return each letter of :data:`_RARE` at an end of some labels, and the rest of its label."""
    words = [words for label in labels if len(words := words_of(label)) > 1]
    ends = [(w[0], w[1:]) for w in words] + [(w[-1], w[:-1]) for w in words]
    return frozenset((end.upper(), letters(rest)) for end, rest in ends if end.upper() in _RARE)


def split_side(words: list[str], others: tuple[str, ...] = ()) -> tuple[str, list[str]]:
    """Return the side at the start or the end of some words, and the rest, which names a muscle.

    ``G`` is left in French and ``Re`` right in German, but ``G Med R`` is a right gluteus and ``G
    Med`` one without a side. If no rest names a muscle, both ends must agree on the side. A letter
    that is no side beside the other labels, as in ``G_gast_lat``, is left out if the rest alone
    names a muscle.

    Parameters
    ----------
    words : list of str
        Of :func:`words_of`.
    others : tuple of str
        All labels of the file.
    """
    ends = [(0, words[1:]), (-1, words[:-1])] if len(words) > 1 else []
    sided = [(_side_at(words, end, rest, others), rest) for end, rest in ends]
    splits = [(side, rest) for side, rest in sided if side]
    for side, rest in splits:
        if row_of(letters(rest)) is not None:
            return side, rest
    whole = row_of(letters(words)) is not None
    sides = {side for side, _ in splits}
    if len(sides) == 1 and not (whole and words[0].lower() in _ALSO_MUSCLES):
        return splits[0]
    stray = [rest for end, rest in ends if words[end].upper() in _RARE and row_of(letters(rest))]
    return "", stray[0] if stray and not whole else words
