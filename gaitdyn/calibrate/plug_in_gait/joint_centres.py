"""Joint centres of the Plug-in Gait lower limb: hip regression and chord function.

R. B. Davis et al. 1991, Hum Mov Sci 10:575-587, in the form of the vendor's model; lengths in m.
Segment axes are x forward, y up, z to the right on both sides.
"""

from __future__ import annotations

import math

import numpy as np

from gaitdyn.calibrate.plug_in_gait.segments import limb_frame
from gaitdyn.core.rotations import columns, cross, dot, rotate, rotate_back, unit
from gaitdyn.types.arrays import Array
from gaitdyn.types.subject import SIGN, Subject

_THETA, _BETA = 0.5, 0.314
"""The vendor's angles, rad; Davis et al. have 28.4 and 18 degrees (0.496 and 0.314 rad)."""

_LEG_FACTOR, _LEG_OFFSET = 0.115, 0.0153
_DEPTH_FACTOR, _DEPTH_OFFSET = 0.1288, 0.04856
"""Of Davis et al., from the leg length, m: C, and the distance of ASIS and hip centre in the
sagittal plane, which the vendor calls ASIS-trochanter distance."""

_SECANT_STEPS, _SECANT_END = 12, 1e-13


def pelvis_frame(left_asis: Array, right_asis: Array, sacrum: Array) -> tuple[Array, Array]:
    """Return the pelvis axes and origin.

    Parameters
    ----------
    left_asis, right_asis, sacrum : arrays, shape (n, 3)
        The sacrum is SACR or the midpoint of the PSIS markers.

    Returns
    -------
    R_GP : array, shape (n, 3, 3)
        z from the left to the right ASIS, y up, x forward in the plane of the markers.
    origin : array, shape (n, 3)
        Midpoint of the ASIS markers.
    """
    middle = 0.5 * (left_asis + right_asis)
    z = unit(right_asis - left_asis)
    y = unit(cross(z, middle - sacrum))
    return columns(cross(y, z), y, z), middle


def asis_trochanter_m(leg_length_m: float) -> float:
    """Return the ASIS-trochanter distance estimated from the leg length, m."""
    return _DEPTH_FACTOR * leg_length_m - _DEPTH_OFFSET


def hip_offset_P(subject: Subject, side: str, inter_asis_m: float, diameter_m: float) -> Array:
    """Return the hip centre from the midpoint of the ASIS markers, in pelvis axes, shape (3,), m.

    Leg lengths and, if it was measured, the ASIS-trochanter distance come from the subject.
    """
    legs = [subject.leg(s).leg_length_m or math.nan for s in ("left", "right")]
    C = _LEG_FACTOR * sum(legs) / 2 - _LEG_OFFSET
    leg = subject.leg(side)
    depth = leg.asis_trochanter_m or asis_trochanter_m(leg.leg_length_m or math.nan)
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
    """Return the joint centre at which proximal centre and lateral marker subtend a right angle.

    The centre lies in the plane of the three points, ``distance`` from the lateral marker, on the
    side away from the wand marker. The angle at the centre is 90 degrees.

    Parameters
    ----------
    proximal, lateral, wand : arrays, shape (n, 3)
    distance : float
        Half the joint's width plus half a marker, m.

    Returns
    -------
    array, shape (n, 3)
        NaN if the proximal centre is nearer to the marker than ``distance``.
    """
    to_proximal = proximal - lateral
    length = np.sqrt(dot(to_proximal, to_proximal))
    u = to_proximal / length
    to_wand = wand - lateral
    w = unit(to_wand - dot(to_wand, u) * u)
    cosine = distance / length
    sine = np.sqrt(np.where(np.abs(cosine) <= 1, 1 - cosine**2, np.nan))
    return lateral + distance * (cosine * u - sine * w)


def wand_angle(proximal: Array, centre: Array, lateral: Array, wand: Array, side: str) -> Array:
    """Return the angle of a wand marker behind the lateral marker, shape (n,), rad.

    The angle about the long axis from the centre to the proximal joint, positive if the wand is
    behind on either side.
    """
    R = limb_frame(proximal, centre, lateral, side)
    v = rotate_back(R, wand - centre)
    return np.arctan2(-v[..., 0], -SIGN[side] * v[..., 2])


def turned_chord(
    points: tuple[Array, Array, Array], distance: float, rotation: float, side: str
) -> Array:
    """Return the joint centre of :func:`chord` with its plane turned away from the wand.

    The plane turns about the line from the lateral marker to the proximal centre until the wand is
    at the angle ``rotation`` behind the lateral marker (thigh or shank rotation of the static). The
    secant method finds the turn.

    Parameters
    ----------
    points : tuple of 3 arrays, shape (n, 3)
        Proximal centre, lateral marker, wand marker.
    distance : float
        Of the centre from the lateral marker, m.
    rotation : float
        rad.
    side : {"left", "right"}

    Returns
    -------
    array, shape (n, 3)
    """
    proximal, lateral, wand = points
    centre = chord(proximal, lateral, wand, distance)
    if rotation == 0.0:
        return centre
    to_proximal = unit(proximal - lateral)
    inward = centre - lateral
    along = dot(inward, to_proximal) * to_proximal
    across = inward - along
    normal = cross(to_proximal, across)

    def centre_and_error(turn: Array) -> tuple[Array, Array]:
        turned = lateral + along + np.cos(turn)[:, None] * across + np.sin(turn)[:, None] * normal
        return turned, wand_angle(proximal, turned, lateral, wand, side) - rotation

    before = np.zeros(len(centre))
    error_before = centre_and_error(before)[1]
    turn = error_before.copy()
    for _ in range(_SECANT_STEPS):
        centre, error = centre_and_error(turn)
        with np.errstate(invalid="ignore", divide="ignore"):
            step = error * (turn - before) / (error - error_before)
        before, error_before, off = turn, error, np.abs(error) > _SECANT_END
        if not off.any():  # further steps would not change any frame
            break
        turn = turn - np.where(off, step, 0.0)
    return centre


def condyle_of_device(kax: Array, kd1: Array, kd2: Array, side: str) -> Array:
    """Return the condyle that a knee alignment device shows, shape (..., 3).

    The three markers of the device and the condyle form the corner of a cube. The condyle lies
    behind the triangle of the markers, at the distance that the root mean square of its sides sets.
    """
    normal = unit(cross(kd1 - kax, kd2 - kax))
    sides = sum(dot(a - b, a - b) for a, b in ((kax, kd1), (kd1, kd2), (kd2, kax)))
    return (kax + kd1 + kd2) / 3.0 - SIGN[side] * normal * np.sqrt(sides / 18.0)


def abducted_ankle(knee: Array, malleolus: Array, ankle: Array, abduction: float) -> Array:
    """Return the ankle centre turned about the malleolus marker by the ankle abduction.

    It stays in the plane of knee, malleolus and ankle, at the same distance from the malleolus.

    Parameters
    ----------
    knee, malleolus, ankle : arrays, shape (n, 3)
    abduction : float
        rad.

    Returns
    -------
    array, shape (n, 3)
    """
    if abduction == 0.0:
        return ankle
    arm = ankle - malleolus
    distance = np.sqrt(dot(arm, arm))
    to_knee = knee - malleolus
    length = np.sqrt(dot(to_knee, to_knee))
    u = to_knee / length
    inward = unit(arm - dot(arm, u) * u)
    angle = np.arccos(distance / length) - abduction
    return malleolus + distance * (np.cos(angle) * u + np.sin(angle) * inward)
