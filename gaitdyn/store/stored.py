"""Results folders read back: the documents and tables of one trial."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gaitdyn.errors import ResultsRefused
from gaitdyn.store.folder import DOCUMENT
from gaitdyn.types.cycles import Cycle, CycleCurves

_TABLES = ("quality", "contacts", "events", "gait_parameters", "peaks")
_KEYS = ("side", "cycle", "percent")
_POINTS = 101


@dataclass(frozen=True, slots=True, eq=False)
class StoredTrial:
    """One results folder.

    Attributes
    ----------
    path : Path
    name : str
        Of the trial's file, without its ending.
    document, view : dict
        Contents of ``result.json`` and ``view.json``.
    cycles : tuple of CycleCurves
        Contents of ``cycles.csv``, in its order.
    tables : dict
        Name of a further table, such as ``quality``, -> its rows.
    """

    path: Path
    name: str
    document: dict[str, Any]
    view: dict[str, Any]
    cycles: tuple[CycleCurves, ...]
    tables: dict[str, list[dict[str, str]]]

    @property
    def condition(self) -> str:
        """Under which the subject walked; empty when nobody said."""
        return str(self.document["options"].get("condition") or "")


def read_trial(path: Path) -> StoredTrial:
    """Return one results folder.

    Raises
    ------
    ResultsRefused
        When a file is missing or cannot be read.
    """
    try:
        document = json.loads((path / DOCUMENT).read_text(encoding="utf-8"))
        view = json.loads((path / "view.json").read_text(encoding="utf-8"))
        tables = {name: _rows(path / f"{name}.csv") for name in _TABLES}
        cycles = _cycles(path / "cycles.csv", view)
        name = Path(next(x["name"] for x in document["inputs"] if x["role"] == "trial")).stem
    except (OSError, ValueError, KeyError, TypeError, StopIteration) as error:
        message = (
            f"{path}: found results that cannot be read ({type(error).__name__}: {error});"
            " process the trial again with this version of gaitdyn"
        )
        raise ResultsRefused(message) from error
    return StoredTrial(path, name, document, view, cycles, tables)


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _cycles(path: Path, view: dict[str, Any]) -> tuple[CycleCurves, ...]:
    """Return the cycles of ``cycles.csv``, with the times that ``view.json`` tells."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        names = tuple(next(rows)[len(_KEYS) :])
        values = np.array([[float(x or "nan") for x in row[3:]] for row in rows])
    units = tuple(unit_of(name) for name in names)
    found, figure = [], view["figure"]
    for i, told in enumerate(view["cycles"]):
        start, stop = (
            told[key] * figure["rate_hz"] + 1 - figure["first_frame"]
            for key in ("start_s", "stop_s")
        )
        cycle = Cycle(told["side"], told["cycle"], start, stop, told["foot_off_percent"])
        own = values[i * _POINTS : (i + 1) * _POINTS]
        if len(own) != _POINTS:
            message = f"{path.name} has fewer cycles than view.json"
            raise ValueError(message)
        found.append(CycleCurves(cycle, names, units, own))
    return tuple(found)


def unit_of(name: str) -> str:
    """Return the unit of a column of ``cycles.csv``.

    Examples
    --------
    >>> unit_of("knee_moment_extension"), unit_of("grf_y"), unit_of("hip_power")
    ('N m/kg', 'N/kg', 'W/kg')
    """
    words = {"angle": "deg", "moment": "N m/kg", "power": "W/kg", "force": "N/kg", "grf": "N/kg"}
    return next((unit for word, unit in words.items() if word in name.split("_")), "")
