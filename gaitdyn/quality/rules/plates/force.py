"""Rules on the plates: point of application, direction and free moment of the force."""

from __future__ import annotations

import numpy as np

from gaitdyn.clean.baseline import plates_of
from gaitdyn.core.medians import known_median
from gaitdyn.core.rotations import lengths
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.events.contacts import centre_of_pressure
from gaitdyn.events.feet import TrialFoot, distance_to_foot, inside_plate
from gaitdyn.io.plates.types import RELIABLE_N
from gaitdyn.quality.impossible import carries_a_part
from gaitdyn.quality.rules.markers.gaps import walks_backward
from gaitdyn.quality.rules.plates.cop_path import way_of
from gaitdyn.quality.rules.steps import LoadedStep, steps, times, to_right
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.contacts import Contact
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.recording import NO_TORQUE
from gaitdyn.types.result import Processed
from gaitdyn.types.words import two_digits
from gaitdyn.types.wrench import PlateWrench

BESIDE_M = 0.07
"""The sole extends this far on each side of the line from the heel to the tip of the toes."""

USUAL_DEPTH_M, STEEP = 0.04, 95.0
"""Depth of a sensor below the surface; percentile of the slope of the force over all steps."""

_ONE_SENSOR = (2, 4, 5)
"""Types whose ORIGIN is the place of the one sensor."""

_OVER = 0.5
"""A foot stands over a plate if its heel and toe do so in half of the loaded frames."""


def plate_rules(result: Processed, rules: Rules) -> Findings:
    """Return the findings on centre of pressure, force direction and free moment of each step."""
    for step in steps(result):
        yield from cop_in_foot(result, step, rules)
        if step.entire:
            yield from cop_forward(result, step, rules)
            yield from braking_first(result, step, rules)
        yield from free_moment(result, step, rules)
    for contact in result.contacts:
        yield from refused_under_foot(result, contact, rules)
    yield from no_whole_step(result, rules)
    yield from in_the_surface(result, rules)


