"""The variance of strides and the degrees of freedom of sums of variances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.errors import ArrayShapeError
from gaitdyn.types.arrays import Array

if TYPE_CHECKING:
    from collections.abc import Sequence

BORROWED = 6.0
"""Degrees of freedom that a point of the cycle takes from the rest of it: with few strides the
variance of a point alone makes thresholds explode, or collapses."""

_ROUNDING = 1e-12
"""Of the largest value: strides that differ by less do not differ."""

MOST_FREEDOM = 200.0


@dataclass(frozen=True, slots=True, eq=False)
class StrideVariance:
    """The variance between strides of one curve.

    Attributes
    ----------
    variance : array, shape (k,)
        Pooled over the samples and shrunk towards its mean over the cycle, unit squared.
    own : float
        Degrees of freedom of the strides alone.
    """

    variance: Array
    own: float

    @property
    def nu(self) -> float:
        """Degrees of freedom with those borrowed."""
        return self.own + BORROWED


def stride_variance(samples: Sequence[Array]) -> StrideVariance:
    """Return the pooled, shrunk variance between strides: ``(6 v_mean + nu v(t)) / (6 + nu)``.

    Parameters
    ----------
    samples : sequence of array, shape (n_i, k)
        Strides of each session, known throughout.

    Raises
    ------
    ArrayShapeError
        Without two strides in one of them.
    """
    own = float(sum(len(sample) - 1 for sample in samples))
    if own < 1:
        message = f"found {[len(s) for s in samples]} strides, wanted two in one session or more"
        raise ArrayShapeError(message)
    squares = sum(np.sum((s - s.mean(axis=0)) ** 2, axis=0) for s in samples)
    largest = max(float(np.max(np.abs(s), initial=0.0)) for s in samples)
    pooled = np.where(squares > (_ROUNDING * largest) ** 2, squares, 0.0) / own
    return StrideVariance((BORROWED * pooled.mean() + own * pooled) / (BORROWED + own), own)


def joint_freedom(parts: Sequence[tuple[float, float]]) -> float:
    """Return the degrees of freedom of a sum of variances (Satterthwaite 1946, Biometrics 2:110).

    Parameters
    ----------
    parts : sequence of (float, float)
        Variance and its degrees of freedom.

    Returns
    -------
    float
        At most 200.

    Examples
    --------
    >>> joint_freedom([(1.0, 10.0), (1.0, 10.0)]), joint_freedom([(1.0, 10.0), (0.0, 4.0)])
    (20.0, 10.0)
    """
    total = sum(variance for variance, _ in parts)
    below = sum(variance**2 / nu for variance, nu in parts)
    return min(total**2 / below, MOST_FREEDOM) if below > 0 else MOST_FREEDOM
