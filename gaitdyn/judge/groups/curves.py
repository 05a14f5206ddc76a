"""The curves of two groups of people: their tests, or why there is none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from gaitdyn.errors import ArrayShapeError
from gaitdyn.judge.curves import CurveRule, curve_rules
from gaitdyn.judge.doubt import Doubt
from gaitdyn.judge.groups.people import People
from gaitdyn.judge.session import SessionWalk
from gaitdyn.judge.settings import Whose, doubt_of_mixture, doubt_of_settings
from gaitdyn.judge.stance import in_stance
from gaitdyn.metrics.norms.speed import SAME_SPEED
from gaitdyn.statistics.people import FEWEST, GroupTest, judge_pairs, judge_people
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen

WORDS: dict[bool, tuple[Whose, str]] = {
    False: ("group", "between people"),
    True: ("condition", "of people's differences"),
}
"""Whether paired -> what is compared, and what a standard deviation is of."""


@frozen(eq=False)
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


def curves_of_groups(groups: tuple[People, People], *, paired: bool) -> Iterator[GroupCurve]:
    """Yield each curve that the first group has, with its test.

    Parameters
    ----------
    groups : tuple of 2 People
    paired : bool
        They are the same people in two conditions.
    """
    together = [group.together for group in groups]
    everybody = SessionWalk(together[0].trials + together[1].trials)
    offs = [everyone.percent("foot_off", None) for everyone in together]
    for rule in curve_rules():
        (legs, unit), (others, _) = (group.legs(rule) for group in groups)
        keys = [sorted(legs.keys() & others.keys())] * 2 if paired else [legs, others]
        if unit:
            first, second = _curves(legs, keys[0]), _curves(others, keys[1])
            unlike = doubt_of_settings(together[0], together[1], rule, WORDS[paired][0])
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


def _curves(legs: dict[tuple[str, str], Array], keys: Iterable[tuple[str, str]]) -> Array:
    """Return one curve per person, the mean of some legs, shape (n, 101)."""
    people: dict[str, list[Array]] = {}
    for name, side in keys:
        people.setdefault(name, []).append(legs[name, side])
    return np.array([np.mean(own, axis=0) for own in people.values()]).reshape(-1, 101)


def _loaded(first: Array, second: Array) -> Mask:
    """Return where a ground force of anybody is not zero, as unfiltered ones are at the strike."""
    return np.any(first != 0, axis=0) | np.any(second != 0, axis=0)


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
