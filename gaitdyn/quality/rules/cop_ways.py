"""Rules of the way of the centre of pressure: it goes along the foot, from the heel to the toes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.types.arrays import Array

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.quality.rules.steps import LoadedStep
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed

EARLY, LATE, MIDDLE = (0.05, 0.2), (0.7, 0.95), (0.2, 0.8)
"""Parts of a stance."""

LANDING, STANDING, LEAVING = (0.02, 0.06), (0.3, 0.45), (0.9, 0.97)
ON_THE_HEEL_DEG, OFF_THE_HEEL_DEG = 5.0, -25.0
"""A foot lands on its heel and leaves from its toes where its line from heel to toe marker is
turned up by so much while it lands, and down while it leaves, of what it is while it stands."""


@dataclass(frozen=True, slots=True, eq=False)
class CopWay:
    """Where the force acts under a foot during a step, seen from above.

    Attributes
    ----------
    along, aside : arrays, shape (n,)
        From the heel marker along the line to the toe marker, and to the right of it, m.
    axis : array, shape (n, 2)
        The direction from heel to toe marker on the floor: X and Z of the laboratory.
    length : array, shape (n,)
        From heel to toe marker, m.
    rolls : bool
        The foot lands on its heel and leaves from its toes.
    """

    along: Array
    aside: Array
    axis: Array
    length: Array
    rolls: bool


def cop_way(result: Processed, step: LoadedStep) -> CopWay:
    """Return the way of the centre of pressure under the foot of a step."""
    heel, toe = (point[step.start : step.stop] for point in result.feet[step.side])
    line, arm = toe - heel, (step.cop_G - heel)[:, [0, 2]]
    axis = line[:, [0, 2]]
    length = np.linalg.norm(axis, axis=1)
    pitch = np.degrees(np.arctan2(line[:, 1], length))
    with np.errstate(invalid="ignore", divide="ignore"):
        axis = axis / length[:, None]
    along = (arm * axis).sum(axis=1)
    aside = axis[:, 0] * arm[:, 1] - axis[:, 1] * arm[:, 0]
    landing, standing, leaving = (
        known_median(pitch[step.part(part)]) for part in (LANDING, STANDING, LEAVING)
    )
    rolls = landing - standing > ON_THE_HEEL_DEG and leaving - standing < OFF_THE_HEEL_DEG
    return CopWay(along, aside, axis, length, rolls)


def way_rules(
    result: Processed, ways: Sequence[tuple[LoadedStep, CopWay]], rules: Rules
) -> list[Finding]:
    """Return the findings about the ways from early to late stance.

    Parameters
    ----------
    result : Processed
    ways : sequence of LoadedStep and CopWay
        Of both feet; steps that are not entire tell nothing.
    rules : Rules
    """
    found: list[Finding] = []
    rolled: list[tuple[LoadedStep, float]] = []
    for step, way in ((step, way) for step, way in ways if step.entire):
        travel, across = (
            known_median(one[step.part(LATE)]) - known_median(one[step.part(EARLY)])
            for one in (way.along, way.aside)
        )
        size = known_median(way.length)
        found += _standing_still(result, step, travel, rules)
        found += _going_across(result, step, (travel, across, size), rules)
        if way.rolls:
            rolled.append((step, travel / size))
    return [*found, *_short(result, rolled, rules)]


def _standing_still(
    result: Processed, step: LoadedStep, travel: float, rules: Rules
) -> list[Finding]:
    """Return a finding where the centre of pressure does not go forward under a foot."""
    rule = rules["cop-still"]
    if not travel < rule.bound:
        return []
    message = (
        f"{step.plates}: the force under the {step.side} foot goes {1000 * travel:+.0f} mm forward"
        " from early to late stance: a moment of the plate is missing or has the wrong sign"
    )
    return [rule.found(step.plates, message, travel, **step.when(result))]


def _going_across(
    result: Processed, step: LoadedStep, way: tuple[float, float, float], rules: Rules
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


def _short(
    result: Processed, rolled: Sequence[tuple[LoadedStep, float]], rules: Rules
) -> list[Finding]:
    """Return a finding for each short way of feet that roll, where those of both feet are short."""
    rule, parts = rules["cop-short"], [part for _, part in rolled]
    if {step.side for step, _ in rolled} != set(result.feet) or not np.mean(parts) < rule.bound:
        return []
    return [
        rule.found(
            step.plates,
            f"{step.plates}: the force goes over {part:.0%} of the {step.side} foot (heel to toe"
            " marker), although the foot rolls from the heel to the toes: the gain of a moment of"
            " the plate is wrong",
            part,
            **step.when(result),
        )
        for step, part in rolled
        if part < rule.bound
    ]
