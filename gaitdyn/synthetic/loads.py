"""Segment motion and joint loads of one leg, from the momentum of everything distal to a joint.

There is no recursion: for every joint the wrench of the proximal on the distal side is the rate
of change of momentum of all distal segments, minus gravity, minus the wrench of the ground.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitdyn.synthetic.arrays import Array
from gaitdyn.synthetic.body import (
    GRAVITY,
    Side,
    WalkerBody,
    foot_inertia,
    shank_inertia,
    thigh_inertia,
)
from gaitdyn.synthetic.ground import Wrench
from gaitdyn.synthetic.jets import angular_motion
from gaitdyn.synthetic.kinematics import WalkerPose

SEGMENTS = ("foot", "shank", "thigh")
_GRAVITY_G = np.array([0.0, -GRAVITY, 0.0])
JOINTS = ("ankle", "knee", "hip")


@dataclass(frozen=True, slots=True, eq=False)
class LegMotion:
    """Rigid motion of foot, shank, thigh (in this order), SI.

    Parameters
    ----------
    mass : array, shape (3,)
        kg.
    inertia_S : array, shape (3, 3, 3)
        kg m^2 about the centre of mass, segment axes.
    R_GS : array, shape (n, 3, 3, 3)
        Columns are the segment axes in G.
    r_prox_G, r_cm_G, v_cm_G, a_cm_G : array, shape (n, 3, 3)
        Proximal joint centre (ankle, knee, hip) and centre of mass, m, m/s, m/s^2.
    omega_S, alpha_S : array, shape (n, 3, 3)
        rad/s, rad/s^2, segment axes.
    """

    mass: Array
    inertia_S: Array
    R_GS: Array
    r_prox_G: Array
    r_cm_G: Array
    v_cm_G: Array
    a_cm_G: Array
    omega_S: Array
    alpha_S: Array


@dataclass(frozen=True, slots=True, eq=False)
class JointTruth:
    """Loads at ankle, knee and hip (in this order), of the proximal on the distal segment.

    Parameters
    ----------
    force_G, moment_G : array, shape (n, 3, 3)
        N, N m at the joint centre, G.
    moment_S : array, shape (n, 3, 3)
        The same moment in the axes of the distal segment.
    power, power_parts : array, shape (n, 3) and (n, 3, 3)
        W: moment times angular velocity of distal relative to proximal segment; the parts belong to
        the x, y, z axes of the distal segment and add up.
    """

    force_G: Array
    moment_G: Array
    moment_S: Array
    power: Array
    power_parts: Array


def leg_motion(body: WalkerBody, poses: WalkerPose, side: Side) -> LegMotion:
    """Return the rigid motion of one leg's segments.

    Parameters
    ----------
    body : WalkerBody
        Segment lengths and inertia.
    poses : WalkerPose
        Segment frames and joint centres as jets.
    side : {"left", "right"}
        Side of the leg.
    """
    leg = poses.leg(side)
    frames = (leg.R_GF, leg.R_GShank, leg.R_GThigh)
    origins = (leg.ankle_G, leg.ankle_G, leg.knee_G)
    inertias = (foot_inertia(body, side), shank_inertia(body, side), thigh_inertia(body, side))
    centres = [
        origin + R.apply(inertia.r_cm_S)
        for origin, R, inertia in zip(origins, frames, inertias, strict=True)
    ]
    turning = [angular_motion(R) for R in frames]
    proximal = (leg.ankle_G, leg.knee_G, leg.hip_G)
    return LegMotion(
        mass=np.array([inertia.mass for inertia in inertias]),
        inertia_S=np.stack([inertia.inertia_S for inertia in inertias]),
        R_GS=np.stack([R.value for R in frames], axis=1),
        r_prox_G=np.stack([joint.value for joint in proximal], axis=1),
        r_cm_G=np.stack([centre.value for centre in centres], axis=1),
        v_cm_G=np.stack([centre.rate for centre in centres], axis=1),
        a_cm_G=np.stack([centre.accel for centre in centres], axis=1),
        omega_S=np.stack([omega for omega, _ in turning], axis=1),
        alpha_S=np.stack([alpha for _, alpha in turning], axis=1),
    )


def joint_loads(motion: LegMotion, ground: Wrench, omega_pelvis_G: Array) -> JointTruth:
    """Return force, moment and power at ankle, knee and hip.

    F_J = sum m (a - g) - F_ground;
    M_J = sum [R (I alpha + omega x I omega) + (r_cm - r_J) x m (a - g)] - (M_O - r_J x F_ground),
    the sums over all segments distal to J.

    Parameters
    ----------
    motion : LegMotion
        The three segments.
    ground : Wrench
        On the foot.
    omega_pelvis_G : array, shape (n, 3)
        rad/s, for the hip power.
    """
    spin = (motion.inertia_S @ motion.omega_S[..., None])[..., 0]
    spin_rate = (motion.inertia_S @ motion.alpha_S[..., None])[..., 0]
    spin_rate = _turned(motion.R_GS, spin_rate + np.cross(motion.omega_S, spin))
    thrust = motion.mass[:, None] * (motion.a_cm_G - _GRAVITY_G)
    force, moment = np.empty_like(thrust), np.empty_like(thrust)
    for j in range(len(JOINTS)):
        r_J = motion.r_prox_G[:, j]
        distal = slice(0, j + 1)
        arm = motion.r_cm_G[:, distal] - r_J[:, None]
        swing = spin_rate[:, distal] + np.cross(arm, thrust[:, distal])
        force[:, j] = thrust[:, distal].sum(axis=1) - ground.force_G
        outside = ground.moment_O_G - np.cross(r_J, ground.force_G)
        moment[:, j] = swing.sum(axis=1) - outside
    omega_G = _turned(motion.R_GS, motion.omega_S)
    bending = omega_G - np.concatenate([omega_G[:, 1:], omega_pelvis_G[:, None]], axis=1)
    R_SG = np.swapaxes(motion.R_GS, -1, -2)
    moment_S = _turned(R_SG, moment)
    parts = moment_S * _turned(R_SG, bending)
    return JointTruth(force, moment, moment_S, np.sum(moment * bending, axis=-1), parts)


def _turned(R_AB: Array, vector: Array) -> Array:
    """Return R_AB @ vector for stacks of both."""
    return (R_AB @ vector[..., None])[..., 0]
