"""The variance of strides and the degrees of freedom of sums of variances."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gaitdyn.errors import ArrayShapeError
from gaitdyn.types.arrays import Array, Mask, real_array
from gaitdyn.types.frozen import frozen

BORROWED = 6.0
"""Degrees of freedom that a point borrows from the rest of the cycle: with few strides the variance
of a single point makes thresholds explode or collapse."""

_ROUNDING = 1e-12
"""Share of the largest value: a smaller difference between strides is none."""


@frozen(eq=False)
class StrideVariance:
    """The variance between strides of one curve.

    Attributes
    ----------
    variance : array, shape (k,)
        Pooled over the samples, and if shrunk, towards its mean over the cycle; unit squared.
    stride_nu : float
        Degrees of freedom of the strides alone.
    """

    variance: Array
    stride_nu: float


def whole_strides(
    name: str, strides: object, points: int | None = None, tested: Mask | None = None
) -> Array:
    """Return strides as an array after checking that they are known where they are tested.

    Parameters
    ----------
    name : str
        Name of the array in the message.
    strides : array_like, shape (m, k)
    points : int, optional
        Wanted k.
    tested : array of bool, shape (k,), optional
        Everywhere by default.

    Raises
    ------
    ArrayShapeError
    """
    array = real_array(name, strides)
    wanted = "k" if points is None else points
    if array.ndim != 2 or not array.size or points not in (None, array.shape[1]):  # noqa: PLR2004
        raise ArrayShapeError(f"{name} have shape {array.shape}, wanted (m, {wanted})")
    known = np.isfinite(array).all(axis=1, where=True if tested is None else tested)
    if not known.all():
        message = f"{name}: found unknown values in row {int(known.argmin())}"
        raise ArrayShapeError(f"{message}; wanted strides known throughout; leave it out")
    return array


def pooled_variance(samples: Sequence[Array]) -> StrideVariance:
    """Return the pooled variance between strides, point by point.

    Parameters
    ----------
    samples : sequence of array, shape (n_i, k)
        Strides of each session, known throughout.

    Raises
    ------
    ArrayShapeError
        If no session has two strides.
    """
    nu = float(sum(len(sample) - 1 for sample in samples))
    if nu < 1:
        message = f"found {[len(s) for s in samples]} strides, wanted two in one session or more"
        raise ArrayShapeError(message)
    squares = sum(map(_squares, samples))
    largest = max(float(np.maximum.reduce(np.abs(s), axis=None, initial=0.0)) for s in samples)
    return StrideVariance(np.where(squares > (_ROUNDING * largest) ** 2, squares, 0.0) / nu, nu)


def _squares(strides: Array) -> Array:
    """Return the sum of squares about the mean, shape (k,); bare sums cost half of ``mean``."""
    off = strides - np.add.reduce(strides, axis=0) / len(strides)
    return np.add.reduce(off * off, axis=0)


def stride_variance(samples: Sequence[Array]) -> StrideVariance:
    """Return the pooled, shrunk variance between strides: ``(6 v_mean + nu v(t)) / (6 + nu)``.

    Parameters
    ----------
    samples : sequence of array, shape (n_i, k)
        Strides of each session, known throughout.

    Raises
    ------
    ArrayShapeError
        If no session has two strides.
    """
    points = pooled_variance(samples)
    pooled, nu = points.variance, points.stride_nu
    return StrideVariance((BORROWED * pooled.mean() + nu * pooled) / (BORROWED + nu), nu)


def joint_freedom(parts: Sequence[tuple[float, float]]) -> float:
    """Return the degrees of freedom of a sum of variances.

    After Satterthwaite 1946, Biometrics Bull 2:110-114.

    Parameters
    ----------
    parts : sequence of (float, float)
        Variance and its degrees of freedom.

    Returns
    -------
    float
        Infinite where no part has a variance.

    Examples
    --------
    >>> joint_freedom([(1.0, 10.0), (1.0, 10.0)]), joint_freedom([(1.0, 10.0), (0.0, 4.0)])
    (20.0, 10.0)
    >>> joint_freedom([(1.0, 300.0), (1.0, 300.0)])
    600.0
    """
    total = sum(variance for variance, _ in parts)
    below = sum(variance**2 / nu for variance, nu in parts)
    return total**2 / below if below > 0 else math.inf
