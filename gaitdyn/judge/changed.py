"""The curves that changed between two sessions, or two conditions with the markers left on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.errors import ResultsRefused
from gaitdyn.judge.change_words import change_finding
from gaitdyn.judge.curves import CurveRule, judged_curves
from gaitdyn.judge.doubt import Doubt
from gaitdyn.judge.finding import CurveFinding, number
from gaitdyn.judge.planned import Planned, planned_of
from gaitdyn.judge.recordings import recorded_once
from gaitdyn.judge.refusals import (
    FEWEST_ON,
    NO_SPEED,
    doubt_of_aids,
    doubt_of_growth,
    doubt_of_order,
    doubt_of_static,
    doubt_of_walk,
)
from gaitdyn.judge.session import (
    FEWEST_STRIDES,
    CurveStrides,
    SessionWalk,
    pelvis_side,
    phase_limits,
    stored,
    walk_of,
)
from gaitdyn.judge.settings import doubt_of_settings
from gaitdyn.judge.stance import PERCENT, in_stance
from gaitdyn.judge.way import not_ahead
from gaitdyn.judge.whose import PersonCheck, check_persons
from gaitdyn.metrics.norm_speed import SAME_SPEED, match_norm
from gaitdyn.statistics.change import (
    STRIDE_ROUGHNESS_ANGLES,
    STRIDE_ROUGHNESS_LOADS,
    ChangeTest,
    judge_band,
    judge_level_and_shape,
    judge_markers_on,
)
from gaitdyn.statistics.families import holm_within
from gaitdyn.statistics.session_error import SessionError, error_of_sd
from gaitdyn.store.stored import StoredTrial
from gaitdyn.store.visit import one_visit
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.norms import Norm
from gaitdyn.types.result import Processed

TABLE = "published errors between sessions"


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """A curve before the correction within its family: its test, or why there is none."""

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
        """Of the curve alone; NaN if it is not judged."""
        return np.nan if self.test is None else self.test.p


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """The changes from one session to another.

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
    whose : PersonCheck
        Whether both are of one person.
    recorded_once : str
        That both are made of the same recordings, if they are.
    lowered : tuple of str
        Why no change is called clear: what is in doubt between the sessions as a whole, besides
        whose they are.
    """

    markers_on: bool
    speeds: tuple[float | None, float | None]
    findings: tuple[CurveFinding, ...]
    curves: tuple[Tested, ...]
    whose: PersonCheck = field(default_factory=PersonCheck)
    recorded_once: str = ""
    lowered: tuple[str, ...] = ()


def find_changes(
    before: Sequence[StoredTrial | Processed], after: Sequence[StoredTrial | Processed], *,
    norm: Norm | None = None, repeats: Mapping[str, SessionError] | None = None,
    planned: str | Sequence[str] = (), person_check: PersonCheck | None = None,
) -> Changes:  # fmt: skip
    """Return the changes between two sessions of one person.

    If both used the same static, or the same recording, no marker was placed again: the session
    error is 0 and the trial is the sample. Visits of different dates that share a static have the
    session error, and their changes are possible at most.

    Parameters
    ----------
    before, after : sequence of StoredTrial or Result
        Each of one session and condition; strides that turn are left out.
    norm : Norm, optional
        With groups of speed, to subtract the effect of different speeds.
    repeats : mapping, optional
        Curve -> session error from the laboratory's own repeats; by default published errors.
    planned : str or sequence of str
        At most three, named in advance: ``left knee_angle_flexion swing``; tested alone. If empty,
        those in the file of the first visit, or else of the second.
    person_check : PersonCheck, optional
        Whether both are of one person; by default decided from the trials.

    Raises
    ------
    ResultsRefused
        If one of them has no straight stride.
    UsageError
        For a plan that cannot be read.
    """
    first, second = stored(before), stored(after)
    walks = walk_of(first), walk_of(second)
    for walk, name in zip(walks, ("first", "second"), strict=True):
        if not walk.trials:
            raise ResultsRefused(
                f"the {name} session has no straight stride; wanted at least one; name another"
            )
    person_check = check_persons(first, second) if person_check is None else person_check
    borrowed = doubt_of_static(*walks)
    of_visits = (*borrowed, *doubt_of_order(*walks))
    of_both = (*person_check.doubts, *doubt_of_aids(*walks), *of_visits)
    settings = {rule.is_angle: rule for _, rule in judged_curves("left")}
    pair = _Pair(
        walks[0], walks[1], _speed_bands(walks, norm), repeats or {}, of_both,
        {kind: tuple(doubt_of_settings(*walks, rule)) for kind, rule in settings.items()},
        not borrowed and any(walks[0].hashes(r) & walks[1].hashes(r) for r in ("static", "trial")),
    )  # fmt: skip
    plans = planned_of(planned or one_visit(first).planned or one_visit(second).planned)
    every = (_tested(pair, side, rule) for side, rule in judged_curves(pelvis_side(*walks)))
    tested = [curve for curve in every if curve.unit]
    alone = [_tested(pair, plan.side, plan.rule, plan) for plan in plans]
    adjusted = [
        *(curve.p for curve in alone),
        *holm_within([curve.rule.family for curve in tested], [curve.p for curve in tested]),
    ]
    findings = tuple(
        change_finding(curve, p_holm, walks, markers_on=pair.markers_on)
        for curve, p_holm in zip((*alone, *tested), adjusted, strict=True)
    )
    speeds = walks[0].speed, walks[1].speed
    return Changes(
        pair.markers_on, speeds, findings, (*alone, *tested), person_check,
        recorded_once(first, second), tuple(doubt.reason for doubt in of_visits),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Two sessions and the known errors between them."""

    before: SessionWalk
    after: SessionWalk
    speed_bands: dict[str, Array] | None
    repeats: Mapping[str, SessionError]
    of_both: tuple[Doubt, ...]
    of_settings: dict[bool, tuple[Doubt, ...]]
    """Doubts about angles under True, about loads under False."""

    markers_on: bool
    """Whether both used one static, or one recording."""


