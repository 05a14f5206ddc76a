"""The verdict on the change of one curve between two sessions, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.judge.finding import (
    CurveFinding,
    CycleStretch,
    not_judged,
    places_of,
    stretches,
    strip,
)
from gaitdyn.judge.finding_words import direction, moment_words, size_apart, where_of
from gaitdyn.statistics.families import word_of
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.judge.changes.pair import Pair, Tested
    from gaitdyn.judge.session import SessionWalk
    from gaitdyn.statistics.change import ChangeTest

_FOOT_OFF = 2.0
"""Smallest shift of foot-off, %, that is reported with a difference near it."""

_NEAR = 8.0
_ERROR = {
    True: "strides and trials make",
    False: "a second placement of the markers can make",
}
"""What makes a difference in an unchanged person, if the markers stayed on and otherwise."""

OFFSET_SHARE = 0.25
"""Smallest level, as a share of the shape, that is reported with it."""


def change_finding(curve: Tested, p_holm: float, pair: Pair) -> CurveFinding:
    """Return a curve's verdict.

    Parameters
    ----------
    curve : Tested
    p_holm : float
        Within its family; p itself for a planned curve.
    pair : Pair
    """
    walks, markers_on = (pair.before, pair.after), pair.markers_on
    rule, title = curve.rule, f"{curve.side} {curve.rule.title}"
    if curve.means is not None:
        return _number_finding(curve, curve.means, p_holm, markers_on=markers_on)
    if curve.test is None:
        return not_judged(curve.side, rule, curve.unit, curve.doubts, planned=curve.planned)
    test = curve.test
    lowered = any(not doubt.refuses for doubt in curve.doubts)
    word = word_of(curve.p, p_holm, at_most_possible=lowered)
    flagged = word in ("clear", "possible")
    places = _places(test, walks[0], curve.side, flagged=flagged)
    whole = flagged and by_level(test)
    cells = (
        strip(np.ones(101, dtype=np.bool_), np.full(101, test.level), word)
        if whole
        else strip(test.beyond, test.shape, word)
    )
    reason = "; ".join(doubt.reason for doubt in curve.doubts)
    than = "than before" if pair.between == "session" else f"than in the first {pair.between}"
    words = _Words(title, word, curve.unit, _ERROR[markers_on], reason, curve.planned, than)
    sentence = words.sentence(test, places) + _timing(walks, curve.side, places)
    return CurveFinding(
        curve.side, rule.name, rule.family, curve.unit, word, sentence, reason,
        curve.p, p_holm, places, test.shape, test.limit, cells,
        test.level if np.isfinite(test.level_limit) else np.nan, test.level_limit, curve.planned,
    )  # fmt: skip


def _number_finding(
    curve: Tested, means: tuple[float, float], p: float, *, markers_on: bool
) -> CurveFinding:
    """Return the verdict on a planned number.

    Its sign is told with both means: a larger flexion moment is a smaller number where extension
    is positive.
    """
    rule, test = curve.rule, curve.test
    if test is None:
        return not_judged(
            curve.side, rule, curve.unit, curve.doubts, planned=curve.planned, number=rule.title
        )
    lowered = [doubt.reason for doubt in curve.doubts if not doubt.refuses]
    word = word_of(p, p, at_most_possible=bool(lowered))
    reason = "; ".join(lowered)
    size = size_apart(test.level, test.level_limit, curve.unit)
    nothing = float(size.partition(" ")[0]) == 0  # in the digits that are shown
    first, second = _both_told(means, 1 if curve.unit == "deg" else 2, apart=not nothing)
    sign = "" if nothing else "+" if test.level > 0 else "-"
    sentence = (
        f"{curve.side} {rule.title}: {sign}{size}, from {first} to {second}: {word} (planned)"
    )
    if word == "not shown":
        limit = size_apart(test.level_limit, test.level, curve.unit)
        sentence += f": less than the {limit} that {_ERROR[markers_on]}"
    if reason:
        sentence += f"; {reason}"
    none = np.full(101, np.nan)
    return CurveFinding(
        curve.side, rule.name, rule.family, curve.unit, word, sentence, reason, curve.p, p, (),
        none, none, np.zeros(101, dtype=np.intp), test.level, test.level_limit, curve.planned,
        rule.title, means=means,
    )  # fmt: skip


def _both_told(means: tuple[float, float], digits: int, *, apart: bool) -> list[str]:
    """Return two means in words, with up to two more decimals until they differ if they must.

    Examples
    --------
    >>> _both_told((0.5241, 0.5184), 2, apart=True), _both_told((0.521, 0.52), 2, apart=False)
    (['0.524', '0.518'], ['0.52', '0.52'])
    """
    told = list[str]()
    for more in range(3):
        told = [f"{round(mean, digits + more) + 0.0:.{digits + more}f}" for mean in means]
        if not apart or told[0] != told[1]:
            break
    return told


def _places(
    test: ChangeTest, walk: SessionWalk, side: str, *, flagged: bool
) -> tuple[CycleStretch, ...]:
    if flagged and by_level(test):
        return (_level_place(test),)
    far = np.nan_to_num(np.abs(test.shape) / test.limit, nan=-1.0)  # -1: outside a planned phase
    runs = stretches(test.beyond, far, flagged=flagged)
    return places_of(runs, walk.phases(side), test.shape, test.limit)


def by_level(test: ChangeTest) -> bool:
    """Return whether the test of the level is the more certain of the two."""
    return bool(np.isfinite(test.p_level)) and test.p_level <= test.p_shape


def _level_place(test: ChangeTest) -> CycleStretch:
    peak = int(np.argmax(np.abs(test.difference)))
    return CycleStretch(
        "", 0.0, 100.0, peak, test.level, np.nan, test.level_limit, where_of((), 0, 100)
    )


@frozen()
class _Words:
    """The words on one curve."""

    title: str
    word: str
    unit: str
    error: str
    reason: str
    planned: str
    than: str

    def sentence(self, test: ChangeTest, places: Sequence[CycleStretch]) -> str:
        """Return size, then certainty, with unit and place."""
        place, planned = places[0], " (planned)" if self.planned else ""
        if self.word == "not shown":
            return self._not_shown(test, place, planned)
        level = test.level if np.isfinite(test.p_level) and not by_level(test) else 0.0
        than = self.than
        if abs(level) >= OFFSET_SHARE * abs(place.difference):
            than += f", in addition to an offset of {self._size(level)} over the cycle"
        size = self._size(place.difference)
        text = f"{self.title} {place.where}: {size} {than}: {self.word}{planned}"
        if self.word == "clear":
            return text
        return f"{text}; {self.reason or '1 curve in 20 changes by chance'}"

    def _size(self, value: float, limit: float = 0.0) -> str:
        return f"{size_apart(value, limit, self.unit)} {direction(value)}"

    def _not_shown(self, test: ChangeTest, place: CycleStretch, planned: str) -> str:
        moment = moment_words(place.peak_at)
        if not np.isfinite(test.level_limit):
            return (
                f"{self.title}: at most {self._size(place.difference, place.limit)}, {moment}; not"
                f" shown{planned}: less than the"
                f" {size_apart(place.limit, place.difference, self.unit)} that {self.error}"
            )
        shape = f"{size_apart(place.difference, place.limit, self.unit)} {moment}"
        level = f"{self._size(test.level, test.level_limit)} over the cycle"
        return (
            f"{self.title}: {level}, in shape {shape}; not"
            f" shown{planned}: less than the {size_apart(test.level_limit, test.level, self.unit)}"
            f" ({size_apart(place.limit, place.difference, self.unit)} in shape) that {self.error}"
        )


def _timing(
    walks: tuple[SessionWalk, SessionWalk], side: str, places: Sequence[CycleStretch]
) -> str:
    """Return a remark if foot-off moved and the difference is near it."""
    first, second = (walk.percent("foot_off", side) for walk in walks)
    if first is None or second is None or abs(second - first) < _FOOT_OFF or not places:
        return ""
    if abs(places[0].peak_at - first) > _NEAR:
        return ""
    return f"; timing of foot-off differs by {abs(second - first):.0f} %"
