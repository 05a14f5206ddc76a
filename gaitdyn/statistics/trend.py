"""A slope over time that a few odd strides do not change."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitdyn.statistics.threshold import NORMAL_95
from gaitdyn.types.arrays import Array

_FEWEST, _MOST = 11, 0.95
"""Fewest points, and largest correlation, for which the correlation of neighbours counts."""


class Trend(NamedTuple):
    """A slope and the ends of its 95 % interval, in units of y per unit of x."""

    slope: float
    low: float
    high: float

    @property
    def sure(self) -> bool:
        """Whether the interval excludes zero."""
        return self.low > 0.0 or self.high < 0.0


def trend(x: Array, y: Array) -> Trend:
    """Return the median of the slopes between all pairs of points, with its 95 % interval.

    Sen 1968, J Am Stat Assoc 63:1379-1389: of the N sorted slopes the interval is from number
    (N - C) / 2 to (N + C) / 2 + 1 with ``C = 1.96 sqrt(f n (n - 1) (2 n + 5) / 18)``. Successive
    strides resemble each other (Hausdorff et al. 1995, J Appl Physiol 78:349-358), which the factor
    f allows for.

    Parameters
    ----------
    x, y : array, shape (n,)
        n of 3 or more, in order of x; pairs of equal x are left out.

    Examples
    --------
    >>> x = np.arange(20.0)
    >>> t = trend(x, 2.0 * x + np.where(x == 5.0, 100.0, 0.0))
    >>> float(t.slope), bool(t.low < 2.0001), t.sure
    (2.0, True, True)
    """
    i, j = np.triu_indices(len(x), 1)
    distinct = x[j] != x[i]
    slopes = np.sort((y[j] - y[i])[distinct] / (x[j] - x[i])[distinct])
    n, count = len(x), len(slopes)
    slope = float(np.median(slopes))
    factor = _of_neighbours(y - slope * x)
    wide = NORMAL_95 * np.sqrt(factor * n * (n - 1) * (2 * n + 5) / 18.0)
    low = int(np.clip(np.floor((count - wide) / 2.0) - 1, 0, count - 1))
    high = int(np.clip(np.ceil((count + wide) / 2.0), 0, count - 1))
    return Trend(slope, float(slopes[low]), float(slopes[high]))


def _of_neighbours(residuals: Array) -> float:
    """Return by what the correlation of neighbours multiplies the variance behind an interval.

    ``1 + 2 sum_i (n - i)(n - i - 1)(n - i - 2) r^i / (n (n - 1)(n - 2))`` (Hamed and Rao 1998,
    J Hydrol 204:182-196) with the correlation r of the ranks of neighbours, not negative, plus
    ``(2 + 4 r) / n``, its bias of ``(1 + 3 r) / n`` (Marriott and Pope 1954, Biometrika 41:390-402)
    and more: of 100 walks without a trend, 4 to 6 have one for r up to 0.3, and 5 to 9 for 0.5.
    """
    n = len(residuals)
    _, place, count = np.unique(residuals, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(count) - (count - 1) / 2)[place] - (n + 1) / 2
    if n < _FEWEST or not ranks.any():
        return 1.0
    r = (n * float(ranks[1:] @ ranks[:-1]) / float(ranks @ ranks) + 2) / (n - 4)
    i = np.arange(1.0, n - 2)
    weights = (n - i) * (n - i - 1) * (n - i - 2) / (n * (n - 1) * (n - 2))
    return 1.0 + 2.0 * float(weights @ np.clip(r, 0.0, _MOST) ** i)
