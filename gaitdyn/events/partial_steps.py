"""Which contacts carry only a part of a step: the foot stands beside the plate as well."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import runs
from gaitdyn.events.assignment import LoadedPlate
from gaitdyn.events.feet import TrialFoot, beyond_plate
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.contacts import Contact, ContactCode

LIGHT, LATE_S = 0.8, 0.06
"""A foot in single support carries about body weight. If it carries less than 0.8 of that, or if
its load starts or ends more than 60 ms inside its stance, part of it is off the plates."""

OWN_STEPS, OWN_SHARE, LIGHTEST = 6, 0.85, 0.7
"""With six steps or more, 0.85 of their median replaces 0.8 if it is lower, but not below 0.7: a
fast walker carries less in single support."""

BESIDE_M, HEEL_M, LEVEL_M = 0.06, 0.04, 0.03
"""The part of a foot that bears load is off the plates if its marker stands more than 60 mm beyond
them. A heel marker lies up to 40 mm behind the heel's support: between these limits a part of the
heel may be off, and the contact says so. A marker stands while it is at most 30 mm higher than that
at the other end, unlike the heel of a person who walks on the toes."""

SCUFF = 0.15
"""A load that stays below this share of body weight is no step: the foot drags over the plate, or
touches it with its edge."""

_PARTS = (("heel", 0.05, 0.4), ("forefoot", 0.5, 0.9))
"""What bears load from one to another share of the time on a plate."""


def mark_partial_steps(
    contacts: list[Contact],
    plates: list[LoadedPlate],
    feet: list[TrialFoot],
    closed: dict[str, Mask],
    settings: tuple[float, float],
) -> list[Contact]:
    """Return the contacts with those marked partial that carry only a part of a step.

    Parameters
    ----------
    contacts : list of Contact
    plates : list of LoadedPlate
    feet : list of TrialFoot
    closed : dict
        Side -> stances whose strike and foot-off are in the file.
    settings : tuple
        Marker rate, Hz, and body weight, N (0 where it is not known).
    """
    by_number = {plate.wrench.number: plate for plate in plates}
    load = {}
    for foot in feet:
        total = np.zeros(len(foot.stance))
        for c in contacts:
            if c.side == foot.side and c.accepted:
                total[c.start : c.stop] += by_number[c.plate].up[c.start : c.stop]
        load[foot.side] = total
    stance = {foot.side: foot.stance for foot in feet}
    shares = [_share(c, load, stance, settings) for c in contacts]
    least = _lightest([share for share in shares if share is not None])
    by_side = {foot.side: foot for foot in feet}
    stances = {side: runs(mask) for side, mask in closed.items()}
    full = settings[1] or max((c.peak_N for c in contacts if c.accepted), default=0.0)
    touched = [
        replace(c, verdict="partial", code="scuff", reason=_TOUCHES.format(c) + f"; {c.reason}")
        if _scuffs(c, contacts, full)
        else c
        for c in contacts
    ]
    marked = []
    for contact, share in zip(touched, shares, strict=True):
        part, beyond = _beside(contact, contacts, by_number, by_side)
        where = f"the {contact.side} {part} stands {1000 * beyond:.0f} mm beside the plates"
        if beyond > BESIDE_M:
            reason = f"{where}: its load is not measured; {contact.reason}"
            marked.append(replace(contact, verdict="partial", reason=reason, code="late"))
            continue
        found = _partial(contact, share, least, (load, stances), settings[0])
        if part == "heel" and beyond > HEEL_M:
            note = f"{where}, by its marker: a part of its load may not be measured"
            found = replace(found, reason=f"{found.reason}; {note}")
        marked.append(found)
    return marked


_TOUCHES = "carries {0.peak_N:.0f} N at most: the {0.side} foot drags over the plate or touches it"


def _scuffs(contact: Contact, contacts: list[Contact], full_N: float) -> bool:
    """Return whether a foot only touches a plate and stands on no other one meanwhile."""
    whole = contact.verdict == "valid" and contact.code != "given"
    return whole and contact.peak_N < SCUFF * full_N and not any(
        c is not contact and c.side == contact.side and c.accepted
        and c.start < contact.stop and c.stop > contact.start
        for c in contacts
    )  # fmt: skip


def _beside(
    contact: Contact,
    contacts: list[Contact],
    plates: dict[int, LoadedPlate],
    feet: dict[str, TrialFoot],
) -> tuple[str, float]:
    """Return the end of a foot farther beyond all plates that it loads, and how far, m.

    The distance is minus infinity if it is not known, or if the contact is not to be judged.
    """
    farthest = ("heel", -np.inf)
    if contact.verdict != "valid" or contact.side not in feet or contact.code == "given":
        return farthest
    start, stop, foot = contact.start, contact.stop, feet[contact.side]
    own = {
        c.plate for c in contacts
        if c.side == contact.side and c.accepted and c.start < stop and c.stop > start
    }  # fmt: skip
    wrenches = [plates[number].wrench for number in own]
    if any(wrench.virtual for wrench in wrenches):
        return farthest
    ends = foot.heel_G, foot.toe_G
    for (part, first, last), at, other in zip(_PARTS, ends, ends[::-1], strict=True):
        rows = slice(start + int(first * (stop - start)), start + int(last * (stop - start)))
        stands = at[rows, 1] - other[rows, 1] <= LEVEL_M
        beyond = np.min([beyond_plate(at[rows], w.corners_G) for w in wrenches], axis=0)[stands]
        beyond = beyond[np.isfinite(beyond)]
        if 2 * beyond.size > stands.size and (far := float(median(beyond))) > farthest[1]:
            farthest = part, far
    return farthest


def _share(
    contact: Contact, load: dict[str, Array], stance: dict[str, Mask], settings: tuple[float, float]
) -> float | None:
    """Return the mean load of a contact in single support, in body weights; None if unknown."""
    if contact.verdict != "valid" or contact.side not in load or contact.code == "given":
        return None
    rate_hz, weight_n = settings
    rows = np.arange(contact.start, contact.stop)
    other_stance = next((stance[s] for s in stance if s != contact.side), None)
    # with one leg only, single support is unknown
    alone = rows[:0] if other_stance is None else rows[~other_stance[rows]]
    if not weight_n or len(alone) / rate_hz < LATE_S:
        return None
    return float(load[contact.side][alone].mean()) / weight_n


def _lightest(shares: list[float]) -> float:
    """Return the share of body weight below which a contact is partial."""
    if len(shares) < OWN_STEPS:
        return LIGHT
    return max(LIGHTEST, min(LIGHT, OWN_SHARE * float(median(shares))))


def _partial(
    contact: Contact,
    share: float | None,
    least: float,
    loads_and_stances: tuple[dict[str, Array], dict[str, list[tuple[int, int]]]],
    rate_hz: float,
) -> Contact:
    if (
        contact.verdict != "valid"
        or contact.side not in loads_and_stances[0]
        or contact.code == "given"
    ):
        return contact
    load, stances = loads_and_stances[0][contact.side], loads_and_stances[1][contact.side]
    light = share if share is not None and share < least else None
    code: ContactCode = "late" if light is None else "light"
    reason = "" if light is None else f"carries {light:.2f} of the body weight in single support"
    inside = [run for run in stances if run[0] < contact.stop and run[1] > contact.start]
    if inside and not reason:
        loaded = np.flatnonzero(load[slice(*inside[0])] > 0) + inside[0][0]
        late = max(loaded[0] - inside[0][0], inside[0][1] - 1 - loaded[-1]) / rate_hz
        if late > LATE_S:
            reason = f"the load starts or ends {1000 * late:.0f} ms inside the stance"
    if not reason:
        return contact
    other = "" if light is None else ", an aid carries the rest, or the mass is wrong"
    reason = f"{reason}: part of the foot stands beside the plates{other}; {contact.reason}"
    return replace(contact, verdict="partial", reason=reason, code=code, light=light)