def _speed_bands(
    walks: tuple[SessionWalk, SessionWalk], norm: Norm | None
) -> dict[str, Array] | None:
    """Return how a norm's curves change between the two speeds; None if it cannot say.

    Beyond its groups the outermost one stands for the speed, so far as a difference does not
    matter.
    """
    speeds = [walk.speed for walk in walks]
    if norm is None or None in speeds or any(not_ahead(walk.trials) for walk in walks):
        return None
    of_groups = [group.speed for group in norm.groups if group.speed is not None]
    if len(of_groups) < 2:  # noqa: PLR2004  two speeds
        return None
    low, high = min(of_groups) - SAME_SPEED, max(of_groups) + SAME_SPEED
    if not all(low <= (speed or 0.0) <= high for speed in speeds):
        return None
    first, second = (match_norm(norm, speed).bands for speed in speeds)
    axes = {trial.document["options"]["moments_in"] for walk in walks for trial in walk.trials}
    other_axes = axes != {norm.moments_in}
    return {
        name: np.interp(PERCENT, second[name].percent, second[name].mean)
        - np.interp(PERCENT, band.percent, band.mean)
        for name, band in first.items()
        if name in second and not (other_axes and key_of(name).is_moment)
    }


def _tested(pair: _Pair, side: str, rule: CurveRule, plan: Planned | None = None) -> Tested:
    strides = pair.before.strides(side, rule), pair.after.strides(side, rule)
    counts = len(strides[0].values), len(strides[1].values)
    unit = strides[0].unit or strides[1].unit
    session = _session_error(pair, rule)
    samples, sample_doubts = _samples(pair, strides)
    shift, speed_doubts = _by_speed(pair, rule, unit)
    phase, phase_doubts = _phase(pair, side, rule, plan)
    doubts = (
        *_doubts(pair, side, rule, counts), *_doubt_of_error(pair, session),
        *sample_doubts, *speed_doubts, *phase_doubts,
    )  # fmt: skip
    doubts = tuple(dict.fromkeys(doubts))
    planned = "" if plan is None else plan.text
    untested = Tested(side, rule, unit, doubts, counts, planned=planned, session=session)
    if any(doubt.refuses for doubt in doubts):
        return untested
    first, second = samples[0], samples[1] - (0.0 if shift is None else shift)
    test = _test(rule, first, second, session, phase)
    if not np.isfinite(test.p):
        identical = Doubt("identical strides give no estimate of an error")
        return replace(untested, doubts=(*doubts, identical))
    return replace(untested, test=test, by_speed=shift)


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
    """Return the error of a session; None if the markers stayed on or no error is known."""
    if pair.markers_on:
        return None
    if rule.name in pair.repeats:
        return pair.repeats[rule.name]
    return None if rule.session_sd is None else error_of_sd(rule.session_sd, 101, TABLE)


