"""The motion of the pelvis, the root of the whole-body tree."""

from __future__ import annotations

import numpy as np

from gaitdyn.kinematics.derivatives import angular_motion, derivatives
from gaitdyn.types.generalised import PelvisMotion
from gaitdyn.types.motion import Pose

_HIP = 2


def pelvis_motion(pose: Pose, rate_hz: float) -> PelvisMotion:
    """Return the motion of the pelvis, with derivatives from interpolating quintic splines.

    Returns
    -------
    PelvisMotion
        Of the midpoint between the hip centres; of the one hip if only one is known.
    """
    hips = np.stack((pose.left.r_prox_G[:, _HIP], pose.right.r_prox_G[:, _HIP]))
    known = np.isfinite(hips)
    middle = np.where(known, hips, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    middle = np.where(known.any(axis=0), middle, np.nan)
    velocity, acceleration = derivatives(middle, rate_hz)
    omega, alpha = angular_motion(pose.R_GP, rate_hz)
    return PelvisMotion(pose.R_GP, middle, velocity, acceleration, omega, alpha)
