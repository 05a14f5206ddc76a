"""Rules on the line of force: seen from the front and from the side, it points at the body.

In single support, a force that missed the centre of mass would turn the body about the walking
direction. The middle of the hip centres is used for the centre of mass. In 36 whole steps of 17
laboratories, straight and turning, the line passes it by 13 mm on the inner to 32 mm on the outer
side, and once by 52 mm (median over single support). With the sideways force reversed it passes by
30 to 228 mm, which is 26 mm or more further. Neither mass nor rate matters.

Seen from the side, the lines of a step meet above the centre of mass and so above the hips (Maus et
al. 2010, Nat Commun 1:70). At hip height the force leans back over .40 to .93 of the distance by
which its foot is ahead, in 76 whole steps of 18 laboratories, over .62 to .89 on average in a
trial. A fore-aft channel with twice the gain doubles this share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import mask_of
from gaitdyn.quality.rules.balance.momentum import body_centre, velocity_share
from gaitdyn.quality.rules.steps import SHORTEST_S, LoadedStep, steps, to_right
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import OTHER, SIDES

ALONE_S, LOADED_N = 0.1, 100.0
"""A line is checked while one foot alone carries 100 N or more, for at least 0.1 s in total."""

MIDDLE = (0.35, 0.65)
"""Part of a stance that is single support also in slow walking."""

USUAL_SPEED, FITS = 0.82, 0.25
"""Velocity along the walk from the forces as a share of that of the legs' centre: median of 25
untouched trials, 22 of them within a quarter of it."""


def force_line_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on the lines of force of the entire steps."""
    findings = leaning_along(result, rules)
    for step in steps(result):
        passes = line_offsets(result, step) if step.entire else None
        if passes is None:
            continue
        outward, reverse = passes
        past, mirrored = abs(outward), abs(reverse)
        subject = f"{step.plates}: seen from the front, the force under the {step.side} foot"
        rule = rules["force-side-reversed"]
        if past - mirrored > rule.bound:
            message = (
                f"{subject} passes the hips by {1000 * past:.0f} mm, with the sideways force"
                f" reversed by {1000 * mirrored:.0f} mm: its sign is wrong"
            )
            findings.append(rule.found(step.plates, message, past - mirrored, **step.when(result)))
        rule = rules["force-line-aside"]
        if rule.beyond(outward):
            message = (
                f"{subject} passes the hips by {1000 * past:.0f} mm on the"
                f" {'outer' if outward > 0 else 'inner'} side: sideways force, corners or moments"
                " of the plate are wrong"
            )
            findings.append(rule.found(step.plates, message, outward, **step.when(result)))
    return findings


def along_leans(result: Processed) -> list[tuple[LoadedStep, float]]:
    """Return the entire steps, each with its lean; computed once."""

    def compute() -> list[tuple[LoadedStep, float]]:
        parts = [(step, lean_along(result, step)) for step in steps(result) if step.entire]
        return [(step, part) for step, part in parts if np.isfinite(part)]

    return result.once("leans along the walk", compute)


