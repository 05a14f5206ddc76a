"""Joint and segment angles with their clinical signs.

Cardan angles of Kadaba et al. 1990 (J Orthop Res 8:383-392) and of the vendor's model: flexion
about the proximal z axis, then adduction, then rotation. The ankle rotates about the dorsal axis of
the foot before inversion. The name of an angle gives its positive direction on both sides.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.rotations import cardan_zxy, cardan_zyx, columns, cross, relative
from gaitdyn.events.kinematic import direction
from gaitdyn.kinematics.plane import planar_angles
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import Pose
from gaitdyn.types.subject import SIGN

ANGLES: dict[str, tuple[str, ...]] = {
    "pelvis": ("tilt", "obliquity", "rotation"),
    "hip": ("flexion", "adduction", "internal_rotation"),
    "knee": ("flexion", "adduction", "internal_rotation"),
    "ankle": ("dorsiflexion", "inversion", "internal_rotation"),
    "foot": ("pitch", "inversion", "progression"),
}
"""Segment or joint -> names of its three angles, which give the positive direction."""

AGAINST = -0.5
"""Component of the direction of the pelvis along the walk below which the person walks back."""


def progression_frame(walking_G: Array) -> Array:
    """Return the axes of walking, x along the walking direction, y up; shape (..., 3, 3).

    Parameters
    ----------
    walking_G : array, shape (..., 3)
        Unit horizontal vector.
    """
    up = np.array([0.0, 1.0, 0.0])
    return columns(walking_G, up, cross(walking_G, up))


def with_way_back(pose: Pose, rate_hz: float) -> Pose:
    """Return the pose with the frames in which the pelvis moves against the walking direction."""
    moves = direction(pose.origin_G, pose.walking_G, rate_hz) @ pose.walking_G
    against = moves < AGAINST
    return replace(pose, against=against) if against.any() else pose


def ahead_of(pose: Pose, rows: slice | None = None) -> Array:
    """Return the walking direction, shape (3,), or (n, 3) for a person who comes back.

    Parameters
    ----------
    pose : Pose
    rows : slice, optional
        Rows of one step: the direction of most of them is returned, shape (3,).
    """
    if pose.against is None:
        return pose.walking_G
    if rows is not None:
        return pose.walking_G * (1 - 2 * (pose.against[rows].mean() > 0.5))  # noqa: PLR2004
    return pose.walking_G * np.where(pose.against, -1.0, 1.0)[:, None]


def tilt_angles(R_GS: Array, walking_G: Array, side: str) -> Array:
    """Return tilt, obliquity and rotation of pelvis, trunk or head, shape (n, 3), rad.

    Parameters
    ----------
    R_GS : array, shape (n, 3, 3)
    walking_G : array, shape (3,) or (n, 3)
        Unit horizontal vector to whose axes the angles refer.
    side : {"left", "right"}

    Notes
    -----
    The rotation is continuous in time. That of a person who walks backward is 180 deg of the right
    side and -180 deg of the left, not both in turn.
    """
    sg = SIGN[side]
    turned = cardan_zxy(relative(progression_frame(walking_G), R_GS))
    turned[:, 2] = _continuous(turned[:, 2])
    return turned * (-1.0, sg, -sg)


BRANCH = np.radians(10.0)
"""The median of a continuous angle is within 180 deg of this: 180 deg is never -180 deg."""


def _continuous(angle: Array) -> Array:
    """Return an angle without jumps of 2 pi, shape (n,), rad; NaN stays."""
    known = np.isfinite(angle)
    if not (np.abs(angle[known]) > 0.5 * np.pi).any():
        return angle
    whole, steady = np.full(len(angle), np.nan), np.unwrap(angle[known])
    turns = np.round((median(steady) - BRANCH) / (2.0 * np.pi))
    whole[known] = steady - 2.0 * np.pi * turns
    return whole


def _foot_angles(R_GF: Array, walking_G: Array, side: str) -> Array:
    """Return pitch, inversion and progression of a foot in the walking axes, (n, 3), rad."""
    sg = SIGN[side]
    turned = cardan_zyx(relative(progression_frame(walking_G), R_GF))
    return (turned * (1.0, -sg, -sg))[:, [0, 2, 1]]


def segment_angles(pose: Pose, side: str) -> dict[str, Array]:
    """Return the angles of one side.

    Parameters
    ----------
    pose : Pose
    side : {"left", "right"}

    Returns
    -------
    dict
        Key of ``ANGLES`` -> array, shape (n, 3), deg: pelvis and foot relative to the walking axes,
        hip from the thigh in the pelvis, knee from the shank in the thigh, ankle from the foot in
        the shank. A planar pose gives only the flexions, at the hip relative to the trunk. Angles
        that the pose lists as fixed were not measured and are NaN.
    """
    sg = SIGN[side]
    leg = pose.leg(side)
    foot, shank, thigh = np.moveaxis(leg.R_GS, 1, 0)
    at_ankle = shank if leg.R_shank_distal is None else leg.R_shank_distal
    turned = {
        "pelvis": tilt_angles(pose.R_GP, pose.walking_G, side),
        "hip": cardan_zxy(relative(pose.R_GP, thigh)) * (1.0, -sg, -sg),
        "knee": cardan_zxy(relative(thigh, shank)) * (-1.0, -sg, -sg),
        "ankle": (cardan_zyx(relative(at_ankle, foot)) * (1.0, -sg, -sg))[:, [0, 2, 1]],
        "foot": _foot_angles(foot, pose.walking_G, side),
    }
    angles = {name: np.degrees(angle) for name, angle in turned.items()}
    for joint, i in leg.fixed:
        angles[joint][:, i] = np.nan
    return planar_angles(angles) if pose.planar else angles


def headed_angles(pose: Pose, side: str, rows: slice, walking_G: Array) -> dict[str, Array]:
    """Return the angles relative to the walking axes for another walking direction.

    Parameters
    ----------
    pose : Pose
    side : {"left", "right"}
    rows : slice
        Of the trial.
    walking_G : array, shape (3,)
        Unit horizontal vector.

    Returns
    -------
    dict
        Column name without the side -> array, shape (k,), deg: ``pelvis_angle_*``,
        ``foot_angle_progression``; empty for a planar pose.
    """
    if pose.planar:
        return {}
    pelvis = tilt_angles(pose.R_GP[rows], walking_G, side)
    foot = _foot_angles(pose.leg(side).R_GS[rows, 0], walking_G, side)[:, 2]
    angles = {f"pelvis_angle_{word}": pelvis[:, i] for i, word in enumerate(ANGLES["pelvis"])}
    angles["foot_angle_progression"] = foot
    return {name: np.degrees(angle) for name, angle in angles.items()}
