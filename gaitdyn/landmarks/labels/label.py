"""Normalise a label: remove its prefix, endings and accents, and split it into pieces."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_ENDINGS = re.compile(r"[ _.\-](study|augmenter|static|dynamic|ref)$", re.IGNORECASE)
_OUTER = " \t\r\n[]\"'"
_OF = re.compile(r"(?<=[a-z])Of(?=[A-Z])|(?<=[ _.\-])of[ _.\-]")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})")

_LATIN = "a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch - y - e yu ya"
_CYRILLIC = {chr(0x430 + i): text.strip("-") for i, text in enumerate(_LATIN.split())}
"""Small Cyrillic letter -> Latin letters, as in passports."""

_GREEK_LATIN = "a v g d e z i th i k l m n x o p r s s t y f ch ps o"
_GREEK = {chr(0x3B1 + i): text for i, text in enumerate(_GREEK_LATIN.split())}
"""Small Greek letter -> Latin letters, by their sound."""

_LETTERS = str.maketrans(
    {"ß": "ss", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ł": "l", "Ł": "L",
     "\u0131": "i", "đ": "d", "Đ": "D"}
    | _CYRILLIC | {small.upper(): latin.upper() for small, latin in _CYRILLIC.items()}
    | _GREEK | {small.upper(): latin.upper() for small, latin in _GREEK.items()}
)  # fmt: skip
"""Letters that are not a plain letter with an accent."""

_NUMBERED = re.compile(
    r"(\*+\d*|[CU]_\d+|U\d+|[MX]0\d+|[MX]\d{3,}|X\d+|PT\d+|#+"
    r"|(MARKER|POINT|CHANNEL|TRAJ|TRAJECTORY|UNLABELL?ED|UNNAMED|NEW)[\W_]?\d+)"
)
"""Labels that capture programs give to points that nobody named."""


@cache
def cleaned(label: str) -> str:
    """Return a label without subject prefix, program endings, accents and outer blanks.

    Examples
    --------
    >>> cleaned("Anna:Fußspitze li"), cleaned("r.ASIS_study")
    ('Fussspitze li', 'r.ASIS')
    """
    text = label.rsplit(":", 1)[-1]
    text = _ESCAPE.sub(lambda m: bytes([int(m[1], 16)]).decode("latin-1"), text)
    text = text.translate(_LETTERS)
    text = unicodedata.normalize("NFKD", text).translate(_LETTERS)  # Greek with an accent
    text = "".join(c for c in text if not unicodedata.combining(c)).strip(_OUTER)
    while (short := _ENDINGS.sub("", text)) != text and short:
        text = short
    return text


def pieces(text: str) -> list[str]:
    """Return the pieces of a cleaned label between separators, without ``of``.

    Examples
    --------
    >>> pieces("L.Ant.Tib."), pieces("RTopOfFoot")
    (['L', 'Ant', 'Tib'], ['RTopFoot'])
    """
    return [piece for piece in re.split(r"[^0-9A-Za-z]+", _OF.sub("", text)) if piece]


@cache
def camel(piece: str) -> tuple[str, ...]:
    """Return the words and numbers of a piece, split where the case changes.

    Examples
    --------
    >>> camel("WaistLFront"), camel("TIB1")
    (('Waist', 'L', 'Front'), ('TIB', '1'))
    """
    return tuple(_CAMEL.findall(piece))


def without_initials(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parts of a label without letters at the end that repeat a word of the last part.

    Empty if there are none.

    Examples
    --------
    >>> without_initials(("MalleolusM",)), without_initials(("FifthMetatarsalMT",))
    (('Malleolus',), ('FifthMetatarsal',))
    >>> without_initials(("KneeM",)), without_initials(("MALLM",))
    ((), ())
    """
    *words, letters = camel(parts[-1]) if parts else ("",)
    repeat = re.compile(".*?".join(letters), re.IGNORECASE)
    is_repeated = letters.isupper() and any(repeat.match(word) for word in words)
    return (*parts[:-1], "".join(words)) if is_repeated else ()


def joined(parts: list[str] | tuple[str, ...]) -> str:
    """Return the core of the pieces of a label: letters and digits, upper case."""
    return "".join(parts).upper()


@cache
def is_unlabelled(text: str) -> bool:
    """Return whether a cleaned label is that of a point nobody named.

    ``C_12`` is such a label, ``C7`` is a vertebra.

    Examples
    --------
    >>> [is_unlabelled(x) for x in ("*33", "C_12", "U5", "M014", "x56", "#", "", "16", "C7")]
    [True, True, True, True, True, True, True, True, False]
    >>> [is_unlabelled(x) for x in ("Marker_01", "Unlabeled 1001", "New 0001", "Channel103")]
    [True, True, True, True]
    """
    return not any(c.isalpha() for c in text) or bool(_NUMBERED.fullmatch(text.upper()))
