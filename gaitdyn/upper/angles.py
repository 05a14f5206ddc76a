"""Angles of trunk, head and arms: gaitdyn's angles, and the vendor's from the same axes.

In gaitdyn's angles these rotate about z (flexion), then x, then y: head and thorax relative to the
walking axes, thorax to pelvis, head to thorax, forearm to upper arm and hand to forearm. The upper
arm rotates relative to the thorax about x (abduction), z (flexion) and y, the vendor's order. On
request the shoulder uses the order Y-X-Y (Wu et al. 2005, J Biomech 38:981-992): plane of
elevation, elevation, axial rotation.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import cardan, cardan_zxy, relative
from gaitdyn.dynamics.vendor import LIMB_AXES
from gaitdyn.kinematics.angles import progression_frame, tilt_angles
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import Pose
from gaitdyn.types.subject import SIDES, SIGN
from gaitdyn.types.upper import UpperPose

ANGLES: dict[str, tuple[str, ...]] = {
    "trunk": ("tilt", "obliquity", "rotation"),
    "head": ("tilt", "obliquity", "rotation"),
    "spine": ("flexion", "lateral", "rotation"),
    "neck": ("flexion", "lateral", "rotation"),
    "shoulder": ("flexion", "abduction", "internal_rotation"),
    "elbow": ("flexion",),
    "wrist": ("flexion", "abduction", "internal_rotation"),
}
"""Part -> names of its angles, each named after its positive direction."""

ISB_SHOULDER = ("elevation_plane", "elevation", "internal_rotation")
"""Names of the shoulder angles in the order Y-X-Y."""

THORAX_AXES = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
ARM_AXES = np.array([[-1.0, 0, 0], [0, 0, 1], [0, 1, 0]])
"""Columns are the vendor's x, y, z in our axes: for pelvis and head, the thorax, the arms."""


def upper_angles(pose: UpperPose, legs: Pose, *, isb: bool = False) -> dict[str, dict[str, Array]]:
    """Return the angles of both sides, deg.

    Parameters
    ----------
    pose : UpperPose
    legs : Pose
    isb : bool
        Use the order Y-X-Y for the shoulder.

    Returns
    -------
    dict
        Side -> key of :data:`ANGLES` -> array, shape (n, 3).
    """
    to_walking = {"trunk": pose.R_GT}
    to_neighbour = {"spine": cardan_zxy(relative(legs.R_GP, pose.R_GT))}
    if pose.head is not None:
        to_walking["head"] = pose.head.R_GS
        to_neighbour["neck"] = cardan_zxy(relative(pose.R_GT, pose.head.R_GS))
    angles: dict[str, dict[str, Array]] = {}
    for side in SIDES:
        sg = SIGN[side]
        of_side = {name: tilt_angles(R, legs.walking_G, side) for name, R in to_walking.items()}
        of_side |= {name: angle * (-1.0, -sg, -sg) for name, angle in to_neighbour.items()}
        if (arm := pose.arms.get(side)) is not None:
            hand, fore, upper = np.moveaxis(arm.R_GS, 1, 0)
            at_shoulder = relative(pose.R_GT, upper)
            own_axes = _second_first(at_shoulder, "xzy") * (1, sg, -sg)
            of_side["shoulder"] = _yxy(at_shoulder, sg) if isb else own_axes
            elbow = cardan_zxy(relative(upper, fore))
            of_side["elbow"] = np.stack((elbow[:, 0], 0 * elbow[:, 0], 0 * elbow[:, 0]), axis=1)
            of_side["wrist"] = cardan_zxy(relative(fore, hand)) * (1.0, sg, -sg)
        angles[side] = {name: np.degrees(angle) for name, angle in of_side.items()}
    return angles


def _second_first(R: Array, order: str) -> Array:
    """Return the angles of :func:`~gaitdyn.core.rotations.cardan`, the second one first."""
    return cardan(R, order)[..., [1, 0, 2]]


def _yxy(R: Array, sg: float) -> Array:
    """Return plane of elevation, elevation and internal rotation in the order Y-X-Y, rad.

    ``R = Ry(p) Rx(-e) Ry(r)`` on the right side, mirrored on the left. Plane 0 is abduction, 90
    degrees forward flexion. Rotation is from the plane, as in the source, internal positive.
    """
    mirror = np.array([1.0, 1.0, -sg])
    M = R * mirror[:, None] * mirror  # as if it were a right arm
    elevation = np.arccos(np.clip(M[..., 1, 1], -1.0, 1.0))
    plane = np.arctan2(-M[..., 0, 1], -M[..., 2, 1])
    rotation = np.arctan2(-M[..., 1, 0], M[..., 1, 2])
    return np.stack((plane, elevation, rotation), axis=-1)


def vendor_angles(pose: UpperPose, legs: Pose) -> dict[str, dict[str, Array]]:
    """Return the vendor's angles: side -> ``Head``, ``Neck`` ... -> array, shape (n, 3), deg.

    Between -180 and 180 degrees; the vendor unwraps them in time.
    """
    walking = progression_frame(legs.walking_G) @ LIMB_AXES
    T, P = pose.R_GT @ THORAX_AXES, legs.R_GP @ LIMB_AXES
    both_sides = {"Thorax": _vendor_yxz(relative(walking, T)), "Spine": _vendor_yxz(relative(T, P))}
    if pose.head is not None:
        H = pose.head.R_GS @ LIMB_AXES
        both_sides["Head"] = _vendor_yxz(relative(walking, H))
        both_sides["Neck"] = _vendor_yxz(relative(H, T))
    angles: dict[str, dict[str, Array]] = {}
    for side in SIDES:
        sg, arm = SIGN[side], pose.arms.get(side)
        of_side = {
            name: angle * _FACTORS[name](sg) + _ZEROS[name] for name, angle in both_sides.items()
        }
        if arm is not None:
            hand, fore, upper = np.moveaxis(arm.R_GS @ ARM_AXES, 1, 0)
            at_shoulder = np.degrees(_second_first(relative(T, upper), "xyz")) * (-1.0, sg, -sg)
            of_side["Shoulder"] = at_shoulder + np.array([0.0, 180.0, 180.0])
            of_side["Elbow"] = _vendor_yxz(relative(upper, fore)) * (1.0, 0.0, 0.0)
            of_side["Wrist"] = _vendor_yxz(relative(fore, hand)) * (1.0, -sg, -sg)
        angles[side] = {name: (angle + 180.0) % 360.0 - 180.0 for name, angle in of_side.items()}
    return angles


_FACTORS = {
    "Head": lambda sg: np.array([-1.0, sg, -sg]),
    "Thorax": lambda sg: np.array([1.0, -sg, sg]),
    "Neck": lambda sg: np.array([-1.0, -sg, sg]),
    "Spine": lambda sg: np.array([1.0, -sg, -sg]),
}
_ZEROS = {
    "Head": np.zeros(3),
    "Thorax": np.array([180.0, 0.0, 180.0]),
    "Neck": np.array([180.0, 0.0, 180.0]),
    "Spine": np.array([180.0, 0.0, 180.0]),
}


def _vendor_yxz(R: Array) -> Array:
    """Return (b, a, c) of ``R = Ry(b) Rx(a) Rz(c)``, deg."""
    return np.degrees(cardan(R, "yxz"))
