"""Results folders read back: the documents and tables of one trial."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.errors import ResultsRefused
from gaitdyn.store.folder import DOCUMENT
from gaitdyn.types.cycles import Cycle, CycleCurves

if TYPE_CHECKING:
    from collections.abc import Sequence

_PARTS = ("gaitdyn", "inputs", "options", "subject", "model", "file", "verdict", "status")
_VIEW_PARTS = ("cycles", "moments", "figure")
_VALUES = "side", "cycle", "quantity", "value", "percent"
_TABLES = {
    "quality": ("level", "code", "scope", "message"),
    "contacts": ("plate", "side", "first_frame", "last_frame", "peak_n", "verdict", "reason"),
    "events": ("side", "event", "time_s", "source"),
    "gait_parameters": _VALUES,
    "peaks": _VALUES,
}
_NUMBERS = ("value", "percent")
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

    Parameters
    ----------
    path : Path

    Returns
    -------
    StoredTrial

    Raises
    ------
    ResultsRefused
        When a file is missing or cannot be read.
    """
    if not (path / DOCUMENT).is_file():
        found = "no results in it" if path.is_dir() else "no such folder"
        message = f"{path}: found {found}; wanted a folder that `gaitdyn process` wrote"
        raise ResultsRefused(message)
    try:
        document = _parts(path / DOCUMENT, _PARTS)
        view = _parts(path / "view.json", _VIEW_PARTS)
        tables = {name: _rows(path / f"{name}.csv", wanted) for name, wanted in _TABLES.items()}
        cycles = _cycles(path / "cycles.csv", view)
        name = Path(next(x["name"] for x in document["inputs"] if x["role"] == "trial")).stem
    except (OSError, LookupError, TypeError, ValueError, StopIteration, csv.Error) as error:
        message = (
            f"{path}: found results that cannot be read ({type(error).__name__}: {error});"
            " process the trial again with this version of gaitdyn"
        )
        raise ResultsRefused(message) from error
    return StoredTrial(path, name, document, view, cycles, tables)


def _parts(path: Path, wanted: Sequence[str]) -> dict[str, Any]:
    document = json.loads(path.read_text(encoding="utf-8"))
    lacking = [key for key in wanted if key not in document]
    if lacking:
        message = f"{path.name} lacks {', '.join(lacking)}"
        raise ValueError(message)
    return document


def _rows(path: Path, wanted: Sequence[str]) -> list[dict[str, str]]:
    """Return the rows of a table that has the columns wanted, its numbers checked."""
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    lacking = [name for name in wanted if name not in (reader.fieldnames or ())]
    if lacking:
        message = f"{path.name} lacks the columns {', '.join(lacking)}"
        raise ValueError(message)
    for row in rows:
        for name in _NUMBERS:
            float(row.get(name) or "nan")
    return rows


def _cycles(path: Path, view: dict[str, Any]) -> tuple[CycleCurves, ...]:
    """Return the cycles of ``cycles.csv``, with the times that ``view.json`` tells."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        names = tuple(next(rows)[len(_KEYS) :])
        lines = list(rows)
    keys = [(told["side"], str(told["cycle"])) for told in view["cycles"] for _ in range(_POINTS)]
    if [(row[0], row[1]) for row in lines] != keys:
        message = f"{path.name} has other cycles than view.json"
        raise ValueError(message)
    values = np.array([[float(x or "nan") for x in row[3:]] for row in lines])
    units = tuple(unit_of(name) for name in names)
    found, figure = [], view["figure"]
    for i, told in enumerate(view["cycles"]):
        start, stop = (
            told[key] * figure["rate_hz"] + 1 - figure["first_frame"]
            for key in ("start_s", "stop_s")
        )
        turn = told.get("heading_change_deg")
        turn = math.nan if turn is None else float(turn)
        cycle = Cycle(told["side"], told["cycle"], start, stop, told["foot_off_percent"], turn)
        own = values[i * _POINTS : (i + 1) * _POINTS]
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
