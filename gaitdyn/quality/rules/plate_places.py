"""Rules of where plates lie: not in each other, and under no foot that they do not feel."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import runs
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.events.feet import inside_plate
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.wrench import PlateWrench

SILENT_N, STANDS_S, OVER_M, INSIDE_M = 20.0, 0.2, 0.1, 0.03
"""A plate on which a foot stands so long, not higher than this above it and with its heel or toe
so far inside the edges, feels more than 20 N."""

ALONE_S, LIGHT, USUAL_KG = 0.15, 0.3, 40.0
"""One on which a foot stands alone for so long, with heel and toe inside the edges, feels more than
this part of the body weight; of a light person's where the mass is not known."""

SAME_HEIGHT_M, ACROSS = 0.05, np.linspace(0.05, 0.95, 10)
"""Plates at one height; the parts of two edges at which a point of a plate is looked at."""


def place_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings about plates that lie in each other or do not feel a foot."""
    return [*silent_plates(result, rules), *overlapping(result, rules)]


def silent_plates(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each plate that feels nothing, or little, of a foot that stands on it.

    Parameters
    ----------
    result : Processed
    rules : Rules
    """
    found: list[Finding] = []
    for plate in result.trial.plates:
        if plate.virtual:
            continue
        up = plate.force_G @ plate.normal_G
        up = np.abs(up - median(up))
        if (up < SILENT_N).all():
            found += _stood_on(result, plate, rules)
        else:
            found += _hardly_felt(result, plate, up, rules)
    return found


def _stood_on(result: Processed, plate: PlateWrench, rules: Rules) -> list[Finding]:
    """Return a finding where a foot stands on a plate that feels nothing all the time."""
    for side in result.feet:
        heel, toe = _over(result, plate, side)
        stance = result.sides[side].stance
        low = _low(result, plate, side)
        standing = (heel | toe) & low & (stance | ~stance.any())
        told = f"feels no force while the {side} foot stands on it"
        if found := _first(result, plate, side, standing, (STANDS_S, told), rules):
            return found
    return []


def _hardly_felt(result: Processed, plate: PlateWrench, up: Array, rules: Rules) -> list[Finding]:
    """Return a finding where a foot stands on a plate with the other in the air, and hardly."""
    weight = STANDARD_GRAVITY * (result.subject.mass_kg or USUAL_KG)
    light = up < LIGHT * weight
    if len(result.sides) < 2:  # noqa: PLR2004  nobody knows where the other foot is
        return []
    for side, other in (("left", "right"), ("right", "left")):
        if side not in result.feet or not (light & result.sides[side].stance).any():
            continue
        heel, toe = _over(result, plate, side)
        alone = result.sides[side].stance & ~result.sides[other].stance & _low(result, plate, side)
        told = f"feels less than {LIGHT:.0%} of the body weight while the {side} foot alone stands"
        rows = heel & toe & alone & light
        if found := _first(result, plate, side, rows, (ALONE_S, f"{told} on it"), rules):
            return found
    return []


def _over(result: Processed, plate: PlateWrench, side: str) -> tuple[Mask, Mask]:
    """Return when heel and when toe of a foot are over a plate, not near its edges."""
    inner = _shrunk(plate.corners_G)
    heel, toe = result.feet[side]
    return inside_plate(heel, inner), inside_plate(toe, inner)


def _low(result: Processed, plate: PlateWrench, side: str) -> Mask:
    heel, toe = result.feet[side]
    with np.errstate(invalid="ignore"):
        low: Mask = np.fmax(heel[:, 1], toe[:, 1]) - plate.centre_G[1] < OVER_M
    return low


def _first(
    result: Processed,
    plate: PlateWrench,
    side: str,
    rows: Mask,
    told: tuple[float, str],
    rules: Rules,
) -> list[Finding]:
    """Return a finding about the first run of rows that lasts; shortest time, what is said."""
    rule, (shortest_s, said) = rules["plate-silent"], told
    shortest_s *= rule.bound / STANDS_S
    for start, stop in runs(rows):
        lasted = (stop - start) / result.recording.rate_hz
        if lasted >= shortest_s:
            scope = f"plate {plate.number}"
            message = (
                f"{scope} {said} for {lasted:.2f} s: it was off, not connected, or is another plate"
            )
            at = {"side": side, "limit": shortest_s, **times(result, start, stop)}
            return [rule.found(scope, message, lasted, **at)]
    return []


def _shrunk(corners_G: Array) -> Array:
    """Return the corners of the part of a plate that is :data:`INSIDE_M` or more from its edges."""
    middle = corners_G.mean(axis=0)
    sides = np.linalg.norm(np.roll(corners_G, -1, axis=0) - corners_G, axis=1)
    part = max(0.0, 1.0 - 2.0 * INSIDE_M / float(sides.min()))
    shrunk: Array = middle + part * (corners_G - middle)
    return shrunk


def overlapping(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each pair of plates that lie in each other.

    Parameters
    ----------
    result : Processed
    rules : Rules
    """
    rule, found = rules["plates-overlap"], []
    plates = [plate for plate in result.trial.plates if not plate.virtual]
    for one, other in combinations(plates, 2):
        if not abs(one.centre_G[1] - other.centre_G[1]) < SAME_HEIGHT_M:
            continue
        share = max(_inside(one, other), _inside(other, one))
        if share > rule.bound:
            scope = f"plates {one.number}, {other.number}"
            message = (
                f"{scope}: {share:.0%} of one lies in the other: the corners of one of them are"
                " wrong"
            )
            found.append(rule.found(scope, message, share))
    return found


def _inside(one: PlateWrench, other: PlateWrench) -> float:
    """Return the share of a plate that lies in another."""
    a, b, _, d = one.corners_G
    points = a + ACROSS[:, None, None] * (b - a) + ACROSS[:, None] * (d - a)
    return float(inside_plate(points.reshape(-1, 3), other.corners_G).mean())
