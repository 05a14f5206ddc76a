"""Our names of the landmarks: the table of code, side and order to role."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from gaitdyn.io.shipped import shipped_cells
from gaitdyn.types.landmarks import BodySide
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LETTER = {"left": "L", "right": "R", "": ""}
_OWN = ("FHD", "BHD", "BAK")
"""Endings of labels that are our names already, among markers of one code."""

_CLUSTER = 3
"""A wand beside as many other markers keeps its name: the knee's axis may lie by it, and the
segment is tracked without it."""

_PELVIS = tuple(f"PEL{i}" for i in range(1, 31))
_MOST = 30


@dataclass(frozen=True, slots=True)
class Marked:
    """One marker with its landmark.

    Attributes
    ----------
    item : int
    files : frozenset of int
        Files that show it: within a file a name is given once.
    code : str
    side : {"left", "right", ""}
    label : str
        Series are numbered in the order of their labels.
    tracks : bool
        It shows no axis: no wand.
    """

    item: int
    files: frozenset[int]
    code: str
    side: BodySide
    label: str
    tracks: bool = False


@cache
def role_table() -> dict[str, str]:
    """Return code -> pattern: ``=`` no side, ``#`` a number, blanks between first, second, ..."""
    return {code: pattern for code, pattern, _ in _rows()}


@cache
def _our_names() -> re.Pattern[str]:
    """Return the pattern of all our names: those of the table, and labels that are ours already."""
    names = [f"[LR]{ending}" for ending in _OWN]
    for pattern in role_table().values():
        for name in pattern.replace(" or ", " ").split():
            letter, stem = ("", name[1:]) if name.startswith("=") else ("[LR]", name)
            names.append(letter + stem.replace("#", r"\d+"))
    return re.compile("|".join(names))


def is_name(label: str) -> bool:
    """Return whether a label is one of our names of landmarks, from head to foot.

    Examples
    --------
    >>> [is_name(label) for label in ("LKNE", "RTH12", "CLAV", "LFHD", "KNEE", "LXYZ")]
    [True, True, True, True, False, False]
    """
    return _our_names().fullmatch(label) is not None


def words_for(code: str, side: BodySide = "") -> str:
    """Return a landmark in words, with its code.

    Examples
    --------
    >>> words_for("KME", "left"), words_for("C7")
    ('the left medial epicondyle (KME)', 'the vertebra C7')
    """
    words = {code: words for code, _, words in _rows()}.get(code, code)
    told = f"the {side} {words}" if side else f"the {words}"
    return told if code in words else f"{told} ({code})"


@cache
def _rows() -> tuple[tuple[str, ...], ...]:
    """Return code, pattern and words of every landmark."""
    return tuple(map(tuple, shipped_cells("landmarks/roles.csv")[1:]))


def roles_of(marks: list[Marked]) -> dict[int, str]:
    """Return item -> role; a marker has one name in all files.

    Parameters
    ----------
    marks : list of Marked
        Best candidate of each landmark first.
    """
    groups: dict[tuple[str, BodySide], list[Marked]] = defaultdict(list)
    for mark in marks:
        groups["TOE" if mark.code == "MT2H" else mark.code, mark.side].append(mark)
    given = _Given()
    for (code, side), members in groups.items():
        pattern = role_table().get(code, "")
        for mark, names in _names(code, pattern, _LETTER[side], members):
            given.give(mark, names)
    for letter in "LR":
        if not given.has(f"{letter}TOE"):
            given.rename(f"{letter}HLX", f"{letter}TOE")
    return given.roles


class _Given:
    """The names that were given, each once a file."""

    def __init__(self) -> None:
        self.roles: dict[int, str] = {}
        self._taken: set[tuple[int, str]] = set()

    def give(self, mark: Marked, names: Iterable[str]) -> None:
        """Give a marker the first name that is free in its files, or none."""
        free = (n for n in names if not any((file, n) in self._taken for file in mark.files))
        name = next(free, "")
        self.roles[mark.item] = name
        self._taken |= {(file, name) for file in mark.files if name}

    def has(self, name: str) -> bool:
        """Return whether a name was given."""
        return name in self.roles.values()

    def rename(self, old: str, new: str) -> None:
        """Give another name to all that have one."""
        self.roles = {item: new if name == old else name for item, name in self.roles.items()}


def _names(
    code: str, pattern: str, letter: str, members: list[Marked]
) -> Iterator[tuple[Marked, Iterable[str]]]:
    """Yield each marker of one landmark and side with the names that it may have, best first."""
    many, _, single = pattern.partition(" or ")
    if code in {"SACR", "PEX"}:
        first = ("SACR",) if code == "SACR" else ()
        yield from ((mark, (*first, *_PELVIS)) for mark in members)
    elif pattern.startswith("=") and pattern.endswith("#"):
        yield from ((mark, _vertebra(pattern[1:-1], mark.label)) for mark in members)
    elif pattern.startswith("="):
        yield from ((mark, (pattern[1:],)) for mark in members)
    elif single and _most_in_a_file(members) == 1 and not any(m.tracks for m in members):
        yield from ((mark, (letter + single,)) for mark in members)
    elif many.endswith("#"):
        numbered = [f"{letter}{many[:-1]}{i}" for i in range(1, _MOST)]
        kept = (*_OWN, single) if _most_in_a_file(members) > _CLUSTER else _OWN
        for mark in sorted(members, key=lambda mark: natural(mark.label)):
            own = mark.label.upper()[-3:]
            yield mark, ([letter + own] if own in kept else []) + numbered
    else:
        yield from ((mark, [letter + name for name in pattern.split()]) for mark in members)


def _most_in_a_file(members: list[Marked]) -> int:
    return max(Counter(file for mark in members for file in mark.files).values(), default=0)


def natural(label: str) -> list[tuple[str, int]]:
    """Return a key that sorts ``TH2`` before ``TH10``."""
    return [(text, int(number or 0)) for text, number in re.findall(r"(\D*)(\d*)", label)]


def _vertebra(letter: str, label: str) -> tuple[str, ...]:
    digits = "".join(c for c in label if c.isdigit())
    return (f"{letter}{digits}",) if digits else ()


@cache
def landmark_of_role() -> dict[str, tuple[str, BodySide]]:
    """Return role -> (code, side): what a renamed label means."""
    found: dict[str, tuple[str, BodySide]] = {}
    for code, pattern in role_table().items():
        for name in pattern.replace(" or ", " ").split():
            numbers = [""] if "#" not in name else [str(i) for i in range(1, 13)]
            for number in numbers:
                text = name.replace("#", number)
                if text.startswith("="):
                    found.setdefault(text[1:], (code, ""))
                    continue
                for side in SIDES:
                    letter = _LETTER[side]
                    found.setdefault(letter + text, (code, side))
    return found
