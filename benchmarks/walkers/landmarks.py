"""Every landmark that a laboratory may mark, on the walker's pelvis and legs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.synthetic.body import SIDES, Side, WalkerBody, foot_points, hip_in_pelvis, sign

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gaitdyn.synthetic.kinematics import WalkerPose

    Array = NDArray[np.float64]

DEPTH_M = 0.150
"""From the middle of the ASIS to that of the PSIS."""

_CLUSTER = (
    (0.030, 0.060, 0.0),
    (-0.035, 0.050, -0.006),
    (0.025, -0.045, 0.004),
    (-0.030, -0.060, 0.0),
)
"""Markers of a cluster about its middle: forward, up, outward, m."""

_SIN_THETA, _HIP_SHIFT_MM = 0.479, 15.3


def pelvis_landmarks(body: WalkerBody) -> dict[str, Array]:
    """Return ASIS, PSIS and sacrum from the middle of the hip centres, pelvis axes, m.

    The true hip centres lie half way between two regressions that laboratories use: Davis et al.
    1991 (from leg length) and Harrington et al. 2007 (from width and depth of the pelvis), about
    5 mm from either, so that none is preferred.
    """
    hips = [hip_in_pelvis(body, side) for side in SIDES]
    x_davis, y_davis, _ = (hips[0] + hips[1]) / 2.0
    depth, size = body.pelvis_depth_m, body.pelvis_depth_m / DEPTH_M
    half = float(hips[1][2] - hips[0][2]) / 2.0
    leg_mm = (body.left.leg_length_mm + body.right.leg_length_mm) / 2.0
    c = (0.115 * leg_mm - _HIP_SHIFT_MM) / 1000.0
    # half hip distance: w / 2 - c sin(theta) by Davis, 0.33 w + 7.3 mm by Harrington
    width = (2.0 * half + c * _SIN_THETA - 0.0073) / 0.83
    x_harrington = -0.24 * depth - 0.0099 - body.marker_diameter_mm / 2000.0
    y_harrington = -0.30 * width - 0.0109
    middle = -np.array([(x_davis + x_harrington) / 2.0, (y_davis + y_harrington) / 2.0, 0.0])
    back = middle - [depth, 0.0, 0.0]
    out, near = np.array([0.0, 0.0, width / 2.0]), np.array([0.0, 0.0, 0.046 * size])
    return {
        "LASI": middle - out,
        "RASI": middle + out,
        "LPSI": back - near,
        "RPSI": back + near,
        "SAC": back,
    }


def landmarks(body: WalkerBody, where: WalkerPose) -> dict[str, Array]:
    """Return the centres of every marker that can be on pelvis and legs.

    Condyles and malleoli stand (width + marker diameter) / 2 to both sides of the joint centres
    on z of thigh and shank, wands in the frontal planes, all three points of the forefoot and the
    heel at one height, so that every rule that is exact finds the true axes.

    Parameters
    ----------
    body : WalkerBody
    where : WalkerPose

    Returns
    -------
    dict
        ``LASI``, ``SAC``, ``RKLE``, ``LTHC1`` ... -> array, shape (n_times, 3), G, m.
    """
    middle = (where.left.hip_G.value + where.right.hip_G.value) / 2.0
    R_GP = where.R_GP.value
    found = {name: middle + R_GP @ point for name, point in pelvis_landmarks(body).items()}
    for side in SIDES:
        letter = side[0].upper()
        points = _on_the_leg(body, where, side)
        found |= {letter + name: place for name, place in points.items()}
    return found


def _on_the_leg(body: WalkerBody, where: WalkerPose, side: Side) -> dict[str, Array]:
    """Return the landmarks of one leg."""
    leg = where.leg(side)
    ankle, knee = leg.ankle_G.value, leg.knee_G.value
    mirror = np.array([1.0, 1.0, -sign(side)])
    on_thigh = {name: np.array(p) * mirror for name, p in _thigh(body, side).items()}
    on_shank = {name: np.array(p) * mirror for name, p in _shank(body, side).items()}
    ends, size = foot_points(body, side), body.pelvis_depth_m / DEPTH_M
    ahead, across = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, -sign(side)])
    on_foot = {
        "CAL": ends["heel"],
        "TOE": ends["toe"],
        "M1": ends["toe"] + size * (0.010 * ahead - 0.046 * across),
        "M5": ends["toe"] - size * (0.022 * ahead - 0.046 * across),
    }
    thigh, shank, foot = leg.R_GThigh.value, leg.R_GShank.value, leg.R_GF.value
    return (
        {name: knee + thigh @ p for name, p in on_thigh.items()}
        | {name: ankle + shank @ p for name, p in on_shank.items()}
        | {name: ankle + foot @ p for name, p in on_foot.items()}
        | {"HJC": leg.hip_G.value, "KJC": knee, "AJC": ankle}
    )


def _thigh(body: WalkerBody, side: Side) -> dict[str, tuple[float, float, float]]:
    """Return points of the thigh from the knee centre: forward, up, outward, m."""
    size, out = body.side(side), body.joint_to_marker_m(side, "knee")
    down, wand = size.thigh_wand
    middle, scale = 0.52 * size.thigh_m, body.pelvis_depth_m / DEPTH_M
    return {
        "KLE": (0.0, 0.0, out),
        "KME": (0.0, 0.0, -out),
        "THW": (0.0, (1.0 - down) * size.thigh_m, wand),
        "GTR": (-0.012, size.thigh_m - 0.005, 0.092 * scale),
        **_cluster("THC", (0.025, middle, 0.075 * scale)),
    }


def _shank(body: WalkerBody, side: Side) -> dict[str, tuple[float, float, float]]:
    """Return points of the shank from the ankle centre: forward, up, outward, m."""
    size, out = body.side(side), body.joint_to_marker_m(side, "ankle")
    down, wand = size.shank_wand
    return {
        "ANL": (0.0, 0.0, out),
        "ANM": (0.0, 0.0, -out),
        "SHW": (0.0, (1.0 - down) * size.shank_m, wand),
        "FIB": (-0.014, size.shank_m - 0.048, 0.057),
        "TTU": (0.040, size.shank_m - 0.072, 0.015),
        **_cluster("SHC", (0.020, 0.56 * size.shank_m, 0.055)),
    }


def _cluster(
    stem: str, middle: tuple[float, float, float]
) -> dict[str, tuple[float, float, float]]:
    """Return four markers about a point."""
    return {
        f"{stem}{i}": (middle[0] + p[0], middle[1] + p[1], middle[2] + p[2])
        for i, p in enumerate(_CLUSTER, start=1)
    }
