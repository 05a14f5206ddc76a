"""The model of this person: measurements, offsets, lengths, mass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.anthropometry import segment_dimensions
from gaitdyn.calibrate.hip_choice import OWN_RULE
from gaitdyn.calibrate.ladder import ladder_match, roles_by_name
from gaitdyn.calibrate.static import (
    calibrate,
    inter_asis_distance,
)
from gaitdyn.calibrate.subject import resolve_subject
from gaitdyn.calibrate.table_choice import choose_table
from gaitdyn.calibrate.taken import chord_rungs, planar_rungs, with_functional
from gaitdyn.calibrate.widths import require_lengths, widths_known, with_diameter, with_drawn_widths
from gaitdyn.clean.baseline import clean_plate
from gaitdyn.core.medians import median
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.errors import UsageError
from gaitdyn.stages.functional import FunctionalBody, find_functional_body, with_places
from gaitdyn.stages.no_static import without_static
from gaitdyn.types.findings import Finding
from gaitdyn.types.later import Last
from gaitdyn.types.motion import Calibration, LegOffsets
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from gaitdyn.calibrate.landmarks import Reference
    from gaitdyn.calibrate.segment_tables import SegmentTable
    from gaitdyn.stages.session import Session
    from gaitdyn.types.marker_model import MarkerModel
    from gaitdyn.types.options import Options
    from gaitdyn.types.rungs import Taken
    from gaitdyn.types.subject import Subject
    from gaitdyn.types.trial import Trial

_STANDING_N, _FOOT_N = 100.0, 30.0
_ASIS_DIFFERS = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class SubjectBody:
    """Subject, calibration and body-segment table of a run; reference of a landmark model.

    ``model`` is the session's, or the ladder where measurements are missing that it needs;
    ``taken`` are the rungs of each joint and segment.
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
        When a length that the model needs is nowhere.
    UsageError
        When the markers of the model cannot serve an option.
    """
    recordings = [session.trial.recording]
    static = session.static
    if static is not None:
        recordings.insert(0, static.recording)
    subject, findings = resolve_subject(
        options, session.trial.recording, None if static is None else static.recording
    )
    noted: list[Finding] = []
    if session.model.engine != "poses":  # which has no markers
        subject, noted = with_diameter(subject, recordings)
    findings += noted
    log = [finding.message for finding in noted]
    subject, noted = with_drawn_widths(subject, recordings)
    findings += noted
    log += [finding.message for finding in noted]
    _refuse_options(session, options)
    model, doubts = _affordable(session, subject, options)
    findings += doubts
    force = None
    if static is not None:
        force = _LAST_FORCE.of((static,), (), lambda: _standing_force(static))
    subject, weighed = _weigh(subject, force)
    findings += weighed
    log += [finding.message for finding in weighed if finding.code == "mass-from-static"]
    table, noted = choose_table(options, subject)
    findings += noted
    log += [finding.message for finding in noted if finding.code == "children-table"]
    shown = find_functional_body(
        session, options, subject, _usual_hip(model, subject, options), model.engine
    )
    findings += shown.findings
    log += shown.log
    reference, taken = None, ()
    if model.engine == "landmarks":
        reference, calibration, doubts = _landmarks(
            session, model, options, (subject, shown), table
        )
        taken = reference.taken
    elif model.engine == "poses":
        from gaitdyn.stages.poses import pose_lengths, pose_rungs

        calibration, doubts = pose_lengths(session.trial, session.sides, subject, table), []
        taken = pose_rungs(session.trial, session.sides)
    elif model.engine == "sagittal":
        calibration, doubts = _sagittal(session, subject, table), []
        taken = planar_rungs(session.sides)
    else:
        calibration, doubts = _calibration(session, options, (subject, shown), table)
        taken = chord_rungs(session.trial, session.static, session.sides, options.hip_centre)
        taken = with_functional(taken, shown.fits)
    log += [d.message for d in doubts]
    return SubjectBody(
        subject, calibration, table, reference, findings + doubts, log, model, force, taken
    )


def _affordable(
    session: Session, subject: Subject, options: Options
) -> tuple[MarkerModel, list[Finding]]:
    """Return the model of a session, or the ladder where the widths that it needs are nowhere.

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
    climbed = ladder_match(roles_by_name(session.trial.recording), still)
    message = (
        "knee and ankle widths are not known (subject.toml, the files' parameters, drawn joint"
        " centres): each joint takes the best of what its landmarks allow"
    )
    return climbed.model, [Finding("warning", "widths-unknown", "subject", message)]


