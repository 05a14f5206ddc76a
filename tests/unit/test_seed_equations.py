"""Equations that ``gaitdyn simulate NAME --equations`` writes and prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gaitdyn.errors import UsageError
from gaitdyn.multibody import joint_wrenches
from gaitdyn.multibody.systems import find, settings
from gaitdyn.multibody.systems.pendulum_3d import stacked, two_cylinders

if TYPE_CHECKING:
    from collections.abc import Callable
    from subprocess import CompletedProcess


def test_the_stacked_matrices_give_the_forces_and_moments_of_the_free_bodies() -> None:
    tree, rng = two_cylinders(), np.random.default_rng(3)
    q = tree.normalised(rng.normal(size=(1, 8)))
    v, a = rng.normal(size=(2, 1, 6)) * 3
    state = tree.state(q, v)
    found, wanted = stacked(tree, state, a), joint_wrenches(tree, state, a)
    x = found.x.reshape(4, 3)
    assert_allclose(x[[2, 0]], wanted.force[0], atol=1e-11)
    assert_allclose(x[1], state.R[0, 1].T @ wanted.moment[0, 1], atol=1e-11)
    assert_allclose(x[3], state.R[0, 0].T @ wanted.moment[0, 0], atol=1e-11)
    tau = tree.inverse(q, v, a).tau[0]
    assert_allclose(np.concatenate((x[3], x[1])), tau, atol=1e-10)
    assert np.linalg.det(found.A) == pytest.approx(1.0)
    assert np.abs(np.triu(found.A, 3)).max() == 0.0


@pytest.mark.parametrize("name", ["pendulum-3d", "double-pendulum", "one-link", "transmission"])
def test_equations_are_written_as_formulas(name: str) -> None:
    system = find(name)
    assert system.equations is not None
    texts = system.equations(settings(system))
    assert "$$" in texts["equations.md"]
    assert texts["equations.md"].count("$$") % 2 == 0


def test_a_system_without_written_equations_says_so(
    gaitdyn: Callable[..., CompletedProcess[str]],
) -> None:
    done = gaitdyn("simulate", "biped", "--equations")
    assert done.returncode == 2
    assert "--equations" in done.stderr
    assert UsageError.__name__ not in done.stderr
