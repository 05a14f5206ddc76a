"""The power of a joint is the same number in any axes: M . (omega_distal - omega_proximal)."""

from __future__ import annotations

import numpy as np

from gaitdyn import inverse_dynamics
from gaitdyn.dynamics.power import joint_power
from tests.property.random_chain import random_chain, turned


def test_the_power_of_turned_segments_is_that_of_the_vectors_in_the_laboratory() -> None:
    rng = np.random.default_rng(4)
    loads = inverse_dynamics(**random_chain(rng, 5, 3))
    chain, pelvis_G = loads.chain, rng.normal(size=(5, 3))
    omega_G = turned(chain.R_GS, chain.omega_S)
    above_G = np.concatenate((omega_G[:, 1:], pelvis_G[:, None]), axis=1)
    wanted = (turned(chain.R_GS, loads.moment_S) * (omega_G - above_G)).sum(axis=-1)
    found = joint_power(chain, loads.moment_S, pelvis_G).sum(axis=-1)
    # a dozen products of numbers up to 1e4
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())
