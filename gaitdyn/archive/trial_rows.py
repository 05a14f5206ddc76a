"""Rows of one result in an open archive, written, found and deleted inside a transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import numpy as np

from gaitdyn.archive.integrity import CURVE_BYTES
from gaitdyn.archive.query import SESSIONS
from gaitdyn.archive.record import CycleRecord, TrialRecord

Quantities = dict[tuple[str, str, str], int]
"""Kind, name and unit -> key, of the quantities in the archive."""


def read_quantities(connection: sqlite3.Connection) -> Quantities:
    """Return the keys of all quantities."""
    rows = connection.execute("SELECT kind, name, unit, id FROM quantity")
    return {(kind, name, unit): key for kind, name, unit, key in rows}


def insert_trial(
    connection: sqlite3.Connection, record: TrialRecord, quantities: Quantities
) -> int:
    """Write one result within the caller's transaction and return the key of its trial.

    Earlier results of the same recording and subject are no longer marked as the newest.

    Parameters
    ----------
    connection : sqlite3.Connection
    record : TrialRecord
    quantities : dict
        Of :func:`read_quantities`; new ones are added.
    """
    subject = _subject(connection, record)
    session = _session(connection, subject, record.session)
    for row in same_recording(connection, record):
        connection.execute("UPDATE trial SET newest = 0 WHERE id = ?", (row,))
    columns = [*record.trial, "session_id", "newest"]
    marks = ", ".join("?" * len(columns))
    sql = f"INSERT INTO trial ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608  fixed names
    trial = _key(connection.execute(sql, (*record.trial.values(), session, 1)))
    for cycle in record.cycles:
        _insert_cycle(connection, trial, cycle, quantities)
    connection.executemany(
        "INSERT INTO quality VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(trial, number, *row) for number, row in enumerate(record.quality, 1)],
    )
    connection.execute(
        "INSERT INTO provenance VALUES (?, ?, ?)", (trial, record.gaitdyn, record.document)
    )
    return trial


def same_recording(connection: sqlite3.Connection, record: TrialRecord) -> list[int]:
    """Return the keys of all results of the same recording of the same subject."""
    rows = connection.execute(
        f"SELECT trial.id {SESSIONS} WHERE file_sha256 = ? AND pseudonym = ?",
        (record.trial["file_sha256"], record.subject),
    )
    return [row[0] for row in rows]


def delete_trial(connection: sqlite3.Connection, trial: int) -> None:
    """Delete a result with all its rows, and sessions and subjects that are empty afterwards."""
    connection.execute("DELETE FROM trial WHERE id = ?", (trial,))
    connection.execute("DELETE FROM session WHERE id NOT IN (SELECT session_id FROM trial)")
    connection.execute("DELETE FROM subject WHERE id NOT IN (SELECT subject_id FROM session)")


def _key(cursor: sqlite3.Cursor) -> int:
    return int(cursor.lastrowid or 0)


def _subject(connection: sqlite3.Connection, record: TrialRecord) -> int:
    values = (record.sex, record.subject)
    connection.execute("INSERT OR IGNORE INTO subject (sex, pseudonym) VALUES (?, ?)", values)
    connection.execute("UPDATE subject SET sex = coalesce(sex, ?) WHERE pseudonym = ?", values)
    row = connection.execute("SELECT id FROM subject WHERE pseudonym = ?", values[1:])
    return int(row.fetchone()[0])


def _session(connection: sqlite3.Connection, subject: int, name: str) -> int:
    values = (subject, name)
    connection.execute("INSERT OR IGNORE INTO session (subject_id, name) VALUES (?, ?)", values)
    row = connection.execute("SELECT id FROM session WHERE subject_id = ? AND name = ?", values)
    return int(row.fetchone()[0])


def _insert_cycle(
    connection: sqlite3.Connection, trial: int, cycle: CycleRecord, quantities: Quantities
) -> None:
    head = (cycle.side, cycle.number, cycle.start_s, cycle.stop_s, cycle.foot_off_percent)
    key = _key(
        connection.execute(
            "INSERT INTO cycle VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (trial, *head, cycle.speed, cycle.speed_nondimensional, cycle.kinetics),
        )
    )
    connection.executemany(
        "INSERT INTO curve VALUES (?, ?, ?)",
        ((key, quantity, blob) for quantity, blob in _blobs(connection, cycle, quantities)),
    )

    def of(kind: str, name: str, unit: str) -> int:
        return _quantity(connection, quantities, (kind, name, unit))

    connection.executemany(
        "INSERT INTO parameter VALUES (?, ?, ?)",
        [(key, of("parameter", name, unit), value) for name, unit, value, _ in cycle.parameters],
    )
    connection.executemany(
        "INSERT INTO peak VALUES (?, ?, ?, ?)",
        [
            (key, of("peak", name, unit), value, percent)
            for name, unit, value, percent in cycle.peaks
        ],
    )


def _blobs(
    connection: sqlite3.Connection, cycle: CycleRecord, quantities: Quantities
) -> Iterator[tuple[int, memoryview]]:
    """Yield key and float32 values of each curve with at least one finite value."""
    has_values: list[bool] = np.any(np.isfinite(cycle.samples), axis=1).tolist()
    data = memoryview(cycle.samples.tobytes())
    for i, name in enumerate(cycle.curves):
        if has_values[i]:
            key = _quantity(connection, quantities, ("curve", *name))
            yield key, data[i * CURVE_BYTES : (i + 1) * CURVE_BYTES]


def _quantity(
    connection: sqlite3.Connection, quantities: Quantities, quantity: tuple[str, str, str]
) -> int:
    """Return the key of a quantity, which is added to the archive if it is new."""
    if quantity not in quantities:
        connection.execute(
            "INSERT OR IGNORE INTO quantity (kind, name, unit) VALUES (?, ?, ?)", quantity
        )
        rows = connection.execute(
            "SELECT id FROM quantity WHERE kind = ? AND name = ? AND unit = ?", quantity
        )
        quantities[quantity] = int(rows.fetchone()[0])
    return quantities[quantity]
