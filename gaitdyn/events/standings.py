"""When each foot stands, on which plate and how fast it moves there: on floor and belt alike."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import complete_rows
from gaitdyn.events.alternation import STANCE_S
from gaitdyn.events.feet import TrialFoot, inside_plate, over_plate
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.events.assignment import LoadedPlate
    from gaitdyn.events.kinematic import Rows
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.contacts import Contact

FLAT = (0.25, 0.5)
"""In this part of a contact the foot is flat on the ground."""

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
