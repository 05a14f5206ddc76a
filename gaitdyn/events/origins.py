"""Position of a plate's sensor when the centre of pressure contradicts the file.

The sign of ORIGIN's z indicates its convention (:func:`gaitdyn.io.plates.wrenches.sensor_offset`).
If the horizontal entries follow the other convention, the centre of pressure misses the foot by
twice their size. The foot on the plate then decides.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.clean.baseline import clean_plate
from gaitdyn.core.medians import median
from gaitdyn.core.places import plate_axes
from gaitdyn.core.rotations import cross
from gaitdyn.events.contacts import centre_of_pressure, load_runs
from gaitdyn.events.feet import TrialFoot, inside_plate, median_distance
from gaitdyn.io.plates.types import RELIABLE_N
from gaitdyn.io.plates.wrenches import sensor_offset
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.recording import PlateRecord
from gaitdyn.types.trial import Trial
from gaitdyn.types.wrench import PlateWrench

DOUBT_M = 0.1
"""A centre of pressure further than this from every foot, or off the plate, is doubtful."""

SURE_M = 0.06
"""Another reading of ORIGIN is used if the centre of pressure is then this near to a foot."""

SMALLEST_M = 0.02
"""Smaller horizontal entries of ORIGIN cannot be checked against a foot."""

_OFF = 0.2
_SENSOR_TYPES = (2, 4, 5)


def with_decided_origins(trial: Trial, feet: list[TrialFoot]) -> tuple[Trial, list[Finding]]:
    """Return the trial with every ORIGIN that the feet contradict read in the other convention.

    Returns
    -------
    trial : Trial
    findings : list of Finding
        ``plate-origin`` for each plate that was reread.
    """
    records = {record.number: record for record in trial.recording.plates}
    plates: list[PlateWrench] = []
    findings: list[Finding] = []
    for plate in trial.plates:
        record = records[plate.number]
        decided = plate
        if record.kind in _SENSOR_TYPES and np.abs(record.origin[:2]).max() > SMALLEST_M:
            decided = _decided(plate, record, feet, trial.rate_hz)
        plates.append(decided)
        if decided is not plate:
            findings.append(_origin_finding(plate, decided, feet, trial.rate_hz))
    return replace(trial, plates=tuple(plates)), findings


def _decided(
    plate: PlateWrench, record: PlateRecord, feet: list[TrialFoot], rate_hz: float
) -> PlateWrench:
    """Return the plate as in the file, or with the ORIGIN that fits the feet if that one fails."""
    if _miss(plate, feet, rate_hz) <= DOUBT_M:
        return plate
    readings = [_moved(plate, record.origin, turn) for turn in ((-1, -1, 1), (-1, -1, -1))]
    best = min(readings, key=lambda reading: _miss(reading, feet, rate_hz))
    return best if _miss(best, feet, rate_hz) <= SURE_M else plate


def _moved(plate: PlateWrench, origin: Array, turn: tuple[int, int, int]) -> PlateWrench:
    """Return a plate with its moment recomputed for an ORIGIN with some signs turned."""
    was = sensor_offset(origin)
    shift_G = plate_axes(plate.corners_G) @ (was * turn - was)
    return replace(plate, moment_G=plate.moment_G + cross(shift_G, plate.force_G))


def _miss(plate: PlateWrench, feet: list[TrialFoot], rate_hz: float) -> float:
    """Return the median distance of the centre of pressure from the nearer foot over steps, m.

    Infinite off the plate; 0 if nobody steps on the plate or no foot is visible, so that the file
    is followed.
    """
    wrench = clean_plate(plate).wrench
    up, steps = wrench.up, []
    cop = centre_of_pressure(wrench.force_G, wrench.moment_G, wrench.centre_G, wrench.normal_G)
    for start, stop in load_runs(up, rate_hz):
        rows = np.flatnonzero(up[start:stop] > min(RELIABLE_N, up[start:stop].max() / 2)) + start
        if (~inside_plate(cop[rows], wrench.corners_G, 0.02)).mean() > _OFF:
            steps.append(np.inf)
            continue
        distances = [median_distance(cop[rows], foot.part(rows)) for foot in feet]
        steps += [min(distances)] if distances and np.isfinite(min(distances)) else []
    return float(median(steps)) if steps else 0.0


def _origin_finding(
    plate: PlateWrench, reread: PlateWrench, feet: list[TrialFoot], rate_hz: float
) -> Finding:
    """Return the finding for a plate whose ORIGIN was reread."""
    was, now = _miss(plate, feet, rate_hz), _miss(reread, feet, rate_hz)
    before = f"{1000 * was:.0f} mm from the foot" if np.isfinite(was) else "beside the plate"
    scope = f"plate {plate.number}"
    message = (
        f"{scope}: ORIGIN has the wrong sign: it puts the centre of pressure {before}; read the"
        f" other way it is {1000 * now:.0f} mm from the foot, which is used"
    )
    return Finding("warning", "plate-origin", scope, message, now)
