"""Natural quintic splines on a uniform grid: interpolation, smoothing, derivatives, gaps.

The spline f that interpolates or smooths samples y_k minimises::

    sum_k (y_k - f(k))^2 + q * integral f'''(x)^2 dx        (x in samples, q in samples^5)

(Woltring 1986, Adv Eng Software 8:104-113). Its third derivative is a sum of quadratic B-splines,
``f''' = sum_j gamma_j N_j``, with natural ends. Because the grid is uniform, every matrix is
Toeplitz. With Q' the third differences and R the Gram matrix of the N_j (1, 26, 66, 26, 1)/120::

    (R + q Q'Q) gamma = Q'y,     f = y - q Q gamma

One banded solve gives values and both derivatives. Far from the ends the gain of the spline is
1 / (1 + q omega^6) for a sine of omega radians per sample, so q follows from a cut-off frequency.
q = 0 gives the natural interpolating spline.
"""

from __future__ import annotations

import math

import numpy as np

from gaitdyn.core.banded import solve_any_banded, solve_banded
from gaitdyn.core.runs import blocks_of
from gaitdyn.errors import UsageError
from gaitdyn.types.arrays import Array, Mask, Places
from gaitdyn.types.frozen import frozen

SHORTEST = 7
"""Fewest consecutive samples to which a quintic spline is fitted."""

GRAM = np.array([66.0, 26.0, 1.0, 0.0]) / 120.0
DIFFERENCES = np.array([20.0, -15.0, 6.0, -1.0])
THIRD = -1.0, 3.0, -3.0, 1.0
"""Weights of four samples in a third difference: a column of Q."""
_LARGEST_Q = 1e8

_AT_ONCE = 1 << 20
"""Samples to fit at once: a fit needs ten times their memory."""


@frozen(eq=False)
class Spline:
    """Values and derivatives of splines at their samples, each of shape (n, c)."""

    value: Array
    first: Array
    second: Array


def smoothing_parameter(cutoff_hz: float, rate_hz: float) -> float:
    """Return q of the spline whose gain is 0.707 at the cut-off frequency.

    Returns
    -------
    float
        ``(sqrt(2) - 1) / (2 pi fc / fs)**6``, samples^5.

    Raises
    ------
    UsageError
        If the rate is so far above the cut-off that precision would be lost.
    """
    q = (math.sqrt(2.0) - 1.0) / (2.0 * math.pi * cutoff_hz / rate_hz) ** 6
    if q > _LARGEST_Q:
        raise UsageError(
            f"a cut-off of {cutoff_hz:g} Hz at {rate_hz:g} Hz is too low for the smoothing spline;"
            " average the samples to a lower rate first or choose a higher --cutoff"
        )
    return q


