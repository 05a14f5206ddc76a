"""Names of persons: where a C3D file holds them, and texts without them."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from gaitdyn.io.labels import mask, prefixes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gaitdyn.io.parameters import Parameters

_SHORTEST = 3
UNNAMED = "subject"
"""What stands for a person without a pseudonym in what leaves the house."""
_NOBODY = re.compile(rf"{UNNAMED}(-\d+)?", re.IGNORECASE)
"""What gaitdyn writes in the place of a name says nothing about who it is."""


def said_names(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts that name somebody, each once.

    Examples
    --------
    >>> said_names(["Ann ", "", "subject", "Ann"])
    ('Ann',)
    """
    names = dict.fromkeys(text.strip().rstrip(":") for text in texts)
    return tuple(name for name in names if name and not _NOBODY.fullmatch(name))


def called_in(params: Parameters) -> tuple[str, ...]:
    """Return what a file calls persons beside SUBJECTS:NAMES; never for printing.

    Prefixes of the labels, and the subjects of its events and analyses.

    Parameters
    ----------
    params : Parameters
    """
    found = list(prefixes(params.strings("POINT", "LABELS")))
    found += params.strings("SUBJECTS", "LABEL_PREFIXES")
    found += params.strings("EVENT", "SUBJECTS") + params.strings("ANALYSIS", "SUBJECTS")
    return said_names(found)


def name_words(names: Iterable[str]) -> tuple[str, ...]:
    """Return names and their parts of three letters or more, the longest first.

    Examples
    --------
    >>> name_words(["Daphnee A. Test"])
    ('Daphnee A. Test', 'Daphnee', 'Test')
    """
    parts = dict.fromkeys(p for name in names for p in (name, *re.split(r"[\W_]+", name)))
    words = [p for p in parts if len(p) >= _SHORTEST and not p.isdigit()]
    return tuple(sorted(words, key=len, reverse=True))


def words_in(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return which names, or parts of them, stand in a text.

    Parameters
    ----------
    text : str
    names : iterable of str
    """
    return tuple(w for w in name_words(names) if re.search(_pattern(w), text, re.IGNORECASE))


def name_masked(text: str, names: Iterable[str], by: str | Callable[[str], str] = mask) -> str:
    """Return a text with the names of persons replaced: masked, or by a word.

    Parameters
    ----------
    text : str
    names : iterable of str
    by : str or callable
        The word, such as a pseudonym; or a function from a name to what stands for it.

    Examples
    --------
    >>> name_masked("2024 Daphnee barefoot", ["Daphnee Test"])
    '2024 D*****e barefoot'
    >>> name_masked("daphnee_walk01", ["Daphnee Test"], "S01")
    'S01_walk01'
    """
    words = name_words(names)
    if not words:
        return text
    pattern = "|".join(_pattern(word) for word in words)
    put = by if callable(by) else lambda _: by
    return re.sub(pattern, lambda match: put(match[0]), text, flags=re.IGNORECASE)


def _pattern(word: str) -> str:
    """Return what finds a word between signs, blanks and underscores."""
    return rf"(?<![^\W_]){re.escape(word)}(?![^\W_])"


def name_code(name: str) -> str:
    """Return four digits that two spellings of a name share and most other names do not.

    A check digit: one of 65536, so that a name cannot be told from it.

    Examples
    --------
    >>> name_code("Daphnee Test") == name_code("daphnee_test") != name_code("Anna Test")
    True
    """
    plain = "".join(c for c in name.casefold() if c.isalnum())
    return hashlib.blake2s(plain.encode(), digest_size=2).hexdigest()
