"""Notices above everything else: trials of different people, copies of a recording."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.judge.recordings import recorded_once, recording_groups
from gaitdyn.judge.settings import mixed_settings
from gaitdyn.report.groups import axes_of_moments
from gaitdyn.store.doubted import doubts_about, spoiled_in
from gaitdyn.store.made_by import other_versions
from gaitdyn.store.persons import why_two_persons
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.judge.changes.whose import PersonCheck
    from gaitdyn.report.groups import Group
    from gaitdyn.store.stored import StoredTrial


SYMBOLS = {"pass": "\u2713", "check": "!", "fail": "\u2717"}


@frozen()
class Notice:
    """A notice above everything else: a title, a sentence, and a sign of its severity.

    One without a sign says what is shown; nothing is wrong.
    """

    title: str
    text: str
    glyph: str = SYMBOLS["fail"]

    @property
    def heading(self) -> str:
        """The title behind its sign."""
        return f"{self.glyph} {self.title}".strip()

    @property
    def kind(self) -> str:
        """The class of its box."""
        return "fail" if self.glyph else "plain"


def different_subjects(group: Group) -> str:
    """Return why the trials of a group cannot be of one subject; empty if they can."""
    why = why_two_persons(group.trials)
    return f"trials of different subjects are pooled: {why}" if why else ""


def group_notices(group: Group) -> tuple[Notice, ...]:
    """Return the notices on a group: persons, copies, settings, belts and floor, versions."""
    mixed = different_subjects(group)
    people = [Notice("These trials do not belong together", f"{mixed}.")] if mixed else []
    copies = [Notice("One recording, more than once", f"{t}.", SYMBOLS["check"])
            for t in recorded_again(group)]  # fmt: skip
    other = other_versions(trial.made_by for trial in group.trials)
    old = [Notice("Results of another version", f"{other}.", SYMBOLS["check"])]
    belts = [trial.name for trial in group.trials if trial.document.get("belts")]
    advice = (
        f"On belts: {', '.join(belts)}. Give belt trials a condition of their own (session.toml)."
    )
    both = [Notice("Treadmill and overground together", advice, SYMBOLS["check"])]
    pooled = both if 0 < len(belts) < len(group.trials) else ()
    doubted = _left_out(group.trials)
    alone = [Notice("Speed and lengths without some trials", doubted, SYMBOLS["check"])]
    mixed = ", ".join(mixed_settings(group.trials))
    advice = f"Mixed: {mixed}. Process all with the same, or give each a condition of its own."
    loaded = [trial.name for trial in group.trials if axes_of_moments(trial)]
    if 0 < len(loaded) < len(group.trials):
        advice += f" Moments and powers are of {', '.join(loaded)} alone."
    apart = [Notice("Trials processed differently", advice, SYMBOLS["check"])] if mixed else []
    more = *(alone if doubted else ()), *(old if other else ())
    return (*people, *copies, *apart, *pooled, *more)


def _left_out(trials: Sequence[StoredTrial]) -> str:
    """Return in which trials gait parameters do not count beside those of others, and why."""
    told = [
        f"{trial.name} ({', '.join(doubts_about(trial))})"
        for trial, spoiled in zip(trials, spoiled_in(trials), strict=True)
        if spoiled
    ]
    where = "; ".join(dict.fromkeys(told))
    what = f"Scale, rate or direction is in doubt in {where}: what follows from it does not count."
    return what if told else ""


def recorded_again(group: Group) -> list[str]:
    """Return which trials of a group are of one recording, whose strides count once."""
    told: list[str] = []
    for same in recording_groups(group.trials):
        first, *others = dict.fromkeys(trial.name for trial in same)
        also = f" (also as {', '.join(others)})" if others else ""
        times = _times(len(same))
        told += [f"{first} is here {times}{also}; its strides count once"] * (len(same) > 1)
    return told


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"  # noqa: PLR2004


def twice_notices(groups: Sequence[Group]) -> tuple[Notice, ...]:
    """Return a notice for each group with recordings of the first, with which it is compared."""
    straight = [group for group in groups if not group.turning]
    told = ((group, recorded_once(straight[0].trials, group.trials)) for group in straight[1:])
    return tuple(
        Notice(f"{straight[0].label} and {group.label}: one recording", f"{t}.", SYMBOLS["check"])
        for group, t in told
        if t
    )


def person_notices(
    labels: Sequence[str], checks: Sequence[PersonCheck], trials: Sequence[Sequence[str]] = ()
) -> tuple[Notice, ...]:
    """Return one notice on groups of a different person, and one on groups that may be.

    Parameters
    ----------
    labels : sequence of str
        Of the groups that are compared.
    checks : sequence of PersonCheck
        Each group but the first, compared with the first.
    trials : sequence of sequence of str
        Names of the trials of each group: a notice on people of one visit says whose they are.
    """
    pairs = list(zip(labels[1:], checks, strict=True))
    notices = []
    for two in (True, False):
        doubted = [(label, c) for label, c in pairs if c.differences and c.two == two]
        notices += [_notice(labels[0], doubted)] if doubted else []
    if trials and any(check.apart for check in checks):
        whose = zip(labels, trials, strict=True)
        told = "; ".join(f"{label}: {', '.join(names)}" for label, names in whose)
        notices[0] = replace(notices[0], text=f"{notices[0].text} {told}.")
    return tuple(notices)


def _notice(first: str, doubted: Sequence[tuple[str, PersonCheck]]) -> Notice:
    label, check = doubted[0]
    glyph = SYMBOLS["fail" if check.two else "check"]
    if len(doubted) == 1:
        word = "two people" if check.two else "one person?"
        return Notice(f"{first} and {label}: {word}", f"{check.sentence}.", glyph)
    names = ", ".join((first, *(label for label, _ in doubted)))
    word = "different people" if check.two else "one person?"
    differ = ", ".join(f"{label} ({c.differences})" for label, c in doubted)
    judged = "no change is judged" if check.two else "no change is called clear"
    advice = "" if check.named else "; give all the same id if it is one person (subject.toml)"
    return Notice(f"{names}: {word}", f"{first} against {differ}: {judged}{advice}.", glyph)
