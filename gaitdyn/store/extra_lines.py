"""Summarise which loads a sweep or a series of cut-offs changes most, as lines to print."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_UNITS = ("N m/kg", "W/kg")
_VISIBLE = 0.005
"""Smallest change that is visible with two decimals."""


def sweep_lines(folder: Path) -> list[str]:
    """Return for each setting of a sweep the moment and the power that it changes most.

    Parameters
    ----------
    folder : Path
        Results with ``sweep.csv``.
    """
    rows = _rows(folder / "sweep.csv")
    lines = []
    for key, setting in dict.fromkeys((row["key"], row["setting"]) for row in rows):
        ends = [
            (row, float(row["base"]), float(row["value"]))
            for row in rows
            if (row["key"], row["setting"]) == (key, setting) and row["difference"]
        ]
        lines += _line(f"--sweep {key}={setting}", ends)
    return lines


def sensitivity_lines(folder: Path) -> list[str]:
    """Return the moment and the power that differ most over the cut-offs, both filters together.

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
    for same_peak in by_name.values():
        values = [float(row["value"]) for row in same_peak]
        ends.append((same_peak[0], min(values), max(values)))
    hertz = [float(row["marker_cutoff_hz"]) for row in rows]
    return _line(f"--sensitivity, {min(hertz):g} to {max(hertz):g} Hz", ends)


def _line(head: str, ends: list[tuple[dict[str, str], float, float]]) -> list[str]:
    """Return the largest change in each unit; nothing if there are no loads."""
    if not any(row["unit"] in _UNITS for row, _, _ in ends):
        return []
    largest = []
    for unit in _UNITS:
        changes = [(abs(b - a), row, a, b) for row, a, b in ends if row["unit"] == unit]
        change, row, a, b = max(changes, key=lambda c: c[0], default=(0.0, {}, 0.0, 0.0))
        if change >= _VISIBLE:
            name = f"{row['side']} {row['quantity'].replace('_', ' ')}"
            largest.append(f"{name} {a:.2f} to {b:.2f} {unit}")
    if not largest:
        return [f"{head}: no peak of a moment or power by 0.01 N m/kg or W/kg"]
    return [f"{head}: most in {', in '.join(largest)}"]


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
