"""Find the events, contacts and the wrench on each foot of one trial."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from gaitdyn.clean.baseline import clean_plate
from gaitdyn.clean.smoothing import Filter
from gaitdyn.core.runs import mask_of
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.errors import FileRefused, UsageError
from gaitdyn.events.agreement import BY_HAND, OF_THE_FILE
from gaitdyn.events.assignment import (
    NEAR_M,
    NEAR_POSE_M,
    LoadedPlate,
    assign_contacts,
    check_overlaps,
)
from gaitdyn.events.belts import belt_travel, belts_of, contact_standings, moving_feet, under_load
from gaitdyn.events.detect import event_rows, find_events
from gaitdyn.events.feet import TrialFoot
from gaitdyn.events.ground import foot_load, foot_wrench, unknown_force, unseen_load
from gaitdyn.events.in_swing import SwingLoad, marked_as_loaded, swing_load_findings, swing_loads
from gaitdyn.events.origins import with_decided_origins
from gaitdyn.events.partial_steps import mark_partial_steps
from gaitdyn.events.passes import passes_found, pauses
from gaitdyn.events.shared import shared_rows, split_shared
from gaitdyn.events.stance import (
    closed_stances,
    open_stances,
    stance_from_events,
    stance_from_speed,
    stance_mask,
)
from gaitdyn.events.task import recognise
from gaitdyn.stages.belt_findings import belt_findings, force_findings, refused_belts
from gaitdyn.stages.belts import Surface, find_surface
from gaitdyn.stages.ground_findings import as_swing, no_gait, no_kinetics, plate_findings
from gaitdyn.types.findings import Finding
from gaitdyn.types.task import WALKING, Task

if TYPE_CHECKING:
    from gaitdyn.stages.body import SubjectBody
    from gaitdyn.stages.motion import Motion
    from gaitdyn.stages.session import Session
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.belts import Belt
    from gaitdyn.types.contacts import Contact
    from gaitdyn.types.options import Assignment, Options
    from gaitdyn.types.recording import Event, Recording
    from gaitdyn.types.trial import Trial
    from gaitdyn.types.wrench import FootWrench


@dataclass(frozen=True, slots=True, eq=False)
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
    belts: tuple[Belt, ...] = ()
    travel: dict[str, Array] = field(default_factory=dict[str, "Array"])
    task: Task = WALKING


def force_filter(options: Options, rate_hz: float) -> Filter:
    """Return the filter of the ground wrench."""
    cutoff = options.force_cutoff_hz
    if cutoff == "same":
        cutoff = options.cutoff_hz
    if options.profile == "plug-in-gait":
        cutoff = None
    return Filter(rate_hz, cutoff, options.filter, 0.0)


def find_ground(session: Session, body: SubjectBody, motion: Motion, options: Options) -> Ground:
    """Return contacts, events, stance and the wrench on each foot.

    Parameters
    ----------
    session : Session
    body : SubjectBody
    motion : Motion
    options : Options
    """
    closed, feet = _feet(session, motion, {})
    trial, findings = motion.trial, []
    light: list[SwingLoad] = []
    if options.profile == "default":
        trial, findings = with_decided_origins(trial, feet)
        light = swing_loads(trial.plates, feet, trial.recording, options.assign)
    walker = (motion.pose.origin_G, motion.pose.walking_G)
    cleaned = [clean_plate(plate) for plate in marked_as_loaded(trial.plates, light)]
    surface = find_surface(trial, cleaned, feet, walker)
    light = [] if surface.belts else light
    findings += swing_load_findings(light, trial.recording)
    loaded = surface.plates
    contacts, surface, closed, feet = _contacts(
        session, motion, trial, surface, options, (closed, feet)
    )
    mass_kg = body.subject.mass_kg
    weight = STANDARD_GRAVITY * (mass_kg or 0.0)
    contacts = mark_partial_steps(contacts, loaded, feet, closed, (trial.rate_hz, weight))
    task = _task(options, motion, trial.rate_hz)
    if task == WALKING:
        whose = BY_HAND if options.events else OF_THE_FILE
        events, notes, feet = _walked(trial, (contacts, loaded, feet), walker, whose, mass_kg)
    else:
        events, notes = tuple(sorted(trial.recording.events)), [no_gait(task, trial.recording)]
    stance = {foot.side: _with_contacts(foot, contacts) for foot in feet}
    contacts = refused_belts(contacts, surface.belts)
    findings += plate_findings(surface.cleaned, contacts, trial.recording) + notes
    findings += belt_findings(surface.belts)
    findings += force_findings(surface, contacts, events, trial.recording, mass_kg)
    wrench = {}
    if loaded:
        steps = (contacts, stance, closed, {foot.side: foot for foot in feet})
        wrench, doubts = _wrenches(trial, weight, options, loaded, (*steps, light))
        findings += doubts
    reason = no_kinetics(session, body, loaded, options)
    return Ground(
        trial, tuple(contacts), events, stance, wrench, findings, reason, surface.belts,
        surface.travel, task,
    )  # fmt: skip


def _task(options: Options, motion: Motion, rate_hz: float) -> Task:
    """Return the task: as given, otherwise recognised from the paths of pelvis and feet."""
    if options.task != "auto":
        return cast("Task", options.task)
    return recognise(motion.pose.origin_G, motion.feet, motion.pose.walking_G, rate_hz)


def _contacts(
    session: Session,
    motion: Motion,
    trial: Trial,
    surface: Surface,
    options: Options,
    standing: tuple[dict[str, Mask], list[TrialFoot]],
) -> tuple[list[Contact], Surface, dict[str, Mask], list[TrialFoot]]:
    """Return the contacts, and surface and feet (as :func:`_feet`) that go with them.

    ``standing`` is what :func:`_feet` returns on the floor. On belts, contacts of both feet are
    split, whole contacts refine the belts, and the feet are found again on ground that moves.
    """
    closed, feet = standing if not surface.travel else _feet(session, motion, surface.travel)
    loaded, first = surface.plates, trial.recording.first_frame
    assign = _usable_assignments(options, loaded, trial.recording)
    near_m = NEAR_POSE_M if session.model.engine == "poses" else NEAR_M
    contacts = assign_contacts(loaded, feet, trial.rate_hz, assign, first, near_m)
    if surface.belts:
        contacts = split_shared(contacts, loaded, feet, surface.standing, trial.rate_hz)
        surface = _refined(surface, contacts, feet, trial.rate_hz)
        closed, feet = _feet(session, motion, surface.travel)
        feet = [under_load(foot, loaded) for foot in feet]
    return contacts, surface, closed, feet


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
    feet = [_until_foot_off(foot, events, recording, away) for foot in found[-1]]
    return events, [*notes, *passes_found(away, recording)], feet


WHOLE = 2
"""A belt with this many whole contacts has their velocity instead of that from marker events."""


def _refined(
    surface: Surface, contacts: list[Contact], feet: list[TrialFoot], rate_hz: float
) -> Surface:
    """Return the surface with belts found from whole contacts, if a belt has two or more."""
    n = len(feet[0].heel_G)
    by_plate = {
        b.plate: b for b in belts_of(moving_feet(feet, contact_standings(contacts, n), rate_hz))
    }
    belts = tuple(
        by_plate[b.plate] if b.plate in by_plate and len(by_plate[b.plate].contacts) >= WHOLE else b
        for b in surface.belts
    )
    travel = belt_travel(belts, surface.standings, n, rate_hz)
    return replace(surface, belts=belts, travel=travel)


def _usable_assignments(
    options: Options, loaded: list[LoadedPlate], recording: Recording
) -> tuple[Assignment, ...]:
    """Return the assignments, without those from a data base to plates that cannot be used.

    Raises
    ------
    UsageError
        When the user assigns a plate or frames that the file does not have.
    FileRefused
        When the plate is in the file but cannot be used.
    """
    check_overlaps(options.assign)
    usable = [plate.wrench.number for plate in loaded]
    assignments = tuple(a for a in options.assign if a.origin == "user" or a.plate in usable)
    last = recording.first_frame + recording.n_frames - 1
    for given in assignments:
        if given.plate not in usable:
            numbers = ", ".join(map(str, usable)) or "none"
            message = (
                f"assign names plate {given.plate}; {recording.name} has usable plates {numbers}"
            )
            stored = given.plate in {plate.number for plate in recording.plates}
            raise FileRefused(message) if stored else UsageError(message)
        frames = given.frames
        if frames and not recording.first_frame <= frames[0] <= frames[1] <= last:
            raise UsageError(
                f"assign names frames {frames[0]}-{frames[1]} of plate {given.plate};"
                f" {recording.name} has frames {recording.first_frame}-{last}"
            )
    return assignments


def _wrenches(
    trial: Trial,
    weight: float,
    options: Options,
    loaded: list[LoadedPlate],
    steps: tuple[
        list[Contact], dict[str, Mask], dict[str, Mask], dict[str, TrialFoot], list[SwingLoad]
    ],
) -> tuple[dict[str, FootWrench], list[Finding]]:
    """Return the wrench of each foot.

    The plug-in-gait profile uses the plates as recorded. This profile and the vendor's column names
    also use the vendor's mask: only stances bounded by a foot strike and a foot-off are left empty.
    """
    contacts, stance, closed, feet, light = steps
    vendor = options.profile == "plug-in-gait"
    plates = loaded
    if vendor or options.baseline == "keep":
        plates = [
            LoadedPlate(wrench, plate.up, plate.noise_N, plate.edges)
            for wrench, plate in zip(trial.plates, loaded, strict=True)
        ]
    filter_ = force_filter(options, trial.rate_hz)
    wrench: dict[str, FootWrench] = {}
    findings: list[Finding] = []
    shared = shared_rows(contacts, trial.recording.n_frames)
    for side in stance:
        load = foot_load(plates, contacts, side, light, vendor=vendor)
        load[0][shared] = np.nan  # of both feet: filtering must not mix its two sides
        unknown = unknown_force(stance[side], load[2], trial.rate_hz)
        if vendor or options.names == "pig":
            in_stance, unknown = unknown, unknown_force(closed[side], load[2], trial.rate_hz)
            findings += as_swing(side, in_stance & ~unknown, trial.recording)
        unknown = unknown | (unseen_load(loaded, contacts, feet[side]) & ~load[2])
        wrench[side] = foot_wrench(load, unknown, filter_, weight)
    return wrench, findings


def _feet(
    session: Session, motion: Motion, travel: dict[str, Array]
) -> tuple[dict[str, Mask], list[TrialFoot]]:
    """Return the stances closed by file events, and the feet with all their stances.

    ``travel`` is how far the ground below each foot has moved; empty on the floor.
    """
    trial = motion.trial
    feet: list[TrialFoot] = []
    closed: dict[str, Mask] = {}
    for side in session.sides:
        heel, toe = motion.feet[side]
        events = [event for event in trial.recording.events if event.side == side]
        rows = event_rows(events, trial.recording)
        from_file = stance_from_events(events, rows, len(heel))
        moved = travel.get(side, 0.0)
        moving = stance_from_speed(heel - moved, toe - moved, trial.rate_hz)
        moving |= open_stances(events, rows, len(heel), trial.rate_hz)
        feet.append(TrialFoot(side, heel, toe, stance_mask(from_file, moving)))
        closed[side] = closed_stances(from_file)
    return closed, feet


def _until_foot_off(
    foot: TrialFoot,
    events: tuple[Event, ...],
    recording: Recording,
    away: list[tuple[int, int]],
) -> TrialFoot:
    """Return a foot that also stands between the strikes and foot-offs that were found.

    A foot that pushes off is too fast to be seen to stand, but its force is not zero. As with
    events of a file, which are at frames, the last frame of a cycle is not yet in the next stance.

    Parameters
    ----------
    foot : TrialFoot
    events : tuple of Event
    recording : Recording
    away : list of tuple
        Half-open rows in which nobody is in view.
    """
    own, n = [event for event in events if event.side == foot.side], len(foot.stance)
    rows = event_rows(own, recording)
    rows = np.where([event.kind == "foot_strike" for event in own], np.ceil(rows), rows)
    stands = closed_stances(stance_from_events(own, rows, n))
    stands |= open_stances(own, rows, n, recording.rate_hz)
    return replace(foot, stance=foot.stance | (stands & ~mask_of(away, n)))


def _with_contacts(foot: TrialFoot, contacts: list[Contact]) -> Mask:
    """Return the stance of a foot, including the load runs of its accepted contacts."""
    rows = ((c.start, c.stop) for c in contacts if c.side == foot.side and c.accepted)
    return foot.stance | mask_of(rows, len(foot.stance))
