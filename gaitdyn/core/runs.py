"""Runs: half-open intervals of frames in which something holds."""

from __future__ import annotations

import numpy as np

from gaitdyn.types.arrays import Mask


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
