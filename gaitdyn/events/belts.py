"""Treadmill belts: whether the ground moves, how fast, and how far it has carried a foot.

A foot in stance is carried by the ground. Everything that depends on position is computed in the
frame of the belt, ``x_b(t) = x(t) - travel(t)`` (van Ingen Schenau 1980, Med Sci Sports Exerc
12:257-261). On the floor the travel is zero and the same formulas apply. Forces, moments and joint
powers are the same in both frames.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.percentiles import percentiles
from gaitdyn.core.rotations import about
from gaitdyn.core.runs import complete_rows
from gaitdyn.events.standings import FLAT, FootStanding, standing_velocity
from gaitdyn.types.belts import Belt, BeltContact, horizontal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.events.feet import TrialFoot
    from gaitdyn.types.arrays import Array

SLOWEST_M_S, FEWEST = 0.15, 3
"""A foot is carried if it moves faster than this in three of its contacts; on the floor it moves
at 0 to 0.02 m/s."""

STAYS_M, SLIDES_M = 0.5, 1.0
"""On a belt the pelvis ends within 0.5 m of its start, and the feet slide 1 m in stance. Feet that
slide 0.5 m on loaded plates can do so on nothing else: one whole stance of each is enough."""

ALIKE = 0.8
"""Least ratio of the length of the mean velocity to the mean speed: all contacts move alike."""


def moving_feet(
    feet: Sequence[TrialFoot], standings: Sequence[FootStanding], rate_hz: float
) -> list[tuple[FootStanding, Array]]:
    """Return each stance with the velocity of its foot, if that is known."""
    by_side = {foot.side: foot for foot in feet}
    moving: list[tuple[FootStanding, Array]] = []
    for stance in standings:
        foot = by_side[stance.side]
        velocity = standing_velocity(foot.heel_G, foot.toe_G, stance.start, stance.stop, rate_hz)
        if np.isfinite(velocity).all():
            moving.append((stance, velocity))
    return moving


def stays_in_place(pelvis_G: Array) -> bool:
    """Return whether the pelvis ends within 0.5 m of its start, unlike in overground walking."""
    known = np.flatnonzero(complete_rows(pelvis_G))
    if not known.size:
        return False
    return horizontal(pelvis_G[known[-1]] - pelvis_G[known[0]]) < STAYS_M


def feet_are_carried(
    moved: Sequence[tuple[FootStanding, Array]], sides: Sequence[str], rate_hz: float
) -> bool:
    """Return whether every foot is carried along by the ground it stands on.

    Parameters
    ----------
    moved : sequence of (FootStanding, velocity)
    sides : sequence of str
        The feet that have markers.
    rate_hz : float
    """
    for side in sides:
        on_side = [(stance, v) for stance, v in moved if stance.side == side]
        fast = [(stance, v) for stance, v in on_side if horizontal(v) > SLOWEST_M_S]
        loaded = bool(fast) and all(stance.plate is not None for stance, _ in fast)
        fewest, slides_m = (1, STAYS_M) if loaded else (FEWEST, SLIDES_M)
        if len(fast) < fewest or 2 * len(fast) <= len(on_side):
            return False
        speeds = np.array([horizontal(v) for _, v in fast])
        lasted = np.array([(stance.stop - stance.start) / rate_hz for stance, _ in fast])
        mean = np.mean([v for _, v in fast], axis=0)
        if speeds @ lasted < slides_m or horizontal(mean) < ALIKE * speeds.mean():
            return False
    return bool(sides)


def belts_of(moved: Sequence[tuple[FootStanding, Array]]) -> tuple[Belt, ...]:
    """Return the belts: one per plate, or one per foot if no foot stands on a plate.

    Parameters
    ----------
    moved : sequence of (FootStanding, velocity)
    """
    groups: dict[tuple[int, str], list[tuple[FootStanding, Array]]] = {}
    for stance, velocity in moved:
        key = (0, stance.side) if stance.plate is None else (stance.plate, "")
        groups.setdefault(key, []).append((stance, velocity))
    if any(plate for plate, _ in groups):
        groups = {key: members for key, members in groups.items() if key[0]}
    return tuple(_belt(key[0] or None, members) for key, members in sorted(groups.items()))


def _belt(plate: int | None, members: Sequence[tuple[FootStanding, Array]]) -> Belt:
    """Return one belt with the median velocity of its contacts, along and across the belt."""
    contacts = [BeltContact(stance.side, stance.start, stance.stop, v) for stance, v in members]
    contacts.sort(key=lambda contact: contact.start)
    speeds = np.array([horizontal(c.velocity_G) for c in contacts])
    low, high = percentiles(speeds, 25.0, 75.0)
    velocities = np.stack([c.velocity_G for c in contacts])
    ahead_x, _, ahead_z = velocities.mean(axis=0)
    R = about("y", np.arctan2(-ahead_z, ahead_x))  # however the belt lies in the laboratory
    middle = R @ median(velocities @ R, axis=0)
    return Belt(plate, middle, float(high - low), tuple(contacts))


def belt_direction(belts: Sequence[Belt]) -> Array:
    """Return the walking direction on belts, opposite to their velocity: unit, shape (3,)."""
    against = -np.sum([belt.velocity_G for belt in belts], axis=0) * (1.0, 0.0, 1.0)
    return against / np.linalg.norm(against)


def belt_travel(
    belts: Sequence[Belt], standings: Sequence[FootStanding], n_frames: int, rate_hz: float
) -> dict[str, Array]:
    """Return how far the ground below each foot has moved since the first frame.

    A belt of constant speed moves at its median velocity. For any other belt the velocity is
    interpolated linearly between its contacts. Belts are parallel: what a foot turns or slips
    sideways is not theirs, so that only the part along :func:`belt_direction` counts. In swing the
    ground of a foot is the belt it stood on last, so that its footprint is followed to the next
    strike.

    Parameters
    ----------
    belts : sequence of Belt
        Empty on the floor.
    standings : sequence of FootStanding
        When each foot stands on which belt.
    n_frames : int
    rate_hz : float

    Returns
    -------
    dict
        Side -> array, shape (n, 3), m, horizontal; empty without belts.
    """
    if not belts:
        return {}
    travels: dict[str, Array] = {}
    along = belt_direction(belts)
    belt_of = {(b.plate, side): i for i, b in enumerate(belts) for side in ("left", "right")
          if b.plate is not None or side in b.sides}  # fmt: skip
    for side in ("left", "right"):
        steps = sorted(
            (stance.start, belt_of[stance.plate, side])
            for stance in standings
            if stance.side == side and (stance.plate, side) in belt_of
        )
        if not steps:
            continue
        last = np.searchsorted([start for start, _ in steps], np.arange(n_frames), "right") - 1
        on = np.array([i for _, i in steps])[np.maximum(last, 0)]
        velocities = np.stack([_velocity(belt, n_frames) for belt in belts])
        velocity = np.outer(velocities[on, np.arange(n_frames)] @ along, along)
        travel = np.zeros((n_frames, 3))
        travel[1:] = np.cumsum(0.5 * (velocity[1:] + velocity[:-1]), axis=0) / rate_hz
        travels[side] = travel
    return travels


def _velocity(belt: Belt, n_frames: int) -> Array:
    """Return the velocity of a belt in every frame, shape (n, 3), m/s."""
    if belt.constant:
        return np.broadcast_to(belt.velocity_G, (n_frames, 3))
    flat = sum(FLAT) / 2.0
    rows = [c.start + flat * (c.stop - c.start) for c in belt.contacts]
    velocities = np.stack([c.velocity_G for c in belt.contacts])
    return np.stack([np.interp(np.arange(n_frames), rows, v) for v in velocities.T], axis=1)
