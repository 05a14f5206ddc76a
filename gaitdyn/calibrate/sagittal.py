"""A leg in the sagittal plane, from five markers that represent its joint centres.

Trochanter, femoral condyle, malleolus, heel and fifth metatarsal head, with the shoulder for the
trunk, show the lines of the segments in the vertical plane of walking, and nothing outside it (the
link segments of Winter 2009, Biomechanics and Motor Control of Human Movement, ch. 3). Joint
centres of the file, such as key points of a video, stand for markers that it lacks.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from gaitdyn.calibrate.axes import WALKED_M
from gaitdyn.calibrate.plug_in_gait.markers import SAGITTAL_LEGS, sagittal_leg
from gaitdyn.core.rotations import columns, cross, dot, unit
from gaitdyn.core.runs import complete_rows, known_mean, known_points
from gaitdyn.errors import ModelNotFound
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.motion import LegPose, Pose
from gaitdyn.types.subject import LETTER, SIDES
from gaitdyn.types.trial import Trial

_UP, _LEVEL = np.array([0.0, 1.0, 0.0]), (1.0, 0.0, 1.0)


def sagittal_pose(trial: Trial, sides: list[str]) -> Pose:
    """Return the planar pose; ``R_GP`` are the axes of the trunk, NaN without a shoulder.

    Parameters
    ----------
    trial : Trial
    sides : list of {"left", "right"}

    Returns
    -------
    Pose
        z of all segments is the horizontal normal of the walking plane, to the right.
    """
    origin = _hips(trial, sides)
    walking = sagittal_direction(trial, sides, origin)
    right = cross(walking, _UP)
    empty = np.full_like(origin, np.nan)
    legs: dict[str, LegPose] = {}
    for side in SIDES:
        hip, knee, ankle, heel, toe = (
            _points(trial, side) if side in sides else [empty] * len(SAGITTAL_LEGS[0])
        )
        foot = _foot(heel, toe, right)
        axes = (foot, planar_limb(knee, ankle, right), planar_limb(hip, knee, right))
        centres = np.stack((ankle, knee, hip), axis=1)
        legs[side] = LegPose(side, np.stack(axes, axis=1), centres, shank_axis="plane")
    shoulders = with_shoulder(trial, sides)
    trunk = np.full((len(origin), 3, 3), np.nan)
    if shoulders:
        above = np.mean([trial.marker(LETTER[side] + "SHO") for side in shoulders], axis=0)
        below = np.mean([_points(trial, side)[0] for side in shoulders], axis=0)
        trunk = planar_limb(above, below, right)
    return Pose(trunk, origin, legs["left"], legs["right"], walking, planar=True)


def _points(trial: Trial, side: str) -> list[Array]:
    """Return the points of a leg from the hip down, shape (n, 3) each, m."""
    return [trial.marker(label) for label in sagittal_leg(trial.labels, LETTER[side])]


def planar_limb(proximal: Array, distal: Array, right: Array) -> Array:
    """Return the axes of a limb: y along its projection on the plane, z right, x forward.

    Parameters
    ----------
    proximal, distal : arrays, shape (n, 3)
        Ends of the segment, G, m.
    right : array, shape (3,)
        Unit normal of the plane, G.

    Returns
    -------
    array, shape (n, 3, 3)
    """
    y = _in_plane(proximal - distal, right)
    z = np.broadcast_to(right, y.shape)
    return columns(cross(y, z), y, z)


def _foot(heel: Array, toe: Array, right: Array) -> Array:
    """Return the axes of a foot: x from heel to toe in the plane, z to the right, y dorsal."""
    x = _in_plane(toe - heel, right)
    z = np.broadcast_to(right, x.shape)
    return columns(x, cross(z, x), z)


def _in_plane(v: Array, normal: Array) -> Array:
    return unit(v - dot(v, np.broadcast_to(normal, v.shape)) * normal)


def _hips(trial: Trial, sides: list[str]) -> Array:
    """Return the midpoint of the trochanters, shape (n, 3), m; for one leg its trochanter.

    In frames that show only one of two, half their mean difference leads from it to the midpoint.
    """
    trochanters = [_points(trial, side)[0] for side in sides]
    first, last = trochanters[0], trochanters[-1]
    half = 0.5 * known_mean(last - first)
    middle = 0.5 * (first + last)
    middle = np.where(np.isfinite(middle), middle, first + half)
    return np.where(np.isfinite(middle), middle, last - half)


def sagittal_direction(trial: Trial, sides: list[str], origin_G: Array) -> Array:
    """Return the unit horizontal walking direction in G, shape (3,).

    Overground, the displacement of the trochanters; on a treadmill, the line along which the heels
    move to and fro below them; in standing, or if no frame shows heel and trochanter, the direction
    from heel to toe.

    Parameters
    ----------
    trial : Trial
    sides : list of {"left", "right"}
    origin_G : array, shape (n, 3)
        Midpoint of the trochanters, m.

    Raises
    ------
    ModelNotFound
        If no trochanter is ever visible, or no heel together with its toe.
    """
    seen = origin_G[complete_rows(origin_G)]
    heels = [trial.marker(LETTER[side] + "HEE") for side in sides]
    toes = [trial.marker(LETTER[side] + "MT5") for side in sides]
    feet = np.array([known_mean(t - h) for h, t in zip(heels, toes, strict=True)])
    facing = known_mean(feet) * _LEVEL
    if not len(seen) or not np.isfinite(facing).all():
        raise ModelNotFound(
            f"{trial.recording.name}: hip, heel and toe of a leg are not seen together for"
            " 7 frames in a row; fill their gaps"
        )
    walked = (seen[-1] - seen[0]) * _LEVEL
    if np.linalg.norm(walked) >= WALKED_M:
        return unit(walked)
    swung = [(heel - origin_G) * _LEVEL for heel in heels]
    swung = np.concatenate([v[complete_rows(v)] - known_mean(v) for v in swung])
    if len(swung):
        line = np.linalg.svd(swung, full_matrices=False)[2][0]
        if np.ptp(swung @ line) >= WALKED_M:
            return line * np.sign(line @ facing)
    return unit(facing)


def with_shoulder(trial: Trial, sides: list[str]) -> list[str]:
    """Return the sides with a visible shoulder, which shows the trunk."""
    labels = {side: LETTER[side] + "SHO" for side in sides}
    return [
        side
        for side, label in labels.items()
        if label in trial.labels and known_points(trial.marker(label)).any()
    ]


def in_centres_alone(labels: Collection[str], sides: list[str]) -> bool:
    """Return whether joint centres of the file make every leg, as key points of a video do."""
    hips = [sagittal_leg(labels, LETTER[side])[0] for side in sides]
    return all(hip.endswith("HJC") for hip in hips)


def sagittal_finding(trial: Trial, sides: list[str], *, requested: bool) -> Finding:
    """Return the finding about what a sagittal model does not show, and why it is used."""
    why = "as --model requests" if requested else "since no pelvis is found among the labels"
    hip = "hip flexion is between the line from shoulder to hip (the trunk) and the thigh"
    if not with_shoulder(trial, sides):
        hip = "without a shoulder marker hip angle and hip power are empty too"
    hips = {sagittal_leg(trial.labels, LETTER[side])[0][1:] for side in sides}
    kinds = {"GTR": "lateral markers are used", "HJC": "points of the file are used"}
    centres = " and ".join(kinds[hip] for hip in sorted(hips))
    message = (
        f"sagittal plane only, {why}: {centres} as the joint centres; frontal and transverse"
        f" components, pelvis and foot progression are empty; {hip}"
    )
    return Finding("warning", "sagittal-only", trial.recording.name, message)