def columns_at_once(shape: tuple[int, ...]) -> list[slice]:
    """Return the columns of samples, shape (n, c), in groups that are fitted with little memory.

    Examples
    --------
    >>> columns_at_once((1000, 5)), columns_at_once((500_000, 3))
    ([slice(0, 1048, None)], [slice(0, 2, None), slice(2, 4, None)])
    """
    n, count = shape
    return blocks_of(count, max(_AT_ONCE // n, 2))


def fit(y: Array, q: float = 0.0, step: float = 1.0) -> Spline:
    """Return smoothed (or, with q = 0, interpolated) values and derivatives.

    Parameters
    ----------
    y : array, shape (n, c)
        Samples without gaps, n >= 7; each column is fitted by itself.
    q : float
        Smoothing parameter, samples^5.
    step : float
        Sampling interval; the derivatives are per unit and per unit squared of it.
    """
    level, value, gamma = _fitted(y, q)
    first, second = _derivatives(value, gamma)
    return Spline(value + level, first / step, second / step**2)


def smoothed(y: Array, q: float) -> Array:
    """Return the values of :func:`fit` alone, shape (n, c)."""
    level, value, _ = _fitted(y, q)
    return value + level


def _fitted(y: Array, q: float) -> tuple[Array, Array, Array]:
    """Return the mean of each column, the spline about the mean, and its third derivative."""
    level = y.mean(axis=0)
    y = y - level
    gamma = third_derivative(y, q)
    return level, y - q * spread(gamma) if q > 0 else y, gamma


def third_derivative(y: Array, q: float) -> Array:
    """Return the coefficients gamma of ``f'''``, shape (n - 3, c)."""
    return solve_toeplitz(_steps(_steps(_steps(y))), q)


def solve_toeplitz(right: Array, q: float) -> Array:
    """Return ``(R + q Q'Q)^-1 right`` for right-hand sides of shape (m, c)."""
    banded = np.repeat((GRAM + q * DIFFERENCES)[:, None], len(right), axis=1)
    return solve_banded(banded, right)


def fill(y: Array, known: Mask, q: float = 0.0) -> Array:
    """Return ``y`` with its unknown rows replaced by the spline that gives them zero weight.

    A sample with zero weight has no residual, ``(Q gamma)_k = 0``, and its value y_m is unknown::

        [ R + q Q'Q   -Q'_m ] [gamma]   [ Q'_k y_k ]
        [   -Q_m        0   ] [ y_m ] = [    0     ]

    The matrix is banded if each unknown value stands between the two gamma beside it. gamma is
    scaled to keep both kinds of rows of one size.

    Parameters
    ----------
    y : array, shape (n, c)
    known : mask, shape (n,)
        At least 7 known rows, among them the first and the last.
    q : float
        Smoothing parameter of the fit that will follow.

    Returns
    -------
    array, shape (n, c)
    """
    missing = np.flatnonzero(~known)
    if not missing.size:
        return y
    level = y[known].mean(axis=0)
    filled = np.where(known[:, None], y - level, 0.0)
    count = len(y) - len(THIRD) + 1
    places = np.empty(count + missing.size, dtype=int)
    between = np.concatenate((2 * np.arange(count) + len(THIRD) - 1, 2 * missing))
    places[np.argsort(between, kind="stable")] = np.arange(len(places))
    gammas, values = places[:count], places[count:]
    bands = 2 * (len(GRAM) - 1)
    banded = np.zeros((3 * bands + 1, len(places)))

    def couple(rows: Places, columns: Places, value: float) -> None:
        banded[2 * bands + rows - columns, columns] = value
        banded[2 * bands + columns - rows, rows] = value

    largest = 1.0 + q * DIFFERENCES[0]
    for apart, value in enumerate((GRAM + q * DIFFERENCES) / largest):
        couple(gammas[: count - apart], gammas[apart:], float(value))
    for behind, weight in enumerate(THIRD):
        inside = (missing >= behind) & (missing - behind < count)
        couple(gammas[missing[inside] - behind], values[inside], -weight)
    right = np.zeros((len(places), y.shape[1]))
    right[gammas] = _steps(_steps(_steps(filled)))
    filled[missing] = solve_any_banded(banded, right)[values]
    return filled + level


def spread(gamma: Array) -> Array:
    """Return ``Q gamma``, shape (n, c)."""
    return -_steps(_steps(_steps(_between_zeros(gamma))))


def _steps(values: Array) -> Array:
    """Return the differences between consecutive rows."""
    return values[1:] - values[:-1]


def _between_zeros(gamma: Array) -> Array:
    """Return gamma with three rows of zeros at either end."""
    wide = np.zeros_like(gamma, shape=(len(gamma) + 6, *gamma.shape[1:]))
    wide[3:-3] = gamma
    return wide


def _derivatives(f: Array, gamma: Array) -> tuple[Array, Array]:
    """Return f' and f'' at the samples (step 1) from values and third-derivative coefficients.

    Let c be the B-spline coefficients, delta the central and D the mean central difference. Then
    f = c + delta2 c / 4 + delta4 c / 120, f' = D c + D delta2 c / 12, f'' = delta2 c + delta4 c/6;
    delta4 c and D delta2 c are differences and means of gamma, so that c itself is not needed.
    """
    n = len(f)
    g = _between_zeros(gamma)
    delta4 = _steps(g)[: n + 2]  # delta4 c at k = -1 .. n
    before = f[2] - 3 * f[1] + 3 * f[0] - (26 * g[3] + g[4]) / 120
    after = 3 * f[-1] - 3 * f[-2] + f[-3] + (26 * g[n - 1] + g[n - 2]) / 120
    wide = np.concatenate((before[None], f, after[None]))
    D_delta2 = 0.5 * (g[2 : n + 2] + g[1 : n + 1])
    first = 0.5 * (wide[2:] - wide[:-2]) - D_delta2 / 6 - (delta4[2:] - delta4[:-2]) / 240
    second = _steps(_steps(wide)) - delta4[1:-1] / 12 - _steps(_steps(delta4)) / 120
    return first, second
