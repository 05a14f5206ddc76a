"""The tables of an archive, and the migration of older versions to the current one."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from gaitdyn.errors import ArchiveRefused

_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"

APPLICATION_ID = 0x67644152
"""``gdAR`` in the header of the file identifies an archive of gaitdyn."""

_FIRST = (files("gaitdyn") / "archive" / "schema.sql").read_text("utf-8")
MIGRATIONS = (tuple(_FIRST.removesuffix(";\n").split(";\n\n")),)
"""Statements by step: step i turns version i into version i + 1; a new file takes all steps."""


def columns() -> dict[str, dict[str, str]]:
    """Return the tables of a new archive as name -> column -> kind."""
    return _columns(MIGRATIONS)


@lru_cache(maxsize=1)
def _columns(steps: tuple[tuple[str, ...], ...]) -> dict[str, dict[str, str]]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        migrate(connection, steps)
        tables = [name for (name,) in connection.execute(_TABLES)]
        info = {table: connection.execute(f"PRAGMA table_info({table})") for table in tables}
        return {t: {name: kind for _, name, kind, *_ in rows} for t, rows in info.items()}
    finally:
        connection.close()


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of an open archive; 0 for a file without any table.

    Raises
    ------
    ArchiveRefused
        When the file is a database of another program.
    """
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application == APPLICATION_ID:
        return version
    if application == 0 and version == 0 and tables == 0:
        return 0
    message = "found a database of another program; wanted an archive of gaitdyn; name another file"
    raise ArchiveRefused(message)


def migrate(
    connection: sqlite3.Connection, steps: Sequence[Sequence[str]] | None = None
) -> tuple[int, int]:
    """Bring an open archive to the newest version, in one transaction.

    Parameters
    ----------
    connection : sqlite3.Connection
        Without a transaction.
    steps : sequence of sequence of str, optional
        As :data:`MIGRATIONS`.

    Returns
    -------
    tuple of int
        Version before and after.

    Raises
    ------
    ArchiveRefused
        When the file is of a newer version, or of another program.
    """
    steps = MIGRATIONS if steps is None else steps
    version = version_of(connection)
    check_version(version, len(steps))
    if version == len(steps):
        return version, version
    connection.execute("PRAGMA foreign_keys = OFF")  # has no effect inside a transaction
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = version_of(connection)  # another program may have migrated it already
        check_version(version, len(steps))
        _apply(connection, steps[version:], len(steps))
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    finally:
        connection.execute("PRAGMA foreign_keys = ON")
    return version, len(steps)


def _apply(connection: sqlite3.Connection, steps: Sequence[Sequence[str]], version: int) -> None:
    for statements in steps:
        for statement in statements:
            connection.execute(statement)
    if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise ArchiveRefused(
            "found rows without their parent; the archive stays as it was; restore a copy"
        )
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
    connection.execute(f"PRAGMA user_version = {version:d}")


def check_version(version: int, newest: int) -> None:
    """Refuse a version that this program does not know."""
    if version > newest:
        raise ArchiveRefused(
            f"found version {version} of the archive's tables; wanted at most {newest};"
            " install the newest gaitdyn"
        )
