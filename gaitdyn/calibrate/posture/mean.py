"""The mean posture of a moving leg: joints averaged in the axes of both segments.

Skin slides, so a joint carried by the markers of the thigh does not always coincide with the same
joint carried by those of the shank. If a single frame of a walk is the reference, the offset of
that frame remains; the next frame would change the zero of flexion by some degrees. Therefore each
segment is rotated by its mean rotation in the one above, with their joint at its mean position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.nearest import nearest_rotations
from gaitdyn.core.rigid import move
from gaitdyn.core.rotations import relative, rotate_back
from gaitdyn.core.runs import complete_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gaitdyn.calibrate.clusters.tracking import RigidMotion
    from gaitdyn.calibrate.posture.reference import ReferenceLeg
    from gaitdyn.types.arrays import Array, Mask

ABOVE = {"thigh": "pelvis", "shank": "thigh", "foot": "shank"}
"""Segment -> the one above it, from the hip down."""


def mean_posture(
    motions: Mapping[str, RigidMotion], legs: Iterable[ReferenceLeg], stances: Mapping[str, Mask]
) -> dict[str, RigidMotion]:
    """Return the motion of each segment from a reference position to its mean posture.

    Parameters
    ----------
    motions : mapping
        ``pelvis``, ``left thigh``, ... -> rotation (n, 3, 3) and translation (n, 3) of every frame
        from the reference position.
    legs : iterable of ReferenceLeg
        With the joint centres of the reference position.
    stances : mapping
        Side -> frames to average over, shape (n,). If none of them shows both segments, all frames
        that do are used.

    Returns
    -------
    dict
        Segment -> rotation (3, 3) and translation (3,); the pelvis does not move. A segment whose
        joint is not known, or that is never visible together with the one above, moves with that
        one.
    """
    mean: dict[str, RigidMotion] = {"pelvis": (np.eye(3), np.zeros(3))}
    for leg in legs:
        joints = {"thigh": leg.hip, "shank": leg.knee, "foot": leg.ankle}
        for segment, upper in ABOVE.items():
            above = upper if upper == "pelvis" else f"{leg.side} {upper}"
            name = f"{leg.side} {segment}"
            (R, t), joint = mean[above], joints[segment]
            R_step, t_step = _mean_step(motions[above], motions[name], joint, stances[leg.side])
            mean[name] = (R @ R_step, R @ t_step + t)
    return mean


def _mean_step(above: RigidMotion, below: RigidMotion, joint: Array, stance: Mask) -> RigidMotion:
    """Return the mean motion of a segment in the axes of the one above it.

    Their joint, carried by the segment above, is averaged in the axes of the segment below.
    """
    turned = relative(above[0], below[0])
    both = complete_rows(turned)
    rows = both & stance if (both & stance).any() else both
    if not rows.any() or not np.isfinite(joint).all():
        return np.eye(3), np.zeros(3)
    R = nearest_rotations(turned[rows].mean(axis=0))
    (R_below, t_below), carried = below, move(*above, joint)
    in_below = median(rotate_back(R_below[rows], carried[rows] - t_below[rows]), axis=0)
    return R, joint - R @ in_below
