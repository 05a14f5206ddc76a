"""Rules on the gain of horizontal forces: how far they lean to the hips and move the body.

Two nearly independent measures show how large a horizontal force is. Seen from the front or from
the side, the force at hip height leans over part of the distance from the foot to the hips. And
summed over time, it gives the body part of the velocity that it has. Both vary with the trunk; as
multiples of what is usual, their mean varies less.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gaitdyn.quality.rules.balance.force_lines import along_leans, line_offsets
from gaitdyn.quality.rules.balance.momentum import body_centre, velocity_share, whole_body_centre
from gaitdyn.quality.rules.steps import steps, to_right
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES

SMALLEST_M = 0.02
"""Least mean sideways distance of the feet from the middle of the hips."""


class Direction(NamedTuple):
    """A horizontal direction, and what is usual along it.

    Attributes
    ----------
    code, word, view : str
        Rule; name of the direction; from where the lean is seen.
    lean, by_legs, by_body : float
        Medians of 28 untouched trials of 18 laboratories: lean as a share of the distance to the
        hips; velocity from the forces as a share of that of the legs' centre and of the whole
        body's.
    """

    code: str
    word: str
    view: str
    lean: float
    by_legs: float
    by_body: float


ASIDE = Direction("force-side-gain", "sideways", "the front", 0.77, 0.83, 0.97)
ALONG = Direction("force-along-gain", "along the walk", "the side", 0.75, 0.82, 1.12)


def side_gain_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each direction whose forces are too large or too small for the body."""
    if result.belts or len(result.sides) < len(SIDES):
        return []
    return [*_gain(result, rules, ASIDE, leaning), *_gain(result, rules, ALONG, leaning_along)]


def _gain(
    result: Processed, rules: Rules, way: Direction, lean_of: Callable[[Processed], float]
) -> list[Finding]:
    """Return a finding if the forces of a direction have another gain than the body's motion."""
    rule, (lean, moved) = rules[way.code], (lean_of(result), moving(result, way))
    gain = 0.5 * (lean / way.lean + moved)
    if not rule.beyond(gain):
        return []
    message = (
        f"plates: seen from {way.view}, the forces lean to the hips {lean / way.lean:.2f} times as"
        f" far as usual and move the body {way.word} {moved:.2f} times as much, on average"
        f" {gain:.2f} (wanted {rule.low:g} to {rule.limit:g}): the gain of a horizontal channel is"
        " wrong"
    )
    return [rule.found("plates", message, gain)]


def moving(result: Processed, way: Direction) -> float:
    """Return how much the forces move the body along a direction, as a multiple of the usual.

    NaN if no run with all standing feet on plates is long enough, or the two do not correlate.
    """
    ahead = result.pose.walking_G
    axis: Array = ahead if way is ALONG else to_right(ahead)
    whole = whole_body_centre(result)
    if whole is not None and np.isfinite(by_body := velocity_share(result, axis, whole)):
        return by_body / way.by_body
    return velocity_share(result, axis, body_centre(result)) / way.by_legs


def leaning(result: Processed) -> float:
    """Return the share of the distance to the middle of the hips over which forces lean.

    It is seen from the front, over all entire steps of each foot and then over both feet, so that
    an offset of the pelvis cancels. NaN if one foot has no such step, or the feet are straight
    below the hips.
    """
    passed: dict[str, list[tuple[float, float]]] = {side: [] for side in SIDES}
    for step in steps(result):
        offsets = line_offsets(result, step) if step.entire else None
        if offsets is not None:
            passed[step.side].append(offsets)
    if not all(passed.values()):
        return float("nan")
    as_it_is, mirrored = np.mean([np.mean(own, axis=0) for own in passed.values()], axis=0)
    beside, leant = 0.5 * (as_it_is + mirrored), 0.5 * (mirrored - as_it_is)
    return float(leant / beside) if beside > SMALLEST_M else float("nan")


def leaning_along(result: Processed) -> float:
    """Return the mean share over which the forces of entire steps lean, seen from the side.

    NaN with fewer than two steps.
    """
    parts = [part for _, part in along_leans(result)]
    return float(np.mean(parts)) if len(parts) > 1 else float("nan")
