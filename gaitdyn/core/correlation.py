"""The correlation of two series that may have gaps."""

from __future__ import annotations

import numpy as np

from gaitdyn.types.arrays import Array


def correlation(x: Array, y: Array, fewest: int) -> float:
    """Return the correlation of two series where both are known.

    Parameters
    ----------
    x, y : arrays, shape (n,)
    fewest : int
        With fewer values it is NaN, as it is for a series that does not vary.

    Examples
    --------
    >>> x, y = np.array([0.0, 1.0, np.nan, 2.0]), np.array([1.0, 2.0, 9.0, 3.0])
    >>> correlation(x, y, fewest=3), correlation(x, y, fewest=4)
    (1.0, nan)
    """
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known]
    if len(x) < fewest:
        return np.nan
    x, y = x - x.mean(), y - y.mean()
    size = float(np.sqrt((x @ x) * (y @ y)))
    return max(-1.0, min(1.0, float(x @ y) / size)) if size > 0 else np.nan
