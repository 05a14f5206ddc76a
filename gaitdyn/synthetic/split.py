"""A gait for split belts: one leg takes its foot back and forth by a part of the way of the other.

On a treadmill the foot of the slow side goes where that of the walk goes, its way along the belt
shortened about its middle, at the same height and pitch; hip flexion, knee flexion and ankle
dorsiflexion that bring it there are found by Newton's method and written as Fourier coefficients.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.synthetic.gait import coefficients_of, sampled
from gaitdyn.synthetic.kinematics import pose

if TYPE_CHECKING:
    from gaitdyn.synthetic.arrays import Array
    from gaitdyn.synthetic.body import Side
    from gaitdyn.synthetic.gait import Gait
    from gaitdyn.synthetic.kinematics import Walker


SAMPLES, ROUNDS, LARGEST_RAD = 96, 40, 0.2
_BENT_RAD = 0.2
"""The search begins with a knee that is bent: a straight one can bend either way."""

_FREE = (0, 3, 6)
"""Hip flexion, knee flexion, ankle dorsiflexion among the angles of a leg."""


def split_gait(walker: Walker, slow: float) -> Gait:
    """Return the gait whose following leg stands on a belt of another speed.

    Parameters
    ----------
    walker : Walker
        Along X of G.
    slow : float
        Speed of that belt, of the other's.
    """
    gait = walker.gait
    side: Side = "left" if gait.lead == "right" else "right"
    start = walker.strike_s(side, 0)
    time_s = start + np.arange(SAMPLES) / SAMPLES * gait.stride_s
    angles = sampled(gait.angles_of(side), SAMPLES)
    there = _place(walker, side, time_s)
    angles[3] = np.maximum(angles[3], _BENT_RAD)
    middle = there[:, 0].mean()
    goal = np.stack((middle + slow * (there[:, 0] - middle), there[:, 1], there[:, 2]), axis=1)
    for _ in range(ROUNDS):
        own = _with(walker, angles)
        at = _place(own, side, time_s)
        slopes = np.empty((SAMPLES, 3, 3))
        for k, row in enumerate(_FREE):
            nudged = angles.copy()
            nudged[row] += 1e-6
            slopes[:, :, k] = (_place(_with(walker, nudged), side, time_s) - at) / 1e-6
        change = np.linalg.solve(slopes, (goal - at)[:, :, None])[:, :, 0].T
        angles[list(_FREE)] += np.clip(change, -LARGEST_RAD, LARGEST_RAD)
    return replace(gait, follow_angles=coefficients_of(angles))


def _with(walker: Walker, angles: Array) -> Walker:
    return replace(walker, gait=replace(walker.gait, follow_angles=coefficients_of(angles)))


def _place(walker: Walker, side: Side, time_s: Array) -> Array:
    """Return ankle along the belt and up, m, and pitch of the foot, rad; shape (n, 3)."""
    leg = pose(walker, time_s).leg(side)
    speed = walker.gait.stride_length * walker.body.leg_m / walker.gait.stride_s
    forward = leg.R_GF.value[:, :, 0]
    pitch = np.arctan2(forward[:, 1], np.hypot(forward[:, 0], forward[:, 2]))
    ankle = leg.ankle_G.value
    return np.stack((ankle[:, 0] - speed * time_s, ankle[:, 1], pitch), axis=1)
