"""The motion of the pelvis, the root of the whole-body tree."""

from __future__ import annotations

from gaitdyn.core.runs import complete_rows
from gaitdyn.kinematics.derivatives import angular_motion, derivatives
from gaitdyn.types.generalised import PelvisMotion
from gaitdyn.types.motion import Pose

_HIP = 2


def pelvis_motion(pose: Pose, rate_hz: float) -> PelvisMotion:
    """Return the motion of the pelvis, with derivatives from interpolating quintic splines.

    Returns
    -------
    PelvisMotion
        Of the midpoint between the hip centres, NaN in frames that show only one; of the one hip if
        no frame shows both. A path that went from the midpoint to a hip would leap by half the
        width of the pelvis.
    """
    hips = pose.left.r_prox_G[:, _HIP], pose.right.r_prox_G[:, _HIP]
    middle = (hips[0] + hips[1]) / 2.0
    if not complete_rows(middle).any():
        middle = max(hips, key=lambda hip: int(complete_rows(hip).sum()))
    velocity, acceleration = derivatives(middle, rate_hz)
    omega, alpha = angular_motion(pose.R_GP, rate_hz)
    return PelvisMotion(pose.R_GP, middle, velocity, acceleration, omega, alpha)
