"""Runs: half-open intervals of frames in which a condition is true."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gaitdyn.types.arrays import Array, Mask, Places

_COMPONENTS = 3


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
    wide = np.zeros(len(mask) + 2, bool)
    wide[1:-1] = mask
    edges = (wide[1:] != wide[:-1]).nonzero()[0].tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def mask_of(intervals: Iterable[tuple[int, int]], n: int) -> Mask:
    """Return which of ``n`` frames lie in one of the half-open intervals, shape (n,).

    Examples
    --------
    >>> mask_of([(1, 3), (4, 5)], 6).astype(int)
    array([0, 1, 1, 0, 1, 0])
    """
    mask = np.zeros(n, bool)
    for start, stop in intervals:
        mask[start:stop] = True
    return mask


def widened(mask: Mask, reach: int) -> Mask:
    """Return a mask with each of its runs widened by some frames on both sides.

    Examples
    --------
    >>> widened(np.array([True, False, False, False, True, False, False]), 1).astype(int)
    array([1, 1, 0, 1, 1, 1, 0])
    """
    return mask_of(((max(0, start - reach), stop + reach) for start, stop in runs(mask)), len(mask))


def longest_inside(seen: Mask) -> int:
    """Return the length of the longest gap between visible rows; all rows if none is visible.

    Parameters
    ----------
    seen : array of bool, shape (n,)

    Examples
    --------
    >>> longest_inside(np.array([0, 1, 0, 0, 1, 0, 1, 0, 0, 0], bool))
    2
    """
    rows = np.flatnonzero(seen)
    if not rows.size:
        return len(seen)
    return max((stop - start for start, stop in runs(~seen[rows[0] : rows[-1]])), default=0)


def spread_rows(rows: int, most: int) -> Places:
    """Return up to ``most`` of ``rows`` rows, evenly spread and in order.

    Examples
    --------
    >>> spread_rows(101, 3), spread_rows(2, 3)
    (array([  0,  50, 100]), array([0, 1]))
    """
    return np.linspace(0, rows - 1, min(rows, most)).astype(int)


def blocks_of(rows: int, most: int) -> list[slice]:
    """Return rows, one block of at most so many after the other.

    Examples
    --------
    >>> [range(7)[block] for block in blocks_of(7, 3)]
    [range(0, 3), range(3, 6), range(6, 7)]
    """
    return [slice(first, first + most) for first in range(0, rows, most)]


def known_points(points: Array) -> Mask:
    """Return which points have all their components; the last axis of ``points`` is dropped."""
    return _finite(points, points.ndim - 1)


def ever_known(points: Array) -> Mask:
    """Return which points, shape (n, m, 3), are known in some frame, shape (m,).

    Most are known in the middle frame, so that the other frames are checked for only a few.

    Examples
    --------
    >>> points = np.full((3, 2, 3), np.nan)
    >>> points[2, 1] = 0.0
    >>> ever_known(points)
    array([False,  True])
    """
    middle = len(points) // 2
    seen = np.array(known_points(points[middle : middle + 1]).any(axis=0))
    rest = np.flatnonzero(~seen)
    seen[rest] = known_points(points[:, rest]).any(axis=0)
    return seen


def known_within(values: Array) -> Mask:
    """Return for each row and column (axes 0 and 1) whether all its values are known."""
    return _finite(values, 2)


def complete_rows(values: Array) -> Mask:
    """Return which rows (axis 0) have no missing value, shape (n,)."""
    return _finite(values, 1)


def box_diagonal(points: Array) -> float:
    """Return the diagonal of the box of the known points, shape (n, 3); 0 if none is known.

    Examples
    --------
    >>> path = np.array([[1.0, 2.0, 3.0], [np.nan, np.nan, np.nan], [1.0, 5.0, 7.0]])
    >>> box_diagonal(path), box_diagonal(path[1:2])
    (5.0, 0.0)
    """
    known = points[complete_rows(points)]
    return float(np.linalg.norm(np.ptp(known, axis=0))) if len(known) else 0.0


def _finite(values: Array, leading: int) -> Mask:
    """Return for the first ``leading`` axes whether all numbers along the others are finite.

    A sum is finite only if its terms are, and takes a fraction of the time of testing each. Three
    components are summed fastest as three arrays.
    """
    if values.ndim == leading + 1 and values.shape[-1] == _COMPONENTS:
        with np.errstate(invalid="ignore", over="ignore"):
            return np.isfinite(values[..., 0] + values[..., 1] + values[..., 2])
    axes = "abcdef"[: values.ndim]
    return np.isfinite(np.einsum(f"{axes}->{axes[:leading]}", values))


def known_mean(values: Array) -> Array:
    """Return the mean over the complete rows (axis 0); NaN without any."""
    rows = values[complete_rows(values)]
    return rows.mean(axis=0) if len(rows) else np.full(values.shape[1:], np.nan)
