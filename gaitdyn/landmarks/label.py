"""A label as it is written, brought into one form: no prefix, no ending, no accents, pieces."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_ENDINGS = re.compile(r"[ _.\-](study|augmenter|static|dynamic|ref)$", re.IGNORECASE)
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})")

_NUMBERED = re.compile(r"(\*+\d*|[CU]_\d+|U\d+|[MX]0\d+|X\d+|PT\d+|MARKER\W?\d+|POINT\W?\d+|#+)")
"""What capture programs write for a point that nobody named."""


@cache
def cleaned(label: str) -> str:
    """Return a label without subject prefix, endings of programs, accents and outer blanks.

    Examples
    --------
    >>> cleaned("Anna:Fußspitze li"), cleaned("r.ASIS_study")
    ('Fussspitze li', 'r.ASIS')
    """
    text = label.rsplit(":", 1)[-1]
    text = _ESCAPE.sub(lambda m: bytes([int(m[1], 16)]).decode("latin-1"), text)
    text = text.replace("ß", "ss").replace("ø", "o")
    text = unicodedata.normalize("NFKD", text)
    text = "".join(c for c in text if not unicodedata.combining(c)).strip()
    while (short := _ENDINGS.sub("", text)) != text and short:
        text = short
    return text


def pieces(text: str) -> list[str]:
    """Return what stands between the separators of a cleaned label.

    Examples
    --------
    >>> pieces("L.Ant.Tib.")
    ['L', 'Ant', 'Tib']
    """
    return [piece for piece in re.split(r"[^0-9A-Za-z]+", text) if piece]


@cache
def camel(piece: str) -> tuple[str, ...]:
    """Return the words and numbers of a piece, cut where the case changes.

    Examples
    --------
    >>> camel("WaistLFront"), camel("TIB1")
    (('Waist', 'L', 'Front'), ('TIB', '1'))
    """
    return tuple(_CAMEL.findall(piece))


def joined(parts: list[str] | tuple[str, ...]) -> str:
    """Return the core of the pieces of a label: letters and digits, upper case."""
    return "".join(parts).upper()


def is_unlabelled(text: str) -> bool:
    """Return whether a cleaned label is the number of a point that nobody named.

    ``C_12`` is one, ``C7`` is a vertebra.

    Examples
    --------
    >>> [is_unlabelled(x) for x in ("*33", "C_12", "U5", "M014", "x56", "#", "", "16", "C7")]
    [True, True, True, True, True, True, True, True, False]
    """
    return not any(c.isalpha() for c in text) or bool(_NUMBERED.fullmatch(text.upper()))
