"""Rules on the body: joint ranges, vertical order of markers, body size."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.percentiles import percentiles
from gaitdyn.core.runs import complete_rows
from gaitdyn.quality.rules.table import QualityRule, Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER, Subject
from gaitdyn.types.task import WALKING

RANGES: dict[str, tuple[str, int, str]] = {
    "range-pelvis-tilt": ("pelvis", 0, "pelvic tilt"),
    "range-pelvis-obliquity": ("pelvis", 1, "pelvic obliquity"),
    "range-hip-flexion": ("hip", 0, "hip flexion"),
    "range-hip-adduction": ("hip", 1, "hip adduction"),
    "range-hip-rotation": ("hip", 2, "hip rotation"),
    "range-knee-flexion": ("knee", 0, "knee flexion"),
    "range-ankle-flexion": ("ankle", 0, "ankle dorsiflexion"),
    "range-ankle-inversion": ("ankle", 1, "ankle inversion"),
}
"""Rule -> segment or joint, index of its angle, and the name of the angle."""

EXCURSIONS: dict[str, tuple[str, int, str, str]] = {
    "excursion-knee-adduction": (
        "knee", 1, "knee adduction", "the axis of the knee is turned: check wands, medial markers"
    ),
    "excursion-ankle-inversion": (
        "ankle", 1, "ankle inversion",
        "the foot rolls too far: its markers lie nearly on one line, or are misnamed",
    ),
}  # fmt: skip
"""Rule -> joint, index of its angle, the name of the angle, and what moves it further."""

_MOST_FRAMES = (2.0, 98.0)
"""Percentiles between which an excursion is measured: single frames have rules of their own."""

FOLLOWS, _FEWEST_FRAMES = 0.8, 30
"""Least correlation of adduction with flexion, either sign, and of how many frames."""

LEG_SHARE = 0.491
"""Distance from hip to knee to ankle centre as a share of body height (Winter 2009, Biomechanics
and Motor Control of Human Movement, fig. 4.1)."""

WAND_M, TOES_M = 0.05, 0.05
"""A thigh wand may be this far below the knee marker, and the toe marker this far above the ankle
centre: with bars of 14 mm above it, wedges or lifted forefeet."""

ABOVE: tuple[tuple[str, str, str, float], ...] = (
    ("KNE", "ANK", "knee", 0.0),
    ("THI", "KNE", "hip", WAND_M),
    ("THI", "TIB", "hip", 0.0),
    ("KNE", "TIB", "knee", 0.0),
)
"""Upper and lower marker of a leg, the joint concerned, and how far below the lower the upper one
may be."""


def anatomy_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on joint ranges, vertical order and size of the body."""
    return [
        *joint_ranges(result, rules),
        *excursions(result, rules),
        *varus_with_flexion(result, rules),
        *turned_feet(result, rules),
        *upside_down(result, rules),
        *body_size(result, rules),
    ]


