"""Which foot loads which plate, on the floor and on belts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.events.assignment import (
    NEAR_M,
    NEAR_POSE_M,
    assign_contacts,
)
from gaitdyn.events.belts import belt_travel, belts_of, moving_feet
from gaitdyn.events.feet import TrialFoot
from gaitdyn.events.given import given_astray
from gaitdyn.events.shared import split_shared
from gaitdyn.events.standings import contact_standings, under_load
from gaitdyn.stages.belts import Surface
from gaitdyn.stages.given_plates import usable_assignments
from gaitdyn.stages.stances import Standing, find_standing

if TYPE_CHECKING:
    from gaitdyn.stages.motion import Motion
    from gaitdyn.stages.session import Session
    from gaitdyn.types.contacts import Contact
    from gaitdyn.types.options import Options


def find_contacts(
    session: Session, motion: Motion, surface: Surface, standing: Standing, options: Options
) -> tuple[list[Contact], Surface, Standing]:
    """Return the contacts, and the surface and the feet that go with them.

    On belts, contacts of both feet are split, whole contacts refine the belts, and the feet are
    found again on ground that moves.

    Parameters
    ----------
    session : Session
    motion : Motion
    surface : Surface
        The plates, and the belts as the markers show them.
    standing : Standing
        On the floor.
    options : Options

    Raises
    ------
    UsageError, FileRefused
        If a plate or frames are assigned that cannot be used.
    """
    if surface.travel:
        standing = find_standing(session, motion, surface.travel)
    trial, loaded, feet = motion.trial, surface.plates, standing.feet
    first = trial.recording.first_frame
    usable = [plate.wrench.number for plate in loaded]
    assign = usable_assignments(options, usable, trial.recording)
    near_m = NEAR_POSE_M if session.model.engine == "poses" else NEAR_M
    contacts = assign_contacts(loaded, feet, trial.rate_hz, assign, first, near_m)
    if surface.belts:
        contacts = split_shared(contacts, loaded, feet, surface.standing, trial.rate_hz)
        surface = _refined(surface, contacts, feet, trial.rate_hz)
        standing = find_standing(session, motion, surface.travel)
        feet = [under_load(foot, loaded) for foot in standing.feet]
        standing = replace(standing, feet=feet)
    return contacts, surface, standing


WHOLE = 2
"""A belt with this many whole contacts has their velocity instead of that from marker events."""


def _refined(
    surface: Surface, contacts: list[Contact], feet: list[TrialFoot], rate_hz: float
) -> Surface:
    """Return the surface with belts found from whole contacts, if a belt has two or more.

    Contacts that were given to a foot far from the force do not count.
    """
    n = len(feet[0].heel_G)
    astray = [contact for contact, _ in given_astray(contacts, surface.plates, feet)]
    under = [contact for contact in contacts if contact not in astray]
    by_plate = {
        b.plate: b for b in belts_of(moving_feet(feet, contact_standings(under, n), rate_hz))
    }
    belts = tuple(
        by_plate[b.plate] if b.plate in by_plate and len(by_plate[b.plate].contacts) >= WHOLE else b
        for b in surface.belts
    )
    travel = belt_travel(belts, surface.standings, n, rate_hz)
    return replace(surface, belts=belts, travel=travel)
