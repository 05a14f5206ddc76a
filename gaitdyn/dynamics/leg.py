"""From the pose of a leg and the force under its foot to the chain of the equations of motion."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import cross
from gaitdyn.kinematics.derivatives import angular_motions, derivatives_of_each
from gaitdyn.types.arrays import Array
from gaitdyn.types.chain import Chain
from gaitdyn.types.motion import LegBody, LegPose
from gaitdyn.types.wrench import FootWrench

STANDARD_GRAVITY = 9.80665
"""CGPM 1901, m/s2."""

GRAVITY_G = np.array([0.0, -STANDARD_GRAVITY, 0.0])


def leg_chain(pose: LegPose, body: LegBody, wrench: FootWrench, rate_hz: float) -> Chain:
    """Return the chain foot, shank, thigh with derivatives from interpolating quintic splines.

    Parameters
    ----------
    pose : LegPose
    body : LegBody
    wrench : FootWrench
        Zero in swing, NaN where unknown.
    rate_hz : float

    Returns
    -------
    Chain
    """
    omega_S, alpha_S = angular_motions(pose.R_GS, rate_hz)
    a_cm_G = derivatives_of_each(body.r_cm_G, rate_hz)[1]
    return make_chain(pose, body, wrench, a_cm_G, omega_S, alpha_S)


def make_chain(
    pose: LegPose,
    body: LegBody,
    wrench: FootWrench,
    a_cm_G: Array,
    omega_S: Array,
    alpha_S: Array,
    gravity_G: Array = GRAVITY_G,
) -> Chain:
    """Put a leg's motion, body and ground wrench together; the ground acts on the foot alone."""
    force, moment = np.zeros_like(body.r_cm_G), np.zeros_like(body.r_cm_G)
    force[:, 0] = wrench.force_G
    moment[:, 0] = wrench.moment_G - cross(body.r_cm_G[:, 0], wrench.force_G)
    return Chain(
        mass=body.mass,
        inertia_S=body.inertia_S,
        R_GS=pose.R_GS,
        r_cm_G=body.r_cm_G,
        r_prox_G=pose.r_prox_G,
        a_cm_G=a_cm_G,
        omega_S=omega_S,
        alpha_S=alpha_S,
        external_force_G=force,
        external_moment_G=moment,
        gravity_G=gravity_G,
    )
