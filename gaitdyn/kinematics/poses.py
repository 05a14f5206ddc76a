"""Poses of segments filtered: the nine entries of each rotation, then made square again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.clean.smoothing import Filter, smooth
from gaitdyn.core.rotations import nearest_rotations
from gaitdyn.kinematics.angles import ANGLES, segment_angles
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.motion import JOINTS, Pose

if TYPE_CHECKING:
    from collections.abc import Sequence


FIXED_DEG = 0.01
"""An angle that changes by less over a walk is one that the maker's chain does not let change:
single-precision rotations keep 1e-4 deg, and no joint stands so still."""


def smooth_poses(R: Array, origin: Array, how: Filter) -> tuple[Array, Array, Mask]:
    """Return filtered poses with short gaps filled, as markers are.

    Each entry of R is filtered like a coordinate; that is the filter of points fixed in the
    segment, whose mean is the origin and whose best rigid fit is the nearest rotation. Nothing is
    filled before the first and behind the last known pose.

    Parameters
    ----------
    R : array, shape (n, s, 3, 3)
        NaN where a pose is not known.
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
    entries = np.concatenate((R.reshape(n, s, 9), origin), axis=2)
    value, filled = smooth(entries, how)
    return nearest_rotations(value[..., :9].reshape(n, s, 3, 3)), value[..., 9:], filled


def fixed_angles(pose: Pose, sides: list[str]) -> dict[str, tuple[tuple[str, int], ...]]:
    """Return the joint angles that do not change: freedoms that the maker's chain does not have.

    Parameters
    ----------
    pose : Pose
        Not filtered.
    sides : list of {"left", "right"}

    Returns
    -------
    dict
        Side -> joint and place of the angle in ``ANGLES``.
    """
    found: dict[str, tuple[tuple[str, int], ...]] = {}
    for side in sides:
        angles = segment_angles(pose, side)
        found[side] = tuple(
            (joint, i)
            for joint in reversed(JOINTS)
            for i in range(3)
            if spread(angles[joint][:, i]) < FIXED_DEG
        )
    return found


def angle_names(fixed: Sequence[tuple[str, int]]) -> list[str]:
    """Return joint angles in words, such as ``knee internal rotation``."""
    return [f"{joint} {ANGLES[joint][i].replace('_', ' ')}" for joint, i in fixed]


def spread(values: Array) -> float:
    """Return the range of the values that are known, 0 without any."""
    known = values[np.isfinite(values)]
    return float(np.ptp(known)) if known.size else 0.0
