"""The stride of a side that is nearest to the median of all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.types.cycles import CycleCurves

FEWEST = 3
"""Fewest strides; of two, both are equally far from their median."""


def representative_cycle(cycles: Sequence[CycleCurves]) -> int | None:
    """Return the number of the cycle nearest to the median curves; None for fewer than three.

    Of each of the nine curves of the gait profile, a cycle has a distance from the functional
    median (the median of the cycles at each point): the mean of the absolute difference over 0 to
    100 % (Sangeux and Polak 2015, Gait Posture 41:726-730). It is divided by the mean of these
    distances over the cycles, so that a curve counts by how far the cycle is out among the others
    and not by how many degrees the joint moves. The distance of the cycle is the root mean square
    over the curves: one curve far out weighs more than several a little out.

    Parameters
    ----------
    cycles : sequence of CycleCurves
        Of one side.
    """
    if len(cycles) < FEWEST:
        return None
    from gaitdyn.cycles.averages import ANGLES

    names = [name for name in ANGLES if all(name in curves.names for curves in cycles)]
    stack = np.array([[curves.curve(name) for name in names] for curves in cycles])
    known = np.isfinite(stack).all(axis=(0, 2)) if names else np.zeros(0, bool)
    if not known.any():
        return None
    stack = stack[:, known]
    far = np.abs(stack - median(stack, axis=0)).mean(axis=2)
    typical = far.mean(axis=0)
    varies = typical > 0
    squares = ((far[:, varies] / typical[varies]) ** 2).sum(axis=1)
    return cycles[int(squares.argmin())].cycle.number
