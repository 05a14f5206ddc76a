"""The error between sessions of single numbers, from the table beside a file of repeats."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.errors import NormRefused
from gaitdyn.io.plain_files import plain_text
from gaitdyn.metrics.norms.rows import LARGEST
from gaitdyn.metrics.peak_definitions import DEFINITIONS
from gaitdyn.statistics.session_error import FEWEST_PAIRS, SessionError
from gaitdyn.types.arguments import told
from gaitdyn.types.texts import number_in
from gaitdyn.types.words import system_reason

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

MEASURED = "own repeats"
"""The end of the origin of errors that were measured on people."""

MISSING = "missing"
"""What a cell has that a line is too short for."""

_OF_INTEGRALS = {"N m s/kg": "N m/kg", "J/kg": "W/kg", "N s/kg": "N/kg"}
_LARGEST = LARGEST | {unit: LARGEST[integrated] for unit, integrated in _OF_INTEGRALS.items()}
"""Unit -> a size that no SD reaches, for an integral over a second."""

_SD = "session_sd"
_NEEDED = ("quantity", "unit", "pairs", _SD)


def read_beside(
    path: Path,
    columns: Sequence[str],
    errors_in: Callable[[Sequence[Mapping[str, str]]], dict[str, SessionError]],
) -> dict[str, SessionError]:
    """Return the errors in a table beside a file of repeats; none if it does not exist.

    Parameters
    ----------
    path : Path
    columns : sequence of str
        That are needed, for the message.
    errors_in : callable
        Rows -> errors; raises ValueError for rows that nobody measured.

    Raises
    ------
    NormRefused
        With what is wrong with the table.
    """
    try:
        lines = plain_text(path).splitlines()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise NormRefused(
            f"{path.name}: {system_reason(error)}; wanted a table of gaitdyn repeats build, or none"
        ) from error
    try:
        return errors_in(list(csv.DictReader(lines, restval=MISSING, strict=True)))
    except (KeyError, TypeError, ValueError, csv.Error) as error:
        raise NormRefused(
            f"{path.name}: found lines that gaitdyn repeats build did not write ({error}); wanted"
            f" the columns {', '.join(columns)}; build it again, or move the file away"
        ) from error


def read_number_errors(path: Path) -> dict[str, SessionError]:
    """Return the errors between sessions of peaks: internal name -> error of one point.

    Parameters
    ----------
    path : Path
        Of :func:`gaitdyn.judge.repeats.file.numbers_file`. There are none if it does not exist, or
        is of a version that did not write them.

    Raises
    ------
    NormRefused
        With what is wrong with the file.
    """
    units = {one.name: one.unit for one in DEFINITIONS}

    def errors_in(rows: Sequence[Mapping[str, str]]) -> dict[str, SessionError]:
        measured = [
            row
            for row in rows
            if _SD in row and internal_name(row["quantity"]) in units and row[_SD] != ""
        ]
        return {internal_name(row["quantity"]): _error(path.name, row, units) for row in measured}

    return read_beside(path, _NEEDED, errors_in)


def _error(file: str, row: Mapping[str, str], units: Mapping[str, str]) -> SessionError:
    """Return the error of a number, as a curve of one point."""
    sd, pairs = (number_in(row[name], np.nan) for name in (_SD, "pairs"))
    unit = units[internal_name(row["quantity"])]
    if unit != row["unit"]:
        raise ValueError(f"{told(row['quantity'])}: in {told(row['unit'])}")
    if not (0 <= sd <= _LARGEST[unit] and FEWEST_PAIRS <= pairs < np.inf):
        raise ValueError(f"{told(row['quantity'])}: an SD of {sd:g} {unit} of {pairs:g} pairs")
    variance = np.array([sd**2])
    origin = f"{pairs:.0f} {MEASURED}, {file}"
    return SessionError(sd**2, 0 * variance, variance, pairs, 0.0, 0.0, origin, measured=True)
