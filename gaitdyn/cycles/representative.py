"""The stride of a side that is nearest to the median of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.cycles import CycleCurves

FEWEST = 3
"""Fewest strides; of two, both are equally far from their median."""


def representative_cycle(cycles: Sequence[CycleCurves]) -> int | None:
    """Return the number of the cycle nearest to the median curves; None for fewer than three.

    The distance is the root mean square, over the nine curves of the gait profile and 0 to 100 %,
    of the difference from the median of the cycles at each point. That the stride nearest to the
    functional median stands for all is the proposal of Sangeux and Polak 2015 (Gait Posture
    41:726-730).

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
    squares = ((stack - median(stack, axis=0)) ** 2).mean(axis=(1, 2))
    return cycles[int(squares.argmin())].cycle.number
