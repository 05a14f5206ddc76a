"""The error between sessions of single numbers, from the table beside a file of repeats."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.errors import NormRefused
from gaitdyn.io.plain_files import plain_text
from gaitdyn.metrics.norm_rows import LARGEST
from gaitdyn.metrics.peak_definitions import DEFINITIONS
from gaitdyn.statistics.session_error import FEWEST_PAIRS, SessionError
from gaitdyn.types.arguments import told
from gaitdyn.types.texts import number_in

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MEASURED = "own repeats"
"""The end of the origin of errors that were measured on people."""

_OF_INTEGRALS = {"N m s/kg": "N m/kg", "J/kg": "W/kg", "N s/kg": "N/kg"}
_LARGEST = LARGEST | {unit: LARGEST[integrated] for unit, integrated in _OF_INTEGRALS.items()}
"""Unit -> a size that no SD reaches, for an integral over a second."""

_SD = "session_sd"
_NEEDED = ("quantity", "unit", "pairs", _SD)


def read_number_errors(path: Path) -> dict[str, SessionError]:
    """Return the errors between sessions of peaks: internal name -> error of one point.

    Parameters
    ----------
    path : Path
        Of :func:`gaitdyn.judge.repeats.numbers_file`. There are none if it does not exist, or is of
        a version that did not write them.

    Raises
    ------
    NormRefused
        With what is wrong with the file.
    """
    try:
        lines = plain_text(path).splitlines()
    except OSError:
        return {}
    if _SD not in "".join(lines[:1]).split(","):
        return {}
    units = {one.name: one.unit for one in DEFINITIONS}
    try:
        rows = [
            row
            for row in csv.DictReader(lines, restval="missing", strict=True)
            if internal_name(row["quantity"]) in units and row[_SD] != ""
        ]
        errors = {internal_name(row["quantity"]): _error(path.name, row, units) for row in rows}
    except (KeyError, TypeError, ValueError, csv.Error) as error:
        raise NormRefused(
            f"{path.name}: found lines that gaitdyn repeats build did not write ({error}); wanted"
            f" the columns {', '.join(_NEEDED)}; build it again, or move the file away"
        ) from error
    return errors


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
