"""Runs: half-open intervals of frames in which something holds."""

from __future__ import annotations

import math

import numpy as np

from gaitdyn.types.arrays import Array, Mask


def runs(mask: Mask) -> list[tuple[int, int]]:
    """Return the half-open intervals in which ``mask`` is true.

    Parameters
    ----------
    mask : array of bool, shape (n,)

    Returns
    -------
    list of (start, stop)

    Examples
    --------
    >>> runs(np.array([False, True, True, False, True]))
    [(1, 3), (4, 5)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([0], mask.astype(np.int8), [0]))))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def known_points(points: Array) -> Mask:
    """Return where points have all their components, the shape of ``points`` without its last."""
    return _finite(points, points.ndim - 1)


def complete_rows(values: Array) -> Mask:
    """Return the rows (axis 0) without any missing value, shape (n,)."""
    return _finite(values, 1)


def _finite(values: Array, kept: int) -> Mask:
    """Return where all numbers behind the first ``kept`` axes are finite.

    A sum is finite only when its terms are; it takes a fraction of the time of asking each.
    """
    behind = int(np.prod(values.shape[kept:]))
    flat = values.reshape(*values.shape[:kept], behind)
    with np.errstate(invalid="ignore", over="ignore"):
        total = flat[..., 0].copy() if flat.shape[-1] else np.zeros(flat.shape[:-1])
        for i in range(1, flat.shape[-1]):
            total += flat[..., i]
    return np.isfinite(total)


def known_mean(values: Array) -> Array:
    """Return the mean over the rows (axis 0) without a missing value; NaN when there is none."""
    rows = values[complete_rows(values)]
    return rows.mean(axis=0) if len(rows) else np.full(values.shape[1:], np.nan)


def known_median(values: Array) -> float:
    """Return the median of the values that are finite, whatever their shape; NaN without any."""
    known = values[np.isfinite(values)]
    return float(np.median(known)) if known.size else math.nan
