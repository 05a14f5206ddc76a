"""The file ``repeats.csv``, with the tables of numbers and scores beside it."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from gaitdyn.errors import NormRefused
from gaitdyn.io.plain_files import plain_text
from gaitdyn.judge.changes.number_errors import NumberError
from gaitdyn.judge.groups.numbers import number_text
from gaitdyn.judge.repeats.numbers import MEASURED, read_number_errors
from gaitdyn.judge.repeats.scores import ScorePair, read_score_errors, scores_file, scores_text
from gaitdyn.metrics.norms.curve_names import UNITS
from gaitdyn.metrics.norms.rows import LARGEST
from gaitdyn.statistics.session_error import FEWEST_PAIRS, SessionError
from gaitdyn.store.single_file import put_in_place
from gaitdyn.tables.csv_files import csv_text
from gaitdyn.types.arguments import path_of, told
from gaitdyn.types.texts import number_in
from gaitdyn.types.words import counted, system_reason

COLUMNS = (
    "curve", "pairs", "level_sd", "shape_roughness", "band_roughness", "percent", "shape_sd",
    "band_sd", "unit", "origin",
)  # fmt: skip
_NUMBERS = (
    "percent", "level_sd", "shape_roughness", "band_roughness", "shape_sd", "band_sd", "pairs",
)  # fmt: skip
_OF_CURVE = ("pairs", "level_sd", "shape_roughness", "band_roughness", "origin")
_POINTS = 101


def numbers_file(path: Path) -> Path:
    """Return the file of the numbers that belongs to a file of repeats."""
    return path.with_name(f"{path.stem}-numbers.csv")


def repeats_text(errors: Mapping[str, SessionError], units: Mapping[str, str]) -> str:
    """Return ``repeats.csv``: 101 lines per curve, in the unit of the curve."""
    rows = []
    for name, error in errors.items():
        head = (name, f"{error.nu:g}", f"{error.level**0.5:.6g}",
                f"{error.shape_roughness:.6g}", f"{error.band_roughness:.6g}")  # fmt: skip
        for percent in range(_POINTS):
            shape, band = error.shape[percent] ** 0.5, error.band[percent] ** 0.5
            tail = f"{shape:.6g}", f"{band:.6g}", units[name], error.origin
            rows.append((*head, percent, *tail))
    return csv_text(COLUMNS, rows)


def write_repeats(
    path: Path, errors: Mapping[str, SessionError], units: Mapping[str, str],
    numbers: Sequence[NumberError] = (), scores: Sequence[ScorePair] = (),
) -> None:  # fmt: skip
    """Write ``repeats.csv`` and put it in place, with the tables of numbers and scores beside it.

    Tables beside an older file of this name are removed: they are not of these repeats.

    Parameters
    ----------
    path : Path
    errors, units : mapping
        Of :func:`build_repeats`.
    numbers : sequence of NumberError
    scores : sequence of ScorePair
    """
    for beside in (numbers_file(path), scores_file(path)):
        beside.unlink(missing_ok=True)
    put_in_place(path, repeats_text(errors, units).encode())
    if numbers:
        put_in_place(numbers_file(path), number_text(NumberError, numbers).encode())
    if scores:
        put_in_place(scores_file(path), scores_text(scores).encode())


def read_repeats(path: str | Path) -> dict[str, SessionError]:
    """Return the session errors from a file of :func:`write_repeats`, by curve.

    The tables of numbers and scores beside it, if there are any, have those of peaks and the GPS.

    Parameters
    ----------
    path : str or Path

    Raises
    ------
    NormRefused
        With what is wrong with the file.
    UsageError
        If it is no path.
    """
    path = path_of("path", path, "a file of gaitdyn repeats build")
    try:
        text = plain_text(path)
    except OSError as error:
        message = f"{path.name}: {system_reason(error)}; wanted a file of gaitdyn repeats build"
        raise NormRefused(message) from error
    try:
        errors = _errors(path.name, list(filter(None, csv.reader(text.splitlines()))))
    except (ValueError, csv.Error) as error:
        raise NormRefused(
            f"{path.name}: found lines that gaitdyn repeats build did not write ({error}); wanted"
            f" the columns {','.join(COLUMNS)}, {_POINTS} lines per curve; build it again"
        ) from error
    beside = read_number_errors(numbers_file(path)), read_score_errors(scores_file(path))
    return {**errors, **beside[0], **beside[1]}


def _errors(file: str, rows: list[list[str]]) -> dict[str, SessionError]:
    """Return the errors in the rows of a file, of which the first has the names of the columns."""
    if not rows or tuple(rows[0]) != COLUMNS:
        raise ValueError("other columns")
    by_curve: dict[str, list[dict[str, str]]] = {}
    for cells in rows[1:]:
        row: dict[str, str] = dict(zip(COLUMNS, cells, strict=True))
        by_curve.setdefault(row["curve"], []).append(row)
    if not by_curve:
        raise ValueError("no curve")
    return {name: _error(file, name, lines) for name, lines in by_curve.items()}


def _error(file: str, name: str, rows: Sequence[Mapping[str, str]]) -> SessionError:
    """Return the error of a curve after checking each of its lines."""
    of_curve = {tuple(row[column] for column in _OF_CURVE) for row in rows}
    if len(of_curve) > 1 or {row["unit"] for row in rows} != {UNITS.get(name)}:
        raise ValueError(f"{told(name)}: lines that differ, or another unit")
    numbers = np.array([[number_in(row[column], np.nan) for column in _NUMBERS] for row in rows])
    percent, level, shape_roughness, band_roughness, shape, band, pairs = numbers.T
    valid = np.isfinite(numbers).all() and numbers.min() >= 0 and pairs[0] >= FEWEST_PAIRS
    if not valid or not np.array_equal(percent, np.arange(_POINTS)):
        raise ValueError(f"{name}: {counted(len(rows), 'line')} of {pairs[0]:g} pairs")
    largest = max(level.max(), shape.max(), band.max())
    if largest > LARGEST[UNITS[name]]:
        raise ValueError(f"{name}: an SD of {largest:g} {UNITS[name]}")
    origin = rows[0]["origin"]
    return SessionError(
        float(level[0]) ** 2, shape**2, band**2, float(pairs[0]),
        float(shape_roughness[0]), float(band_roughness[0]),
        f"{origin}, {file}", measured=origin.endswith(MEASURED),
    )  # fmt: skip
