"""Gait parameters of every cycle: speed, cadence, step lengths, phases.

Definitions stand in :mod:`gaitdyn.metrics.parameter_definitions`. The step of a side in its cycle
is the one that ends the cycle: from the other foot's strike within it to this foot's next strike.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.cycles.normalise import find_cycles, values_at
from gaitdyn.metrics.nondimensional import HofUnits
from gaitdyn.metrics.parameter_definitions import PARAMETERS, UPPER_PARAMETERS
from gaitdyn.metrics.strides import spatial, stride_events, temporal
from gaitdyn.types.quantities import Quantity

if TYPE_CHECKING:
    from gaitdyn.metrics.strides import StrideEvents
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.cycles import Cycle
    from gaitdyn.types.result import Processed

_OTHER = {"left": "right", "right": "left"}


def gait_parameters(result: Processed) -> list[Quantity]:
    """Return every parameter of every cycle of both sides, in the order of their definitions.

    Those of the centre of mass stand behind the others, where it is known.

    Parameters
    ----------
    result : Processed

    Returns
    -------
    list of Quantity
        NaN where an event, a heel or the leg length is not known.
    """
    found: list[Quantity] = []
    for side in result.sides:
        for cycle in find_cycles(result, side):
            values = cycle_parameters(result, cycle)
            found += [
                Quantity(side, cycle.number, d.name, values[d.name], d.unit)
                for d in (*PARAMETERS, *UPPER_PARAMETERS)
                if d.name in values
            ]
    return found


def cycle_parameters(result: Processed, cycle: Cycle) -> dict[str, float]:
    """Return the parameters of one cycle by name.

    Parameters
    ----------
    result : Processed
    cycle : Cycle
    """
    strike, stop = (_time(result, row) for row in (cycle.start_row, cycle.stop_row))
    at = stride_events(result.events, cycle.side, strike, stop)
    found = temporal(at) | _lengths(result, cycle.side, at)
    found["speed"] = found["stride_length"] / at.duration
    hof = HofUnits(result.subject.leg(cycle.side).leg_length_m or math.nan)
    found["speed_nondimensional"] = found["speed"] / hof.speed
    found["cadence_nondimensional"] = found["cadence"] / 60.0 / hof.frequency
    found["step_length_nondimensional"] = found["step_length"] / hof.length
    if result.upper is not None:
        from gaitdyn.metrics.upper_parameters import upper_parameters

        found |= upper_parameters(result, result.upper, cycle)
    return found


def _lengths(result: Processed, side: str, at: StrideEvents) -> dict[str, float]:
    """Return the lengths of a stride from heels and pelvis at its strikes.

    Each heel's print is followed to the strike that ends the cycle, as the ground carries it: on
    the floor it stays; on belts, which may differ, lengths are those in the belts' frame.
    """

    def carried(side: str, start: float, stop: float) -> Array:
        if side not in result.travel:
            return np.zeros(3)
        then, now = _places(result, result.travel[side], start, stop)
        return now - then

    first, last = _places(result, _heel(result, side), at.strike, at.next_strike)
    (other,) = _places(result, _heel(result, _OTHER[side]), at.opposite_strike)
    other = other + carried(_OTHER[side], at.opposite_strike, at.next_strike)
    own = carried(side, at.strike, at.next_strike)
    start, stop = _places(result, result.pose.origin_G, at.strike, at.next_strike)
    walked = stop - start
    found = spatial(side, first + own, other, last, walked - own)
    if any(_beside(result, each) for each in _OTHER):
        found["step_width"] = math.nan
    return found


def _beside(result: Processed, side: str) -> bool:
    """Return whether the heel is made up below an ankle that is a marker at the foot's side."""
    ankle, foot = result.rung(side, "ankle"), result.rung(side, "foot")
    if ankle is None or not ankle.coarse:
        return False
    heel = side[0].upper() + "HEE"
    return heel not in result.trial.labels and (foot is None or heel not in foot.landmarks)


def _heel(result: Processed, side: str) -> Array:
    """Return the heel of a side, shape (n, 3), G, m; NaN without its markers."""
    return (
        result.feet[side][0] if side in result.feet else np.full_like(result.pose.origin_G, np.nan)
    )


def _places(result: Processed, point_G: Array, *times_s: float) -> Array:
    """Return where a point is at some times, shape (k, 3); NaN at an unknown time."""
    rows = [result.row(t) if math.isfinite(t) else math.nan for t in times_s]
    inside = [0 <= row <= len(point_G) - 1 for row in rows]
    found = np.full((len(rows), 3), np.nan)
    found[inside] = values_at(point_G, np.array(rows)[inside])
    return found


def _time(result: Processed, row: float) -> float:
    """Return the time of a row on the clock of the recording, s."""
    return (row + result.recording.first_frame - 1.0) / result.recording.rate_hz
