"""From the analog samples of a file to band-passed signals and envelopes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.spectral import Spectrum, band_gain, groups, low_pass_gain, notch_gain
from gaitdyn.emg.activity import (
    ENERGY_WORDS,
    LEAST_OF_PEAK,
    LEAST_SNR_DB,
    SHORTEST_WORDS,
)
from gaitdyn.emg.ensemble import recorded_part
from gaitdyn.emg.health import BAND_HZ, NYQUIST_SHARE
from gaitdyn.emg.norms import SOURCE
from gaitdyn.types.arrays import Array
from gaitdyn.types.options import Options

SHAPE_HZ = 6.0
"""Low-pass of the envelope that is compared with the norm, whatever is shown."""


class Signals(NamedTuple):
    """The processed channels, shape (c, m) each, and the samples in which they were recorded."""

    raw: Array
    banded: Array
    shown: Array
    envelope: Array
    shape: Array
    spectrum: Spectrum
    parts: list[tuple[int, int]]


def processed(samples: Array, rate: float, options: Options) -> Signals:
    """Return the channels without offset, filtered, and their envelopes."""
    finite = np.isfinite(samples)
    middle = median(np.where(finite, samples, 0.0), axis=1)[:, None]
    raw = np.where(finite, samples - middle, 0.0)
    spectrum = Spectrum(raw, rate)
    f = spectrum.frequency_hz
    judged = spectrum.filtered(band_gain(f, *used_band(BAND_HZ, rate)))
    shape = _envelope(judged, rate, SHAPE_HZ)
    plain = (options.emg_band_hz, options.emg_notch_hz) == (BAND_HZ, None)
    shown = judged
    if not plain:
        gain = band_gain(f, *used_band(options.emg_band_hz, rate))
        if options.emg_notch_hz is not None:
            gain = gain * notch_gain(f, options.emg_notch_hz)
        shown = spectrum.filtered(gain)
    same = plain and options.emg_envelope_hz == SHAPE_HZ
    envelope = shape if same else _envelope(shown, rate, options.emg_envelope_hz)
    parts = [recorded_part(signal) for signal in raw]
    return Signals(raw, judged, shown, envelope, shape, spectrum, parts)


def used_band(band_hz: tuple[float, float], rate: float) -> tuple[float, float]:
    """Return the band-pass of channels sampled at this rate, Hz; it ends below half the rate."""
    return band_hz[0], min(band_hz[1], NYQUIST_SHARE * rate)


def _envelope(banded: Array, rate: float, cutoff_hz: float) -> Array:
    """Return the linear envelope: rectified, then low-passed without lag, never below zero."""
    envelopes = np.empty_like(banded)
    for rows in groups(list(range(len(banded))), banded.shape[1]):
        spectrum = Spectrum(np.abs(banded[rows]), rate)
        envelopes[rows] = spectrum.filtered(low_pass_gain(spectrum.frequency_hz, cutoff_hz))
    return np.maximum(envelopes, 0.0, out=envelopes)


def processing_words(options: Options, rate: float) -> dict[str, object]:
    """Return the processing steps in words, for the data dictionary."""
    band = used_band(options.emg_band_hz, rate)
    return {
        "rate_hz": rate,
        "offset": "median of the trial subtracted",
        "band_hz": list(band),
        "band_filter": (
            "spectrum times the gain of both passes of a Butterworth filter of 4th order,"
            " 1 / (1 + 0.414 (f / fc)^8), mirrored for the lower end: 0.707 at both ends"
        ),
        "notch_hz": options.emg_notch_hz,
        "envelope": "absolute value, low-passed as above; 0 where that is negative",
        "envelope_hz": options.emg_envelope_hz,
        "normalise": options.emg_normalise,
        "scale": (
            "session and trial: peak of the mean over the strides of this trial; the strides of a"
            " session are pooled where several trials are shown together"
        ),
        "on": (
            f"{ENERGY_WORDS}, and the {SHAPE_HZ:g} Hz envelope at least {100 * LEAST_OF_PEAK:.0f}"
            f" % of the peak of its mean over the strides; {SHORTEST_WORDS}; left empty below"
            f" {LEAST_SNR_DB:g} dB"
        ),
        "norm": f"{SOURCE}; shapes of 6 Hz envelopes, amplitudes are not compared",
    }
