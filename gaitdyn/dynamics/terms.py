"""The joint moments split by cause: further right-hand sides of the same stacked system."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.dynamics.substitution import solve_by_substitution
from gaitdyn.types.chain import Chain
from gaitdyn.types.loads import MomentTerms


def moment_terms(chain: Chain) -> MomentTerms:
    """Split the joint moments into inertial, velocity, gravity and external parts.

    The system is linear in its right-hand side ``M qdd - C - G - E``; each part is the solution
    with the other causes switched off.

    Returns
    -------
    MomentTerms
        Segment axes, N m; the parts add up to the moment.
    """
    zero = np.zeros_like(chain.r_cm_G)
    unloaded = {"external_force_G": zero, "external_moment_G": zero}
    at_rest = {"a_cm_G": zero, "alpha_S": zero}
    no_spin, no_weight = {"omega_S": zero}, {"gravity_G": np.zeros(3)}
    others = {
        "inertial": {**unloaded, **no_spin, **no_weight},
        "velocity": {**unloaded, **at_rest, **no_weight},
        "gravity": {**unloaded, **at_rest, **no_spin},
        "external": {**at_rest, **no_spin, **no_weight},
    }
    return MomentTerms(
        **{
            name: solve_by_substitution(replace(chain, **switched_off))[1]
            for name, switched_off in others.items()
        }
    )
