"""Read and check body-segment tables, which ship with gaitdyn or come from a laboratory.

A table is a CSV file; docs/anthropometry.md describes it.
"""

from __future__ import annotations

import csv
import math
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from gaitdyn.calibrate.body.segment_tables import SegmentRow, SegmentTable, segment_inertia
from gaitdyn.errors import UsageError
from gaitdyn.io.plain_files import named_text
from gaitdyn.types.arguments import SHOWN, told
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import SEGMENTS
from gaitdyn.types.subject import LIMITS
from gaitdyn.types.texts import number_in
from gaitdyn.types.words import counted

MEASURABLE = {
    "foot": (("ANK", "TOE"), ("ankle centre", "TOE"), ("HEE", "TOE")),
    "shank": (("knee centre", "ankle centre"),),
    "thigh": (("hip centre", "knee centre"),),
}
"""Segment -> pairs of end points that the marker model has, the default first."""

_RADII = ("r_x", "r_y", "r_z")
_NEEDED = ("segment", "sex", "proximal", "distal", "mass", "cm_along", *_RADII, "source")
_CENTRE, _PRODUCTS = ("cm_x", "cm_y", "cm_z"), ("r_xy", "r_xz", "r_yz")
_AGE = "age_years"
_LIGHTEST, _HEAVIEST = 0.001, 0.3  # fractions of body mass; others are per cent or kg
_ROUNDING = 1e-12
_HEADER = 200  # characters in a message
_DIGITS = 0.05
"""Share of a moment of inertia by which radii rounded to two digits may miss a law."""


def table_names() -> list[str]:
    """Return the names of the tables that ship with gaitdyn."""
    folder = files("gaitdyn") / "resources" / "anthropometry"
    return sorted(p.name.removesuffix(".csv") for p in folder.iterdir() if p.name.endswith(".csv"))


def load_table(name: str) -> SegmentTable:
    """Read a table that ships with gaitdyn, or one of a laboratory.

    Parameters
    ----------
    name : str
        One of :func:`table_names`, or the path of a file that ends in ``.csv``.

    Raises
    ------
    UsageError
        If there is no such table, or the file is not one; the message has the line, the column,
        what was found and what was wanted.

    Examples
    --------
    >>> load_table("de-leva").row("thigh", "f").mass_fraction
    0.1478
    """
    if name.lower().endswith(".csv"):
        return _file_table(Path(name))
    return _shipped_table(name)


@cache
def _shipped_table(name: str) -> SegmentTable:
    resource = files("gaitdyn") / "resources" / "anthropometry" / f"{name}.csv"
    if not resource.is_file():
        raise UsageError(
            f"no body-segment table {name!r}; wanted one of {', '.join(table_names())},"
            " or the path of a file that ends in .csv"
        )
    lines = _read_lines(name, resource.read_text(encoding="utf-8"))
    return SegmentTable(name, tuple(_row(line) for line in lines))


def _file_table(path: Path) -> SegmentTable:
    """Read a laboratory's table: segments of the leg, measured between points of the model."""
    wanted = "a CSV file; check the path"
    text = named_text(path, f"body-segment table {path.name}", wanted)
    rows: dict[tuple[str, str, float | None], SegmentRow] = {}
    for line in _read_lines(path.name, text):
        row = _row(line)
        line.one_of("segment", SEGMENTS, row.segment)
        line.one_of("sex", ("", "f", "m"), row.sex)
        proximal, distal = zip(*MEASURABLE[row.segment], strict=True)
        line.one_of("proximal", proximal, row.ends[0])
        line.one_of("distal", distal, row.ends[1])
        same = [other for other in rows.values() if _same(row, other)]
        if (row.segment, row.sex, row.age_years) in rows:
            found = f"a second row for {told(row.segment)}"
            raise line.wrong("segment", found, "one per segment, sex and age")
        if any((other.age_years is None) != (row.age_years is None) for other in same):
            raise line.wrong(_AGE, f"rows of {told(row.segment)} with and without", "all or none")
        if any((other.cm_axes is None) != (row.cm_axes is None) for other in same):
            raise line.wrong(
                "cm_along", f"rows of {told(row.segment)} with and without", "all or none"
            )
        if any(other.ends != row.ends for other in same):
            found = f"other end points of {told(row.segment)} than in a row above"
            raise line.wrong("proximal, distal", found, "the same at all ages")
        rows[row.segment, row.sex, row.age_years] = row
    lacking = [name for name in SEGMENTS if name not in {row.segment for row in rows.values()}]
    if lacking:
        raise UsageError(
            f"{path.name}: column segment: found no row for {', '.join(lacking)};"
            f" wanted {', '.join(SEGMENTS)}"
        )
    return SegmentTable(path.name, tuple(rows.values()))


def _same(a: SegmentRow, b: SegmentRow) -> bool:
    return (a.segment, a.sex) == (b.segment, b.sex)


