"""Joint moments in clinical terms, and in the axes that a reader chooses."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import cross, rotate, rotate_back, unit
from gaitdyn.types.arrays import Array
from gaitdyn.types.loads import JointLoads
from gaitdyn.types.motion import Pose
from gaitdyn.types.subject import SIGN

MOMENTS: dict[str, tuple[str, str, str]] = {
    "ankle": ("plantarflexion", "eversion", "external_rotation"),
    "knee": ("extension", "abduction", "external_rotation"),
    "hip": ("extension", "abduction", "external_rotation"),
}
"""The internal moments: the action of muscles and ligaments on the distal segment."""

UPPER_MOMENTS: dict[str, tuple[str, ...]] = {
    "shoulder": ("extension", "adduction", "external_rotation"),
    "elbow": ("extension",),
    "wrist": ("extension", "adduction", "external_rotation"),
    "waist": ("extension", "lateral", "rotation"),
}
"""The internal moments above the hips; at the waist they act on the thorax: extension, bending
towards that side, turning that side forward."""

OPPOSITE = {
    "plantarflexion": "dorsiflexion",
    "eversion": "inversion",
    "extension": "flexion",
    "abduction": "adduction",
    "external_rotation": "internal_rotation",
}
"""The same moment as an external load: the one that the internal moment balances."""

_IN_ONE_PLANE = 1e-9
"""Determinant of three unit axes below which they lie in one plane."""

_SAGITTAL = {"ankle": -1.0, "knee": 1.0, "hip": -1.0}


def moment_signs(joint: str, side: str) -> Array:
    """Return the factors that turn (z, x, y) components into clinical moments, shape (3,).

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


def moments_in(loads: JointLoads, pose: Pose, side: str, axes: str) -> Array:
    """Return the internal joint moments in other axes, shape (n, 3 joints, 3).

    Parameters
    ----------
    loads : JointLoads
    pose : Pose
    side : {"left", "right"}
    axes : {"distal", "proximal", "jcs", "jcs-dual", "lab"}
        Axes of the distal segment, of the proximal segment (hip: pelvis), of the joint coordinate
        system (:func:`joint_axes`), or G.

    Returns
    -------
    array, shape (n, 3, 3)
        x, y, z components; in the joint coordinate system those about the axes that are x, y
        and z in the neutral position. In a planar pose all segments share z, the only known axis.
        NaN if the axes of the joint coordinate system lie in one plane: there are no components.
    """
    if axes == "distal" or (pose.planar and axes != "lab"):
        return loads.moment_S
    R = loads.chain.R_GS
    moment_G = rotate(R, loads.moment_S)
    if axes == "lab":
        return moment_G
    proximal = np.concatenate((R[:, 1:], pose.R_GP[:, None]), axis=1)
    if axes == "proximal":
        return rotate_back(proximal, moment_G)
    if (distal_shank := pose.leg(side).R_shank_distal) is not None:
        proximal[:, 0] = distal_shank
    E = joint_axes(proximal, R)
    if axes == "jcs":
        return rotate_back(E, moment_G)
    with np.errstate(invalid="ignore"):
        spanned = np.abs(np.linalg.det(E)) > _IN_ONE_PLANE
    known = spanned & np.isfinite(E).all(axis=(-2, -1)) & np.isfinite(moment_G).all(axis=-1)
    components = np.full_like(moment_G, np.nan)
    components[known] = np.linalg.solve(E[known], moment_G[known][..., None])[..., 0]
    return components


def joint_axes(R_GP: Array, R_GD: Array) -> Array:
    """Return the axes of the joint coordinate systems of ankle, knee and hip.

    e1 is the flexion axis (z) of the proximal segment, e3 the long axis of the distal segment (y;
    x for the foot), e2 = unit(e3 x e1) (Grood and Suntay 1983, J Biomech Eng 105:136-144). They
    are not orthogonal: the projections ``M . e_i`` are work-conjugate to the Cardan angles,
    whereas the components n_i of ``M = sum n_i e_i`` are different (``jcs-dual``).

    Parameters
    ----------
    R_GP, R_GD : arrays, shape (n, 3, 3, 3)
        Axes of the proximal and the distal segment of ankle, knee and hip.

    Returns
    -------
    array, shape (n, 3, 3, 3)
        Columns are unit axes; in the neutral position they are x, y, z.
    """
    e1 = R_GP[..., 2]
    e3 = R_GD[..., 1].copy()
    e3[:, 0] = R_GD[:, 0, :, 0]
    e2 = unit(cross(e3, e1))
    E = np.stack((e2, e3, e1), axis=-1)
    E[:, 0] = np.stack((e3[:, 0], -e2[:, 0], e1[:, 0]), axis=-1)  # the foot's long axis is x
    return E
