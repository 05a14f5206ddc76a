"""Joint moments by their clinical words, in the axes that a reader asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import rotate, rotate_back
from gaitdyn.types.subject import SIGN

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.loads import JointLoads
    from gaitdyn.types.motion import Pose

MOMENTS: dict[str, tuple[str, str, str]] = {
    "ankle": ("plantarflexion", "eversion", "external_rotation"),
    "knee": ("extension", "abduction", "external_rotation"),
    "hip": ("extension", "abduction", "external_rotation"),
}
"""The internal moments: what the muscles and ligaments would do to the distal segment."""

OPPOSITE = {
    "plantarflexion": "dorsiflexion",
    "eversion": "inversion",
    "extension": "flexion",
    "abduction": "adduction",
    "external_rotation": "internal_rotation",
}
"""The same moment seen from outside: the external load that it balances."""

_SAGITTAL = {"ankle": -1.0, "knee": 1.0, "hip": -1.0}


def moment_signs(joint: str, side: str) -> Array:
    """Return the factors from (z, x, y) components to the clinical words, shape (3,).

    A moment about +z (to the right) turns the distal end forward: it extends the knee, flexes the
    hip and dorsiflexes the ankle. A moment about +x takes the distal end to the left, one about
    +y turns the toes to the left; both mirror with the side.
    """
    sg = SIGN[side]
    return np.array([_SAGITTAL[joint], sg, sg])


def clinical_moments(moment: Array, joint: str, side: str) -> Array:
    """Return (sagittal, frontal, transverse) clinical moments, shape (n, 3).

    Parameters
    ----------
    moment : array, shape (n, 3)
        x, y, z components of the internal moment, in axes x forward, y up, z right.
    joint : {"ankle", "knee", "hip"}
    side : {"left", "right"}
    """
    return moment[:, [2, 0, 1]] * moment_signs(joint, side)


def moments_in(loads: JointLoads, pose: Pose, axes: str) -> Array:
    """Return the internal joint moments in other axes, shape (n, 3 joints, 3).

    Parameters
    ----------
    loads : JointLoads
    pose : Pose
    axes : {"distal", "proximal", "lab"}
        Of the distal segment, of the proximal segment (hip: pelvis), or G.
    """
    if axes == "distal":
        return loads.moment_S
    R = loads.chain.R_GS
    moment_G = rotate(R, loads.moment_S)
    if axes == "lab":
        return moment_G
    above = np.concatenate((R[:, 1:], pose.R_GP[:, None]), axis=1)
    return rotate_back(above, moment_G)
