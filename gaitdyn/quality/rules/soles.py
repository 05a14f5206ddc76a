"""Rules of the sole: where the force acts, how high the shoe is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.quality.rules.cop_gain import course_rules
from gaitdyn.quality.rules.cop_ways import EARLY, LATE, MIDDLE, cop_way, way_rules
from gaitdyn.quality.rules.steps import steps

if TYPE_CHECKING:
    from gaitdyn.quality.rules.cop_ways import CopWay
    from gaitdyn.quality.rules.steps import LoadedStep
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed

USUAL_FOOT_M = 0.14
"""From heel to toe marker, as short as in an adult; a shorter foot is narrower by as much."""

MOVING_M_S, MOVING_N = 1.0, 100.0
"""A foot whose heel and toes are faster than this stands on nothing that carries so much."""


def sole_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings about soles and plates."""
    found: list[Finding] = []
    ways = [(step, cop_way(result, step)) for step in steps(result)]
    for step, way in ways:
        found += force_under_sole(result, step, way, rules)
        found += shoe_on_plate(result, step, rules)
        found += moving_feet(result, step, rules)
    return [*found, *way_rules(result, ways, rules), *course_rules(result, ways, rules)]


def force_under_sole(
    result: Processed, step: LoadedStep, way: CopWay, rules: Rules
) -> list[Finding]:
    """Return a finding where a force acts behind the heel, before the toes or beside the sole."""
    values = {"cop-beside-sole": abs(known_median(way.aside[step.part(MIDDLE)]))}
    if step.entire:
        values["cop-behind-heel"] = -known_median(way.along[step.part(EARLY)])
        values["cop-before-toes"] = known_median((way.along - way.length)[step.part(LATE)])
    size = known_median(way.length)
    words = {
        "cop-beside-sole": "beside the middle of the sole",
        "cop-behind-heel": "behind the heel marker in early stance (wanted: 10 mm before it)",
        "cop-before-toes": "before the toe marker in late stance",
    }
    found: list[Finding] = []
    narrow = min(1.0, size / USUAL_FOOT_M) if np.isfinite(size) else 1.0
    for code, value in values.items():
        limit = rules[code].bound * (narrow if code == "cop-beside-sole" else 1.0)
        if value > limit:
            message = (
                f"{step.plates}: the force under the {step.side} foot acts {1000 * value:.0f} mm"
                f" {words[code]}: corners, origin or moments of the plate are wrong"
            )
            at = {"limit": limit, **step.when(result)}
            found.append(rules[code].found(step.plates, message, value, **at))
    return found


def moving_feet(result: Processed, step: LoadedStep, rules: Rules) -> list[Finding]:
    """Return a finding where a foot loads a plate while all of it is on the move."""
    rule, rate = rules["load-on-moving-foot"], result.recording.rate_hz
    ground = result.ground_travel(step.side)
    speeds = [
        np.linalg.norm(np.gradient(point - ground, 1 / rate, axis=0), axis=1)[
            step.start : step.stop
        ]
        for point in result.feet[step.side]
    ]
    with np.errstate(invalid="ignore"):
        fast = (np.fmin(*speeds) > MOVING_M_S) & (step.force_G[:, 1] > MOVING_N)
    lasted = float(fast.sum() / rate)
    if lasted <= rule.bound:
        return []
    message = (
        f"{step.plates} carries the {step.side} foot for {lasted:.2f} s in which heel and toes move"
        f" faster than {MOVING_M_S:g} m/s: plates and markers do not show the same time"
    )
    return [rule.found(step.plates, message, lasted, **step.when(result))]


def shoe_on_plate(result: Processed, step: LoadedStep, rules: Rules) -> list[Finding]:
    """Return a finding where the foot stands in the plate or above it."""
    rule = rules["plate-height"]
    plates = [p for p in result.trial.plates if p.number in step.numbers]
    heel, toe = (point[step.start : step.stop, 1] for point in result.feet[step.side])
    found: list[Finding] = []
    for plate in plates:
        height = known_median(np.fmin(heel, toe)) - float(plate.centre_G[1])
        if rule.beyond(height):
            where = "below" if height < 0 else "above"
            message = (
                f"plate {plate.number}: the lower marker of the standing {step.side} foot is"
                f" {1000 * abs(height):.0f} mm {where} its surface: the height of the corners is"
                " wrong"
            )
            scope = f"plate {plate.number}"
            found.append(rule.found(scope, message, height, **step.when(result)))
    return found
