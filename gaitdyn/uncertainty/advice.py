"""Cut-offs that the noise of the markers advises: residual analysis and cross-validation.

Both look at positions alone and know nothing of moments: they are advice, never a default.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.clean.smoothing import Filter, smooth
from gaitdyn.core import splines
from gaitdyn.core.cross_validation import choose_parameter
from gaitdyn.core.runs import complete_rows, runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.stages.session import Session
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.options import Options

_FEWEST = 6
_STRAIGHT = 0.95
_LOWEST = 0.007
"""Of the marker rate: below it the smoothing spline loses digits."""


@dataclass(frozen=True, slots=True, eq=False)
class Advice:
    """Cut-offs by marker, Hz; NaN where a method has no answer.

    Attributes
    ----------
    residual : dict
        Marker -> mean over its axes, by residual analysis.
    cross_validation : dict
        Marker -> of its three coordinates together.
    """

    residual: dict[str, float]
    cross_validation: dict[str, float]


def median(values: dict[str, float]) -> float:
    """Return the median of the markers that have an answer, NaN without any."""
    known = [value for value in values.values() if np.isfinite(value)]
    return float(np.median(known)) if known else float("nan")


def cutoff_advice(session: Session, options: Options, labels: Sequence[str]) -> Advice:
    """Return what both methods advise for each marker, on its longest run without a gap."""
    rate = session.trial.rate_hz
    residual, crossed = {}, {}
    for label in labels:
        y = session.trial.marker(label)
        found = runs(complete_rows(y))
        start, stop = max(found, key=lambda run: run[1] - run[0], default=(0, 0))
        long = stop - start >= 3 * splines.SHORTEST
        block = y[start:stop]
        residual[label] = residual_cutoff(block, rate, options.filter) if long else np.nan
        crossed[label] = validated_cutoff(block, rate) if long else np.nan
    return Advice(residual, crossed)


def residual_cutoff(y: Array, rate_hz: float, kind: str = "spline") -> float:
    """Return the cut-off by residual analysis, mean over the axes, Hz.

    R(f) is the root mean square of what a filter of cut-off f takes away. Where noise alone is
    taken away R falls along a straight line; its value at 0 Hz is that of the noise, and the
    cut-off is where R reaches it (Winter 2009, Biomechanics and Motor Control of Human Movement,
    ch. 3). The line is the longest at the upper end up to 20 Hz with R squared above 0.95.

    Parameters
    ----------
    y : array, shape (n, 3)
        Without gaps.
    rate_hz : float
    kind : {"spline", "butterworth"}
    """
    high = min(20.0, 0.4 * rate_hz)
    frequencies = np.arange(max(1.0, np.ceil(2 * _LOWEST * rate_hz) / 2), high + 0.25, 0.5)
    left = [y - smooth(y[:, None], Filter(rate_hz, float(f), kind))[0][:, 0] for f in frequencies]
    R = np.sqrt(np.mean(np.square(left), axis=1))
    axes = [_crossing(frequencies, column) for column in R.T]
    known = [value for value in axes if np.isfinite(value)]
    return float(np.mean(known)) if known else float("nan")


def _crossing(f: Array, R: Array) -> float:
    """Return where R reaches the intercept of the straight line through its upper end."""
    for start in range(len(f) - _FEWEST + 1):
        slope, intercept = np.polyfit(f[start:], R[start:], 1)
        off = R[start:] - (slope * f[start:] + intercept)
        spread = R[start:] - R[start:].mean()
        if 1.0 - (off @ off) / max(spread @ spread, 1e-300) > _STRAIGHT:
            below = np.flatnonzero(intercept >= R)
            if not below.size or below[0] == 0:
                return float("nan")
            i = below[0]
            return float(np.interp(intercept, R[[i, i - 1]], f[[i, i - 1]]))
    return float("nan")


def validated_cutoff(y: Array, rate_hz: float) -> float:
    """Return the cut-off of the spline that generalised cross-validation chooses, Hz.

    NaN where it would interpolate: markers that were filtered before have no white noise.

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
