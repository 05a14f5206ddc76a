"""Writing tables as CSV without pandas: fast, fifteen digits, an unknown value is empty."""

from __future__ import annotations

import csv
import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from gaitdyn.tables.digits import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from gaitdyn.types.arrays import Array


_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_AT_ONCE = 1 << 14
"""Numbers that are in memory as text at once."""


def write_numbers(path: Path, names: Sequence[str], columns: Sequence[Array]) -> None:
    """Write columns of numbers of equal length.

    Parameters
    ----------
    path : Path
    names : sequence of str
    columns : sequence of array, shape (n,)
        NaN and infinities are written as empty fields; the others with 15 significant digits.
    """
    step = max(1, _AT_ONCE // len(names))
    with path.open("wb") as file:
        file.write((",".join(names) + "\n").encode())
        for first in range(0, len(columns[0]), step):
            rows = [np.asarray(column[first : first + step], dtype=float) for column in columns]
            file.write(lines_of(np.stack(rows, axis=1), 15))


Course: TypeAlias = "tuple[tuple[str, int], Sequence[str], Array]"
"""Side and number, the names of curves, and these over 0 to 100 %, shape (101, curves)."""


def write_courses(path: Path, keys: Sequence[str], courses: Sequence[Course]) -> None:
    """Write curves over cycles or stances, one behind the other; what one lacks is empty.

    Parameters
    ----------
    path : Path
    keys : sequence of str
        Names of the first three columns.
    courses : sequence of Course
        NaN are written as empty fields; the others with ten significant digits.
    """
    names = list(dict.fromkeys(name for _, own, _ in courses for name in own))
    lines = [",".join([*keys, *names]).encode()]
    for (side, number), own, values in courses:
        at = {name: i for i, name in enumerate(own)}
        empty = np.full(len(values), np.nan)
        table = np.stack([values[:, at[n]] if n in at else empty for n in names], axis=1)
        rows = lines_of(table, 10).splitlines()
        lines += [f"{side},{number},{i},".encode() + row for i, row in enumerate(rows)]
    path.write_bytes(b"\n".join([*lines, b""]))


def write_rows(path: Path, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write rows of texts and numbers; ``None`` is an empty field."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows([[_cell(value) for value in row] for row in rows])


def _cell(value: object) -> object:
    """Return a value as a table shows it and a spreadsheet takes it."""
    kind = type(value)
    if kind is str:
        return _safe_text(value)
    return value if kind is int else shown(value)


def safe(cell: object) -> object:
    """Return a cell that no spreadsheet takes for a formula: one that begins like it is quoted.

    Numbers stay as they are; a carriage return becomes a blank.

    Examples
    --------
    >>> [safe(x) for x in ("=1+1", "-12.5", "-a", "+1e3", "@x", "a=b", 3)]
    ["'=1+1", '-12.5', "'-a", '+1e3', "'@x", 'a=b', 3]
    """
    return _safe_text(cell) if isinstance(cell, str) else cell


@lru_cache(maxsize=4096)
def _safe_text(cell: str) -> str:
    """Return :func:`safe` of a text; sides, units and names stand in row after row."""
    plain = cell.replace("\r", " ")  # which the writer would not quote, and a reader breaks at
    return f"'{plain}" if cell.startswith(_FORMULA) and not _NUMBER.fullmatch(cell) else plain


def shown(value: object) -> object:
    """Return a value as a table shows it: ten digits, an unknown one empty."""
    if isinstance(value, float):
        return f"{value:.10g}" if math.isfinite(value) else ""
    return "" if value is None else value
