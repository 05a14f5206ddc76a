"""Rules on the position of plates: where the static has them, and felt.

In 16 pairs of static and walk the corners are the same to the last digit.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.clean.baseline import LARGEST_BASELINE_N, feet_beside, plates_of
from gaitdyn.core.medians import median
from gaitdyn.core.percentiles import percentile
from gaitdyn.core.runs import runs
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.events.feet import inside_plate
from gaitdyn.quality.rules.plates.layout import layout_rules
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import OTHER
from gaitdyn.types.wrench import PlateWrench

SILENT, STANDS_S, OVER_M, INSIDE_M = 0.05, 0.2, 0.1, 0.03
"""A plate records more than 0.05 of the body weight if a foot stands on it for 0.2 s, less than
0.1 m above it and with its heel or toe at least 0.03 m inside the edges."""

LOWEST, RAISED_M = 10.0, 0.02
"""Percentile of the height of a heel or toe that is its height in standing; above it by more, it is
raised."""

ALONE_S, LIGHT, USUAL_KG = 0.15, 0.3, 40.0
"""A plate records more than 0.3 of the body weight if a foot stands on it alone for 0.15 s, with
heel and toe inside the edges. If the mass is not known, that of a light person is used."""

SAME_PLACE, SAME_SIZE = 1.0 / 3.0, 0.1
"""A plate is that of the static if its centre lies within this part of its shorter edge, and its
edges differ by less than this part."""


def place_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on plates in a wrong place, and on those that do not record a foot."""
    return [
        *silent_plates(result, rules),
        *layout_rules(result, rules),
        *moved_since_static(result, rules),
    ]


def silent_plates(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each plate that records nothing, or little, of a foot standing on it."""
    findings: list[Finding] = []
    weight = STANDARD_GRAVITY * (result.subject.mass_kg or USUAL_KG)
    for plate in plates_of(result):
        if plate.virtual:
            continue
        up = np.abs(plate.force_G @ plate.normal_G)
        beside = feet_beside(plate.standing, plate.seen, len(up))  # then a level is no person
        if (up < SILENT * weight).all() or (np.ptp(up) < SILENT * weight and beside.any()):
            findings += _stood_on(result, plate, up, rules)
        else:
            findings += _hardly_felt(result, plate, up < LIGHT * weight, rules)
    return findings


def _stood_on(result: Processed, plate: PlateWrench, up: Array, rules: Rules) -> list[Finding]:
    """Return a finding if a foot stands on a plate whose force hardly changes in the trial."""
    records = f"records {up.max():.0f} N at most"
    if float(up.min()) > LARGEST_BASELINE_N:
        records = f"stays at {median(up):.0f} N"
    for side in result.feet:
        over = zip(_over(result, plate, side), result.feet[side], strict=True)
        ends = [inside & _down(point[:, 1]) for inside, point in over]
        stance = result.sides[side].stance
        standing = (ends[0] | ends[1]) & _low(result, plate, side) & (stance | ~stance.any())
        problem = f"{records} while the {side} foot stands on it"
        if finding := _first_run(result, plate, side, standing, (STANDS_S, problem), rules):
            return finding
    return []


def _hardly_felt(result: Processed, plate: PlateWrench, light: Mask, rules: Rules) -> list[Finding]:
    """Return a finding if a plate records little of a foot in single support."""
    if len(result.sides) < 2:  # noqa: PLR2004  nobody knows where the other foot is
        return []
    for side, other_side in OTHER.items():
        if side not in result.feet or not (light & result.sides[side].stance).any():
            continue
        heel, toe = _over(result, plate, side)
        alone = result.sides[side].stance & ~result.sides[other_side].stance
        problem = (
            f"records less than {100 * LIGHT:.0f} % of the body weight while the {side} foot alone"
            " stands on it"
        )
        rows = heel & toe & alone & _low(result, plate, side) & light
        if finding := _first_run(result, plate, side, rows, (ALONE_S, problem), rules):
            return finding
    return []


def _over(result: Processed, plate: PlateWrench, side: str) -> tuple[Mask, Mask]:
    """Return the frames in which heel and toe of a foot are over a plate, away from its edges."""
    heel, toe = inside_plate(np.array(result.feet[side]), _shrunk(plate.corners_G))
    return heel, toe


def _down(height: Array) -> Mask:
    """Return where heel or toe is as low as when it stands: a raised heel loads no plate."""
    known = height[np.isfinite(height)]
    with np.errstate(invalid="ignore"):
        down: Mask = height < (percentile(known, LOWEST) if known.size else np.nan) + RAISED_M
    return down


def _low(result: Processed, plate: PlateWrench, side: str) -> Mask:
    heel, toe = result.feet[side]
    with np.errstate(invalid="ignore"):
        low: Mask = np.fmax(heel[:, 1], toe[:, 1]) - plate.centre_G[1] < OVER_M
    return low


def _first_run(
    result: Processed,
    plate: PlateWrench,
    side: str,
    rows: Mask,
    limit_and_problem: tuple[float, str],
    rules: Rules,
) -> list[Finding]:
    """Return a finding about the first run of rows that lasts longer than a time, s."""
    rule, (shortest_s, problem) = rules["plate-silent"], limit_and_problem
    shortest_s *= rule.bound / STANDS_S
    for start, stop in runs(rows):
        lasted = (stop - start) / result.recording.rate_hz
        if lasted >= shortest_s:
            scope = f"plate {plate.number}"
            message = (
                f"{scope} {problem} for {lasted:.2f} s: it was off, not connected, or is another"
                " plate"
            )
            where = {"side": side, "limit": shortest_s, **times(result, start, stop)}
            return [rule.found(scope, message, lasted, **where)]
    return []


def _shrunk(corners_G: Array) -> Array:
    """Return the corners of a plate moved inward by :data:`INSIDE_M`."""
    middle = corners_G.mean(axis=0)
    sides = np.linalg.norm(np.roll(corners_G, -1, axis=0) - corners_G, axis=1)
    part = max(0.0, 1.0 - 2.0 * INSIDE_M / float(sides.min()))
    shrunk: Array = middle + part * (corners_G - middle)
    return shrunk


def moved_since_static(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each plate whose corners or origin are not quite those in the static.

    If a plate is somewhere else altogether, or their number or size differs, they are other plates.
    """
    rule, static, findings = rules["plates-moved"], result.static, list[Finding]()
    if static is None:
        return findings
    now, before = (
        [p for p in plates if not (p.problem or p.virtual)]
        for plates in (result.recording.plates, static.plates)
    )
    if [p.number for p in now] != [p.number for p in before]:
        return findings
    for plate, old in zip(now, before, strict=True):
        by = plate.corners_L - old.corners_L
        usual = _edges(old.corners_L)
        alike = np.allclose(_edges(plate.corners_L), usual, rtol=SAME_SIZE)
        if not (alike and np.linalg.norm(by.mean(axis=0)) < SAME_PLACE * usual[0]):
            return []
        origin = float(np.linalg.norm(np.abs(plate.origin) - np.abs(old.origin)))
        off = max(float(np.linalg.norm(by, axis=1).max()), origin)
        if off > rule.bound:
            scope = f"plate {plate.number}"
            message = (
                f"{scope} lies {1000 * off:.0f} mm from where the static {static.name} has it (its"
                " corners or its ORIGIN): one of the two has those of another calibration"
            )
            findings.append(rule.found(scope, message, off))
    return findings


def _edges(corners: Array) -> Array:
    """Return the lengths of two edges of a plate, the shorter first."""
    sizes: Array = np.sort(np.linalg.norm(np.diff(corners[:3], axis=0), axis=1))
    return sizes
