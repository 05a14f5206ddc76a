"""Figures of a simulated system: bodies, coordinates, energy, and what its tables hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.curve_panels import Curves, curves_sheet
from gaitdyn.plots.marks import INK, Stroke
from gaitdyn.plots.sticks import sticks_sheet

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.multibody.systems import Run, Table
    from gaitdyn.plots.marks import Sheet

_MOST, _MOST_PANELS = 8, 9
"""Curves of one panel, panels; a table of more is for reading, not for looking at."""
_PARTS = {
    "tau": Stroke(INK, 1.8, (), 3),
    "M": Stroke("#C26419", 1.3, (5.0, 2.0), 5),
    "C": Stroke("#AA4499", 1.3, (1.4, 1.4), 6),
    "G": Stroke("#0057B8", 1.3, (6.0, 2.0, 1.2, 2.0), 4),
    "E": Stroke("#117733", 1.1, (2.5, 1.5), 2),
}
_PART_WORDS = {"tau": "whole", "M": "M qdd", "C": "C", "G": "G", "E": "E"}


def simulation_sheets(name: str, run: Run) -> dict[str, Sheet]:
    """Return the figures of a run by the names of their files.

    Parameters
    ----------
    name : str
        Of the system.
    run : Run
    """
    sheets: dict[str, Sheet] = {"energy": _energy(name, run)}
    bodies = sticks_sheet(f"{name}: its bodies in time", run)
    if bodies is not None:
        sheets["sticks"] = bodies
    if all(column.unit != "1" for column in run.columns):  # quaternions say nothing to the eye
        sheets["coordinates"] = _coordinates(name, run)
    for table in run.tables:
        panels = _terms(table) if table.name == "terms" else _grouped(table)
        if panels:
            words = {"terms": "parts of the joint loads, tau = M qdd + C + G + E"}
            title = f"{name}: {words.get(table.name, table.name)}"
            sheets[table.name] = curves_sheet(title, _short(run), run.time_s, panels)
    return sheets


def draw_simulation(name: str, run: Run, folder: Path) -> list[Path]:
    """Write the figures of a run as PNG and return their paths.

    Parameters
    ----------
    name : str
    run : Run
    folder : Path
    """
    from gaitdyn.plots.png import write_png

    paths = []
    for kind, sheet in simulation_sheets(name, run).items():
        paths.append(folder / f"{kind}.png")
        write_png(sheet, paths[-1])
    return paths


def _short(run: Run) -> list[str]:
    """Return the first note: the one that says what kind of run this is."""
    return [run.notes[0]] if run.notes else []


def _energy(name: str, run: Run) -> Sheet:
    panels = [Curves("kinetic and potential energy", "J", (("energy", run.energy_j),))]
    off = run.imbalance_j()
    if np.isfinite(off).any():
        work = (("work of torques, friction and forces", run.work_j),) if _worked(run) else ()
        panels[0] = Curves(panels[0].title, "J", (*panels[0].curves, *work))
        panels.append(Curves("drift: energy less the work done", "J", (("drift", off),)))
    return curves_sheet(f"{name}: energy", _short(run), run.time_s, panels)


def _worked(run: Run) -> bool:
    known = np.abs(run.work_j[np.isfinite(run.work_j)])
    return bool(known.size and known.max() > 0)


def _coordinates(name: str, run: Run) -> Sheet:
    panels = []
    for values, columns in (
        (run.q, run.columns[: run.q.shape[1]]),
        (run.qd, run.columns[run.q.shape[1] :]),
    ):
        for unit in dict.fromkeys(column.unit for column in columns):
            curves = tuple(
                (column.name, values[:, i])
                for i, column in enumerate(columns)
                if column.unit == unit
            )
            title = "coordinates" if values is run.q else "their derivatives"
            panels.append(Curves(title, unit, curves))
    return curves_sheet(f"{name}: coordinates", _short(run), run.time_s, panels)


def _terms(table: Table) -> list[Curves]:
    """Return a panel for each joint: its load and the parts of it."""
    at = {column.name: i for i, column in enumerate(table.columns)}
    panels = []
    for i in range(1, len(at) + 1):
        parts = [part for part in _PARTS if f"{part}{i}" in at]
        if f"tau{i}" not in at:
            break
        first = table.columns[at[f"tau{i}"]]
        curves = tuple((_PART_WORDS[p], table.values[:, at[f"{p}{i}"]]) for p in parts)
        title = first.meaning.split(", ", 1)[-1]
        panels.append(Curves(title, first.unit, curves, tuple(_PARTS[p] for p in parts)))
    return panels


def _grouped(table: Table) -> list[Curves]:
    """Return a panel for the columns that differ after their last ``_`` alone."""
    groups: dict[tuple[str, str], list[int]] = {}
    for i, column in enumerate(table.columns):
        name = column.name.rpartition("_")[0] or column.name
        groups.setdefault((name, column.unit), []).append(i)
    if len(groups) > _MOST_PANELS or any(len(rows) > _MOST for rows in groups.values()):
        return []
    return [
        Curves(name, unit, tuple((table.columns[i].name, table.values[:, i]) for i in rows))
        for (name, unit), rows in groups.items()
    ]
