"""Two groups of people, or of conditions: the person is the sample, not the stride."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean

import numpy as np

from gaitdyn.errors import ArrayShapeError, ResultsRefused
from gaitdyn.judge.axes import shanks_apart
from gaitdyn.judge.curves import CurveRule, curve_rules
from gaitdyn.judge.doubt import Doubt
from gaitdyn.judge.finding import (
    BOTH,
    CurveFinding,
    Phases,
    direction,
    not_judged,
    number,
    places_of,
    size_apart,
    stretches,
    strip,
)
from gaitdyn.judge.numbers import (
    NumberDifference,
    left_out_words,
    not_compared,
    number_differences,
)
from gaitdyn.judge.session import SessionWalk
from gaitdyn.judge.session_trials import one_condition, stored, walk_of
from gaitdyn.judge.settings import Whose, doubt_of_mixture, doubt_of_settings
from gaitdyn.judge.stance import in_stance
from gaitdyn.metrics.norm_speed import SAME_SPEED
from gaitdyn.statistics.families import holm_within, word_of
from gaitdyn.statistics.people import FEWEST, GroupTest, judge_pairs, judge_people
from gaitdyn.store.persons import person_id
from gaitdyn.store.stored import StoredTrial
from gaitdyn.store.unnamed import codes_of_session
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES

_WORDS: dict[bool, tuple[Whose, str]] = {
    False: ("group", "between people"),
    True: ("condition", "of people's differences"),
}


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
        return SessionWalk(tuple(t for walk in self.walks.values() for t in walk.trials))

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
        A trial without a pseudonym is of the person whose static it used, who may have stood for
        several statics of its session.
    """
    by_person: dict[str, list[StoredTrial]] = {}
    same_person = cache(codes_of_session)
    for trial in trials:
        code = person_id(trial.document)
        codes = same_person(trial.path.resolve().parent).get(code, (code,))
        by_person.setdefault(codes[0], []).append(trial)
    walks = {name: walk_of(theirs) for name, theirs in by_person.items()}
    return People({name: walk for name, walk in walks.items() if walk.trials})


@dataclass(frozen=True, slots=True, eq=False)
class GroupCurve:
    """One curve of two groups: its test, or why there is none.

    Attributes
    ----------
    rule : CurveRule
    unit : str
    doubts : tuple of Doubt
    first, second : array, shapes (n_1, 101) and (n_2, 101)
        One curve per person with this curve; of pairs in the same order.
    test : GroupTest or None
    """

    rule: CurveRule
    unit: str
    doubts: tuple[Doubt, ...]
    first: Array
    second: Array
    test: GroupTest | None

    @property
    def people(self) -> tuple[int, int]:
        """People of each group with this curve."""
        return len(self.first), len(self.second)


@dataclass(frozen=True, slots=True, eq=False)
class GroupDifferences:
    """Where two groups of people differ, second less first.

    Attributes
    ----------
    paired : bool
    people : tuple of 2 int
    speeds : tuple of 2 float or None
        Mean v / sqrt(g L) of the people.
    findings : tuple of CurveFinding
    curves : tuple of GroupCurve
        The tests behind them.
    numbers : tuple of NumberDifference
        Gait parameters and peaks.
    notes : tuple of str
        Which peaks are not compared, or with what reservation, and because of which trials.
    """

    paired: bool
    people: tuple[int, int]
    speeds: tuple[float | None, float | None]
    findings: tuple[CurveFinding, ...]
    curves: tuple[GroupCurve, ...]
    numbers: tuple[NumberDifference, ...]
    notes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """How many people are compared, and how fast they walk."""
        first, second = ("unknown" if v is None else f"{v:.2f}" for v in self.speeds)
        counts = self.people[:1] if self.paired else self.people
        people = f"{' and '.join(map(str, counts))} people"
        least = [min(counts) for counts in zip(*(c.people for c in self.curves), strict=True)]
        if least and tuple(least) != self.people:
            people += f" (some curves of {least[0]} and {least[1]})"
        return f"{people}, mean speed {first} and {second} of sqrt(g L)"


def compare_people(
    first: Sequence[StoredTrial | Processed],
    second: Sequence[StoredTrial | Processed],
    *,
    paired: bool = False,
) -> GroupDifferences:
    """Return where two groups of people differ, second less first.

    Parameters
    ----------
    first, second : sequence of StoredTrial or Result
        Of all people of a group.
    paired : bool
        They are the same people in two conditions: each person is compared with themselves, over
        the legs known in both.

    Raises
    ------
    ResultsRefused
        For fewer than five people, a person in both groups or, of pairs, in only one, and for a
        group of several conditions.
    """
    trials = stored(first), stored(second)
    for group, whose in zip(trials, ("first group", "second group"), strict=True):
        one_condition(group, whose, ", or give --condition")
    groups = people_of(trials[0]), people_of(trials[1])
    counts = len(groups[0].walks), len(groups[1].walks)
    if min(counts) < FEWEST:
        raise ResultsRefused(
            f"found {counts[0]} and {counts[1]} people; wanted {FEWEST} or more in each group; give"
            " every person a pseudonym in subject.toml"
        )
    _refuse_others(set(groups[0].walks), set(groups[1].walks), paired=paired)
    curves = tuple(_curves_of(groups, paired=paired))
    speeds = groups[0].speed, groups[1].speed
    findings = _findings(groups, curves, _WORDS[paired])
    together = [group.together for group in groups]
    without = not_compared(together[0], together[1], _WORDS[paired][0])
    numbers = number_differences(groups[0].walks, groups[1].walks, paired=paired, without=without)
    everybody = SessionWalk((*together[0].trials, *together[1].trials))
    notes = (*left_out_words(without), *_reservations(everybody, without, paired=paired))
    return GroupDifferences(paired, counts, speeds, findings, curves, tuple(numbers), notes)


