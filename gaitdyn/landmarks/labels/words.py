"""Split an unknown core into words, qualifiers and numbers."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from gaitdyn.io.shipped import shipped_cells
from gaitdyn.types.frozen import frozen

_MOST_PIECES = 4
_KEPT = 8
_SHORTEST_CUT = 3
_ROMAN = {"I": "N1", "II": "N2", "III": "N3", "IV": "N4", "V": "N5"}
_LETTERS: dict[str, tuple[tuple[str, float], ...]] = {
    "M": (("MEDIAL", 0.2),),
    "L": (("LATERAL", 0.2),),
    "K": (("KNEE", 0.5),),
    "I": (("MEDIAL", 0.3),),
    "E": (("LATERAL", 0.4),),
    "A": (("ANTERIOR", 0.25), ("ANKLE", 0.9)),
    "P": (("POSTERIOR", 0.25),),
    "D": (("DISTAL", 0.25),),
    "B": (("POSTERIOR", 0.5), ("BASE", 0.7)),
    "F": (("ANTERIOR", 0.5), ("FOOT", 1.0)),
    "U": (("PROXIMAL", 0.4),),
    "O": (("LATERAL", 0.5),),
    "S": (("PROXIMAL", 0.5), ("SHANK", 1.0)),
    "C": (("MIDDLE", 0.7),),
    "T": (("PROXIMAL", 0.7), ("TOE", 1.0)),
    "H": (("HEAD", 0.7), ("HEEL", 1.0)),
}
_WORD, _CUT, _SUBSEQUENCE, _SHORT_SUBSEQUENCE = 0.04, 0.12, 0.55, 1.1
_LEFT_OVER = 1.1

Meanings = tuple[str, ...]


@frozen()
class Reading:
    """One way to read a core: the meanings of its pieces, and how far-fetched they are."""

    meanings: Meanings
    cost: float


@cache
def lexicon(*, whole: bool = False) -> dict[str, tuple[str, ...]]:
    """Return word in upper case -> its meanings, in all languages of the table.

    Parameters
    ----------
    whole : bool
        The words that are read as a whole part of a label only, marked with ``=``: inside another
        word they would be read by mistake, as the Hungarian knee in a ``greater trochanter``.
    """
    meanings_of: dict[str, list[str]] = defaultdict(list)
    for meaning, words in shipped_cells("landmarks/words.csv")[1:]:
        for word in words.split():
            if word.startswith("=") == whole:
                meanings_of[word.removeprefix("=").upper()].append(meaning)
    return {word: tuple(dict.fromkeys(meanings)) for word, meanings in meanings_of.items()}


@cache
def _beginnings() -> dict[str, set[str]]:
    """Return every beginning of a word with at least three letters -> its meanings."""
    meanings_of: dict[str, set[str]] = defaultdict(set)
    for word, meanings in lexicon().items():
        for end in range(_SHORTEST_CUT, len(word)):
            meanings_of[word[:end]].update(meanings)
    return dict(meanings_of)


@cache
def _by_letter() -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    words_of: dict[str, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
    for word, meanings in lexicon().items():
        if len(word) > _SHORTEST_CUT:
            words_of[word[0]].append((word, meanings))
    return dict(words_of)


@cache
def _piece(text: str) -> tuple[tuple[str, float], ...]:
    """Return the possible meanings of one piece, each with its cost."""
    if text.isdigit():
        return ((f"N{int(text)}", 0.05),) if len(text) < _SHORTEST_CUT else ()
    costs = dict.fromkeys(_beginnings().get(text, ()), _CUT)
    whole = _WORD if len(text) > 1 else _SUBSEQUENCE
    costs |= dict.fromkeys(lexicon().get(text, ()), whole)
    if text in _ROMAN:
        costs[_ROMAN[text]] = 0.3
    for meaning, cost in _LETTERS.get(text, ()):
        costs[meaning] = min(cost, costs.get(meaning, cost))
    if len(text) > 1 and not costs:
        costs = _abbreviated(text)
    return tuple(costs.items())


def _abbreviated(text: str) -> dict[str, float]:
    """Return the meanings of words that start with the text's first letter and contain the rest."""
    cost = _SUBSEQUENCE if len(text) >= _SHORTEST_CUT else _SHORT_SUBSEQUENCE
    return {
        meaning: cost
        for word, meanings in _by_letter().get(text[0], ())
        if len(word) > len(text) and _is_subsequence(text, word)
        for meaning in meanings
    }


def _is_subsequence(short: str, word: str) -> bool:
    letters = iter(word)
    return all(letter in letters for letter in short)


@cache
def readings(part: str) -> tuple[Reading, ...]:
    """Return the best ways to split one part of a label into at most four pieces.

    Examples
    --------
    >>> readings("MEDANK")[0].meanings
    ('MEDIAL', 'ANKLE')
    >>> readings("KNJNTLN")[0].meanings
    ('KNEE', 'LINE')
    >>> readings("terd")[0].meanings
    ('KNEE',)
    """
    text = part.upper()
    if text in lexicon(whole=True):
        return tuple(Reading((meaning,), _WORD) for meaning in lexicon(whole=True)[text])
    best: list[dict[Meanings, tuple[float, int]]] = [{} for _ in range(len(text) + 1)]
    best[0][()] = (0.0, 0)
    for start in range(len(text)):
        partial = sorted(best[start].items(), key=lambda item: item[1])[:_KEPT]
        for end in range(start + 1, len(text) + 1):
            if text[start].isdigit() and end < len(text) and text[end].isdigit():
                continue
            for meaning, cost in _piece(text[start:end]):
                for meanings, (before, count) in partial:
                    if count < _MOST_PIECES and meaning not in meanings:
                        key, total = (*meanings, meaning), before + cost
                        if total < best[end].get(key, (9.9, 0))[0]:
                            best[end][key] = (total, count + 1)
    ranked = sorted((cost, meanings) for meanings, (cost, _) in best[-1].items())
    return tuple(Reading(meanings, cost) for cost, meanings in ranked[:_KEPT])


def read_parts(parts: tuple[str, ...]) -> list[Reading]:
    """Return the best ways to read the parts of a label together, cheapest first.

    One of several parts may remain unexplained.
    """
    total = [Reading((), 0.0)]
    left_over = 0
    for part in parts:
        options = readings(part)
        if not options:
            left_over += 1
            options = (Reading((), _LEFT_OVER),)
        total = [Reading(a.meanings + b.meanings, a.cost + b.cost) for a in total for b in options]
        total = sorted(total, key=lambda reading: reading.cost)[:_KEPT]
    if left_over > 1 or (left_over and len(parts) == 1):
        return []
    return [reading for reading in total if reading.meanings]
