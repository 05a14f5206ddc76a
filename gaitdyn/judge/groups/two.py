"""Two groups of people, or of conditions: the person is the sample, not the stride."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from gaitdyn.errors import ResultsRefused
from gaitdyn.judge.axes import shanks_apart
from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.finding import BOTH, CurveFinding, not_judged, places_of, stretches, strip
from gaitdyn.judge.finding_words import Phases, direction, size_apart, size_found
from gaitdyn.judge.groups.curves import WORDS, GroupCurve, curves_of_groups
from gaitdyn.judge.groups.numbers import NumberDifference, number_differences
from gaitdyn.judge.groups.people import People, people_of
from gaitdyn.judge.session import SessionWalk
from gaitdyn.judge.session_trials import one_condition, stored
from gaitdyn.judge.settings import doubt_of_mixture
from gaitdyn.judge.stride_numbers import doubted_words, left_out_words, not_compared
from gaitdyn.statistics.families import holm_within, word_of
from gaitdyn.statistics.people import FEWEST
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.frozen import frozen
from gaitdyn.types.result import Processed


@frozen(eq=False)
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
        Which peaks are not compared, or with what reservation, and because of which trials; where
        gait parameters are in doubt.
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
    curves = tuple(curves_of_groups(groups, paired=paired))
    speeds = groups[0].speed, groups[1].speed
    findings = _findings(groups, curves, WORDS[paired])
    together = [group.together for group in groups]
    without = not_compared(together[0], together[1], WORDS[paired][0])
    numbers = number_differences(groups[0].walks, groups[1].walks, paired=paired, without=without)
    everybody = SessionWalk((*together[0].trials, *together[1].trials))
    notes = (
        *left_out_words(without),
        *_reservations(everybody, without, paired=paired),
        *doubted_words(person for group in groups for person in group.walks.items()),
    )
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
    told = size_found(place.difference, unit)
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
