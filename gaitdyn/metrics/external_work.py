"""External work of each leg on the centre of mass, in the frame of the ground it stands on.

The power of a leg is ``F . (v - v_ground)`` with its ground force F, the velocity v of the centre
of mass and the velocity of the ground below that foot, 0 on the floor (individual limbs method:
Donelan, Kram and Kuo 2002, J Biomech 35:117-124; on a belt van Ingen Schenau 1980, Med Sci Sports
Exerc 12:257-261). The velocity is the integral of ``(F_left + F_right) / m`` over a stride whose
forces are all known, minus its mean, so that the stride ends as fast as it begins (Cavagna 1975, J
Appl Physiol 39:174-179). Its mean is the velocity of the pelvis along the walk, and zero up and
sideways (Donelan et al.). A small error of the mass, a small drift of a plate, or pelvis markers
that end a stride a little higher or aside, then do no work against the weight.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitdyn.cycles.heading import curve_direction
from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.types.arrays import Array
from gaitdyn.types.cycles import Cycle
from gaitdyn.types.result import Processed


def centre_velocity(force_G: Array, mass_kg: float, walked_G: Array, rate_hz: float) -> Array:
    """Return the velocity of the centre of mass over a stride, shape (n, 3), m/s.

    Parameters
    ----------
    force_G : array, shape (n, 3)
        On the whole person, N.
    mass_kg : float
    walked_G : array, shape (3,)
        Displacement of the pelvis along the walk from the first to the last frame, m.
    rate_hz : float
    """
    a = force_G / mass_kg
    a = a - np.trapezoid(a, axis=0) / (len(a) - 1)
    v = np.zeros_like(a)
    v[1:] = np.cumsum(0.5 * (a[1:] + a[:-1]), axis=0) / rate_hz
    mean = np.trapezoid(v, axis=0) / (len(v) - 1)
    return v - mean + walked_G * rate_hz / (len(v) - 1)


def leg_power(force_G: Array, velocity_G: Array, ground_G: Array) -> Array:
    """Return the power of one leg on the centre of mass, shape (n,), W.

    Parameters
    ----------
    force_G : array, shape (n, 3)
        Of the ground on that foot, N.
    velocity_G, ground_G : array, shape (n, 3)
        Of the centre of mass, and of the ground below the foot, m/s.

    Examples
    --------
    Braking with 100 N while the body moves at 1 m/s over the floor, or stays in place on a belt:

    >>> force, still = np.array([[-100.0, 700.0, 0.0]]), np.zeros((1, 3))
    >>> ahead = np.array([[1.0, 0.0, 0.0]])
    >>> leg_power(force, ahead, still).tolist(), leg_power(force, still, -ahead).tolist()
    ([-100.0], [-100.0])
    """
    return np.einsum("ni,ni->n", force_G, velocity_G - ground_G)


def external_work_rows(result: Processed) -> list[dict[str, Any]]:
    """Return positive and negative work of both legs in each stride whose forces are all known.

    Returns
    -------
    list of dict
        ``side`` and ``cycle`` of the stride; for ``left`` and ``right`` leg ``positive`` and
        ``negative`` work, J/kg.
    """
    mass = result.subject.mass_kg
    wrenches = {name: side.wrench for name, side in result.sides.items()}
    if not mass or len(wrenches) < 2 or None in wrenches.values():  # noqa: PLR2004  both feet
        return []
    cycles = [cycle for side in result.sides for cycle in find_cycles(result, side)]
    step = 1.0 / result.recording.rate_hz
    legs = {
        name: (wrench.force_G, np.gradient(result.ground_travel(name), step, axis=0))
        for name, wrench in wrenches.items()
        if wrench is not None and cycles
    }
    rows = (_row(result, cycle, legs, mass) for cycle in cycles)
    return [row for row in rows if row is not None]


def _row(
    result: Processed, cycle: Cycle, legs: dict[str, tuple[Array, Array]], mass: float
) -> dict[str, Any] | None:
    """Return the work in one stride; None if a force or the pelvis is not known.

    Of each leg are given its force, N, and the velocity of the ground below it, m/s.
    """
    rate = result.recording.rate_hz
    rows = slice(round(cycle.start_row), round(cycle.stop_row) + 1)
    total = np.sum([force[rows] for force, _ in legs.values()], axis=0)
    pelvis = result.pose.origin_G[rows]
    if not (np.isfinite(total).all() and np.isfinite(pelvis[[0, -1]]).all()):
        return None
    ahead = curve_direction(result, cycle)
    walked = ahead @ (pelvis[-1] - pelvis[0]) * ahead
    velocity = centre_velocity(total, mass, walked, rate)
    row: dict[str, Any] = {"side": cycle.side, "cycle": cycle.number}
    for name, (force, ground) in legs.items():
        power = leg_power(force[rows], velocity, ground[rows]) / mass
        row[name] = {
            "positive": float(np.trapezoid(np.maximum(power, 0.0)) / rate),
            "negative": float(np.trapezoid(np.minimum(power, 0.0)) / rate),
        }
    return row
