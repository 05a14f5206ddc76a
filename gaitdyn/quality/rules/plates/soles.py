"""Rules on the sole: where the force acts, and the height of the shoe above the plate."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.rotations import lengths
from gaitdyn.quality.rules.plates.cop_gain import course_rules
from gaitdyn.quality.rules.plates.cop_path import EARLY, LATE, MIDDLE, CopPath, cop_path, path_rules
from gaitdyn.quality.rules.plates.moment_gain import moment_gain_rules, shift_rules
from gaitdyn.quality.rules.steps import LoadedStep, steps
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.result import Processed

USUAL_FOOT_M = 0.14
"""Heel-to-toe marker distance of a short adult foot; shorter feet are narrower in proportion."""

MOVING_M_S, MOVING_N = 1.0, 100.0
"""A foot whose heel and toes are faster than 1 m/s cannot carry more than 100 N."""


def sole_rules(result: Processed, rules: Rules) -> Findings:
    """Return the findings on soles and plates."""
    paths = [(step, cop_path(result, step)) for step in steps(result)]
    for step, path in paths:
        yield from force_under_sole(result, step, path, rules)
        yield from shoe_on_plate(result, step, rules)
        yield from moving_feet(result, step, rules)
    for of_paths in (path_rules, course_rules, moment_gain_rules, shift_rules):
        yield from of_paths(result, paths, rules)


def force_under_sole(
    result: Processed, step: LoadedStep, path: CopPath, rules: Rules
) -> list[Finding]:
    """Return a finding if a force acts behind the heel, ahead of the toes or beside the sole."""
    values = {"cop-beside-sole": abs(known_median(path.across[step.part(MIDDLE)]))}
    if step.entire:
        values["cop-behind-heel"] = -known_median(path.along[step.part(EARLY)])
        values["cop-before-toes"] = known_median((path.along - path.length)[step.part(LATE)])
    size = known_median(path.length)
    words = {
        "cop-beside-sole": "beside the middle of the sole",
        "cop-behind-heel": "behind the heel marker in early stance (wanted: 10 mm before it)",
        "cop-before-toes": "before the toe marker in late stance",
    }
    findings: list[Finding] = []
    narrow = min(1.0, size / USUAL_FOOT_M) if np.isfinite(size) else 1.0
    for code, value in values.items():
        limit = rules[code].bound * (narrow if code == "cop-beside-sole" else 1.0)
        if value > limit:
            message = (
                f"{step.plates}: the force under the {step.side} foot acts {1000 * value:.0f} mm"
                f" {words[code]}: corners, origin or moments of the plate are wrong"
            )
            where = {"limit": limit, **step.when(result)}
            findings.append(rules[code].found(step.plates, message, value, **where))
    return findings


def moving_feet(result: Processed, step: LoadedStep, rules: Rules) -> list[Finding]:
    """Return a finding if a foot loads a plate while both heel and toes move."""
    rule, rate = rules["load-on-moving-foot"], result.recording.rate_hz

    def slower_end() -> Array:
        """Return the speed of heel or toe over the ground, of that which is slower, m/s."""
        paths = (point - result.ground_travel(step.side) for point in result.feet[step.side])
        speeds = (lengths(np.gradient(path, 1 / rate, axis=0)) for path in paths)
        return np.fmin(*speeds)

    speed = result.once(f"speed of the {step.side} foot", slower_end)[step.start : step.stop]
    with np.errstate(invalid="ignore"):
        fast = (speed > MOVING_M_S) & (step.force_G[:, 1] > MOVING_N)
    lasted = float(fast.sum() / rate)
    if lasted <= rule.bound:
        return []
    message = (
        f"the {step.side} foot loads {step.plates} for {lasted:.2f} s in which heel and toes move"
        f" faster than {MOVING_M_S:g} m/s: plates and markers are not synchronous"
    )
    return [rule.found(step.plates, message, lasted, **step.when(result))]


def shoe_on_plate(result: Processed, step: LoadedStep, rules: Rules) -> Findings:
    """Return a finding if the foot stands below or above the surface of its plate."""
    rule = rules["plate-height"]
    plates = [p for p in result.trial.plates if p.number in step.numbers]
    heel, toe = (point[step.start : step.stop, 1] for point in result.feet[step.side])
    for plate in plates:
        height = known_median(np.fmin(heel, toe)) - float(plate.centre_G[1])
        if rule.beyond(height):
            relation = "below" if height < 0 else "above"
            stair = ", unless a stair stands on the plate" * (result.task == "stairs")
            message = (
                f"plate {plate.number}: the lower marker of the standing {step.side} foot is"
                f" {1000 * abs(height):.0f} mm {relation} its surface: the height of the corners is"
                f" wrong{stair}"
            )
            yield rule.found(f"plate {plate.number}", message, height, **step.when(result))
