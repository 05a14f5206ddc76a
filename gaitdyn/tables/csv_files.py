"""Write tables as CSV without pandas: fast, up to fifteen digits, unknown values empty."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import TypeAlias

import numpy as np

from gaitdyn.tables.digits import lines_of
from gaitdyn.types.arrays import Array
from gaitdyn.types.texts import NUMBER

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_MARKS = frozenset(_FORMULA)
_LINE = ord("\n")
_AT_ONCE = 1 << 14
"""Largest count of numbers that are in memory as text at the same time."""


def write_numbers(path: Path, names: Sequence[str], columns: Sequence[Array]) -> None:
    """Write columns of numbers of equal length.

    Parameters
    ----------
    path : Path
    names : sequence of str
    columns : sequence of array, shape (n,)
        NaN and infinities become empty fields; other numbers have 15 significant digits.
    """
    step = max(1, _AT_ONCE // len(names))
    with path.open("wb") as file:
        file.write((",".join(names) + "\n").encode())
        for first in range(0, len(columns[0]), step):
            rows = np.array([column[first : first + step] for column in columns], dtype=float).T
            file.write(lines_of(rows, 15))


Course: TypeAlias = "tuple[tuple[str, int], Sequence[str], Array]"
"""Side and number, names of curves, and their values over 0 to 100 %, shape (101, curves)."""

Block: TypeAlias = "tuple[Sequence[str], Array]"
"""Texts with which each row begins, and the rows of numbers, shape (n, k)."""


def write_courses(
    path: Path, keys: Sequence[str], courses: Sequence[Course], last: Sequence[str] = ()
) -> None:
    """Write curves over cycles or stances, one after the other; a missing curve is empty.

    Parameters
    ----------
    path : Path
    keys : sequence of str
        Names of the first three columns.
    courses : sequence of Course
        NaN become empty fields; other numbers have ten significant digits.
    last : sequence of str
        Names of curves that are the last columns.
    """
    found = dict.fromkeys(name for _, curves, _ in courses for name in curves)
    names = [*(name for name in found if name not in last), *last]
    column_of = {name: i for i, name in enumerate(names, 2)}

    def block(course: Course) -> Block:
        (side, number), curves, values = course
        table = np.full((len(values), 2 + len(names)), np.nan)
        table[:, 0], table[:, 1] = number, np.arange(len(values))
        table[:, [column_of[name] for name in curves]] = values
        return (side,), table

    with path.open("wb") as file:
        file.writelines(block_lines([*keys, *names], map(block, courses)))


def block_lines(names: Sequence[str], blocks: Iterable[Block]) -> Iterator[bytes]:
    r"""Yield a table of blocks of rows as CSV: names of the columns, then one block each.

    Parameters
    ----------
    names : sequence of str
        Names of all columns, those of the texts first.
    blocks : iterable of Block
        NaN become empty fields; other numbers have ten significant digits.

    Examples
    --------
    >>> list(block_lines(["side", "value"], [(["left"], np.array([[2.0 / 3.0], [np.nan]]))]))
    [b'side,value\n', b'left,0.6666666667\nleft,\n']
    """
    yield (",".join(names) + "\n").encode()
    for group in _grouped(blocks):
        text = lines_of(np.concatenate([numbers for _, numbers in group]), 10)
        ends = [0, *(np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == _LINE) + 1).tolist()]
        row = 0
        for texts, numbers in group:
            stream = StringIO()
            csv.writer(stream, lineterminator="").writerow([safe_cell(text) for text in texts])
            head, first = f"{stream.getvalue()},".encode(), row
            row += len(numbers)
            lines = text[ends[first] : ends[row]]
            yield (head + lines.replace(b"\n", b"\n" + head))[: -len(head)]


def _grouped(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """Yield groups of blocks to write together: a small group takes as long as a large one."""
    group: list[Block] = []
    for block in blocks:
        if group and block[1].size + sum(numbers.size for _, numbers in group) > _AT_ONCE:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def write_rows(path: Path, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write rows of texts and numbers; ``None`` is an empty field."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        for row in texts_of(rows):
            writer.writerow([_safe_text(x) if x[:1] in _MARKS or "\r" in x else x for x in row])


def csv_text(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV text, with its cells unchanged."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return stream.getvalue()


def texts_of(rows: Iterable[Sequence[object]]) -> list[list[str]]:
    """Return rows of texts and numbers as they appear in a table."""
    return [[v if type(v) is str else str(cell_value(v)) for v in row] for row in rows]


def safe_cell(cell: object) -> object:
    """Return a cell that no spreadsheet mistakes for a formula: such a text gets a leading quote.

    Numbers are unchanged; a carriage return becomes a space.

    Examples
    --------
    >>> [safe_cell(x) for x in ("=1+1", "-12.5", "-a", "+1e3", "@x", "a=b", 3)]
    ["'=1+1", '-12.5', "'-a", '+1e3', "'@x", 'a=b', 3]
    """
    return _safe_text(cell) if isinstance(cell, str) else cell


def _safe_text(cell: str) -> str:
    plain = cell.replace("\r", " ")  # not quoted by the writer, but a line break for readers
    return f"'{plain}" if cell.startswith(_FORMULA) and not NUMBER.fullmatch(cell) else plain


def cell_value(value: object) -> object:
    """Return a value as it appears in a table: ten digits, empty if unknown."""
    if isinstance(value, float):
        return f"{value:.10g}" if math.isfinite(value) else ""
    return "" if value is None else value
