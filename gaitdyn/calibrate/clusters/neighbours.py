"""Hidden markers of a cluster, filled from all markers around them.

Markers on a walking body move together: the position of one is nearly a linear function of the
positions of the others (Gløersen and Federolf 2016, PLoS ONE 11:e0152616). The residual of that
function is interpolated across the gap like any other path. The accuracy is tested on the trial
itself with all gaps of the marker shifted in time, so that a phase of the stride that the marker
never shows is not used for the fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from gaitdyn.calibrate.clusters.hidden_path import beside_gap, filler
from gaitdyn.calibrate.clusters.steady import largest_stray
from gaitdyn.core.runs import known_points, runs, spread_rows
from gaitdyn.core.splines import SHORTEST
from gaitdyn.types.arrays import Array, Mask

_NOISE_M = 0.0002
"""Smaller differences between the paths of the neighbours carry no information (ridge)."""

_LONGEST_S, _BESIDE_S = 0.3, 0.15
_TRIALS, _FEWEST, _MISSES = 40, 10, 0.05
"""Largest and smallest number of times at which the gap is tested, and the share of them that may
miss by more."""

_SHOWN = 0.9
"""A neighbour is visible in this share of the frames that show the marker."""


def filled_by_neighbours(
    markers: Array, clusters: Iterable[tuple[Sequence[int], Array]], rate_hz: float
) -> Array:
    """Return markers with gaps of clusters filled in that all other markers determine.

    Parameters
    ----------
    markers : array, shape (n, m, 3)
        G, m, NaN where not visible.
    clusters : iterable of (sequence of int, array)
        The markers of each segment and their positions in the reference position, m.
    rate_hz : float

    Returns
    -------
    array, shape (n, m, 3)
        ``markers`` itself if there is nothing to fill.
    """
    segments, seen, filled = list(clusters), known_points(markers), markers
    tracked = sorted({k for cluster, _ in segments for k in cluster})
    hidden = [
        (i, cluster, shape, gaps)
        for cluster, shape in segments for i in cluster
        if (gaps := _short_gaps(~seen[:, i], _LONGEST_S * rate_hz))
    ]  # fmt: skip
    for i, cluster, shape, gaps in hidden:
        stray = largest_stray(shape, cluster.index(i))
        for start, stop in gaps:
            path = _path_in_gap(
                markers, seen, (i, cluster, tracked), ((start, stop), stray), rate_hz
            )
            if path is not None:
                filled = filled.copy() if filled is markers else filled
                filled[start:stop, i] = path
    return filled


def _short_gaps(hidden: Mask, longest: float) -> list[tuple[int, int]]:
    """Return the gaps between known frames that have at most ``longest`` frames."""
    gaps = runs(hidden)
    return [
        (start, stop)
        for start, stop in gaps
        if start > 0 and stop < len(hidden) and stop - start <= longest
    ]


def _path_in_gap(
    markers: Array, seen: Mask, sources: tuple[int, Sequence[int], Sequence[int]],
    target: tuple[tuple[int, int], float], rate_hz: float,
) -> Array | None:  # fmt: skip
    """Return a marker in a gap from the others, or None if the trial does not show that this works.

    ``sources`` is the marker, the cluster to whose mean all positions are relative, and all
    markers; ``target`` is the gap and the largest error allowed, m.
    """
    i, cluster, tracked = sources
    gap, stray = target
    start, stop = gap
    before, after = beside_gap(markers[:, i], gap, round(_BESIDE_S * rate_hz))
    usable = seen[start - before : stop + after].all(axis=0)
    usable &= (seen & seen[:, i, None]).sum(axis=0) >= _SHOWN * seen[:, i].sum()
    base = [k for k in cluster if usable[k]]
    if before + after < SHORTEST or not min(before, after) or not base:
        return None
    middle = markers[:, base].mean(axis=1)
    around = markers[:, [k for k in tracked if usable[k]]] - middle[:, None]
    weights = filler(before, stop - start, after, rate_hz)
    fit = _Fit(markers[:, i] - middle, around.reshape(len(seen), -1), weights, before)
    if not fit.succeeds(start, seen[:, i], stray):
        return None
    return fit.across(start, fit.known) + middle[start:stop]


class _Fit:
    """A path as a linear function of others, with a spline through its residual beside a gap."""

    def __init__(self, path: Array, around: Array, weights: Array, before: int) -> None:
        self.known = np.isfinite(around).all(axis=1) & np.isfinite(path[:, 0])
        mean = around[self.known].mean(axis=0)
        self.path, self.weights, self.before = path, weights, before
        self.around = np.column_stack((around - mean, np.ones(len(path))))
        A = self.around[self.known]
        self.gram = A.T @ A + len(A) * _NOISE_M**2 * np.eye(A.shape[1])
        self.right = A.T @ path[self.known]

    def across(self, start: int, used: Mask) -> Array:
        """Return the path in a gap of the given length from row ``start``, fitted to some rows."""
        left_out = self.known & ~used
        A = self.around[left_out]
        factors = np.linalg.solve(self.gram - A.T @ A, self.right - A.T @ self.path[left_out])
        length, beside = self.weights.shape
        rows = np.arange(start - self.before, start + length + beside - self.before)
        gap = rows[self.before : self.before + length]
        rows = np.delete(rows, slice(self.before, self.before + length))
        residual = self.path[rows] - self.around[rows] @ factors
        return self.around[gap] @ factors + self.weights @ residual

    def succeeds(self, start: int, seen: Mask, stray: float) -> bool:
        """Return whether the known path is reproduced when its gaps are shifted in time."""
        length, beside = self.weights.shape
        whole = sliding_window_view(self.known, length + beside).all(axis=1)
        starts = np.flatnonzero(whole) + self.before
        tried = starts[spread_rows(len(starts), _TRIALS)]
        if len(tried) < _FEWEST:
            return False
        misses = 0
        for row in tried.tolist():
            shown = np.roll(seen, row - start)
            shown[row : row + length] = False
            try:
                off = self.across(row, self.known & shown) - self.path[row : row + length]
            except np.linalg.LinAlgError:  # markers so far away that they drown what is known
                return False
            misses += bool(np.linalg.norm(off, axis=1).max() > stray)
            if misses > _MISSES * len(tried):
                return False
        return True
