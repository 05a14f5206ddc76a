"""Rules on the plates of a floor: they are flush and parallel, and none overlaps.

Plates of 22 laboratories are parallel within 0.6 deg and flush within 2 mm. A plate may stand at an
angle on purpose: then the centre of pressure rolls along the foot on it as it does on the others.
If its corners are turned and the plate is not, so is the course of the pressure.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.events.feet import inside_plate
from gaitdyn.quality.rules.plates.cop_path import EARLY, LATE, cop_path
from gaitdyn.quality.rules.steps import steps
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.wrench import PlateWrench

SAME_HEIGHT_M, ACROSS = 0.05, np.linspace(0.0125, 0.9875, 40)
"""Plates are compared if their heights differ by less than this; fractions along two edges at which
points of a plate are checked."""

INWARD_DEG, CLEAR_DEG = 4.0, 15.0
"""The centre of pressure moves inward by this angle to the line from heel to toe marker (51 steps
of 22 trials: SD 5.5 deg); the smallest turn that shows in it."""

_WRONG = (
    ", but plates of a floor are parallel and flush: unless it stands so, the corners of one are"
    " wrong"
)
_STANDS = "; the forces on both move along the feet, so that it stands at this angle"


def layout_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on plates that overlap, or are neither steps nor flush and parallel."""
    return [*overlapping(result, rules), *askew(result, rules)]


def overlapping(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each pair of plates that overlap."""
    rule, findings = rules["plates-overlap"], []
    for scope, first, second in _level(result):
        share = max(_inside(first, second), _inside(second, first))
        if share > rule.bound:
            message = (
                f"{scope}: {100 * share:.0f} % of one overlaps the other: the corners of one of"
                " them are wrong"
            )
            findings.append(rule.found(scope, message, share))
    return findings


def askew(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each pair of plates that are neither steps nor flush and parallel.

    It is information if the forces on both roll along the feet: then one does stand at an angle.
    """
    rule, findings = rules["plates-askew"], []
    for scope, first, second in _level(result):
        height = abs(float((second.centre_G - first.centre_G) @ first.normal_G))
        turn = _angle_deg(first, second)
        if turn > rule.bound:
            message = f"{scope}: one is turned by {turn:.1f} deg against the other"
            value, limit = turn, rule.limit
        elif height > (rule.least or np.inf):
            message = f"{scope}: one lies {1000 * height:.0f} mm above the other"
            value, limit = height, rule.least
        else:
            continue
        found = rule.found(scope, message + _WRONG, value, limit=limit)
        if turn >= CLEAR_DEG and courses_apart(result, first.number, second.number) < 0.5 * turn:
            found = replace(found, message=message + _STANDS, level="info")
        findings.append(found)
    return findings


def courses_apart(result: Processed, first: int, second: int) -> float:
    """Return by how much the courses of the pressure under the feet differ on two plates, deg.

    Parameters
    ----------
    result : Processed
    first, second : int
        Numbers of the plates.

    Returns
    -------
    float
        NaN without an entire step of a rolling foot on each of them.
    """
    courses: dict[int, list[float]] = {first: [], second: []}
    for step in steps(result):
        path = cop_path(result, step)
        if len(step.numbers) == 1 and step.numbers[0] in courses and step.entire and path.rolls:
            ahead, right = (
                known_median(part[step.part(LATE)]) - known_median(part[step.part(EARLY)])
                for part in (path.along, path.across)
            )
            inward = INWARD_DEG if step.side == "left" else -INWARD_DEG
            courses[step.numbers[0]].append(float(np.degrees(np.arctan2(right, ahead))) - inward)
    if not all(courses.values()):
        return float("nan")
    one, other = (float(np.mean(course)) for course in courses.values())
    return abs(one - other)


def _level(result: Processed) -> list[tuple[str, PlateWrench, PlateWrench]]:
    """Return the pairs of plates at about the same height, with the words for each pair."""
    plates = [plate for plate in result.trial.plates if not plate.virtual]
    plates.sort(key=lambda plate: plate.number)
    return [
        (f"plates {first.number}, {second.number}", first, second)
        for first, second in combinations(plates, 2)
        if abs(first.centre_G[1] - second.centre_G[1]) < SAME_HEIGHT_M
    ]


def _angle_deg(first: PlateWrench, second: PlateWrench) -> float:
    """Return the angle between the edges of two plates, 0 to 45 deg."""
    one, other = (p.corners_G[1] - p.corners_G[0] for p in (first, second))
    cosine = abs(one @ other) / (np.linalg.norm(one) * np.linalg.norm(other))
    turn = float(np.degrees(np.arccos(min(1.0, cosine))))
    return min(turn, 90.0 - turn)


def _inside(plate: PlateWrench, second: PlateWrench) -> float:
    """Return the share of a plate that lies inside a second one."""
    a, b, _, d = plate.corners_G
    points = a + ACROSS[:, None, None] * (b - a) + ACROSS[:, None] * (d - a)
    return float(inside_plate(points.reshape(-1, 3), second.corners_G).mean())
