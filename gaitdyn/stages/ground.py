"""Find the events, contacts and the wrench on each foot of one trial."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, cast

from gaitdyn.clean.baseline import clean_plate
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.events.agreement import BY_HAND, OF_THE_FILE
from gaitdyn.events.assignment import LoadedPlate
from gaitdyn.events.detect import find_events
from gaitdyn.events.feet import TrialFoot
from gaitdyn.events.given import astray_findings, given_astray
from gaitdyn.events.in_swing import SwingLoad, marked_as_loaded, swing_load_findings, swing_loads
from gaitdyn.events.origins import with_decided_origins
from gaitdyn.events.partial_steps import mark_partial_steps
from gaitdyn.events.passes import passes_found, pauses
from gaitdyn.events.task import recognise
from gaitdyn.stages.belt_findings import belt_findings, force_findings, refused_belts
from gaitdyn.stages.belts import find_surface
from gaitdyn.stages.contacts import find_contacts
from gaitdyn.stages.foot_wrenches import Steps, find_wrenches
from gaitdyn.stages.ground_findings import no_gait, no_kinetics, plate_findings
from gaitdyn.stages.stances import find_standing, under_contacts, until_foot_off
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.task import WALKING, Task

if TYPE_CHECKING:
    from gaitdyn.stages.body import SubjectBody
    from gaitdyn.stages.motion import Motion
    from gaitdyn.stages.session import Session
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.belts import Belt
    from gaitdyn.types.contacts import Contact
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Event
    from gaitdyn.types.trial import Trial
    from gaitdyn.types.wrench import FootWrench


@frozen(eq=False)
class Ground:
    """Contacts, events and wrenches, from plates and feet together.

    Attributes
    ----------
    trial : Trial
        With the plates as read, but with a wrong ORIGIN corrected.
    contacts : tuple of Contact
    events : tuple of Event
    stance : dict
        Side -> mask, shape (n,).
    wrench : dict
        Side -> FootWrench; empty when there is no usable plate.
    findings : list of Finding
    no_kinetics : str
        Why kinetics are impossible and what to do about it; empty if they are possible.
    no_kinetics_code : str
        The code of this reason among those of a cycle's status.
    belts : tuple of Belt
        The moving belts that the feet stand on; empty on the floor.
    travel : dict
        Side -> how far the ground below the foot has moved, shape (n, 3), m; empty on the floor.
    task : str
        What the person does, of :data:`gaitdyn.types.task.TASK_WORDS`.
    """

    trial: Trial
    contacts: tuple[Contact, ...]
    events: tuple[Event, ...]
    stance: dict[str, Mask]
    wrench: dict[str, FootWrench]
    findings: list[Finding]
    no_kinetics: str
    no_kinetics_code: str
    belts: tuple[Belt, ...] = ()
    travel: dict[str, Array] = field(default_factory=dict[str, "Array"])
    task: Task = WALKING


def find_ground(session: Session, body: SubjectBody, motion: Motion, options: Options) -> Ground:
    """Return contacts, events, stance and the wrench on each foot."""
    standing = find_standing(session, motion, {})
    trial, findings = motion.trial, []
    light: list[SwingLoad] = []
    if options.profile == "default":
        trial, findings = with_decided_origins(trial, standing.feet)
        light = swing_loads(trial.plates, standing.feet, trial.recording, options.assign)
    walker = (motion.pose.origin_G, motion.pose.walking_G)
    cleaned = [clean_plate(plate) for plate in marked_as_loaded(trial.plates, light)]
    surface = find_surface(trial, cleaned, standing.feet, walker)
    light = [] if surface.belts else light
    findings += swing_load_findings(light, trial.recording)
    contacts, surface, standing = find_contacts(session, motion, surface, standing, options)
    loaded, feet, closed = surface.plates, standing.feet, standing.closed
    mass_kg = body.subject.mass_kg
    weight = STANDARD_GRAVITY * (mass_kg or 0.0)
    contacts = mark_partial_steps(contacts, loaded, feet, closed, (trial.rate_hz, weight))
    task = _task(options, motion, trial.rate_hz)
    if task == WALKING:
        whose = BY_HAND if options.events else OF_THE_FILE
        events, notes, feet = _walked(trial, (contacts, loaded, feet), walker, whose, mass_kg)
    else:
        events, notes = tuple(sorted(trial.recording.events)), [no_gait(task, trial.recording)]
    stance = {foot.side: under_contacts(foot, contacts) for foot in feet}
    contacts = refused_belts(contacts, surface.belts)
    findings += plate_findings(surface.cleaned, contacts, trial.recording) + notes
    findings += astray_findings(given_astray(contacts, loaded, feet))
    findings += belt_findings(surface.belts)
    findings += force_findings(surface, contacts, events, trial.recording, mass_kg)
    wrench = {}
    if loaded:
        steps = Steps(loaded, contacts, feet, stance, closed, light)
        wrench, doubts = find_wrenches(trial, steps, weight, options)
        findings += doubts
    recording = session.trial.recording
    code, reason = no_kinetics(recording, mass_kg, options, usable=bool(loaded))
    return Ground(
        trial, tuple(contacts), events, stance, wrench, findings, reason, code, surface.belts,
        surface.travel, task,
    )  # fmt: skip


def _task(options: Options, motion: Motion, rate_hz: float) -> Task:
    """Return the task: as given, otherwise recognised from the paths of pelvis and feet."""
    if options.task != "auto":
        return cast("Task", options.task)
    return recognise(motion.pose.origin_G, motion.feet, motion.pose.walking_G, rate_hz)


def _walked(
    trial: Trial,
    found: tuple[list[Contact], list[LoadedPlate], list[TrialFoot]],
    walker: tuple[Array, Array],
    whose: str,
    mass_kg: float | None,
) -> tuple[tuple[Event, ...], list[Finding], list[TrialFoot]]:
    """Return the events of a walk, findings about them, and the feet standing until foot-off."""
    recording = trial.recording
    away = pauses(trial.markers_G, trial.rate_hz)
    breaks = [recording.time_of(start) for start, _ in away]
    events, notes = find_events(recording, *found, walker, whose, breaks, mass_kg)
    feet = [until_foot_off(foot, events, recording, away) for foot in found[-1]]
    return events, [*notes, *passes_found(away, recording)], feet
