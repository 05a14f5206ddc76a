"""Where the sensor of a plate is, when the centre of pressure contradicts what the file says.

The sign of ORIGIN's z tells its convention (:func:`gaitdyn.io.wrenches.sensor_offset`). A file
whose horizontal entries follow the other one puts the centre of pressure beside the foot by twice
their size; the foot that stands on the plate decides then.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.clean.baseline import clean_plate
from gaitdyn.core.medians import median
from gaitdyn.core.rotations import cross
from gaitdyn.events.contacts import centre_of_pressure, load_runs
from gaitdyn.events.feet import TrialFoot, distance_to_foot, inside_plate
from gaitdyn.io.wrenches import plate_axes, sensor_offset
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.recording import PlateRecord
from gaitdyn.types.trial import Trial
from gaitdyn.types.wrench import PlateWrench

DOUBT_M = 0.1
"""A centre of pressure further than this from every foot, or off the plate, is doubted."""

SURE_M = 0.06
"""Another reading of ORIGIN is taken when it puts the centre of pressure this near to a foot."""

SMALLEST_M = 0.02
"""Smaller horizontal entries of ORIGIN cannot be told by a foot."""

_LOADED_N, _OFF = 50.0, 0.2
_SENSOR_TYPES = (2, 4, 5)


def with_decided_origins(trial: Trial, feet: list[TrialFoot]) -> tuple[Trial, list[Finding]]:
    """Return the trial with plates whose ORIGIN the feet contradict read the other way.

    Parameters
    ----------
    trial : Trial
    feet : list of TrialFoot

    Returns
    -------
    trial : Trial
    findings : list of Finding
        ``plate-origin`` for each plate that was read anew.
    """
    records = {record.number: record for record in trial.recording.plates}
    plates: list[PlateWrench] = []
    findings: list[Finding] = []
    for plate in trial.plates:
        record = records[plate.number]
        found = plate
        if record.kind in _SENSOR_TYPES and np.abs(record.origin[:2]).max() > SMALLEST_M:
            found = _decided(plate, record, feet, trial.rate_hz)
        plates.append(found)
        if found is not plate:
            findings.append(_told(plate, found, feet, trial.rate_hz))
    return replace(trial, plates=tuple(plates)), findings


def _decided(
    plate: PlateWrench, record: PlateRecord, feet: list[TrialFoot], rate_hz: float
) -> PlateWrench:
    """Return the plate as the file says, or with the ORIGIN under the foot where that is none."""
    if _miss(plate, feet, rate_hz) <= DOUBT_M:
        return plate
    others = [_moved(plate, record.origin, turn) for turn in ((-1, -1, 1), (-1, -1, -1))]
    best = min(others, key=lambda other: _miss(other, feet, rate_hz))
    return best if _miss(best, feet, rate_hz) <= SURE_M else plate


def _moved(plate: PlateWrench, origin: Array, turn: tuple[int, int, int]) -> PlateWrench:
    """Return a plate with its moment about the centre for a sensor elsewhere: components turned."""
    was = sensor_offset(origin)
    shift_G = plate_axes(plate.corners_G) @ (was * turn - was)
    return replace(plate, moment_G=plate.moment_G + cross(shift_G, plate.force_G))


def _miss(plate: PlateWrench, feet: list[TrialFoot], rate_hz: float) -> float:
    """Return how far the centre of pressure is from the feet, m: the median over the steps.

    Each step takes the nearer foot; infinite off the plate, 0 where nobody steps or no foot is
    seen, so that nothing is decided.
    """
    wrench = clean_plate(plate).wrench
    up, steps = wrench.up, []
    cop = centre_of_pressure(wrench.force_G, wrench.moment_G, wrench.centre_G, wrench.normal_G)
    for start, stop in load_runs(up, rate_hz):
        rows = np.flatnonzero(up[start:stop] > min(_LOADED_N, up[start:stop].max() / 2)) + start
        if (~inside_plate(cop[rows], wrench.corners_G, 0.02)).mean() > _OFF:
            steps.append(np.inf)
            continue
        near = [median(_known(distance_to_foot(cop[rows], _part(f, rows)))) for f in feet]
        steps += [float(min(near))] if near and np.isfinite(min(near)) else []
    return float(median(steps)) if steps else 0.0


def _known(distance: Array) -> Array:
    """Return the known distances; infinite when fewer than half are known."""
    known = distance[np.isfinite(distance)]
    return known if 2 * len(known) >= len(distance) else np.array([np.inf])


def _part(foot: TrialFoot, rows: np.ndarray) -> TrialFoot:
    return TrialFoot(foot.side, foot.heel_G[rows], foot.toe_G[rows], foot.stance[rows])


def _told(plate: PlateWrench, found: PlateWrench, feet: list[TrialFoot], rate_hz: float) -> Finding:
    """Return what to say of a plate that was read anew."""
    was, now = _miss(plate, feet, rate_hz), _miss(found, feet, rate_hz)
    before = f"{1000 * was:.0f} mm from the foot" if np.isfinite(was) else "beside the plate"
    scope = f"plate {plate.number}"
    message = (
        f"{scope}: ORIGIN has the wrong sign: it puts the centre of pressure {before}; read the"
        f" other way it is {1000 * now:.0f} mm from the foot, which is used"
    )
    return Finding("warning", "plate-origin", scope, message, now)
