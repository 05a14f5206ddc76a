"""How well the strides of one curve agree: variance ratio and coefficient of variation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array


def variance_ratio(strides: Array) -> float:
    """Return the variance between strides over the total variance; NaN for one stride.

    ``[sum (E_ij - M_i)^2 / (k (n - 1))] / [sum (E_ij - Mbar)^2 / (k n - 1)]``, i over k points, j
    over n strides (Hershler and Milner 1978, IEEE Trans Biomed Eng 25:413-420): 0 for equal
    strides, near 1 for strides that have nothing in common.

    Parameters
    ----------
    strides : array, shape (n, k)

    Examples
    --------
    >>> variance_ratio(np.array([[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]))
    0.0
    """
    n, k = strides.shape
    if n < 2 or np.ptp(strides) == 0:  # noqa: PLR2004
        return float("nan")
    whole = ((strides - strides.mean()) ** 2).sum() / (k * n - 1)
    between = ((strides - strides.mean(axis=0)) ** 2).sum() / (k * (n - 1))
    return float(between / whole)


def variation(strides: Array) -> float:
    """Return the coefficient of variation of the strides; NaN for one stride.

    ``sqrt(mean_i s_i^2) / mean_i M_i`` over the points i (Winter 1991), with n - 1 in s.

    Parameters
    ----------
    strides : array, shape (n, k)

    Examples
    --------
    >>> round(variation(np.array([[1.0, 1.0], [3.0, 3.0]])), 4)
    0.7071
    """
    level = float(strides.mean())
    if len(strides) < 2 or level == 0:  # noqa: PLR2004
        return float("nan")
    return float(np.sqrt(strides.var(axis=0, ddof=1).mean()) / level)


def signed_variation(strides: Array) -> float:
    """Return the coefficient of variation of strides that change their sign; NaN for one stride.

    ``sqrt(mean_i s_i^2) / mean_i |M_i|`` over the points i (Winter 1984, Hum Mov Sci 3:51-76, for
    moments), with n - 1 in s.

    Parameters
    ----------
    strides : array, shape (n, k)

    Examples
    --------
    >>> round(signed_variation(np.array([[1.0, -1.0], [3.0, -3.0]])), 4)
    0.7071
    """
    level = float(np.abs(strides.mean(axis=0)).mean())
    if len(strides) < 2 or level == 0:  # noqa: PLR2004
        return float("nan")
    return float(np.sqrt(strides.var(axis=0, ddof=1).mean()) / level)
