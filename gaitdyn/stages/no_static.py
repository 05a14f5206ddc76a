"""Calibrate the body when there is no static, and report what that costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.calibrate.body.segment_tables import SegmentTable
from gaitdyn.calibrate.hip_choice import hip_offsets_P, pelvis_depth
from gaitdyn.calibrate.plug_in_gait.leg_offsets import (
    axis_offsets,
    functional_rotation,
    walking_offsets,
)
from gaitdyn.calibrate.plug_in_gait.markers import inter_asis_distance
from gaitdyn.calibrate.plug_in_gait.skeleton import build_skeleton, build_static_skeleton
from gaitdyn.calibrate.statics.measured import leg_dimensions
from gaitdyn.errors import ModelNotFound
from gaitdyn.stages.functional import FunctionalBody
from gaitdyn.stages.session import Session
from gaitdyn.types.findings import Finding
from gaitdyn.types.motion import Calibration, LegOffsets
from gaitdyn.types.subject import LETTER, Subject
from gaitdyn.types.trial import Trial


def without_static(
    session: Session, hip: str, subject_data: tuple[Subject, FunctionalBody], table: SegmentTable
) -> tuple[Calibration, list[Finding]]:
    """Return a calibration from the trial alone: offsets as stored, or those that it shows.

    Without stored ones the feet are those of its stances, and medial markers of knee and ankle give
    the axes, as in a static.
    """
    (subject, functional), trial = subject_data, session.trial
    inter_asis = subject.inter_asis_m or inter_asis_distance(trial)
    stored = trial.recording.vendor
    offsets = {s: stored.get(s, LegOffsets()) for s in session.sides}
    hips_P = hip_offsets_P(hip, subject, inter_asis, pelvis_depth(trial), session.sides)
    hips_P |= {side: hip_P for side, hip_P in functional.hips_P.items() if side in hips_P}
    for side, fit in functional.knees.items():
        if side in offsets:
            angle = functional_rotation(trial, subject, side, hips_P[side], fit)
            offsets[side] = replace(offsets[side], thigh_rotation=angle)
    own = {side: offset for side, offset in offsets.items() if side not in stored}
    turned = functional.knees
    legs = build_static_skeleton(trial, subject, hips_P, own, turned).legs if own else {}
    offsets |= {
        side: axis_offsets(trial, legs[side], side, before, known=side in turned)
        for side, before in own.items()
    }
    skeleton = build_skeleton(trial, subject, hips_P, offsets)
    spread: dict[str, float] = {}
    for side in session.sides:
        if side not in stored and LETTER[side] + "HEE" in trial.labels:
            offsets[side], spread[side] = walking_offsets(trial, skeleton, side, offsets[side])
    sex = subject.sex or ""
    sizes = {s: leg_dimensions(trial, skeleton, s, offsets[s], table, sex) for s in session.sides}
    lacking = [s for s, size in sizes.items() if not np.isfinite([*size[0], *size[1]]).all()]
    if lacking:
        raise ModelNotFound(
            f"{trial.recording.name}: no frame shows all markers of the pelvis and the"
            f" {' and the '.join(lacking)} leg; name a standing trial with --static or fill the"
            " gaps"
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
    return calibration, [_no_static(trial, session.sides, spread)]


def _no_static(trial: Trial, sides: list[str], spread: dict[str, float]) -> Finding:
    """Return the finding on what a run without a static costs, of one side if only this one pays.

    ``spread`` are the feet that are lines from heel to toe, and how well these are known, deg.
    """
    name = trial.recording.name
    lacking = [side for side in sides if side not in trial.recording.vendor]
    if not lacking:
        message = "no static: the foot offsets stored in the trial are used"
        return Finding("info", "no-static", name, message)
    found = [spread[side] for side in lacking if side in spread]
    known = f" (known to {max(found, default=0.0):.1f} degrees)"
    line = len(found) == len(lacking)
    if lacking != sides:
        (side,) = lacking
        zero = "its ankle angle has no true zero"
        how = f"it is the line from heel to toe, the mean over stance{known}, so {zero}"
        message = f"no static and no stored offsets of the {side} foot: {how if line else zero}"
    else:
        side, zero = None, "the ankle angles have no true zero"
        how = f"the feet are the lines from heel to toe, means over stance{known}, so {zero}"
        message = f"no static and no stored foot offsets: {how if line else zero}"
    message += "; name a standing trial with --static"
    return Finding("warning", "no-static", name, message, side=side)
