"""Zero-lag Butterworth filters and power spectra of long signals by fast Fourier transform.

A filter that runs forwards and backwards has zero phase, so it amounts to multiplying the spectrum
by its gain. For many channels of a few thousand samples this is faster than the recursion, and it
needs only numpy.
"""

from __future__ import annotations

from copy import copy
from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from gaitdyn.types.arrays import Array

_DOUBLE_PASS = np.sqrt(2.0) - 1.0
_ORDER = 4  # of one pass
_QUALITY = 30.0
"""Q of a notch."""

_GROUP = 1 << 17


def low_pass_gain(frequency_hz: Array, cutoff_hz: float) -> Array:
    """Return the gain of both passes of a Butterworth low-pass; 0.707 at the cut-off.

    ``1 / (1 + (sqrt(2) - 1) (f / fc)^(2 n))``: |H|^2 of the analog filter of order n = 4, with its
    design frequency raised so that both passes together lose 3 dB at ``cutoff_hz`` (Winter 2009,
    ch. 3).

    Examples
    --------
    >>> low_pass_gain(np.array([0.0, 6.0]), 6.0).round(3).tolist()
    [1.0, 0.707]
    """
    return 1.0 / (1.0 + _DOUBLE_PASS * (frequency_hz / cutoff_hz) ** (2 * _ORDER))


def high_pass_gain(frequency_hz: Array, cutoff_hz: float) -> Array:
    """Return the gain of both passes of a Butterworth high-pass; 0.707 at the cut-off."""
    power = (frequency_hz / cutoff_hz) ** (2 * _ORDER)
    return power / (_DOUBLE_PASS + power)


def gaussian_gain(frequency_hz: Array, cutoff_hz: float) -> Array:
    """Return the gain of a Gaussian low-pass, ``2^(-(f / fc)^2 / 2)``; 0.707 at the cut-off.

    Over time it is a Gaussian, too, which is nowhere negative: it does not ring beside a burst, and
    what it smooths stays above zero. A Butterworth filter rings.

    Examples
    --------
    >>> gaussian_gain(np.array([0.0, 50.0, 100.0]), 50.0).round(3).tolist()
    [1.0, 0.707, 0.25]
    """
    return np.exp2(-0.5 * (frequency_hz / cutoff_hz) ** 2)


def band_gain(frequency_hz: Array, low_hz: float, high_hz: float) -> Array:
    """Return the gain of a high-pass followed by a low-pass."""
    return high_pass_gain(frequency_hz, low_hz) * low_pass_gain(frequency_hz, high_hz)


def notch_gain(frequency_hz: Array, line_hz: float) -> Array:
    """Return the gain of a notch at a frequency and at its harmonics.

    ``x^2 / (1 + x^2)`` with x = Q (f / f0 - f0 / f) and Q = 30 at each multiple f0: the gain is 0.5
    at half of f0 / Q from it.

    Parameters
    ----------
    frequency_hz : array
        Ascending from 0.
    line_hz : float
    """
    gain = np.ones_like(frequency_hz)
    f = np.maximum(frequency_hz, 1e-9)
    for centre in np.arange(line_hz, frequency_hz[-1] + line_hz / 2, line_hz):
        x2 = (_QUALITY * (f / centre - centre / f)) ** 2
        gain *= x2 / (1.0 + x2)
    return gain


@lru_cache(maxsize=64)
def fast_length(n: int) -> int:
    """Return the smallest even length of at least ``n`` without a prime factor above 5.

    Examples
    --------
    >>> fast_length(4999), fast_length(7)
    (5000, 8)
    """
    length = max(n + n % 2, 2)
    while True:
        quotient = length
        for prime in (2, 3, 5):
            while quotient % prime == 0:
                quotient //= prime
        if quotient == 1:
            return length
        length += 2


def frequencies(n: int, rate_hz: float) -> Array:
    """Return the frequencies of the transform of ``n`` real samples, Hz, shape (n // 2 + 1,)."""
    return np.asarray(np.fft.rfftfreq(n, 1.0 / rate_hz), dtype=np.float64)


