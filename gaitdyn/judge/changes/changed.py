"""The curves that changed between two sessions, or two conditions with the markers left on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

import numpy as np

from gaitdyn.errors import ResultsRefused, UsageError
from gaitdyn.judge.changes.gps import gps_refusals
from gaitdyn.judge.changes.number import tested_number
from gaitdyn.judge.changes.pair import (
    Pair,
    Tested,
    by_speed,
    doubt_of_error,
    doubts_of_pair,
    samples_of,
    session_error,
    speed_bands,
)
from gaitdyn.judge.changes.planned import Planned, planned_of
from gaitdyn.judge.changes.whose import PersonCheck, check_persons
from gaitdyn.judge.changes.words import change_finding
from gaitdyn.judge.curves import CurveRule, judged_curves
from gaitdyn.judge.doubt import Doubt
from gaitdyn.judge.finding import CurveFinding
from gaitdyn.judge.phases import phase_limits
from gaitdyn.judge.recordings import recorded_once
from gaitdyn.judge.refusals import doubt_of_aids, doubt_of_order, doubt_of_static
from gaitdyn.judge.repeats.scores import GpsLimits, gps_limits
from gaitdyn.judge.session import pelvis_side
from gaitdyn.judge.session_trials import stored, walk_of
from gaitdyn.judge.settings import doubt_of_settings
from gaitdyn.judge.stance import PERCENT, in_stance
from gaitdyn.statistics.change import (
    STRIDE_ROUGHNESS_ANGLES,
    STRIDE_ROUGHNESS_LOADS,
    ChangeTest,
    judge_band,
    judge_level_and_shape,
    judge_markers_on,
)
from gaitdyn.statistics.families import holm_within
from gaitdyn.statistics.session_error import SessionError
from gaitdyn.store.stored import StoredTrial
from gaitdyn.store.visit import one_visit
from gaitdyn.types.arguments import told
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import Norm
from gaitdyn.types.result import Processed


@frozen(eq=False)
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
    gps : GpsLimits
        From which change on a GPS is measurable, and why its change is not judged.
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
    gps: GpsLimits = field(default_factory=GpsLimits)
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
        Curve or peak -> session error from the laboratory's own repeats; by default published
        errors.
    planned : str or sequence of str
        At most three, named in advance and tested alone: ``left knee_angle_flexion swing``, or a
        peak such as ``left knee_moment_extension_max``. If empty, those in the file of the first
        visit, or else of the second.
    person_check : PersonCheck, optional
        Whether both are of one person; by default decided from the trials.

    Raises
    ------
    ResultsRefused
        If one of them has no straight stride.
    UsageError
        For a plan that cannot be read, and a set or repeats that were not read.
    """
    _check_read(norm, repeats)
    first, second = stored(before), stored(after)
    walks = walk_of(first), walk_of(second)
    for walk, name in zip(walks, ("first", "second"), strict=True):
        if not walk.trials:
            raise ResultsRefused(
                f"the {name} session has no straight stride; wanted at least one; name another"
            )
    person_check = check_persons(first, second) if person_check is None else person_check
    between = person_check.between
    borrowed = doubt_of_static(*walks)
    of_visits = (*borrowed, *doubt_of_order(*walks))
    of_both = (*person_check.doubts, *doubt_of_aids(*walks), *of_visits)
    settings = {rule.is_angle: rule for _, rule in judged_curves("left")}
    pair = Pair(
        walks[0], walks[1], speed_bands(walks, norm), repeats or {}, of_both,
        {kind: tuple(doubt_of_settings(*walks, rule, between)) for kind, rule in settings.items()},
        not borrowed and any(walks[0].hashes(r) & walks[1].hashes(r) for r in ("static", "trial")),
        between,
    )  # fmt: skip
    plans = planned_of(planned or one_visit(first).planned or one_visit(second).planned)
    every = (_tested(pair, side, rule) for side, rule in judged_curves(pelvis_side(*walks)))
    tested = [curve for curve in every if curve.unit]
    alone = [
        tested_number(pair, plan, plan.number)
        if plan.number is not None
        else _tested(pair, plan.side, plan.rule, plan)
        for plan in plans
    ]
    adjusted = [
        *(curve.p for curve in alone),
        *holm_within([curve.rule.family for curve in tested], [curve.p for curve in tested]),
    ]
    findings = tuple(
        change_finding(curve, p_holm, pair)
        for curve, p_holm in zip((*alone, *tested), adjusted, strict=True)
    )
    speeds = walks[0].speed, walks[1].speed
    return Changes(
        pair.markers_on, speeds, findings, (*alone, *tested), person_check,
        recorded_once(first, second),
        replace(gps_limits(pair.repeats, norm), refused=gps_refusals(pair)),
        tuple(doubt.reason for doubt in of_visits),
    )  # fmt: skip


def _check_read(norm: object, repeats: object) -> None:
    """Refuse the path of a file in place of what it holds."""
    for name, value, kind, wanted, how in (
        ("norm", norm, Norm, "a reference set that was", "metrics.norms.files.read_norm(NAME)"),
        ("repeats", repeats, Mapping, "errors that were", "judge.read_repeats(PATH)"),
    ):
        if not (value is None or isinstance(value, kind)):
            raise UsageError(f"{name} is {told(value)}, wanted {wanted} read: gaitdyn.{how}")


def _tested(pair: Pair, side: str, rule: CurveRule, plan: Planned | None = None) -> Tested:
    strides = pair.before.strides(side, rule), pair.after.strides(side, rule)
    counts = len(strides[0].values), len(strides[1].values)
    unit = strides[0].unit or strides[1].unit
    session = session_error(pair, rule)
    samples, sample_doubts = samples_of(pair, strides)
    shift, speed_doubts = by_speed(pair, rule, unit)
    phase, phase_doubts = _phase(pair, side, rule, plan)
    doubts = (
        *doubts_of_pair(pair, side, rule, counts), *doubt_of_error(pair, session),
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


def _phase(
    pair: Pair, side: str, rule: CurveRule, plan: Planned | None
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
