"""The table of landmarks: code, gaitdyn's names, words."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from gaitdyn.io.shipped import shipped_cells
from gaitdyn.types.landmarks import BodySide
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Collection

KEPT_ENDINGS = ("FHD", "BHD", "BAK")
"""Endings of labels that are already gaitdyn names, among markers of one code."""

SIDE_LETTER = {"left": "L", "right": "R", "": ""}


@cache
def role_table() -> dict[str, str]:
    """Return code -> pattern of names, with blanks between first, second, ...

    ``=`` stands for no side, ``#`` for a number; a name with ``!`` is only for a marker whose label
    is that name.
    """
    return {code: pattern for code, pattern, _ in _rows()}


@cache
def _gaitdyn_names() -> re.Pattern[str]:
    """Return the pattern of all gaitdyn names: those of the table, and labels that are kept."""
    names = [f"[LR]{ending}" for ending in KEPT_ENDINGS]
    for pattern in role_table().values():
        for name in names_in(pattern):
            letter, stem = ("", name[1:]) if name.startswith("=") else ("[LR]", name)
            names.append(letter + stem.replace("#", r"\d+"))
    return re.compile("|".join(names))


def names_in(pattern: str) -> list[str]:
    """Return all names of a pattern, those that need a label included."""
    return pattern.replace(" or ", " ").replace("!", "").split()


def is_name(label: str) -> bool:
    """Return whether a label is a gaitdyn name of a landmark, from head to foot.

    Examples
    --------
    >>> [is_name(label) for label in ("LKNE", "RTH12", "CLAV", "LFHD", "KNEE", "LXYZ")]
    [True, True, True, True, False, False]
    """
    return _gaitdyn_names().fullmatch(label) is not None


def words_for(code: str, side: BodySide = "") -> str:
    """Return a landmark in words, with its code.

    Examples
    --------
    >>> words_for("KME", "left"), words_for("C7")
    ('the left medial epicondyle (KME)', 'the vertebra C7')
    """
    words = {code: words for code, _, words in _rows()}.get(code, code)
    phrase = f"the {side} {words}" if side else f"the {words}"
    return phrase if code in words else f"{phrase} ({code})"


def code_words(codes: Collection[str]) -> list[tuple[str, str]]:
    """Return codes of landmarks, from the table, with their words; not codes that are words.

    Examples
    --------
    >>> code_words({"C7", "WRU", "KME"})
    [('KME', 'medial epicondyle'), ('WRU', 'ulnar side of the wrist')]
    """
    return [(c, words) for c, _, words in _rows() if c in codes and c not in words]


@cache
def _rows() -> tuple[tuple[str, ...], ...]:
    """Return code, pattern and words of every landmark."""
    return tuple(map(tuple, shipped_cells("landmarks/roles.csv")[1:]))


@cache
def landmark_of_role() -> dict[str, tuple[str, BodySide]]:
    """Return role -> (code, side): what a renamed label means."""
    landmarks: dict[str, tuple[str, BodySide]] = {}
    for code, pattern in role_table().items():
        for name in names_in(pattern):
            numbers = [""] if "#" not in name else [str(i) for i in range(1, 13)]
            for number in numbers:
                text = name.replace("#", number)
                if text.startswith("="):
                    landmarks.setdefault(text[1:], (code, ""))
                    continue
                for side in SIDES:
                    landmarks.setdefault(SIDE_LETTER[side] + text, (code, side))
    return landmarks
