"""Prepare the plates and feet of a treadmill trial before its contacts are found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.clean.baseline import CleanPlate, clean_plate, without_drift
from gaitdyn.clean.smoothing import Filter, smooth
from gaitdyn.core.runs import mask_of, runs, widened
from gaitdyn.events.assignment import LoadedPlate
from gaitdyn.events.belts import (
    belt_direction,
    belt_travel,
    belts_of,
    feet_are_carried,
    moving_feet,
    stays_in_place,
)
from gaitdyn.events.contacts import Edges
from gaitdyn.events.feet import TrialFoot, over_plate
from gaitdyn.events.pace import paced_events
from gaitdyn.events.standings import FootStanding, kinematic_standings, standing_masks
from gaitdyn.io.plates.wrenches import sampled_wrench
from gaitdyn.kinematics.angles import segment_angles
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.stages.motion import Motion
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.belts import Belt
    from gaitdyn.types.trial import Trial
    from gaitdyn.types.wrench import PlateWrench

LEAST_ON_N, NOISES, SHORTEST_S = 40.0, 5.0, 0.2
"""A contact on a belt starts above 40 N or, if that is more, above five standard deviations of the
unloaded signal. It ends below half of that and lasts at least 0.2 s."""

VIBRATION_HZ = 30.0
"""Belts vibrate above this frequency; the edges of contacts are found below it."""

BESIDE_S = 0.08
"""This close in time to a standing foot, a plate does not count as unloaded, s."""


@frozen(eq=False)
class Surface:
    """What the feet stand on: the belts and their travel, both empty on the floor.

    Attributes
    ----------
    belts : tuple of Belt
    travel : dict
        Side -> how far the ground below the foot has moved, shape (n, 3), m.
    plates : list of LoadedPlate
        With the drift of the baseline removed and the contact edges used for belts.
    standing : dict
        Side -> frames in which the markers show the foot standing; empty on the floor.
    cleaned : sequence of CleanPlate
        The plates that ``plates`` were made from.
    standings : list of FootStanding
        When each foot stands on which belt, according to the markers; empty on the floor.
    """

    belts: tuple[Belt, ...]
    travel: dict[str, Array]
    plates: list[LoadedPlate]
    standing: dict[str, Mask]
    cleaned: Sequence[CleanPlate]
    standings: list[FootStanding]


def find_surface(
    trial: Trial,
    cleaned: Sequence[CleanPlate],
    feet: Sequence[TrialFoot],
    walker: tuple[Array, Array],
) -> Surface:
    """Return what the feet stand on: the floor or moving belts.

    Parameters
    ----------
    trial : Trial
        With the plates as read.
    cleaned : sequence of CleanPlate
        The same plates with their baseline removed.
    feet : sequence of TrialFoot
    walker : tuple
        Pelvis centre, shape (n, 3), m, and the unit horizontal walking direction in G.
    """
    rate_hz = trial.rate_hz
    plates = [_loaded(plate, rate_hz, belt=False) for plate in cleaned]
    still = Surface((), {}, plates, {}, cleaned, [])
    if not stays_in_place(walker[0]):
        return still
    sides = [foot.side for foot in feet]
    events = paced_events(feet, walker, rate_hz)[0]
    standings = kinematic_standings(feet, plates, events, rate_hz)
    moved = moving_feet(feet, standings, rate_hz)
    if not feet_are_carried(moved, sides, rate_hz):
        return still
    belts, n = belts_of(moved), len(walker[0])
    under = {belt.plate for belt in belts}
    standing = standing_masks(feet, events, n)
    cleaned = [
        _belt_plate(trial, p, _busy(p.wrench, _over(p.wrench, belts, feet), standing))
        if p.wrench.number in under
        else p
        for p in cleaned
    ]
    travel = belt_travel(belts, standings, n, rate_hz)
    belt_plates = [_loaded(p, rate_hz, belt=p.wrench.number in under) for p in cleaned]
    return Surface(belts, travel, belt_plates, standing, cleaned, standings)


def _over(
    plate: PlateWrench, belts: Sequence[Belt], feet: Sequence[TrialFoot]
) -> Sequence[TrialFoot]:
    """Return the feet that may be over a plate; for a virtual plate those that its belt carries."""
    sides = {side for belt in belts if belt.plate == plate.number for side in belt.sides}
    return [foot for foot in feet if not plate.virtual or foot.side in sides]


def _busy(plate: PlateWrench, feet: Sequence[TrialFoot], standing: dict[str, Mask]) -> Mask:
    """Return the frames in which a foot stands over a plate, shape (n,)."""
    busy = np.zeros(len(plate.force_G), bool)
    for foot in feet:
        busy |= standing[foot.side] & over_plate(foot, plate.corners_G, 0.02)
    return busy


def _belt_plate(trial: Trial, plate: CleanPlate, busy: Mask) -> CleanPlate:
    """Return a plate below a belt with its level during every swing removed.

    A stance that the file cuts may have no strike or off in the markers; its load shows it.
    """
    rate_hz, number = trial.rate_hz, plate.wrench.number
    raw = next(plate for plate in trial.plates if plate.number == number)
    record = next(plate for plate in trial.recording.plates if plate.number == number)
    polarity = -1.0 if plate.inverted else 1.0
    empty = _away_from(busy, rate_hz)
    samples = polarity * sampled_wrench(record, trial.R_GL)
    uncorrected = clean_plate(raw, remove=False).wrench
    up = _below_vibration(without_drift(uncorrected, samples, empty)[0].up, rate_hz)
    empty &= _away_from(_at_ends(up > LEAST_ON_N), rate_hz)
    wrench, level_N = without_drift(uncorrected, samples, empty)
    up = _below_vibration(wrench.up, rate_hz)
    empty &= _away_from(up > LEAST_ON_N, rate_hz)
    noise = float(up[empty].std()) if empty.any() else 0.0
    return CleanPlate(wrench, level_N, noise, plate.inverted)


def _at_ends(loaded: Mask) -> Mask:
    """Return the runs that the beginning or the end of the file cuts, shape (n,)."""
    n = len(loaded)
    return mask_of((run for run in runs(loaded) if run[0] == 0 or run[1] == n), n)


def _away_from(loaded: Mask, rate_hz: float) -> Mask:
    """Return the frames that are more than 80 ms away from any load, shape (n,)."""
    return ~widened(loaded, round(BESIDE_S * rate_hz))


def _loaded(plate: CleanPlate, rate_hz: float, *, belt: bool) -> LoadedPlate:
    """Return a plate with its contact thresholds; below a belt they lie above its noise."""
    if not belt:
        return LoadedPlate(plate.wrench, plate.wrench.up, plate.noise_N)
    on = max(LEAST_ON_N, NOISES * plate.noise_N)
    up = _below_vibration(plate.wrench.up, rate_hz)
    return LoadedPlate(plate.wrench, up, plate.noise_N, Edges(on, on / 2.0, SHORTEST_S))


def _below_vibration(up: Array, rate_hz: float) -> Array:
    """Return a force low-passed at 30 Hz if the rate is high enough for that."""
    if rate_hz <= 2.0 * VIBRATION_HZ or not np.isfinite(up).all():
        return up
    return smooth(up[:, None, None], Filter(rate_hz, VIBRATION_HZ))[0][:, 0, 0]


def along_belts(motion: Motion, belts: Sequence[Belt], profile: str) -> Motion:
    """Return the motion with the walking direction opposite to the movement of the belts.

    The vendor's profile keeps its own direction, an axis of the laboratory.

    Parameters
    ----------
    motion : Motion
    belts : sequence of Belt
        If there are none, the motion is returned unchanged.
    profile : str
    """
    if not belts or profile == "plug-in-gait":
        return motion
    pose = replace(motion.pose, walking_G=belt_direction(belts))
    angles = {side: segment_angles(pose, side) for side in motion.angles}
    return replace(motion, pose=pose, angles=angles)
