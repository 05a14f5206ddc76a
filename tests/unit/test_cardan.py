"""Joints with Cardan angles: three hinges in one, and the H of document 003."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from gaitdyn.errors import TreeRefused
from gaitdyn.multibody import Body, Tree
from gaitdyn.multibody.joints import cardan_rates
from tests.peer.random_tree import KINDS, random_motion, random_tree

X, Y, Z = np.eye(3)


def both_ways(rng: np.random.Generator) -> tuple[Tree, Tree]:
    """Return two bodies on Cardan joints, and the same as hinges with massless bodies between."""
    short: list[Body] = []
    long: list[Body] = []
    for name, parent in (("thigh", None), ("shank", "thigh")):
        S = rng.normal(size=(3, 3))
        turn = Rotation.random(random_state=rng).as_matrix()
        place, com = rng.normal(size=(2, 3))
        inertia = S @ S.T + np.eye(3)
        short.append(Body(name, parent, "cardan", 2.0, com, inertia, place, R0=turn))
        long += [
            Body(f"{name} x", parent, "revolute", p=place, axis=X, R0=turn),
            Body(f"{name} y", f"{name} x", "revolute", axis=Y),
            Body(name, f"{name} y", "revolute", 2.0, com, inertia, axis=Z),
        ]
    gravity = rng.normal(size=3) * 5
    return Tree(short, gravity), Tree(long, gravity)


def test_a_cardan_joint_is_three_hinges_with_nothing_between_them() -> None:
    rng = np.random.default_rng(5)
    short, long = both_ways(rng)
    q, v, a = rng.uniform(-1.2, 1.2, (3, 9, 6))
    one, two = short.dynamics(short.state(q, v)), long.dynamics(long.state(q, v))
    for mine, other in zip(one, two, strict=True):
        assert_allclose(mine, other, atol=1e-12 * np.abs(other).max())
    assert_allclose(short.inverse(q, v, a).tau, long.inverse(q, v, a).tau, atol=1e-10)
    assert_allclose(short.qdot(q, v), v)


def test_h_gives_the_angular_velocity_in_the_bodys_axes() -> None:
    rng = np.random.default_rng(6)
    angles, rates = rng.uniform(-1.2, 1.2, (2, 5, 3))
    a, b, c = angles.T
    zero = np.zeros_like(a)
    wanted = np.array(
        [
            [np.cos(b) * np.cos(c), np.sin(c), zero],
            [-np.cos(b) * np.sin(c), np.cos(c), zero],
            [np.sin(b), zero, zero + 1],
        ]
    )  # fmt: skip
    assert_allclose(cardan_rates(angles), np.moveaxis(wanted, 2, 0), atol=1e-15)
    assert_allclose(np.linalg.det(cardan_rates(angles)), np.cos(b), atol=1e-15)
    h = 1e-6
    before, after = (Rotation.from_euler("XYZ", angles + s * h * rates) for s in (-1, 1))
    omega = (before.inv() * after).as_rotvec() / (2 * h)
    assert_allclose(np.einsum("nij,nj->ni", cardan_rates(angles), rates), omega, atol=1e-8)


def test_energy_is_kept_as_work_says_and_the_lock_is_refused() -> None:
    rng = np.random.default_rng(7)
    tree = random_tree(rng, 5, "cardan", ("cardan", *KINDS))
    q, v, _ = random_motion(rng, tree, 3)
    q[:, 1] = 0.4
    qdd = tree.forward(q, v, np.zeros(tree.nv))
    h = 1e-6

    def energy(s: float) -> np.ndarray:
        moved = tree.normalised(q + s * tree.qdot(q, v + 0.5 * s * qdd))
        return tree.energy(tree.state(moved, v + s * qdd)).total

    assert_allclose((energy(h) - energy(-h)) / (2 * h), 0, atol=1e-5 * np.abs(energy(0)).max())
    alone = Tree([Body("top", None, "cardan", 1.0, X, np.eye(3))], (0, -9.81, 0))
    M = alone.dynamics(alone.state([[0.1, np.pi / 2, 0.2]], [[0, 0, 0]])).M
    assert np.linalg.cond(M)[0] > 1e15
    with pytest.raises(TreeRefused, match="cardan"):
        Body("top", None, "euler")  # pyrefly: ignore[bad-argument-type]
