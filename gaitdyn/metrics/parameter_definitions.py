"""What every gait parameter means: title, unit, definition and source, in the order of the report.

The table is ``resources/metrics/parameters.csv``.
"""

from __future__ import annotations

from gaitdyn.io.shipped import shipped_cells
from gaitdyn.types.frozen import frozen


@frozen()
class GaitParameter:
    """One parameter as the report explains it.

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
"""Of centre of mass and stability: behind the others, only where there are markers for them."""
