"""The verdict of one curve between two sessions, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.judge.finding import (
    CurveFinding,
    CycleStretch,
    direction,
    moment_words,
    not_judged,
    number,
    places_of,
    stretches,
    strip,
    where_of,
)
from gaitdyn.statistics.families import word_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.judge.changed import Tested
    from gaitdyn.judge.session import SessionWalk
    from gaitdyn.statistics.change import ChangeTest

_FOOT_OFF = 2.0
"""% by which foot-off must move to be named, where the difference lies near it."""

_NEAR = 8.0
_BESIDE = 0.25
"""Share of a shape from which on the level is named with it."""


def change_finding(
    one: Tested,
    p_holm: float,
    walks: tuple[SessionWalk, SessionWalk],
    size: int,
    *,
    markers_on: bool,
) -> CurveFinding:
    """Return a curve's verdict.

    Parameters
    ----------
    one : Tested
    p_holm : float
        Within its family; p itself of what was planned.
    walks : tuple of 2 SessionWalk
    size : int
        Curves of the family that were judged.
    markers_on : bool
        Whether no marker was touched between the sessions.
    """
    rule, title = one.rule, f"{one.side} {one.rule.title}"
    if one.test is None:
        return not_judged(one.side, rule, one.unit, one.doubts, planned=one.planned)
    test = one.test
    lowered = any(not doubt.refuses for doubt in one.doubts)
    word = word_of(one.p, p_holm, at_most_possible=lowered)
    flagged = word in ("clear", "possible")
    places = _places(test, walks[0], one.side, flagged=flagged)
    whole = flagged and by_level(test)
    cells = (
        strip(np.ones(101, dtype=np.bool_), np.full(101, test.level), word)
        if whole
        else strip(test.beyond, test.shape, word)
    )
    reason = "; ".join(doubt.reason for doubt in one.doubts)
    what = "strides and trials make" if markers_on else "a second placement of the markers can make"
    words = _Words(title, word, one.unit, what, reason, size, one.planned)
    sentence = words.sentence(test, places) + _timing(walks, one.side, places)
    return CurveFinding(
        one.side, rule.name, rule.family, one.unit, word, sentence, reason, one.p, p_holm, places,
        test.shape, test.limit, cells,
        test.level if np.isfinite(test.level_limit) else np.nan, test.level_limit, one.planned,
    )  # fmt: skip


def _places(
    test: ChangeTest, walk: SessionWalk, side: str, *, flagged: bool
) -> tuple[CycleStretch, ...]:
    if flagged and by_level(test):
        return (_level_place(test),)
    found = stretches(test.beyond, np.nan_to_num(np.abs(test.shape) / test.limit), flagged=flagged)
    return places_of(found, walk.phases(side), test.shape, test.limit)


def by_level(test: ChangeTest) -> bool:
    """Return whether the level is the surer of the two tests."""
    return bool(np.isfinite(test.p_level)) and test.p_level <= test.p_shape


def _level_place(test: ChangeTest) -> CycleStretch:
    peak = int(np.argmax(np.abs(test.difference)))
    return CycleStretch(
        "", 0.0, 100.0, peak, test.level, np.nan, test.level_limit, where_of((), 0, 100)
    )


class _Words:
    """The words of one curve."""

    def __init__(
        self, title: str, word: str, unit: str, what: str, reason: str, size: int, planned: str
    ) -> None:
        self.title, self.word, self.unit, self.what = title, word, unit, what
        self.reason, self.size, self.planned = reason, size, planned

    def sentence(self, test: ChangeTest, places: Sequence[CycleStretch]) -> str:
        """Return size first, certainty second, with unit and place."""
        if self.word == "not shown":
            return self._not_shown(test, places)
        place = places[0]
        size = f"{number(place.difference, self.unit)} {direction(place.difference)}"
        level = test.level if np.isfinite(test.p_level) and not by_level(test) else 0.0
        beside = abs(level) >= _BESIDE * abs(place.difference)
        offset = f"{number(level, self.unit)} {direction(level)} over the cycle"
        than = f"than before, beside an offset of {offset}" if beside else "than before"
        planned = " (planned)" if self.planned else ""
        told = f"{self.title} {place.where}: {size} {than}: {self.word}{planned}"
        if self.word == "clear":
            return told
        chance = f"of {self.size} curves about {max(1, round(self.size / 20))} is so by chance"
        return f"{told}; {self.reason or chance}"

    def _not_shown(self, test: ChangeTest, places: Sequence[CycleStretch]) -> str:
        place = places[0]
        planned = " (planned)" if self.planned else ""
        if not np.isfinite(test.level_limit):
            size = f"{number(place.difference, self.unit)} {direction(place.difference)}"
            return (
                f"{self.title}: at most {size}, {moment_words(place.peak_at)}; not shown{planned}:"
                f" less than the {number(place.limit, self.unit)} that {self.what}"
            )
        size = f"{number(test.level, self.unit)} {direction(test.level)}"
        shape = f"{number(place.difference, self.unit)} {moment_words(place.peak_at)}"
        return (
            f"{self.title}: {size} over the cycle, in shape {shape}; not shown{planned}: less than"
            f" the {number(test.level_limit, self.unit)} ({number(place.limit, self.unit)} in"
            f" shape) that {self.what}"
        )


def _timing(
    walks: tuple[SessionWalk, SessionWalk], side: str, places: Sequence[CycleStretch]
) -> str:
    """Return what is said where foot-off moved and the difference lies near it."""
    first, second = (walk.percent("foot_off", side) for walk in walks)
    if first is None or second is None or abs(second - first) < _FOOT_OFF or not places:
        return ""
    if abs(places[0].peak_at - first) > _NEAR:
        return ""
    return f"; timing of foot-off differs by {abs(second - first):.0f} %"
