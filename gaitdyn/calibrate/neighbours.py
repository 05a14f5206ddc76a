"""A hidden marker of a cluster by all markers around it, as the rest of the trial shows.

Markers of a walking body move together: where a marker stands is nearly linear in where the others
stand (Gloersen and Federolf 2016, PLoS ONE 11:e0152616). What is not is interpolated across the gap
like any other path. How well that does is tried on the trial: with the same gaps of the marker a
little earlier or later, so that a phase of the stride that it never shows is not learned from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from gaitdyn.calibrate.hidden_path import beside_gap, filler
from gaitdyn.calibrate.steady import largest_stray
from gaitdyn.core.runs import known_points, runs, spread_rows
from gaitdyn.core.splines import SHORTEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gaitdyn.types.arrays import Array, Mask

_NOISE_M = 0.0002
"""Smaller differences between the paths of the neighbours tell nothing (ridge)."""

_LONGEST_S, _BESIDE_S = 0.3, 0.15
_TRIALS, _FEWEST, _MISSES = 40, 10, 0.05
"""So many places of the trial are tried at most and at least; this part may be further off."""

_SHOWN = 0.9
"""A neighbour shows this part of the frames that show the marker."""


def filled_by_neighbours(
    markers: Array, clusters: Iterable[tuple[Sequence[int], Array]], rate_hz: float
) -> Array:
    """Return markers with those of clusters filled in that all others tell.

    Parameters
    ----------
    markers : array, shape (n, m, 3)
        G, m, NaN where not seen.
    clusters : iterable of (sequence of int, array)
        The markers of each segment and their places in the reference position, m.
    rate_hz : float

    Returns
    -------
    array, shape (n, m, 3)
        ``markers`` itself where there is nothing to fill.
    """
    each, seen, filled = list(clusters), known_points(markers), markers
    every = sorted({k for own, _ in each for k in own})
    hidden = (
        (i, own, gap, largest_stray(shape, own.index(i)))
        for own, shape in each for i in own for gap in runs(~seen[:, i])
    )  # fmt: skip
    for i, own, gap, stray in hidden:
        start, stop = gap
        if start == 0 or stop == len(markers) or stop - start > _LONGEST_S * rate_hz:
            continue
        found = _told(markers, seen, (i, own, every), (gap, stray), rate_hz)
        if found is not None:
            filled = filled.copy() if filled is markers else filled
            filled[start:stop, i] = found
    return filled


def _told(
    markers: Array, seen: Mask, who: tuple[int, Sequence[int], Sequence[int]],
    where: tuple[tuple[int, int], float], rate_hz: float,
) -> Array | None:  # fmt: skip
    """Return a marker in a gap by the others, or None where the trial does not show that they can.

    ``who`` is the marker, those of its segment, from whose mean all places count, and all;
    ``where`` the gap and how far the marker may be off, m.
    """
    i, own, every = who
    gap, stray = where
    start, stop = gap
    before, after = beside_gap(markers[:, i], gap, round(_BESIDE_S * rate_hz))
    there = seen[start - before : stop + after].all(axis=0)
    there &= (seen & seen[:, i, None]).sum(axis=0) >= _SHOWN * seen[:, i].sum()
    near = [k for k in own if there[k]]
    if before + after < SHORTEST or not min(before, after) or not near:
        return None
    middle = markers[:, near].mean(axis=1)
    around = (markers[:, [k for k in every if there[k]]] - middle[:, None]).reshape(len(seen), -1)
    fit = _Fit(markers[:, i] - middle, around, filler(before, stop - start, after, rate_hz), before)
    if not fit.holds(start, seen[:, i], stray):
        return None
    return fit.across(start, fit.known) + middle[start:stop]


class _Fit:
    """A path that is linear in others, and a spline through what is left of it beside a gap."""

    def __init__(self, path: Array, around: Array, way: Array, before: int) -> None:
        self.known = np.isfinite(around).all(axis=1) & np.isfinite(path[:, 0])
        mean = around[self.known].mean(axis=0)
        self.path, self.way, self.before = path, way, before
        self.around = np.column_stack((around - mean, np.ones(len(path))))
        A = self.around[self.known]
        self.gram = A.T @ A + len(A) * _NOISE_M**2 * np.eye(A.shape[1])
        self.right = A.T @ path[self.known]

    def across(self, start: int, used: Mask) -> Array:
        """Return the path in a gap of the length of the way from a row on, by the rows used."""
        left = self.known & ~used
        A = self.around[left]
        by = np.linalg.solve(self.gram - A.T @ A, self.right - A.T @ self.path[left])
        length, beside = self.way.shape
        rows = np.arange(start - self.before, start + length + beside - self.before)
        gap = rows[self.before : self.before + length]
        rows = np.delete(rows, slice(self.before, self.before + length))
        return self.around[gap] @ by + self.way @ (self.path[rows] - self.around[rows] @ by)

    def holds(self, start: int, seen: Mask, stray: float) -> bool:
        """Return whether the path is found where it is known, with its gaps at another time."""
        length, beside = self.way.shape
        whole = sliding_window_view(self.known, length + beside).all(axis=1)
        places = np.flatnonzero(whole) + self.before
        some = places[spread_rows(len(places), _TRIALS)]
        if len(some) < _FEWEST:
            return False
        misses = 0
        for at in some.tolist():
            shown = np.roll(seen, at - start)
            shown[at : at + length] = False
            off = self.across(at, self.known & shown) - self.path[at : at + length]
            misses += bool(np.linalg.norm(off, axis=1).max() > stray)
            if misses > _MISSES * len(some):
                return False
        return True
