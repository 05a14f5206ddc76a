"""Mean and spread of curves over the cycles of one side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from gaitdyn.types.arrays import Array

ANGLES = (
    "pelvis_angle_tilt", "pelvis_angle_obliquity", "pelvis_angle_rotation", "hip_angle_flexion",
    "hip_angle_adduction", "hip_angle_internal_rotation", "knee_angle_flexion",
    "ankle_angle_dorsiflexion", "foot_angle_progression",
)  # fmt: skip
"""The nine curves of the gait profile (Baker et al. 2009, Gait Posture 30:265-269)."""


def whole_cycles(stack: Array) -> Array:
    """Return the rows of a stack of curves, shape (cycles, n), that have no gap."""
    return stack[np.isfinite(stack).all(axis=1)]


@lru_cache(maxsize=64)
def mean_time(times: tuple[float, ...]) -> float:
    """Return the mean of the times of an event.

    It is cached, because all curves of the same cycles share it.
    """
    return float(np.mean(times))


def mean_curve(curves: Sequence[Array]) -> Array | None:
    """Return the mean of the cycles in which a curve has no gap; None for fewer than two.

    A cycle with a gap is left out, so that the mean is over the same cycles at every point.

    Parameters
    ----------
    curves : sequence of array, shape (101,)
        A curve of each cycle at 0, 1, ... 100 %, in one unit.

    Returns
    -------
    array, shape (101,), or None
        In the unit of the curves.

    Examples
    --------
    >>> mean_curve([np.array([1.0, 2.0]), np.array([3.0, 2.0]), np.array([np.nan, 9.0])])
    array([2., 2.])
    """
    whole = whole_cycles(np.stack(curves)) if curves else np.empty((0, 1))
    return whole.mean(axis=0) if len(whole) > 1 else None


def spread_curve(curves: Sequence[Array]) -> Array | None:
    """Return the standard deviation (n - 1) of the cycles of :func:`mean_curve`, or None.

    Parameters
    ----------
    curves : sequence of array, shape (101,)
        A curve of each cycle at 0, 1, ... 100 %, in one unit.

    Returns
    -------
    array, shape (101,), or None
        In the unit of the curves.
    """
    whole = whole_cycles(np.stack(curves)) if curves else np.empty((0, 1))
    return whole.std(axis=0, ddof=1) if len(whole) > 1 else None
