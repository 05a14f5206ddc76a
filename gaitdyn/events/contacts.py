"""Load runs of a plate: the frames in which somebody stood on it."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import cross
from gaitdyn.core.runs import runs
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

ON_N, OFF_N = 20.0, 10.0
"""A run starts above 20 N and ends below 10 N of upward force above the baseline."""

SHORTEST_S = 0.1
"""Shorter runs are knocks, not steps."""


@frozen()
class Edges:
    """Thresholds of a load run: force at its start and end, N, and its shortest duration, s."""

    on_N: float = ON_N
    off_N: float = OFF_N
    shortest_s: float = SHORTEST_S


FLOOR = Edges()
"""The edges of a plate in the floor."""


def load_runs(up: Array, rate_hz: float, edges: Edges = FLOOR) -> list[tuple[int, int]]:
    """Return the half-open intervals in which a plate is loaded.

    Parameters
    ----------
    up : array, shape (n,)
        Upward force above the baseline, N.
    rate_hz : float
    edges : Edges
        Those of a plate in the floor by default.

    Returns
    -------
    list of (start, stop)
        Runs above 10 N that reach 20 N, trimmed to the frames above 20 N, and lasting 0.1 s or
        more; belts have other edges.
    """
    trimmed = []
    for start, stop in runs(up > edges.off_N):
        loaded = np.flatnonzero(up[start:stop] > edges.on_N)
        if loaded.size and (loaded[-1] - loaded[0] + 1) / rate_hz >= edges.shortest_s:
            trimmed.append((start + int(loaded[0]), start + int(loaded[-1]) + 1))
    return trimmed


def widen(up: Array, run: tuple[int, int], floor_n: float) -> tuple[int, int]:
    """Return a run widened outward while the force stays above ``floor_n``."""
    start, stop = run
    while start > 0 and up[start - 1] > floor_n:
        start -= 1
    while stop < len(up) and up[stop] > floor_n:
        stop += 1
    return start, stop


def centre_of_pressure(force_G: Array, moment_G: Array, centre_G: Array, normal_G: Array) -> Array:
    """Return where the force meets the plate's surface.

    The point c + r in the surface with ``M_c = r x F + T n``: ``r = n x M_c`` corrected for the
    horizontal force, ``r = n x (M - (M.n) n) / (F.n)``.

    Parameters
    ----------
    force_G, moment_G : arrays, shape (n, 3)
        Moment about the centre of the surface.
    centre_G, normal_G : arrays, shape (3,)
        Centre and upward normal of the surface.

    Returns
    -------
    array, shape (n, 3)
        m; not finite in frames without force.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return centre_G + cross(normal_G, moment_G) / (force_G @ normal_G)[:, None]
