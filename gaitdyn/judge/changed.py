"""Which curves have changed between two sessions, or two conditions without a marker touched."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.errors import ResultsRefused
from gaitdyn.judge.change_words import change_finding
from gaitdyn.judge.curves import judged_curves
from gaitdyn.judge.planned import Planned, planned_of
from gaitdyn.judge.refusals import (
    FEWEST_ON,
    FEWEST_STRIDES,
    SAME_SPEED,
    Doubt,
    doubt_of_aids,
    doubt_of_growth,
    doubt_of_settings,
    doubt_of_walk,
)
from gaitdyn.judge.session import phase_limits, walk_of
from gaitdyn.judge.whose import Whose, whose_visits
from gaitdyn.metrics.norm_speed import match_norm
from gaitdyn.statistics.change import (
    STRIDE_ROUGHNESS_ANGLES,
    STRIDE_ROUGHNESS_LOADS,
    ChangeTest,
    judge_band,
    judge_level_and_shape,
    judge_markers_on,
)
from gaitdyn.statistics.families import holm
from gaitdyn.statistics.session_error import SessionError, error_of_sd
from gaitdyn.types.arrays import Array

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.judge.curves import CurveRule
    from gaitdyn.judge.finding import CurveFinding
    from gaitdyn.judge.session import CurveStrides, SessionWalk
    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.arrays import Mask
    from gaitdyn.types.norms import Norm

_PERCENT = np.arange(101.0)
TABLE = "published errors between sessions"


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """A curve before its family is counted: its test, or why there is none."""

    side: str
    rule: CurveRule
    unit: str
    doubts: tuple[Doubt, ...]
    counts: tuple[int, int]
    test: ChangeTest | None = None
    planned: str = ""
    session: SessionError | None = None
    by_speed: Array | None = None

    @property
    def p(self) -> float:
        """Of the curve alone; NaN where it is not judged."""
        return np.nan if self.test is None else self.test.p


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """What changed from one session to another.

    Attributes
    ----------
    markers_on : bool
        Whether no marker was touched between them.
    speeds : tuple of 2 float or None
        v / sqrt(g L).
    findings : tuple of CurveFinding
        Planned ones first, then in the order of the table of curves.
    curves : tuple of Tested
        The tests behind them.
    whose : Whose
        Whether both are of one person.
    """

    markers_on: bool
    speeds: tuple[float | None, float | None]
    findings: tuple[CurveFinding, ...]
    curves: tuple[Tested, ...]
    whose: Whose = field(default_factory=Whose)


def find_changes(
    before: Sequence[StoredTrial], after: Sequence[StoredTrial], *,
    norm: Norm | None = None, repeats: Mapping[str, SessionError] | None = None,
    planned: Sequence[str] = (), whose: Whose | None = None,
) -> Changes:  # fmt: skip
    """Return what changed between two sessions of one person.

    Where both used the same static, or the same recording, no marker was placed anew: the error
    of a session is 0 and the trial is the sample.

    Parameters
    ----------
    before, after : sequence of StoredTrial
        Each of one session and condition; strides that turn are left out.
    norm : Norm, optional
        With groups of speed, to take the difference of two speeds off.
    repeats : mapping, optional
        Curve -> error of a session, of the laboratory's own repeats; else published ones.
    planned : sequence of str
        At most three, named before: ``left knee_angle_flexion swing``; tested alone.
    whose : Whose, optional
        Whether both are of one person, where the trials no longer say it; else told from them.

    Raises
    ------
    ResultsRefused
        Without a straight stride in one of them.
    UsageError
        For a plan that cannot be read.
    """
    walks = walk_of(before), walk_of(after)
    for walk, name in zip(walks, ("first", "second"), strict=True):
        if not walk.trials:
            message = f"the {name} session has no straight stride; wanted some; name another"
            raise ResultsRefused(message)
    whose = whose_visits(before, after) if whose is None else whose
    of_both = (*whose.doubts, *doubt_of_aids(*walks))
    settings = {rule.is_angle: rule for _, rule in judged_curves("left")}
    pair = _Pair(
        walks[0], walks[1], _speed_bands(walks, norm), repeats or {}, of_both,
        {kind: tuple(doubt_of_settings(*walks, rule)) for kind, rule in settings.items()},
    )  # fmt: skip
    plans = planned_of(planned)
    tested = [_tested(pair, side, rule) for side, rule in judged_curves(pair.pelvis_side)]
    tested = [one for one in tested if one.unit]
    own = [_tested(pair, plan.side, plan.rule, plan) for plan in plans]
    adjusted = [one.p for one in own]
    for family in dict.fromkeys(one.rule.family for one in tested):
        adjusted += holm([one.p for one in tested if one.rule.family == family]).tolist()
    every = (*own, *_by_family(tested))
    sizes = {one.rule.family: 0 for one in every}
    for one in tested:
        sizes[one.rule.family] += int(np.isfinite(one.p))
    findings = tuple(
        change_finding(one, p, walks, sizes[one.rule.family], markers_on=pair.markers_on)
        for one, p in zip(every, adjusted, strict=True)
    )
    return Changes(pair.markers_on, (walks[0].speed, walks[1].speed), findings, every, whose)


def _by_family(tested: Sequence[Tested]) -> list[Tested]:
    families = dict.fromkeys(one.rule.family for one in tested)
    return [one for family in families for one in tested if one.rule.family == family]


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Two sessions and what is known of the errors between them."""

    before: SessionWalk
    after: SessionWalk
    speed_bands: dict[str, Array] | None
    repeats: Mapping[str, SessionError]
    of_both: tuple[Doubt, ...]
    of_settings: dict[bool, tuple[Doubt, ...]]
    """Of angles, and of loads."""

    @property
    def pelvis_side(self) -> str:
        """In whose cycle the pelvis is judged: the right one's where one session has no other."""
        both = {self.before.pelvis_side, self.after.pelvis_side}
        return "right" if "right" in both else "left"

    @property
    def markers_on(self) -> bool:
        """Whether both used one static, or one recording."""
        return any(
            self.before.hashes(role) & self.after.hashes(role) for role in ("static", "trial")
        )


