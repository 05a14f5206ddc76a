"""The simultaneous band: how far a curve of t values goes anywhere by chance.

For a smooth process of t with nu degrees of freedom over an interval, the probability that it
leaves +-k somewhere is, to first order, the expected Euler characteristic of the excursion set
(Adler and Taylor 2007, Random Fields and Geometry; Worsley 1994, Adv Appl Prob 26:13-42)::

    p(k) = 2 (1 - F_nu(k)) + (L / pi) (1 + k^2 / nu)^(-(nu - 1) / 2)

with the roughness L, the path length of the standardised process over the interval.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache

import numpy as np

from gaitdyn.types.arrays import Array, real_array

ALPHA = 0.05
NORMAL_95 = 1.959963984540054
"""Number of standard deviations within which 95 % of normal errors lie."""

_STEP = 0.1
"""Step to which roughness and degrees of freedom are rounded, so that thresholds are cached."""

_MANY = 1e4
"""Degrees of freedom above which a t value is treated as normal."""


def point_chance(t: float, nu: float) -> float:
    """Return the probability that one t value is farther from 0 than ``t``.

    Parameters
    ----------
    t : float
    nu : float
        Degrees of freedom; infinite for a normal value.

    Examples
    --------
    >>> round(point_chance(1.96, math.inf), 3), round(point_chance(2.262, 9), 3)
    (0.05, 0.05)
    """
    ndtr, stdtr = _of_scipy()
    k = abs(t)
    return float(2 * (ndtr(-k) if nu > _MANY else stdtr(nu, -k)))


@cache
def _of_scipy() -> tuple[np.ufunc, np.ufunc]:
    """Return the distributions of normal and t values, loaded late: reading a norm needs neither.

    They are asked for so often that even an import of what is loaded would count.
    """
    from scipy.special import ndtr, stdtr

    return ndtr, stdtr


def curve_chance(largest: float, roughness: float, nu: float) -> float:
    """Return the probability that a curve of t values goes farther from 0 than ``largest``.

    Parameters
    ----------
    largest : float
        The largest |t| of the curve.
    roughness : float
        L of the interval, see :func:`roughness`.
    nu : float
        Degrees of freedom.

    Returns
    -------
    float
        At most 1.

    Examples
    --------
    >>> round(curve_chance(2.91, 10, math.inf), 3)
    0.05
    """
    k = abs(largest)
    if not math.isfinite(k):
        return 0.0 if math.isinf(k) else math.nan
    power = -k * k / 2 if nu > _MANY else -(nu - 1) / 2 * math.log1p(k * k / nu)
    return min(1.0, point_chance(k, nu) + roughness / math.pi * math.exp(power))


def simultaneous_threshold(roughness: float, nu: float, alpha: float = ALPHA) -> float:
    """Return k: a curve without any difference leaves +-k with probability ``alpha``.

    Parameters
    ----------
    roughness : float
        L; 0 gives the two-sided t quantile of a single value.
    nu : float
        Degrees of freedom, above 1.
    alpha : float

    Examples
    --------
    >>> [round(simultaneous_threshold(L, math.inf), 2) for L in (0, 2, 10, 40)]
    [1.96, 2.42, 2.91, 3.33]
    """
    rounded = math.inf if nu > _MANY else max(round(nu / _STEP) * _STEP, 1 + _STEP)
    return _threshold(round(roughness / _STEP) * _STEP, rounded, alpha)


@lru_cache(maxsize=65536)
def _threshold(roughness: float, nu: float, alpha: float) -> float:
    """Return the root of p(k) = alpha by bisection; p falls with k."""
    low, high = 0.0, 4.0
    while curve_chance(high, roughness, nu) > alpha:
        low, high = high, 2 * high
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if curve_chance(middle, roughness, nu) > alpha else (low, middle)
    return (low + high) / 2


def roughness(residuals: Array) -> float:
    """Return L of curves that differ by chance alone.

    ``z_i(t) = r_i(t) / sqrt(sum_j r_j(t)^2)``, ``L = sum_t sqrt(sum_i (z_i(t + 1) - z_i(t))^2)``:
    a sum over the steps, so that a phase has the sum over its steps. ``L = 100 sqrt(4 ln 2) /
    FWHM %`` for the smoothing kernel that would make white noise equally smooth.

    Parameters
    ----------
    residuals : array, shape (n, k)
        Curves less their mean, any unit; only rows known throughout count.

    Returns
    -------
    float
        NaN for fewer than two curves.

    Examples
    --------
    >>> roughness(np.array([[1.0, 1.0, 1.0], [-1.0, -1.0, -1.0]]))  # offsets alone: no length
    0.0
    """
    residuals = real_array("residuals", residuals)
    known = residuals[np.isfinite(residuals).all(axis=1)]
    if len(known) < 2:  # noqa: PLR2004  nothing varies
        return math.nan
    size = np.sqrt(np.sum(known**2, axis=0))
    z = np.divide(known, size, out=np.zeros_like(known), where=size > 0)
    return float(np.sum(np.sqrt(np.sum(np.diff(z, axis=1) ** 2, axis=0))))
