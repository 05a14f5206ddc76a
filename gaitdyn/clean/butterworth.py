"""Zero-lag Butterworth filter; at the cut-off the gain of both passes together is 0.707."""

from __future__ import annotations

import math

import numpy as np

from gaitdyn.errors import RateTooLow
from gaitdyn.types.arrays import Array

_DOUBLE_PASS = (math.sqrt(2.0) - 1.0) ** 0.25


def zero_lag_butterworth(y: Array, cutoff_hz: float, rate_hz: float) -> Array:
    """Return ``y`` filtered forwards and backwards with a second-order Butterworth low-pass.

    The design frequency is raised so that both passes together have a gain of 0.707 at the
    cut-off: ``tan(pi fd / fs) = tan(pi fc / fs) / (sqrt(2) - 1)**(1/4)`` (Winter 2009, ch. 3).

    Parameters
    ----------
    y : array, shape (n, c)
    cutoff_hz, rate_hz : float

    Returns
    -------
    array, shape (n, c)

    Raises
    ------
    RateTooLow
        If the cut-off is not below half the rate.
    """
    from scipy.signal import butter, sosfiltfilt

    design = math.atan(math.tan(math.pi * cutoff_hz / rate_hz) / _DOUBLE_PASS) / math.pi * 2
    if not 0 < design < 1 or cutoff_hz >= rate_hz / 2:
        message = (
            f"found {rate_hz:g} samples per second; wanted more than {2 * cutoff_hz:g} for a"
            f" Butterworth filter of {cutoff_hz:g} Hz; choose a lower cut-off, none, or the filter"
            " spline"
        )
        raise RateTooLow(message)
    sections = butter(2, design, output="sos")
    padding = min(len(y) - 1, int(3 * rate_hz / cutoff_hz))
    return np.asarray(sosfiltfilt(sections, y, axis=0, padlen=padding))