def _doubt_of_error(pair: _Pair, session: SessionError | None) -> list[Doubt]:
    if pair.markers_on or session is not None:
        return []
    return [Doubt("no error between sessions is known; make one with gaitdyn repeats build")]


def _doubts(pair: _Pair, side: str, rule: CurveRule, counts: tuple[int, int]) -> list[Doubt]:
    sessions = (("first", pair.before, counts[0]), ("second", pair.after, counts[1]))
    needed = FEWEST_ON if pair.markers_on else FEWEST_STRIDES
    return [
        *pair.of_both,
        *pair.of_settings[rule.is_angle],
        *(
            Doubt(f"{name} session: {doubt.reason}", doubt.refuses)
            for name, walk, count in sessions
            for doubt in doubt_of_walk(walk, side, rule, count, needed)
        ),
        *doubt_of_growth(pair.before, pair.after, rule),
    ]


def _samples(
    pair: _Pair, strides: tuple[CurveStrides, CurveStrides]
) -> tuple[tuple[Array, Array], list[Doubt]]:
    """Return the sample: strides between sessions, or trials if the markers stayed on."""
    values = strides[0].values, strides[1].values
    if not pair.markers_on:
        return values, []
    if min(len(set(s.trials)) for s in strides) >= FEWEST_ON:
        return (strides[0].by_trial(), strides[1].by_trial()), []
    if FEWEST_STRIDES <= min(map(len, values)) < FEWEST_ON:
        counts = f"{len(values[0])} and {len(values[1])} whole strides"
        return values, [Doubt(f"{counts}, {FEWEST_ON} each are needed with the markers left on")]
    reason = "strides of fewer than three trials per condition resemble each other"
    return values, [Doubt(reason, refuses=False)]


def _by_speed(pair: _Pair, rule: CurveRule, unit: str) -> tuple[Array | None, list[Doubt]]:
    """Return the norm's difference between the two speeds if they differ, and a doubt."""
    if not rule.by_speed:
        return None, []
    first, second = pair.before.speed, pair.after.speed
    if first is None or second is None:
        return None, [Doubt(NO_SPEED)]
    if abs(second - first) <= SAME_SPEED:
        return None, []
    differs = (
        f"the speed differs, {first:.2f} and {second:.2f} of sqrt(g L), and the curve depends on it"
    )
    if pair.speed_bands is None or rule.name not in pair.speed_bands:
        return None, [Doubt(f"{differs}; give a --norm with groups of such speeds")]
    shift = pair.speed_bands[rule.name]
    size = number(float(np.max(np.abs(shift))), unit)
    words = f"{differs}: the reference set's own difference, up to {size}, is subtracted"
    return shift, [Doubt(words, refuses=False)]


def _phase(
    pair: _Pair, side: str, rule: CurveRule, plan: Planned | None
) -> tuple[Mask | None, list[Doubt]]:
    """Return where a curve is tested, None for the whole cycle, and why it cannot be."""
    offs = [walk.percent("foot_off", side) for walk in (pair.before, pair.after)]
    stance = in_stance(rule, offs)
    if plan is None or not plan.phase:
        return stance, []
    limits = phase_limits(pair.before.phases(side), plan.phase)
    if limits is None:
        why = "events of a foot are missing, or not in the order of a walk"
        return None, [Doubt(f"the phase {plan.phase} is not known: {why}")]
    phase = (limits[0] <= PERCENT) & (limits[1] >= PERCENT)
    if not phase.any():
        return None, [Doubt(f"the phase {plan.phase} is between two points of the curve")]
    if stance is None:
        return phase, []
    outside = [] if (phase & stance).any() else [Doubt("a ground force is tested in stance alone")]
    return phase & stance, outside
