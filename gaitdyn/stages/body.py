"""The model of this person: measurements, offsets, lengths, mass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.anthropometry import adult_table_doubt, segment_dimensions
from gaitdyn.calibrate.hip_choice import OWN_RULE, hip_offsets_P, pelvis_depth
from gaitdyn.calibrate.landmarks import Reference, build_reference
from gaitdyn.calibrate.markers import LETTER
from gaitdyn.calibrate.sagittal import sagittal_pose
from gaitdyn.calibrate.segment_tables import VENDOR_TABLE, SegmentTable, load_table
from gaitdyn.calibrate.skeleton import build_skeleton
from gaitdyn.calibrate.static import (
    calibrate,
    inter_asis_distance,
    leg_dimensions,
)
from gaitdyn.calibrate.subject import require_lengths, resolve_subject, with_diameter
from gaitdyn.clean.baseline import clean_plate
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.errors import ModelNotFound, UsageError
from gaitdyn.types.findings import Finding
from gaitdyn.types.motion import Calibration, LegOffsets

if TYPE_CHECKING:
    from gaitdyn.stages.session import Session
    from gaitdyn.types.options import Options
    from gaitdyn.types.subject import Subject
    from gaitdyn.types.trial import Trial

_STANDING_N, _FOOT_N = 100.0, 30.0


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """Subject, calibration and body-segment table of a run; reference of a landmark model.

    ``static_force_n`` is the vertical force on the plates of the static, None without one.
    """

    subject: Subject
    calibration: Calibration
    table: SegmentTable
    reference: Reference | None
    findings: list[Finding]
    log: list[str]
    static_force_n: float | None = None


def calibrate_session(session: Session, options: Options) -> Body:
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
    subject, noted = with_diameter(subject, recordings)
    findings += noted
    log = [finding.message for finding in noted]
    engine = session.model.engine
    _refuse_options(session, options)
    if engine == "chord":
        require_lengths(subject, session.sides)
    force = None if static is None else _standing_force(static)
    subject, weighed = _weigh(subject, force)
    findings += weighed
    log += [finding.message for finding in weighed if finding.code == "mass-from-static"]
    table = load_table(VENDOR_TABLE if options.profile == "plug-in-gait" else options.anthropometry)
    doubt = adult_table_doubt(subject)
    findings += [doubt] if doubt else []
    reference = None
    if engine == "landmarks":
        reference, calibration, doubts = _landmarks(session, options, subject, table)
    elif engine == "sagittal":
        calibration, doubts = _sagittal(session, subject, table), []
    else:
        calibration, doubts = _calibration(session, options, subject, table)
    log += [d.message for d in doubts]
    return Body(subject, calibration, table, reference, findings + doubts, log, force)


def _refuse_options(session: Session, options: Options) -> None:
    """Refuse options that the markers of the model cannot serve."""
    engine = session.model.engine
    if engine != "chord" and options.profile == "plug-in-gait":
        file = session.trial.recording.name
        message = (
            f"--profile plug-in-gait needs the markers of Plug-in Gait; {file} has"
            f" those of {session.model.name}"
        )
        raise UsageError(message)
    if engine == "sagittal" and options.moments_in == "lab":
        message = (
            "--moments-in lab needs all three components of a moment; the model"
            f" {session.model.name} shows the sagittal one only"
        )
        raise UsageError(message)
    if engine == "sagittal" and options.hip_centre != OWN_RULE:
        message = (
            f"--hip-centre {options.hip_centre} needs markers on the pelvis; the model"
            f" {session.model.name} has the hip at the trochanter marker"
        )
        raise UsageError(message)


def _landmarks(
    session: Session, options: Options, subject: Subject, table: SegmentTable
) -> tuple[Reference, Calibration, list[Finding]]:
    """Return the reference position of a landmark model and the lengths in it."""
    source, sides = session.static or session.trial, session.sides
    diameter = subject.marker_diameter_m or 0.0
    standing = session.static is not None
    reference = build_reference(
        source, session.model, sides, subject, standing=standing, hip=options.hip_centre
    )
    lengths, cm = {}, {}
    for side, leg in reference.legs.items():
        points = {
            "ANK": leg.malleolus,
            "HEE": leg.heel,
            "TOE": leg.toe,
            "ankle centre": leg.ankle,
            "knee centre": leg.knee,
            "hip centre": leg.hip,
        }
        lengths[side], cm[side] = segment_dimensions(
            table,
            subject.sex or "",
            {name: point[None] for name, point in points.items()},
            leg.axes[0][None],
            side,
        )
    calibration = Calibration({}, inter_asis_distance(source), diameter, lengths, cm, {})
    return reference, calibration, reference.findings


def _sagittal(session: Session, subject: Subject, table: SegmentTable) -> Calibration:
    """Return the lengths of a sagittal model, between its markers in the trial."""
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


def _standing_force(static: Trial) -> float | None:
    """Return the vertical force on the plates that carry more than 30 N, medians, N, or None."""
    if not static.plates:
        return None
    plates = [clean_plate(plate).wrench for plate in static.plates]
    forces = [float(np.median(np.abs(plate.force_G[:, 1]))) for plate in plates]
    total = sum(force for force in forces if force > _FOOT_N)
    return total if total > _STANDING_N else None


def _calibration(
    session: Session, options: Options, subject: Subject, table: SegmentTable
) -> tuple[Calibration, list[Finding]]:
    """Return the calibration from the static, or from what the trial stores without one."""
    trial, static, sides = session.trial, session.static, session.sides
    in_trial = trial.recording.vendor
    if static is None:
        return _without_static(session, options, subject, table)
    stored = static.recording.vendor or in_trial
    flat = {"auto": None, "yes": True, "no": False}[options.flat_foot]
    before = {side: stored.get(side, LegOffsets()) for side in sides}
    found = calibrate(static, subject, before, table, flat=flat, hip=options.hip_centre)
    if options.offsets == "static":
        return found, []
    return replace(found, offsets={s: in_trial.get(s, found.offsets[s]) for s in sides}), []


def _without_static(
    session: Session, options: Options, subject: Subject, table: SegmentTable
) -> tuple[Calibration, list[Finding]]:
    """Return a calibration from the trial alone: stored foot offsets, or none."""
    trial = session.trial
    inter_asis = subject.inter_asis_m or inter_asis_distance(trial)
    offsets = {s: trial.recording.vendor.get(s, LegOffsets()) for s in session.sides}
    depth = pelvis_depth(trial)
    hips_P = hip_offsets_P(options.hip_centre, subject, inter_asis, depth, session.sides)
    skeleton = build_skeleton(trial, subject, hips_P, offsets)
    sex = subject.sex or ""
    sizes = {s: leg_dimensions(trial, skeleton, s, offsets[s], table, sex) for s in session.sides}
    unseen = [s for s, size in sizes.items() if not np.isfinite([*size[0], *size[1]]).all()]
    if unseen:
        message = (
            f"{trial.recording.name}: in no frame are all markers of the {' and the '.join(unseen)}"
            " leg and the pelvis seen; name a standing trial with --static or fill the gaps"
        )
        raise ModelNotFound(message)
    known = all(s in trial.recording.vendor for s in session.sides)
    message = (
        "no static: the foot offsets stored in the trial are used"
        if known
        else "no static and no stored foot offsets: the ankle angles have no true zero;"
        " name a standing trial with --static"
    )
    calibration = Calibration(
        offsets=offsets,
        inter_asis_m=inter_asis,
        diameter_m=subject.marker_diameter_m or 0.0,
        lengths_m={s: size[0] for s, size in sizes.items()},
        foot_cm_F={s: size[1] for s, size in sizes.items()},
        flat_foot=dict.fromkeys(session.sides, False),
        hips_P=hips_P,
    )
    level = "info" if known else "warning"
    return calibration, [Finding(level, "no-static", trial.recording.name, message)]
