"""Rules of the body: what no joint can do, what stands above what, how large a person is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.calibrate.markers import LETTER
from gaitdyn.core.runs import known_median
from gaitdyn.quality.rules.steps import times

if TYPE_CHECKING:
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Result

RANGES: dict[str, tuple[str, int, str]] = {
    "range-pelvis-tilt": ("pelvis", 0, "pelvis tilt"),
    "range-pelvis-obliquity": ("pelvis", 1, "pelvis obliquity"),
    "range-hip-flexion": ("hip", 0, "hip flexion"),
    "range-hip-adduction": ("hip", 1, "hip adduction"),
    "range-hip-rotation": ("hip", 2, "hip rotation"),
    "range-knee-flexion": ("knee", 0, "knee flexion"),
    "range-ankle-flexion": ("ankle", 0, "ankle dorsiflexion"),
    "range-ankle-inversion": ("ankle", 1, "ankle inversion"),
}
"""Rule -> segment or joint, which of its three angles, what it is called."""

ABOVE: tuple[tuple[str, str, str], ...] = (
    ("KNE", "ANK", "knee"),
    ("THI", "KNE", "hip"),
    ("THI", "TIB", "hip"),
    ("KNE", "TIB", "knee"),
)
"""Markers of a leg of which the first is above the second, and whose joint it concerns."""


def anatomy_rules(result: Result, rules: Rules) -> list[Finding]:
    """Return the findings about joint ranges, order and size of the body."""
    return [
        *joint_ranges(result, rules),
        *upside_down(result, rules),
        *body_size(result, rules),
    ]


def joint_ranges(result: Result, rules: Rules) -> list[Finding]:
    """Return a finding for each angle that no joint has."""
    found: list[Finding] = []
    for code, (segment, column, word) in RANGES.items():
        rule = rules[code]
        low = -np.inf if rule.low is None else rule.low
        for side, leg in result.sides.items():
            angle = leg.angles[segment][:, column]
            with np.errstate(invalid="ignore"):
                out = (angle < low) | (angle > rule.bound)
            if not out.any():
                continue
            values = angle[out]
            worst = float(values[np.argmax(np.maximum(low - values, values - rule.bound))])
            rows = np.flatnonzero(out)
            at: dict[str, Any] = {"side": side, "joint": segment}
            at |= times(result, int(rows[0]), int(rows[-1]) + 1)
            message = (
                f"{side} {word} is {worst:.0f} deg in {out.sum()} of {len(out)} frames, which no"
                " body has: markers are exchanged or lost"
            )
            limit = rule.limit if worst > rule.bound else rule.low
            found.append(rule.found(f"{side} {segment}", message, worst, limit=limit, **at))
    return found


def upside_down(result: Result, rules: Rules) -> list[Finding]:
    """Return a finding for each marker or joint centre that is below what it stands above."""
    rule, labels = rules["order-up"], set(result.trial.labels)
    found: list[Finding] = []
    for side in result.sides:
        letter, centres = LETTER[side], result.pose.leg(side).r_prox_G
        pairs: list[tuple[str, Array, str, Array, str]] = [
            (
                letter + a,
                result.trial.marker(letter + a),
                letter + b,
                result.trial.marker(letter + b),
                joint,
            )
            for a, b, joint in ABOVE
            if {letter + a, letter + b} <= labels
        ]
        ankle, knee, hip = (centres[:, i] for i in range(3))
        pairs.append(("knee centre", knee, "ankle centre", ankle, "knee"))
        pairs.append(("hip centre", hip, "knee centre", knee, "hip"))
        pairs.append(("ankle centre", ankle, "toes", result.feet[side][1], "ankle"))
        for upper, high, lower, low, joint in pairs:
            height = known_median(high[:, 1] - low[:, 1])
            if not height < rule.bound:
                continue
            message = (
                f"{side}: {upper} is {-1000 * height:.0f} mm below {lower} (median): labels are"
                " exchanged, or up is down"
            )
            found.append(rule.found(f"{side} {joint}", message, height, side=side, joint=joint))
    return found


def body_size(result: Result, rules: Rules) -> list[Finding]:
    """Return a finding where hip, knee and ankle centres make no human leg."""
    rule = rules["body-size"]
    found: list[Finding] = []
    for side in result.sides:
        ankle, knee, hip = np.moveaxis(result.pose.leg(side).r_prox_G, 1, 0)
        length = known_median(np.linalg.norm(hip - knee, axis=1)) + known_median(
            np.linalg.norm(knee - ankle, axis=1)
        )
        if np.isfinite(length) and not (rule.low or 0.0) <= length <= rule.bound:
            message = (
                f"{side} leg: {length:.2f} m from hip to ankle centre, which no person has: the"
                " unit of the points is wrong, or labels are exchanged"
            )
            limit = rule.limit if length > rule.bound else rule.low
            found.append(rule.found(f"{side} leg", message, length, side=side, limit=limit))
    return found
