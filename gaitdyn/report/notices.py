"""What is said above everything else: people who do not belong together, copies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaitdyn.store.persons import two_persons

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.judge.whose import Whose
    from gaitdyn.report.groups import Group


SYMBOLS = {"pass": "\u2713", "check": "!", "fail": "\u2717"}


@dataclass(frozen=True, slots=True)
class Notice:
    """What must stand above everything: a title, a sentence, and how grave it is."""

    title: str
    text: str
    glyph: str = SYMBOLS["fail"]


def different_subjects(group: Group) -> str:
    """Return why the trials of a group cannot be of one subject, or nothing."""
    why = two_persons(group.trials)
    return f"trials of different subjects are pooled: {why}" if why else ""


def group_notices(group: Group) -> tuple[Notice, ...]:
    """Return what is said of a group before anything else: other persons, copies."""
    mixed = different_subjects(group)
    people = [Notice("These trials do not belong together", f"{mixed}.")] if mixed else []
    told = [Notice("One recording, more than once", f"{t}.", SYMBOLS["check"])
            for t in same_recording(group)]  # fmt: skip
    return (*people, *told)


def same_recording(group: Group) -> list[str]:
    """Return which trials of a group are copies of one recording, by its hash."""
    found: dict[str, list[str]] = {}
    for trial in group.trials:
        for one in trial.document["inputs"]:
            if one["role"] == "trial":
                found.setdefault(one["sha256"], []).append(trial.name)
    return [
        f"{names[0]} is here {_times(len(names))} (also as {', '.join(names[1:])}); its strides"
        f" count {_times(len(names))}"
        for names in map(list, map(dict.fromkeys, found.values()))
        if len(names) > 1
    ]


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"  # noqa: PLR2004


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
