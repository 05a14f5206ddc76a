"""Split load runs in which both feet use one belt into the parts that each foot carries alone.

While both feet are on a plate its wrench cannot be divided: neither foot has a force in these
frames. If one foot follows the other on a plate that is never empty, the jump of the centre of
pressure shows when. Without a jump the kinematic events are used, and the frames within their
error are left empty.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import mask_of, runs
from gaitdyn.events.contacts import centre_of_pressure
from gaitdyn.events.feet import TrialFoot, distance_to_foot, over_plate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.events.assignment import LoadedPlate
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.contacts import Contact, ContactSide

SHARED = "both feet stand on this belt: its force cannot be divided between them"
ALONE = "alone on this belt for a part of the stance, the other foot stands on it before or after"

OVER = 0.02
"""Share of half a plate by which heel or toe may be outside its edges."""

APART_M = 0.06
"""The centre of pressure of a foot that stands alone is this near to its axis."""

JUMP_M, JUMP_S = 0.15, 0.05
"""The centre of pressure jumps by more than this within 50 ms when another foot takes over."""

SEARCH_S, DOUBT_S = 0.1, 0.04
"""A jump is within 0.1 s of the kinematic change of feet; 0.04 s on each side are left empty."""

FEET: tuple[ContactSide, ContactSide] = ("left", "right")
_NOBODY, _BOTH = 0, 3


def split_shared(
    contacts: Sequence[Contact],
    plates: Sequence[LoadedPlate],
    feet: Sequence[TrialFoot],
    standing: dict[str, Mask],
    rate_hz: float,
) -> list[Contact]:
    """Return the contacts, with those that two feet share split.

    Parameters
    ----------
    contacts : sequence of Contact
        Of :func:`gaitdyn.events.assignment.assign_contacts`; those given by the user are kept.
    plates : sequence of LoadedPlate
    feet : sequence of TrialFoot
    standing : dict
        Side -> frames in which the foot stands, shape (n,).
    rate_hz : float

    Returns
    -------
    list of Contact
        In a split run, the frames of one foot are ``partial``, those of both are ``rejected`` with
        :data:`SHARED` as reason.
    """
    by_number = {plate.wrench.number: plate for plate in plates}
    parted: list[Contact] = []
    for contact in contacts:
        plate = by_number[contact.plate]
        w, rows = plate.wrench, slice(contact.start, contact.stop)
        cop = centre_of_pressure(w.force_G[rows], w.moment_G[rows], w.centre_G, w.normal_G)
        stands = {side: mask[rows] for side, mask in standing.items()}
        parts = [foot.part(rows) for foot in feet]
        if contact.code == "given":
            on = {}
        elif contact.verdict == "rejected":
            on = {f.side: stands[f.side] & over_plate(f, w.corners_G, OVER) for f in parts}
        else:
            on = _trodden(contact.side, parts, stands, cop, JUMP_S * rate_hz)
        parted += _pieces(contact, plate, parts, on, cop, rate_hz) or [contact]
    return parted


def _trodden(
    side: str, feet: Sequence[TrialFoot], standing: dict[str, Mask], cop: Array, least: float
) -> dict[str, Mask]:
    """Return the frames in which each foot is on a plate that the other foot also treads on.

    The other foot treads on the plate if the force persists under it for at least ``least`` frames
    while the foot of the contact swings. It then counts as on the plate for that whole stance.
    Otherwise the result is empty.
    """
    other_treads = np.full(len(cop), len(feet) == len(FEET))
    for foot in feet:
        under_foot = distance_to_foot(cop, foot) <= APART_M
        stands = standing[foot.side]
        other_treads &= ~(stands | under_foot) if foot.side == side else stands & under_foot
    on: dict[str, Mask] = {}
    for foot in feet:
        on[foot.side] = stands = standing[foot.side].copy()
        for start, stop in runs(stands) if foot.side != side else ():
            stands[start:stop] = other_treads[start:stop].any()
    return on if other_treads.sum() >= least else {}


def shared_rows(contacts: Sequence[Contact], n_frames: int) -> Mask:
    """Return the frames in which one belt carries both feet, shape (n,)."""
    return mask_of(((c.start, c.stop) for c in contacts if c.code == "shared"), n_frames)


def _pieces(
    contact: Contact,
    plate: LoadedPlate,
    feet: Sequence[TrialFoot],
    on: dict[str, Mask],
    cop: Array,
    rate_hz: float,
) -> list[Contact]:
    """Return the parts of a run; empty if only one foot is on the plate.

    ``feet``, ``on`` (the frames in which each is on the plate) and ``cop`` cover the run.
    """
    state = np.zeros(len(cop), int)
    for side, present in on.items():
        state += (1 + FEET.index(side)) * present
    least = JUMP_S * rate_hz
    if any((state & bit).astype(bool).sum() < least for bit in (1, 2)):
        return []
    state = _settled(state, cop, rate_hz)
    pieces: list[Contact] = []
    for value in (1, 2, _BOTH):
        for start, stop in runs(state == value):
            part = replace(contact, start=contact.start + start, stop=contact.start + stop)
            peak = float(plate.up[part.start : part.stop].max())
            feet_then = [foot.part(slice(start, stop)) for foot in feet]
            pieces.append(_judged(replace(part, peak_N=peak), value, cop[start:stop], feet_then))
    return sorted(pieces, key=lambda part: part.start)


def _judged(part: Contact, value: int, cop: Array, feet: Sequence[TrialFoot]) -> Contact:
    """Return a part of a run with its side, verdict and reason."""
    if value == _BOTH:
        return replace(part, side="both", verdict="rejected", reason=SHARED, code="shared")
    side = FEET[value - 1]
    foot = next(foot for foot in feet if foot.side == side)
    distance = distance_to_foot(cop, foot)
    known = distance[np.isfinite(distance)]
    away = float(median(known)) if known.size else np.inf
    if away > APART_M:
        beside = f"{1000 * away:.0f} mm beside it"
        reason = f"the {side} foot stands on this belt, the force acts {beside}"
        return replace(part, side="none", verdict="rejected", reason=reason, code="beside")
    reason = f"{side} foot {ALONE}; centre of pressure {1000 * away:.0f} mm from it"
    return replace(part, side=side, verdict="partial", reason=reason, code="alone")


def _settled(state: np.ndarray, cop: Array, rate_hz: float) -> np.ndarray:
    """Return which foot stands in each row of a run: 1 left, 2 right, 3 both; never none.

    Rows without a foot go to the foot that stands before and after them. At a change of feet, the
    frames around the jump of the centre of pressure, or those in doubt, count as both.
    """
    doubt = max(1, round(DOUBT_S * rate_hz))
    state = state.copy()
    for start, stop in runs(state == _BOTH):
        state[max(0, start - doubt) : stop + doubt] = _BOTH
    for start, stop in runs(state == _NOBODY):
        before = state[start - 1] if start else 0
        after = state[stop] if stop < len(state) else 0
        state[start:stop] = before or after if not (before and after) or before == after else _BOTH
    for row in (np.flatnonzero(np.diff(state)) + 1).tolist():
        if {int(state[row - 1]), int(state[row])} == {1, 2}:
            jump = _jump(cop, row, rate_hz)
            if jump is not None:
                low, high = sorted((jump, row))
                state[low:high] = state[row if jump < row else row - 1]
            middle = row if jump is None else jump
            state[max(0, middle - doubt) : middle + doubt] = _BOTH
    return state


def _jump(cop: Array, row: int, rate_hz: float) -> int | None:
    """Return the row of the largest jump of the centre of pressure near a row, or None."""
    reach, search = max(1, round(JUMP_S * rate_hz)), round(SEARCH_S * rate_hz)
    first = np.arange(max(0, row - search), min(len(cop) - reach, row + search))
    if not first.size:
        return None
    moved = np.nan_to_num(np.linalg.norm((cop[first + reach] - cop[first])[:, [0, 2]], axis=1))
    best = int(np.argmax(moved))
    return int(first[best]) + (reach + 1) // 2 if moved[best] > JUMP_M else None
