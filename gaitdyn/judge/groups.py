"""Two groups of people, or of conditions: the person is the sample, not the stride."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.errors import ResultsRefused
from gaitdyn.judge.curves import CurveRule, curve_rules
from gaitdyn.judge.finding import (
    BOTH,
    CurveFinding,
    direction,
    limit_above,
    not_judged,
    number,
    places_of,
    stretches,
    strip,
)
from gaitdyn.judge.refusals import SAME_SPEED, Doubt, doubt_of_settings
from gaitdyn.judge.session import SessionWalk, walk_of
from gaitdyn.statistics.families import holm_within, word_of
from gaitdyn.statistics.people import FEWEST, GroupTest, judge_pairs, judge_people
from gaitdyn.store.persons import person_id
from gaitdyn.types.arrays import Array
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gaitdyn.store.stored import StoredTrial


_WORDS = {False: ("group", "between people"), True: ("condition", "of people's differences")}


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """A group: the straight strides of each person.

    Attributes
    ----------
    walks : dict
        Pseudonym -> Walk.
    """

    walks: dict[str, SessionWalk]

    @property
    def together(self) -> SessionWalk:
        """All trials as one session, to compare processing settings."""
        return SessionWalk(tuple(t for walk in self.walks.values() for t in walk.trials), 0)

    @property
    def speed(self) -> float | None:
        """Mean v / sqrt(g L) of the people; None if no speed is known."""
        speeds = [v for walk in self.walks.values() if (v := walk.speed) is not None]
        return fmean(speeds) if speeds else None

    def legs(self, rule: CurveRule) -> tuple[dict[tuple[str, str], Array], str]:
        """Return (pseudonym, side) -> mean of the strides, shape (101,), and the unit."""
        legs, unit = {}, ""
        for name, walk in self.walks.items():
            for side in SIDES:
                strides = walk.strides(side, rule)
                unit = unit or strides.unit
                if len(strides.values):
                    legs[name, side] = strides.values.mean(axis=0)
        return legs, unit


def _curves(legs: dict[tuple[str, str], Array], keys: Iterable[tuple[str, str]]) -> Array:
    """Return one curve per person, the mean of some legs, shape (n, 101)."""
    people: dict[str, list[Array]] = {}
    for name, side in keys:
        people.setdefault(name, []).append(legs[name, side])
    return np.array([np.mean(own, axis=0) for own in people.values()]).reshape(-1, 101)


def people_of(trials: Sequence[StoredTrial]) -> People:
    """Return trials grouped by person.

    Parameters
    ----------
    trials : sequence of StoredTrial
        A trial without a pseudonym is of the person whose static it used.
    """
    by_person: dict[str, list[StoredTrial]] = {}
    for trial in trials:
        by_person.setdefault(person_id(trial.document), []).append(trial)
    walks = {name: walk_of(theirs) for name, theirs in by_person.items()}
    return People({name: walk for name, walk in walks.items() if walk.trials})


def find_group_differences(
    first: Sequence[StoredTrial], second: Sequence[StoredTrial], *, paired: bool = False
) -> tuple[CurveFinding, ...]:
    """Return where two groups of people differ, second less first.

    Parameters
    ----------
    first, second : sequence of StoredTrial
        Of all people of a group.
    paired : bool
        They are the same people in two conditions: each person is compared with themselves, over
        the legs known in both.

    Raises
    ------
    ResultsRefused
        For fewer than five people, a person in both groups or, of pairs, in only one.
    """
    groups = people_of(first), people_of(second)
    counts = tuple(len(group.walks) for group in groups)
    if min(counts) < FEWEST:
        raise ResultsRefused(
            f"found {counts[0]} and {counts[1]} people; wanted {FEWEST} or more in each group; give"
            " every person a pseudonym in subject.toml"
        )
    _refuse_others(set(groups[0].walks), set(groups[1].walks), paired=paired)
    return _findings(groups, paired=paired)


def _refuse_others(first: set[str], second: set[str], *, paired: bool) -> None:
    """Refuse people in both groups or, of pairs, in one of them."""
    found = ", ".join(sorted(first ^ second if paired else first & second)[:3])
    if found and paired:
        raise ResultsRefused(
            f"{found}: found in one group only; wanted everybody in both for --paired"
            " (paired=True); leave out who has one condition"
        )
    if found:
        raise ResultsRefused(
            f"{found}: found in both groups; wanted different people; for the same people in two"
            " conditions give --paired (paired=True), for two sessions of one gaitdyn compare"
        )


def _findings(groups: tuple[People, People], *, paired: bool) -> tuple[CurveFinding, ...]:
    curves: list[tuple[CurveRule, str, list[Doubt], GroupTest | None]] = []
    for rule in curve_rules():
        (legs, unit), (others, _) = (group.legs(rule) for group in groups)
        keys = [sorted(legs.keys() & others.keys())] * 2 if paired else [legs, others]
        if unit:
            first, second = _curves(legs, keys[0]), _curves(others, keys[1])
            doubts = _doubts(groups, rule, (len(first), len(second)))
            refused = any(doubt.refuses for doubt in doubts)
            judge = judge_pairs if paired else judge_people
            curves.append((rule, unit, doubts, None if refused else judge(first, second)))
    adjusted = holm_within(
        [rule.family for rule, *_ in curves],
        [np.nan if test is None else test.p for *_, test in curves],
    )
    phases = next((ph for w in groups[0].walks.values() if (ph := w.phases("left"))), ())
    return tuple(
        _finding(*curve, p_holm, phases, _WORDS[paired])
        for curve, p_holm in zip(curves, adjusted, strict=True)
    )


def _doubts(groups: tuple[People, People], rule: CurveRule, counts: tuple[int, int]) -> list[Doubt]:
    doubts = doubt_of_settings(groups[0].together, groups[1].together, rule)
    if min(counts) < FEWEST:
        reason = f"{counts[0]} and {counts[1]} people have this curve, {FEWEST} each are needed"
        doubts.append(Doubt(reason))
    first, second = (group.speed for group in groups)
    if rule.by_speed and (first is None or second is None):
        doubts.append(Doubt("walking speeds are not known, and the curve depends on them", False))
    elif rule.by_speed and abs((second or 0.0) - (first or 0.0)) > SAME_SPEED:
        reason = f"the groups walk at {first:.2f} and {second:.2f} of sqrt(g L)"
        doubts.append(Doubt(f"{reason}, and the curve depends on the speed", refuses=False))
    return doubts


def _finding(
    rule: CurveRule, unit: str, doubts: Sequence[Doubt], test: GroupTest | None,
    p_holm: float, phases: Sequence[tuple[str, float, float]], words: tuple[str, str],
) -> CurveFinding:  # fmt: skip
    if test is None:
        return not_judged(BOTH, rule, unit, doubts)
    word = word_of(test.p, p_holm, at_most_possible=bool(doubts))
    flagged = word in ("clear", "possible")
    runs = stretches(test.beyond, np.abs(test.difference) / test.limit, flagged=flagged)
    places = places_of(runs, phases, test.difference, test.limit, test.sd)
    reason = "; ".join(doubt.reason for doubt in doubts)
    place = places[0]
    size = (
        f"{number(place.difference, unit)} {direction(place.difference)} in the second {words[0]}"
    )
    sd = f"({abs(place.sd):.1f} SD {words[1]})"
    text = (
        f"{rule.title} {place.where}: {size} {sd}: {word}"
        if flagged
        else f"{rule.title}: at most {size} {sd}; not shown: that takes"
        f" {limit_above(place.limit, place.difference, unit)}"
    )
    sentence = f"{text}; {reason}" if reason and word == "possible" else text
    return CurveFinding(
        BOTH, rule.name, rule.family, unit, word, sentence, reason, test.p, p_holm, places,
        test.difference, test.limit, strip(test.beyond, test.difference, word),
    )  # fmt: skip
