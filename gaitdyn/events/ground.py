"""The ground reaction wrench on each foot, from the contacts of all plates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.clean.smoothing import Filter, smooth
from gaitdyn.core.rotations import cross
from gaitdyn.core.runs import complete_rows, widened
from gaitdyn.events.assignment import LoadedPlate, force_rows
from gaitdyn.events.contacts import centre_of_pressure, widen
from gaitdyn.types.wrench import FootWrench, PlateWrench

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.events.feet import TrialFoot
    from gaitdyn.events.in_swing import SwingLoad
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.contacts import Contact

VENDOR_FLOOR_N = 5.0
"""In the plug-in-gait profile a plate's wrench is zero in frames with less force than this."""

VENDOR_REACH = 20
"""A plate that was not tared acts at most this many frames before and after its load run."""

EDGE_S = 0.06
"""Longest stance before and after a load run of the foot in which no force is needed."""

_SMALLEST_COP_N, _COP_BODY_WEIGHT = 50.0, 0.05
"""No centre of pressure below either, N and share of body weight, by judgement: its noise is that
of the moment over the force."""


def foot_load(
    plates: list[LoadedPlate],
    contacts: list[Contact],
    side: str,
    in_swing: Sequence[SwingLoad],
    *,
    vendor: bool,
) -> tuple[Array, Array, Mask]:
    """Return the summed wrench of a side's accepted contacts, unfiltered.

    Parameters
    ----------
    plates : list of LoadedPlate
        Not empty.
    contacts : list of Contact
    side : {"left", "right"}
    in_swing : sequence of SwingLoad
        Light loads on a foot, used in frames without a contact.
    vendor : bool
        Widen runs to 5 N and drop frames below it, instead of following the noise.

    Returns
    -------
    wrench : array, shape (n, 6)
        Force, moment about the origin of G.
    reference : array, shape (3,)
        Centre of the plate with the largest load, m; NaN without a contact.
    in_contact : array of bool, shape (n,)
    """
    n = len(plates[0].up)
    total, in_contact = np.zeros((n, 6)), np.zeros(n, bool)
    taken: dict[int, list[int]] = {}
    reference, largest = np.full(3, np.nan), 0.0
    by_number = {plate.wrench.number: plate for plate in plates}
    sizes = [np.linalg.norm(plate.wrench.force_G, axis=1) for plate in plates] if vendor else []
    size_of = dict(zip(by_number, sizes, strict=False))
    for contact in contacts:
        if contact.side != side or not contact.accepted:
            continue
        plate = by_number[contact.plate]
        w = plate.wrench
        if vendor:
            size = size_of[contact.plate]
            start, stop = widen(size, (contact.start, contact.stop), VENDOR_FLOOR_N)
            start, stop = _bounded(start, stop, contact, contacts)
            rows = np.arange(start, stop)[size[start:stop] >= VENDOR_FLOOR_N]
        else:
            rows = np.arange(*force_rows(plate, contact, contacts))
        total[rows] += _about_origin(w, rows)
        taken.setdefault(contact.plate, []).extend(rows.tolist())
        in_contact[contact.start : contact.stop] = True
        if contact.peak_N > largest:
            reference, largest = w.centre_G, contact.peak_N
    for load in in_swing:
        if load.side == side:
            rows = np.arange(load.start, load.stop)
            rows = rows[~np.isin(rows, taken.get(load.plate, []))]
            total[rows] += _about_origin(by_number[load.plate].wrench, rows)
    return total, reference, in_contact


def _about_origin(wrench: PlateWrench, rows: np.ndarray) -> Array:
    """Return force and moment about the origin of G in some frames, shape (len(rows), 6)."""
    force = wrench.force_G[rows]
    moment = wrench.moment_G[rows] + cross(wrench.centre_G, force)
    return np.concatenate((force, moment), axis=1)


def _bounded(start: int, stop: int, contact: Contact, contacts: list[Contact]) -> tuple[int, int]:
    """Return the rows limited to the surroundings of the run, outside other runs of the foot."""
    start = max(start, contact.start - VENDOR_REACH)
    stop = min(stop, contact.stop + VENDOR_REACH)
    for neighbour in contacts:
        if neighbour is contact or neighbour.side != contact.side or not neighbour.accepted:
            continue
        if neighbour.stop <= contact.start:
            start = max(start, neighbour.stop)
        elif neighbour.start >= contact.stop:
            stop = min(stop, neighbour.start)
    return start, stop


def unknown_force(stance: Mask, in_contact: Mask, rate_hz: float) -> Mask:
    """Return the frames in which a foot stands without an accepted contact to measure its force.

    Frames within 60 ms of a load run of the same foot count as known, because strike and foot-off
    from markers and plates differ by up to that much.
    """
    return stance & ~widened(in_contact, round(EDGE_S * rate_hz))


def unseen_load(plates: list[LoadedPlate], contacts: list[Contact], foot: TrialFoot) -> Mask:
    """Return the frames in which this foot may be on a loaded plate that no foot was assigned to.

    These are load runs without a foot in which this foot is visible for less than half of the
    time. Its force is then unknown, not zero.

    Returns
    -------
    array of bool, shape (n,)
    """
    doubtful = np.zeros(len(foot.stance), bool)
    visible = complete_rows(foot.heel_G) & complete_rows(foot.toe_G)
    by_number = {plate.wrench.number: plate for plate in plates}
    for contact in contacts:
        if contact.side != "none" or contact.code == "given":
            continue
        if 2 * visible[contact.start : contact.stop].sum() < contact.stop - contact.start:
            doubtful[slice(*force_rows(by_number[contact.plate], contact, contacts))] = True
    return doubtful


def foot_wrench(
    load: tuple[Array, Array, Mask], unknown: Mask, how: Filter, body_weight_n: float
) -> FootWrench:
    """Return the wrench of one foot, filtered as force and moment, never as centre of pressure.

    Parameters
    ----------
    load : tuple
        Of :func:`foot_load`.
    unknown : array of bool, shape (n,)
        Frames whose force is NaN.
    how : Filter
    body_weight_n : float
        For the threshold of the centre of pressure, max(50 N, 5 % of it).
    """
    total, reference, in_contact = load
    total = smooth(total[:, None], how)[0][:, 0] if in_contact.any() else total
    force, moment = total[:, :3].copy(), total[:, 3:].copy()
    force[unknown], moment[unknown] = np.nan, np.nan
    up = np.array([0.0, 1.0, 0.0])
    shown = force[:, 1] >= max(_SMALLEST_COP_N, _COP_BODY_WEIGHT * body_weight_n)
    cop, free = np.full_like(force, np.nan), np.full(len(force), np.nan)
    if shown.any():
        about = moment[shown] - cross(np.nan_to_num(reference), force[shown])
        cop[shown] = centre_of_pressure(force[shown], about, reference, up)
        free[shown] = (moment[shown] - cross(cop[shown], force[shown]))[:, 1]
    return FootWrench(force, moment, cop, free, in_contact)
