"""Heel and toe of a foot whose markers do not show them, from a foot of typical shape.

They serve only for events and the outline on the plates; no angle or moment depends on them. The
shape is the median of standing trials from 24 laboratories. As shares of the ASIS height, the
lateral malleolus is 0.076 high and 0.058 ahead of the heel, the toe 0.042 and 0.209; the heel is
0.036 high.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import cross, rotate, rotate_back, unit
from gaitdyn.core.runs import complete_rows, known_mean
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import LegPose

if TYPE_CHECKING:
    from gaitdyn.calibrate.posture.reference import ReferenceLeg

_BACK, _DOWN = 0.308, 0.333
"""Heel from the ankle, back along the line from ankle to toe and normal to it, as shares of it."""

_FROM_HEEL = (2.96, 0.085)
"""Toe from the heel, forward and up, as shares of the distance from heel to ankle."""

_OF_SHANK = ((-0.135, -0.093), (0.352, -0.079))
"""Heel and toe from the ankle, forward and up in shank axes, as shares of the shank length."""


def usual_ends(heel: Array, toe: Array, pose: LegPose) -> tuple[Array, Array]:
    """Return heel and toe; an end that is never visible is that of a typical foot.

    Parameters
    ----------
    heel, toe : arrays, shape (n, 3)
        NaN where not known.
    pose : LegPose
        Ankle centre and axes of the shank.
    """
    ankle, knee = pose.r_prox_G[:, 0], pose.r_prox_G[:, 1]
    x, y, z = (pose.R_GS[:, 1, :, i] for i in range(3))
    no_heel, no_toe = not np.isfinite(heel).any(), not np.isfinite(toe).any()
    if no_heel and no_toe:
        length = np.linalg.norm(knee - ankle, axis=1)[:, None]
        heel, toe = (ankle + length * (a * x + b * y) for a, b in _OF_SHANK)
    elif no_heel:
        heel = usual_heel(ankle, toe, z)
    elif no_toe:
        length = np.linalg.norm(ankle - heel, axis=1)[:, None]
        toe = heel + length * (_FROM_HEEL[0] * x + _FROM_HEEL[1] * y)
    return heel, toe


def bridged_ends(heel: Array, toe: Array, pose: LegPose) -> tuple[Array, Array]:
    """Return heel and toe, filled in frames where both are unknown and the shank is known.

    They keep their mean position relative to the shank in the other frames. This is accurate enough
    to decide whether the foot is in stance, and at which centre of pressure.

    Parameters
    ----------
    heel, toe : arrays, shape (n, 3)
    pose : LegPose
    """
    R, ankle = pose.R_GS[:, 1], pose.r_prox_G[:, 0]
    lost = ~(complete_rows(heel) | complete_rows(toe)) & complete_rows(R) & complete_rows(ankle)
    if not lost.any():
        return heel, toe
    ends = []
    for end in (heel, toe):
        mean = known_mean(rotate_back(R, end - ankle))
        ends.append(np.where(lost[:, None], ankle + rotate(R, mean), end))
    return ends[0], ends[1]


def usual_heel(ankle: Array, toe: Array, right: Array) -> Array:
    """Return the heel of a foot from ankle centre and toe, shape (n, 3).

    Parameters
    ----------
    ankle, toe, right : arrays, shape (n, 3)
        ``right`` is the medio-lateral axis of the shank.
    """
    arm = toe - ankle
    length = np.linalg.norm(arm, axis=-1, keepdims=True)
    along = arm / length
    up = unit(cross(right, along))
    return ankle - length * (_BACK * along + _DOWN * up)


def standing_foot(leg: ReferenceLeg) -> tuple[Array, Array, Array]:
    """Return heel, toe and axes of a foot in the reference position, for length and mass.

    Ends that no landmark shows are those of a typical foot. A foot without axes has those of the
    shank, with which its mass then moves.

    Returns
    -------
    heel, toe : arrays, shape (3,)
        G, m.
    axes : array, shape (3, 3)
    """
    foot, shank, thigh = leg.axes
    centres = np.stack((leg.ankle, leg.knee, leg.hip))[None]
    pose = LegPose(leg.side, np.stack((foot, shank, thigh))[None], centres)
    heel, toe = usual_ends(leg.heel[None], leg.toe[None], pose)
    return heel[0], toe[0], foot if np.isfinite(foot).all() else shank
