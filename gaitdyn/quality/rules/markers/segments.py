"""Rules on lengths: markers of a segment, static against trial, left against right."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.medians import known_median, known_medians
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import runs
from gaitdyn.quality.rules.markers.placement import distances
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER, LegMeasures

PAIRS = (("THI", "KNE"), ("KNE", "TIB"), ("KNE", "ANK"), ("TIB", "ANK"), ("ANK", "HEE"),
         ("ANK", "TOE"), ("HEE", "TOE"))  # fmt: skip
LASTING_S = 0.05


def segment_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on lengths and widths."""
    return [
        *drifting_lengths(result, rules),
        *static_lengths(result, rules),
        *unequal_lengths(result, rules),
        *widths(result, rules),
        *leg_lengths(result, rules),
    ]


def distance(result: Processed, first: str, second: str) -> Array | None:
    """Return the distance between two markers of the trial, shape (n,), m, or None."""
    if not {first, second} <= set(result.trial.labels):
        return None
    return lengths(result.trial.marker(first) - result.trial.marker(second))


def drifting_lengths(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each marker pair of a segment whose distance changes."""
    rule, labels = rules["segment-length"], result.trial.labels
    for name in result.sides:
        pairs = [(LETTER[name] + first, LETTER[name] + second) for first, second in PAIRS]
        pairs = [pair for pair in pairs if set(pair) <= set(labels)]
        apart = distances(result.trial.markers_G, labels, pairs)
        off = np.abs(apart - known_medians(apart))
        with np.errstate(invalid="ignore"):
            wrong: Mask = off > rule.bound
        for k in np.flatnonzero(wrong.any(axis=0)).tolist():
            first, second = pairs[k]
            for start, stop in runs(wrong[:, k]):
                if stop - start < LASTING_S * result.recording.rate_hz:
                    continue
                worst = float(off[start:stop, k].max())
                where = {"side": name, **times(result, start, stop)}
                message = (
                    f"{first} to {second}: the distance is {1000 * worst:.0f} mm off its median"
                    f" from {where['start_s']:.2f} to {where['stop_s']:.2f} s"
                )
                yield rule.found(f"{first}-{second}", message, worst, **where)


def static_lengths(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each shank whose length differs between trial and static."""
    rule, static = rules["static-length"], result.static
    for name in result.sides if static is not None else ():
        knee, ankle = LETTER[name] + "KNE", LETTER[name] + "ANK"
        length = distance(result, knee, ankle)
        if static is None or length is None or not (static.has(knee) and static.has(ankle)):
            continue
        standing = np.linalg.norm(static.marker(knee) - static.marker(ankle), axis=1)
        if not (np.isfinite(length).any() and np.isfinite(standing).any()):
            continue
        off = known_median(length) / known_median(standing) - 1.0
        if abs(off) > rule.bound:
            message = (
                f"{knee} to {ankle} is {100 * abs(off):.0f} % {'longer' if off > 0 else 'shorter'}"
                f" than in the static {static.name} (limit {100 * rule.bound:.0f} %): another"
                " person, a moved marker or the wrong static"
            )
            yield rule.found(f"{knee}-{ankle}", message, abs(off), side=name)


def unequal_lengths(result: Processed, rules: Rules) -> Findings:
    """Return a finding for shanks or thighs of different lengths."""
    rule, legs = rules["lengths-differ"], result.calibration.lengths_m
    for i, segment in ((1, "shank"), (2, "thigh")) if len(legs) > 1 else ():
        left, right = legs["left"][i], legs["right"][i]
        off = 2.0 * abs(left - right) / (left + right)
        if off > rule.bound:
            message = (
                f"{segment}: left {1000 * left:.0f} mm, right {1000 * right:.0f} mm,"
                f" {100 * off:.0f} % apart: markers of knee or ankle are misplaced, or the"
                " person's legs differ"
            )
            yield rule.found(segment, message, off)


IMPLAUSIBLE = {"knee": "width-implausible", "ankle": "ankle-width-implausible"}
"""Joint -> rule on its width as a share of leg length."""


def widths(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each width that differs between the sides or is implausible."""
    left, right = result.subject.left, result.subject.right
    pairs = {
        "knee width": (left.knee_width_m, right.knee_width_m),
        "ankle width": (left.ankle_width_m, right.ankle_width_m),
    }
    differ = rules["widths-differ"]
    for name, (a, b) in pairs.items():
        if a and b and abs(a - b) > differ.bound:
            message = (
                f"{name}: left {1000 * a:.0f} mm, right {1000 * b:.0f} mm: one of them is mistyped"
                " or badly measured, or the joint is swollen"
            )
            yield differ.found(name, message, abs(a - b))
    for side in result.sides:
        leg = result.subject.leg(side)
        sizes = {"knee": leg.knee_width_m, "ankle": leg.ankle_width_m}
        told = False
        for joint, width in sizes.items() if leg.leg_length_m else ():
            rule, name = rules[IMPLAUSIBLE[joint]], f"{side} {joint} width"
            part = (width or np.nan) / (leg.leg_length_m or np.nan)
            if rule.beyond(part):
                told = True
                message = (
                    f"{name} is {part:.3f} of the leg length (usual {rule.low:g} to"
                    f" {rule.bound:g}): one of the two is mistyped"
                )
                yield rule.found(name, message, part, side=side)
        if not told:
            yield from _knee_for_ankle(side, leg, rules)


def _knee_for_ankle(side: str, leg: LegMeasures, rules: Rules) -> Findings:
    """Return a finding if the widths of knee and ankle cannot be those of one leg."""
    rule = rules["knee-ankle-widths"]
    ratio = (leg.knee_width_m or np.nan) / (leg.ankle_width_m or np.nan)
    if rule.beyond(ratio):
        message = (
            f"{side} knee width {1000 * (leg.knee_width_m or 0.0):.0f} mm is {ratio:.2f} of the"
            f" ankle width, {1000 * (leg.ankle_width_m or 0.0):.0f} mm (usual {rule.low:g} to"
            f" {rule.bound:g}): one of them is mistyped, or they are exchanged"
        )
        yield rule.found(f"{side} knee width", message, ratio, side=side)


def leg_lengths(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each stated leg length that does not fit thigh and shank.

    The leg length is measured from the ASIS, above the hip centre, to the malleolus, so that the
    sum of thigh and shank between joint centres is always shorter.
    """
    rule = rules["leg-length-differs"]
    findings: list[Finding] = []
    for side, (_, shank, thigh) in result.calibration.lengths_m.items():
        stated = result.subject.leg(side).leg_length_m
        part = (thigh + shank) / stated if stated else np.nan
        if rule.beyond(part):
            message = (
                f"{side} leg length {1000 * (stated or 0.0):.0f} mm, but the markers show thigh and"
                f" shank of {1000 * (thigh + shank):.0f} mm between joint centres: the stated"
                " length, the unit or the scale of the markers is wrong"
            )
            findings.append(rule.found(f"{side} leg", message, part, side=side))
    return findings
