"""Read the optional tables of a results folder: bands, terms, cut-offs and sweeps."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gaitdyn.catalogue.keys import key_of, sideless
from gaitdyn.cycles.normalise import POINTS, resample
from gaitdyn.errors import ResultsRefused
from gaitdyn.store.whole import FILES, damage
from gaitdyn.types.arrays import Array
from gaitdyn.types.cycles import CycleCurves
from gaitdyn.types.loads import CAUSE_WORDS, SOURCE_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gaitdyn.store.stored import StoredTrial

T = TypeVar("T")
PARTS = (*CAUSE_WORDS, *SOURCE_WORDS)
_PEAKS = {
    "sensitivity.csv": ("mode", "marker_cutoff_hz", "force_cutoff_hz"),
    "sweep.csv": ("key", "setting", "base"),
}
_COMMON = "side", "quantity", "value", "unit"


LEFT_OUT = "sweep.json"
"""File of the settings of a sweep that could not be computed; only written if there are any."""


@dataclass(frozen=True, slots=True, eq=False)
class Bands:
    """Contents of ``uncertainty.csv`` and ``uncertainty.json``.

    Attributes
    ----------
    names : tuple of str
        Of the curves, without the side.
    half : dict
        (side, cycle) -> half-widths of the 95 % band, shape (101, len(names)), N m/kg and W/kg.
    document : dict
    """

    names: tuple[str, ...]
    half: dict[tuple[str, int], Array]
    document: dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Cutoffs:
    """Rows of ``sensitivity.csv`` and the contents of ``sensitivity.json``."""

    rows: list[dict[str, str]]
    document: dict[str, Any]


def read_bands(trial: StoredTrial) -> Bands | None:
    """Return the bands of a trial, None if the folder has none."""

    def read(path: Path) -> Bands:
        heads, lines = _lines(path)
        blocks: dict[tuple[str, int], list[list[float]]] = {}
        for row in lines:
            block = blocks.setdefault((row[0], int(float(row[1]))), [])
            block.append([float(x or "nan") for x in row[3:]])
        if heads[:3] != ["side", "cycle", "percent"]:
            raise ValueError(f"{path.name} lacks side, cycle, percent")
        half = {key: np.array(block) for key, block in blocks.items()}
        if any(block.shape != (POINTS, len(heads) - 3) for block in half.values()):
            raise ValueError(f"{path.name} has a cycle without {POINTS} rows")
        document = _json(path.with_suffix(".json"), ("inputs", "sources", "share_of_variance"))
        return Bands(tuple(heads[3:]), half, document)

    return _read(trial, "uncertainty.csv", read)


def read_terms(trial: StoredTrial) -> dict[tuple[str, int], CycleCurves] | None:
    """Return the parts of the moments of every cycle, N m/kg; None if the folder has none.

    Parameters
    ----------
    trial : StoredTrial

    Returns
    -------
    dict or None
        (side, cycle) -> the columns of ``terms.csv`` of that side over 0 to 100 % of the cycle,
        without the side in their names.
    """

    def read(path: Path) -> dict[tuple[str, int], CycleCurves]:
        heads, lines = _lines(path)
        values = np.array([[float(x or "nan") for x in row] for row in lines])
        mass = float(trial.document["subject"]["mass_kg"])
        terms = {}
        for curves in trial.cycles:
            cycle = curves.cycle
            columns = [i for i, name in enumerate(heads) if key_of(name).side == cycle.side]
            names = tuple(sideless(heads[i]) for i in columns)
            rows = round(cycle.start_row, 3), round(cycle.stop_row, 3)  # as Result.row rounds them
            parts = resample(values[:, columns], *rows) / mass
            units = ("N m/kg",) * len(names)
            terms[cycle.side, cycle.number] = CycleCurves(cycle, names, units, parts)
        return terms

    return _read(trial, "terms.csv", read)


def read_cutoffs(trial: StoredTrial) -> Cutoffs | None:
    """Return the peaks by cut-off, None if the folder has none."""

    def read(path: Path) -> Cutoffs:
        document = _json(path.with_suffix(".json"), ("chosen_hz", "slope_per_hz", "advice_hz"))
        return Cutoffs(_rows(path), document)

    return _read(trial, "sensitivity.csv", read)


def read_sweep(trial: StoredTrial) -> list[dict[str, str]] | None:
    """Return the rows of ``sweep.csv``, None if the folder has none."""
    return _read(trial, "sweep.csv", _rows)


def read_left_out(trial: StoredTrial) -> dict[str, str]:
    """Return the settings that a sweep left out with their reasons, from ``sweep.json``."""
    return _read(trial, LEFT_OUT, _left_out) or {}


def left_out_lines(folder: Path) -> list[str]:
    """Return a line to print for each setting that a sweep left out, with the reason."""
    path = folder / LEFT_OUT
    settings = _left_out(path) if path.is_file() else {}
    return [f"--sweep {name} is left out: {why}" for name, why in settings.items()]


def _left_out(path: Path) -> dict[str, str]:
    return dict(_json(path, ("left_out",))["left_out"])


def _read(trial: StoredTrial, name: str, read: Callable[[Path], T]) -> T | None:
    """Return the contents of a file of a results folder, None if it does not exist.

    Raises
    ------
    ResultsRefused
        When the file cannot be read.
    """
    path = trial.path / name
    if not path.is_file():
        return None
    try:
        _check(trial, path)
        return read(path)
    except (OSError, LookupError, TypeError, ValueError, csv.Error, RecursionError) as error:
        raise ResultsRefused(
            f"{path}: found a table that cannot be read ({type(error).__name__}: {error});"
            " process the trial again with this version of gaitdyn"
        ) from error


def _check(trial: StoredTrial, path: Path) -> None:
    """Refuse a file that has changed since it was written; unfinished results have no list yet."""
    entries = trial.document.get(FILES)
    names = {path.name, path.with_suffix(".json").name}
    problem = damage(trial.path, [x for x in entries or () if x["name"] in names], verify=True)
    if problem:
        raise ValueError(problem)


def _lines(path: Path) -> tuple[list[str], list[list[str]]]:
    with path.open(newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        heads = next(rows)
        return heads, [row for row in rows if row]


def _rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table of peaks, its numbers checked."""
    heads, lines = _lines(path)
    missing = [name for name in (*_PEAKS[path.name], *_COMMON) if name not in heads]
    if missing:
        raise ValueError(f"{path.name} lacks the columns {', '.join(missing)}")
    rows = [dict(zip(heads, line, strict=True)) for line in lines]
    for name in {"value", "base", "marker_cutoff_hz", "force_cutoff_hz"} & set(heads):
        for row in rows:
            float(row[name] or "nan")
    return rows


def _json(path: Path, wanted: tuple[str, ...]) -> dict[str, Any]:
    document = json.loads(path.read_text(encoding="utf-8"))
    missing = [key for key in wanted if key not in document]
    if missing:
        raise ValueError(f"{path.name} lacks {', '.join(missing)}")
    return document
