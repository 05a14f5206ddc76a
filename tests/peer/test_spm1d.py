"""Curves of t and their thresholds beside spm1d (Pataky), where it is installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gaitdyn.statistics.people import judge_pairs
from gaitdyn.statistics.threshold import roughness, simultaneous_threshold
from tests.benchmark_scripts import script

Curves = np.ndarray[Any, np.dtype[np.float64]]
N, DRAWS, SEED = 8, 60, 11


@pytest.fixture(scope="module")
def spm1d() -> Any:
    return pytest.importorskip("spm1d", reason="needs spm1d: pip install spm1d")


def two_samples(first: Curves, second: Curves) -> tuple[Curves, Curves]:
    """Return Student's t of two groups of curves, and the residuals behind it."""
    means = first.mean(axis=0), second.mean(axis=0)
    rest = np.concatenate((first - means[0], second - means[1]))
    variance = (rest**2).sum(axis=0) / (len(rest) - 2) * (1 / len(first) + 1 / len(second))
    return (means[0] - means[1]) / np.sqrt(variance), rest


def test_pairs_have_the_t_of_spm1d(spm1d: Any) -> None:
    smooth = script("known_error").smooth
    rng = np.random.default_rng(SEED)
    first, second = smooth(rng, N, 10.0), smooth(rng, N, 10.0)
    test, peer = judge_pairs(first, second), spm1d.stats.ttest_paired(second, first)
    np.testing.assert_allclose(test.difference / test.limit * test.threshold, peer.z, atol=1e-6)
    threshold = float(peer.inference(0.05, two_tailed=True).zstar)
    assert test.threshold == pytest.approx(threshold, rel=0.04)


def test_t_thresholds_and_decisions_are_those_of_spm1d(spm1d: Any) -> None:
    smooth = script("known_error").smooth
    rng = np.random.default_rng(SEED)
    ratios, same = [], 0
    for draw in range(DRAWS):
        rough = (4.0, 10.0, 18.0)[draw % 3]
        first, second = smooth(rng, N, rough), smooth(rng, N, rough)
        second = second + (draw % 2) * 2.2 * np.exp(-(((np.arange(101) - 50) / 9) ** 2))
        t, rest = two_samples(first, second)
        peer = spm1d.stats.ttest2(first, second, equal_var=True)
        np.testing.assert_allclose(t, peer.z, atol=1e-6)
        theirs = float(peer.inference(0.05, two_tailed=True).zstar)
        ours = simultaneous_threshold(roughness(rest), 2.0 * N - 2, 0.05)
        ratios.append(ours / theirs)
        same += bool(np.abs(t).max() > ours) == bool(np.abs(t).max() > theirs)
    low, high = np.percentile(ratios, [2.5, 97.5])
    assert 0.98 < np.median(ratios) < 1.02
    assert low > 0.96
    assert high < 1.02
    assert same >= 0.98 * DRAWS
