"""The loads once more, by the other way of solving the same equations."""

from __future__ import annotations

import numpy as np

from gaitdyn.dynamics.stacked import StackedSystem, solve_stacked
from gaitdyn.types.loads import JointLoads


def second_opinion(loads: JointLoads, system: StackedSystem | None = None) -> float:
    """Return the largest difference of the loads from one stacked solve a frame.

    Parameters
    ----------
    loads : JointLoads
        Found by substitution.
    system : StackedSystem, optional
        Of their chain, where it is there.

    Returns
    -------
    float
        Of forces, relative to the largest force, or of moments, relative to the largest moment,
        whichever is larger, where both are known; NaN without such a load.
    """
    worst = np.nan
    for found, other in zip(
        (loads.force_G, loads.moment_S), solve_stacked(loads.chain, system), strict=True
    ):
        known = np.isfinite(found) & np.isfinite(other)
        if known.any():
            scale = np.abs(other[known]).max() or 1.0
            worst = np.fmax(worst, np.abs(found[known] - other[known]).max() / scale)
    return float(worst)
