"""Joint power: moment times the angular velocity of the distal against the proximal segment."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import rotate, rotate_back
from gaitdyn.types.arrays import Array
from gaitdyn.types.chain import Chain


def joint_power(chain: Chain, moment_S: Array, omega_pelvis_G: Array) -> Array:
    """Return the power of each joint, split by the components along the distal axes.

    P_i = M_i (omega_distal - omega_proximal)_i in the axes of the distal segment (Winter 2009,
    ch. 6); generation is positive. The three components add up to the power.

    Parameters
    ----------
    chain : Chain
    moment_S : array, shape (n, s, 3)
        Joint moments in distal segment axes, N m.
    omega_pelvis_G : array, shape (n, 3)
        Angular velocity of the segment above the last joint, rad/s.

    Returns
    -------
    array, shape (n, s, 3)
        W.
    """
    proximal_G = np.empty_like(moment_S)
    proximal_G[:, :-1] = rotate(chain.R_GS, chain.omega_S)[:, 1:]
    proximal_G[:, -1] = omega_pelvis_G
    return moment_S * (chain.omega_S - rotate_back(chain.R_GS, proximal_G))
