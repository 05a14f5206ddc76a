"""Mean and spread of the cycles of one side, and the cycle that stands for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.core.medians import median
from gaitdyn.types.arrays import Array
from gaitdyn.types.cycles import CycleCurves

if TYPE_CHECKING:
    from collections.abc import Sequence

ANGLES = (
    "pelvis_angle_tilt",
    "pelvis_angle_obliquity",
    "pelvis_angle_rotation",
    "hip_angle_flexion",
    "hip_angle_adduction",
    "hip_angle_internal_rotation",
    "knee_angle_flexion",
    "ankle_angle_dorsiflexion",
    "foot_angle_progression",
)
"""The nine curves of the gait profile (Baker et al. 2009, Gait Posture 30:265-269)."""

_TIE = 1e-9
"""Distances that differ by less, of themselves, are equal: rounding must not choose a cycle."""


@dataclass(frozen=True, slots=True, eq=False)
class Averages:
    """The cycles of one side taken together.

    Attributes
    ----------
    side : str
    names, units : tuple of str
        As of the cycles; loads per kg of body mass, angles in deg.
    mean, sd : arrays, shape (101, len(names))
        Over the cycles that know a curve from 0 to 100 %; ``sd`` with n - 1. NaN without such a
        cycle, ``sd`` also with only one.
    counts : tuple of int
        Cycles in the mean of each curve.
    kinematic_cycles, kinetic_cycles : int
        Cycles that know all their angles, and all their moments, from 0 to 100 %.
    representative : CycleCurves or None
        The cycle nearest to the median of the nine curves of :data:`ANGLES`.
    """

    side: str
    names: tuple[str, ...]
    units: tuple[str, ...]
    mean: Array
    sd: Array
    counts: tuple[int, ...]
    kinematic_cycles: int
    kinetic_cycles: int
    representative: CycleCurves | None


def average_cycles(cycles: Sequence[CycleCurves], side: str) -> Averages | None:
    """Return mean, spread and counts of the cycles of one side, None without a cycle.

    Parameters
    ----------
    cycles : sequence of CycleCurves
        Of both sides, of one trial or of several; a curve that a cycle lacks is not known in it.
    side : {"left", "right"}
    """
    own = [curves for curves in cycles if curves.cycle.side == side]
    if not own:
        return None
    units = {n: u for curves in own for n, u in zip(curves.names, curves.units, strict=True)}
    columns = [
        whole_cycles(np.stack([curves.curve(name) for curves in own if name in curves.names]))
        for name in units
    ]
    empty = np.full(len(own[0].values), np.nan)
    mean = [known.mean(axis=0) if len(known) else empty for known in columns]
    sd = [known.std(axis=0, ddof=1) if len(known) > 1 else empty for known in columns]
    return Averages(
        side, tuple(units), tuple(units.values()), np.stack(mean, axis=1), np.stack(sd, axis=1),
        tuple(len(known) for known in columns),
        sum(knows_all(curves, "angle") for curves in own),
        sum(knows_all(curves, "moment") for curves in own),
        representative_cycle(own),
    )  # fmt: skip


def whole_cycles(stack: Array) -> Array:
    """Return the rows of a stack of curves, shape (cycles, n), that are known throughout."""
    return stack[np.isfinite(stack).all(axis=1)]


def mean_curve(curves: Sequence[Array]) -> Array | None:
    """Return the mean of the cycles that know a curve from 0 to 100 %, or None of fewer than two.

    A cycle with a gap stays out, so that the mean is of the same cycles everywhere.

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


def representative_cycle(
    cycles: Sequence[CycleCurves], names: Sequence[str] = ANGLES
) -> CycleCurves | None:
    """Return the cycle that lies nearest to the median of all of one side.

    The median is taken at each point of each curve over the cycles that know all the curves. The
    distance of a cycle is the root of the sum over the curves of its mean squared deviation from
    the median, divided by that of all cycles, so that a curve of small range counts as much as one
    of large range. Of equal cycles the first is taken. The idea of the deepest curve as the median
    of curves is that of Sangeux and Polak (2015, Gait Posture 41:726-730).

    Parameters
    ----------
    cycles : sequence of CycleCurves
        Of one side.
    names : sequence of str
        Curves that decide.
    """
    there = [curves for curves in cycles if set(names) <= set(curves.names)]
    if not there:
        return None
    stack = np.stack([[curves.curve(name) for name in names] for curves in there])
    whole = np.flatnonzero(np.isfinite(stack).all(axis=(1, 2)))
    if not whole.size:
        return None
    known = stack[whole]
    squares = np.mean((known - median(known, axis=0)) ** 2, axis=2)
    spread = squares.mean(axis=0)
    varying = spread > 0
    distance = np.sqrt(np.sum(squares[:, varying] / spread[varying], axis=1))
    nearest = np.flatnonzero(distance <= distance.min() * (1 + _TIE) + _TIE)[0]
    return there[whole[nearest]]


def knows_all(curves: CycleCurves, kind: str) -> bool:
    """Return whether a cycle has curves of a quantity and knows all of them from 0 to 100 %."""
    keys = [key_of(name) for name in curves.names]
    at = [i for i, key in enumerate(keys) if key.quantity == kind and key.component]
    return bool(at) and bool(np.isfinite(curves.values[:, at]).all())
