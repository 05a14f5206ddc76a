"""Build the chain of segments of a leg from its pose and the ground reaction under its foot."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.gravity import STANDARD_GRAVITY
from gaitdyn.core.rotations import cross
from gaitdyn.kinematics.derivatives import angular_motions, derivatives_of_each
from gaitdyn.types.arrays import Array
from gaitdyn.types.chain import Chain
from gaitdyn.types.motion import LegBody, LegPose
from gaitdyn.types.wrench import FootWrench

GRAVITY_G = np.array([0.0, -STANDARD_GRAVITY, 0.0])


def leg_chains(legs: list[tuple[LegPose, LegBody, FootWrench]], rate_hz: float) -> list[Chain]:
    """Return chains of foot, shank and thigh, with derivatives from interpolating quintic splines.

    Parameters
    ----------
    legs : sequence of (LegPose, LegBody, FootWrench)
        Of one trial; the wrench is zero in swing and NaN where it is unknown.
    rate_hz : float
    """
    turning = angular_motions(np.concatenate([pose.R_GS for pose, _, _ in legs], axis=1), rate_hz)
    centres = np.concatenate([body.r_cm_G for _, body, _ in legs], axis=1)
    a_cm_G = derivatives_of_each(centres, rate_hz)[1]
    each = zip(*(np.split(values, len(legs), axis=1) for values in (a_cm_G, *turning)), strict=True)
    return [
        make_chain(*leg, *(values.copy() for values in motion))
        for leg, motion in zip(legs, each, strict=True)
    ]


def make_chain(
    pose: LegPose,
    body: LegBody,
    wrench: FootWrench,
    a_cm_G: Array,
    omega_S: Array,
    alpha_S: Array,
    gravity_G: Array = GRAVITY_G,
) -> Chain:
    """Return the chain of a leg from its motion, body and ground wrench, which acts on the foot."""
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
