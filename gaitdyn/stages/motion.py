"""Compute the pose of every segment and its angles from recorded markers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.axes import walking_direction
from gaitdyn.calibrate.ladder.usual_foot import bridged_ends, usual_heel
from gaitdyn.calibrate.plug_in_gait.markers import BACK, LEG, PELVIS
from gaitdyn.calibrate.plug_in_gait.skeleton import build_skeleton
from gaitdyn.calibrate.statics.measured import pose_of
from gaitdyn.clean.smoothing import Filter, smooth
from gaitdyn.core.rotations import rotate
from gaitdyn.core.runs import known_points
from gaitdyn.events.passes import pauses
from gaitdyn.kinematics.angles import segment_angles, with_way_back
from gaitdyn.stages.gaps import gap_findings
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import LETTER
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from gaitdyn.calibrate.posture.reference import Reference
    from gaitdyn.stages.body import SubjectBody
    from gaitdyn.stages.session import Session
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.motion import Pose
    from gaitdyn.types.options import Options
    from gaitdyn.types.trial import Trial


@frozen(arrays=True)
class Motion:
    """Filtered markers, pose and angles.

    Attributes
    ----------
    trial : Trial
        With the markers of the model only, filtered, short gaps filled.
    pose : Pose
    angles : dict
        Side -> angles of :func:`gaitdyn.kinematics.angles.segment_angles`, deg.
    feet : dict
        Side -> heel and toe (head of metatarsal II; V of a sagittal model), shape (n, 3) each, m.
    findings : list of Finding
    """

    trial: Trial
    pose: Pose
    angles: dict[str, dict[str, Array]]
    feet: dict[str, tuple[Array, Array]]
    findings: list[Finding]


def marker_filter(options: Options, rate_hz: float) -> Filter:
    """Return the marker filter; the plug-in-gait profile leaves markers as recorded."""
    if options.profile == "plug-in-gait":
        return Filter(rate_hz, None, longest_gap_s=0.0)
    return Filter(rate_hz, options.cutoff_hz, options.filter, options.longest_gap_s, _BRIDGED_S)


_BRIDGED_S = 0.2
"""Frames next to a marker gap no longer than this use data from both sides of the gap, s."""


def find_motion(session: Session, body: SubjectBody, options: Options) -> Motion:
    """Return the pose and the angles of a trial."""
    labels = _model_markers(session, body)
    filter_ = marker_filter(options, session.trial.rate_hz)
    if session.model.engine == "poses":
        from gaitdyn.stages.poses import pose_motion

        return Motion(*pose_motion(session.trial, session.sides, filter_))
    trial, findings = _filtered(session.trial, labels, filter_, body.reference)
    if body.reference is not None:
        return _tracked(trial, body.reference, findings)
    if session.model.engine == "sagittal":
        return _planar(trial, session.sides, findings, requested=options.model != "auto")
    pose = find_pose(trial, session, body, options)
    if options.profile == "default":
        pose = with_way_back(pose, trial.rate_hz)
    angles = {side: segment_angles(pose, side) for side in session.sides}
    feet = {side: _feet(trial, pose, body, side) for side in session.sides}
    return Motion(trial, pose, angles, feet, findings)


def _feet(trial: Trial, pose: Pose, body: SubjectBody, side: str) -> tuple[Array, Array]:
    """Return heel and toe of a foot of Plug-in Gait.

    Events and plates need an outline of the foot. A heel that is visible in less than half of the
    frames of its foot is placed as in the static, or as in a foot of usual shape without one.
    """
    toe, label = trial.marker(LETTER[side] + "TOE"), LETTER[side] + "HEE"
    leg = pose.leg(side)
    foot, ankle = leg.R_GS[:, 0], leg.r_prox_G[:, 0]
    known = np.isfinite(foot).all(axis=(1, 2))
    heel = trial.marker(label) if label in trial.labels else np.full_like(toe, np.nan)
    if 2 * np.isfinite(heel[known]).all(axis=1).sum() >= known.sum():
        return heel, toe
    heel_F = body.calibration.heel_F.get(side)
    if heel_F is None:
        carried = usual_heel(ankle, toe, leg.R_GS[:, 1, :, 2])
    else:
        carried = ankle + rotate(foot, heel_F)
    return bridged_ends(np.where(np.isfinite(heel), heel, carried), toe, leg)


def find_pose(trial: Trial, session: Session, body: SubjectBody, options: Options) -> Pose:
    """Return the pose of pelvis and legs from filtered markers, each frame independently.

    Parameters
    ----------
    trial : Trial
        With filtered markers.
    session : Session
    body : SubjectBody
    options : Options
    """
    if body.reference is not None:
        from gaitdyn.calibrate.clusters.tracking import track, tracked_pose

        tracked = track(trial, body.reference)
        return tracked_pose(tracked, walking_direction(tracked.origin_G, tracked.R_GP))
    if session.model.engine == "sagittal":
        from gaitdyn.calibrate.sagittal import sagittal_pose

        return sagittal_pose(trial, session.sides)
    hips_P, offsets = body.calibration.hips_P, body.calibration.offsets
    skeleton = build_skeleton(trial, body.subject, hips_P, offsets)
    walking = np.array([1.0, 0.0, 0.0])
    if options.profile == "default":
        walking = walking_direction(skeleton.origin_G, skeleton.R_GP)
    return pose_of(trial, skeleton, body.calibration, walking)


def _tracked(trial: Trial, reference: Reference, findings: list[Finding]) -> Motion:
    """Return the motion of a landmark model."""
    from gaitdyn.calibrate.clusters.tracking import track, tracked_pose

    tracked = track(trial, reference)
    walking = walking_direction(tracked.origin_G, tracked.R_GP)
    pose = with_way_back(tracked_pose(tracked, walking), trial.rate_hz)
    angles = {side: segment_angles(pose, side) for side in tracked.legs}
    return Motion(trial, pose, angles, tracked.feet, findings + tracked.findings)


def _planar(trial: Trial, sides: list[str], findings: list[Finding], *, requested: bool) -> Motion:
    """Return the motion of a sagittal model."""
    from gaitdyn.calibrate.sagittal import sagittal_finding, sagittal_pose

    pose = sagittal_pose(trial, sides)
    angles = {side: segment_angles(pose, side) for side in sides}
    feet = sagittal_feet(trial, sides)
    told = sagittal_finding(trial, sides, requested=requested)
    return Motion(trial, pose, angles, feet, [*findings, told])


def sagittal_feet(trial: Trial, sides: list[str]) -> dict[str, tuple[Array, Array]]:
    """Return the heel and the toe (head of metatarsal V) of each foot, shape (n, 3) each, m."""
    return {
        side: (trial.marker(LETTER[side] + "HEE"), trial.marker(LETTER[side] + "MT5"))
        for side in sides
    }


def _model_markers(session: Session, body: SubjectBody) -> list[str]:
    """Return the markers of a walking trial that the model uses."""
    if body.model.engine != "chord":
        return [label for label in body.model.labels if label in session.trial.labels]
    wanted = [*PELVIS, *(label for back in BACK for label in back)]
    wanted += [LETTER[side] + name for side in session.sides for name in LEG]
    return [label for label in wanted if label in session.trial.labels]


def _filtered(
    trial: Trial, wanted: list[str], filter_: Filter, reference: Reference | None
) -> tuple[Trial, list[Finding]]:
    """Return the trial with only the model's markers, filtered, and findings about gaps.

    Before that, markers in gaps too long to be filled are carried by the rest of their cluster.
    """
    labels = tuple(wanted)
    columns = [trial.labels.index(label) for label in labels]
    raw = trial.markers_G[:, columns]
    as_recorded = filter_.cutoff_hz is None and filter_.longest_gap_s == 0
    smoothed, filled = (raw, np.zeros(raw.shape[:2], bool)) if as_recorded else smooth(raw, filter_)
    findings: list[Finding] = []
    if reference is not None and not as_recorded:
        smoothed, findings = _bridged(
            replace(trial, labels=labels, markers_G=raw), smoothed, filter_, reference
        )
    between = pauses(smoothed, filter_.rate_hz)
    for j, label in enumerate(labels):
        recorded = np.isfinite(raw[:, j, 0])
        known = np.isfinite(smoothed[:, j, 0])
        seen = bool((recorded & known).any())
        findings += gap_findings(label, filled[:, j], known, between, seen=seen)
    return replace(trial, labels=labels, markers_G=smoothed), findings


def _bridged(
    trial: Trial, smoothed: Array, filter_: Filter, reference: Reference
) -> tuple[Array, list[Finding]]:
    """Return the smoothed markers; those that clusters carry or leave out are smoothed again."""
    from gaitdyn.calibrate.clusters.bridging import bridge

    known = np.where(np.isfinite(trial.markers_G), trial.markers_G, smoothed)
    known[np.isnan(smoothed)] = np.nan  # visible only for a moment
    bridged = bridge(replace(trial, markers_G=known), reference)
    after, before = (known_points(m) for m in (bridged.markers_G, known))
    changed = ~np.isclose(bridged.markers_G, known, rtol=0, atol=0, equal_nan=True).all(axis=(0, 2))
    if not changed.any():
        return smoothed, bridged.findings
    markers, findings = smoothed.copy(), list(bridged.findings)
    markers[:, changed] = smooth(bridged.markers_G[:, changed], filter_)[0]
    for j in np.flatnonzero(changed):
        if carried := int((after & ~before)[:, j].sum()):
            message = f"{trial.labels[j]}: {counted(carried, 'frame')} carried by other markers"
            findings.append(Finding("info", "gap-filled", trial.labels[j], message, float(carried)))
    return markers, findings
