"""The mean posture of a leg that moves: where two segments meet, averaged in the axes of both.

Skin slides, so that a joint that the markers of a thigh carry is not for ever where those of the
shank have it. In a reference that is one frame of a walk, the shank keeps what that frame happens
to show: another frame next to it, and the zero of flexion is another by some degrees. Here each
segment turns by its mean turn against the one above it, and has the joint between them where it is
in the mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.rigid import move
from gaitdyn.core.rotations import nearest_rotations, relative, rotate_back
from gaitdyn.core.runs import complete_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gaitdyn.calibrate.landmarks import ReferenceLeg
    from gaitdyn.calibrate.tracking import RigidMotion
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
        Side -> frames to average over, shape (n,); all in which both segments are seen where none
        of them shows both.

    Returns
    -------
    dict
        Segment -> rotation (3, 3) and translation (3,); the pelvis stays. A segment whose joint is
        not known, or that is never seen together with the one above it, goes with that one.
    """
    found: dict[str, RigidMotion] = {"pelvis": (np.eye(3), np.zeros(3))}
    for leg in legs:
        joints = {"thigh": leg.hip, "shank": leg.knee, "foot": leg.ankle}
        for segment, over in ABOVE.items():
            above, name = (
                over if over == "pelvis" else f"{leg.side} {over}",
                f"{leg.side} {segment}",
            )
            (R, t), joint = found[above], joints[segment]
            R_step, t_step = _mean_step(motions[above], motions[name], joint, stances[leg.side])
            found[name] = (R @ R_step, R @ t_step + t)
    return found


def _mean_step(above: RigidMotion, own: RigidMotion, joint: Array, stance: Mask) -> RigidMotion:
    """Return the mean motion of a segment in the axes of the one above it.

    The joint of the segment above, carried back by the segment itself, is the joint in the mean.
    """
    turned = relative(above[0], own[0])
    both = complete_rows(turned)
    rows = both & stance if (both & stance).any() else both
    if not rows.any() or not np.isfinite(joint).all():
        return np.eye(3), np.zeros(3)
    R = nearest_rotations(turned[rows].mean(axis=0))
    (R_own, t_own), carried = own, move(*above, joint)
    in_own = median(rotate_back(R_own[rows], carried[rows] - t_own[rows]), axis=0)
    return R, joint - R @ in_own
