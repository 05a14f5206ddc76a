"""The smoothing parameter of a quintic spline by generalised cross-validation.

Craven and Wahba 1979 (Numer Math 31:377-403). The search follows the order of the Plug-in Gait
model, because the order decides which local minimum is found.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gaitdyn.core import splines
from gaitdyn.types.arrays import Array

_START, _SMALLEST, _LARGEST = 1.0 / 64.0, 1e-7, 1e12
_GOLDEN = (5.0**0.5 - 1.0) / 2.0
_TOLERANCE = 1e-6


def choose_parameter(y: Array) -> float:
    """Return the q that minimises the generalised cross-validation of all columns together.

    Starting from q = 1/64 and 1/32, the parameter is doubled or halved downhill until the criterion
    rises. A golden-section search then refines it to 1e-6 of its value.

    Parameters
    ----------
    y : array, shape (n, c)
        Samples without gaps; the columns share one q.

    Returns
    -------
    float
        samples^5; 0 (interpolation) if the criterion still falls at 1e-7.
    """
    y = y - y.mean(axis=0)
    differences = np.diff(y, n=3, axis=0)
    pulse = np.zeros((len(differences), 1))
    pulse[0] = 1.0
    right = np.concatenate((differences, pulse), axis=1)

    def criterion(q: float) -> float:
        return _criterion(q, len(y), right)

    at_start, at_double = criterion(_START), criterion(2 * _START)
    falling = at_start > at_double
    previous, q, factor = (_START, 2 * _START, 2.0) if falling else (2 * _START, _START, 0.5)
    value = min(at_start, at_double)
    while True:
        next_q = q * factor
        if next_q < _SMALLEST:
            return 0.0
        next_value = criterion(next_q)
        if next_value > value or next_q > _LARGEST:
            break
        previous, q, value = q, next_q, next_value
    return _golden_section(criterion, min(previous, next_q), max(previous, next_q))


def _criterion(q: float, n: int, right: Array) -> float:
    """Return V(q) = sum RSS / n / (1 - trace(S) / n)^2.

    ``n - trace(S) = q trace(T^-1 Q'Q)`` with the Toeplitz matrix T = R + q Q'Q. The formula of
    Gohberg and Semencul gives the sums along the diagonals of T^-1 from its first column in O(n).
    """
    solution = splines.solve_toeplitz(right, q)
    gamma, x = solution[:, :-1], solution[:, -1]
    residual = q * splines.spread(gamma)
    freedom = q * trace_with_differences(x)
    return float((residual**2).sum() / n / (freedom / n) ** 2)


def trace_with_differences(x: Array) -> float:
    """Return trace(T^-1 Q'Q) from the first column x of the inverse of T = R + q Q'Q.

    T^-1 = (L(x) L(x)' - L(y) L(y)') / x_0 with y = (0, x_(m-1), ..., x_1), where L(v) is the lower
    triangular Toeplitz matrix with first column v (Gohberg and Semencul 1972, Mat Issled
    7:201-223).
    """
    m = len(x)
    y = np.concatenate(([0.0], x[:0:-1]))
    trace = 0.0
    for k, weight in enumerate(splines.DIFFERENCES):
        count = m - k - np.arange(m - k)
        diagonal = float(count @ (x[: m - k] * x[k:] - y[: m - k] * y[k:])) / x[0]
        trace += weight * diagonal * (1.0 if k == 0 else 2.0)
    return trace


def _golden_section(f: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function of one variable has its minimum within a bracket."""
    a, b = low, high
    c, d = b - _GOLDEN * (b - a), a + _GOLDEN * (b - a)
    fc, fd = f(c), f(d)
    while b - a > _TOLERANCE * b:
        if fc < fd:
            b, d, fd = d, c, fc
            c = b - _GOLDEN * (b - a)
            fc = f(c)
        else:
            a, c, fc = c, d, fd
            d = a + _GOLDEN * (b - a)
            fd = f(d)
    return 0.5 * (a + b)
