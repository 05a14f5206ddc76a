"""Bands of powers: the common error of both factors is in them once."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.types.options import Options
from gaitdyn.uncertainty.leg_curves import curve_names
from gaitdyn.uncertainty.products import POWERS, counted_once, covariance

MANY = 100_000
ERRORS = np.array([1.0, 0.6, 0.2]), np.array([0.5, 0.9, 1.5])
"""Deviations of moment and turning about the axes of the distal segment."""


def test_the_columns_are_those_of_powers() -> None:
    names = np.array(curve_names(Options()))
    assert [name.split("_")[1] for name in names[POWERS].ravel()] == ["power"] * 12
    assert [name.split("_")[-1] for name in names[POWERS][1]] == [
        "power", "sagittal", "frontal", "transverse"
    ]  # fmt: skip


@pytest.mark.parametrize(("truth", "kept"), [((2.0, 3.0), 0.0), ((1.0, 0.0), 0.6)])
def test_the_mean_variance_of_a_power_is_that_of_its_errors(
    truth: tuple[float, float], kept: float
) -> None:
    """Measured often with errors in both factors: the mean variance is the mean square error.

    Near zero it is more, by what is kept for the product, but less than with the product twice.
    """
    rng = np.random.default_rng(1)
    M, w = (
        value + rng.normal(size=(MANY, 3)) * sd for value, sd in zip(truth, ERRORS, strict=True)
    )
    moment, turning = (np.broadcast_to(np.diag(sd**2), (MANY, 3, 3, 3)) for sd in ERRORS)
    each = (M * ERRORS[1]) ** 2 + (w * ERRORS[0]) ** 2
    variance = np.zeros((MANY, 21))
    variance[:, POWERS] = np.column_stack((each.sum(axis=1), each[:, [2, 0, 1]]))[:, None]
    a, b = (sd**2 for sd in ERRORS)
    own = truth[0] ** 2 * b + truth[1] ** 2 * a + a * b
    wanted = np.array([own.sum(), *own[[2, 0, 1]]])
    found = (variance * counted_once(variance, moment, turning))[:, POWERS[0]].mean(axis=0)
    twice = variance[:, POWERS[0]].mean(axis=0) - wanted
    assert (found - wanted > -0.2 * twice).all()
    assert (found - wanted < (kept + 0.2) * twice).all()


def test_moments_stay_and_a_power_keeps_the_variance_of_the_product() -> None:
    total = np.full((2, 21), 1e-9)
    cross = np.broadcast_to(np.diag([4.0, 2.0, 1.0]), (2, 3, 3, 3))
    once = total * counted_once(total, cross, cross)
    assert once[:, POWERS[1]] == pytest.approx(np.tile([21.0, 1.0, 16.0, 4.0], (2, 1)))
    others = np.setdiff1d(np.arange(21), POWERS)
    assert (once[:, others] == total[:, others]).all()


def test_covariances_are_means_over_draws() -> None:
    errors = np.random.default_rng(0).normal(size=(2, 50, 3, 3))
    wanted = np.einsum("ndji,ndjk->njik", errors, errors) / 50
    assert covariance(errors) == pytest.approx(wanted)
