"""Axes and centres of head, thorax and arm from markers, frame by frame.

The construction of the Plug-in Gait upper body, as its stored results show it; lengths in m. All
axes here are x forward, y up, z to the right: the vendor's thorax has z down and y to the right,
its arms x back and z up; the words of an angle or a moment do not depend on it.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.calibrate.joint_centres import chord
from gaitdyn.core.rotations import columns, cross, unit
from gaitdyn.core.runs import known_mean
from gaitdyn.types.arrays import Array
from gaitdyn.types.subject import SIGN, Side
from gaitdyn.types.upper import ArmPose

Heads = tuple["Array", "Array", "Array", "Array"]
"""LFHD, RFHD, LBHD, RBHD, shape (n, 3) each."""


def head_axes(heads: Heads) -> Array:
    """Return the axes that the four head markers have, shape (n, 3, 3).

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
    """Return the turn about z that levels the head as the static has it, rad.

    Of the mean positions of the markers, each over its own frames.

    Parameters
    ----------
    heads : tuple of 4 arrays, shape (n, 3)
        Of a static.

    Returns
    -------
    float
        NaN where a marker is never seen.
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
    """Return the shoulder centre, below the marker as seen from the thorax, shape (n, 3).

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
    """Return the elbow centre in the plane square to that of shoulder, marker and wrist.

    Parameters
    ----------
    side : {"left", "right"}
    shoulder, marker, wrist : arrays, shape (n, 3)
        Shoulder centre, elbow marker, middle of the wrist markers.
    reach : float
        Half of elbow width and marker, m.
    """
    wand = marker + SIGN[side] * cross(shoulder - marker, wrist - marker)
    return chord(shoulder, marker, wand, reach)


def wrist_centre(side: str, thumb: Array, little: Array, elbow: Array, reach: float) -> Array:
    """Return the wrist centre, square to both the line of its markers and the forearm.

    Parameters
    ----------
    side : {"left", "right"}
    thumb, little : arrays, shape (n, 3)
        WRA and WRB, on the sides of thumb and little finger.
    elbow : array, shape (n, 3)
        Its centre.
    reach : float
        Half of wrist width and marker, m.
    """
    middle = 0.5 * (thumb + little)
    return middle + SIGN[side] * reach * unit(cross(thumb - little, elbow - middle))


def arm_pose(
    side: Side, centres: tuple[Array, Array, Array, Array], across: Array | None
) -> ArmPose:
    """Return centres and axes of an arm.

    The elbow's axis is square to upper arm and forearm; with a straight elbow it is not known.

    Parameters
    ----------
    side : {"left", "right"}
    centres : tuple of 4 arrays, shape (n, 3)
        Shoulder, elbow, wrist, hand, m.
    across : array, shape (n, 3), or None
        From the thumb's to the little finger's wrist marker; None with one marker.
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
