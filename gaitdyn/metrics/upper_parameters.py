"""Centre of mass and margin of stability of a cycle."""

from __future__ import annotations

import math

import numpy as np

from gaitdyn.core.runs import complete_rows
from gaitdyn.cycles.heading import curve_direction
from gaitdyn.cycles.normalise import MARGIN, values_at
from gaitdyn.kinematics.angles import progression_frame
from gaitdyn.metrics.parameter_definitions import UPPER_PARAMETERS
from gaitdyn.types.cycles import Cycle
from gaitdyn.types.result import Processed
from gaitdyn.types.upper import UpperBody
from gaitdyn.upper.stability import margins


def upper_parameters(result: Processed, upper: UpperBody, cycle: Cycle) -> dict[str, float]:
    """Return path and excursion of the centre of mass and the margin at the strike, m.

    On a belt the path is that against the ground below this foot, as are the lengths of the stride.

    Returns
    -------
    dict
        Empty if no centre of mass is known. Path and excursion are NaN if it is missing in a frame
        of the cycle, the margin if it is missing beside the strike.
    """
    if upper.com_G is None:
        return {}
    walking_G = curve_direction(result, cycle)
    parameters = dict.fromkeys((parameter.name for parameter in UPPER_PARAMETERS), math.nan)
    rows = np.arange(math.ceil(cycle.start_row), math.floor(cycle.stop_row) + 1)
    com_G = upper.com_G - result.ground_travel(cycle.side)
    path = values_at(com_G, np.array([cycle.start_row, *rows, cycle.stop_row]))
    if complete_rows(path).all():
        across = path @ progression_frame(walking_G)[:, 2]
        parameters["com_excursion_vertical"] = float(np.ptp(path[:, 1]))
        parameters["com_excursion_lateral"] = float(np.ptp(across))
        steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
        parameters["com_path_length"] = float(steps.sum())
    edge = upper.edges.get(cycle.side)
    if edge is not None:
        start = max(int(cycle.start_row) - MARGIN, 0)
        rows = slice(start, int(cycle.start_row) + MARGIN + 1)
        near = margins(edge.at(rows), cycle.side, walking_G)
        both = values_at(near, np.array([cycle.start_row - start]))[0]
        parameters["margin_of_stability_forward"] = float(both[0])
        parameters["margin_of_stability_lateral"] = float(both[1])
    return parameters
