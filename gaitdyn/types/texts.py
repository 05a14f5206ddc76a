"""Texts from elsewhere: as a reader may see them, and as numbers."""

from __future__ import annotations

import math
import re

DIRECTION_MARKS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Characters that change the direction of writing (Unicode Standard Annex 9, table of section 2):
a name with them can be shown as another."""

_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in DIRECTION_MARKS}
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def visible(text: str) -> str:
    r"""Return a text in which marks that change the direction of writing are escapes.

    Examples
    --------
    >>> print(visible("walk\u202eKNAL"), visible("Zoë"))
    walk\u202eKNAL Zoë
    """
    return text if text.isascii() else text.translate(_ESCAPES)


def number_in(text: str, otherwise: float = 0.0) -> float:
    """Return the number in a cell, or a default if it has none.

    A number has ASCII digits with a point and an exponent if need be, and is finite: Python's
    ``float`` also reads ``1_000``, digits of other scripts, ``infinity`` and ``nan``.

    Parameters
    ----------
    text : str
    otherwise : float
        For an empty cell and for words such as ``-1.#IND``.

    Examples
    --------
    >>> number_in(" 2.5"), number_in("-1.#IND"), number_in(""), number_in("1_000"), number_in("inf")
    (2.5, 0.0, 0.0, 0.0, 0.0)
    """
    value = float(text) if NUMBER.fullmatch(text.strip()) else math.inf
    return value if math.isfinite(value) else otherwise
