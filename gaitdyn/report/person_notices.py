"""What is said above everything where compared groups may not be of one person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.report.contents import SYMBOLS, Notice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.judge.whose import Whose


def person_notices(labels: Sequence[str], whose: Sequence[Whose]) -> tuple[Notice, ...]:
    """Return one notice for those who are somebody else, and one for those who may be.

    Parameters
    ----------
    labels : sequence of str
        Of the groups that are compared.
    whose : sequence of Whose
        Of each group but the first, held against the first.
    """
    pairs = list(zip(labels[1:], whose, strict=True))
    told = []
    for two in (True, False):
        found = [(label, one) for label, one in pairs if one.told and one.two == two]
        told += [_notice(labels[0], found)] if found else []
    return tuple(told)


def _notice(first: str, found: Sequence[tuple[str, Whose]]) -> Notice:
    label, one = found[0]
    glyph = SYMBOLS["fail" if one.two else "check"]
    if len(found) == 1:
        word = "two people" if one.two else "one person?"
        return Notice(f"{first} and {label}: {word}", f"{one.sentence}.", glyph)
    names = f"{first} and {', '.join(label for label, _ in found)}"
    word = "different people" if one.two else "one person?"
    differ = "; ".join(f"{label}: {one.told}" for label, one in found)
    judged = "no change is judged" if one.two else "no change is called clear"
    way = "" if one.named else "; give all the same id if it is one person (subject.toml)"
    return Notice(f"{names}: {word}", f"Against {first}, {differ}: {judged}{way}.", glyph)
