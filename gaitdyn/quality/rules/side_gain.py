"""A rule on the gain of sideways forces: how far they lean to the hips and sway the body.

Two nearly independent measures show how large the sideways force is. Seen from the front, the
force at hip height leans over part of the distance from the foot to the middle of the hips. And
integrated twice, it moves the body sideways by part of the motion of the hips. Each varies with the
trunk, which leans too; their mean varies less.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.quality.rules.body_motion import supported
from gaitdyn.quality.rules.force_lines import line_offsets
from gaitdyn.quality.rules.steps import steps
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed

SHORTEST_S, ALIKE = 0.8, 0.8
"""Shortest run with the whole force known, and least correlation of the two paths."""

SMALLEST_M = 0.02
"""Least mean sideways distance of the feet from the middle of the hips."""


def side_gain_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if sideways forces are too large or too small for the body they carry.

    Parameters
    ----------
    result : Processed
    rules : Rules
    """
    rule = rules["force-side-gain"]
    if result.belts or len(result.sides) < len(SIDES):
        return []
    lean, sway = leaning(result), swaying(result)
    part = 0.5 * (lean + sway)
    if not rule.beyond(part):
        return []
    message = (
        f"plates: seen from the front, sideways forces lean over {lean:.2f} of the way to the hips"
        f" and sway the body by {sway:.2f} of the sway of the hips, on average {part:.2f}: the gain"
        " of a horizontal channel is wrong"
    )
    return [rule.found("plates", message, part)]


def leaning(result: Processed) -> float:
    """Return the share of the distance to the middle of the hips over which forces lean.

    It is seen from the front, over all entire steps of both feet, so that an offset of the pelvis
    cancels. NaN if one foot has no such step, or the feet are straight below the hips.

    Parameters
    ----------
    result : Processed
    """
    passed = {side: [] for side in SIDES}
    for step in steps(result):
        offsets = line_offsets(result, step) if step.entire else None
        if offsets is not None:
            passed[step.side].append(offsets)
    if not all(passed.values()):
        return float("nan")
    as_it_is, mirrored = np.concatenate(list(passed.values())).mean(axis=0)
    beside, leant = 0.5 * (as_it_is + mirrored), 0.5 * (mirrored - as_it_is)
    return float(leant / beside) if beside > SMALLEST_M else float("nan")


def swaying(result: Processed) -> float:
    """Return the sway of the body from the sideways force as a share of the sway of the hips.

    It is the slope of the force, divided by the mass that the plates carry and integrated twice,
    against the path of the middle of the hip centres, both without their linear trend. Only runs
    with all standing feet entirely on plates are used. NaN without such a run, or if the two do not
    correlate.

    Parameters
    ----------
    result : Processed
    """
    rate = result.recording.rate_hz
    right = np.cross(result.pose.walking_G, (0.0, 1.0, 0.0))
    hips = 0.5 * (result.pose.left.r_prox_G[:, 2] + result.pose.right.r_prox_G[:, 2]) @ right
    wrenches = [side.wrench for side in result.sides.values() if side.wrench is not None]
    pairs: list[tuple[Array, Array]] = []
    for run in supported(result, partial=True):
        rows = slice(run.start, run.stop)
        if run.stop - run.start < SHORTEST_S * rate or not np.isfinite(hips[rows]).all():
            continue
        force = np.sum([np.nan_to_num(w.force_G[rows]) for w in wrenches], axis=0) @ right
        moved = np.cumsum(np.cumsum(force)) * STANDARD_GRAVITY / run.force.mean() / rate**2
        pairs.append((_without_line(moved), _without_line(hips[rows])))
    if not pairs:
        return float("nan")
    moved, hip = (np.concatenate(paths) for paths in zip(*pairs, strict=True))
    product = float(moved @ hip)
    if not product > ALIKE * np.linalg.norm(moved) * np.linalg.norm(hip):
        return float("nan")
    return product / float(hip @ hip)


def _without_line(path: Array) -> Array:
    """Return a path without its linear trend."""
    t = np.linspace(-1.0, 1.0, len(path))
    return path - path.mean() - t * float(t @ path) / float(t @ t)
