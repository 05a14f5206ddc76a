"""The reasons why a curve is not judged, or its verdict lowered, each in a sentence."""

from __future__ import annotations

from datetime import date
from statistics import fmean
from typing import TYPE_CHECKING

from gaitdyn.judge.doubt import Doubt, joined, values_of
from gaitdyn.judge.session import FEWEST_STRIDES
from gaitdyn.judge.settings import model_of, shank_of
from gaitdyn.metrics.norms.speed import SAME_SPEED, beyond_speeds
from gaitdyn.types.norms import FEWEST_PEOPLE, MatchedNorm
from gaitdyn.types.subject import SIDES
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from gaitdyn.judge.curves import CurveRule
    from gaitdyn.judge.session import SessionWalk

FEWEST_ON = 3
"""Samples per condition if no marker was touched."""

ENOUGH_PEOPLE = 20
"""With fewer people in a reference set a verdict is possible at most, by judgement."""

NO_SPEED = "the speed for this leg length is not known, and the curve depends on it"

GROWTH = 0.03
"""Change of a leg's length above which a change of loads is possible at most, by judgement."""

RUNNING = 50.0
"""Feet that leave the ground before this, % of the cycle, on average of both, are never on it
together: that is running. One leg alone may stand as briefly in a limp."""

_ROUNDED_YEARS = 1.0

STRIDE = "whole stride with this curve"
"""What is counted of a curve."""

_CURVES = {"kinematics": "angles", "kinetics": "moments"}


def doubt_of_walk(
    walk: SessionWalk, side: str, rule: CurveRule, strides: int, needed: int = FEWEST_STRIDES,
    what: str = STRIDE,
) -> list[Doubt]:  # fmt: skip
    """Return the doubts from a session's own verdict and from its number of strides.

    Parameters
    ----------
    walk : SessionWalk
    side : {"left", "right"}
    rule : CurveRule
    strides : int
        Number of whole strides.
    needed : int
        How many the judgement needs; below two there is a doubt here.
    what : str
        What is counted.
    """
    words = walk.words(side, rule)
    foot_off = walk.percent("foot_off", side)
    both = [off for one in SIDES if (off := walk.percent("foot_off", one)) is not None]
    if foot_off is not None and max(foot_off, fmean(both)) < RUNNING:
        return [
            Doubt(f"the {side} foot leaves the ground at {foot_off:.0f} %: running is not judged")
        ]
    if words == {"fail"}:
        return [Doubt(f"the {side} {_CURVES[rule.quantity]} are not usable")]
    if strides < FEWEST_STRIDES:
        left_out = walk.turned.count(side)
        turned = f"; turning strides left out: {left_out}" if left_out else ""
        count = f"only {strides}" if strides else "no"
        return [Doubt(f"{count} {what}, {needed} are needed{turned}")]
    if "check" in words:
        return [Doubt(f"the {side} {_CURVES[rule.quantity]} are usable with care", refuses=False)]
    return []


def doubt_of_norm(
    matched: MatchedNorm, rule: CurveRule, speed: float | None, pace: float | None
) -> list[Doubt]:
    """Return the doubts about a reference set for one curve.

    Parameters
    ----------
    matched : MatchedNorm
    rule : CurveRule
    speed : float or None
        v / sqrt(g L) of the walker.
    pace : float or None
        The same in m/s, for words.
    """
    if matched.refused:
        return [Doubt(matched.refused)]
    band = matched.bands.get(rule.name)
    if band is None:
        return [Doubt("the reference set lacks this curve")]
    if not rule.of_ground and not (band.sd > 0).all():
        return [Doubt("the reference set has an SD of 0")]
    if band.count is not None and band.count < FEWEST_PEOPLE:
        people = f"the reference set has {counted(band.count, 'person', 'people')} with this curve"
        return [Doubt(f"{people}, {FEWEST_PEOPLE} are needed")]
    reasons = []
    if band.count is not None and band.count < ENOUGH_PEOPLE:
        reasons.append(f"weak norm of {band.count} people")
    if rule.caution:
        reasons.append(rule.caution)
    if not matched.norm.in_house and rule.between_laboratories is None:
        reasons.append("how far laboratories differ in this curve is not known")
    doubts = [Doubt(reason, refuses=False) for reason in reasons]
    return [*doubts, *_doubt_of_speed(matched, rule, speed, pace)]


def _doubt_of_speed(
    matched: MatchedNorm, rule: CurveRule, speed: float | None, pace: float | None
) -> list[Doubt]:
    if not rule.by_speed:
        return []
    if speed is None:
        return [Doubt(NO_SPEED)]
    word = beyond_speeds(matched.norm, speed)
    if all(group.speed is None for group in matched.norm.groups):
        reason = "the reference set states no speed"
    else:
        walked = f"v / sqrt(g L) of {speed:.2f}" if pace is None else f"{pace:.2f} m/s"
        slower = "slower" if word == "below" else "faster"
        reason = f"{walked} is {slower} than any group of the norm"
    return [Doubt(reason, refuses=False)] if word else []


def doubt_of_unit(matched: MatchedNorm, rule: CurveRule, unit: str) -> list[Doubt]:
    """Return a doubt if a reference set has another unit, such as per weight and height."""
    band = matched.bands.get(rule.name)
    if band is None or not unit or band.unit == unit:
        return []
    return [Doubt(f"the reference set is in {band.unit}, the curve in {unit}")]


