"""Joint centres of the Plug-in Gait lower limb: hip regression and chord function.

R. B. Davis et al. 1991, Hum Mov Sci 10:575-587, in the form of the vendor's model; lengths in m.
Segment axes are x forward, y up, z to the right on both sides.
"""

from __future__ import annotations

import math

import numpy as np

from gaitdyn.core.rotations import columns, cross, dot, rotate, unit
from gaitdyn.types.arrays import Array
from gaitdyn.types.subject import SIGN, Subject

_THETA, _BETA = 0.5, 0.314  # rad
_LEG_FACTOR, _LEG_OFFSET = 0.115, 0.0153
_DEPTH_FACTOR, _DEPTH_OFFSET = 0.1288, 0.04856


def pelvis_frame(left_asis: Array, right_asis: Array, sacrum: Array) -> tuple[Array, Array]:
    """Return the pelvis axes and origin.

    Parameters
    ----------
    left_asis, right_asis, sacrum : arrays, shape (n, 3)
        The sacrum is SACR or the middle of both PSIS markers.

    Returns
    -------
    R_GP : array, shape (n, 3, 3)
        z from the left to the right ASIS, y up, x forward in the plane of the markers.
    origin : array, shape (n, 3)
        Middle of the ASIS markers.
    """
    middle = 0.5 * (left_asis + right_asis)
    z = unit(right_asis - left_asis)
    y = unit(cross(z, middle - sacrum))
    return columns(cross(y, z), y, z), middle


def hip_offset_P(subject: Subject, side: str, inter_asis_m: float, diameter_m: float) -> Array:
    """Return the hip centre from the middle of the ASIS markers, in pelvis axes, shape (3,), m.

    Leg lengths and, where it was measured, the ASIS-trochanter distance come from the subject.
    """
    legs = [subject.leg(s).leg_length_m or math.nan for s in ("left", "right")]
    C = _LEG_FACTOR * sum(legs) / 2 - _LEG_OFFSET
    leg = subject.leg(side)
    own_length = leg.leg_length_m or math.nan
    depth = leg.asis_trochanter_m or _DEPTH_FACTOR * own_length - _DEPTH_OFFSET
    reach = depth + diameter_m / 2
    sin_t, cos_t = math.sin(_THETA), math.cos(_THETA)
    sin_b, cos_b = math.sin(_BETA), math.cos(_BETA)
    return np.array(
        [
            C * cos_t * sin_b - reach * cos_b,
            -C * cos_t * cos_b - reach * sin_b,
            SIGN[side] * (C * sin_t - inter_asis_m / 2),
        ]
    )


def hip_centre(R_GP: Array, origin: Array, offset_P: Array) -> Array:
    """Return the hip centre in G, shape (n, 3)."""
    return origin + rotate(R_GP, offset_P)


def chord(proximal: Array, lateral: Array, wand: Array, distance: float) -> Array:
    """Return the joint centre at a right angle between the proximal centre and a lateral marker.

    The centre lies in the plane of the three points, ``distance`` from the lateral marker, on the
    side away from the wand marker; the angle at the centre is 90 degrees.

    Parameters
    ----------
    proximal, lateral, wand : arrays, shape (n, 3)
    distance : float
        Half the joint's width plus half a marker, m.

    Returns
    -------
    array, shape (n, 3)
        NaN where the proximal centre is nearer to the marker than ``distance``.
    """
    to_proximal = proximal - lateral
    length = np.sqrt(dot(to_proximal, to_proximal))
    u = to_proximal / length
    to_wand = wand - lateral
    w = unit(to_wand - dot(to_wand, u) * u)
    cosine = distance / length
    sine = np.sqrt(np.where(np.abs(cosine) <= 1, 1 - cosine**2, np.nan))
    return lateral + distance * (cosine * u - sine * w)
