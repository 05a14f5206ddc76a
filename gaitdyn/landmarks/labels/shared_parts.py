"""What the labels of a file share, or all have another of: beginnings, endings and numbers."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from gaitdyn.landmarks.labels.label import is_unlabelled, pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_NUMBER = re.compile(r"\d+[ _.\-]*(?=[A-Za-z])")

_SIDE_NUMBERS = re.compile(r"[ _.\-]?[12]$"), re.compile(r"^[12][ _.\-]?(?=[A-Za-z])")
_NEARLY_ALL = 0.8

_NUMBERED_SIDE = re.compile(r"(.*\d)([A-Za-z])[^0-9A-Za-z]+$")

_OF_SIDES = "lrgdsievh"
_PARTNERS = {one: other for pair in ("lp", "bj", "zy", "vo") for one, other in (pair, pair[::-1])}
"""Letters that mean a side only beside the letter for the other side."""
_LAST = re.compile(r"(?<=[0-9A-Za-z])[ _.\-(\[]+[0-9A-Za-z]+[)\]]?$")
_MANY, _MAY_LACK = 6, 0.4
"""Fewest labels for a shared beginning, and the share that may lack it, as model points do."""

_SWAPPED, _A_WORD = {"L": "R", "l": "r"}, 2


def shared_beginning(
    texts: Sequence[str],
    has_side: Callable[[str], bool] = lambda _: False,
    is_word: Callable[[str], bool] = lambda _: False,
) -> str:
    """Return the beginning that nearly all labels share.

    It names a person or a trial, not a landmark. It ends with a separator or a digit, or before L
    and R of labels that are otherwise alike. No set of labels begins with one word of the body
    throughout, but labels of one leg all begin with its side. A single letter may be a side in some
    language.

    Parameters
    ----------
    texts : sequence of str
        Cleaned labels of a file.
    has_side : callable
        Whether a beginning contains a word for a side, which belongs to the labels.
    is_word : callable
        Whether a beginning of letters is a word of a label, such as ``joint``.

    Examples
    --------
    >>> shared_beginning(["P01_LASI", "P01_RASI", "P01_LKNE", "P01_RKNE", "P01_C7", "P01_SACR"])
    'P01_'
    >>> shared_beginning(
    ...     [f"Subj 3 {x}" for x in ("r.knee", "l.knee", "r.toe", "l.toe", "C7", "T10")]
    ... )
    'Subj 3 '
    >>> shared_beginning(["L_KNE", "L_ANK", "L_HEE", "L_TOE", "L_THI", "L_TIB"])
    ''
    >>> one_leg = ("l_asi", "r_asi", "r_kne", "r_ank", "r_toe", "r_hee")
    >>> shared_beginning([f"ab12{x}" for x in one_leg])
    'ab12'
    >>> shared_beginning([f"Ann{side}{x}" for side in "LR" for x in ("ASI", "KNE", "TOE")])
    'Ann'
    """
    named = sorted(text for text in dict.fromkeys(texts) if not is_unlabelled(text))
    if len(named) < _MANY:
        return ""
    n_may_lack = int(_MAY_LACK * len(named))
    best = ""
    for i in range(n_may_lack + 1):
        first, last = named[i], named[len(named) - 1 - n_may_lack + i]
        common = _in_common(first, last)
        ends = [
            k for k in range(1, common + 1)
            if _may_end(first, k) and not has_side(first[:k]) and not _has_twin(first[:k], named)
        ]  # fmt: skip
        if ends and ends[-1] > len(best):
            best = first[: ends[-1]]
    words = [word for word in pieces(best) if not word.isdigit()]
    first = {parts[0] for text in named if len(parts := pieces(text)) > 1}
    plain = any(not _may_be_side(word, first) for word in words)
    if plain:
        return best
    return _before_sides(named, is_word) or _small_letter(named)


def _in_common(first: str, last: str) -> int:
    """Return how many letters at the beginning two texts share."""
    pairs = enumerate(zip(first, last, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(first), len(last)))


def _before_sides(named: Sequence[str], is_word: Callable[[str], bool]) -> str:
    """Return the letters before L and R of nearly all labels, as in AnnLASI beside AnnRASI."""
    n_may_lack, known = int((1.0 - _NEARLY_ALL) * len(named)), set(named)
    ends = zip(named, named[len(named) - 1 - n_may_lack :], strict=False)
    found = ""
    for beginning in {first[: _in_common(first, last)] for first, last in ends}:
        rests = [x.removeprefix(beginning) for x in named if x.startswith(beginning)]
        left = [x for x in rests if x[:1] in _SWAPPED and x[1:3].isalpha() and len(x) > _A_WORD]
        pairs = sum(f"{beginning}{_SWAPPED[x[0]]}{x[1:]}" in known for x in left)
        letters = len(beginning) > 1 and beginning.isalpha() and not is_word(beginning)
        if letters and pairs * len("LR") >= _NEARLY_ALL * len(rests):
            found = max(found, beginning, key=len)
    return found


def without_numbers(texts: Sequence[str]) -> list[str]:
    """Return labels without the number in front, if all have another number there.

    Examples
    --------
    >>> without_numbers(["01_LASI", "02_RASI", "*3"]), without_numbers(["1_MT", "5_MT"])
    (['LASI', 'RASI', '*3'], ['1_MT', '5_MT'])
    >>> without_numbers(["0Ann_LASI", "1Ann_RASI", "2Ann_SACR"])
    ['Ann_LASI', 'Ann_RASI', 'Ann_SACR']
    """
    named = {text for text in texts if not is_unlabelled(text)}
    numbers = {match[0] for text in named if (match := _NUMBER.match(text))}
    plain = {_NUMBER.sub("", text, count=1) for text in named}
    if len(numbers) < len(named) or len(plain) < len(named):
        return list(texts)
    return [_NUMBER.sub("", text, count=1) for text in texts]


def without_numbered_sides(
    texts: Sequence[str], has_side: Callable[[str], bool] = lambda _: False
) -> list[str]:
    """Return labels without 1 and 2 at their front or end, if these must be the sides.

    So it is if nearly all labels come in such pairs, never with a third, and none has a side in
    words or letters. Which number is left the person shows, since labels are then alike.

    Parameters
    ----------
    texts : sequence of str
        Cleaned labels of a file.
    has_side : callable
        Whether a label contains a word for a side.

    Examples
    --------
    >>> words = "asis", "psis", "knee", "ankle", "heel", "toe"
    >>> without_numbered_sides([f"{x} {i}" for x in words for i in "12"] + ["C7"])[-3:]
    ['toe', 'toe', 'C7']
    """
    named = [text for text in texts if not is_unlabelled(text)]
    for pattern in _SIDE_NUMBERS:
        bare = {text: pattern.sub("", text) for text in named}
        stems = {stem for stem, count in Counter(bare.values()).items() if count == len("12")}
        few = len(stems) < _MANY or len(stems) * len("12") < _NEARLY_ALL * len(named)
        if not few and not any(map(has_side, named)) and not _mirrored(stems):
            return [bare[text] if bare.get(text) in stems else text for text in texts]
    return list(texts)


def _mirrored(stems: set[str]) -> bool:
    """Return whether two stems differ in L and R at their front or end."""
    upper = {stem.upper() for stem in stems}
    return any(
        (x[0] == "L" and "R" + x[1:] in upper) or (x[-1] == "L" and x[:-1] + "R" in upper)
        for x in upper if x
    )  # fmt: skip


def shared_ending(texts: Sequence[str], has_side: Callable[[str], bool] = lambda _: False) -> str:
    """Return the ending after a separator that nearly all labels share.

    It is a trial or a number, not part of the labels. It stays if two labels differ only in it.

    Parameters
    ----------
    texts : sequence of str
        Cleaned labels of a file.
    has_side : callable
        Whether an ending contains a word for a side, which belongs to the labels.

    Examples
    --------
    >>> shared_ending(["LASI_1", "RASI_1", "LKNE_1", "RKNE_1", "C7_1", "SACR_1"])
    '_1'
    >>> shared_ending(["LTH_1", "LTH_2", "LSH_1", "LSH_2", "RTH_1", "RTH_2"])
    ''
    >>> shared_ending(["sias l", "sias p", "koleno p", "kotnik p", "pata p", "palec p"])
    ''
    """
    named = sorted({text for text in texts if not is_unlabelled(text)})
    endings = Counter(ending[0] for text in named if (ending := _LAST.search(text)))
    ending, count = endings.most_common(1)[0] if endings else ("", 0)
    is_rare = len(named) < _MANY or count < (1.0 - _MAY_LACK) * len(named)
    stripped = {text.removesuffix(ending) for text in named}
    others = [word for other in endings for word in pieces(other)]
    is_side = has_side(ending) or any(_may_be_side(word, others) for word in pieces(ending))
    return "" if is_rare or is_side or len(stripped) < len(named) else ending


def _may_be_side(word: str, others: Iterable[str] = ()) -> bool:
    """Return whether a word is a letter for a side in some language, alone or beside others."""
    partner = _PARTNERS.get(word.lower(), "")
    return len(word) == 1 and (
        word.lower() in _OF_SIDES or partner in (other.lower() for other in others)
    )


def _small_letter(named: Sequence[str]) -> str:
    """Return the small letter before the capital of all labels, such as ``pLeftToe``.

    A letter that means a side in some language is not returned.
    """
    first = {text[:1] for text in named}
    letter = first.pop() if len(first) == 1 else ""
    if not letter.islower() or letter in _OF_SIDES:
        return ""
    return letter if all(text[1:2].isupper() for text in named) else ""


def _has_twin(beginning: str, named: Sequence[str]) -> bool:
    """Return whether a beginning ends with a side behind a number, as ab12r_ beside ab12l_."""
    match = _NUMBERED_SIDE.match(beginning)
    return bool(match) and any(
        text.startswith(match[1]) and _may_be_side(text[len(match[1]) :][:1])
        and not text.startswith(match[1] + match[2]) for text in named
    )  # fmt: skip


def _may_end(text: str, k: int) -> bool:
    """Return whether a beginning of k letters may be cut off: at a separator or after a number."""
    if k >= len(text):
        return False
    return not text[k - 1].isalnum() or (text[k - 1].isdigit() and text[k].isalpha())
