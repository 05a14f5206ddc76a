"""Rules on how far markers stand from the line between two joint centres: wands, and all others."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.rotations import dot, lengths, unit
from gaitdyn.quality.rules.markers.placement import SEGMENTS
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER

WANDS = (
    ("knee", "condyle-width-wand", "hip", "KNE", "THI", 2),
    ("ankle", "malleolus-width-wand", "knee", "ANK", "TIB", 1),
)
"""Joint, the rung that takes its axis from a wand, the joint above, the lateral marker, the wand,
and the index of the centre above in the pose."""

ERROR_M = 0.01
"""What a regression of the hip centre, or a width and an axis above, may be off by."""

_SMALLEST_M = 1e-9
"""A wand nearer to its line counts as this near: any error above then turns the axis fully."""

ON_THIGH = tuple(role for role in SEGMENTS["thigh"] if role not in ("KNE", "KNM"))
LOWEST = 0.9
"""Markers on the thigh whose depth is judged, and the share of its length above which they lie."""


def wand_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on wands near their line, and on markers inside their segment."""
    return [*short_wands(result, rules), *buried_markers(result, rules)]


def short_wands(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each joint axis that a small error of the centre above turns far."""
    rule, findings = rules["wand-short"], list[Finding]()
    for side in result.sides:
        for joint, rung, above, lateral, wand, index in WANDS:
            taken, names = result.rung(side, joint), [LETTER[side] + x for x in (lateral, wand)]
            if taken is None or taken.rung != rung or not set(names) <= set(result.trial.labels):
                continue
            centre = result.pose.leg(side).r_prox_G[:, index]
            out, turn = _leverage(centre, *(result.trial.marker(name) for name in names))
            if rule.beyond(turn):
                message = (
                    f"{names[1]} is {1000 * out:.0f} mm from the line between {names[0]} and the"
                    f" {above} centre (median): an error of 10 mm in that centre turns the {side}"
                    f" {joint} axis by {turn:.0f} deg"
                )
                where: dict[str, Any] = {"side": side, "joint": joint}
                findings.append(rule.found(f"{side} {joint}", message, turn, **where))
    return findings


def buried_markers(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each thigh marker deeper in the thigh than skin lies.

    A knee centre that is itself a marker on the skin says nothing about depth.
    """
    rule = rules["marker-inside"]
    for side in result.sides:
        taken = result.rung(side, "knee")
        if taken is None or taken.coarse:
            continue
        _, knee, hip = np.moveaxis(result.pose.leg(side).r_prox_G, 1, 0)
        line = knee - hip
        for label in sorted({LETTER[side] + role for role in ON_THIGH} & set(result.trial.labels)):
            arm = result.trial.marker(label) - hip
            part = dot(arm, line) / dot(line, line)
            depth = known_median(lengths(arm - part * line) / lengths(line))
            if rule.beyond(depth) and known_median(part[:, 0]) < LOWEST:
                message = (
                    f"{label} is {depth:.2f} of the length of the {side} thigh from the line"
                    " between hip and knee centre (median), under the skin: it is misplaced or"
                    " exchanged"
                )
                yield rule.found(label, message, depth, side=side)


def _leverage(centre: Array, lateral: Array, wand: Array) -> tuple[float, float]:
    """Return how far a wand is from its line, m, and the turn of the axis by an error above, deg.

    The plane of centre, lateral marker and wand passes through both markers: where the centre is
    off at a right angle to it, the line moves at the height of the wand by its share.
    """
    line, arm = centre - lateral, wand - lateral
    along = dot(arm, unit(line))
    out = lengths(arm - along * unit(line))
    share = np.abs(along[:, 0]) / lengths(line)
    leverage = known_median(share / np.maximum(out, _SMALLEST_M))
    return known_median(out), float(np.degrees(np.arctan(ERROR_M * leverage)))
