"""When a muscle is on: the Teager-Kaiser energy compared with the quietest part of the trial.

``psi_n = x_n^2 - x_(n-1) x_(n+1)`` follows amplitude and frequency together and so separates a
burst from slow movement (Solnik et al. 2010, Eur J Appl Physiol 110:489-498). Taking the quietest
100 ms of the trial as rest, and 8 SD above it, are choices of this project. A threshold on the
amplitude alone would mark clean channels as on nearly all the time, and so would rest alone where
a recording is very quiet: what lies below a tenth of the muscle's own peak is not work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import runs
from gaitdyn.core.spectral import Spectrum, band_gain, gaussian_gain, groups, moving_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array, Mask

BAND_HZ = (30.0, 300.0)
LEAST_SNR_DB = 12.0
"""Below this the muscle is never quiet enough at rest to decide when it is on."""

LEAST_OF_PEAK = 0.1
"""A muscle is off while its envelope is below this share of the peak of its mean envelope."""

_H, _QUIET_S, _SHORTEST_S, _SMOOTH_HZ = 8.0, 0.1, 0.05, 50.0

ENERGY_WORDS = (
    f"Teager-Kaiser energy of {BAND_HZ[0]:g}-{BAND_HZ[1]:g} Hz, low-passed at {_SMOOTH_HZ:g} Hz by"
    f" a Gaussian, above mean + {_H:g} SD of its quietest {1000 * _QUIET_S:g} ms"
)
SHORTEST_WORDS = f"gaps and bursts below {1000 * _SHORTEST_S:g} ms dropped"


def teager_kaiser(x: Array) -> Array:
    """Return ``x_n^2 - x_(n-1) x_(n+1)`` along the last axis; its ends repeat their neighbours.

    Examples
    --------
    A sine of amplitude A and angular step w has the constant value (A sin w)^2:

    >>> wave = 2.0 * np.sin(0.3 * np.arange(50.0))
    >>> bool(np.allclose(teager_kaiser(wave), (2.0 * np.sin(0.3)) ** 2))
    True
    """
    psi = x[..., 1:-1] ** 2 - x[..., :-2] * x[..., 2:]
    return np.concatenate((psi[..., :1], psi, psi[..., -1:]), axis=-1)


def switched_on(spectrum: Spectrum, rate_hz: float, parts: Sequence[tuple[int, int]]) -> Mask:
    """Return when each channel is on, shape (c, m).

    The energy of the signal from 30 to 300 Hz is rectified and low-passed at 50 Hz by a Gaussian:
    with a filter that rings, its quietest stretch is below zero beside the largest burst and not at
    rest. A channel is on while the energy exceeds mean + 8 SD of its quietest 100 ms; gaps below
    50 ms are closed, then bursts below 50 ms dropped. Where rest is very quiet that is most of the
    time: see :func:`while_working`.

    Parameters
    ----------
    spectrum : Spectrum
        Of the raw channels.
    rate_hz : float
    parts : sequence of (start, stop)
        Samples in which each channel was recorded: padding is quieter than any rest.
    """
    gain = band_gain(spectrum.frequency_hz, BAND_HZ[0], min(BAND_HZ[1], 0.45 * rate_hz))
    size, on = max(2, round(_QUIET_S * rate_hz)), []
    for rows in groups(list(range(len(parts))), spectrum.samples):
        energy = np.abs(teager_kaiser(spectrum.only(rows).filtered(gain)))
        energy_spectrum = Spectrum(energy, rate_hz, 0.1)
        slow = gaussian_gain(energy_spectrum.frequency_hz, _SMOOTH_HZ)
        smooth = energy_spectrum.filtered(slow)
        for i, mean, own in zip(rows, moving_mean(smooth, size), smooth, strict=True):
            low = min(parts[i][0] + size, len(mean) - 1)
            start = low + int(mean[low : max(parts[i][1] - 2 * size, low + 1)].argmin())
            quiet = own[start : start + size]
            on.append(without_short(own > quiet.mean() + _H * quiet.std(), _shortest(rate_hz)))
    return np.array(on)


def while_working(on: Mask, envelope: Array, peak: float, rate_hz: float) -> Mask:
    """Return when a muscle is on and its envelope reaches a tenth of its peak, shape (m,).

    Parameters
    ----------
    on : array, shape (m,)
        Of :func:`switched_on`: above rest, however quiet that is.
    envelope : array, shape (m,)
    peak : float
        Peak of the mean envelope over the strides, in the unit of ``envelope``.
    rate_hz : float

    Examples
    --------
    >>> faint = np.repeat([0.05, 1.0, 0.05], 100)
    >>> np.flatnonzero(while_working(np.ones(300, bool), faint, 1.0, 1000.0))[[0, -1]].tolist()
    [100, 199]
    """
    return without_short(on & (envelope >= LEAST_OF_PEAK * peak), _shortest(rate_hz))


def _shortest(rate_hz: float) -> int:
    """Return the samples of the shortest gap and the shortest burst that count."""
    return max(1, round(_SHORTEST_S * rate_hz))


def without_short(on: Mask, shortest: int) -> Mask:
    """Return a mask with gaps shorter than ``shortest`` closed, then shorter bursts dropped.

    Examples
    --------
    >>> mask = np.array([0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0], dtype=bool)
    >>> without_short(mask, 2).astype(int).tolist()
    [0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    """
    closed = on.copy()
    for start, stop in runs(~on):
        if stop - start < shortest and start > 0 and stop < len(on):
            closed[start:stop] = True
    for start, stop in runs(closed):
        if stop - start < shortest:
            closed[start:stop] = False
    return closed
