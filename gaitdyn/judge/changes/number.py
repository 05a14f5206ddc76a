"""The change of one planned number, such as a peak, between two sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaitdyn.judge.changes.pair import (
    Pair,
    Tested,
    by_speed,
    doubt_of_error,
    doubts_of_pair,
    samples_of,
    session_error,
)
from gaitdyn.judge.changes.planned import Planned
from gaitdyn.judge.doubt import Doubt
from gaitdyn.judge.session import CurveStrides, SessionWalk
from gaitdyn.judge.stance import PERCENT
from gaitdyn.judge.stride_numbers import stride_numbers
from gaitdyn.metrics.norms.curve_names import UNITS
from gaitdyn.metrics.peak_definitions import Definition
from gaitdyn.metrics.windows import stretch
from gaitdyn.statistics.change import judge_number
from gaitdyn.statistics.session_error import SessionError
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

_STRIDE = "stride with this number"


def tested_number(pair: Pair, plan: Planned, number: Definition) -> Tested:
    """Return the test of a planned number, or why there is none.

    What refuses or lowers a verdict on its curve does so for the number. Its error between sessions
    is that of the laboratory's own repeats of the number or, without one, that of the curve where
    the number is read.

    Parameters
    ----------
    pair : Pair
    plan : Planned
    number : Definition
        That of the plan.
    """
    read = [_strides(walk, plan.side, number) for walk in (pair.before, pair.after)]
    strides = read[0][0], read[1][0]
    place = _Place(number, (*read[0][1], *read[1][1]), pair.before.percent("foot_off", plan.side))
    counts = len(strides[0].values), len(strides[1].values)
    session = _error(pair, plan, place)
    samples, sample_doubts = samples_of(pair, strides)
    shift, speed_doubts = by_speed(pair, plan.rule, number.unit, place.of_change)
    doubts = (
        *_doubt_of_words(pair, plan, number),
        *doubts_of_pair(pair, plan.side, plan.rule, counts, _STRIDE),
        *doubt_of_error(pair, session), *sample_doubts, *speed_doubts,
    )  # fmt: skip
    doubts = tuple(dict.fromkeys(doubts))
    rule = replace(plan.rule, name=number.name, title=_told(number.title))
    untested = Tested(
        plan.side, rule, number.unit, doubts, counts, planned=plan.text, session=session,
        means=(np.nan, np.nan),
    )  # fmt: skip
    if any(doubt.refuses for doubt in doubts):
        return untested
    first, second = (sample[:, 0] for sample in samples)
    means = float(first.mean()), float(second.mean())
    test = judge_number(first, second - (0.0 if shift is None else shift), session)
    if not np.isfinite(test.p):
        identical = Doubt("identical strides give no estimate of an error")
        return replace(untested, doubts=(*doubts, identical))
    return replace(untested, test=test, by_speed=shift, means=means)


def _doubt_of_words(pair: Pair, plan: Planned, number: Definition) -> list[Doubt]:
    """Return a doubt if a plan has the words of external moments, and no trial has those.

    The external flexion moment is the internal extension moment: who reads internal moments and
    plans one of flexion means another number.
    """
    given = plan.text.split()[1]
    trials = (*pair.before.trials, *pair.after.trials)
    external = any(trial.document["options"].get("convention") == "external" for trial in trials)
    if external or given == number.name:
        return []
    return [
        Doubt(
            f"{given} is a peak of external moments, and these are internal; plan {number.name} if"
            " you mean the same number"
        )
    ]


def _told(title: str) -> str:
    """Return a title within a sentence; the names of bursts of power keep their letter."""
    return title if title[1:2].isdigit() else title[0].lower() + title[1:]


def _strides(
    walk: SessionWalk, side: str, number: Definition
) -> tuple[CurveStrides, tuple[float, ...]]:
    """Return a number of every stride as curves of one point, and its known times, %."""
    own = [
        one
        for one in stride_numbers(walk)
        if (one.name.table, one.name.quantity, one.side) == ("peaks", number.name, side)
    ]
    values = np.array([one.value for one in own]).reshape(-1, 1)
    times = tuple(one.percent for one in own if one.percent is not None)
    return CurveStrides(values, tuple(one.trial for one in own), number.unit), times


@frozen(eq=False)
class _Place:
    """Where a number is read off its curve."""

    number: Definition
    times: Sequence[float]
    foot_off: float | None

    @property
    def of_curve(self) -> bool:
        """Whether the number is in the unit of its curve, and not an integral of it."""
        return self.number.unit == UNITS.get(self.number.curve)

    def mean(self, values: Array) -> float:
        """Return the mean of a curve where the number is read: at its times, or in its window."""
        if self.times:
            return float(np.interp(self.times, PERCENT, values).mean())
        part = stretch(values, self.number.window, self.foot_off)
        return float(values.mean() if part is None else part[1].mean())

    def of_change(self, change: Array) -> Array | None:
        """Return what a change of the curve makes of the number; None if it does not show that."""
        readable = self.of_curve and self.number.take != "range"
        return np.array([self.mean(change)]) if readable else None

    def variance(self, error: SessionError) -> float:
        """Return the variance of the number between sessions, from that of its curve.

        A range is the difference of two points of the shape.
        """
        variance = self.mean(error.band)
        return (
            max(variance, 2 * self.mean(error.shape)) if self.number.take == "range" else variance
        )


def _error(pair: Pair, plan: Planned, place: _Place) -> SessionError | None:
    """Return the error of the number; None if the markers stayed on or no error is known."""
    if pair.markers_on:
        return None
    own = pair.repeats.get(place.number.name)
    if own is not None:
        return own
    of_curve = session_error(pair, plan.rule)
    if of_curve is None or not place.of_curve:
        return None
    variance = np.array([place.variance(of_curve)])
    return replace(of_curve, level=float(variance[0]), shape=0 * variance, band=variance)
