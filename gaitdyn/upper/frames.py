"""Axes and centres of head, thorax and arms from markers, frame by frame.

They are constructed as in the Plug-in Gait upper body, as inferred from its stored results; lengths
in m. All axes in this module are x forward, y up, z to the right. The vendor's thorax has z down
and y to the right, its arms x back and z up; names of angles and moments do not depend on this.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.calibrate.plug_in_gait.joint_centres import chord
from gaitdyn.core.rotations import columns, cross, unit
from gaitdyn.core.runs import known_mean
from gaitdyn.types.arrays import Array
from gaitdyn.types.subject import SIGN, Side
from gaitdyn.types.upper import ArmPose

Heads = tuple["Array", "Array", "Array", "Array"]
"""LFHD, RFHD, LBHD, RBHD, shape (n, 3) each."""


def head_axes(heads: Heads) -> Array:
    """Return the axes defined by the four head markers, shape (n, 3, 3).

    Parameters
    ----------
    heads : tuple of 4 arrays, shape (n, 3)
        LFHD, RFHD, LBHD, RBHD.
    """
    left_front, right_front, left_back, right_back = heads
    x = unit(left_front + right_front - left_back - right_back)
    y = unit(cross(x, left_front + left_back - right_front - right_back))
    return columns(x, y, cross(x, y))


def head_offset(heads: Heads) -> float:
    """Return the rotation about z that makes the head level as in the static, rad.

    It uses the mean position of each marker over the frames in which that marker is visible.

    Parameters
    ----------
    heads : tuple of 4 arrays, shape (n, 3)
        The head markers of a static.

    Returns
    -------
    float
        NaN if a marker is never visible.
    """
    means = tuple(known_mean(marker)[None] for marker in heads)
    R = head_axes((means[0], means[1], means[2], means[3]))[0]
    return float(np.arctan2(R[1, 0], R[1, 1]))


def thorax_axes(front: Array, back: Array, upper: Array, lower: Array) -> Array:
    """Return the thorax axes, shape (n, 3, 3).

    Parameters
    ----------
    front, back : arrays, shape (n, 3)
        Middle of CLAV and STRN, and of C7 and T10, m.
    upper, lower : arrays, shape (n, 3)
        Middle of CLAV and C7, and of STRN and T10, m.
    """
    y = unit(upper - lower)
    z = unit(cross(front - back, y))
    return columns(cross(y, z), y, z)


def shoulder_centre(side: str, marker: Array, R_GT: Array, thorax_G: Array, reach: float) -> Array:
    """Return the shoulder centre, below the marker relative to the thorax, shape (n, 3).

    Parameters
    ----------
    side : {"left", "right"}
    marker : array, shape (n, 3)
    R_GT : array, shape (n, 3, 3)
    thorax_G : array, shape (n, 3)
    reach : float
        Shoulder offset plus half a marker, m.
    """
    wand = marker + SIGN[side] * cross(R_GT[..., 0], marker - thorax_G)
    return chord(thorax_G, marker, wand, reach)


def elbow_centre(side: str, shoulder: Array, marker: Array, wrist: Array, reach: float) -> Array:
    """Return the elbow centre, in a plane perpendicular to that of shoulder, marker and wrist.

    Parameters
    ----------
    side : {"left", "right"}
    shoulder, marker, wrist : arrays, shape (n, 3)
        Shoulder centre, elbow marker, middle of the wrist markers.
    reach : float
        Half the elbow width plus half a marker, m.
    """
    wand = marker + SIGN[side] * cross(shoulder - marker, wrist - marker)
    return chord(shoulder, marker, wand, reach)


def wrist_centre(side: str, thumb: Array, little: Array, elbow: Array, reach: float) -> Array:
    """Return the wrist centre, offset perpendicular to the line of its markers and the forearm.

    Parameters
    ----------
    side : {"left", "right"}
    thumb, little : arrays, shape (n, 3)
        WRA and WRB, on the thumb side and the little-finger side.
    elbow : array, shape (n, 3)
        Elbow centre.
    reach : float
        Half the wrist width plus half a marker, m.
    """
    middle = 0.5 * (thumb + little)
    return middle + SIGN[side] * reach * unit(cross(thumb - little, elbow - middle))


def arm_pose(
    side: Side, centres: tuple[Array, Array, Array, Array], across: Array | None
) -> ArmPose:
    """Return the joint centres and segment axes of an arm.

    The elbow axis is perpendicular to upper arm and forearm; with a straight elbow it is undefined.

    Parameters
    ----------
    side : {"left", "right"}
    centres : tuple of 4 arrays, shape (n, 3)
        Shoulder, elbow, wrist, hand, m.
    across : array, shape (n, 3), or None
        From the thumb-side to the little-finger-side wrist marker; None with one marker.
    """
    shoulder, elbow, wrist, hand = centres
    upper = unit(shoulder - elbow)
    axis = unit(cross(wrist - elbow, upper))
    R_upper = columns(cross(upper, axis), upper, axis)
    fore = unit(elbow - wrist)
    R_fore = columns(cross(fore, axis), fore, axis)
    R_hand = np.full_like(R_fore, np.nan)
    if across is not None:
        up = unit(wrist - hand)
        x = unit(cross(up, SIGN[side] * across))
        R_hand = columns(x, up, cross(x, up))
    R_GS = np.stack((R_hand, R_fore, R_upper), axis=1)
    return ArmPose(side, R_GS, np.stack((wrist, elbow, shoulder), axis=1), hand)
