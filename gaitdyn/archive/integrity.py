"""Whether an archive is whole: its pages, its tables, and what stands in their cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.archive import schema
from gaitdyn.errors import ArchiveRefused

if TYPE_CHECKING:
    import sqlite3

_KINDS = {"TEXT": "('text')", "INTEGER": "('integer')", "REAL": "('real', 'integer')"}
_ADVICE = "it is damaged; restore a copy, or make it anew by `archive add` from the results folders"


def check_whole(connection: sqlite3.Connection) -> None:
    """Refuse an archive that is damaged.

    SQLite's own check of every page; the tables and columns of the newest version, or of an older
    one; no row without its parent; and in each cell the kind of value that its column is for, which
    SQLite itself does not ask.

    Parameters
    ----------
    connection : sqlite3.Connection

    Raises
    ------
    ArchiveRefused
        Saying what was found, and what to do.
    """
    (told,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if told != "ok":
        _refuse(f"the check of its pages says {' '.join(str(told).split())[:120]!r}")
    if schema.version_of(connection) == len(schema.MIGRATIONS):
        _check_tables(connection)
    orphan = connection.execute("PRAGMA foreign_key_check").fetchone()
    if orphan is not None:
        _refuse(f"found a row of {str(orphan[0])[:40]!r} without its parent")


def _check_tables(connection: sqlite3.Connection) -> None:
    """Hold tables, columns and kinds of values against those of a new archive."""
    wanted = schema.columns()
    for table, columns in wanted.items():
        rows = connection.execute(f"PRAGMA table_info({table})")
        found = {name: kind for _, name, kind, *_ in rows}
        if found != columns:
            lacks = sorted(columns.keys() - found.keys())
            what = f"lacks {', '.join(lacks)}" if lacks else "has other columns"
            _refuse(f"the table {table} {what}")
        wrong = " OR ".join(_wrong(name, kind) for name, kind in columns.items() if kind in _KINDS)
        sql = f"SELECT 1 FROM {table} WHERE {wrong} LIMIT 1"  # noqa: S608  own names
        if connection.execute(sql).fetchone() is not None:
            _refuse(f"the table {table} holds values of another kind")


def _wrong(name: str, kind: str) -> str:
    """Return the condition that a cell is neither empty nor of its column's kind."""
    return f"({name} IS NOT NULL AND typeof({name}) NOT IN {_KINDS[kind]})"


def _refuse(found: str) -> None:
    message = f"{found}; {_ADVICE}"
    raise ArchiveRefused(message)