def _speed_bands(
    walks: tuple[SessionWalk, SessionWalk], norm: Norm | None
) -> dict[str, Array] | None:
    """Return what a norm's curves change by between two speeds; None without one that says."""
    speeds = [walk.speed for walk in walks]
    if norm is None or None in speeds:
        return None
    if sum(group.speed is not None for group in norm.groups) < 2:  # noqa: PLR2004  two speeds
        return None
    first, second = (match_norm(norm, speed).bands for speed in speeds)
    return {
        name: np.interp(_PERCENT, second[name].percent, second[name].mean)
        - np.interp(_PERCENT, band.percent, band.mean)
        for name, band in first.items()
        if name in second
    }


def _tested(pair: _Pair, side: str, rule: CurveRule, plan: Planned | None = None) -> Tested:
    strides = pair.before.strides(side, rule), pair.after.strides(side, rule)
    counts = len(strides[0].values), len(strides[1].values)
    unit = strides[0].unit or strides[1].unit
    session = _session_error(pair, rule)
    doubts = [*_doubts(pair, side, rule, counts), *_doubt_of_error(pair, rule, session)]
    samples, more = _samples(pair, strides)
    doubts += more
    shift, told = _by_speed(pair, rule)
    doubts += told
    phase, told = _phase(pair, side, plan)
    doubts += told
    words = "" if plan is None else plan.text
    seen = tuple(dict.fromkeys(doubts))
    empty = Tested(side, rule, unit, seen, counts, planned=words, session=session)
    if any(doubt.refuses for doubt in seen):
        return empty
    first, second = samples[0], samples[1] - (0.0 if shift is None else shift)
    test = _test(rule, first, second, session, phase)
    if not np.isfinite(test.p):
        alike = Doubt("strides that do not differ at all tell nothing of an error")
        return replace(empty, doubts=(*seen, alike))
    return replace(empty, test=test, by_speed=shift)


