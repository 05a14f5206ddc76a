"""The nearest rotation: against a decomposition, at its edges, and in mixed company."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import polar
from scipy.spatial.transform import Rotation

from gaitdyn.core.nearest import nearest_rotations

Array = np.ndarray[Any, np.dtype[Any]]
MANY = 400


def matrices(smallest: float, sign: float = 1.0) -> tuple[Array, Array]:
    """Return matrices of known singular values, and the rotations nearest to them."""
    rng = np.random.default_rng(3)
    left, right = (Rotation.random(MANY, random_state=i).as_matrix() for i in (1, 2))
    s = np.stack((np.ones(MANY), np.full(MANY, smallest), sign * 0.5 * np.full(MANY, smallest)))
    scale = rng.uniform(1e-6, 1e3, MANY)
    return scale[:, None, None] * ((left * s.T[:, None]) @ right), left @ right


@pytest.mark.parametrize("smallest", [1.0, 0.3, 0.03, 3e-3, 1e-5])
@pytest.mark.parametrize("sign", [1.0, 0.0, -1.0], ids=["in space", "in a plane", "mirrored"])
def test_singular_values_and_mirrors_do_not_matter(smallest: float, sign: float) -> None:
    M, wanted = matrices(smallest, sign)
    np.testing.assert_allclose(nearest_rotations(M), wanted, atol=1e-14 / smallest)


@pytest.mark.parametrize("sign", [1.0, 0.0], ids=["in space", "in a plane"])
def test_what_determines_its_rotation_is_not_decomposed(
    sign: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    M, wanted = matrices(0.1, sign)
    monkeypatch.delattr("gaitdyn.core.nearest._decomposed")
    np.testing.assert_allclose(nearest_rotations(M), wanted, atol=1e-13)


def test_it_is_the_polar_factor() -> None:
    M = np.random.default_rng(4).normal(size=(3 * MANY, 3, 3))
    M = M[np.linalg.det(M) > 0]
    wanted = np.stack([polar(m)[0] for m in M])
    found = nearest_rotations(M)
    np.testing.assert_allclose(found, wanted, atol=1e-11)
    np.testing.assert_allclose(np.linalg.det(found), 1.0, atol=1e-14)


def test_many_are_what_each_is_alone() -> None:
    M = np.random.default_rng(5).normal(size=(MANY, 3, 3))
    alone = np.stack([nearest_rotations(one) for one in M])
    np.testing.assert_allclose(nearest_rotations(M), alone, atol=1e-10)


def test_matrices_that_determine_no_rotation_still_give_one_and_spoil_no_other() -> None:
    M, wanted = matrices(0.5)
    M[7], M[9], M[11, 1, 1] = 0.0, np.outer((1.0, 2, 3), (3.0, 1, 0)), np.nan
    found = nearest_rotations(M)
    others = ~np.isin(np.arange(MANY), [7, 9, 11])
    np.testing.assert_allclose(found[others], wanted[others], atol=1e-13)
    np.testing.assert_allclose(
        found[[7, 9]] @ found[[7, 9]].swapaxes(1, 2), [np.eye(3)] * 2, atol=1e-13
    )
    assert np.isnan(found[11]).all()
