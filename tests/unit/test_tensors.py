"""Coriolis tensor and contact Hessian of document 004."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gaitdyn.core.rotations import skew
from gaitdyn.multibody import contact_hessian, coriolis_tensor
from tests.peer.random_tree import random_motion, random_tree

RATES = ("revolute", "prismatic", "cardan")


@pytest.mark.parametrize("root", ["free", "ball", "revolute"])
def test_the_tensors_times_the_velocities_are_the_velocity_terms(root: str) -> None:
    rng = np.random.default_rng(1)
    tree = random_tree(rng, 5, root)
    q, v, _ = random_motion(rng, tree, 4)
    state = tree.state(q, v)
    c = tree.dynamics(state).c
    found = np.einsum("nijk,nj,nk->ni", coriolis_tensor(tree, q), v, v)
    assert_allclose(found, c, atol=1e-12 * np.abs(c).max())
    last, r = tree.bodies[-1].name, [0.1, -0.2, 0.3]
    bias = tree.point(state, last, r).bias
    found = np.einsum("nijk,nj,nk->ni", contact_hessian(tree, q, last, r), v, v)
    assert_allclose(found, bias, atol=1e-12 * np.abs(bias).max())


def test_where_velocities_are_rates_they_are_christoffel_symbols_and_second_derivatives() -> None:
    rng = np.random.default_rng(2)
    tree = random_tree(rng, 4, "cardan", RATES)
    q, v, _ = random_motion(rng, tree, 1)
    h = 1e-5
    step = np.eye(tree.nv) * h
    zero = np.zeros((1, tree.nv))
    last, r = tree.bodies[-1].name, np.array([0.1, -0.2, 0.3])

    def M(shift: np.ndarray) -> np.ndarray:
        return tree.dynamics(tree.state(q + shift, zero)).M[0]

    def J(shift: np.ndarray) -> np.ndarray:
        return tree.point(tree.state(q + shift, zero), last, r).J[0, :3]

    C = coriolis_tensor(tree, q)[0]
    slope = np.stack([(M(s) - M(-s)) / (2 * h) for s in step], axis=-1)
    rate = slope @ v[0]
    skewed = rate - 2 * np.einsum("ijk,k->ij", C, v[0])
    assert_allclose(skewed, -skewed.T, atol=1e-7 * np.abs(rate).max())
    second = np.stack([(J(s) - J(-s)) / (2 * h) for s in step], axis=-1)
    assert_allclose(contact_hessian(tree, q, last, r)[0, :3], second, atol=1e-8)


def test_the_documents_matrix_has_the_same_product_with_the_velocities() -> None:
    """Sum of J^T m dJ/dt + JR^T I dJR/dt - JR^T (I JR v) x JR, I and J in world axes."""
    rng = np.random.default_rng(3)
    tree = random_tree(rng, 4, "revolute", ("revolute", "prismatic"))
    q, v, _ = random_motion(rng, tree, 1)
    h = 1e-6

    def at(s: float) -> list[np.ndarray]:
        state = tree.state(q + s * v, v)
        return [tree.point(state, body.name, body.com).J[0] for body in tree.bodies]

    matrix, state = np.zeros((tree.nv, tree.nv)), tree.state(q, v)
    for b, (J, before, after) in enumerate(zip(at(0), at(-h), at(h), strict=True)):
        rate, R = (after - before) / (2 * h), state.R[0, b]
        inertia = R @ tree.inertias[b] @ R.T
        turn = J[3:]
        matrix += tree.masses[b] * J[:3].T @ rate[:3] + turn.T @ inertia @ rate[3:]
        matrix -= turn.T @ skew(inertia @ turn @ v[0]) @ turn
    C = coriolis_tensor(tree, q)[0]
    wanted = np.einsum("ijk,j,k->i", C, v[0], v[0])
    assert_allclose(matrix @ v[0], wanted, atol=1e-7 * np.abs(wanted).max())
