"""Natural quintic splines against scipy's splines and against dense linear algebra."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import BSpline, make_interp_spline
from scipy.optimize import minimize_scalar

from gaitdyn.core import cross_validation, splines
from gaitdyn.errors import UsageError
from gaitdyn.kinematics.derivatives import derivatives

N = 40
GRID = np.arange(N)


def natural(x: np.ndarray, y: np.ndarray) -> BSpline:
    """Return scipy's quintic spline with f''' = f'''' = 0 at both ends."""
    still: Any = [(3, np.zeros(y.shape[1:])), (4, np.zeros(y.shape[1:]))]
    return make_interp_spline(x, y, k=5, bc_type=(still, still))


def penalty(n: int) -> np.ndarray:
    """Return K with ``y' K y = integral f'''^2`` of the natural spline through y.

    f''' is a parabola between two samples, so that three Gauss points integrate its square.
    """
    basis = natural(np.arange(n), np.eye(n))
    nodes, weights = np.polynomial.legendre.leggauss(3)
    x = (np.arange(n - 1)[:, None] + 0.5 * (nodes + 1)).ravel()
    third = basis(x, 3)
    return third.T @ (np.tile(weights / 2, n - 1)[:, None] * third)


K = penalty(N)


def noisy(c: int = 3, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    t = GRID[:, None] / 10 * (1.0 + 0.3 * np.arange(c))
    return np.sin(t) + 0.1 * rng.normal(size=(N, c)) + np.arange(c)


@pytest.mark.parametrize("n", [7, 8, 9, 12, 40, 200])
def test_interpolation_is_the_natural_quintic_spline_of_scipy(n: int) -> None:
    y = np.random.default_rng(n).normal(size=(n, 4))
    f, reference = splines.fit(y), natural(np.arange(n), y)
    # second derivatives of white noise are about 10: rounding times the condition of the bands
    np.testing.assert_allclose(f.value, y, atol=1e-12)
    np.testing.assert_allclose(f.first, reference(np.arange(n), 1), atol=1e-10)
    np.testing.assert_allclose(f.second, reference(np.arange(n), 2), atol=1e-10)


@pytest.mark.parametrize("q", [1e-3, 0.1, 5.0, 300.0])
def test_smoothing_minimises_distance_and_roughness_together(q: float) -> None:
    y = noisy()
    wanted = np.linalg.solve(np.eye(N) + q * K, y)
    # K of a grid of 40 samples is known to about 1e-11
    np.testing.assert_allclose(splines.fit(y, q).value, wanted, atol=1e-9)


@pytest.mark.parametrize("q", [0.1, 5.0, 300.0])
def test_derivatives_are_those_of_the_natural_spline_through_the_smoothed_values(q: float) -> None:
    f = splines.fit(noisy(), q)
    reference = natural(GRID, f.value)
    # rounding times the condition of the bands
    np.testing.assert_allclose(f.first, reference(GRID, 1), atol=1e-9)
    np.testing.assert_allclose(f.second, reference(GRID, 2), atol=1e-9)


def test_a_parabola_passes_unchanged_whatever_the_smoothing() -> None:
    t = GRID * 0.01
    y = (3.0 - 2.0 * t + 0.5 * t**2)[:, None]
    for q in (0.0, 1.0, 1e6):
        f = splines.fit(y, q, 0.01)
        # a second derivative at 100 Hz: rounding of 3.0 times 1e4
        np.testing.assert_allclose(f.value, y, atol=1e-11)
        np.testing.assert_allclose(f.first[:, 0], -2.0 + t, atol=1e-9)
        np.testing.assert_allclose(f.second[:, 0], 1.0, atol=1e-7)


def test_derivatives_of_a_sine_are_its_derivatives_away_from_the_ends() -> None:
    step, w = 0.005, 2 * math.pi * 2.0
    t = np.arange(300) * step
    f = splines.fit(np.sin(w * t)[:, None], 0.0, step)
    inside = slice(15, -15)
    # the error of a quintic spline is of order (w step)^4 = 1.6e-5 of the second derivative / 720
    np.testing.assert_allclose(f.first[inside, 0], w * np.cos(w * t)[inside], atol=1e-6 * w)
    np.testing.assert_allclose(
        f.second[inside, 0], -w * w * np.sin(w * t)[inside], atol=1e-6 * w**2
    )


def test_every_column_is_fitted_by_itself() -> None:
    y = noisy(5)
    whole, one = splines.fit(y, 2.0), splines.fit(y[:, 3:4], 2.0)
    for name in ("value", "first", "second"):
        # the bands are solved for all columns at once: the same operations in another order
        np.testing.assert_allclose(getattr(whole, name)[:, 3:4], getattr(one, name), atol=1e-12)


def test_a_level_far_away_costs_no_digits() -> None:
    y = noisy()
    near, far = splines.fit(y, 5.0), splines.fit(y + 1e4, 5.0)
    # storing 1e4 costs 1e-12 already
    np.testing.assert_allclose(far.second, near.second, atol=1e-10)


@pytest.mark.parametrize(("cutoff", "rate"), [(10, 100), (6, 100), (10, 200), (15, 240), (5, 50)])
def test_a_long_sine_at_the_cutoff_keeps_0_707_of_its_height(cutoff: float, rate: float) -> None:
    t = np.arange(4000) / rate
    y = np.sin(2 * math.pi * cutoff * t)[:, None]
    f = splines.fit(y, splines.smoothing_parameter(cutoff, rate))
    amid = slice(1000, 3000)
    # the formula is that of a continuous signal; the grid changes the gain by less than 0.1 %
    gain = float(np.sqrt((f.value[amid] ** 2).mean() / (y[amid] ** 2).mean()))
    assert gain == pytest.approx(math.sqrt(0.5), rel=1e-3)


@pytest.mark.parametrize("frequency", [2.0, 5.0, 15.0])
def test_the_gain_falls_with_the_sixth_power_of_the_frequency(frequency: float) -> None:
    t = np.arange(4000) / 200
    y = np.sin(2 * math.pi * frequency * t)[:, None]
    f = splines.fit(y, splines.smoothing_parameter(10.0, 200.0))
    amid = slice(1000, 3000)
    gain = float(np.sqrt((f.value[amid] ** 2).mean() / (y[amid] ** 2).mean()))
    # formula of a continuous signal against a grid
    assert gain == pytest.approx(1 / (1 + (math.sqrt(2) - 1) * (frequency / 10) ** 6), rel=1e-3)


def test_a_rate_too_far_above_the_cutoff_is_refused_in_words() -> None:
    with pytest.raises(UsageError, match=r"10 Hz at 2000 Hz .*average the samples"):
        splines.smoothing_parameter(10.0, 2000.0)
    assert splines.smoothing_parameter(10.0, 1000.0) > 0


MISSING = np.array([5, 6, 7, 20, 33, 34])


@pytest.mark.parametrize("q", [0.1, 5.0, 300.0])
def test_a_filled_gap_has_no_weight_in_the_smoothing(q: float) -> None:
    known = ~np.isin(GRID, MISSING)
    y = noisy()
    y[~known] = 1e3  # must not be looked at
    filled = splines.fill(y, known, q)
    # known samples stay as they are, but for the level that is taken away and put back
    np.testing.assert_allclose(filled[known], y[known], rtol=0, atol=1e-14)
    found = splines.fit(filled, q).value
    # the same samples by weighted normal equations, gaps with weight zero
    wanted = np.linalg.solve(np.diag(known * 1.0) + q * K, np.where(known[:, None], y, 0.0))
    np.testing.assert_allclose(found, wanted, atol=1e-8)  # K is known to 1e-11, times q = 300
    # no residual where there is no weight: the filled values lie on the spline
    np.testing.assert_allclose(found[~known], filled[~known], atol=1e-10)


def test_a_gap_without_smoothing_is_filled_by_the_spline_through_the_rest() -> None:
    known = ~np.isin(GRID, MISSING)
    y = noisy()
    filled = splines.fill(np.where(known[:, None], y, np.nan), known)
    wanted = natural(GRID[known], y[known])(GRID)
    np.testing.assert_allclose(filled, wanted, atol=1e-10)  # rounding times condition
    found = splines.fit(filled)
    second = natural(GRID[known], y[known])(GRID, 2)
    np.testing.assert_allclose(found.second, second, atol=1e-9)  # rounding times condition


def test_a_recording_of_many_gaps_is_filled_at_once() -> None:
    rng, n, q = np.random.default_rng(5), 20_000, 400.0
    y = np.sin(np.arange(n) / 15.0)[:, None] + rng.normal(scale=0.01, size=(n, 2))
    known = rng.random(n) > 0.25
    known[[0, -1]] = True
    filled = splines.fill(np.where(known[:, None], y, np.nan), known, q)
    np.testing.assert_allclose(filled[known], y[known], rtol=0, atol=1e-14)
    lies_on = splines.smoothed(filled, q)[~known]
    np.testing.assert_allclose(lies_on, filled[~known], rtol=0, atol=1e-11)


def test_nothing_is_filled_where_nothing_is_missing() -> None:
    y = noisy()
    assert splines.fill(y, np.ones(N, bool)) is y


def hat(q: float) -> np.ndarray:
    return np.linalg.inv(np.eye(N) + q * K)


@pytest.mark.parametrize("q", [1e-4, 0.03, 5.0, 300.0])
def test_the_trace_of_the_smoother_is_that_of_the_dense_matrix(q: float) -> None:
    pulse = np.zeros((N - 3, 1))
    pulse[0] = 1.0
    x = splines.solve_toeplitz(pulse, q)[:, 0]
    found = N - q * cross_validation.trace_with_differences(x)
    assert found == pytest.approx(np.trace(hat(q)), abs=1e-8)  # K is known to about 1e-11


def criterion(y: np.ndarray, q: float) -> float:
    S = hat(q)
    residual = y - S @ y
    return float((residual**2).sum() / N / (1 - np.trace(S) / N) ** 2)


@pytest.mark.parametrize("noise", [0.03, 0.1, 0.5])
def test_cross_validation_finds_the_minimum_of_the_dense_criterion(noise: float) -> None:
    rng = np.random.default_rng(4)
    y = np.sin(GRID[:, None] / 4 + np.arange(3)) + noise * rng.normal(size=(N, 3))
    q = cross_validation.choose_parameter(y)
    best = minimize_scalar(
        lambda log: criterion(y, math.exp(log)),
        bracket=(math.log(q / 3), math.log(q), math.log(q * 3)),
        tol=1e-9,
    )
    # golden section ends at 1e-6 of q; a minimum is flat, so that 1e-4 is what the value can tell
    assert q == pytest.approx(math.exp(float(best.x)), rel=1e-3)
    assert criterion(y, q) <= criterion(y, q * 1.1)
    assert criterion(y, q) <= criterion(y, q / 1.1)


def test_samples_without_noise_are_interpolated() -> None:
    t = GRID[:, None] / 40
    assert cross_validation.choose_parameter(np.sin(t + np.arange(3))) == 0.0


def test_the_choice_does_not_depend_on_unit_or_level() -> None:
    y = noisy()
    here, there = (cross_validation.choose_parameter(v) for v in (y, 1000.0 * y + 4e3))
    assert here == pytest.approx(there, rel=1e-5)  # the golden section ends at 1e-6


def test_columns_of_a_long_recording_are_differentiated_in_groups(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = np.cumsum(np.random.default_rng(2).normal(size=(200, 2, 3, 3)), axis=0)
    at_once = derivatives(values, 100.0)
    monkeypatch.setattr(splines, "_AT_ONCE", 1000)
    assert len(splines.columns_at_once((200, 18))) == 4
    for in_groups, whole in zip(derivatives(values, 100.0), at_once, strict=True):
        assert in_groups == pytest.approx(whole, rel=1e-9, abs=1e-6)
