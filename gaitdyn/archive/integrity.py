"""Check the pages, the tables and the cells of an archive for damage."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from gaitdyn.archive import schema
from gaitdyn.errors import ArchiveRefused
from gaitdyn.store.shape import check_document

_KINDS = {"TEXT": "('text')", "INTEGER": "('integer')", "REAL": "('real', 'integer')"}
CURVE_BYTES = 404  # of 101 numbers
_LARGE_TABLES = ("curve", "parameter", "peak")
_ADVICE = "it is damaged; restore a copy, or rebuild it with `archive add` from the results folders"


def check_whole(connection: sqlite3.Connection) -> None:
    """Refuse an archive that is damaged.

    The checks are: SQLite's check of every page; the tables and columns of this version; no row
    without its parent; and in each cell the kind of value of its column, which SQLite does not
    enforce. Of curves and numbers, which are nearly all of a file, only the pages are checked.

    Raises
    ------
    ArchiveRefused
        With what was found and what to do.
    """
    (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if answer != "ok":
        _refuse(f"the check of its pages found {' '.join(str(answer).split())[:120]!r}")
    if schema.version_of(connection) == len(schema.MIGRATIONS):
        _check_tables(connection)


def check_samples(samples: Sequence[Any]) -> None:
    """Refuse curves that are not 101 numbers.

    Parameters
    ----------
    samples : sequence
        Cells of the column ``samples``.

    Raises
    ------
    ArchiveRefused
    """
    if set(map(type, samples)) - {bytes} or set(map(len, samples)) - {CURVE_BYTES}:
        _refuse("found a curve that is not 101 numbers")


def check_numbers(values: Iterable[Any]) -> None:
    """Refuse gait parameters or peaks that are not numbers.

    Parameters
    ----------
    values : iterable
        Cells of a column ``value``.

    Raises
    ------
    ArchiveRefused
    """
    if not all(isinstance(value, int | float) for value in values):
        _refuse("found a gait parameter or peak that is not a number")


def document_in(cell: Any) -> dict[str, Any]:
    """Return the ``result.json`` in a cell of the column ``document``.

    Raises
    ------
    ArchiveRefused
        If it is not one.
    """
    try:
        document = json.loads(cell)
    except (ValueError, TypeError, RecursionError):
        document = None
    if not isinstance(document, dict):
        _refuse("found a result.json that cannot be read")
    return document


def whole_document_in(cell: Any) -> dict[str, Any]:
    """Return the ``result.json`` in a cell, with all that is read of one.

    Raises
    ------
    ArchiveRefused
        If it is not one.
    """
    document = document_in(cell)
    try:
        check_document(document)
    except (ValueError, LookupError, RecursionError) as error:
        _refuse(f"found a result.json that cannot be read ({error})")
    return document


def _check_tables(connection: sqlite3.Connection) -> None:
    """Compare tables, columns and kinds of values with those of a new archive."""
    wanted = schema.columns()
    for table, columns in wanted.items():
        rows = connection.execute(f"PRAGMA table_info({table})")
        found = {name: kind for _, name, kind, *_ in rows}
        if found != columns:
            missing = sorted(columns.keys() - found.keys())
            problem = f"lacks {', '.join(missing)}" if missing else "has other columns"
            _refuse(f"the table {table} {problem}")
        if table in _LARGE_TABLES:
            continue
        orphan = connection.execute(f"PRAGMA foreign_key_check({table})").fetchone()
        if orphan is not None:
            _refuse(f"found a row of {table} without its parent")
        wrong = " OR ".join(_wrong(name, kind) for name, kind in columns.items() if kind in _KINDS)
        sql = f"SELECT 1 FROM {table} WHERE {wrong} LIMIT 1"  # noqa: S608  fixed names
        if connection.execute(sql).fetchone() is not None:
            _refuse(f"the table {table} has values of another kind")


def _wrong(name: str, kind: str) -> str:
    """Return the SQL condition that a cell is neither empty nor of its column's kind."""
    return f"({name} IS NOT NULL AND typeof({name}) NOT IN {_KINDS[kind]})"


def _refuse(found: str) -> NoReturn:
    raise ArchiveRefused(f"{found}; {_ADVICE}")
