"""Smoothing of markers and wrenches and filling of short gaps, in one step.

A gap that is slightly too long to be filled is bridged: the filter runs through it, so that the
samples on either side are smoothed with both sides, but the samples in the gap stay empty.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.core import splines
from gaitdyn.core.runs import known_points, runs
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen


@frozen()
class Filter:
    """How samples at the marker rate are smoothed.

    Attributes
    ----------
    rate_hz : float
    cutoff_hz : float or None
        Frequency at which the gain is 0.707; ``None`` leaves the samples as they are.
    kind : {"spline", "butterworth"}
    longest_gap_s : float
        Gaps up to this length are filled, longer ones stay empty.
    bridged_s : float
        Gaps up to this length are bridged.
    """

    rate_hz: float
    cutoff_hz: float | None = 10.0
    kind: str = "spline"
    longest_gap_s: float = 0.1
    bridged_s: float = 0.0

    @property
    def q(self) -> float:
        """Smoothing parameter of the quintic spline, samples^5."""
        if self.cutoff_hz is None:
            return 0.0
        return splines.smoothing_parameter(self.cutoff_hz, self.rate_hz)

    @property
    def spread(self) -> int:
        """Frames on either side over which a sudden change is spread."""
        return int(np.ceil(5.0 * self.q ** (1.0 / 6.0)))

    @property
    def reach(self) -> int:
        """Frames at either end of a run for which derivatives are not published."""
        interpolation = 5
        return interpolation + self.spread

    @property
    def reach_beside_bridged(self) -> int:
        """Same as ``reach``, next to a bridged gap: the filter does not end there."""
        return (self.reach + 1) // 2


def smooth(y: Array, how: Filter) -> tuple[Array, Mask]:
    """Return smoothed samples with short gaps filled.

    Parameters
    ----------
    y : array, shape (n, m, c)
        m points of c components; a point with a component that is not finite is a gap.
    how : Filter

    Returns
    -------
    value : array, shape (n, m, c)
        NaN in gaps that are too long to be filled, before the first and after the last sample,
        and in runs of fewer than 7 samples.
    filled : array of bool, shape (n, m)
    """
    n, m, c = y.shape
    known = known_points(y)
    value, filled = np.full(y.shape, np.nan), np.zeros((n, m), bool)
    whole = known.all(axis=0)
    if whole.any() and n >= splines.SHORTEST:
        value[:, whole] = _filter(y[:, whole].reshape(n, -1), how).reshape(n, -1, c)
    longest, bridged = (
        int(length * how.rate_hz + 1e-9) for length in (how.longest_gap_s, how.bridged_s)
    )
    for j in np.flatnonzero(~whole):
        pieces = [
            (start, stop)
            for start, stop in blocks(known[:, j], longest)
            if known[start:stop, j].sum() >= splines.SHORTEST
        ]
        for group in _groups(pieces, max(longest, bridged)):
            first, last = group[0][0], group[-1][1]
            seen = np.zeros(last - first, bool)
            for start, stop in group:
                seen[start - first : stop - first] = known[start:stop, j]
            block = _filter(splines.fill(y[first:last, j], seen, how.q), how)
            for start, stop in group:
                value[start:stop, j] = block[start - first : stop - first]
                filled[start:stop, j] = ~known[start:stop, j]
    return value, filled


def _groups(pieces: list[tuple[int, int]], gap: int) -> list[list[tuple[int, int]]]:
    """Return runs in groups whose members are at most ``gap`` samples apart."""
    groups: list[list[tuple[int, int]]] = []
    for run in pieces:
        if groups and run[0] - groups[-1][-1][1] <= gap:
            groups[-1].append(run)
        else:
            groups.append([run])
    return groups


def blocks(known: Mask, longest_gap: int) -> list[tuple[int, int]]:
    """Return runs of known samples, joined across gaps of at most ``longest_gap`` samples."""
    found: list[tuple[int, int]] = []
    for start, stop in runs(known):
        if found and start - found[-1][1] <= longest_gap:
            found[-1] = (found[-1][0], stop)
        else:
            found.append((start, stop))
    return found


def _filter(y: Array, how: Filter) -> Array:
    """Return complete samples, filtered, shape (n, c)."""
    if how.cutoff_hz is None:
        return y
    if how.kind == "butterworth":
        from gaitdyn.clean.butterworth import zero_lag_butterworth

        return zero_lag_butterworth(y, how.cutoff_hz, how.rate_hz)
    return splines.smoothed(y, how.q)