def _refuse_options(session: Session, options: Options) -> None:
    """Refuse options that the markers of the model cannot serve."""
    engine = session.model.engine
    if engine != "chord" and options.profile == "plug-in-gait":
        file = session.trial.recording.name
        raise UsageError(
            f"--profile plug-in-gait needs the markers of Plug-in Gait; {file} has"
            f" those of {session.model.name}"
        )
    if engine == "sagittal" and options.moments_in == "lab":
        raise UsageError(
            "--moments-in lab needs all three components of a moment; the model"
            f" {session.model.name} shows the sagittal one only"
        )
    if engine == "poses" and options.hip_centre != OWN_RULE:
        raise UsageError(
            f"--hip-centre {options.hip_centre} needs markers on the pelvis; in segment poses the"
            " hip is the origin of the thigh"
        )
    if engine == "sagittal" and options.hip_centre != OWN_RULE:
        raise UsageError(
            f"--hip-centre {options.hip_centre} needs markers on the pelvis; the model"
            f" {session.model.name} has the hip at the trochanter marker"
        )


def _usual_hip(model: MarkerModel, subject: Subject, options: Options) -> str:
    """Return the rule of the hip centres that a run takes without functional trials."""
    if model.engine == "chord":
        return _hip_rule(subject, options)[0]
    return "harrington" if options.hip_centre == OWN_RULE else options.hip_centre


def _landmarks(
    session: Session,
    model: MarkerModel,
    options: Options,
    who: tuple[Subject, FunctionalBody],
    table: SegmentTable,
) -> tuple[Reference, Calibration, list[Finding]]:
    """Return the reference position of a landmark model and the lengths in it."""
    from gaitdyn.calibrate.landmarks import Person, build_reference
    from gaitdyn.calibrate.postures import find_posture
    from gaitdyn.calibrate.usual_foot import standing_foot

    (subject, shown), trial, sides = who, session.trial, session.sides
    stored = {} if session.static is None else session.static.recording.vendor
    person = Person(
        subject, options.hip_centre, trial.recording.vendor | stored, shown.hips_P, shown.fits
    )
    posture, doubts = find_posture(trial, session.static, model, sides, person)
    posture = with_places(posture, shown, session.static)
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
    diameter = subject.marker_diameter_m or 0.0
    calibration = Calibration({}, width, diameter, lengths, cm, {})
    return reference, calibration, doubts + reference.findings


def _sagittal(session: Session, subject: Subject, table: SegmentTable) -> Calibration:
    """Return the lengths of a sagittal model, between its markers in the trial."""
    from gaitdyn.calibrate.sagittal import sagittal_pose

    trial = session.trial
    pose = sagittal_pose(trial, session.sides)
    lengths, cm = {}, {}
    for side in session.sides:
        leg = pose.leg(side)
        ankle, knee, hip = np.moveaxis(leg.r_prox_G, 1, 0)
        heel, toe = (trial.marker(LETTER[side] + role) for role in ("HEE", "MT5"))
        points = {"ANK": ankle, "HEE": heel, "TOE": toe}
        points |= {"ankle centre": ankle, "knee centre": knee, "hip centre": hip}
        lengths[side], cm[side] = segment_dimensions(
            table, subject.sex or "", points, leg.R_GS[:, 0], side
        )
    return Calibration({}, np.nan, subject.marker_diameter_m or 0.0, lengths, cm, {})


def _weigh(subject: Subject, force: float | None) -> tuple[Subject, list[Finding]]:
    """Return the subject with a mass from the static's vertical force where none is known."""
    if force is None:
        return subject, []
    weighed = force / STANDARD_GRAVITY
    if subject.mass_kg is None:
        message = (
            f"the body mass is not given; {weighed:.1f} kg by the vertical force of the static"
        )
        sources = {**subject.sources, "mass_kg": "static force"}
        found = Finding("warning", "mass-from-static", "subject", message, weighed)
        return replace(subject, mass_kg=weighed, sources=sources), [found]
    off = abs(weighed - subject.mass_kg) / subject.mass_kg
    message = (
        f"body mass {subject.mass_kg:.1f} kg, but the plates of the static carry"
        f" {weighed:.1f} kg; {subject.mass_kg:.1f} kg is used"
    )
    return subject, [Finding("warning", "mass-differs", "subject", message, off)]


