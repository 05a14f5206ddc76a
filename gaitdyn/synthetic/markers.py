"""Plug-in Gait lower-body markers on the walker."""

from __future__ import annotations

import numpy as np

from gaitdyn.synthetic.arrays import Array
from gaitdyn.synthetic.body import SIDES, Side, WalkerBody, foot_points, sign
from gaitdyn.synthetic.kinematics import WalkerPose

PELVIS_LABELS = ("LASI", "RASI", "LPSI", "RPSI")
LEG_LABELS = ("THI", "KNE", "TIB", "ANK", "HEE", "TOE")
LABELS = (*PELVIS_LABELS, *(f"{side[0].upper()}{name}" for side in SIDES for name in LEG_LABELS))


def markers(body: WalkerBody, poses: WalkerPose) -> Array:
    """Return the centres of all markers.

    KNE and ANK are (width + diameter) / 2 lateral of the joint centres, at right angles to the
    segment's long axis; THI and TIB lie in the same frontal plane. HEE and TOE are fixed in the
    anatomical foot, the four pelvis markers in the pelvis.

    Parameters
    ----------
    body : WalkerBody
        Body dimensions.
    poses : WalkerPose
        Segment frames and joint centres.

    Returns
    -------
    array, shape (n_times, 16, 3)
        G, m, in the order of ``LABELS``.
    """
    pelvis = [poses.mid_asis_G.value + poses.R_GP.value @ point for point in _pelvis_points(body)]
    legs = [point for side in SIDES for point in _leg_markers(body, poses, side)]
    return np.stack([*pelvis, *legs], axis=1)


def _pelvis_points(body: WalkerBody) -> list[Array]:
    """Return LASI, RASI, LPSI, RPSI in pelvis axes from mid-ASIS, m."""
    front, back = body.inter_asis_m / 2.0, body.inter_psis_m / 2.0
    depth = body.pelvis_depth_m
    return [
        np.array(point)
        for point in ((0, 0, -front), (0, 0, front), (-depth, 0, -back), (-depth, 0, back))
    ]


def _leg_markers(body: WalkerBody, poses: WalkerPose, side: Side) -> list[Array]:
    """Return THI, KNE, TIB, ANK, HEE, TOE of one side, each of shape (n_times, 3)."""
    leg, size, points = poses.leg(side), body.side(side), foot_points(body, side)
    lateral = np.array([0.0, 0.0, -sign(side)])
    thigh, shank, foot = leg.R_GThigh.value, leg.R_GShank.value, leg.R_GF.value
    knee, ankle = leg.knee_G.value, leg.ankle_G.value
    down_thigh, out_thigh = size.thigh_wand
    down_shank, out_shank = size.shank_wand
    on_thigh = np.array([0.0, (1.0 - down_thigh) * size.thigh_m, 0.0]) + out_thigh * lateral
    on_shank = np.array([0.0, (1.0 - down_shank) * size.shank_m, 0.0]) + out_shank * lateral
    return [
        knee + thigh @ on_thigh,
        knee + thigh @ (body.joint_to_marker_m(side, "knee") * lateral),
        ankle + shank @ on_shank,
        ankle + shank @ (body.joint_to_marker_m(side, "ankle") * lateral),
        ankle + foot @ points["heel"],
        ankle + foot @ points["toe"],
    ]
