"""Open an archive for many readers and one writer."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from gaitdyn.archive import schema
from gaitdyn.archive.integrity import check_whole
from gaitdyn.errors import ArchiveRefused
from gaitdyn.types.arguments import path_of

WAIT_S = 30.0
"""How long a second writer waits for the first."""

_LOG_PAGES = 8000
"""The log grows to 32 MB before it is written to the file: less waiting than with SQLite's 4 MB."""

_MAGIC = b"SQLite format 3\0"


@contextmanager
def reading(path: str | Path) -> Generator[sqlite3.Connection]:
    """Open an archive for reading; see :func:`snapshot` for several queries of one state.

    Parameters
    ----------
    path : str or Path

    Raises
    ------
    ArchiveRefused
        In one line: no such file, not an archive, damaged, of another version.
    """
    path = path_of("path", path, "an archive")
    if not path.is_file():
        found = "a folder" if path.is_dir() else "no such file"
        message = f"{path}: found {found}; wanted an archive; make one with `archive add`"
        raise ArchiveRefused(message)
    _check_magic(path)
    if path.stat().st_size == 0:
        message = f"{path.name}: found an empty file; wanted an archive; fill it with `archive add`"
        raise ArchiveRefused(message)
    with _refusing(path):
        connection = _open_to_read(path)
        try:
            if schema.version_of(connection) < len(schema.MIGRATIONS):
                connection.close()
                with writing(path):  # migrates it
                    pass
                connection = _open_to_read(path)
            schema.check_version(schema.version_of(connection), len(schema.MIGRATIONS))
            check_whole(connection)
            yield connection
        finally:
            connection.close()


@contextmanager
def writing(path: str | Path, wait_s: float = WAIT_S) -> Generator[sqlite3.Connection]:
    """Open an archive for writing; a missing one is created, an older version is migrated.

    Parameters
    ----------
    path : str or Path
    wait_s : float
        How long to wait for another writer, s.

    Raises
    ------
    ArchiveRefused
        In one line: not an archive, damaged, of a newer version, another program is writing.
    """
    path = path_of("path", path, "an archive")
    if path.is_dir():
        message = f"{path.name}: found a folder; wanted a file for the archive; name another"
        raise ArchiveRefused(message)
    if not path.parent.is_dir():
        message = f"{path}: found no folder {path.parent}; make it first, or name another file"
        raise ArchiveRefused(message)
    if path.exists() and not path.is_file():
        raise ArchiveRefused(f"{path.name}: found a pipe or a device; wanted a file; name another")
    _check_magic(path)
    with _refusing(path):
        connection = sqlite3.connect(path, timeout=wait_s, isolation_level=None)
        try:
            version = schema.version_of(connection)  # before a foreign file is changed
            schema.check_version(version, len(schema.MIGRATIONS))
            if version:
                _set_pragmas(connection)
                check_whole(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES:d}")
            _set_pragmas(connection)
            schema.migrate(connection)
            yield connection
        finally:
            connection.close()


@contextmanager
def in_memory() -> Generator[sqlite3.Connection]:
    """Open an empty archive in memory, which is discarded at the end."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        _set_pragmas(connection)
        schema.migrate(connection)
        yield connection
    finally:
        connection.close()


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """Commit everything that is written inside the block, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def snapshot(connection: sqlite3.Connection) -> Generator[None]:
    """Read the state of one moment inside the block, whatever a writer adds in the meantime."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            connection.execute("COMMIT")


def _open_to_read(path: Path) -> sqlite3.Connection:
    """Open a connection that allows only queries.

    The file is opened for writing, so that SQLite removes its temporary files at the end. A
    read-only folder has no writer, so that the file is opened there as immutable.
    """
    uri = path.resolve().as_uri()
    connection = sqlite3.connect(f"{uri}?mode=rw", uri=True, timeout=WAIT_S, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        connection.close()
        if not isinstance(error, sqlite3.OperationalError) or Path(f"{path}-wal").exists():
            raise
        connection = sqlite3.connect(f"{uri}?immutable=1", uri=True, isolation_level=None)
    connection.execute("PRAGMA query_only = ON")
    _set_pragmas(connection)
    return connection


def _set_pragmas(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA cache_size = -65536")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(f"PRAGMA mmap_size = {1 << 30:d}")


def _check_magic(path: Path) -> None:
    if path.is_file():
        with path.open("rb") as file:
            start = file.read(len(_MAGIC))
        if start and start != _MAGIC:
            message = f"{path.name}: found another kind of file; wanted an archive; name another"
            raise ArchiveRefused(message)


_TOLD = (
    (("locked", "busy"), "another program is writing to it", "wait until it has finished"),
    (
        ("readonly", "unable to open"),
        "cannot be opened ({text})",
        "check the permissions of the file and its folder",
    ),
    (("is full",), "the disk is full", "free some space, then add again"),
    (("",), "{text}", "restore a copy"),
)
"""Words in an error of the database, what to say instead, and what to do."""


@contextmanager
def _refusing(path: Path) -> Generator[None]:
    """Turn errors of the database into a refusal of one line with the file's name."""
    try:
        yield
    except ArchiveRefused as error:
        message = str(error).removeprefix(f"{path.name}: ")
        raise ArchiveRefused(f"{path.name}: {message}") from error
    except sqlite3.Error as error:
        text = str(error)
        told = next(row for row in _TOLD if any(word in text for word in row[0]))
        raise ArchiveRefused(f"{path.name}: {told[1].format(text=text)}; {told[2]}") from error
    except UnicodeDecodeError as error:  # also of a message about damaged pages
        raise ArchiveRefused(
            f"{path.name}: found text that is not UTF-8; restore a copy"
        ) from error
