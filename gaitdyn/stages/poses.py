"""Body and motion of a trial of segment poses, in the same form as those from markers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.axes import walking_direction
from gaitdyn.calibrate.body.anthropometry import segment_dimensions
from gaitdyn.calibrate.posture.posed import (
    bone_lengths,
    ends_of_feet,
    legs_of,
    next_joints,
    pose_of_segments,
    posed_rungs,
)
from gaitdyn.core.medians import known_medians, median
from gaitdyn.core.percentiles import percentile
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import complete_rows
from gaitdyn.errors import ModelNotFound
from gaitdyn.events.passes import pauses
from gaitdyn.kinematics.angles import segment_angles
from gaitdyn.kinematics.poses import angle_names, fixed_angles, smooth_poses, spread
from gaitdyn.stages.gaps import gap_findings
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.motion import Calibration, Pose

if TYPE_CHECKING:
    from gaitdyn.calibrate.body.segment_tables import SegmentTable
    from gaitdyn.clean.smoothing import Filter
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.poses import SegmentPoses
    from gaitdyn.types.recording import Recording
    from gaitdyn.types.rungs import Taken
    from gaitdyn.types.subject import Subject
    from gaitdyn.types.trial import Trial

Fixed = dict[str, tuple[tuple[str, int], ...]]

_DRIFT_MM, _RIGID_MM, _ASKEW_DEG, _MOSTLY = 10.0, 0.1, 10.0, 95.0


def reading_findings(recording: Recording) -> list[Finding]:
    """Return findings on poses as stored: clock, changing lengths, reliability."""
    poses, findings = recording.poses, _clock(recording)
    if poses is None or recording.labels != poses.landmark_names:
        return findings
    for side in legs_of(poses):
        for name, length in bone_lengths(poses, side).items():
            drift = 1000 * spread(length)
            if drift > _DRIFT_MM:
                message = (
                    f"{side} {name}: its length changes by {drift:.0f} mm over the trial: its"
                    " joints come apart, which changes the moments of the joint above"
                )
                scope = f"{side} {name}"
                findings.append(Finding("warning", "pose-length", scope, message, drift, side=side))
        findings += _axes_found(poses, side)
    reliability = poses.reliability[np.isfinite(poses.reliability) & (poses.reliability > 0)]
    if reliability.size:
        message = (
            f"reliability of the poses: {reliability.min():g} to {reliability.max():g}, median"
            f" {median(reliability):g}, as the maker counts it"
        )
        findings.append(Finding("info", "pose-reliability", poses.system, message))
    return findings


def _axes_found(poses: SegmentPoses, side: str) -> Findings:
    """Yield findings on segments in whose axes the next joint slides, or is not along the bone."""
    for own, place in next_joints(poses, side).items():
        usual = known_medians(place)
        off = lengths(place - usual)
        known = off[np.isfinite(off)]
        slides = 1000 * percentile(known, _MOSTLY) if known.size else 0.0
        if slides > _DRIFT_MM:
            message = (
                f"{own}: the next joint is up to {slides:.0f} mm from its usual place in the axes"
                " of the segment: these are wrong, or of another segment or time"
            )
            yield Finding("warning", "pose-slides", own, message, slides, side=side)
        elif own.endswith(("thigh", "shank")):
            askew = float(np.degrees(np.arccos(-usual[1] / lengths(usual))))
            if askew > _ASKEW_DEG:
                message = (
                    f"{own}: its long axis is {askew:.0f} deg off the line of its joints: its axes"
                    " are not those of the maker's table"
                )
                yield Finding("warning", "pose-askew", own, message, askew, side=side)


def _clock(recording: Recording) -> list[Finding]:
    """Return a finding if the forces of a second file were moved in time."""
    forces = recording.forces
    if forces is None or not forces.offset_s:
        return []
    late = 1000 * forces.offset_s
    message = (
        f"the forces of {forces.name} are moved by {late:+.0f} ms, by foot heights and vertical"
        " force, to about 20 ms: synchronise both systems for reliable moments"
    )
    return [Finding("warning", "clock-offset", forces.name, message, late)]


def pose_lengths(
    session_trial: Trial, sides: list[str], subject: Subject, table: SegmentTable
) -> Calibration:
    """Return the segment lengths of a recording of poses, means over the trial.

    Parameters
    ----------
    session_trial : Trial
        The trial of the session.
    sides : list of {"left", "right"}
    subject : Subject
    table : SegmentTable
    """
    pose = pose_of_segments(_poses(session_trial), session_trial.R_GL, np.array([1.0, 0.0, 0.0]))
    points_G = dict(
        zip(session_trial.labels, np.moveaxis(session_trial.markers_G, 1, 0), strict=True)
    )
    ends = {side: ends_of_feet(points_G, pose, side) for side in sides}
    return lengths_of_legs(pose, ends, subject, table)


def lengths_of_legs(
    pose: Pose, feet: dict[str, tuple[Array, Array]], subject: Subject, table: SegmentTable
) -> Calibration:
    """Return the segment lengths of legs whose joint centres are in the pose, means over the trial.

    Parameters
    ----------
    pose : Pose
    feet : dict
        Side -> heel and toe, shape (n, 3) each, m.
    subject : Subject
    table : SegmentTable
    """
    lengths, cm = {}, {}
    for side, (heel, toe) in feet.items():
        leg = pose.leg(side)
        ankle, knee, hip = np.moveaxis(leg.r_prox_G, 1, 0)
        points = {"ANK": ankle, "HEE": heel, "TOE": toe}
        points |= {"ankle centre": ankle, "knee centre": knee, "hip centre": hip}
        lengths[side], cm[side] = segment_dimensions(
            table, subject.sex or "", points, leg.R_GS[:, 0], side
        )
    return Calibration({}, np.nan, subject.marker_diameter_m or 0.0, lengths, cm, {})


def pose_rungs(trial: Trial, sides: list[str]) -> tuple[Taken, ...]:
    """Return the source of each joint and axis of a recording of poses."""
    return posed_rungs(_poses(trial), sides)


def pose_motion(
    trial: Trial, sides: list[str], filter_: Filter
) -> tuple[Trial, Pose, dict[str, dict[str, Array]], dict[str, tuple[Array, Array]], list[Finding]]:
    """Return filtered landmarks, pose, angles, heel and toe of the feet, and findings.

    Parameters
    ----------
    trial : Trial
    sides : list of {"left", "right"}
    filter_ : Filter
    """
    raw = _poses(trial)
    R, origin, filled = smooth_poses(raw.R_LS, raw.origin_L, filter_)
    poses = replace(raw, R_LS=R, origin_L=origin)
    points = {name: point_L @ trial.R_GL.T for name, point_L in poses.points().items()}
    walking = walking_direction(
        poses.origin("pelvis") @ trial.R_GL.T, trial.R_GL @ poses.rotation("pelvis")
    )
    fixed = fixed_angles(pose_of_segments(raw, trial.R_GL, walking), sides)
    pose = pose_of_segments(poses, trial.R_GL, walking, fixed)
    angles = {side: segment_angles(pose, side) for side in sides}
    feet = {side: ends_of_feet(points, pose, side) for side in sides}
    markers = np.stack([points[label] for label in trial.labels], axis=1)
    findings = [*_gaps(poses, filled, filter_.rate_hz), *_fixed(fixed, raw)]
    return replace(trial, markers_G=markers), pose, angles, feet, findings


def _poses(trial: Trial) -> SegmentPoses:
    poses = trial.recording.poses
    if poses is None:
        raise ModelNotFound(
            f"{trial.recording.name}: no segment poses; wanted a file with segment poses"
        )
    return poses


def _fixed(fixed: Fixed, poses: SegmentPoses) -> Findings:
    """Return a finding for each side on the angles that the maker's model does not measure."""
    for side, angles in fixed.items():
        if angles:
            message = (
                f"{side} {', '.join(angle_names(angles))}: the same in every frame, because the"
                f" model of {poses.system} does not let it change: not measured, left empty"
                f"{_rigid(poses, side)}"
            )
            yield Finding("info", "angle-not-measured", side, message, side=side)


def _rigid(poses: SegmentPoses, side: str) -> str:
    """Return a clause if bones keep their lengths, so that joints cannot come apart."""
    known = [most for most in map(spread, bone_lengths(poses, side).values()) if most >= 0.0]
    if not known or 1000 * max(known) > _RIGID_MM:
        return ""
    return f"; nor are translations of its joints, bones keep their lengths within {_RIGID_MM:g} mm"


def _gaps(poses: SegmentPoses, filled: Mask, rate_hz: float) -> Findings:
    """Yield findings about gaps, one for all segments with the same gap."""
    R, groups = poses.R_LS, dict[bytes, list[int]]()
    known = np.stack([complete_rows(R[:, i]) for i in range(len(poses.segments))], axis=1)
    between = pauses(R[..., 0], rate_hz)
    for i in range(len(poses.segments)):
        groups.setdefault(known[:, i].tobytes() + filled[:, i].tobytes(), []).append(i)
    for group in groups.values():
        i, names = group[0], ", ".join(poses.segments[j] for j in group)
        seen = bool(known[:, i].any())
        yield from gap_findings(names, filled[:, i], known[:, i], between, seen=seen)
