"""Foot strikes and offs from markers alone, by position and velocity of the foot.

Strikes are those of Zeni et al. 2008 (Gait Posture 27:710-714), the heel furthest ahead of the
pelvis. Offs are the fastest upward motion of the toe marker, the rule of O'Connor et al. 2007 (Gait
Posture 25:469-474) for the toe alone. Neither needs the foot to stand still, so both work on a
treadmill.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.core.percentiles import percentiles
from gaitdyn.core.runs import complete_rows, runs
from gaitdyn.events.stance import stance_from_speed
from gaitdyn.types.arrays import Array

TURN_S, MOVING_M_S = 0.5, 0.3
"""The walking direction is the displacement of the pelvis from 0.5 s before to 0.5 s after a frame.
The given direction is used while the pelvis is slower than 0.3 m/s: on a treadmill, at a stop."""

SMALLEST_M, PROMINENT = 0.05, 0.3
"""A step moves the foot relative to the pelvis by at least 50 mm and 0.3 of its whole range."""

NEAR_S, FIT_S = 0.15, 0.025
"""An event is within 0.15 s of the turn of the foot; its peak is fitted over 25 ms on each side."""


COMES_M, COMES_S, SEEN_S = 0.025, 0.5, 0.15
"""Before a strike the foot comes forward, relative to the pelvis, by 25 mm or more within 0.5 s: a
foot that stands while the body begins to move does not. A foot seen for less than 0.15 s before is
given the benefit of the doubt."""


Rows = tuple[Array, Array]
"""Strikes and offs as rows, fractions kept."""


def direction(pelvis_G: Array, walking_G: Array, rate_hz: float) -> Array:
    """Return the direction in which the pelvis moves, the given one while it is slow, (n, 3)."""
    way = moving_direction(pelvis_G, rate_hz)
    return np.where(np.isfinite(way), way, walking_G)


def moving_direction(pelvis_G: Array, rate_hz: float) -> Array:
    """Return the unit horizontal direction in which the pelvis moves, NaN while it is slow."""
    n, reach = len(pelvis_G), max(1, round(TURN_S * rate_hz))
    before, after = np.arange(n), np.arange(n)
    for start, stop in runs(complete_rows(pelvis_G)):
        rows = slice(start, stop)
        before[rows] = np.maximum(before[rows] - reach, start)
        after[rows] = np.minimum(after[rows] + reach, stop - 1)
    moved = (pelvis_G[after] - pelvis_G[before]) * (1.0, 0.0, 1.0)
    distance = np.linalg.norm(moved, axis=1)
    moving = distance * rate_hz > MOVING_M_S * (after - before)
    unit = np.full((n, 3), np.nan)
    unit[moving] = moved[moving] / distance[moving, None]
    return unit


def turns(ahead: Array) -> Rows:
    """Return the rows in which a foot turns back (furthest ahead) and forward again.

    These are the extremes that are prominent on both sides. Every run without gaps is searched
    separately, so that no turn is found across a gap or at its edge.

    Parameters
    ----------
    ahead : array, shape (n,)
        Position ahead of the pelvis, m.
    """
    extremes: tuple[list[int], list[int]] = ([], [])
    known = np.isfinite(ahead)
    if not known.any():
        return np.empty(0), np.empty(0)
    least, most = percentiles(ahead[known], 5, 95)
    step = max(SMALLEST_M, PROMINENT * (most - least))
    values = ahead.tolist()  # Python floats are faster in a loop
    for start, stop in runs(known):
        high = low = start
        rising, falling = True, True
        for i in range(start, stop):
            high = i if values[i] > values[high] else high
            low = i if values[i] < values[low] else low
            if rising and values[i] < values[high] - step:
                if high > start:
                    extremes[0].append(high)
                rising, falling, low = False, True, i
            elif falling and values[i] > values[low] + step:
                if low > start:
                    extremes[1].append(low)
                rising, falling, high = True, False, i
    return np.array(extremes[0], float), np.array(extremes[1], float)


def tops(y: Array, rows_near: Array, rate_hz: float) -> Array:
    """Return the row of the highest peak of a curve near each row; NaN if there is none."""
    reach, half = round(NEAR_S * rate_hz), max(1, round(FIT_S * rate_hz))
    peak = np.zeros(len(y), bool)
    peak[1:-1] = (y[1:-1] >= y[:-2]) & (y[1:-1] > y[2:])
    apart = np.arange(-half, half + 1)
    curving = apart**2 - (apart @ apart) / len(apart)
    peaks = np.full(len(rows_near), np.nan)
    for k, row in enumerate(rows_near.astype(int)):
        low = max(0, row - reach)
        candidates = np.flatnonzero(peak[low : row + reach + 1]) + low
        if not candidates.size:
            continue
        top = int(candidates[np.argmax(y[candidates])])
        near = y[max(0, top - half) : top + half + 1]
        if len(near) < len(apart) or not np.isfinite(near).all():
            continue
        b, c = near @ apart / (apart @ apart), near @ curving / (curving @ curving)
        if c < 0:
            peaks[k] = top + float(np.clip(-b / (2 * c), -half, half))
    return peaks


def upward_speed(marker_G: Array, rate_hz: float) -> Array:
    """Return the upward speed of a marker, m/s, shape (n,)."""
    speed = np.full(len(marker_G), np.nan)
    speed[1:-1] = (marker_G[2:, 1] - marker_G[:-2, 1]) * rate_hz / 2
    return speed


def speed_events(heel_G: Array, toe_G: Array, rate: float) -> Rows:
    """Return start and end of the runs in which heel or toe is slower than 0.5 m/s."""
    visible = complete_rows(heel_G) & complete_rows(toe_G)
    stances = runs(stance_from_speed(heel_G, toe_G, rate))
    strikes = [a for a, _ in stances if a > 0 and visible[a - 1]]
    offs = [b for _, b in stances if b < len(visible) and visible[b]]
    return np.array(strikes, float), np.array(offs, float)


def foot_events(
    heel_G: Array, toe_G: Array, pelvis_G: Array, walking_G: Array, rate: float
) -> Rows:
    """Return Zeni's strikes, and offs at the toe marker's fastest upward motion.

    Of the rules compared in docs/events.md these two have the most constant distance to the plates.

    Parameters
    ----------
    heel_G, toe_G, pelvis_G : arrays, shape (n, 3)
        m, NaN in gaps.
    walking_G : array, shape (3,)
        Unit horizontal direction, used while the pelvis does not move.
    rate : float
        Hz.

    Returns
    -------
    strikes, offs : arrays
        Rows, fractions kept.
    """
    heel, toe, (forward, back) = ahead_of_pelvis(heel_G, toe_G, pelvis_G, walking_G, rate)
    middle = (heel + toe) / 2
    forward = forward[[_comes(middle, int(row), rate) for row in forward]]
    offs = tops(upward_speed(toe_G, rate), back, rate)
    return in_order(tops(heel, forward, rate)), in_order(offs)


def _comes(ahead: Array, row: int, rate: float) -> bool:
    """Return whether a foot comes forward to where it is furthest ahead."""
    before = ahead[max(0, row - round(COMES_S * rate)) : row]
    gaps = np.flatnonzero(~np.isfinite(before))
    before = before[gaps[-1] + 1 :] if gaps.size else before
    return len(before) < SEEN_S * rate or bool(ahead[row] - before.min() >= COMES_M)


def ahead_of_pelvis(
    heel_G: Array, toe_G: Array, pelvis_G: Array, walking_G: Array, rate: float
) -> tuple[Array, Array, Rows]:
    """Return how far heel and toe are ahead of the pelvis, and the turns of their midpoint."""
    unit = direction(pelvis_G, walking_G, rate)
    heel, toe = (np.einsum("ni,ni->n", m - pelvis_G, unit) for m in (heel_G, toe_G))
    return heel, toe, turns((heel + toe) / 2)


def in_order(rows: Array) -> Array:
    """Return the known rows, sorted and without duplicates."""
    return np.array(sorted(set(rows[np.isfinite(rows)].tolist())))  # np.unique loads numpy.ma
