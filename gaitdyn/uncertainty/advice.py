"""Suggest cut-offs from the noise of the markers: residual analysis and cross-validation.

Both methods use positions only and take no account of moments: they are advice, never a default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.clean.smoothing import Filter, smooth
from gaitdyn.core import splines
from gaitdyn.core.cross_validation import choose_parameter
from gaitdyn.core.runs import complete_rows, runs
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.stages.session import Session
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.options import Options

_FEWEST = 6
_STRAIGHT = 0.95
_LOWEST = 0.007
"""Fraction of the marker rate below which the smoothing spline loses precision."""


@frozen(eq=False)
class Advice:
    """Cut-offs by marker, Hz; NaN if a method finds none.

    Attributes
    ----------
    residual : dict
        Marker -> mean over its axes, by residual analysis.
    cross_validation : dict
        Marker -> cut-off of its three coordinates together.
    """

    residual: dict[str, float]
    cross_validation: dict[str, float]


def median_cutoff(values: dict[str, float]) -> float:
    """Return the median over the markers with a cut-off, NaN if there are none."""
    finite = [value for value in values.values() if np.isfinite(value)]
    return float(np.median(finite)) if finite else float("nan")


def cutoff_advice(session: Session, options: Options, labels: Sequence[str]) -> Advice:
    """Return the cut-offs of both methods for each marker, from its longest run without a gap."""
    rate = session.trial.rate_hz
    residual, validated = {}, {}
    for label in labels:
        y = session.trial.marker(label)
        blocks = runs(complete_rows(y))
        start, stop = max(blocks, key=lambda run: run[1] - run[0], default=(0, 0))
        long_enough = stop - start >= 3 * splines.SHORTEST
        block = y[start:stop]
        residual[label] = residual_cutoff(block, rate, options.filter) if long_enough else np.nan
        validated[label] = validated_cutoff(block, rate) if long_enough else np.nan
    return Advice(residual, validated)


def residual_cutoff(y: Array, rate_hz: float, kind: str = "spline") -> float:
    """Return the cut-off by residual analysis, mean over the axes, Hz.

    R(f) is the root mean square of what a filter of cut-off f removes. At frequencies where only
    noise is removed, R falls along a straight line. Its value at 0 Hz is the level of the noise,
    and the cut-off is the frequency at which R reaches this level (Winter 2009, Biomechanics and
    Motor Control of Human Movement, ch. 3). The line is the longest at the upper end up to 20 Hz
    with R squared above 0.95. NaN if there is none, as at marker rates above 2.5 kHz, where the
    spline is not exact at the frequencies of a line.

    Parameters
    ----------
    y : array, shape (n, 3)
        Without gaps.
    rate_hz : float
    kind : {"spline", "butterworth"}
    """
    high = min(20.0, 0.4 * rate_hz)
    frequencies = np.arange(max(1.0, np.ceil(2 * _LOWEST * rate_hz) / 2), high + 0.25, 0.5)
    if len(frequencies) < _FEWEST:
        return float("nan")
    removed = [
        y - smooth(y[:, None], Filter(rate_hz, float(f), kind))[0][:, 0] for f in frequencies
    ]
    R = np.sqrt(np.mean(np.square(removed), axis=1))
    cutoffs = [_crossing(frequencies, column) for column in R.T]
    finite = [value for value in cutoffs if np.isfinite(value)]
    return float(np.mean(finite)) if finite else float("nan")


def _crossing(f: Array, R: Array) -> float:
    """Return the frequency at which R reaches the intercept of the line through its upper end."""
    for start in range(len(f) - _FEWEST + 1):
        slope, intercept = np.polyfit(f[start:], R[start:], 1)
        residual = R[start:] - (slope * f[start:] + intercept)
        spread = R[start:] - R[start:].mean()
        if 1.0 - (residual @ residual) / max(spread @ spread, 1e-300) > _STRAIGHT:
            below = np.flatnonzero(intercept >= R)
            if not below.size or below[0] == 0:
                return float("nan")
            i = below[0]
            return float(np.interp(intercept, R[[i, i - 1]], f[[i, i - 1]]))
    return float("nan")


def validated_cutoff(y: Array, rate_hz: float) -> float:
    """Return the cut-off of the spline chosen by generalised cross-validation, Hz.

    NaN if this spline would interpolate: markers that were already filtered have no white noise.

    Parameters
    ----------
    y : array, shape (n, 3)
        Without gaps.
    rate_hz : float
    """
    q = choose_parameter(y)
    if q <= 0.0:
        return float("nan")
    return float(((2.0**0.5 - 1.0) / q) ** (1 / 6) * rate_hz / (2 * np.pi))