class Spectrum:
    """The Fourier transform of signals, from which filtered signals are computed.

    Beyond its ends a signal is continued by reflection through the end point.

    Parameters
    ----------
    signals : array, shape (c, m)
    rate_hz : float
    margin_s : float
        Length of the continuation; three times the longest memory of the filters is enough.
    """

    def __init__(self, signals: Array, rate_hz: float, margin_s: float = 1.0) -> None:
        self.samples = signals.shape[1]
        self._pad = min(self.samples - 1, round(margin_s * rate_hz))
        length = fast_length(self.samples + 2 * self._pad)
        start, stop = self._pad, self._pad + self.samples
        whole = np.empty((len(signals), length))
        whole[:, start:stop] = signals
        whole[:, :start] = 2 * signals[:, :1] - signals[:, start:0:-1]
        whole[:, stop : stop + start] = 2 * signals[:, -1:] - signals[:, -2 : -start - 2 : -1]
        whole[:, stop + start :] = whole[:, stop + start - 1, None]
        self.spectrum = np.fft.rfft(whole, axis=1)
        self._length = length
        self.frequency_hz = frequencies(length, rate_hz)

    def filtered(self, gain: Array) -> Array:
        """Return the signals with each frequency multiplied by its gain, shape (c, m)."""
        padded = np.fft.irfft(self.spectrum * gain, self._length, axis=1)
        return padded[:, self._pad : self._pad + self.samples]

    def only(self, channels: list[int]) -> Spectrum:
        """Return the spectrum of some of the signals."""
        subset = copy(self)
        subset.spectrum = self.spectrum[list(channels)]
        return subset


def groups(rows: list[int], samples: int) -> list[list[int]]:
    """Return channels in groups, so that a long recording is not copied as a whole.

    Examples
    --------
    >>> groups([0, 1, 2], 1000), groups([0, 1, 2], 60_000)
    ([[0, 1, 2]], [[0, 1], [2]])
    """
    size = max(1, _GROUP // samples)
    return [rows[i : i + size] for i in range(0, len(rows), size)]


def power_spectrum(signals: Array, rate_hz: float) -> tuple[Array, Array]:
    """Return the mean power spectrum of 1 s Hann windows that overlap by half.

    After Welch 1967, IEEE Trans Audio Electroacoust 15:70-73.

    Parameters
    ----------
    signals : array, shape (c, m)
    rate_hz : float

    Returns
    -------
    frequency_hz : array, shape (k,)
    power : array, shape (c, k)
        In arbitrary units, the same for all frequencies.
    """
    size = _segment(signals.shape[1], rate_hz)
    parts = sliding_window_view(signals, size, axis=1)[:, :: max(1, size // 2)]
    parts = parts - parts.mean(axis=2, keepdims=True)
    spectra = np.fft.rfft(parts * _hann(size), axis=2)
    power = (spectra.real**2 + spectra.imag**2).mean(axis=1)
    return frequencies(size, rate_hz), np.asarray(power, dtype=np.float64)


def spectrum_lines(samples: int, rate_hz: float) -> Array:
    """Return the frequencies of :func:`power_spectrum` for a number of samples, Hz."""
    return frequencies(_segment(samples, rate_hz), rate_hz)


def _segment(samples: int, rate_hz: float) -> int:
    """Return the number of samples in a segment of 1 s."""
    return min(samples, fast_length(round(rate_hz)))


@lru_cache(maxsize=4)
def _hann(size: int) -> Array:
    return np.hanning(size)


def moving_mean(signals: Array, size: int) -> Array:
    """Return the mean over each window of ``size`` samples, shape (c, m - size + 1)."""
    size = max(1, min(size, signals.shape[1]))
    total = np.cumsum(signals, axis=1)
    total = np.concatenate((np.zeros((len(signals), 1)), total), axis=1)
    return (total[:, size:] - total[:, :-size]) / size
