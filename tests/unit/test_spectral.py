"""Filters by the Fourier transform: gains, zero lag, against scipy's recursion."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.core.spectral import (
    Spectrum,
    band_gain,
    fast_length,
    gaussian_gain,
    high_pass_gain,
    low_pass_gain,
    moving_mean,
    notch_gain,
    power_spectrum,
)

RATE = 1000.0


def tone(hz: float, seconds: float = 4.0) -> np.ndarray:
    return np.sin(2 * np.pi * hz * np.arange(int(seconds * RATE)) / RATE)[None]


@pytest.mark.parametrize("gain", [low_pass_gain, high_pass_gain, gaussian_gain])
def test_a_cut_off_is_a_gain_of_0_707(gain):
    assert gain(np.array([37.0]), 37.0)[0] == pytest.approx(np.sqrt(0.5))


def test_a_band_lets_its_middle_pass_and_nothing_far_outside():
    gain = band_gain(np.array([0.0, 2.0, 100.0, 2000.0]), 20.0, 450.0)
    assert gain[0] == 0.0
    assert gain[1] < 1e-7
    assert gain[2] == pytest.approx(1.0, abs=1e-4)
    assert gain[3] < 1e-4


def test_a_tone_keeps_its_phase_and_takes_the_gain():
    wave = tone(30.0)
    spectrum = Spectrum(wave, RATE)
    found = spectrum.filtered(low_pass_gain(spectrum.frequency_hz, 30.0))
    assert np.abs(found - np.sqrt(0.5) * wave)[:, 500:-500].max() < 1e-6


def test_a_gaussian_does_not_ring_beside_a_burst():
    burst = np.zeros((1, 2000))
    burst[0, 900:1100] = 1e4
    spectrum = Spectrum(burst, RATE)
    assert spectrum.filtered(gaussian_gain(spectrum.frequency_hz, 50.0)).min() > -1e-9
    assert spectrum.filtered(low_pass_gain(spectrum.frequency_hz, 50.0)).min() < -500.0


def test_both_ends_go_on_as_they_came():
    ramp = np.linspace(3.0, 8.0, 2000)[None]
    spectrum = Spectrum(ramp, RATE)
    found = spectrum.filtered(low_pass_gain(spectrum.frequency_hz, 20.0))
    assert np.abs(found - ramp).max() < 1e-3


def test_scipy_s_double_pass_gives_the_same_inside():
    from scipy.signal import butter, sosfiltfilt

    signal = np.random.default_rng(0).normal(size=(2, 6000)).cumsum(axis=1)
    spectrum = Spectrum(signal, RATE)
    ours = spectrum.filtered(low_pass_gain(spectrum.frequency_hz, 6.0))
    design = 6.0 / (np.sqrt(2.0) - 1.0) ** 0.125
    theirs = sosfiltfilt(butter(4, design, fs=RATE, output="sos"), signal)
    assert np.abs(ours - theirs)[:, 1000:-1000].max() < 1e-3 * signal.std()


def test_the_mean_of_two_filters_of_some_channels_is_that_of_all():
    signal = np.random.default_rng(1).normal(size=(3, 500))
    spectrum = Spectrum(signal, RATE)
    gain = low_pass_gain(spectrum.frequency_hz, 20.0)
    assert np.array_equal(spectrum.only([2]).filtered(gain)[0], spectrum.filtered(gain)[2])


def test_a_notch_takes_the_mains_and_its_harmonics_and_leaves_the_rest():
    gain = notch_gain(np.array([0.0, 30.0, 50.0, 75.0, 150.0, 200.0]), 50.0)
    assert np.abs(gain[[2, 4, 5]]).max() < 1e-9
    assert gain[[1, 3]].min() > 0.99


def test_the_spectrum_of_a_tone_stands_at_its_frequency():
    frequency, power = power_spectrum(tone(60.0), RATE)
    assert frequency[power[0].argmax()] == pytest.approx(60.0)


def test_lengths_have_small_factors_and_are_not_shorter():
    for n in (0, 1, 7, 4999, 11017):  # 0: it never returned
        assert fast_length(n) >= n
        assert fast_length(n) % 2 == 0


def test_a_moving_mean_is_that_of_its_window():
    assert moving_mean(np.array([[1.0, 2.0, 3.0, 6.0]]), 2).tolist() == [[1.5, 2.5, 4.5]]
