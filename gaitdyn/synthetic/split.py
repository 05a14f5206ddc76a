"""A gait for split belts: one leg moves its foot back and forth less than the other.

On a treadmill the foot on the slow side follows its path in the walk, but the path along the belt
is shortened about its middle, at the same height and pitch. Hip flexion, knee flexion and ankle
dorsiflexion for this path are found by Newton's method and stored as Fourier coefficients.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.synthetic.arrays import Array
from gaitdyn.synthetic.body import Side
from gaitdyn.synthetic.gait import Gait, coefficients_of, sampled
from gaitdyn.synthetic.kinematics import Walker, pose

SAMPLES, ROUNDS, LARGEST_RAD = 96, 40, 0.2
_BENT_RAD = 0.2
"""The search begins with a bent knee: a straight one could bend either way."""

_FREE = (0, 3, 6)
"""Hip flexion, knee flexion, ankle dorsiflexion among the angles of a leg."""


def split_gait(walker: Walker, slow: float) -> Gait:
    """Return the gait in which the following leg is on a belt with a different speed.

    Parameters
    ----------
    walker : Walker
        Walks along X of G.
    slow : float
        Speed of that belt over the speed of the other.
    """
    gait = walker.gait
    side: Side = "left" if gait.lead == "right" else "right"
    start = walker.strike_s(side, 0)
    time_s = start + np.arange(SAMPLES) / SAMPLES * gait.stride_s
    angles = sampled(gait.angles_of(side), SAMPLES)
    path = _foot_path(walker, side, time_s)
    angles[3] = np.maximum(angles[3], _BENT_RAD)
    middle = path[:, 0].mean()
    goal = np.stack((middle + slow * (path[:, 0] - middle), path[:, 1], path[:, 2]), axis=1)
    for _ in range(ROUNDS):
        reached = _foot_path(_with_angles(walker, angles), side, time_s)
        slopes = np.empty((SAMPLES, 3, 3))
        for k, row in enumerate(_FREE):
            nudged = angles.copy()
            nudged[row] += 1e-6
            moved = _foot_path(_with_angles(walker, nudged), side, time_s)
            slopes[:, :, k] = (moved - reached) / 1e-6
        change = np.linalg.solve(slopes, (goal - reached)[:, :, None])[:, :, 0].T
        angles[list(_FREE)] += np.clip(change, -LARGEST_RAD, LARGEST_RAD)
    return replace(gait, follow_angles=coefficients_of(angles))


def _with_angles(walker: Walker, angles: Array) -> Walker:
    return replace(walker, gait=replace(walker.gait, follow_angles=coefficients_of(angles)))


def _foot_path(walker: Walker, side: Side, time_s: Array) -> Array:
    """Return the ankle along the belt and up, m, and the pitch of the foot, rad; shape (n, 3)."""
    leg = pose(walker, time_s).leg(side)
    speed = walker.gait.stride_length * walker.body.leg_m / walker.gait.stride_s
    forward = leg.R_GF.value[:, :, 0]
    pitch = np.arctan2(forward[:, 1], np.hypot(forward[:, 0], forward[:, 2]))
    ankle = leg.ankle_G.value
    return np.stack((ankle[:, 0] - speed * time_s, ankle[:, 1], pitch), axis=1)