@frozen()
class _Line:
    """One line of a table: its cells by column, and checks that refuse them."""

    name: str
    number: int
    cells: dict[str, str]

    def wrong(self, column: str, found: str, wanted: str) -> UsageError:
        position = f"{self.name} line {self.number}, column {column}"
        return UsageError(f"{position}: found {found}, wanted {wanted}")

    def one_of(self, column: str, allowed: tuple[str, ...], found: str) -> None:
        if found not in allowed:
            wanted = " or ".join(word or "nothing" for word in dict.fromkeys(allowed))
            raise self.wrong(column, told(found), wanted)

    def within(self, column: str, low: float, high: float, wanted: str) -> float:
        text = self.cells.get(column, "")
        value = number_in(text, math.nan)
        if not low <= value <= high:
            raise self.wrong(column, told(text), wanted)
        return value

    def fraction(self, column: str, low: float = 0.0, high: float = 1.0) -> float:
        return self.within(column, low, high, f"a fraction from {low:g} to {high:g}")

    def age(self) -> float | None:
        low, high = LIMITS[_AGE]
        wanted = f"years from {low:g} to {high:g}, or nothing"
        return self.within(_AGE, low, high, wanted) if self.cells.get(_AGE) else None

    def optional(self, columns: tuple[str, str, str]) -> tuple[float, float, float] | None:
        if not any(self.cells.get(column) for column in columns):
            return None
        x, y, z = (self.fraction(column, -1.0) for column in columns)
        return x, y, z


def _read_lines(name: str, text: str) -> list[_Line]:
    """Return the lines of a table by column, without comments (#) and empty lines."""
    numbered = [
        (number, [cell.strip() for cell in next(csv.reader([line]))])
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.startswith("#")
    ]
    first, header = numbered[0] if numbered else (1, [])
    lacking = [column for column in _NEEDED if column not in header]
    unknown = [c for c in header if c not in {*_NEEDED, *_CENTRE, *_PRODUCTS, _AGE}]
    if lacking or unknown:
        raise UsageError(
            f"{name} line {first}, column {(lacking + unknown)[0][:SHOWN]}: found the columns"
            f" {','.join(header)[:_HEADER] or 'none'}; wanted {','.join(_NEEDED)} and, where known,"
            f" {','.join((*_CENTRE, *_PRODUCTS, _AGE))}"
        )
    twice = [column for i, column in enumerate(header) if column in header[:i]]
    if twice:
        raise UsageError(f"{name} line {first}, column {twice[0]}: found twice, wanted once")
    lines: list[_Line] = []
    for number, cells in numbered[1:]:
        line = _Line(name, number, dict(zip(header, cells, strict=False)))
        if len(cells) != len(header):
            column = header[min(len(cells), len(header) - 1)]
            raise line.wrong(column, counted(len(cells), "cell"), f"{len(header)}, one per column")
        lines.append(line)
    return lines


def _row(line: _Line) -> SegmentRow:
    """Return a row of a table; refuse one whose inertia no rigid body can have."""
    cells, cm_axes = line.cells, line.optional(_CENTRE)
    if cm_axes and cells["cm_along"]:
        found = f"{told(cells['cm_along'])} as well as cm_x, cm_y, cm_z"
        raise line.wrong("cm_along", found, "one of the two")
    if cm_axes and cm_axes[1] > 0.0:
        wanted = "a fraction from -1 to 0; y is up, so the centre of mass is below the joint"
        raise line.wrong("cm_y", told(cells["cm_y"]), wanted)
    row = SegmentRow(
        segment=cells["segment"],
        sex=cells["sex"],
        proximal=cells["proximal"],
        distal=cells["distal"],
        mass_fraction=line.fraction("mass", _LIGHTEST, _HEAVIEST),
        cm_along=math.nan if cm_axes else line.fraction("cm_along"),
        radii=(line.fraction("r_x"), line.fraction("r_y"), line.fraction("r_z")),
        source=cells["source"],
        cm_axes=cm_axes,
        products=line.optional(_PRODUCTS) or (0.0, 0.0, 0.0),
        age_years=line.age(),
    )
    low, middle, high = np.linalg.eigvalsh(segment_inertia(row, 1.0, 1.0, "right")).tolist()
    if low < -_ROUNDING:
        found = f"a principal moment of inertia of {low:.2g} mass length^2"
        raise line.wrong(", ".join(_PRODUCTS), found, "none below 0")
    found = ", ".join(cells[column] for column in _RADII)
    if middle <= _ROUNDING:
        raise line.wrong(", ".join(_RADII), found, "0 about one axis at most, that of a thin bar")
    if high > (1.0 + _DIGITS) * (low + middle):
        wanted = "no principal moment of inertia above the sum of the other two"
        raise line.wrong(", ".join(_RADII), found, wanted)
    return row
