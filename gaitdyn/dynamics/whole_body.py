"""The motion of the pelvis, and the chains of the legs in one piece with it."""

from __future__ import annotations

import numpy as np

from gaitdyn.kinematics.derivatives import angular_motion, derivatives
from gaitdyn.types.generalised import PelvisMotion
from gaitdyn.types.motion import Pose

_HIP = 2


def pelvis_motion(pose: Pose, rate_hz: float) -> PelvisMotion:
    """Return how the pelvis moves, with derivatives from interpolating quintic splines.

    Parameters
    ----------
    pose : Pose
    rate_hz : float

    Returns
    -------
    PelvisMotion
        Of the middle between the hip centres; with one hip alone, of that hip.
    """
    hips = np.stack((pose.left.r_prox_G[:, _HIP], pose.right.r_prox_G[:, _HIP]))
    known = np.isfinite(hips)
    middle = np.where(known, hips, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    middle = np.where(known.any(axis=0), middle, np.nan)
    velocity, acceleration = derivatives(middle, rate_hz)
    omega, alpha = angular_motion(pose.R_GP, rate_hz)
    return PelvisMotion(pose.R_GP, middle, velocity, acceleration, omega, alpha)
