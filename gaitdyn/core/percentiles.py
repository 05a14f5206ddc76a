"""Percentiles with the bits of ``np.percentile`` but without its cost."""

from __future__ import annotations

import math
from typing import TypeVar

import numpy as np

from gaitdyn.types.arrays import Array

_Value = TypeVar("_Value", float, Array)
_HALF = 0.5


def percentiles(values: Array, *parts: float) -> list[float]:
    """Return ``np.percentile(values, parts)`` to the bit, at a tenth of its cost for short arrays.

    Parameters
    ----------
    values : array, shape (n,)
        At least one value; all results are NaN if one value is.
    *parts : float
        From 0 to 100.

    Examples
    --------
    >>> percentiles(np.array([3.0, 1.0, 2.0, 4.0]), 50, 75)
    [2.5, 3.25]
    """
    last = len(values) - 1
    ranks = [last * (part / 100) for part in parts]
    ends = [(math.floor(rank), min(math.floor(rank) + 1, last)) for rank in ranks]
    ordered = np.sort(values)
    if math.isnan(ordered[-1]):  # NaN sorts last
        return [math.nan] * len(parts)
    return [
        _between(float(ordered[low]), float(ordered[high]), rank - low)
        for rank, (low, high) in zip(ranks, ends, strict=True)
    ]


def percentile(values: Array, part: float) -> float:
    """Return one of :func:`percentiles`."""
    return percentiles(values, part)[0]


def percentiles_across(rows: Array, *parts: float) -> Array:
    """Return ``np.percentile(rows, parts, axis=0)`` to the bit, at a fraction of its cost.

    Parameters
    ----------
    rows : array, shape (n, m)
        At least one row; a column with a NaN has none.
    *parts : float
        From 0 to 100.

    Returns
    -------
    array, shape (number of parts, m)

    Examples
    --------
    >>> percentiles_across(np.array([[3.0, 0.0], [1.0, 2.0], [2.0, np.nan]]), 50, 75)
    array([[2. , nan],
           [2.5, nan]])
    """
    ordered = np.sort(rows, axis=0)
    last = len(ordered) - 1
    found = np.empty((len(parts), rows.shape[1]))
    for row, part in zip(found, parts, strict=True):
        rank = last * (part / 100)
        low = math.floor(rank)
        row[:] = _between(ordered[low], ordered[min(low + 1, last)], rank - low)
    found[:, np.isnan(ordered[-1])] = np.nan  # NaN sorts last
    return found


def known_percentiles(values: Array, *parts: float) -> Array:
    """Return ``np.nanpercentile(values, parts, axis=0)`` to the bit; numpy goes column by column.

    Parameters
    ----------
    values : array, shape (n, ...)
    *parts : float
        From 0 to 100.

    Returns
    -------
    array, shape (number of parts, ...)
        NaN where nothing is known.

    Examples
    --------
    >>> known_percentiles(np.array([[3.0, np.nan], [1.0, np.nan], [np.nan, np.nan]]), 50)
    array([[ 2., nan]])
    """
    ordered = values.reshape(len(values), -1).T.copy()  # contiguous along the sorted axis
    ordered.sort(axis=1)  # NaN last
    known, columns = np.isfinite(ordered).sum(axis=1), np.arange(len(ordered))
    last = np.maximum(known - 1, 0)
    found = np.empty((len(parts), len(ordered)))
    for row, part in zip(found, parts, strict=True):
        rank = last * (part / 100)
        low = np.floor(rank).astype(int)
        below, above = ordered[columns, low], ordered[columns, np.minimum(low + 1, last)]
        share = rank - low
        row[:] = np.where(share < _HALF, _up(below, above, share), _down(below, above, share))
    found[:, known == 0] = np.nan
    return found.reshape(len(parts), *values.shape[1:])


def _between(below: _Value, above: _Value, share: float) -> _Value:
    """Return a value between two others, from the nearer one, as numpy does."""
    return (_up if share < _HALF else _down)(below, above, share)


def _up(below: _Value, above: _Value, share: _Value | float) -> _Value:
    return below + (above - below) * share


def _down(below: _Value, above: _Value, share: _Value | float) -> _Value:
    return above - (above - below) * (1 - share)
