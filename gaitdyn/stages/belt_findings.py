"""What the belts of a treadmill show: speed, steps that brake first, the mass that they carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.events.assignment import LoadedPlate
from gaitdyn.events.belts import belt_direction
from gaitdyn.stages.belts import Surface
from gaitdyn.types.arrays import Array
from gaitdyn.types.belts import Belt
from gaitdyn.types.contacts import Contact
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.recording import Event, Recording
from gaitdyn.types.words import counted, signed

UNSTEADY = "the belt changes its speed"


def refused_belts(contacts: Sequence[Contact], belts: Sequence[Belt]) -> list[Contact]:
    """Return the contacts, rejecting those on belts that change their speed.

    An accelerated belt puts its own inertia into the plate (Hnat and van den Bogert 2014, J Biomech
    47:3758-3761); at a steady speed no correction is needed.
    """
    reasons = {belt.plate: _unsteady(belt) for belt in belts if not belt.steady}
    return [
        replace(c, verdict="rejected", reason=reasons[c.plate], code="unsteady")
        if c.accepted and c.plate in reasons
        else c
        for c in contacts
    ]


def _unsteady(belt: Belt) -> str:
    low, high = belt.range_m_s
    return f"{UNSTEADY} from {low:.2f} to {high:.2f} m/s: its inertia is in the force"


def belt_findings(belts: Sequence[Belt]) -> Findings:
    """Return the findings on the belts: their speed, and whether it changes."""
    for belt in belts:
        low, high = belt.range_m_s
        count = len(belt.contacts)
        spread = f"interquartile range {belt.iqr_m_s:.3f} m/s, " if count > 1 else ""
        feet = f"{counted(count, 'stance phase')} of the {' and '.join(belt.sides)} foot"
        message = f"{belt.name}: a belt at {belt.speed_m_s:.3f} m/s ({spread}{feet})"
        yield Finding("info", "belt-speed", belt.name, message, belt.speed_m_s)
        if not belt.steady:
            message = f"{belt.name}: {_unsteady(belt)}; no kinetics of the feet that stand on it"
            change = (high - low) / belt.speed_m_s
            yield Finding("warning", "belt-unsteady", belt.name, message, change)


def force_findings(
    surface: Surface,
    contacts: Sequence[Contact],
    events: Sequence[Event],
    recording: Recording,
    mass_kg: float | None,
) -> list[Finding]:
    """Return the mass that the belts carry over whole strides, and whether steps brake first.

    Nothing is returned if a foot stands off the plates.
    """
    under = {belt.plate for belt in surface.belts} - {None}
    plates = [plate for plate in surface.plates if plate.wrench.number in under]
    clock = (recording.rate_hz, recording.first_frame)
    if not plates or any(standing.plate is None for standing in surface.standings):
        return []
    mean_force = weighed(plates, events, clock, recording.n_frames)
    if mean_force is None:
        return []
    force, strides = mean_force
    ahead = belt_direction(surface.belts)
    to_right = float(np.cross(ahead, (0.0, 1.0, 0.0)) @ force)
    kg = float(force[1]) / STANDARD_GRAVITY
    along = float(force @ ahead)
    message = (
        f"the belts carry {kg:.1f} kg on average over {counted(strides, 'whole stride')}"
        f" ({signed(along, 1)} N along the walk, {signed(to_right, 1)} N to the right)"
    )
    message += f"; body mass {mass_kg:.1f} kg" if mass_kg else "; give it with --mass KG"
    difference = abs(kg / mass_kg - 1.0) if mass_kg else None
    findings = [Finding("info", "mass-from-force", "plates", message, difference)]
    valid = [c for c in contacts if c.verdict == "valid" and c.plate in under]
    brakes = [_braking(c, plates, ahead) for c in valid]
    if brakes and 2 * sum(brakes) <= len(brakes):
        message = (
            f"{len(brakes) - sum(brakes)} of {len(brakes)} steps push forward first and then brake:"
            " the belt and the horizontal force do not have the same direction"
        )
        findings.append(Finding("warning", "belt-direction", "plates", message))
    return findings


def _braking(contact: Contact, plates: Sequence[LoadedPlate], ahead: Array) -> bool:
    """Return whether the mean force points further back in the first half of a contact."""
    plate = next(plate for plate in plates if plate.wrench.number == contact.plate)
    along = plate.wrench.force_G[contact.start : contact.stop] @ ahead
    half = len(along) // 2
    return bool(along[:half].mean() < along[half:].mean())


def weighed(
    plates: Sequence[LoadedPlate], events: Sequence[Event], clock: tuple[float, int], n_frames: int
) -> tuple[Array, int] | None:
    """Return the mean force on the person over whole strides, G, N, and the number of strides.

    A body that stays in place has the same momentum at the start and the end of a whole stride. The
    mean of the summed force is therefore the weight, with no horizontal component.

    Parameters
    ----------
    plates : sequence of LoadedPlate
        All plates that the person stands on.
    events : sequence of Event
    clock : tuple
        Marker rate, Hz, and number of the first frame.
    n_frames : int

    Returns
    -------
    force_G : array, shape (3,)
    strides : int
    """
    rate_hz, first = clock
    total = np.sum([plate.wrench.force_G for plate in plates], axis=0)
    means: list[Array] = []
    count = 0
    for side in ("left", "right"):
        strikes = [e.time_s for e in events if (e.side, e.kind) == (side, "foot_strike")]
        rows = [round(t * rate_hz + 1 - first) for t in strikes]
        rows = [row for row in rows if 0 <= row < n_frames]
        if len(rows) > 1:
            means.append(total[rows[0] : rows[-1]].mean(axis=0))
            count += len(rows) - 1
    return (np.mean(means, axis=0), count) if means else None