def in_the_surface(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if the file puts the sensor of a plate that was used into its surface."""
    rule, loaded = rules["plate-depth"], steps(result)
    used = {number for step in loaded for number in step.numbers}
    flat = [
        f"plate {plate.number}"
        for plate in result.recording.plates
        if plate.number in used and plate.kind in _ONE_SENSOR and not plate.origin[2]
    ]
    force = np.concatenate([step.force_G for step in loaded if step.entire] or [np.empty((0, 3))])
    force = force[force[:, 1] > RELIABLE_N]
    if not flat or not len(force):
        return []
    slope = np.hypot(force[:, 0], force[:, 2]) / force[:, 1]
    off = USUAL_DEPTH_M * float(np.percentile(slope, STEEP))
    message = (
        f"{', '.join(flat)}: the file puts the sensor into the surface, which is true of plates"
        f" that report about their surface; for a sensor {1000 * USUAL_DEPTH_M:.0f} mm below it the"
        f" centre of pressure is up to {1000 * off:.0f} mm off"
    )
    return [rule.found("plates", message, off)]


def no_whole_step(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if no step has the whole foot on plates, or no load belongs to one foot."""
    accepted = [c for c in result.contacts if c.accepted]
    if not result.contacts or not all(carries_a_part(c) for c in accepted):
        return []
    count = len(accepted or result.contacts)
    state = "has its whole force on them" if accepted else "is that of one foot"
    message = f"no step on the plates ({count}) {state}: no moments and powers of a stance"
    return [rules["no-whole-step"].found("plates", message, float(count))]


def foot_in(result: Processed, side: str, start: int, stop: int) -> TrialFoot:
    """Return a foot with its heel and toe in some rows."""
    heel, toe = result.feet[side]
    return TrialFoot(side, heel[start:stop], toe[start:stop], np.ones(stop - start, bool))


def cop_in_foot(result: Processed, step: LoadedStep, rules: Rules) -> list[Finding]:
    """Return a finding if the centre of pressure of a step lies beside the foot."""
    rule = rules["cop-outside-foot"]
    share = _share_beside(step.cop_G, foot_in(result, step.side, step.start, step.stop))
    if share <= rule.bound:
        return []
    message = (
        f"{step.plates}: the centre of pressure lies beside the {step.side} foot in"
        f" {100 * share:.0f} % of the step"
    )
    return [rule.found(step.plates, message, share, **step.when(result))]


def _share_beside(cop_G: Array, foot: TrialFoot) -> float:
    """Return the share of the known centres of pressure beside a foot; 0 if none is known."""
    distance = distance_to_foot(cop_G, foot)
    known = distance[np.isfinite(distance)]
    return float((known > BESIDE_M).mean()) if known.size else 0.0


def cop_forward(result: Processed, step: LoadedStep, rules: Rules) -> list[Finding]:
    """Return a finding if the pressure moves from toes to heel, or not so in backward walking."""
    rule, foot = rules["cop-backward"], foot_in(result, step.side, step.start, step.stop)
    axis = (foot.toe_G - foot.heel_G)[:, [0, 2]]
    arm = (step.cop_G - foot.heel_G)[:, [0, 2]]
    along = np.sum(arm * axis, axis=1) / np.sum(axis * axis, axis=1)
    third = len(along) // 3
    early, late = along[:third], along[-third:]
    if not np.isfinite(early).any() or not np.isfinite(late).any():
        return []
    way, facing = ("backward", -1.0) if walks_backward(result) else ("forward", 1.0)
    moved = facing * (known_median(late) - known_median(early))
    if moved >= rule.bound:
        return []
    message = (
        f"{step.plates}: the centre of pressure moves {100 * abs(moved):.0f} % of the length of the"
        f" {step.side} foot {way_of(moved, way)} from early to late stance: signs of moments or"
        " axes of the plate are wrong"
    )
    return [rule.found(step.plates, message, moved, **step.when(result))]


def braking_first(result: Processed, step: LoadedStep, rules: Rules) -> list[Finding]:
    """Return a finding if a step does not brake before it propels, or changes more sideways."""
    rule, force = rules["force-direction"], step.force_G
    ahead, third = step.ahead(result), len(force) // 3
    late_less_early = force[-third:].mean(axis=0) - force[:third].mean(axis=0)
    mean = force[:, 1].mean()
    if not mean > 0.0:  # a foot given to a plate that measures nothing
        return []
    change = late_less_early / mean
    turned = float(change @ ahead - abs(change @ to_right(ahead)))
    if turned > rule.bound:
        return []
    message = (
        f"{step.plates}: the force under the {step.side} foot does not first brake and then propel,"
        " or changes more to the side than along the walk; the plate's horizontal axes are doubtful"
    )
    return [rule.found(step.plates, message, turned, **step.when(result))]


def free_moment(result: Processed, step: LoadedStep, rules: Rules) -> list[Finding]:
    """Return a finding if the free moment on a foot is more than a sole can transmit, or nothing.

    That of a file without torques is 0.
    """
    rule, (heel, toe) = rules["free-moment"], result.feet[step.side]
    length = result.once(
        f"length of the {step.side} foot", lambda: known_median(lengths(toe - heel))
    )
    weight = STANDARD_GRAVITY * (result.subject.mass_kg or 0.0) or float(step.force_G[:, 1].max())
    loaded = np.isfinite(step.free_moment)
    if not loaded.any():
        return []
    value = float(np.abs(step.free_moment[loaded]).max() / (weight * length))
    size = f"{two_digits(value)} of body weight times foot length"
    reaches = f"{step.plates}: the free moment reaches {size}"
    if value > rule.bound:
        message = (
            f"{reaches} (limit {rule.bound:g}), more than a sole can transmit: moments or axes of"
            " the plate are wrong"
        )
    elif rule.beyond(value) and not _torqueless(result, step):
        message = (
            f"{reaches} (at least {rule.low:g} is usual): the moment about the vertical is missing"
            " or in another unit than the forces"
        )
    else:
        return []
    return [rule.found(step.plates, message, value, **step.when(result))]


def _torqueless(result: Processed, step: LoadedStep) -> bool:
    """Return whether the file gives no torque about the vertical for any plate of a step."""
    plates = [plate for plate in result.recording.plates if plate.number in step.numbers]
    return all(NO_TORQUE in plate.notes for plate in plates)


def refused_under_foot(result: Processed, contact: Contact, rules: Rules) -> list[Finding]:
    """Return a finding if a step is rejected for its force although a foot is on the plate."""
    rule = rules["cop-outside-foot"]
    if contact.verdict != "rejected" or contact.code not in ("outside", "far"):
        return []
    wrench = next(p for p in plates_of(result) if p.number == contact.plate)
    if wrench.virtual:  # its corners have no meaning
        return []
    run = contact.start, contact.stop
    rows = slice(*run)
    loaded = (wrench.force_G @ wrench.normal_G)[rows] > RELIABLE_N
    standing = [s for s in result.feet if _stands(result, s, rows, loaded, wrench)]
    if not standing:
        return []
    side = standing[0]
    scope = f"plate {contact.plate}"
    message = (
        f"{scope}: the {side} foot stands on it, but {contact.reason}; position, axes or moments"
        " of the plate are doubtful"
    )
    cop = centre_of_pressure(
        wrench.force_G[rows], wrench.moment_G[rows], wrench.centre_G, wrench.normal_G
    )
    cop[~loaded] = np.nan
    share = _share_beside(cop, foot_in(result, side, *run))
    value = share if share > rule.bound else None  # beside the plate, but not beside the foot
    return [rule.found(scope, message, value, side=side, **times(result, *run))]


def _stands(result: Processed, side: str, rows: slice, loaded: Mask, plate: PlateWrench) -> bool:
    """Return whether heel and toe of a standing foot are over a plate in half of its load."""
    heel, toe = (point[rows][loaded] for point in result.feet[side])
    over = inside_plate(heel, plate.corners_G) & inside_plate(toe, plate.corners_G)
    standing = result.sides[side].stance[rows][loaded]
    return bool(loaded.any() and (over & standing).mean() > _OVER)
