"""Rules of the line of force: seen from ahead, the force under a foot points at the body.

While one foot carries the body, the force on it would turn the body about the line of the walk if
it went past the centre of mass. The middle of the hip centres stands for it: in 36 whole steps of
17 laboratories, straight and turning, the line passes it by 13 mm on the inner to 32 mm on the
outer side, and once by 52 mm (median over single support). With the sideways force reversed it
passes by 30 to 228 mm, and 26 mm or more further than it did. Neither mass nor rate enters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.quality.rules.steps import steps
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.quality.rules.steps import Step
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed

ALONE_S, LOADED_N = 0.1, 100.0
"""A line is looked at in frames in which one foot alone carries so much, for so long or more."""


def force_line_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings about the lines of force of the entire steps of both feet."""
    found: list[Finding] = []
    if len(result.sides) < len(SIDES):
        return found
    for step in steps(result):
        passes = lines_aside(result, step) if step.entire else None
        if passes is None:
            continue
        past, mirrored = passes
        where = f"{step.plates}: seen from ahead, the force under the {step.side} foot"
        rule = rules["force-side-reversed"]
        if past - mirrored > rule.bound:
            message = (
                f"{where} passes the hips by {1000 * past:.0f} mm, with the sideways force reversed"
                f" by {1000 * mirrored:.0f} mm: its sign is wrong"
            )
            found.append(rule.found(step.plates, message, past - mirrored, **step.when(result)))
        rule = rules["force-line-aside"]
        if past > rule.bound:
            message = (
                f"{where} passes the hips by {1000 * past:.0f} mm: sideways force, corners or"
                " moments of the plate are wrong"
            )
            found.append(rule.found(step.plates, message, past, **step.when(result)))
    return found


def lines_aside(result: Processed, step: Step) -> tuple[float, float] | None:
    """Return how far the force passes the middle of the hips sideways, as it is and mirrored, m.

    Medians over the frames in which the foot stands alone; None where these are too few.

    Parameters
    ----------
    result : Processed
    step : Step
    """
    rows = slice(step.start, step.stop)
    other = next(side for side in SIDES if side != step.side)
    hips = 0.5 * (result.pose.left.r_prox_G[rows, 2] + result.pose.right.r_prox_G[rows, 2])
    right = np.cross(result.pose.walking_G, (0.0, 1.0, 0.0))
    arm, up = step.cop_G - hips, step.force_G[:, 1]
    with np.errstate(invalid="ignore", divide="ignore"):
        leaning = -arm[:, 1] * (step.force_G @ right) / up
        beside = arm @ right
        alone = ~result.sides[other].stance[rows] & (up > LOADED_N)
    alone &= np.isfinite(beside + leaning)
    if alone.sum() < ALONE_S * result.recording.rate_hz:
        return None
    past, mirrored = (abs(median((beside + k * leaning)[alone])) for k in (1.0, -1.0))
    return float(past), float(mirrored)
