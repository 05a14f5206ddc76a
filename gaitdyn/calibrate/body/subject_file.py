"""Measurements of a person from subject.toml."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from gaitdyn.errors import UsageError
from gaitdyn.io.toml_lines import line_of, read_toml_file, wanted_key
from gaitdyn.types.arguments import SHOWN, told
from gaitdyn.types.subject import LIMITS, ArmMeasures, LegMeasures, Subject

PLAIN_KEYS = {"id", "sex", "age_years", "mass_kg", "height_m"}
_LENGTHS = {
    "leg_length_mm", "knee_width_mm", "ankle_width_mm", "asis_trochanter_mm",
    "marker_diameter_mm", "device",
}  # fmt: skip
_ARM = {f.name.removesuffix("_m") + "_mm" for f in fields(ArmMeasures)}


def read_subject_file(path: str | Path) -> Subject:
    """Read the ``[subject]`` table of a TOML file.

    Raises
    ------
    UsageError
        If the file does not exist, is not TOML, or has an unknown key or an impossible value.
    """
    name = Path(path).name
    text, document = read_toml_file(path, "--subject")
    table = document.get("subject")
    if not isinstance(table, dict):
        raise UsageError(
            f"--subject {name}: found no table [subject]; begin with the line [subject], then"
            " mass_kg = 66.5 and so on"
        )
    legs = {side: table.pop(side) for side in ("left", "right") if side in table}
    file = (name, text.splitlines())
    values = _checked(table, file, (), PLAIN_KEYS | {"marker_diameter_mm", "inter_asis_mm"})
    sides = {side: _checked(leg, file, (side,), _LENGTHS | _ARM) for side, leg in legs.items()}
    arms = {
        side: ArmMeasures(**_in_metres({key: leg.pop(key) for key in _ARM if key in leg}))
        for side, leg in sides.items()
    }
    lengths = {k: v for k, v in values.items() if k.endswith("_mm")}
    return Subject(
        **{key: value for key, value in values.items() if key not in lengths},
        **_in_metres(lengths),
        left=LegMeasures(**_in_metres(sides.get("left", {}))),
        right=LegMeasures(**_in_metres(sides.get("right", {}))),
        arms=arms,
    )


def _in_metres(lengths: dict[str, Any]) -> dict[str, Any]:
    return {
        key.removesuffix("mm") + "m" if key.endswith("_mm") else key: (
            value / 1000 if key.endswith("_mm") else value
        )
        for key, value in lengths.items()
    }


def _checked(
    table: Any, file: tuple[str, list[str]], where: tuple[str, ...], known: set[str]
) -> dict[str, Any]:
    """Return the values of a table after checking keys, types and ranges.

    ``file`` is the name and the lines of the file, ``where`` the side of a leg.
    """
    name, lines = file
    if not isinstance(table, dict):
        line = line_of(lines, ("subject", *where))
        message = f"--subject {name}{line}: [subject.{where[0]}] is {told(table)}, wanted a table"
        raise UsageError(message)
    for key, value in table.items():
        tables = () if where else ("left", "right")
        wanted = _wanted(key, value) if key in known else wanted_key(key, (*sorted(known), *tables))
        if wanted and not where and key in (_LENGTHS | _ARM) - known:
            wanted = f"{key} in [subject.left] and in [subject.right]"
        if wanted:
            found = told(value) if key in known else "not known here"
            line = line_of(lines, ("subject", *where, key))
            path = ".".join((*where, key[:SHOWN]))
            raise UsageError(f"--subject {name}{line}: {path} is {found}, wanted {wanted}")
    return table


def _wanted(key: str, value: Any) -> str:
    """Return what is wanted instead of the value of a key; empty if the value is valid."""
    if key in ("id", "device"):
        return "" if isinstance(value, str) else "a text"
    if key == "sex":
        return "" if value in ("f", "m") else '"f" or "m"'
    low, high = LIMITS[key]
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return "" if number and low <= value <= high else f"a number from {low:g} to {high:g}"
