"""Numbers of trunk, centre of mass and stability in ``peaks.csv`` and ``gait_parameters.csv``.

They have rows only where the markers of the upper body are there.
"""

from __future__ import annotations

from gaitdyn.catalogue.keys import Key
from gaitdyn.metrics.definition import Definition
from gaitdyn.metrics.parameter_definitions import Parameter
from gaitdyn.metrics.windows import CYCLE, STANCE

_PERRY = "Perry and Burnfield 2010, Gait Analysis: Normal and Pathological Function"
_GARD = "Gard et al. 2004, Hum Mov Sci 22:597-610"
_HOF = "Hof et al. 2005, J Biomech 38:1-8"
_TILT = Key("", "trunk", "angle", "tilt").name
_SIDE = Key("", "trunk", "angle", "obliquity").name

UPPER_DEFINITIONS: tuple[Definition, ...] = (
    Definition(
        f"{_TILT}_mean", "Trunk lean forward, mean", "deg",
        "Mean forward lean of the thorax over the whole cycle.", _PERRY, _TILT, "mean", CYCLE,
    ),
    Definition(
        f"{_TILT}_max", "Trunk lean forward, largest", "deg",
        "Largest forward lean of the thorax of the cycle.", _PERRY, _TILT, "max", CYCLE,
    ),
    Definition(
        f"{_SIDE}_stance_min", "Trunk lean in stance, this side lowest", "deg",
        "Least obliquity of the thorax in stance; negative leans towards the standing leg.",
        _PERRY, _SIDE, "min", STANCE,
    ),
    *(
        Definition(
            f"{Key('', part, 'angle', word).name}_range",
            f"{part.capitalize()} {word}, range", "deg",
            "Largest less smallest angle over the whole cycle.",
            _PERRY, Key("", part, "angle", word).name, "range", CYCLE,
        )
        for part, words in (
            ("trunk", ("tilt", "obliquity", "rotation")),
            ("spine", ("flexion", "lateral", "rotation")),
            ("shoulder", ("flexion",)),
        )
        for word in words
    ),
)  # fmt: skip
"""Read off curves, behind those of the legs in ``peaks.csv``."""

UPPER_PARAMETERS: tuple[Parameter, ...] = (
    Parameter(
        "com_excursion_vertical", "Centre of mass, vertical excursion", "m",
        "Highest less lowest place of the body's centre of mass in the cycle.", _GARD,
    ),
    Parameter(
        "com_excursion_lateral", "Centre of mass, lateral excursion", "m",
        "Rightmost less leftmost place of the body's centre of mass in the cycle, square to the"
        " displacement of the pelvis over the stride.", _GARD,
    ),
    Parameter(
        "com_path_length", "Centre of mass, length of its path", "m",
        "Length of the path of the body's centre of mass in the cycle, in space.", _GARD,
    ),
    Parameter(
        "margin_of_stability_forward", "Margin of stability forward, at strike", "m",
        "How far the extrapolated centre of mass is behind the toe tip of this foot at its strike;"
        " negative is ahead of it.", _HOF,
    ),
    Parameter(
        "margin_of_stability_lateral", "Margin of stability sideways, at strike", "m",
        "How far the extrapolated centre of mass is inside of the outer border of this foot at its"
        " strike.", _HOF,
    ),
)  # fmt: skip
"""Behind the others in ``gait_parameters.csv``."""
