"""Find names of persons in a C3D file, and remove them from texts."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import TYPE_CHECKING
from unicodedata import normalize

from gaitdyn.io.labels import mask, prefixes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from gaitdyn.io.c3d.parameters import Parameters

_SHORTEST = 3
UNNAMED = "subject"
"""Replaces a person without a pseudonym in anything that is passed on."""
_NOBODY = re.compile(rf"{UNNAMED}(-\d+)?", re.IGNORECASE)
"""Matches the placeholders that gaitdyn itself writes instead of names."""
_ELSEWHERE = (
    ("SUBJECTS", "LABEL_PREFIXES"), ("EVENT", "SUBJECTS"), ("ANALYSIS", "SUBJECTS"),
    ("SUBJECT", "NAME"), ("PATIENT", "NAME"),
)  # fmt: skip
"""Texts of a file that are names of persons, besides SUBJECTS:NAMES and prefixes of labels."""


def distinct_names(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts that are names of persons, without duplicates.

    Examples
    --------
    >>> distinct_names(["Ann ", "", "subject", "Ann"])
    ('Ann',)
    """
    names = dict.fromkeys(text.strip().rstrip(":") for text in texts)
    return tuple(name for name in names if name and not _NOBODY.fullmatch(name))


def other_names_in(params: Parameters) -> tuple[str, ...]:
    """Return names of persons in a file other than SUBJECTS:NAMES; never to be printed.

    They are label prefixes, the subjects of events and analyses, and SUBJECT:NAME of older files.
    """
    names = list(prefixes(params.strings("POINT", "LABELS")))
    for group, key in _ELSEWHERE:
        names += params.strings(group, key)
    return distinct_names(names)


def name_words(names: Iterable[str]) -> tuple[str, ...]:
    """Return names and their parts of three letters or more, the longest first.

    A word with accents is also given as letters and separate accents, as in file names of macOS.

    Examples
    --------
    >>> name_words(["Daphnee A. Test"]), name_words(["Ann 2024"])
    (('Daphnee A. Test', 'Daphnee', 'Test'), ('Ann 2024', 'Ann'))
    """
    whole = [normalize("NFC", name) for name in names]
    parts = dict.fromkeys(p for name in whole for p in (name, *re.split(r"[\W_]+", name)))
    words = [p for p in parts if len(p) >= _SHORTEST and not p.isdigit()]
    words += [apart for word in words if (apart := normalize("NFD", word)) != word]
    return tuple(sorted(words, key=len, reverse=True))


def words_in(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the names, or parts of names, that occur in a text."""
    return tuple(w for w in name_words(names) if re.search(_pattern(w), text, re.IGNORECASE))


def words_of_most(labels: Sequence[str], names: Iterable[str]) -> tuple[str, ...]:
    """Return the names, or parts of names, that most labels have.

    Some programs write the name of the person before each label without a colon, or without any
    sign between. A word of the body that is part of a name stands in few labels.

    Examples
    --------
    >>> words_of_most(["Ann_LASI", "Ann_RASI", "Ann_L_Knee"], ["Ann Knee"])
    ('Ann',)
    >>> words_of_most(["AnnLASI", "AnnRASI"], ["Ann"]), words_of_most(["Annular"], ["Ann"])
    (('Ann',), ())
    """
    text, found = "\n".join(labels), list[str]()
    for word in name_words(names):
        pattern = _pattern(word, _BEFORE_LABEL)
        if re.search(pattern, text, re.IGNORECASE):
            having = sum(bool(re.search(pattern, label, re.IGNORECASE)) for label in labels)
            found += [word] if 2 * having > len(labels) else []
    return tuple(found)


def masked_in_labels(text: str, words: Iterable[str], by: str | Callable[[str], str] = mask) -> str:
    """Return a text on labels, or a label, with words of :func:`words_of_most` masked or replaced.

    Examples
    --------
    >>> masked_in_labels("AnnLKNE is not seen", ["Ann"])
    'A*nLKNE is not seen'
    """
    return _replaced(text, _any_of(tuple(words), _BEFORE_LABEL), by)


def name_masked(text: str, names: Iterable[str], by: str | Callable[[str], str] = mask) -> str:
    """Return a text with persons' names masked, or replaced by a word.

    Parameters
    ----------
    text : str
    names : iterable of str
    by : str or callable
        The word, such as a pseudonym, or a function from a name to its replacement.

    Examples
    --------
    >>> name_masked("2024 Daphnee barefoot", ["Daphnee Test"])
    '2024 D*****e barefoot'
    >>> name_masked("daphnee_walk01", ["Daphnee Test"], "S01")
    'S01_walk01'
    """
    return _replaced(text, _any_of(tuple(names)), by)


def _replaced(text: str, pattern: re.Pattern[str] | None, by: str | Callable[[str], str]) -> str:
    if pattern is None:
        return text
    replacement = by if callable(by) else lambda _: by
    return pattern.sub(lambda match: replacement(match[0]), text)


_END = r"(?![^\W_])"
"""Of a word: no letter and no digit follows."""
_BEFORE_LABEL = r"(?=[\W_]|$|(?-i:[A-Z0-9]))"
"""Of a name before a label: a capital may follow without any sign between."""


@lru_cache(maxsize=64)
def _any_of(names: tuple[str, ...], end: str = _END) -> re.Pattern[str] | None:
    """Return a pattern that finds any word of some names; None if they have no word."""
    words = name_words(names)
    found = "|".join(_pattern(word, end) for word in words)
    return re.compile(found, re.IGNORECASE) if words else None


def _pattern(word: str, end: str = _END) -> str:
    """Return a pattern that finds a word between punctuation, blanks and underscores."""
    return rf"(?<![^\W_]){re.escape(word)}{end}"


def name_code(name: str) -> str:
    """Return four hex digits that spellings of one name share and most other names do not.

    It is one of 65536 values, so a name cannot be recovered from it.

    Examples
    --------
    >>> name_code("Daphnee Test") == name_code("daphnee_test") != name_code("Anna Test")
    True
    """
    plain = "".join(c for c in name.casefold() if c.isalnum())
    return hashlib.blake2s(plain.encode(), digest_size=2).hexdigest()
