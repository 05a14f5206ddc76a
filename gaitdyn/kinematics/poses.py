"""Filtered segment poses: the nine entries of each rotation, then made orthogonal again."""

from __future__ import annotations

import numpy as np

from gaitdyn.clean.smoothing import Filter, smooth
from gaitdyn.core.nearest import nearest_rotations
from gaitdyn.kinematics.angles import ANGLES, segment_angles
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.motion import JOINTS, Pose

FIXED_DEG = 0.01
"""An angle with a smaller range over a walk is fixed by the kinematic chain of the maker: rotations
in single precision resolve 1e-4 deg, and no joint stays so still."""


def smooth_poses(R: Array, origin: Array, how: Filter) -> tuple[Array, Array, Mask]:
    """Return filtered poses with short gaps filled, as for markers.

    Each entry of R is filtered like a coordinate. This equals filtering points fixed in the segment
    whose mean is the origin and whose best rigid fit is the nearest rotation. Nothing is filled
    before the first or after the last known pose.

    Parameters
    ----------
    R : array, shape (n, s, 3, 3)
        NaN for unknown poses.
    origin : array, shape (n, s, 3)
        m.
    how : Filter

    Returns
    -------
    R : array, shape (n, s, 3, 3)
    origin : array, shape (n, s, 3)
    filled : array of bool, shape (n, s)
    """
    n, s = origin.shape[:2]
    value, filled = smooth(np.concatenate((R.reshape(n, s, 9), origin), axis=2), how)
    return nearest_rotations(value[..., :9].reshape(n, s, 3, 3)), value[..., 9:], filled


def fixed_angles(pose: Pose, sides: list[str]) -> dict[str, tuple[tuple[str, int], ...]]:
    """Return the joint angles that do not change: the maker's chain lacks these degrees of freedom.

    Parameters
    ----------
    pose : Pose
        Not filtered.
    sides : list of {"left", "right"}

    Returns
    -------
    dict
        Side -> joint and index of the angle in ``ANGLES``.
    """
    fixed: dict[str, tuple[tuple[str, int], ...]] = {}
    for side in sides:
        angles = segment_angles(pose, side)
        fixed[side] = tuple(
            (joint, i)
            for joint in reversed(JOINTS)
            for i in range(3)
            if spread(angles[joint][:, i]) < FIXED_DEG
        )
    return fixed


def angle_names(fixed: tuple[tuple[str, int], ...]) -> list[str]:
    """Return joint angles in words, such as ``knee internal rotation``."""
    return [f"{joint} {ANGLES[joint][i].replace('_', ' ')}" for joint, i in fixed]


def spread(values: Array) -> float:
    """Return the range of the known values; NaN without any."""
    known = values[np.isfinite(values)]
    return float(np.ptp(known)) if known.size else np.nan
