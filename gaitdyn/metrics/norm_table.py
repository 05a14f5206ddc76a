"""Reference sets as tables by signal and plane: published supplements in a tool-neutral form."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.catalogue.keys import key_of
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.metrics.curve_names import UNITS
from gaitdyn.metrics.norm_rows import NormRow, bands_of, csv_lines
from gaitdyn.types.norms import NormGroup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.metrics.norm_rows import Line

COLUMNS = ("group", "signal", "component", "cycle_pct", "mean", "sd", "unit", "positive")

CURVES: dict[tuple[str, str], tuple[str, str, str]] = {
    ("pelvis_angle", "sagittal"): ("pelvis_angle_tilt", "anterior tilt", "posterior tilt"),
    ("pelvis_angle", "coronal"): ("pelvis_angle_obliquity", "up", "down"),
    ("pelvis_angle", "transverse"): ("pelvis_angle_rotation", "internal", "external"),
    ("hip_angle", "sagittal"): ("hip_angle_flexion", "flexion", "extension"),
    ("hip_angle", "coronal"): ("hip_angle_adduction", "adduction", "abduction"),
    ("hip_angle", "transverse"): ("hip_angle_internal_rotation", "internal", "external"),
    ("knee_angle", "sagittal"): ("knee_angle_flexion", "flexion", "extension"),
    ("knee_angle", "coronal"): ("knee_angle_adduction", "adduction", "abduction"),
    ("knee_angle", "transverse"): ("knee_angle_internal_rotation", "internal", "external"),
    ("ankle_angle", "sagittal"): ("ankle_angle_dorsiflexion", "dorsiflexion", "plantarflexion"),
    ("ankle_angle", "coronal"): ("ankle_angle_inversion", "inversion", "eversion"),
    ("ankle_angle", "transverse"): ("ankle_angle_internal_rotation", "internal", "external"),
    ("foot_progression", "transverse"): ("foot_angle_progression", "internal", "external"),
    ("hip_moment", "sagittal"): ("hip_moment_extension", "extensor", "flexor"),
    ("hip_moment", "coronal"): ("hip_moment_abduction", "abductor", "adductor"),
    ("hip_moment", "transverse"): (
        "hip_moment_external_rotation", "external rotator", "internal rotator",
    ),
    ("knee_moment", "sagittal"): ("knee_moment_extension", "extensor", "flexor"),
    ("knee_moment", "coronal"): ("knee_moment_abduction", "abductor", "adductor"),
    ("knee_moment", "transverse"): (
        "knee_moment_external_rotation", "external rotator", "internal rotator",
    ),
    ("ankle_moment", "sagittal"): (
        "ankle_moment_plantarflexion", "plantarflexor", "dorsiflexor",
    ),
    ("ankle_moment", "coronal"): ("ankle_moment_eversion", "evertor", "invertor"),
    ("ankle_moment", "transverse"): (
        "ankle_moment_external_rotation", "external rotator", "internal rotator",
    ),
    ("hip_power", "scalar"): ("hip_power", "generation", "absorption"),
    ("knee_power", "scalar"): ("knee_power", "generation", "absorption"),
    ("ankle_power", "scalar"): ("ankle_power", "generation", "absorption"),
    ("grf", "ap"): ("grf_x", "anterior", "posterior"),
    ("grf", "vertical"): ("grf_y", "up", "down"),
}  # fmt: skip
"""(signal, component) -> our name, the positive word that agrees with it, its opposite.

A moment's word stands behind "internal"; an internal rotation of the pelvis takes that side
forward, of the foot the toes in. Sideways forces are not mapped: lateral and rightward differ.
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
        Group -> v / sqrt(g L) and number of people, where they are known.

    Raises
    ------
    NormRefused
        With the line, the column, what was found and what was wanted.
    """
    rows = [row for line in csv_lines(file, text) if (row := _row(line)) is not None]
    unknown = None, None
    rows = [replace(row, count=heads.get(row.group, unknown)[1]) for row in rows]
    found = bands_of(file, rows)
    return tuple(NormGroup(n, heads.get(n, unknown)[0], bands) for n, bands in found.items())


def _row(line: Line) -> NormRow | None:
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
        raise line.wrong("unit", repr(cells["unit"]), wanted)
    percent, mean, sd = (line.number_in(column) for column in ("cycle_pct", "mean", "sd"))
    return NormRow(line.number, cells["group"], name, percent, sign * factor * mean, factor * sd)


def _sign(line: Line, name: str, agrees: str, opposite: str) -> float:
    """Return +1 or -1 from a text such as ``internal abductor(valgus) + [a remark]``."""
    text = line.cells["positive"]
    word = re.sub(r"\(.*?\)|\[.*?\]|\+", "", text).strip()
    before = "internal " if key_of(name).is_moment else ""
    if word not in {before + agrees, before + opposite}:
        raise line.wrong("positive", repr(text), f"{before}{agrees} + or {before}{opposite} +")
    return 1.0 if word == before + agrees else -1.0
