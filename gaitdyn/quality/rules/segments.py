"""Rules of lengths: markers of a segment, static against trial, left against right."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import runs
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER

PAIRS = (("THI", "KNE"), ("KNE", "TIB"), ("KNE", "ANK"), ("TIB", "ANK"), ("ANK", "HEE"),
         ("ANK", "TOE"), ("HEE", "TOE"))  # fmt: skip
LASTING_S = 0.05


def segment_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings about lengths and widths."""
    return [
        *drifting_lengths(result, rules),
        *static_lengths(result, rules),
        *unequal_lengths(result, rules),
        *widths(result, rules),
        *leg_lengths(result, rules),
    ]


def distance(result: Processed, one: str, other: str) -> Array | None:
    """Return the distance of two markers of the trial, shape (n,), m, or None."""
    if not {one, other} <= set(result.trial.labels):
        return None
    return lengths(result.trial.marker(one) - result.trial.marker(other))


def drifting_lengths(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each marker pair of a segment that does not keep its distance."""
    rule = rules["segment-length"]
    found: list[Finding] = []
    for name in result.sides:
        for pair in PAIRS:
            one, other = (LETTER[name] + role for role in pair)
            length = distance(result, one, other)
            if length is None or not np.isfinite(length).any():
                continue
            off = np.abs(length - known_median(length))
            with np.errstate(invalid="ignore"):
                wrong = runs(off > rule.bound)
            for start, stop in wrong:
                if stop - start < LASTING_S * result.recording.rate_hz:
                    continue
                worst = float(off[start:stop].max())
                at = {"side": name, **times(result, start, stop)}
                message = (
                    f"{one} to {other}: the distance is {1000 * worst:.0f} mm off its median from"
                    f" {at['start_s']:.2f} to {at['stop_s']:.2f} s"
                )
                found.append(rule.found(f"{one}-{other}", message, worst, **at))
    return found


def static_lengths(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each shank that is not as long in the trial as in the static."""
    rule, static = rules["static-length"], result.static
    found: list[Finding] = []
    for name in result.sides if static is not None else ():
        one, other = LETTER[name] + "KNE", LETTER[name] + "ANK"
        length = distance(result, one, other)
        if static is None or length is None or not (static.has(one) and static.has(other)):
            continue
        standing = np.linalg.norm(static.marker(one) - static.marker(other), axis=1)
        if not (np.isfinite(length).any() and np.isfinite(standing).any()):
            continue
        off = known_median(length) / known_median(standing) - 1.0
        if abs(off) > rule.bound:
            message = f"{one} to {other}: {off:+.0%} against the static {static.name}"
            found.append(rule.found(f"{one}-{other}", message, abs(off), side=name))
    return found


def unequal_lengths(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for shanks or thighs of different lengths."""
    rule, legs = rules["lengths-differ"], result.calibration.lengths_m
    found: list[Finding] = []
    for i, segment in ((1, "shank"), (2, "thigh")) if len(legs) > 1 else ():
        left, right = legs["left"][i], legs["right"][i]
        off = 2.0 * abs(left - right) / (left + right)
        if off > rule.bound:
            message = f"{segment}: left {1000 * left:.0f} mm, right {1000 * right:.0f} mm"
            found.append(rule.found(segment, message, off))
    return found


def widths(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each width that differs between the sides or cannot be."""
    found: list[Finding] = []
    left, right = result.subject.left, result.subject.right
    pairs = {
        "knee width": (left.knee_width_m, right.knee_width_m),
        "ankle width": (left.ankle_width_m, right.ankle_width_m),
    }
    differ, range_ = rules["widths-differ"], rules["width-implausible"]
    for name, (a, b) in pairs.items():
        if a and b and abs(a - b) > differ.bound:
            message = f"{name}: left {1000 * a:.0f} mm, right {1000 * b:.0f} mm"
            found.append(differ.found(name, message, abs(a - b)))
    for side in result.sides:
        leg = result.subject.leg(side)
        if leg.knee_width_m and leg.leg_length_m:
            part = leg.knee_width_m / leg.leg_length_m
            if range_.beyond(part):
                message = f"{side} knee width is {part:.3f} of the leg length"
                found.append(range_.found(f"{side} knee width", message, part, side=side))
    return found


def leg_lengths(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each stated leg length that thigh and shank do not fit.

    The leg length is measured from the ASIS, above the hip centre, to the malleolus: thigh and
    shank between joint centres are always shorter together.
    """
    rule = rules["leg-length-differs"]
    found: list[Finding] = []
    for side, (_, shank, thigh) in result.calibration.lengths_m.items():
        stated = result.subject.leg(side).leg_length_m
        part = (thigh + shank) / stated if stated else np.nan
        if rule.beyond(part):
            message = (
                f"{side} leg length {1000 * (stated or 0.0):.0f} mm, but the markers show thigh and"
                f" shank of {1000 * (thigh + shank):.0f} mm between joint centres: the stated"
                " length, the unit or the scale of the markers is wrong"
            )
            found.append(rule.found(f"{side} leg", message, part, side=side))
    return found
