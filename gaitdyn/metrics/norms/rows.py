"""Rows of a reference set, and the checks that all formats share."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from gaitdyn.errors import NormRefused
from gaitdyn.metrics.norms.curve_names import UNITS
from gaitdyn.types.arguments import told
from gaitdyn.types.arrays import locked
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import Band
from gaitdyn.types.texts import number_in
from gaitdyn.types.words import counted

FEWEST_POINTS = 11
"""Fewest points of a curve over the cycle; with fewer, linear interpolation cuts its peaks."""

_MOST_PEOPLE = 1e6
_UPWARD = ("ankle_moment_plantarflexion", "knee_angle_flexion", "grf_y")
"""Curves whose largest value in walking is positive for everybody: they reveal a wrong sign."""

LARGEST = {"deg": 180.0, "N m/kg": 10.0, "W/kg": 50.0, "N/kg": 60.0}
"""Unit -> a size that no mean or SD of people who walk or run reaches: half a turn, three times the
ankle moment, five times the ankle power of running, six times the body weight."""


@frozen()
class NormRow:
    """One point of one curve, in the names, units and signs of ``cycles.csv``.

    Attributes
    ----------
    line : int
        Of the file, from 1.
    group, curve : str
    percent, mean, sd : float
    roughness : float or None
        Of the whole curve.
    count : int or None
        Number of people behind the curve.
    """

    line: int
    group: str
    curve: str
    percent: float
    mean: float
    sd: float
    roughness: float | None = None
    count: int | None = None


@frozen()
class CsvLine:
    """One line of a CSV file: its cells by column, and the errors about them."""

    file: str
    number: int
    cells: dict[str, str]

    def wrong(self, column: str, found: str, wanted: str) -> NormRefused:
        """Return the error for a cell."""
        cell = f"{self.file} line {self.number}, column {column}"
        return NormRefused(f"{cell}: found {found}; wanted {wanted}; correct or remove the line")

    def number_in(self, column: str) -> float:
        """Return a cell as a finite number."""
        text = self.cells[column]
        value = number_in(text, math.nan)
        if not math.isfinite(value):
            raise self.wrong(column, told(text), "a number")
        return value

    def count(self) -> int | None:
        """Return the cell ``count``, a number of people; None if it is empty."""
        if not self.cells["count"]:
            return None
        value = self.number_in("count")
        if not 1 <= value <= _MOST_PEOPLE or not math.isclose(value, round(value)):
            raise self.wrong("count", f"{value:g}", "a whole number of people, or nothing")
        return round(value)


def csv_lines(file: str, text: str) -> Iterator[CsvLine]:
    """Yield the lines below the header, without comments (#) and empty lines."""
    header: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in next(csv.reader([line]))]
        if not header:
            header = cells
            continue
        if len(cells) != len(header):
            raise NormRefused(
                f"{file} line {number}: found {counted(len(cells), 'cell')}; wanted {len(header)},"
                " one a column; correct or remove the line"
            )
        yield CsvLine(file, number, dict(zip(header, cells, strict=True)))


def bands_of(file: str, rows: Iterable[NormRow]) -> dict[str, dict[str, Band]]:
    """Return group -> curve -> Band after checking every curve.

    A curve that is zero at every point means "not measured" in many files and is left out.

    Parameters
    ----------
    file : str
        For messages.
    rows : iterable of NormRow
        In the order of the file.

    Raises
    ------
    NormRefused
        If points do not rise from 0 to 100 % (a duplicate does not), an SD is negative or zero
        throughout, or a sign is wrong; the message names the line.
    """
    curves: dict[tuple[str, str], list[NormRow]] = {}
    for row in rows:
        curves.setdefault((row.group, row.curve), []).append(row)
    groups: dict[str, dict[str, Band]] = {}
    for (group, curve), points in curves.items():
        groups.setdefault(group, {})
        band = _band(file, points)
        if band is not None:
            groups[group][curve] = band
    if not any(groups.values()):
        message = f"{file}: found no curve with values; wanted at least one; see docs/norms.md"
        raise NormRefused(message)
    return {group: bands for group, bands in groups.items() if bands}


def _band(file: str, rows: Sequence[NormRow]) -> Band | None:
    curve = rows[0].curve
    curve_at = f"{file} line {rows[0].line}, {rows[0].group} {curve}"
    _check_points(file, rows)
    percent, mean, sd = np.array([(r.percent, r.mean, r.sd) for r in rows]).T
    if not mean.any() and not sd.any():
        return None
    if not sd.any():
        message = f"{curve_at}: found an SD of 0 on every point; wanted the spread between people"
        raise NormRefused(f"{message}; one person is not a reference set")
    if curve in _UPWARD and mean[np.argmax(np.abs(mean))] < 0:
        message = f"{curve_at}: found the largest value below 0; wanted the sign of the name"
        raise NormRefused(f"{message} (moments internal); turn the sign of mean")
    for row in rows:
        _check_size(f"{file} line {row.line}, {row.group} {curve}", row)
    size = (len(rows),)
    return Band(
        locked("percent", percent, size),
        locked("mean", mean, size),
        locked("sd", sd, size),
        UNITS[curve],
        rows[0].roughness,
        count=rows[0].count,
    )


def _check_size(row_at: str, row: NormRow) -> None:
    """Refuse a mean or an SD that is impossible for a group of people."""
    unit = UNITS[row.curve]
    for name, value in (("a mean", row.mean), ("an SD", row.sd)):
        if abs(value) > LARGEST[unit]:
            raise NormRefused(
                f"{row_at}: found {name} of {value:g} {unit}; wanted less than {LARGEST[unit]:g};"
                " see whether the unit is another, or correct the line"
            )


def _check_points(file: str, rows: Sequence[NormRow]) -> None:
    """Refuse points that do not rise from 0 to 100 %, and negative SDs."""
    before = -math.inf
    for row in rows:
        row_at = f"{file} line {row.line}, {row.group} {row.curve}"
        if row.percent <= before:
            raise NormRefused(
                f"{row_at}: found {row.percent:g} % after {before:g} %; wanted points that rise,"
                " each once; remove the duplicate or sort the lines"
            )
        if row.sd < 0:
            raise NormRefused(
                f"{row_at}: found an SD of {row.sd:g}; wanted 0 or more;"
                " see whether the columns mean-SD and mean+SD were swapped"
            )
        before = row.percent
    first, last = rows[0], rows[-1]
    if first.percent != 0 or last.percent != 100 or len(rows) < FEWEST_POINTS:  # noqa: PLR2004
        raise NormRefused(
            f"{file} line {last.line}, {last.group} {last.curve}: found"
            f" {counted(len(rows), 'point')} from {first.percent:g} to {last.percent:g} %; wanted"
            f" {FEWEST_POINTS} or more from 0 to 100 %; give the whole cycle"
        )
