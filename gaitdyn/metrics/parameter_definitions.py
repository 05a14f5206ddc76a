"""Title, unit, definition and source of every gait parameter, in the order of the report.

The table is ``resources/metrics/parameters.csv``.
"""

from __future__ import annotations

from gaitdyn.io.shipped import shipped_cells
from gaitdyn.types.frozen import frozen


@frozen()
class GaitParameter:
    """One parameter as explained in the report.

    Attributes
    ----------
    name : str
        As in ``gait_parameters.csv``.
    title : str
    unit : str
        Empty for a number without one.
    text : str
        One sentence.
    source : str
    """

    name: str
    title: str
    unit: str
    text: str
    source: str


_ROWS = shipped_cells("metrics/parameters.csv")[1:]
PARAMETERS = tuple(GaitParameter(*row) for body, *row in _ROWS if body == "legs")
UPPER_PARAMETERS = tuple(GaitParameter(*row) for body, *row in _ROWS if body == "upper")
"""Of centre of mass and stability: after the others, and only if there are markers for them."""
