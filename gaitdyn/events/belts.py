"""Treadmill belts: whether the ground moves, how fast, and how far it has carried a foot.

A foot in stance is carried by the ground. Everything that depends on position is computed in the
frame of the belt, ``x_b(t) = x(t) - travel(t)`` (van Ingen Schenau 1980, Med Sci Sports Exerc
12:257). On the floor the travel is zero and the same formulas apply. Forces, moments and joint
powers are the same in both frames.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.rotations import about
from gaitdyn.core.runs import complete_rows, percentiles
from gaitdyn.events.alternation import STANCE_S
from gaitdyn.events.feet import TrialFoot, inside_plate, over_plate
from gaitdyn.types.belts import Belt, BeltContact, horizontal
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.events.assignment import LoadedPlate
    from gaitdyn.events.kinematic import Rows
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.contacts import Contact

FLAT = (0.25, 0.5)
"""In this part of a contact the foot is flat on the ground."""

SLOWEST_M_S, FEWEST = 0.15, 3
"""A foot is carried if it moves faster than this in three of its contacts; on the floor it moves
at 0 to 0.02 m/s."""

STAYS_M, SLIDES_M = 0.5, 1.0
"""On a belt the pelvis ends within 0.5 m of its start, and the feet slide 1 m in stance. Feet that
slide 0.5 m on loaded plates can do so on nothing else: one whole stance of each is enough."""

ALIKE = 0.8
"""Least ratio of the length of the mean velocity to the mean speed: all contacts move alike."""

LOADED_N = 40.0


@frozen()
class FootStanding:
    """One stance of a foot, with its plate; None if it is not on a plate."""

    side: str
    plate: int | None
    start: int
    stop: int


def kinematic_standings(
    feet: Sequence[TrialFoot],
    plates: Sequence[LoadedPlate],
    events: dict[str, Rows],
    rate_hz: float,
) -> list[FootStanding]:
    """Return the stances of each foot from its markers, which works on belt and floor alike.

    A strike whose foot-off was missed has no stance: the next off ends that of the next strike.

    Parameters
    ----------
    feet : sequence of TrialFoot
    plates : sequence of LoadedPlate
    events : dict
        Side -> strikes and offs, rows.
    rate_hz : float
    """
    standings: list[FootStanding] = []
    for foot in feet:
        strikes, offs = events[foot.side]
        for strike in strikes:
            after, later = offs[offs > strike], strikes[strikes > strike]
            if not after.size or (later.size and later[0] < after[0]):
                continue
            lasted = (after[0] - strike) / rate_hz
            if STANCE_S[0] <= lasted <= STANCE_S[1]:
                start, stop = round(strike), round(after[0])
                standings.append(
                    FootStanding(foot.side, _plate_of(foot, plates, start, stop), start, stop)
                )
    return standings


def _plate_of(foot: TrialFoot, plates: Sequence[LoadedPlate], start: int, stop: int) -> int | None:
    """Return the plate with the largest load while a foot is flat over it, or None."""
    rows = _flat_rows(start, stop)
    middle = 0.5 * (foot.heel_G[rows] + foot.toe_G[rows])
    best, most = None, LOADED_N
    for plate in plates:
        over = inside_plate(middle, plate.wrench.corners_G, 0.02)
        load = float(plate.up[rows].mean()) if over.mean() > 0.5 else 0.0  # noqa: PLR2004  half
        if load > most:
            best, most = plate.wrench.number, load
    return best


def contact_standings(contacts: Sequence[Contact], n_frames: int) -> list[FootStanding]:
    """Return the contacts of one foot that are whole stances."""
    return [
        FootStanding(c.side, c.plate, c.start, c.stop)
        for c in contacts
        if c.verdict == "valid" and c.start > 0 and c.stop < n_frames
    ]


def standing_velocity(heel_G: Array, toe_G: Array, start: int, stop: int, rate_hz: float) -> Array:
    """Return the velocity of a foot while it is flat: slope of heel and toe against time.

    Parameters
    ----------
    heel_G, toe_G : arrays, shape (n, 3)
        m.
    start, stop : int
        Of the contact, half-open; 25 to 50 % of it are used.
    rate_hz : float

    Returns
    -------
    array, shape (3,)
        m/s; NaN if fewer than four frames are known.
    """
    rows = _flat_rows(start, stop)
    slopes = []
    for point in (heel_G[rows], toe_G[rows]):
        known = np.flatnonzero(complete_rows(point))
        if known.size >= 4:  # noqa: PLR2004
            t = (known - known.mean()) / rate_hz
            slopes.append(t @ point[known] / (t @ t))
    return np.mean(slopes, axis=0) if slopes else np.full(3, np.nan)


def _flat_rows(start: int, stop: int) -> slice:
    first, last = (start + round(part * (stop - start)) for part in FLAT)
    return slice(first, max(last, first + 3) + 1)


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
    interpolated linearly between its contacts. In swing the ground of a foot is the belt it stood
    on last, so that its footprint is followed to the next strike.

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
    travels: dict[str, Array] = {}
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
        velocity = velocities[on, np.arange(n_frames)] * (1.0, 0.0, 1.0)
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


def under_load(foot: TrialFoot, plates: Sequence[LoadedPlate]) -> TrialFoot:
    """Return a foot that is not in stance while all the plates below it are empty.

    A foot that lingers slowly above its belt after foot-off is in swing, as the plate shows.
    """
    over, loaded = np.zeros(len(foot.stance), bool), np.zeros(len(foot.stance), bool)
    for plate in plates:
        above = over_plate(foot, plate.wrench.corners_G)
        over |= above
        loaded |= above & (plate.up > plate.edges.off_N)
    return replace(foot, stance=foot.stance & (loaded | ~over))


def standing_masks(
    feet: Sequence[TrialFoot], events: dict[str, Rows], n_frames: int
) -> dict[str, Mask]:
    """Return the frames in which each foot stands, from its kinematic strikes and offs.

    It also stands before its first off and after its last strike. Without events the stance of
    the foot is kept.

    Parameters
    ----------
    feet : sequence of TrialFoot
    events : dict
        Side -> strikes and offs, rows.
    n_frames : int
    """
    masks: dict[str, Mask] = {}
    rows = np.arange(n_frames)
    for foot in feet:
        strikes, offs = events[foot.side]
        if not strikes.size + offs.size:
            masks[foot.side] = foot.stance
            continue
        turns = np.concatenate((strikes, offs))
        down = np.concatenate((np.ones(len(strikes), bool), np.zeros(len(offs), bool)))
        order = np.argsort(turns)
        turns, down = turns[order], down[order]
        last = np.searchsorted(turns, rows, "right") - 1
        masks[foot.side] = np.where(last < 0, ~down[0], down[np.maximum(last, 0)])
    return masks
