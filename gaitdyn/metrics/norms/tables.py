"""Reference sets as tables by signal and plane: published supplements in a tool-neutral form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from gaitdyn.catalogue.keys import key_of
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.io.shipped import shipped_rows
from gaitdyn.metrics.norms.curve_names import UNITS
from gaitdyn.metrics.norms.rows import CsvLine, NormRow, bands_of, csv_lines
from gaitdyn.types.arguments import told
from gaitdyn.types.norms import NormGroup

COLUMNS = ("group", "signal", "component", "cycle_pct", "mean", "sd", "unit", "positive")

CURVES = {
    (row["signal"], row["component"]): (row["curve"], row["positive"], row["negative"])
    for row in shipped_rows("metrics/norm_signals.csv")
    if row["format"] == "table"
}
"""(signal, component) -> curve name, the positive word that agrees with it, its opposite.

For a moment the word follows "internal". Internal rotation takes that side of the pelvis forward,
and the toes in. Sideways forces are not mapped: lateral and rightward differ.
"""

_FACTORS = {
    "deg": ("deg", 1.0),
    "N.m/kg": ("N m/kg", 1.0),
    "W/kg": ("W/kg", 1.0),
    "BW": ("N/kg", STANDARD_GRAVITY),
}
_NO_CURVES = ("emg_", "trunk_")
_SIGN_UNKNOWN = "see source"


def table_groups(
    file: str, text: str, heads: Mapping[str, tuple[float | None, int | None]]
) -> tuple[NormGroup, ...]:
    """Return the groups of a table by signal and plane.

    Left out are EMG and trunk, and signals whose column ``positive`` says ``see source``.

    Parameters
    ----------
    file : str
        Name for messages.
    text : str
    heads : mapping
        Plain name of a group -> v / sqrt(g L) and number of people, if they are known.

    Raises
    ------
    NormRefused
        With the line, the column, what was found and what was wanted.
    """
    rows = [row for line in csv_lines(file, text) if (row := _row(line)) is not None]
    known = {row.group: heads.get(plain_name(row.group), (None, None)) for row in rows}
    groups = bands_of(file, [replace(row, count=known[row.group][1]) for row in rows])
    return tuple(NormGroup(name, known[name][0], bands) for name, bands in groups.items())


def plain_name(group: str) -> str:
    """Return the name of a group as the files of a set share it.

    Examples
    --------
    >>> plain_name("Very Slow")
    'very_slow'
    """
    return group.lower().replace(" ", "_")


def _row(line: CsvLine) -> NormRow | None:
    cells = line.cells
    if cells["signal"].startswith(_NO_CURVES) or cells["positive"] == _SIGN_UNKNOWN:
        return None
    key = cells["signal"], cells["component"]
    if key not in CURVES:
        raise line.wrong("signal, component", ", ".join(key), "a pair listed in docs/norms.md")
    name, agrees, opposite = CURVES[key]
    sign = _sign(line, name, agrees, opposite)
    unit, factor = _FACTORS.get(cells["unit"], ("", 0.0))
    if unit != UNITS[name]:
        wanted = " or ".join(u for u, (ours, _) in _FACTORS.items() if ours == UNITS[name])
        raise line.wrong("unit", told(cells["unit"]), wanted)
    percent, mean, sd = (line.number_in(column) for column in ("cycle_pct", "mean", "sd"))
    return NormRow(line.number, cells["group"], name, percent, sign * factor * mean, factor * sd)


def _sign(line: CsvLine, name: str, agrees: str, opposite: str) -> float:
    """Return +1 or -1 from a text such as ``internal abductor(valgus) + [a remark]``."""
    text = line.cells["positive"]
    word = re.sub(r"\(.*?\)|\[.*?\]|\+", "", text).strip()
    before = "internal " if key_of(name).is_moment else ""
    if word not in {before + agrees, before + opposite}:
        raise line.wrong("positive", told(text), f"{before}{agrees} + or {before}{opposite} +")
    return 1.0 if word == before + agrees else -1.0
