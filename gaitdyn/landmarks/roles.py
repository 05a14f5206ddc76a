"""Our names of the landmarks: the table of code, side and order to role."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from importlib.resources import files

from gaitdyn.types.landmarks import BodySide
from gaitdyn.types.subject import SIDES

_LETTER = {"left": "L", "right": "R", "": ""}
_OWN = ("FHD", "BHD", "BAK")
"""Endings of labels that are our names already, among markers of one code."""

Named = tuple[int, str, str]
"""Place in the labels, code, side; best candidate of its code first."""


@cache
def role_table() -> dict[str, str]:
    """Return code -> pattern: ``=`` no side, ``#`` a number, blanks between first, second, ..."""
    text = (files("gaitdyn") / "resources" / "landmarks" / "roles.csv").read_text("utf-8")
    return dict(line.split(",") for line in text.splitlines()[1:])


def roles_of(marks: list[Named], labels: dict[int, str]) -> dict[int, str]:
    """Return place -> role for the landmarks of a file.

    Parameters
    ----------
    marks : list of (place, code, side)
        Best candidate of each landmark first, series in the order of their labels.
    labels : dict
        Place -> label, from which vertebrae take their number.
    """
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, code, side in marks:
        groups["TOE" if code == "MT2H" else code, side].append(place)
    out: dict[int, str] = {}
    pelvis: list[int] = []
    for (code, side), members in groups.items():
        pattern, letter = role_table().get(code, ""), _LETTER[side]
        if code == "SACR":
            out[members[0]] = "SACR"
            pelvis += members[1:]
        elif code == "PEX":
            pelvis += members
        elif pattern:
            out |= _numbered(pattern, letter, members, labels)
    out |= {
        place: f"{_LETTER[side]}{labels[place].upper()[-3:]}"
        for place, code, side in marks
        if code in {"HED", "SCP"} and side and labels[place].upper().endswith(_OWN)
    }
    out |= {place: f"PEL{i}" for i, place in enumerate(sorted(pelvis), 1)}
    for letter in "LR":
        toes = [place for place, role in out.items() if role == f"{letter}HLX"]
        if toes and f"{letter}TOE" not in out.values():
            out[toes[0]] = f"{letter}TOE"
    return _once(out)


def _once(roles: dict[int, str]) -> dict[int, str]:
    """Return the roles with each name given once; a second marker of it has none."""
    taken: set[str] = set()
    out: dict[int, str] = {}
    for place, role in roles.items():
        out[place] = "" if role in taken else role
        taken.add(role)
    return out


def _numbered(
    pattern: str, letter: str, members: list[int], labels: dict[int, str]
) -> dict[int, str]:
    if pattern.startswith("=") and pattern.endswith("#"):
        return {place: _vertebra(pattern[1:-1], labels.get(place, "")) for place in members}
    if pattern.startswith("="):
        return {members[0]: pattern[1:]}
    many, _, single = pattern.partition(" or ")
    if single and len(members) == 1:
        return {members[0]: letter + single}
    if many.endswith("#"):
        stem = many[:-1]
        ordered = sorted(members, key=lambda place: (labels.get(place, ""), place))
        return {place: f"{letter}{stem}{i}" for i, place in enumerate(ordered, 1)}
    names = pattern.split()
    return {place: letter + name for place, name in zip(members, names, strict=False)}


def _vertebra(letter: str, label: str) -> str:
    digits = "".join(c for c in label if c.isdigit())
    return f"{letter}{digits}" if digits else ""


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
