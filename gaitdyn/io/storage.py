"""Read tables of numbers over time: MOT and STO files of SIMM and OpenSim.

A header up to ``endheader`` has lines ``key=value`` or ``key value``. A row of labels and rows of
numbers follow, separated by tabs or blanks (OpenSim documentation, "Motion (.mot) files" and
"Storage (.sto) files"). The counts in the header are not trusted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.io.c3d.records import refused, shown
from gaitdyn.io.text_files import hashed_text, numbers_of
from gaitdyn.types.arguments import SHOWN
from gaitdyn.types.frozen import frozen
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.types.arrays import Array

WANTED = "a table with a line endheader, such as MOT or STO"
LARGEST_BYTES = 100_000_000
_HEADER_LINES, _MOST_COLUMNS = 200, 5000


@frozen(eq=False)
class Storage:
    """One table.

    Attributes
    ----------
    name : str
        File name.
    sha256 : str
    labels : tuple of str
        Labels of the columns after the time; they may repeat.
    times_s : array, shape (n,)
    values : array, shape (n, k)
    notes : tuple of str
    """

    name: str
    sha256: str
    labels: tuple[str, ...]
    times_s: Array
    values: Array
    notes: tuple[str, ...] = ()

    def column(self, label: str) -> Array:
        """Return the first column with a label, shape (n,)."""
        return self.values[:, self.labels.index(label)]


def read_storage(path: str | Path) -> Storage:
    """Read a MOT or STO file.

    Raises
    ------
    FileRefused
        When it has no ``endheader``, vectors in its cells, rows of different lengths, or times that
        do not advance.
    """
    name, text, digest = hashed_text(path, WANTED, LARGEST_BYTES)
    lines = text.splitlines()
    end = next(
        (i for i, x in enumerate(lines[:_HEADER_LINES]) if x.strip().lower() == "endheader"), None
    )
    if end is None:
        raise refused(name, "no line endheader", WANTED)
    header = _header(lines[:end])
    kind = header.get("datatype", "double").lower()
    if kind != "double":
        found = f"DataType={shown(header['datatype'][:SHOWN])}, several numbers per cell"
        raise refused(name, found, "one number per cell", "export a table of DataType=double")
    rows = [line for line in lines[end + 1 :] if line.strip()]
    if len(rows) < 2:  # noqa: PLR2004  labels and one row
        raise refused(name, "no rows", "labels and one row of numbers per time")
    labels = rows[0].split()
    if labels[0].lower() != "time" or not 1 < len(labels) <= _MOST_COLUMNS:
        raise refused(
            name, f"{shown(labels[0][:SHOWN])!r} as the first label", "a first column time"
        )
    numbers = _numbers(rows[1:], len(labels), name)
    times = numbers[:, 0]
    if not (np.isfinite(times).all() and (np.diff(times) > 0).all()):
        raise refused(name, "times that do not advance", "one row per time, in order")
    values = np.ascontiguousarray(numbers[:, 1:])
    values.flags.writeable = False
    notes = _count_note(header, len(numbers))
    return Storage(name, digest, tuple(map(shown, labels[1:])), times, values, notes)


def _header(lines: list[str]) -> dict[str, str]:
    """Return the header: lines ``key=value`` or ``key value``, keys in lower case."""
    header: dict[str, str] = {}
    for line in lines:
        key, equals, value = line.partition("=")
        if not equals:
            key, _, value = line.strip().partition(" ")
        if key.strip():
            header.setdefault(key.strip().lower(), value.strip())
    return header


def _numbers(lines: list[str], width: int, name: str) -> Array:
    """Return the numbers, shape (n, width); an empty cell between tabs is NaN."""
    wanted = f"{width}, as many as there are labels"
    short = next((i for i, line in enumerate(lines) if len(line) < width - 1), None)
    if short is not None:  # before memory is allocated
        cells = len(lines[short].split())
        raise refused(name, f"{counted(cells, 'cell')} in row {short + 1}", wanted)
    found = np.empty((len(lines), width))
    for i, line in enumerate(lines):
        cells = line.split()
        if len(cells) != width:
            tabs = line.rstrip("\r\n").split("\t")
            tabs = tabs[:width] if not any(x.strip() for x in tabs[width:]) else tabs
            if len(tabs) != width:
                raise refused(name, f"{counted(len(cells), 'cell')} in row {i + 1}", wanted)
            cells = [cell.strip() or "nan" for cell in tabs]
        try:
            found[i] = numbers_of(cells)
        except ValueError:
            raise refused(name, f"no numbers in row {i + 1}", "one number per cell") from None
    return found


def _count_note(header: dict[str, str], rows: int) -> tuple[str, ...]:
    stated = header.get("nrows") or header.get("datarows") or ""
    if not stated.isdecimal() or stated == str(rows):
        return ()
    return (f"the header says {counted(int(stated[:12]), 'row')}, the file has {rows}",)
