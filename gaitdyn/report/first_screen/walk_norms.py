"""The norms of speed and step length: of the given set where it serves, or those published."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gaitdyn.metrics.healthy import (
    PACE,
    Expected,
    beyond_children,
    expected_speed,
    expected_step_length,
)
from gaitdyn.metrics.nondimensional import HofUnits
from gaitdyn.metrics.norms.ages import ADULT_YEARS, other_ages
from gaitdyn.metrics.norms.speed import beyond_speeds, free_numbers
from gaitdyn.report.numbers import digits_for, plus_minus
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import FEWEST_PEOPLE, MatchedNorm, NormNumber
from gaitdyn.types.words import counted

CHILDREN = "children, Schwartz 2008"
_NO_LENGTH = "leg length not given"
_NO_ADULTS = "no norm of adults"
_STEP = "step_length_nondimensional"
BEYOND = {
    "below": "no group is as slow",
    "above": "no group is as fast",
    "not in": "speed not in the norm",
}
"""Why a number has no norm at a speed, by where this lies from the groups of the norm."""


@frozen()
class NumberNorm:
    """The norm of a number.

    Attributes
    ----------
    norm : Expected or None
    words : str
        The norm, or why there is none.
    source : str
        Whose it is; empty without one.
    reach : int
        How many SD the range in the words reaches; 0 without a range.
    """

    norm: Expected | None
    words: str
    source: str = ""
    reach: int = 0


OF_FORWARD = NumberNorm(None, "norm of walking forward")
OF_FREE_SPEED = NumberNorm(None, "speed of the belt")


def on_belts(trials: Sequence[StoredTrial]) -> bool:
    """Return whether all of some trials are on a treadmill, whose operator sets the speed."""
    return all(trial.document.get("belts") for trial in trials)


@frozen()
class WalkNorms:
    """What the walk of a person is compared with.

    Parameters
    ----------
    matched : MatchedNorm or None
        The given set at the person's speed.
    age_years, leg_length_m, speed : float or None
        Of the person; the speed in m/s.
    ahead : bool
        Whether the person walks forward, as those of every norm.
    imposed : bool
        Whether the speed is that of a belt. It has no norm: those are of speeds that people chose.
    """

    matched: MatchedNorm | None
    age_years: float | None
    leg_length_m: float | None
    speed: float | None
    ahead: bool = True
    imposed: bool = False

    @property
    def of_speed(self) -> NumberNorm:
        """The norm of the walking speed, m/s: free speed for the leg length.

        It is v / sqrt(g L) of the people of the set, or v = 0.429 sqrt(g L) of children.
        """
        if not self.ahead:
            return OF_FORWARD
        return OF_FREE_SPEED if self.imposed and self._of_free_speed.words else self._of_free_speed

    @property
    def _of_free_speed(self) -> NumberNorm:
        length = self.leg_length_m
        number = None if self.matched is None else free_numbers(self.matched).get(PACE)
        if length and number and not self._unfit(number):
            unit = HofUnits(length).speed
            return _reach(Expected(number.mean * unit, number.sd * unit), whose(self.matched))
        if length and self._may_be_a_child:
            return _reach(expected_speed(length), CHILDREN)
        return NumberNorm(None, self._why_none(number))

    @property
    def of_step_length(self) -> NumberNorm:
        """The norm of the step length, m, for the leg length and the speed."""
        if not self.ahead:
            return OF_FORWARD
        length, speed = self.leg_length_m, self.speed
        number = None if self.matched is None else self.matched.numbers.get(_STEP)
        if length and speed is not None:
            pace = speed / HofUnits(length).speed
            fits = number is not None and not self._unfit(number)
            beyond = beyond_speeds(self.matched.norm, pace) if self.matched and fits else ""
            if number and fits and not beyond:
                own = Expected(number.mean * length, number.sd * length)
                return _plus_minus(own, whose(self.matched))
            if self._may_be_a_child:
                beyond = beyond_children(pace)
            if beyond:
                return NumberNorm(None, BEYOND[beyond])
            if self._may_be_a_child:
                return _plus_minus(expected_step_length(length, speed), CHILDREN)
        return NumberNorm(None, self._why_none(number))

    @property
    def _may_be_a_child(self) -> bool:
        """Whether neither the age nor a set of adults says that this is an adult."""
        if self.age_years is not None:
            return self.age_years < ADULT_YEARS
        ages = None if self.matched is None else self.matched.norm.ages
        return ages is None or ages[0] < ADULT_YEARS

    def _why_none(self, number: NormNumber | None) -> str:
        if self.matched is None and self._may_be_a_child:
            return ""
        if not self.leg_length_m and (self._may_be_a_child or number):
            return _NO_LENGTH
        return self._unfit(number)

    def _unfit(self, number: NormNumber | None) -> str:
        """Return why a number of the set does not serve; empty if it does."""
        if self.matched is None or not any(g.numbers for g in self.matched.norm.groups):
            return "" if self._may_be_a_child else _NO_ADULTS
        if number is None:
            return "not in the norm"
        if other_ages(self.matched.norm, self.age_years):
            return "norm of other ages"
        if number.count is not None and number.count < FEWEST_PEOPLE:
            return f"norm of {counted(number.count, 'person', 'people')} only"
        return "" if number.sd > 0 else "norm without spread"


def whose(matched: MatchedNorm | None) -> str:
    """Return whose the numbers of a set are, for the reader of a report."""
    if matched is None:
        return ""
    return "own controls" if matched.norm.in_house else matched.norm.name.removesuffix(".csv")


def of_children(sources: Collection[str], age_years: float | None) -> list[str]:
    """Return what to add to the published values of children if the age is not known."""
    return ["age not given"] if age_years is None and CHILDREN in sources else []


def _reach(norm: Expected, source: str) -> NumberNorm:
    """Return a norm with its mean and the range of two SD."""
    return NumberNorm(norm, range_words(norm, 2), source, reach=2)


def range_words(norm: Expected, digits: int) -> str:
    """Return the mean of a norm and its range of two SD, apart as far as they are.

    Examples
    --------
    >>> range_words(Expected(1.25, 0.1), 2)
    '1.25 (1.05\u20131.45)'
    """
    digits = digits_for(norm.mean, norm.sd, digits)
    low, high = (f"{norm.at(z):.{digits}f}" for z in (-2.0, 2.0))
    return f"{norm.mean:.{digits}f} ({low}\u2013{high})"


def _plus_minus(norm: Expected, source: str) -> NumberNorm:
    return NumberNorm(norm, plus_minus(norm.mean, norm.sd, 2), source)
