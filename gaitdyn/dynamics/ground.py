"""Events, contacts and the wrench on each foot of one trial."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.markers import LETTER
from gaitdyn.clean.baseline import CleanPlate, clean_plate
from gaitdyn.clean.smoothing import Filter
from gaitdyn.events.assignment import LoadedPlate, assign_contacts
from gaitdyn.events.detect import find_events
from gaitdyn.events.feet import Foot
from gaitdyn.events.ground import foot_load, foot_wrench, unknown_force
from gaitdyn.core.runs import runs
from gaitdyn.events.stance import (
    closed_stances,
    stance_from_events,
    stance_from_speed,
    stance_mask,
)
from gaitdyn.types.findings import Finding

if TYPE_CHECKING:
    from gaitdyn.calibrate.body import Body
    from gaitdyn.calibrate.session import Session
    from gaitdyn.kinematics.motion import Motion
    from gaitdyn.types.arrays import Mask
    from gaitdyn.types.contacts import Contact
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Event
    from gaitdyn.types.wrench import FootWrench

_BASELINE_N = 10.0
_G = 9.80665


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What the plates and the feet say together.

    Attributes
    ----------
    contacts : tuple of Contact
    events : tuple of Event
    stance : dict
        Side -> mask, shape (n,).
    wrench : dict
        Side -> FootWrench; empty when there is no usable plate.
    findings : list of Finding
    no_kinetics : str
        Why kinetics are impossible and what to do; empty when they are possible.
    """

    contacts: tuple[Contact, ...]
    events: tuple[Event, ...]
    stance: dict[str, Mask]
    wrench: dict[str, FootWrench]
    findings: list[Finding]
    no_kinetics: str


def force_filter(options: Options, rate_hz: float) -> Filter:
    """Return the filter of the ground wrench."""
    cutoff = options.force_cutoff_hz
    if cutoff == "same":
        cutoff = options.cutoff_hz
    if options.profile == "plug-in-gait":
        cutoff = None
    return Filter(rate_hz, cutoff, options.filter, 0.0)


def find_ground(session: Session, body: Body, motion: Motion, options: Options) -> Ground:
    """Return contacts, events, stance and the wrench on each foot.

    Parameters
    ----------
    session : Session
    body : Body
    motion : Motion
    options : Options
    """
    trial, vendor = motion.trial, options.profile == "plug-in-gait"
    n, rate = len(trial.markers_G), trial.rate_hz
    cleaned = [clean_plate(plate) for plate in trial.plates]
    closed, feet = _feet(session, motion)
    loaded = [_loaded(c) for c in cleaned]
    first = trial.recording.first_frame
    contacts = assign_contacts(loaded, feet, rate, options.assign, first)
    events = find_events(trial.recording, contacts, loaded, feet)
    stance = {f.side: _stance(f, events, trial.recording, contacts) for f in feet}
    reason = _no_kinetics(session, body, loaded)
    findings = _findings(cleaned, contacts)
    wrench = {}
    if loaded:
        raw = [LoadedPlate(p, plate.up, plate.noise_N) for p, plate in zip(trial.plates, loaded, strict=True)]
        weight = _G * (body.subject.mass_kg or 0.0)
        how = force_filter(options, rate)
        for side in session.sides:
            load = foot_load(raw if vendor else loaded, list(contacts), side, vendor=vendor)
            unknown = unknown_force(stance[side], load[2], rate)
            if vendor or options.names == "pig":
                honest, unknown = unknown, unknown_force(closed[side], load[2], rate)
                findings += _computed_as_swing(side, honest & ~unknown, first)
            wrench[side] = foot_wrench(load, unknown, how, weight)
    return Ground(tuple(contacts), events, stance, wrench, findings, reason)


def _feet(session: Session, motion: Motion) -> tuple[dict[str, Mask], list[Foot]]:
    """Return the stances closed by file events, and the feet with all their stances."""
    recording, trial = motion.trial.recording, motion.trial
    feet, closed = [], {}
    for side in session.sides:
        heel, toe = (trial.marker(LETTER[side] + name) for name in ("HEE", "TOE"))
        own = [e for e in recording.events if e.side == side]
        rows = event_rows(own, recording)
        told = stance_from_events(own, rows, len(heel))
        moving = stance_from_speed(heel, toe, trial.rate_hz)
        feet.append(Foot(side, heel, toe, stance_mask(told, moving)))
        closed[side] = closed_stances(told)
    return closed, feet


def _computed_as_swing(side: str, wrong: Mask, first_frame: int) -> list[Finding]:
    """Return a finding for each run in which the vendor's rule takes a standing foot as swing."""
    return [
        Finding(
            "warning",
            "stance-as-swing",
            side,
            f"{side} foot, frames {start + first_frame}-{stop + first_frame - 1}: it stands beside"
            " the plates in a stance cut by the file; kinetics are computed as swing, as the"
            " vendor does, and are wrong there",
            float(stop - start),
        )
        for start, stop in runs(wrong)
    ]


def event_rows(events, recording) -> np.ndarray:
    """Return the rows of events, fractions kept, shape (len(events),)."""
    times = np.array([e.time_s for e in events])
    return np.round(times * recording.rate_hz + 1 - recording.first_frame, 3)


def _loaded(plate: CleanPlate) -> LoadedPlate:
    up = plate.wrench.force_G @ plate.wrench.normal_G
    return LoadedPlate(plate.wrench, up, plate.noise_N)


def _stance(foot: Foot, events, recording, contacts) -> Mask:
    """Return the stance of a foot: accepted contacts, file events, speed."""
    stance = foot.stance.copy()
    for contact in contacts:
        if contact.side == foot.side and contact.accepted:
            stance[contact.start : contact.stop] = True
    return stance


def _no_kinetics(session: Session, body: Body, loaded: list[LoadedPlate]) -> str:
    recording = session.trial.recording
    if not recording.plates:
        return "no force plates in the file: kinematics only; export the analog channels for kinetics"
    if not loaded:
        reasons = "; ".join(f"plate {p.number}: {p.problem}" for p in recording.plates)
        return f"no usable force plate ({reasons}): kinematics only"
    if body.subject.mass_kg is None:
        return "the body mass is not known: kinematics only; give it with --mass KG for kinetics"
    return ""


def _findings(plates: list[CleanPlate], contacts: list[Contact]) -> list[Finding]:
    found = []
    for plate in plates:
        scope = f"plate {plate.wrench.number}"
        if plate.inverted:
            message = f"{scope} records the force on itself; it was turned round"
            found.append(Finding("warning", "plate-inverted", scope, message))
        if plate.baseline_N > _BASELINE_N:
            message = f"{scope} reads {plate.baseline_N:.1f} N while unloaded"
            found.append(
                Finding("warning", "plate-baseline", scope, message, plate.baseline_N, _BASELINE_N)
            )
    for contact in contacts:
        if contact.verdict == "rejected":
            message = f"plate {contact.plate}, rows {contact.start}-{contact.stop - 1}: {contact.reason}"
            found.append(Finding("warning", "contact-rejected", f"plate {contact.plate}", message))
    return found
