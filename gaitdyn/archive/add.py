"""Add results to an archive: which of them, and how each is written into an open one."""

from __future__ import annotations

import dataclasses
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePath
from typing import Literal

import numpy as np

from gaitdyn.archive.connection import WAIT_S, transaction, writing
from gaitdyn.archive.integrity import CURVE_BYTES
from gaitdyn.archive.query import SESSIONS, people_of_recordings
from gaitdyn.archive.record import CycleRecord, TrialRecord, read_record
from gaitdyn.archive.results import check_results, result_folders, result_sha256
from gaitdyn.archive.walked_before import walked_before
from gaitdyn.errors import ResultsRefused
from gaitdyn.store.unnamed import codes_of_session
from gaitdyn.types.words import system_reason

_SAME_RESULT = f"SELECT pseudonym, session.name, newest {SESSIONS} WHERE result_sha256 = ?"
_LATER = (
    "another result of this recording was added later and counts; --replace removes that one and"
    " lets this one count again"
)
Quantities = dict[tuple[str, str, str], int]
"""Kind, name and unit -> key, of the quantities in the archive."""


@dataclass(frozen=True, slots=True)
class Added:
    """The outcome for one results folder.

    Attributes
    ----------
    folder : Path
    outcome : {"added", "further", "replaced", "known", "refused"}
        ``further``: another result of a recording that the archive has; ``known``: the archive
        has this result already, and nothing was written.
    message : str
        Why it was refused, or what to check; empty if there is nothing to say.
    at, of : int
        Number of this folder, from 1, and number of folders.
    version : str
        Of the gaitdyn that processed it; empty if it was not added.
    """

    folder: Path
    outcome: Literal["added", "further", "replaced", "known", "refused"]
    message: str
    at: int
    of: int
    version: str = ""


def add_results(
    archive: str | Path,
    results: str | Path | Sequence[str | Path],
    *,
    replace: bool = False,
    subject: str | None = None,
    session: str | None = None,
    pseudonyms: bool = False,
    wait_s: float = WAIT_S,
    verify: bool = False,
) -> Iterator[Added]:
    """Add results folders, one transaction each, and yield the outcome of each.

    A folder is added when its outcome is asked for: iterate over all of them, or take a ``list``.
    The same result (SHA-256 of its files) changes nothing. Another result of the same recording
    and subject becomes a further trial, which queries use instead of the older one; with
    ``replace`` the older ones are removed. A folder that cannot be read is reported and does not
    stop the others. The same result of which another was added later counts again with
    ``replace``; without it the message says which one counts.

    Parameters
    ----------
    archive : str or Path
        Created if it does not exist.
    results : str or Path, or a sequence of them
        Results folders, or folders that contain some.
    replace : bool
    subject, session : str, optional
        Pseudonym and session name to use instead of those found.
    pseudonyms : bool
        Remove names of persons from the names of sessions, trials and files.
    wait_s : float
        How long to wait for another writer, s.
    verify : bool
        Compare the hashes of all files with their list, not only their sizes.

    Raises
    ------
    ResultsRefused
        When a path has no results at all; raised before anything is written.
    ArchiveRefused
    UsageError
        When one of the arguments is not a path.
    """
    paths = [results] if isinstance(results, (str, PurePath, type(None))) else results
    folders = [folder for path in paths for folder in result_folders(path)]
    with writing(archive, wait_s) as connection:
        yield from add_folders(
            connection,
            folders,
            replace=replace,
            subject=subject,
            session=session,
            pseudonyms=pseudonyms,
            verify=verify,
        )


