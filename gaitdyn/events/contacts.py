"""Load runs of a plate: when somebody stood on it."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.runs import runs
from gaitdyn.types.arrays import Array

ON_N, OFF_N = 20.0, 10.0
"""A run starts above 20 N and ends below 10 N of upward force above the baseline."""

SHORTEST_S = 0.1
"""Shorter runs are knocks, not steps."""


def load_runs(up: Array, rate_hz: float) -> list[tuple[int, int]]:
    """Return the half-open intervals in which a plate is loaded.

    Parameters
    ----------
    up : array, shape (n,)
        Upward force above the baseline, N.
    rate_hz : float

    Returns
    -------
    list of (start, stop)
        Runs above 10 N that reach 20 N, trimmed to the frames above 20 N or 5 % of their peak,
        whichever is less strict, and lasting 0.1 s or more.
    """
    found = []
    for start, stop in runs(up > OFF_N):
        loaded = np.flatnonzero(up[start:stop] > ON_N)
        if loaded.size and (loaded[-1] - loaded[0] + 1) / rate_hz >= SHORTEST_S:
            found.append((start + int(loaded[0]), start + int(loaded[-1]) + 1))
    return found


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
        m; not finite where there is no force.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return centre_G + np.cross(normal_G, moment_G) / (force_G @ normal_G)[:, None]
