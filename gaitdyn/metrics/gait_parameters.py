"""Gait parameters of every cycle: speed, cadence, step lengths, phases.

For definitions see :mod:`gaitdyn.metrics.parameter_definitions`. The step of a side in its cycle
is the one that ends the cycle: from the other foot's strike within it to this foot's next strike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gaitdyn.core.rotations import unit
from gaitdyn.core.runs import complete_rows
from gaitdyn.cycles.normalise import MARGIN, find_cycles, values_at
from gaitdyn.metrics.nondimensional import HofUnits
from gaitdyn.metrics.parameter_definitions import PARAMETERS, UPPER_PARAMETERS
from gaitdyn.metrics.strides import StrideEvents, spatial, stride_events, temporal
from gaitdyn.types.arrays import Array
from gaitdyn.types.curves import Quantity
from gaitdyn.types.cycles import Cycle
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import OTHER


def gait_parameters(result: Processed) -> list[Quantity]:
    """Return every parameter of every cycle of both sides, in the order of their definitions.

    Those of the centre of mass, if it is known, follow the others.

    Returns
    -------
    list of Quantity
        NaN if an event, a heel or the leg length is not known.
    """
    quantities: list[Quantity] = []
    for side in result.sides:
        for cycle in find_cycles(result, side):
            values = cycle_parameters(result, cycle)
            quantities += [
                Quantity(side, cycle.number, d.name, values[d.name], d.unit)
                for d in (*PARAMETERS, *UPPER_PARAMETERS)
                if d.name in values
            ]
    return quantities


def cycle_parameters(result: Processed, cycle: Cycle) -> dict[str, float]:
    """Return the parameters of one cycle by name."""
    strike, stop = (result.recording.time_of(row) for row in (cycle.start_row, cycle.stop_row))
    events = stride_events(result.events, cycle.side, strike, stop)
    parameters = temporal(events) | _lengths(result, cycle.side, events)
    parameters["speed"] = parameters["stride_length"] / events.duration
    hof = HofUnits(result.subject.leg(cycle.side).leg_length_m or math.nan)
    parameters["speed_nondimensional"] = parameters["speed"] / hof.speed
    parameters["cadence_nondimensional"] = parameters["cadence"] / 60.0 / hof.frequency
    parameters["step_length_nondimensional"] = parameters["step_length"] / hof.length
    if result.upper is not None:
        from gaitdyn.metrics.upper_parameters import upper_parameters

        parameters |= upper_parameters(result, result.upper, cycle)
    return parameters


def _lengths(result: Processed, side: str, events: StrideEvents) -> dict[str, float]:
    """Return the lengths of a stride from heels and pelvis at its strikes.

    Each heel print moves with the ground until the strike that ends the cycle. On the floor it does
    not move; on belts, which may differ, lengths are those in the frame of the belts.
    """
    points_G = [_heel(result, side), _heel(result, OTHER[side]), result.pose.origin_G]
    points_G += [result.ground_travel(each) for each in (side, OTHER[side])]
    times = events.strike, events.next_strike, events.opposite_strike
    own, other, pelvis, ground, other_ground = _positions(result, points_G, times)
    opposite = other[2] + (other_ground[1] - other_ground[2])
    travelled, walked = ground[1] - ground[0], pelvis[1] - pelvis[0]
    feet = _feet_point(result, events)
    return spatial(side, own[0] + travelled, opposite, own[1], walked - travelled, feet)


def _feet_point(result: Processed, stride: StrideEvents) -> Array:
    """Return the unit horizontal direction in which the feet point in a stride, shape (3,)."""
    rows = slice(*(max(0, round(result.row(t))) for t in (stride.strike, stride.next_strike)))
    lines = [(toe[rows] - heel[rows]) * (1.0, 0.0, 1.0) for heel, toe in result.feet.values()]
    known = [unit(x[seen]).mean(axis=0) for x in lines if (seen := complete_rows(x)).any()]
    return unit(np.sum(known, axis=0)) if known else np.full(3, np.nan)


def _heel(result: Processed, side: str) -> Array:
    """Return the heel of a side, shape (n, 3), G, m; NaN without its markers."""
    return (
        result.feet[side][0] if side in result.feet else np.full_like(result.pose.origin_G, np.nan)
    )


def _positions(result: Processed, points_G: Sequence[Array], times_s: Sequence[float]) -> Array:
    """Return the positions of points (p) at times (k), shape (p, k, 3); NaN at an unknown time."""
    rows = np.array([result.row(t) if math.isfinite(t) else math.nan for t in times_s])
    inside = (rows >= 0) & (rows <= len(points_G[0]) - 1)
    positions = np.full((len(rows), 3 * len(points_G)), np.nan)
    if inside.any():
        known = rows[inside]
        start = max(int(known.min()) - MARGIN, 0)
        table = np.hstack([points[start : int(known.max()) + MARGIN + 1] for points in points_G])
        positions[inside] = values_at(table, known - start)
    return positions.reshape(len(rows), -1, 3).swapaxes(0, 1)
