"""The gait parameters and peaks of a reference set."""

from __future__ import annotations

from collections.abc import Iterable

from gaitdyn.metrics.norms.rows import CsvLine
from gaitdyn.metrics.parameter_definitions import PARAMETERS, UPPER_PARAMETERS
from gaitdyn.metrics.peak_definitions import DEFINITIONS, UPPER_DEFINITIONS
from gaitdyn.types.arguments import told
from gaitdyn.types.norms import NormNumber

NUMBERS: dict[str, str] = {
    row.name: row.unit for row in (*PARAMETERS, *UPPER_PARAMETERS, *DEFINITIONS, *UPPER_DEFINITIONS)
}
"""Internal name -> unit of every gait parameter and peak."""


def numbers_of(lines: Iterable[CsvLine]) -> dict[str, dict[str, NormNumber]]:
    """Return group -> quantity -> its mean and SD, from lines without a percent.

    Raises
    ------
    NormRefused
        With the line, the column, what was found and what was wanted.
    """
    groups: dict[str, dict[str, NormNumber]] = {}
    for line in lines:
        name, numbers = line.cells["curve"], groups.setdefault(line.cells["group"], {})
        if name not in NUMBERS:
            wanted = "a quantity of gait_parameters.csv or peaks.csv, or a percent of the cycle"
            raise line.wrong("curve", told(name), wanted)
        if name in numbers:
            raise line.wrong("curve", f"{name} twice in a group", "each quantity once")
        if line.cells["unit"] != NUMBERS[name]:
            raise line.wrong("unit", told(line.cells["unit"]), NUMBERS[name] or "nothing")
        mean, sd = line.number_in("mean"), line.number_in("sd")
        if sd < 0:
            raise line.wrong("sd", f"{sd:g}", "0 or more")
        numbers[name] = NormNumber(mean, sd, NUMBERS[name], line.count())
    return groups