def add_folders(
    connection: sqlite3.Connection,
    folders: Sequence[Path],
    *,
    replace: bool = False,
    subject: str | None = None,
    session: str | None = None,
    verify: bool = False,
    pseudonyms: bool = False,
) -> Iterator[Added]:
    """Add results folders to an open archive, see :func:`add_results`.

    Parameters
    ----------
    connection : sqlite3.Connection
        Open for writing, see :func:`.connection.writing`.
    folders : sequence of Path
    replace, subject, session, verify, pseudonyms
        As for :func:`add_results`.

    Yields
    ------
    Added
        The outcome for each folder, in order.
    """
    same_person = cache(codes_of_session)
    for i, folder in enumerate(folders, 1):
        try:
            check_results(folder, verify=verify)
            sha256 = result_sha256(folder)
            if row := connection.execute(_SAME_RESULT, (sha256,)).fetchone():
                *kept, newest = row
                if replace and not newest:
                    count_again(connection, sha256)
                    yield Added(folder, "replaced", "", i, len(folders))
                    continue
                stays = [
                    f"{kind} {found}"
                    for kind, wanted, found in zip(
                        ("with subject", "in session"), (subject, session), kept, strict=True
                    )
                    if wanted is not None and wanted != found
                ]
                words = [f"stays {' and '.join(stays)}"] * bool(stays) + [_LATER] * (not newest)
                message = f"{folder.name}: {'; '.join(words)}" if words else ""
                yield Added(folder, "known", message, i, len(folders))
                continue
            record = read_record(
                folder, sha256=sha256, subject=subject, session=session, pseudonyms=pseudonyms
            )
            codes = same_person(folder.resolve().parent).get(record.subject, ())
            if subject is None and len(codes) > 1:
                record = dataclasses.replace(record, subject=_known(connection, codes))
            outcome = add_record(connection, record, replace=replace)
        except ResultsRefused as error:
            yield Added(folder, "refused", str(error), i, len(folders))
        except OSError as error:
            message = f"{folder}: {system_reason(error)}"
            yield Added(folder, "refused", message, i, len(folders))
        except (sqlite3.IntegrityError, UnicodeEncodeError) as error:
            message = f"{folder}: found results that contradict themselves ({error}); process again"
            yield Added(folder, "refused", message, i, len(folders))
        else:
            said = _two_people(connection, record) or _saved_again(connection, record)
            yield Added(folder, outcome, said, i, len(folders), record.gaitdyn)


def _known(connection: sqlite3.Connection, codes: Sequence[str]) -> str:
    """Return the code of a person under which the archive has results, or else the first."""
    rows = connection.execute("SELECT pseudonym FROM subject").fetchall()
    return next((code for code in codes if (code,) in rows), codes[0])


def _two_people(connection: sqlite3.Connection, record: TrialRecord) -> str:
    """Return what to do if the recording is in the archive under another pseudonym, too."""
    same = "trial.file_sha256 = ?", (record.trial["file_sha256"],)
    for _, people in people_of_recordings(connection, *same):
        if record.subject in people:
            return (
                f"{record.trial['name']}: this recording now counts as {len(people)} people,"
                f" {' and '.join(people)}; if it is one person, make the archive again with"
                " --subject and one of these for all its results"
            )
    return ""


def _saved_again(connection: sqlite3.Connection, record: TrialRecord) -> str:
    """Return what to do if the archive has the same walk of another file."""
    other = walked_before(connection, record)
    if not other:
        return ""
    return (
        f"{record.trial['name']}: this is the walk of {other}, saved again: both count; make the"
        " archive again without one of them"
    )


def add_record(
    connection: sqlite3.Connection, record: TrialRecord, *, replace: bool = False
) -> Literal["added", "further", "replaced", "known"]:
    """Add one result in one transaction; another writer may have added it in the meantime."""
    with transaction(connection):
        if connection.execute(_SAME_RESULT, (record.trial["result_sha256"],)).fetchone():
            return "known"
        older = same_recording(connection, record)
        for trial in older if replace else ():
            delete_trial(connection, trial)
        insert_trial(connection, record, read_quantities(connection))
    if not older:
        return "added"
    return "replaced" if replace else "further"


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


def count_again(connection: sqlite3.Connection, sha256: str) -> None:
    """Delete the other results of the recording and subject of a result, which then counts again.

    Parameters
    ----------
    connection : sqlite3.Connection
    sha256 : str
        Of a result in the archive.
    """
    with transaction(connection):
        others = connection.execute(
            f"SELECT trial.id {SESSIONS} WHERE result_sha256 != ?1 AND (file_sha256, pseudonym) ="
            f" (SELECT file_sha256, pseudonym {SESSIONS} WHERE result_sha256 = ?1)",
            (sha256,),
        ).fetchall()
        for (other,) in others:
            delete_trial(connection, other)
        connection.execute("UPDATE trial SET newest = 1 WHERE result_sha256 = ?", (sha256,))


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
