"""Rules of the sole: where the force acts, how high the shoe is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.quality.rules.steps import steps

if TYPE_CHECKING:
    from gaitdyn.quality.rules.steps import Step
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed

EARLY, LATE, MIDDLE = (0.05, 0.2), (0.7, 0.95), (0.2, 0.8)
"""Parts of a stance."""

USUAL_FOOT_M = 0.14
"""From heel to toe marker, as short as in an adult; a shorter foot is narrower by as much."""

MOVING_M_S, MOVING_N = 1.0, 100.0
"""A foot whose heel and toes are faster than this stands on nothing that carries so much."""


def sole_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings about soles and plates."""
    found: list[Finding] = []
    for step in steps(result):
        found += force_under_sole(result, step, rules)
        found += shoe_on_plate(result, step, rules)
        found += moving_feet(result, step, rules)
    return found


def force_under_sole(result: Processed, step: Step, rules: Rules) -> list[Finding]:
    """Return a finding where a force acts behind the heel, before the toes or beside the sole."""
    heel, toe = (point[step.start : step.stop] for point in result.feet[step.side])
    axis = (toe - heel)[:, [0, 2]]
    length = np.linalg.norm(axis, axis=1)
    arm = (step.cop_G - heel)[:, [0, 2]]
    with np.errstate(invalid="ignore", divide="ignore"):
        axis = axis / length[:, None]
    along = (arm * axis).sum(axis=1)
    aside = axis[:, 0] * arm[:, 1] - axis[:, 1] * arm[:, 0]
    found: list[Finding] = []
    values = {"cop-beside-sole": abs(known_median(aside[_part(step, MIDDLE)]))}
    size = known_median(length)
    if step.entire:
        values["cop-behind-heel"] = -known_median(along[_part(step, EARLY)])
        values["cop-before-toes"] = known_median((along - length)[_part(step, LATE)])
        travel, across = (
            known_median(way[_part(step, LATE)]) - known_median(way[_part(step, EARLY)])
            for way in (along, aside)
        )
        found = _standing_still(result, step, travel, rules)
        found += _going_across(result, step, (travel, across, size), rules)
    words = {
        "cop-beside-sole": "beside the middle of the sole",
        "cop-behind-heel": "behind the heel marker in early stance (wanted: 10 mm before it)",
        "cop-before-toes": "before the toe marker in late stance",
    }
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


def _going_across(
    result: Processed, step: Step, way: tuple[float, float, float], rules: Rules
) -> list[Finding]:
    """Return a finding where the centre of pressure goes across a foot more than along it."""
    rule, (travel, across, size) = rules["cop-across"], way
    if not abs(across) > max(travel, rule.bound * size):
        return []
    message = (
        f"{step.plates}: the force under the {step.side} foot goes {1000 * travel:+.0f} mm along"
        f" the sole and {1000 * abs(across):.0f} mm across it from early to late stance: moments or"
        " axes of the plate are exchanged"
    )
    return [rule.found(step.plates, message, abs(across) / size, **step.when(result))]


def _standing_still(result: Processed, step: Step, travel: float, rules: Rules) -> list[Finding]:
    """Return a finding where the centre of pressure does not go forward under a foot."""
    rule = rules["cop-still"]
    if not travel < rule.bound:
        return []
    message = (
        f"{step.plates}: the force under the {step.side} foot goes {1000 * travel:+.0f} mm forward"
        " from early to late stance: a moment of the plate is missing or has the wrong sign"
    )
    return [rule.found(step.plates, message, travel, **step.when(result))]


def moving_feet(result: Processed, step: Step, rules: Rules) -> list[Finding]:
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


def _part(step: Step, part: tuple[float, float]) -> slice:
    n = step.stop - step.start
    return slice(int(part[0] * n), int(part[1] * n) + 1)


def shoe_on_plate(result: Processed, step: Step, rules: Rules) -> list[Finding]:
    """Return a finding where the foot stands in the plate or above it."""
    rule = rules["plate-height"]
    numbers = {c.plate for c in result.contacts if c.side == step.side and c.accepted
               and c.start < step.stop and c.stop > step.start}  # fmt: skip
    plates = [p for p in result.trial.plates if p.number in numbers]
    heel, toe = (point[step.start : step.stop, 1] for point in result.feet[step.side])
    found: list[Finding] = []
    for plate in plates:
        height = known_median(np.fmin(heel, toe)) - float(plate.centre_G[1])
        if np.isfinite(height) and not (rule.low or 0.0) <= height <= rule.bound:
            where = "below" if height < 0 else "above"
            message = (
                f"plate {plate.number}: the lower marker of the standing {step.side} foot is"
                f" {1000 * abs(height):.0f} mm {where} its surface: the height of the corners is"
                " wrong"
            )
            limit = rule.limit if height > rule.bound else rule.low
            scope = f"plate {plate.number}"
            found.append(rule.found(scope, message, height, limit=limit, **step.when(result)))
    return found