def joint_ranges(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each angle outside the range of its joint."""
    for code, (segment, column, word) in RANGES.items():
        rule = rules[code]
        for side, leg in result.sides.items():
            angle = leg.angles[segment][:, column]
            beyond = beyond_range(angle, rule)
            out = beyond > 0.0
            if not out.any():
                continue
            worst = float(angle[np.nanargmax(beyond)])
            where: dict[str, Any] = {"side": side, "joint": segment}
            message = (
                f"{side} {word} is {worst:.0f} deg in {out.sum()} of {len(out)} frames, which no"
                " body has: markers are exchanged or lost"
            )
            yield rule.found(f"{side} {segment}", message, worst, **where)


def beyond_range(angle: Array, rule: QualityRule) -> Array:
    """Return how far an angle is outside the range of its rule, deg, shape (n,); below 0 inside."""
    low = -np.inf if rule.low is None else rule.low
    return np.maximum(low - angle, angle - rule.bound)


def excursions(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each angle that moves further than any walk moves it."""
    findings: list[Finding] = []
    for code, (joint, column, word, reason) in EXCURSIONS.items():
        for side, leg in result.sides.items():
            angle = leg.angles[joint][:, column]
            known = angle[np.isfinite(angle)]
            if not known.size:
                continue
            low, high = percentiles(known, *_MOST_FRAMES)
            if rules[code].beyond(high - low):
                message = f"{side} {word} goes from {low:.0f} to {high:.0f} deg: {reason}"
                where: dict[str, Any] = {"side": side, "joint": joint}
                findings.append(rules[code].found(f"{side} {joint}", message, high - low, **where))
    return findings


def varus_with_flexion(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each knee whose adduction follows its flexion, as of a turned axis.

    The slope is that of the straight line of adduction against flexion over the walk.
    """
    rule = rules["knee-axis-turned"]
    for side, leg in result.sides.items():
        angle = leg.angles["knee"][:, :2]
        angle = angle[complete_rows(angle)]
        if len(angle) < _FEWEST_FRAMES:
            continue
        flexion, varus = (angle - angle.mean(axis=0)).T
        square, product = float(flexion @ flexion), float(flexion @ varus)
        if product**2 < FOLLOWS**2 * square * float(varus @ varus) or not square:
            continue
        slope = product / square
        if rule.beyond(slope):
            message = (
                f"{side} knee adduction follows flexion by {100 * abs(slope):.0f} %: the axis of"
                f" the knee is turned by about {np.degrees(np.arctan(abs(slope))):.0f} deg, and"
                " hip and knee rotation are shifted: check wands, lateral and medial markers"
            )
            yield rule.found(f"{side} knee", message, slope, side=side, joint="knee")


def turned_feet(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each foot that stands turned against its shank."""
    rule = rules["foot-turned"]
    for side, leg in result.sides.items():
        turn = known_median(leg.angles["ankle"][leg.stance, 2])
        if rule.beyond(turn):
            message = (
                f"the {side} foot stands turned {'inward' if turn > 0.0 else 'outward'} by"
                f" {abs(turn):.0f} deg against its shank (median): a foot marker is misplaced or"
                " exchanged, or the shank is twisted"
            )
            yield rule.found(f"{side} ankle", message, turn, side=side, joint="ankle")


def upside_down(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each marker or joint centre below one that it should be above."""
    rule, labels = rules["order-up"], set(result.trial.labels)
    for side in result.sides:
        letter, trial = LETTER[side], result.trial
        pairs: list[tuple[str, Array, str, Array, str, float]] = [
            (letter + a, trial.marker(letter + a), letter + b, trial.marker(letter + b), joint, low)
            for a, b, joint, low in ABOVE
            if {letter + a, letter + b} <= labels
        ]
        ankle, knee, hip = np.moveaxis(result.pose.leg(side).r_prox_G, 1, 0)
        pairs.append(("knee centre", knee, "ankle centre", ankle, "knee", 0.0))
        if result.task == WALKING:  # in sitting or squatting the knees may be above the hips
            pairs.append(("hip centre", hip, "knee centre", knee, "hip", 0.0))
        pairs.append(("ankle centre", ankle, "toes", result.feet[side][1], "ankle", TOES_M))
        for upper, high, lower, low, joint, slack in pairs:
            height = known_median(high[:, 1] - low[:, 1])
            if not height < rule.bound - slack:
                continue
            message = (
                f"{side}: {upper} is {-1000 * height:.0f} mm below {lower} (median): labels are"
                " exchanged, or up is down"
            )
            yield rule.found(f"{side} {joint}", message, height, side=side, joint=joint)


def body_size(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on the length of the legs: one no person has, or not with this body."""
    rule = rules["body-size"]
    lengths = {side: _leg_length(result, side) for side in result.sides}
    findings: list[Finding] = []
    for side, length in lengths.items():
        if rule.beyond(length):
            message = (
                f"{side} leg: {length:.2f} m from hip to ankle centre, which no person has: the"
                " unit of the points is wrong, or labels are exchanged"
            )
            findings.append(rule.found(f"{side} leg", message, length, side=side))
    known = [length for length in lengths.values() if np.isfinite(length)]
    proportions = _proportions(float(np.mean(known)), result.subject, rules) if known else []
    return findings + proportions


def _leg_length(result: Processed, side: str) -> float:
    """Return the distance from hip to knee to ankle centre, m; NaN if unknown."""
    ankle, knee, hip = np.moveaxis(result.pose.leg(side).r_prox_G, 1, 0)
    thigh, shank = np.linalg.norm(hip - knee, axis=1), np.linalg.norm(knee - ankle, axis=1)
    return known_median(thigh) + known_median(shank)


def _proportions(length: float, subject: Subject, rules: Rules) -> list[Finding]:
    """Return a finding if the legs do not belong to a body of this height, else of this mass."""
    if subject.height_m is not None:
        rule, value = rules["leg-for-height"], length / subject.height_m
        given = f"a height of {subject.height_m:.2f} m"
    elif subject.mass_kg is not None:
        rule, value = rules["leg-for-mass"], subject.mass_kg / (length / LEG_SHARE) ** 2
        given = f"{subject.mass_kg:.1f} kg"
    else:
        return []
    if not rule.beyond(value):
        return []
    message = (
        f"the legs are {length:.2f} m long from hip to ankle centre, which does not go with"
        f" {given}: a measurement is wrong, or the unit of the points"
    )
    return [rule.found("subject", message, value)]