def doubt_of_model(matched: MatchedNorm, walk: SessionWalk) -> list[Doubt]:
    """Return a doubt if the people of a reference set had another marker model."""
    theirs, ours = matched.norm.models, values_of(model_of(trial) for trial in walk.trials)
    if not theirs or set(ours) <= set(theirs):
        return []
    models = f"the reference set has the model {joined(theirs)}, the walk {joined(ours)}"
    return [Doubt(f"{models}; build a set of the same model")]


def doubt_of_belts(walk: SessionWalk) -> list[Doubt]:
    """Return a doubt if a belt changed its speed, so that there is none to match."""
    belts = [belt for trial in walk.trials for belt in trial.document.get("belts", ())]
    if all(belt["steady"] for belt in belts):
        return []
    return [Doubt("the belt has no steady speed")]


def doubt_of_aids(before: SessionWalk, after: SessionWalk) -> list[Doubt]:
    """Return a doubt if two sessions have different walking aids; none given is ``none``."""
    first, second = (
        values_of(trial.visit.text("aids").strip().lower() or "none" for trial in walk.trials)
        for walk in (before, after)
    )
    if first == second:
        return []
    return [Doubt(f"the walking aids differ: {joined(first)} and {joined(second)}")]


def doubt_of_static(before: SessionWalk, after: SessionWalk) -> list[Doubt]:
    """Return a doubt if two sessions of different dates share a static: the markers were off."""
    dates = [{t.visit.text("date") for t in walk.trials} - {""} for walk in (before, after)]
    if (
        not all(dates)
        or dates[0] & dates[1]
        or not before.hashes("static") & after.hashes("static")
    ):
        return []
    first, second = (joined(sorted(days)) for days in dates)
    reason = f"the visits of {first} and {second} share a static, which shows the markers of one"
    return [Doubt(reason, refuses=False)]


def doubt_of_order(before: SessionWalk, after: SessionWalk) -> list[Doubt]:
    """Return a doubt if the second of two sessions is the earlier one, by its date or the age.

    Ages are in whole years, and one may be rounded.
    """
    dates = [_days({t.visit.text("date") for t in walk.trials} - {""}) for walk in (before, after)]
    if all(dates) and min(dates[0]) > max(dates[1]):
        days = f"{min(dates[0])} and {max(dates[1])}"
        reason = f"the second session is dated before the first ({days})"
        return [Doubt(f"{reason}: changes are in the order in which they are named", refuses=False)]
    ages = [
        [float(a) for t in walk.trials if (a := t.document["subject"].get("age_years")) is not None]
        for walk in (before, after)
    ]
    if all(ages) and min(ages[0]) > max(ages[1]) + _ROUNDED_YEARS:
        years = f"from {min(ages[0]):g} to {max(ages[1]):g} years"
        return [Doubt(f"the age falls {years}: another person, or the wrong order", refuses=False)]
    return []


def _days(texts: set[str]) -> list[date]:
    """Return dates that are written as year-month-day; empty if one is not."""
    try:
        return [date.fromisoformat(text) for text in texts]
    except ValueError:
        return []


def doubt_of_axes(matched: MatchedNorm, walk: SessionWalk, rule: CurveRule) -> list[Doubt]:
    """Return a doubt if a moment is in other axes than those of the reference set."""
    wanted = matched.norm.moments_in
    kinds = {str(t.document["options"]["moments_in"]) for t in walk.trials} - {wanted}
    if rule.quantity == "kinetics" and "moment" in rule.name and kinds:
        found = " and ".join(sorted(kinds))
        axes = f"moments are in {found} axes, those of the reference set in {wanted} ones"
        return [Doubt(f"{axes}; process with --moments-in {wanted}")]
    return []


def doubt_of_shanks(matched: MatchedNorm, walk: SessionWalk, rule: CurveRule) -> list[Doubt]:
    """Return a doubt if a knee moment is in shanks of other axes than those of the set."""
    theirs, ours = matched.norm.shank, values_of(shank_of(trial) for trial in walk.trials)
    if not theirs or not rule.name.startswith("knee_moment") or set(ours) <= {theirs, ""}:
        return []
    found = joined([kind for kind in ours if kind != theirs])
    return [Doubt(f"shanks are aligned with {found}, those of the reference set with {theirs}")]


def doubt_of_growth(before: SessionWalk, after: SessionWalk, rule: CurveRule) -> list[Doubt]:
    """Return a doubt if the leg length differs by more than 3 % between the sessions."""
    if rule.is_angle:
        return []
    first, second = _leg(before), _leg(after)
    if first and second and abs(second / first - 1) > GROWTH:
        off = 100 * (second / first - 1)
        reason = f"the leg length differs by {off:+.0f} % between the sessions"
        return [Doubt(reason, refuses=False)]
    return []


def _leg(walk: SessionWalk) -> float | None:
    lengths = [
        float(length)
        for trial in walk.trials
        for side in ("left", "right")
        if (length := (trial.document["subject"].get(side) or {}).get("leg_length_m"))
    ]
    return sum(lengths) / len(lengths) if lengths else None


def doubt_of_speeds(before: SessionWalk, after: SessionWalk, rule: CurveRule) -> list[Doubt]:
    """Return a doubt if a curve depends on the speed, and the speeds differ or are not known."""
    first, second = before.speed, after.speed
    if not rule.by_speed:
        return []
    if first is None or second is None:
        return [Doubt(NO_SPEED)]
    if abs(second - first) <= SAME_SPEED:
        return []
    return [Doubt(f"the speed differs, {first:.2f} and {second:.2f} of sqrt(g L)")]
