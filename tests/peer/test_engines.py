"""Inverse dynamics against two engines that share no code with it: pinocchio and MuJoCo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest

from gaitdyn import inverse_dynamics
from tests.peer.linked_chain import linked_chain
from tests.peer.mujoco_loads import mujoco_free, mujoco_linked
from tests.peer.pinocchio_loads import pinocchio_free, pinocchio_linked
from tests.property.random_chain import random_chain

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

pytestmark = pytest.mark.peer
EVERY = pytest.mark.parametrize(
    ("s", "method"), [(s, m) for s in (3, 5) for m in ("substitution", "stacked")]
)
Method = Literal["substitution", "stacked"]
# What the design asks for. The engines work with spatial vectors about other points, in other
# axes: their rounding is about 1e-13 of the loads.
RELATIVE = 1e-10
N = 6


def same(found: Array, wanted: Array) -> None:
    np.testing.assert_allclose(found, wanted, rtol=0, atol=RELATIVE * np.abs(wanted).max())


@EVERY
def test_free_flying_segments_need_the_net_wrenches_that_pinocchio_finds(
    s: int, method: Method
) -> None:
    pin = pytest.importorskip("pinocchio")
    chain = random_chain(np.random.default_rng(s), N, s)
    force, moment = pinocchio_free(pin, chain)
    loads = inverse_dynamics(**chain, method=method)
    same(loads.force_G, force)
    same(loads.moment_S, moment)


@EVERY
def test_a_chain_of_ball_joints_needs_the_loads_that_pinocchio_finds(
    s: int, method: Method
) -> None:
    pin = pytest.importorskip("pinocchio")
    chain, place = linked_chain(np.random.default_rng(10 + s), N, s)
    force, moment = pinocchio_linked(pin, chain, place)
    loads = inverse_dynamics(**chain, method=method)
    same(loads.force_G, force)
    same(loads.moment_S, moment)


@EVERY
def test_free_flying_segments_need_the_net_wrenches_that_mujoco_finds(
    s: int, method: Method
) -> None:
    mujoco = pytest.importorskip("mujoco")
    chain = random_chain(np.random.default_rng(20 + s), N, s)
    force, moment = mujoco_free(mujoco, chain)
    loads = inverse_dynamics(**chain, method=method)
    same(loads.force_G, force)
    same(loads.moment_S, moment)


@EVERY
def test_a_chain_of_ball_joints_needs_the_moments_that_mujoco_finds(s: int, method: Method) -> None:
    mujoco = pytest.importorskip("mujoco")
    chain, place = linked_chain(np.random.default_rng(30 + s), N, s)
    force, moment = mujoco_linked(mujoco, chain, place)
    loads = inverse_dynamics(**chain, method=method)
    same(loads.force_G[:, -1:], force)
    same(loads.moment_S, moment)