def leaning_along(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each entire step whose force leans too much or too little to the hips.

    Single steps differ: all of them together are held against a closer limit. A trunk that leans,
    or an aid, changes the lean as well as a gain does. If the steps lean alike and the forces move
    the body along the walk as much as usual, no gain is wrong, and the finding is information.
    """
    rule, leans = rules["force-line-along"], along_leans(result)
    odd = [(step, part) for step, part in leans if rule.beyond(part)]
    mean = float(np.mean([part for _, part in leans])) if len(leans) > 1 else np.nan
    few = mean < (rule.least or 0.0) and not odd
    if not odd and not few:
        return []
    fits, cause = cause_of_lean(result, [part for _, part in leans])
    leaning = "over {:.2f} of the way by which the foot is ahead or behind (usual {:g} to {:g})"
    findings = [
        rule.found(
            step.plates,
            f"{step.plates}: seen from the side, the force under the {step.side} foot leans to the"
            f" hips {leaning.format(part, rule.low, rule.bound)}: {cause}",
            part,
            **step.when(result),
        )
        for step, part in odd
    ]
    if few:
        message = (
            f"plates: seen from the side, the forces of {len(leans)} steps lean to the hips"
            f" {leaning.format(mean, rule.least, rule.bound)}: {cause}"
        )
        findings.append(rule.found("plates", message, mean, limit=rule.least))
    return [replace(finding, level="info") if fits else finding for finding in findings]


def cause_of_lean(result: Processed, leans: Sequence[float]) -> tuple[bool, str]:
    """Return whether the forces of steps with an odd lean fit the body's motion, and the cause.

    Parameters
    ----------
    result : Processed
    leans : sequence of float
        Of all entire steps.
    """
    moved = np.nan
    if len(result.sides) == len(SIDES):
        moved = velocity_share(result, result.pose.walking_G, body_centre(result)) / USUAL_SPEED
    alike = len(leans) > 1 and float(np.ptp(leans)) < FITS * float(np.mean(leans))
    if alike and abs(moved - 1.0) < FITS:
        return True, (
            f"all steps lean alike, and their forces move the body {moved:.2f} times as much as"
            " usual, so the trunk leans or an aid carries part of the weight, or the moments of all"
            " plates are wrong"
        )
    return False, (
        "the gain of a fore-aft channel or of the moments is wrong, or the trunk leans or an aid"
        " carries a part"
    )


def lean_along(result: Processed, step: LoadedStep) -> float:
    """Return the share of its distance ahead of the hips over which the force leans to them.

    It is the slope of the lean of the force at hip height against its point of application, over
    the loaded frames of the step; NaN if these are too few.
    """
    arm, up = step.cop_G - middle_of_hips(result, step), step.force_G[:, 1]
    ahead = step.ahead(result)
    with np.errstate(invalid="ignore", divide="ignore"):
        leaning, beside = arm[:, 1] * (step.force_G @ ahead) / up, arm @ ahead
    known = (up > LOADED_N) & np.isfinite(leaning + beside)
    if known.sum() < SHORTEST_S * result.recording.rate_hz:
        return np.nan
    leaning, beside = (x[known] - x[known].mean() for x in (leaning, beside))
    return float(leaning @ beside / (beside @ beside))


def middle_of_hips(result: Processed, step: LoadedStep) -> Array:
    """Return the midpoint of the hip centres during a step, shape (n, 3), m.

    If only one leg is computed, its hip centre is moved to the middle of the pelvis.
    """
    rows, pose = slice(step.start, step.stop), result.pose
    if len(result.sides) == len(SIDES):
        return 0.5 * (pose.left.r_prox_G[rows, 2] + pose.right.r_prox_G[rows, 2])
    hip, aside = pose.leg(step.side).r_prox_G[rows, 2], pose.R_GP[rows, :, 2]
    return hip - ((hip - pose.origin_G[rows]) * aside).sum(axis=1, keepdims=True) * aside


def _middle(step: LoadedStep) -> tuple[int, int]:
    rows = step.part(MIDDLE)
    return rows.start, rows.stop


def line_offsets(result: Processed, step: LoadedStep) -> tuple[float, float] | None:
    """Return how far outside the middle of the hips the force passes, as it is and mirrored, m.

    Both are medians over single support, or over the middle of the step if only one leg is
    computed; None if it has too few frames.
    """
    rows = slice(step.start, step.stop)
    right = to_right(step.ahead(result))
    outward = right if step.side == "right" else -right
    arm, up = step.cop_G - middle_of_hips(result, step), step.force_G[:, 1]
    with np.errstate(invalid="ignore", divide="ignore"):
        leaning = -arm[:, 1] * (step.force_G @ outward) / up
        beside = arm @ outward
        alone = (up > LOADED_N) & np.isfinite(beside + leaning)
    other = result.sides.get(OTHER[step.side])
    alone &= mask_of([_middle(step)], len(up)) if other is None else ~other.stance[rows]
    if alone.sum() < ALONE_S * result.recording.rate_hz:
        return None
    past, mirrored = (median((beside + k * leaning)[alone]) for k in (1.0, -1.0))
    return float(past), float(mirrored)