def _reservations(everybody: SessionWalk, without: Collection[str], *, paired: bool) -> list[str]:
    """Return what is to be kept in mind of the peaks that are compared."""
    notes: list[str] = []
    if (shanks := shanks_apart(everybody.trials)) and not {"kinetics", "moments"} & {*without}:
        notes.append(f"peaks of knee and ankle moments are compared although {shanks}")
    told = {*without, *(["kinetics"] if "moments" in without else [])}
    for kind, rule in {rule.quantity: rule for rule in curve_rules()}.items():
        mixed = [] if paired or kind in told else doubt_of_mixture(everybody, rule)
        notes += [f"peaks ({kind}) are compared although {doubt.reason}" for doubt in mixed]
    return notes


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


def _curves_of(groups: tuple[People, People], *, paired: bool) -> Iterator[GroupCurve]:
    together = [group.together for group in groups]
    everybody = SessionWalk(together[0].trials + together[1].trials)
    offs = [everyone.percent("foot_off", None) for everyone in together]
    for rule in curve_rules():
        (legs, unit), (others, _) = (group.legs(rule) for group in groups)
        keys = [sorted(legs.keys() & others.keys())] * 2 if paired else [legs, others]
        if unit:
            first, second = _curves(legs, keys[0]), _curves(others, keys[1])
            unlike = doubt_of_settings(together[0], together[1], rule, _WORDS[paired][0])
            unlike = unlike or ([] if paired else doubt_of_mixture(everybody, rule))
            doubts = (*unlike, *_doubts(groups, rule, (len(first), len(second))))
            test = None
            if not any(doubt.refuses for doubt in doubts):
                try:
                    stance = in_stance(rule, offs)
                    loaded = None if stance is None else stance & _loaded(first, second)
                    test = (judge_pairs if paired else judge_people)(first, second, loaded)
                except ArrayShapeError as error:  # they do not vary
                    doubts = (*doubts, Doubt(str(error)))
            yield GroupCurve(rule, unit, doubts, first, second, test)


def _loaded(first: Array, second: Array) -> Mask:
    """Return where a ground force of anybody is not zero, as unfiltered ones are at the strike."""
    return np.any(first != 0, axis=0) | np.any(second != 0, axis=0)


def _findings(
    groups: tuple[People, People], curves: Sequence[GroupCurve], words: tuple[str, str]
) -> tuple[CurveFinding, ...]:
    adjusted = holm_within(
        [curve.rule.family for curve in curves],
        [np.nan if curve.test is None else curve.test.p for curve in curves],
    )
    everyone = SessionWalk(groups[0].together.trials + groups[1].together.trials)
    phases = everyone.phases(None)
    return tuple(
        _finding(curve, p_holm, phases, words)
        for curve, p_holm in zip(curves, adjusted, strict=True)
    )


def _doubts(groups: tuple[People, People], rule: CurveRule, counts: tuple[int, int]) -> list[Doubt]:
    doubts: list[Doubt] = []
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
    curve: GroupCurve, p_holm: float, phases: Phases, words: tuple[str, str]
) -> CurveFinding:
    rule, unit, doubts, test = curve.rule, curve.unit, curve.doubts, curve.test
    if test is None:
        return not_judged(BOTH, rule, unit, doubts)
    word = word_of(test.p, p_holm, at_most_possible=bool(doubts))
    flagged = word in ("clear", "possible")
    far = np.nan_to_num(np.abs(test.difference) / test.limit)
    runs = stretches(test.beyond, far, flagged=flagged)
    places = places_of(runs, phases, test.difference, test.limit, test.sd)
    reason = "; ".join(doubt.reason for doubt in doubts)
    place = places[0]
    told = number(place.difference, unit)
    told = told if flagged else size_apart(place.difference, place.limit, unit)
    size = f"{told} {direction(place.difference)} in the second {words[0]}"
    sd = f"({abs(place.sd):.1f} SD {words[1]})"
    text = (
        f"{rule.title} {place.where}: {size} {sd}: {word}"
        if flagged
        else f"{rule.title}: at most {size} {sd}; not shown, shown from"
        f" {size_apart(place.limit, place.difference, unit)}"
    )
    sentence = f"{text}; {reason}" if reason and word == "possible" else text
    return CurveFinding(
        BOTH, rule.name, rule.family, unit, word, sentence, reason, test.p, p_holm, places,
        test.difference, test.limit, strip(test.beyond, test.difference, word),
    )  # fmt: skip
