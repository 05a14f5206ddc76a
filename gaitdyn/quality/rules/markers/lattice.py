"""A rule on coordinates that were stored with too few digits.

A recording that was written with two decimals of a metre, or with integers of a coarse scale, has
its markers on a lattice: all coordinates are multiples of one step. Up to a few millimetres this
looks like any noise, and no rule on noise tells it from a recording that is merely a little worse.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Findings
from gaitdyn.types.result import Processed

SAME_M, FEWEST, ENOUGH = 2e-6, 200, 8000
"""Coordinates nearer than this are one (the rounding of single precision at 20 m); the least number
of coordinates by which a lattice is told, and by how many of evenly spaced frames."""

ON_LATTICE, OFF = 0.95, 0.05
"""Least share of coordinates that lie on multiples of the step, to so much of it. The step is the
fifth percentile of the distances between coordinates that occur more than once."""


def lattice_rules(result: Processed, rules: Rules) -> Findings:
    """Return a finding if the markers were stored in steps that change moments.

    Parameters
    ----------
    result : Processed
        Markers as recorded.
    rules : Rules
    """
    rule = rules["marker-coarse"]
    along = result.recording.markers_L[..., 2]
    step = step_m(along[:: max(1, along.size // ENOUGH)])
    if rule.beyond(step):
        message = (
            f"the coordinates are multiples of {1000.0 * step:.3g} mm (usual at most"
            f" {1000.0 * rule.bound:g} mm): they were stored with too few digits, and accelerations"
            " and moments follow the steps"
        )
        yield rule.found("markers", message, step)


def step_m(coordinates: Array) -> float:
    """Return the step of which all coordinates are multiples, m; 0 if there is none.

    Parameters
    ----------
    coordinates : array, any shape
        Of one axis, m; NaN where unknown.
    """
    known = np.sort(coordinates[np.isfinite(coordinates)])
    if known.size < FEWEST:
        return 0.0
    repeated = known[:-1][np.diff(known) <= SAME_M]
    apart = np.diff(repeated)
    apart = apart[apart > SAME_M]
    if not apart.size:
        return 0.0
    step = float(np.sort(apart)[apart.size // 20])
    steps = (known - repeated[0]) / step
    return step if float((np.abs(steps - np.rint(steps)) < OFF).mean()) >= ON_LATTICE else 0.0