_LAST_FORCE: Last[float | None] = Last()
_LAST_FOUND: Last[Calibration] = Last()
"""The trials of a session share their static and, as a rule, its person."""


def _standing_force(static: Trial) -> float | None:
    """Return the vertical force on the plates that carry more than 30 N, medians, N, or None."""
    if not static.plates:
        return None
    plates = [clean_plate(plate).wrench for plate in static.plates]
    forces = [float(median(np.abs(plate.force_G[:, 1]))) for plate in plates]
    total = sum(force for force in forces if force > _FOOT_N)
    return total if total > _STANDING_N else None


def _calibration(
    session: Session, options: Options, who: tuple[Subject, FunctionalBody], table: SegmentTable
) -> tuple[Calibration, list[Finding]]:
    """Return the calibration from the static, or from what the trial stores without one."""
    (subject, shown), trial = who, session.trial
    static, sides = session.static, session.sides
    in_trial = trial.recording.vendor
    hip, doubts = _hip_rule(subject, options)
    if static is None:
        found, more = without_static(session, hip, who, table)
        return found, doubts + more
    stored = static.recording.vendor or in_trial
    flat = {"auto": None, "yes": True, "no": False}[options.flat_foot]
    before = {side: stored.get(side, LegOffsets()) for side in sides}
    found = _LAST_FOUND.of(
        (static, *shown.hips_P.values(), *shown.knees.values()),
        (subject, before, table, flat, hip, (*shown.hips_P, None, *shown.knees)),
        lambda: calibrate(
            static, subject, before, table, flat=flat, hip=hip, placed=(shown.hips_P, shown.knees)
        ),
    )
    doubts += _inter_asis_doubt(found.inter_asis_m, inter_asis_distance(static), trial)
    for side in sides:
        if side not in found.heel_F:
            doubts.append(_heelless(side, known=side in stored))
    if options.offsets == "static":
        return found, doubts
    offsets = {s: in_trial.get(s, found.offsets[s]) for s in sides}
    return replace(found, offsets=offsets), doubts


def _hip_rule(subject: Subject, options: Options) -> tuple[str, list[Finding]]:
    """Return the rule of the hip centres: Harrington's where Davis lacks the leg lengths."""
    legs = (subject.left.leg_length_m, subject.right.leg_length_m)
    if options.hip_centre != OWN_RULE or all(legs):
        return options.hip_centre, []
    message = (
        "leg lengths are not known, which the vendor's regression of the hip asks for: the hip"
        " centres are Harrington's, from width and depth of the pelvis (--subject, leg_length_mm)"
    )
    return "harrington", [Finding("warning", "leg-length-unknown", "subject", message)]


def _heelless(side: str, *, known: bool) -> Finding:
    """Return the finding of a foot whose heel is in no static."""
    how = (
        "its offsets are those that the file stores"
        if known
        else "its x axis runs from ankle to toe, dorsiflexion has no true zero"
    )
    message = f"{side} foot: no heel marker in the static; {how}"
    return Finding("info" if known else "warning", "foot-without-heel", f"{side} foot", message)


def _inter_asis_doubt(used_m: float, seen_m: float, trial: Trial) -> list[Finding]:
    """Return a finding where the ASIS stand apart by more than 1 % other than what is used."""
    found = []
    stored = trial.recording.subject.inter_asis_m
    for value, whose in ((seen_m, "by the markers of the static"), (stored, "by the trial")):
        off = abs((value or np.nan) - used_m) / used_m
        if off > _ASIS_DIFFERS:
            message = (
                f"distance of the ASIS: {1000 * used_m:.0f} mm is used,"
                f" {1000 * (value or np.nan):.0f} mm {whose}"
            )
            found.append(Finding("info", "inter-asis-differs", "subject", message, off))
    return found
