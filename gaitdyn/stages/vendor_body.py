"""Calibrate the vendor's model: from the static, or without a static from the trial alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.hip_choice import OWN_RULE
from gaitdyn.calibrate.plug_in_gait.markers import inter_asis_distance
from gaitdyn.calibrate.statics.measured import calibrate
from gaitdyn.calibrate.statics.stated_sizes import joint_width_doubts, pelvis_width_doubts
from gaitdyn.stages.no_static import without_static
from gaitdyn.types.findings import Finding
from gaitdyn.types.later import Last
from gaitdyn.types.motion import Calibration, LegOffsets
from gaitdyn.types.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.calibrate.body.segment_tables import SegmentTable
    from gaitdyn.stages.functional import FunctionalBody
    from gaitdyn.stages.session import Session
    from gaitdyn.types.options import Options
    from gaitdyn.types.rungs import Taken

_LAST_CALIBRATION: Last[Calibration] = Last()
"""Kept because the trials of a session share their static and usually its subject data."""


def vendor_calibration(
    session: Session,
    options: Options,
    subject_data: tuple[Subject, FunctionalBody],
    table: SegmentTable,
) -> tuple[Calibration, list[Finding]]:
    """Return the calibration from the static, or without a static from the trial alone."""
    (subject, functional), trial = subject_data, session.trial
    static, sides = session.static, session.sides
    in_trial = trial.recording.vendor
    hip, doubts = vendor_hip_rule(subject, options)
    if static is None:
        calibration, findings = without_static(session, hip, subject_data, table)
        return calibration, doubts + findings
    stored = static.recording.vendor or in_trial
    flat = {"auto": None, "yes": True, "no": False}[options.flat_foot]
    stored_offsets = {side: stored.get(side, LegOffsets()) for side in sides}
    calibration = _LAST_CALIBRATION.of(
        (static, *functional.hips_P.values(), *functional.knees.values()),
        (subject, stored_offsets, table, flat, hip, (*functional.hips_P, None, *functional.knees)),
        lambda: calibrate(
            static,
            subject,
            stored_offsets,
            table,
            flat=flat,
            hip=hip,
            placed=(functional.hips_P, functional.knees),
        ),
    )
    doubts += pelvis_width_doubts(calibration.inter_asis_m, inter_asis_distance(static), trial)
    doubts += joint_width_doubts(subject, static, sides)
    for side in sides:
        if side not in calibration.heel_F:
            doubts.append(_heelless(side, known=side in stored))
    if options.offsets == "static":
        return calibration, doubts
    offsets = {s: in_trial.get(s, calibration.offsets[s]) for s in sides}
    for side in functional.knees.keys() & offsets.keys():
        turned = calibration.offsets[side].thigh_rotation
        offsets[side] = replace(offsets[side], thigh_rotation=turned)
    return replace(calibration, offsets=offsets), doubts


def vendor_hip_rule(subject: Subject, options: Options) -> tuple[str, list[Finding]]:
    """Return the rule for the hip centres: Harrington's if Davis lacks the leg lengths."""
    legs = (subject.left.leg_length_m, subject.right.leg_length_m)
    if options.hip_centre != OWN_RULE or all(legs):
        return options.hip_centre, []
    message = (
        "leg lengths, which the vendor's hip regression needs, are not known: the hip"
        " centres are Harrington's, from width and depth of the pelvis (--subject: leg_length_mm in"
        " [subject.left] and [subject.right])"
    )
    return "harrington", [Finding("warning", "leg-length-unknown", "subject", message)]


def _heelless(side: str, *, known: bool) -> Finding:
    """Return the finding for a foot whose heel marker is not in the static."""
    consequence = (
        "its offsets are those that the file stores"
        if known
        else "its x axis runs from ankle to toe, dorsiflexion has no true zero"
    )
    message = f"{side} foot: no heel marker in the static; {consequence}"
    return Finding("info" if known else "warning", "foot-without-heel", f"{side} foot", message)


def torsion_told(calibration: Calibration, taken: Iterable[Taken]) -> list[str]:
    """Return what the user is told of a tibial torsion, which turns the axes of the shank."""
    turned = [
        f"{side} {np.degrees(-offsets.tibial_torsion):.0f}"
        for side, offsets in calibration.offsets.items()
        if offsets.tibial_torsion
    ]
    if not turned:
        return []
    shown = {step.seen_in for step in taken if step.rung == "malleoli-width"}
    source = f"medial malleoli of the {shown.pop()}" if shown else "stored in the files"
    words = f"tibial torsion, outward: {', '.join(turned)} deg ({source})"
    return [f"{words}; the shank's axes follow the knee axis"]
