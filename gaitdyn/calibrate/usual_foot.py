"""Heel and toe of a foot whose markers do not show them, from a foot of usual shape.

For events and the outline on the plates alone; no angle and no moment is made of them. The shape
is the median of 24 laboratories' standing trials (heights and forward places as parts of the ASIS
height: lateral malleolus 0.076 high and 0.058 ahead of the heel, toe 0.042 and 0.209, heel 0.036).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import cross, rotate, rotate_back, unit
from gaitdyn.core.runs import complete_rows, known_mean
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import LegPose

if TYPE_CHECKING:
    from gaitdyn.calibrate.landmarks import ReferenceLeg
    from gaitdyn.types.arrays import Array


_BACK, _DOWN = 0.308, 0.333
"""Heel from the ankle, against and square to the line from ankle to toe, parts of that line."""

_FROM_HEEL = (2.96, 0.085)
"""Toe from the heel, forward and up, parts of the line from heel to ankle."""

_OF_SHANK = ((-0.135, -0.093), (0.352, -0.079))
"""Heel and toe from the ankle, forward and up, parts of the shank; the axes are the shank's."""


def usual_ends(heel: Array, toe: Array, pose: LegPose) -> tuple[Array, Array]:
    """Return heel and toe with what is never seen filled in.

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
    """Return heel and toe with the frames filled in which both are unknown and the shank is known.

    They stand where they are against the shank in the mean of the other frames: near enough to
    tell whether a foot stands, and under which centre of pressure.

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

    What no landmark shows is that of a foot of usual shape; a foot without axes has those of the
    shank, with which its mass then moves.

    Parameters
    ----------
    leg : ReferenceLeg

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
