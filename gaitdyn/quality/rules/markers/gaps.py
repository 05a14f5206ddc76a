"""Rules on the markers: gaps where they matter, sides and directions."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.rotations import unit
from gaitdyn.core.runs import complete_rows, runs
from gaitdyn.events.kinematic import moving_direction
from gaitdyn.events.passes import lost_within, pauses_of
from gaitdyn.quality.rules.steps import times, to_right
from gaitdyn.quality.rules.table import Rules, load_rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER, SIGN
from gaitdyn.types.task import WALKING

OUTER = (("ANK", ""), ("ANK", "MED"), ("KNE", "KNM"), ("MT5", "MT1"))
OUTER_M = 0.01
"""Outer and inner markers of a leg, the heel without a name. In untouched trials the outer ones lie
22 to 67 mm outside the line of their foot, joint centres within 5 mm of it."""

LEG = ("THI", "KNE", "TIB", "ANK", "HEE", "TOE", "MT5", "GTR")


def marker_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on gaps in stance, exchanged sides, reversed pelvis, unknown joints."""
    return [
        *gaps_in_stance(result, rules),
        *swapped_sides(result, rules),
        *backward_pelvis(result, rules),
        *unknown_joints(result, rules),
    ]


def gaps_in_stance(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each leg marker that is missing while its foot stands."""
    rule, trial = rules["gap-in-stance"], result.trial
    rate, between = trial.rate_hz, pauses_of(result)
    for name, side in result.sides.items():
        for label in (LETTER[name] + role for role in LEG):
            if label not in trial.labels:
                continue
            known = complete_rows(trial.marker(label))
            if known.all():
                continue
            for start, stop in runs(lost_within(known, between) & side.stance):
                length = (stop - start) / rate
                if length > rule.bound:
                    message = f"{label}: missing for {length:.2f} s while the {name} foot stands"
                    where = {"side": name, **times(result, start, stop)}
                    yield rule.found(label, message, length, **where)


def swapped_sides(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if left and right are exchanged, or if the feet are crossed.

    The outer markers of ankle, knee and forefoot lie on the outer side of their own foot, however
    the legs are placed. Only without such markers do crossed feet count as exchanged labels.
    """
    if set(result.feet) != {"left", "right"}:
        return []
    rule, outer = rules["sides-swapped"], [outer_side(result, side) for side in result.feet]
    apart = _feet_apart(result)
    if all(outward < -OUTER_M for outward in outer):
        message = (
            f"the outer markers of both feet lie on their inner sides, {-1000 * max(outer):.0f} mm"
            " or more: left and right labels are exchanged"
        )
        return [rule.found("markers", message, apart)]
    if not apart < rule.bound:
        return []
    place = f"the right foot walks {-1000 * apart:.0f} mm to the left of the left one"
    if all(outward > OUTER_M for outward in outer):
        message = (
            f"{place}, and the outer markers of both feet lie on their outer sides: the legs are"
            " crossed, as in a scissors gait"
        )
        return [rules["feet-crossed"].found("feet", message, apart)]
    return [rule.found("markers", f"{place}: left and right labels are exchanged", apart)]


def outer_side(result: Processed, side: str) -> float:
    """Return how far out on its foot the outer markers of a leg lie, m; NaN without any.

    It is the median over pairs of an outer and an inner marker, and of the lateral malleolus and
    the line from heel to toes.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}
    """
    (heel, toe), trial, letter = result.feet[side], result.trial, LETTER[side]
    along = (toe - heel) * (1.0, 0.0, 1.0)
    outward = -SIGN[side] * unit(to_right(along))
    points = {label: trial.marker(label) for label in trial.labels} | {letter: heel}
    arms = [
        known_median(((points[letter + outer] - points[letter + inner]) * outward).sum(axis=1))
        for outer, inner in OUTER
        if {letter + outer, letter + inner} <= points.keys()
    ]
    return known_median(np.array(arms))


def _feet_apart(result: Processed) -> float:
    """Return the median distance of the right foot to the right of the left one, m."""
    ahead, facing = _ways_of_moving(result), -1.0 if walks_backward(result) else 1.0
    right = facing * to_right(ahead)
    left_foot, right_foot = (sum(result.feet[side]) / 2 for side in ("left", "right"))
    return known_median(((right_foot - left_foot) * right).sum(axis=1))


def _ways_of_moving(result: Processed) -> Array:
    """Return the direction of the pelvis in each frame, NaN while it is slow, shape (n, 3).

    It is that of the trial in all frames if the pelvis moves for less than 0.5 s, as on a belt.
    """
    rate = result.recording.rate_hz

    def ways() -> Array:
        way = moving_direction(result.pose.origin_G, rate)
        return way if 2 * complete_rows(way).sum() > rate else result.pose.walking_G

    return result.once("ways of moving", ways)


_UNLIKE = "from markers, and angles of pelvis, trunk and feet to it, are not those of a walk"


def backward_pelvis(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if the pelvis does not face the walking direction."""
    rule, value = rules["pelvis-backward"], _along_walk(result, result.pose.R_GP[:, :, 0])
    if not value < rule.bound:
        return []
    message = "the pelvis does not face the walking direction: its labels are exchanged"
    if walks_backward(result):
        message = (
            "pelvis and feet face against the walking direction: the person walks backward; events"
            f" {_UNLIKE}"
        )
    elif walks_sideways(result):
        message = (
            "pelvis and feet face across the walking direction: the person walks sideways; events"
            f" {_UNLIKE}"
        )
    return [rule.found("pelvis", message, value)]


def known_not_ahead(result: Processed) -> bool:
    """Return whether the trial is reported as a walk in another way than the pelvis faces."""
    rules = load_rules(result.options.quality)
    reported = result.task == WALKING and rules["pelvis-backward"].level != "off"
    return reported and bool(backward_pelvis(result, rules))


def walks_backward(result: Processed) -> bool:
    """Return whether the pelvis and both feet face against the walking direction.

    Exchanged labels of left and right turn the pelvis, but not the feet.
    """
    return all(facing < 0.0 for facing in _facing(result))


ASIDE = 0.5
"""Largest cosine of the angle between the walking direction and one who walks sideways."""


def walks_sideways(result: Processed) -> bool:
    """Return whether the pelvis and both feet face across the walking direction."""
    return all(abs(facing) < ASIDE for facing in _facing(result))


def _facing(result: Processed) -> list[float]:
    """Return the cosines between the walking direction and pelvis and feet, medians; cached."""

    def cosines() -> list[float]:
        faces = [result.pose.R_GP[:, :, 0], *(toe - heel for heel, toe in result.feet.values())]
        return [_along_walk(result, unit(face * (1.0, 0.0, 1.0))) for face in faces]

    return result.once("facing the walk", cosines)


def _along_walk(result: Processed, direction: Array) -> float:
    """Return the median component of a direction along the walk; NaN if it is never known."""
    return known_median((direction * _ways_of_moving(result)).sum(axis=1))


def unknown_joints(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each joint of a leg without a known angle."""
    rule = rules["joint-unknown"]
    for side, leg in result.sides.items():
        for joint in JOINTS:
            if not np.isfinite(leg.angles[joint][:, 0]).any():
                message = (
                    f"{side} {joint}: no angle is known in any frame; a marker that it needs is"
                    " missing or hidden"
                )
                yield rule.found(f"{side} {joint}", message, side=side, joint=joint)
