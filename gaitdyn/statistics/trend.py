"""A slope over time that a few odd strides do not change."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitdyn.types.arrays import Array

NORMAL_95 = 1.959963984540054


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
    (N - C) / 2 to (N + C) / 2 + 1 with ``C = 1.96 sqrt(n (n - 1) (2 n + 5) / 18)``.

    Parameters
    ----------
    x, y : array, shape (n,)
        n of 3 or more; pairs of equal x are left out.

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
    wide = NORMAL_95 * np.sqrt(n * (n - 1) * (2 * n + 5) / 18.0)
    low = int(np.clip(np.floor((count - wide) / 2.0) - 1, 0, count - 1))
    high = int(np.clip(np.ceil((count + wide) / 2.0), 0, count - 1))
    return Trend(float(np.median(slopes)), float(slopes[low]), float(slopes[high]))
