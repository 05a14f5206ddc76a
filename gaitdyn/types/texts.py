"""Texts from elsewhere as a reader may see them."""

from __future__ import annotations

DIRECTION_MARKS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Characters that change the direction of writing (Unicode Standard Annex 9, table of section 2):
a name with them can be shown as another."""

_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in DIRECTION_MARKS}


def visible(text: str) -> str:
    r"""Return a text in which marks that change the direction of writing are escapes.

    Examples
    --------
    >>> print(visible("walk\u202eKNAL"), visible("Zoë"))
    walk\u202eKNAL Zoë
    """
    return text if text.isascii() else text.translate(_ESCAPES)
