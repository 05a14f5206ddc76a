"""The pose of a moving trial: tracking markers carry the segments of a reference position.

Three or more markers move a segment as a rigid body. Two markers show a line; the rotation about it
is then that of the segment above, and a finding reports this.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.calibrate.clusters.steady import steady
from gaitdyn.calibrate.ladder.usual_foot import bridged_ends, usual_ends
from gaitdyn.calibrate.posture.mean import ABOVE
from gaitdyn.calibrate.posture.reference import Reference, ReferenceLeg, Template, points_told
from gaitdyn.core.rigid import LINE, SMALLEST_CLUSTER, line_motion, move, rigid_motion
from gaitdyn.core.runs import known_points
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import SEGMENTS, LegPose, Pose, unknown_leg
from gaitdyn.types.subject import LETTER, SIDES
from gaitdyn.types.trial import Trial

RigidMotion = tuple[Array, Array]
"""Rotation (n, 3, 3) and translation (n, 3) from the reference position to every frame."""

MISFIT_M = 0.05
"""Markers with a larger residual (root mean square of the whole cluster) are not those of the
reference, or not in its order; real clusters stay below 35 mm."""


@frozen(eq=False)
class TrackedLegs:
    """The pose of a moving trial, heel and toe of each foot, and findings about the clusters.

    ``motions`` has the motion of ``pelvis``, ``left thigh``, ``left shank`` and so on.
    """

    R_GP: Array
    origin_G: Array
    legs: dict[str, LegPose]
    feet: dict[str, tuple[Array, Array]]
    findings: list[Finding]
    motions: dict[str, RigidMotion]


def track(trial: Trial, reference: Reference) -> TrackedLegs:
    """Return pelvis and legs of a moving trial; a segment is NaN in frames with too few markers.

    Parameters
    ----------
    trial : Trial
        Filtered markers.
    reference : Reference
    """
    findings: list[Finding] = []
    hips = [leg.hip for leg in reference.legs.values()]
    pelvis = _motion(trial, reference.pelvis, {}, "pelvis", findings, hips)
    legs: dict[str, LegPose] = {}
    feet: dict[str, tuple[Array, Array]] = {}
    motions = {"pelvis": pelvis}
    for side, leg in reference.legs.items():
        limbs, joints = _leg_motions(trial, reference, leg, pelvis, findings)
        motions |= limbs
        turns = [limbs[f"{side} {s}"][0] @ leg.axes[i] for i, s in enumerate(SEGMENTS)]
        centres = (joints["@ankle"], joints["@knee"], joints["@hip"])
        proximal = zip(SEGMENTS, (leg.ankle, leg.knee, leg.hip), strict=True)
        carried = [move(*limbs[f"{side} {s}"], centre) for s, centre in proximal]
        legs[side] = LegPose(
            leg.side,
            np.stack(turns, axis=1),
            np.stack(centres, axis=1),
            shank_axis=leg.shank_axis,
            own_prox_G=np.stack(carried, axis=1),
        )
        feet[side] = foot_ends(trial, legs[side], leg, limbs[f"{side} foot"])
    R, t = pelvis
    origin = move(R, t, reference.origin)
    return TrackedLegs(R @ reference.R_GP, origin, legs, feet, findings, motions)


def _leg_motions(
    trial: Trial,
    reference: Reference,
    leg: ReferenceLeg,
    pelvis: RigidMotion,
    findings: list[Finding],
) -> tuple[dict[str, RigidMotion], dict[str, Array]]:
    """Return the motions of thigh, shank and foot, and the joint centres in every frame."""
    joints = {"@hip": move(*pelvis, leg.hip)}
    motions: dict[str, RigidMotion] = {}
    above, axis = pelvis, reference.R_GP[:, 2]
    ends = {"thigh": ("@knee", leg.knee), "shank": ("@ankle", leg.ankle), "foot": ("", leg.toe)}
    proximal = {"thigh": leg.hip, "shank": leg.knee, "foot": leg.ankle}
    for i, segment in ((2, "thigh"), (1, "shank"), (0, "foot")):
        name, template = f"{leg.side} {segment}", leg.template[i]
        if len(template[0]) == LINE:
            points = _points(trial, template[0], joints)
            motion = line_motion(template[1], points, axis, above[0] @ axis)
            if np.isfinite(motion[0]).any():
                findings.append(_line_finding(name, template[0], segment))
        else:
            centres = [proximal[segment], ends[segment][1]]
            motion = _motion(trial, template, joints, name, findings, centres)
        if not np.isfinite(motion[0]).any() and np.isfinite(leg.axes[i]).all():
            findings.append(_untracked_finding(name, template[0], trial))
        joint, centre = ends[segment]
        joints[joint] = move(*motion, centre)
        motions[name] = above = motion
        axis = leg.axes[i][:, 2]
    return motions, joints


def _untracked_finding(name: str, labels: tuple[str, ...], trial: Trial) -> Finding:
    shown = [x for x in labels if x in trial.labels or x.startswith("@")]
    message = (
        f"the {name} is not tracked: walk and static share {points_told(shown) or 'no marker'} of"
        " it, wanted two or more that are seen together; what depends on the segment stays empty"
    )
    return Finding("warning", "segment-untracked", name, message)


def _misfit_finding(name: str, labels: tuple[str, ...], apart_m: float) -> Finding:
    message = (
        f"the {name}: {points_told(labels)} are {1000 * apart_m:.0f} mm (root mean square) from"
        " their places in the reference: they are other markers, or in another order; what depends"
        " on the segment stays empty"
    )
    return Finding("warning", "segment-untracked", name, message, 1000 * apart_m)


def _line_finding(name: str, labels: tuple[str, ...], segment: str) -> Finding:
    message = (
        f"the {name} is tracked by {points_told(labels, ' and ')} alone: its turn about the line"
        f" between them is that of the {ABOVE[segment]}"
    )
    level = "info" if segment == "foot" else "warning"
    return Finding(level, "segment-by-line", name, message)


def _points(trial: Trial, labels: tuple[str, ...], joints: dict[str, Array]) -> Array:
    """Return markers and carried joint centres in every frame, shape (n, m, 3)."""
    empty = np.full((len(trial.markers_G), 3), np.nan)
    return np.stack(
        [
            joints[label] if label in joints
            else trial.marker(label) if label in trial.labels else empty
            for label in labels
        ],
        axis=1,
    )  # fmt: skip


def _motion(
    trial: Trial,
    template: Template,
    joints: dict[str, Array],
    name: str,
    findings: list[Finding],
    ends: list[Array],
) -> RigidMotion:
    labels, shape = template
    n = len(trial.markers_G)
    unknown = np.full((n, 3, 3), np.nan), np.full((n, 3), np.nan)
    if len(labels) < SMALLEST_CLUSTER:
        return unknown
    points = _points(trial, labels, joints)
    known = [end for end in ends if np.isfinite(end).all()]
    R, t, residual = rigid_motion(shape, steady(shape, points, np.reshape(known, (-1, 3))))
    residual[~known_points(points)] = np.nan
    seen = residual[np.isfinite(residual)]
    apart = float(np.sqrt((seen**2).mean())) if seen.size else 0.0
    if apart > MISFIT_M:
        findings.append(_misfit_finding(name, labels, apart))
        return unknown
    for i, label in enumerate(labels):
        seen = residual[np.isfinite(residual[:, i]), i]
        if label in joints:  # a joint centre carried by its neighbour is not a marker to relabel
            continue
        if seen.size:
            rms = 1000 * float(np.sqrt((seen**2).mean()))
            message = f"{label} moves by {rms:.0f} mm (root mean square) against the {name}"
            findings.append(Finding("warning", "cluster-residual", label, message, rms))
    return R, t


def foot_ends(
    trial: Trial, pose: LegPose, leg: ReferenceLeg, foot: RigidMotion
) -> tuple[Array, Array]:
    """Return heel and toe in every frame, for events and for the outline of the foot.

    They are carried by the foot, else the markers themselves, else those of a typical foot below
    the ankle (:func:`gaitdyn.calibrate.ladder.usual_foot.usual_ends`). The shank carries them
    through a gap of the whole foot. In a foot without axes, another metatarsal head replaces a
    missing toe.
    """
    letter, toe = LETTER[leg.side], LETTER[leg.side] + "TOE"
    if toe not in trial.labels and not np.isfinite(leg.toe).all():
        toe = next((letter + head for head in ("MT5", "MT1") if letter + head in trial.labels), toe)
    ends = []
    for label, place in ((letter + "HEE", leg.heel), (toe, leg.toe)):
        moved = move(*foot, place)
        if label in trial.labels:
            moved = np.where(np.isfinite(moved), moved, trial.marker(label))
        ends.append(moved)
    return bridged_ends(*usual_ends(ends[0], ends[1], pose), pose)


def tracked_pose(tracked: TrackedLegs, walking_G: Array) -> Pose:
    """Return the pose for the rest of the pipeline; a leg that is not tracked is NaN."""
    n = len(tracked.origin_G)
    left, right = (
        tracked.legs[side] if side in tracked.legs else unknown_leg(side, n) for side in SIDES
    )
    return Pose(tracked.R_GP, tracked.origin_G, left, right, walking_G)
