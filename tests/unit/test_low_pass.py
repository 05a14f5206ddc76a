"""Forces at the marker rate: nothing fast folds into them, nothing slow is changed."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.core.low_pass import REACH_FRAMES, low_pass_weights, low_passed

RATIOS = [2, 3, 5, 9, 10, 17, 20]


@pytest.mark.parametrize("ratio", RATIOS)
def test_polynomials_up_to_the_fifth_degree_pass_unchanged(ratio: int) -> None:
    weights = low_pass_weights(ratio)
    t = (np.arange(len(weights)) - len(weights) // 2) / ratio
    wanted = [1, 0, 0, 0, 0, 0]
    np.testing.assert_allclose([weights @ t**p for p in range(6)], wanted, atol=1e-12)  # rounding


def test_the_tone_that_a_parabola_lets_through_is_lost() -> None:
    """95 Hz of a 1 kHz plate folds to 5 Hz at 100 Hz: sinc(.95)^2 of it is left, and 6 % more."""
    t = np.arange(2000) / 1000
    for hertz, left in ((95, 0.0034), (105, 0.003), (195, 0.001), (85, 0.035)):
        found = low_passed(np.sin(2 * np.pi * hertz * t)[:, None], 200)
        assert np.abs(found[10:-10]).max() < left, hertz


@pytest.mark.parametrize("ratio", RATIOS)
def test_a_slow_wave_stays_what_it_is_at_the_frames(ratio: int) -> None:
    frames = np.arange(200)
    wave = np.sin(2 * np.pi * 0.05 * np.arange(200 * ratio) / ratio + 0.3)  # 5 Hz at 100 Hz
    found = low_passed(wave[:, None], 200)[:, 0]
    inside = slice(REACH_FRAMES, -REACH_FRAMES)
    np.testing.assert_allclose(found[inside], wave[::ratio][frames[inside]], atol=1e-5)


def test_level_and_slope_hold_to_the_ends_of_the_recording() -> None:
    line = 700.0 + 3.0 * np.arange(300.0)
    found = low_passed(line[:, None], 30)[:, 0]
    np.testing.assert_allclose(found, line[::10], atol=1e-9)


def test_one_sample_a_frame_is_left_alone() -> None:
    samples = np.random.default_rng(0).normal(size=(12, 3))
    np.testing.assert_array_equal(low_passed(samples, 12), samples)


def test_it_has_no_phase() -> None:
    weights = low_pass_weights(10)
    np.testing.assert_allclose(weights, weights[::-1], atol=1e-15)


@pytest.mark.parametrize("samples", [10, 15, 20, 25, 39, 45])
def test_samples_after_the_last_frame_are_no_frames(samples: int) -> None:
    """Ten frames, whatever the file has more; a line stays a line."""
    line = np.arange(float(samples))[:, None]
    np.testing.assert_allclose(low_passed(line, 10), line[:: samples // 10][:10], atol=1e-12)
