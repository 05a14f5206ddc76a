"""Build the model of this person: measurements, offsets, lengths, mass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.body.anthropometry import segment_dimensions
from gaitdyn.calibrate.body.subject import resolve_subject
from gaitdyn.calibrate.body.table_choice import age_and_height, choose_table
from gaitdyn.calibrate.hip_choice import OWN_RULE
from gaitdyn.calibrate.ladder.model import ladder_match, roles_by_name
from gaitdyn.calibrate.ladder.taken import chord_rungs, planar_rungs, with_functional
from gaitdyn.calibrate.widths import (
    diameter_doubts,
    require_lengths,
    widths_known,
    with_diameter,
    with_drawn_widths,
)
from gaitdyn.errors import MarkersUnfit
from gaitdyn.stages.functional import FunctionalBody, find_functional_body, with_places
from gaitdyn.stages.vendor_body import torsion_told, vendor_calibration, vendor_hip_rule
from gaitdyn.stages.weighing import standing_force, weigh
from gaitdyn.types.arguments import option_of
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import Calibration
from gaitdyn.types.option_rows import not_usual
from gaitdyn.types.subject import Subject

if TYPE_CHECKING:
    from gaitdyn.calibrate.body.segment_tables import SegmentTable
    from gaitdyn.calibrate.posture.reference import Reference
    from gaitdyn.stages.session import Session
    from gaitdyn.types.marker_model import MarkerModel
    from gaitdyn.types.options import Options
    from gaitdyn.types.rungs import Taken


_TOLD = ("mass-from-static", "children-table")
"""Findings on the mass and the choice of the table that the user is told while the run goes on."""


@frozen(eq=False)
class SubjectBody:
    """Subject, calibration and body-segment table of a run; reference of a landmark model.

    ``model`` is the session's, or the ladder if measurements that the session's model needs are
    missing; ``taken`` are the rungs of each joint and segment.
    ``static_force_n`` is the vertical force on the plates of the static, None without one.
    """

    subject: Subject
    calibration: Calibration
    table: SegmentTable
    reference: Reference | None
    findings: list[Finding]
    log: list[str]
    model: MarkerModel
    static_force_n: float | None = None
    taken: tuple[Taken, ...] = ()


def calibrate_session(session: Session, options: Options) -> SubjectBody:
    """Return the model of the person from static, trial and options.

    Raises
    ------
    SubjectDataMissing
        When a length that the model needs is missing.
    MarkersUnfit
        When the markers of the model cannot serve an option.
    """
    static = session.static
    subject, findings, log = _measured(session, options)
    _refuse_options(session, options)
    model, affordable = _affordable(session, subject, options)
    force = None
    if static is not None:
        force = standing_force(static)
    subject, weighed = weigh(subject, force)
    table, chosen = choose_table(options, subject)
    log += [finding.message for finding in (*weighed, *chosen) if finding.code in _TOLD]
    chosen = [*chosen, *age_and_height(subject)]
    functional = find_functional_body(
        session, options, subject, _usual_hip(model, subject, options), model.engine
    )
    reference, taken, doubts = None, (), []
    if model.engine == "landmarks":
        reference, calibration, doubts = _landmarks(
            session, model, options, (subject, functional), table
        )
        taken = reference.taken
    elif model.engine == "poses":
        from gaitdyn.stages.poses import pose_lengths, pose_rungs

        calibration = pose_lengths(session.trial, session.sides, subject, table)
        taken = pose_rungs(session.trial, session.sides)
    elif model.engine == "sagittal":
        calibration = _sagittal(session, subject, table)
        taken = planar_rungs(session.trial.labels, session.sides)
    else:
        calibration, doubts = vendor_calibration(session, options, (subject, functional), table)
        hip = vendor_hip_rule(subject, options)[0]
        taken = chord_rungs(session.trial, static, session.sides, hip)
        taken = with_functional(taken, functional.fits)
        log += torsion_told(calibration, taken)
    findings += [*affordable, *weighed, *chosen, *functional.findings, *doubts]
    log += [*functional.log, *(doubt.message for doubt in doubts)]
    log += _unused_of_feet(session, model, options)
    return SubjectBody(subject, calibration, table, reference, findings, log, model, force, taken)


def _measured(session: Session, options: Options) -> tuple[Subject, list[Finding], list[str]]:
    """Return what was measured on the person, the findings on it, and what the user is told."""
    trial = session.trial.recording
    static = None if session.static is None else session.static.recording
    subject, findings = resolve_subject(options, trial, static)
    recordings = [trial] if static is None else [static, trial]
    notes: list[Finding] = []
    if not session.markerless:
        findings += diameter_doubts(subject, recordings)
        subject, notes = with_diameter(subject, recordings)
    subject, drawn = with_drawn_widths(subject, recordings)
    notes = [*notes, *drawn]
    return subject, [*findings, *notes], [note.message for note in notes]


def _affordable(
    session: Session, subject: Subject, options: Options
) -> tuple[MarkerModel, list[Finding]]:
    """Return the model of a session, or the ladder if the widths that it needs are missing.

    Raises
    ------
    SubjectDataMissing
        When the plug-in-gait profile lacks a length.
    """
    model = session.model
    if model.engine != "chord":
        return model, []
    if options.profile == "plug-in-gait":
        require_lengths(subject, session.sides)
    if widths_known(subject, session.sides):
        return model, []
    still = None if session.static is None else roles_by_name(session.static.recording)
    ladder = ladder_match(roles_by_name(session.trial.recording), still)
    message = (
        "knee and ankle widths are not known (subject.toml, the files' parameters, drawn joint"
        " centres): each joint uses the best rule that its landmarks allow"
    )
    return ladder.model, [Finding("warning", "widths-unknown", "subject", message)]


def _refuse_options(session: Session, options: Options) -> None:
    """Refuse options that the markers of the trial cannot serve."""
    engine = session.model.engine
    if engine != "chord" and options.profile == "plug-in-gait":
        raise MarkersUnfit(
            "--profile plug-in-gait needs the markers of Plug-in Gait;"
            f" {session.trial.recording.name} has those of {session.model.name}"
        )
    if engine == "sagittal" and options.moments_in == "lab":
        raise MarkersUnfit(
            "--moments-in lab needs all three components of a moment; the model"
            f" {session.model.name} shows the sagittal one only"
        )
    if engine == "poses" and options.hip_centre != OWN_RULE:
        raise MarkersUnfit(
            f"--hip-centre {options.hip_centre} needs markers on the pelvis; in segment poses the"
            " hip is the origin of the thigh"
        )
    if engine == "sagittal" and options.hip_centre != OWN_RULE:
        raise MarkersUnfit(
            f"--hip-centre {options.hip_centre} needs markers on the pelvis; the model"
            f" {session.model.name} has the hip at the trochanter marker"
        )


def _usual_hip(model: MarkerModel, subject: Subject, options: Options) -> str:
    """Return the rule for the hip centres that a run uses without functional trials."""
    if model.engine == "chord":
        return vendor_hip_rule(subject, options)[0]
    return "harrington" if options.hip_centre == OWN_RULE else options.hip_centre


def _landmarks(
    session: Session,
    model: MarkerModel,
    options: Options,
    subject_data: tuple[Subject, FunctionalBody],
    table: SegmentTable,
) -> tuple[Reference, Calibration, list[Finding]]:
    """Return the reference position of a landmark model and the lengths in it."""
    from gaitdyn.calibrate.ladder.legs import build_reference
    from gaitdyn.calibrate.ladder.usual_foot import standing_foot
    from gaitdyn.calibrate.posture.reference import Person
    from gaitdyn.calibrate.posture.reference_position import find_posture

    (subject, functional), trial, sides = subject_data, session.trial, session.sides
    stored = {} if session.static is None else session.static.recording.vendor
    person = Person(
        subject,
        options.hip_centre,
        trial.recording.vendor | stored,
        functional.hips_P,
        functional.fits,
    )
    posture, doubts = find_posture(trial, session.static, model, sides, person)
    posture = with_places(posture, functional, session.static)
    reference = build_reference(posture, model, sides, person)
    lengths, cm = {}, {}
    for side, leg in reference.legs.items():
        heel, toe, R_GF = standing_foot(leg)
        points = {
            "ANK": leg.malleolus,
            "HEE": heel,
            "TOE": toe,
            "ankle centre": leg.ankle,
            "knee centre": leg.knee,
            "hip centre": leg.hip,
        }
        lengths[side], cm[side] = segment_dimensions(
            table,
            subject.sex or "",
            {name: point[None] for name, point in points.items()},
            R_GF[None],
            side,
        )
    width = float(np.linalg.norm(posture.places["LASI"] - posture.places["RASI"]))
    calibration = Calibration({}, width, subject.marker_diameter_m or 0.0, lengths, cm, {})
    return reference, calibration, doubts + reference.findings


def _unused_of_feet(session: Session, model: MarkerModel, options: Options) -> list[str]:
    """Return a log line on options about the feet that the model or the trial does not serve."""
    if model.engine != "chord":
        unused = [option_of(field) for field in not_usual(options, ("offsets", "flat_foot"))]
        why = f"the model {model.name} does not calibrate the feet as Plug-in Gait does"
        return [f"{', '.join(unused)} not used: {why}"] if unused else []
    trial = session.trial.recording
    lacking = [side for side in session.sides if side not in trial.vendor]
    if options.offsets != "trial" or session.static is None or not lacking:
        return []
    whose = f"{' and '.join(lacking)} leg{'s' * (len(lacking) > 1)}"
    return [f"--offsets trial not used: {trial.name} stores none for the {whose}"]


def _sagittal(session: Session, subject: Subject, table: SegmentTable) -> Calibration:
    """Return the segment lengths of a sagittal model, from its markers in the trial."""
    from gaitdyn.calibrate.sagittal import sagittal_pose
    from gaitdyn.stages.motion import sagittal_feet
    from gaitdyn.stages.poses import lengths_of_legs

    pose = sagittal_pose(session.trial, session.sides)
    return lengths_of_legs(pose, sagittal_feet(session.trial, session.sides), subject, table)
