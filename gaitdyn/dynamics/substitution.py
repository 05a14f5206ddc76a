"""Block forward substitution of the stacked system: the recursion from the foot to the hip.

Row by row of :mod:`gaitdyn.dynamics.stacked`, with the joint load of the segment below known::

    F_i^G = m_i (a_i - g) - F_ext,i + F_(i-1)
    M_i^S = I alpha + omega x I omega
            + R_SG [ - M_ext,i - r_prox/cm x F_i + r_dist/cm x F_(i-1) + M_(i-1)^G ]

(Winter 2009, Biomechanics and Motor Control of Human Movement, ch. 7, in three dimensions.)
"""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import cross, rotate, rotate_back
from gaitdyn.dynamics.stacked import times_inertia
from gaitdyn.types.arrays import Array
from gaitdyn.types.chain import Chain


def solve_by_substitution(chain: Chain) -> tuple[Array, Array]:
    """Solve the stacked system from the distal segment upwards.

    Returns
    -------
    force_G, moment_S : arrays, shape (n, s, 3)
        N in G axes, N m in segment axes.
    """
    m, I_omega = chain.mass[:, None], times_inertia(chain, chain.omega_S)
    force_G = m * (chain.a_cm_G - chain.gravity_G) - chain.external_force_G
    moment_S = times_inertia(chain, chain.alpha_S)
    out_force, out_moment = np.empty_like(chain.r_cm_G), np.empty_like(chain.r_cm_G)
    force_below: Array | float = 0.0
    moment_below: Array | float = 0.0
    for i in range(chain.n_segments):
        R, cm = chain.R_GS[:, i], chain.r_cm_G[:, i]
        F = force_G[:, i] + force_below
        arms_G = -chain.external_moment_G[:, i] - cross(chain.r_prox_G[:, i] - cm, F)
        if i > 0:
            arms_G += moment_below
            arms_G += cross(chain.r_prox_G[:, i - 1] - cm, np.asarray(force_below))
        M_S = moment_S[:, i] + cross(chain.omega_S[:, i], I_omega[:, i]) + rotate_back(R, arms_G)
        out_force[:, i], out_moment[:, i] = F, M_S
        if i + 1 < chain.n_segments:
            force_below, moment_below = F, rotate(R, M_S)
    return out_force, out_moment
