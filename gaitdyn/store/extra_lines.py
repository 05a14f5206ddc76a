"""What a sweep and a series of cut-offs change most, a line each, as the command says it."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_UNITS = ("N m/kg", "W/kg")
_SEEN = 0.005
"""What two decimals show."""


def sweep_lines(folder: Path) -> list[str]:
    """Return of each setting of a sweep which moment and which power it changes most.

    Parameters
    ----------
    folder : Path
        Results with ``sweep.csv``.
    """
    rows = _rows(folder / "sweep.csv")
    lines = []
    for key, setting in dict.fromkeys((row["key"], row["setting"]) for row in rows):
        own = [row for row in rows if (row["key"], row["setting"]) == (key, setting)]
        ends = [(row, float(row["base"]), float(row["value"])) for row in own if row["difference"]]
        lines += _line(f"--sweep {key}={setting}", ends)
    return lines


def sensitivity_lines(folder: Path) -> list[str]:
    """Return which moment and which power differ most over the cut-offs, both filters together.

    Parameters
    ----------
    folder : Path
        Results with ``sensitivity.csv``.
    """
    rows = [r for r in _rows(folder / "sensitivity.csv") if r["mode"] == "matched" and r["value"]]
    if not rows:
        return []
    by_name: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in rows:
        by_name.setdefault((row["side"], row["quantity"]), []).append(row)
    ends = []
    for own in by_name.values():
        values = [float(row["value"]) for row in own]
        ends.append((own[0], min(values), max(values)))
    hertz = [float(row["marker_cutoff_hz"]) for row in rows]
    return _line(f"--sensitivity, {min(hertz):g} to {max(hertz):g} Hz", ends)


def _line(head: str, ends: list[tuple[dict[str, str], float, float]]) -> list[str]:
    """Return the largest change in each unit; nothing where no load is known."""
    if not any(row["unit"] in _UNITS for row, _, _ in ends):
        return []
    told = []
    for unit in _UNITS:
        own = [(abs(b - a), row, a, b) for row, a, b in ends if row["unit"] == unit]
        most, row, a, b = max(own, key=lambda one: one[0], default=(0.0, {}, 0.0, 0.0))
        if most >= _SEEN:
            name = f"{row['side']} {row['quantity'].replace('_', ' ')}"
            told.append(f"{name} {a:.2f} to {b:.2f} {unit}")
    most = f"most in {', in '.join(told)}"
    return [f"{head}: {most if told else 'no peak of a moment or power by 0.01 N m/kg or W/kg'}"]


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