def _test(
    rule: CurveRule, first: Array, second: Array, session: SessionError | None, phase: Mask | None
) -> ChangeTest:
    if session is None:
        rough = STRIDE_ROUGHNESS_ANGLES if rule.is_angle else STRIDE_ROUGHNESS_LOADS
        return judge_markers_on(first, second, rough, phase)
    if rule.test == "band":
        return judge_band(first, second, session, phase)
    return judge_level_and_shape(first, second, session, rule.level_of_strides, phase)


def _session_error(pair: _Pair, rule: CurveRule) -> SessionError | None:
    """Return the error of a session; None where the markers were left on, or none is known."""
    if pair.markers_on:
        return None
    if rule.name in pair.repeats:
        return pair.repeats[rule.name]
    return None if rule.session_sd is None else error_of_sd(rule.session_sd, 101, TABLE)


def _doubt_of_error(pair: _Pair, rule: CurveRule, session: SessionError | None) -> list[Doubt]:
    if pair.markers_on or session is not None:
        return []
    told = f"no error between sessions is known for {rule.title}"
    return [Doubt(f"{told}; make one of ten repeats with gaitdyn repeats build")]


def _doubts(pair: _Pair, side: str, rule: CurveRule, counts: tuple[int, int]) -> list[Doubt]:
    found = [
        Doubt(f"{name} session: {doubt.reason}", doubt.refuses)
        for name, walk, count in zip(
            ("first", "second"), (pair.before, pair.after), counts, strict=True
        )
        for doubt in doubt_of_walk(walk, side, rule, count)
    ]
    return [
        *pair.of_both,
        *pair.of_settings[rule.is_angle],
        *found,
        *doubt_of_growth(pair.before, pair.after, rule),
    ]


def _samples(
    pair: _Pair, strides: tuple[CurveStrides, CurveStrides]
) -> tuple[tuple[Array, Array], list[Doubt]]:
    """Return what is counted: strides between sessions, trials where the markers were left on."""
    values = strides[0].values, strides[1].values
    if not pair.markers_on:
        return values, []
    trials = [len(set(one.trials)) for one in strides]
    if min(trials) >= FEWEST_ON:
        return (strides[0].by_trial(), strides[1].by_trial()), []
    if FEWEST_STRIDES <= min(len(one) for one in values) < FEWEST_ON:
        told = f"{len(values[0])} and {len(values[1])} whole strides"
        return values, [Doubt(f"{told}, {FEWEST_ON} each are needed with the markers left on")]
    told = "strides of fewer than three trials a condition resemble each other"
    return values, [Doubt(told, refuses=False)]


def _by_speed(pair: _Pair, rule: CurveRule) -> tuple[Array | None, list[Doubt]]:
    """Return what the norm says two speeds make, where they differ, and what that means."""
    if not rule.by_speed:
        return None, []
    first, second = pair.before.speed, pair.after.speed
    if first is None or second is None:
        return None, [Doubt("the walking speed is not known, and the curve follows it")]
    if abs(second - first) <= SAME_SPEED:
        return None, []
    told = f"the speed differs, {first:.2f} and {second:.2f} of sqrt(g L), and the curve follows it"
    if pair.speed_bands is None or rule.name not in pair.speed_bands:
        return None, [Doubt(f"{told}; give a --norm with speed groups")]
    shift = pair.speed_bands[rule.name]
    size = float(np.max(np.abs(shift)))
    words = f"{told}: the reference set's own difference, up to {size:.2g}, is taken off"
    return shift, [Doubt(words, refuses=False)]


def _phase(pair: _Pair, side: str, plan: Planned | None) -> tuple[Mask | None, list[Doubt]]:
    if plan is None or not plan.phase:
        return None, []
    limits = phase_limits(pair.before.phases(side), plan.phase)
    if limits is None:
        return None, [Doubt(f"the phase {plan.phase} is not known: events of the other foot lack")]
    return (limits[0] <= _PERCENT) & (limits[1] >= _PERCENT), []
