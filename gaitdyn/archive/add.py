"""Add results to an archive, one transaction each, and say what became of each."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path, PurePath
from typing import Literal, TypeAlias

from gaitdyn.archive.connection import WAIT_S, transaction, writing
from gaitdyn.archive.query import SESSIONS, people_of_recordings
from gaitdyn.archive.record import TrialRecord, read_record
from gaitdyn.archive.results import check_results, result_folders, result_sha256
from gaitdyn.archive.trial_rows import delete_trial, insert_trial, read_quantities, same_recording
from gaitdyn.archive.walked_before import Walked, walked_before
from gaitdyn.errors import ResultsRefused
from gaitdyn.store.unnamed import codes_of_session
from gaitdyn.types.frozen import frozen
from gaitdyn.types.words import system_reason

_SAME_RESULT = f"SELECT pseudonym, session.name, newest {SESSIONS} WHERE result_sha256 = ?"
_LATER = (
    "another result of this recording was added later and counts; --replace removes that one and"
    " lets this one count again"
)

Outcome: TypeAlias = Literal["added", "further", "replaced", "known", "left out", "refused"]


@frozen()
class Added:
    """The outcome for one results folder.

    Attributes
    ----------
    folder : Path
    outcome : {"added", "further", "replaced", "known", "left out", "refused"}
        ``further``: another result of a recording that the archive has; ``known``: the archive
        has this result already, and nothing was written; ``left out``: the archive has the same
        walk of another file, and nothing was written.
    message : str
        Why it was left out or refused, or what to check; empty if there is nothing to say.
    at, of : int
        Number of this folder, from 1, and number of folders.
    version : str
        Of the gaitdyn that processed it; empty if it was not added.
    """

    folder: Path
    outcome: Outcome
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
    ``replace`` the older ones are removed. A walk whose file was saved again is left out, or with
    ``replace`` takes the place of the walk that the archive has. A folder that cannot be read is
    reported and does not stop the others. The same result of which another was added later counts
    again with ``replace``; without it the message says which one counts.

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
    how = _How(replace, subject, session, pseudonyms, cache(codes_of_session), {})
    for i, folder in enumerate(folders, 1):
        outcome: Outcome = "refused"
        version = ""
        try:
            check_results(folder, verify=verify)
            outcome, message, version = _taken(connection, folder, how)
        except ResultsRefused as error:
            message = str(error)
        except OSError as error:
            message = f"{folder}: {system_reason(error)}"
        except (sqlite3.IntegrityError, UnicodeEncodeError) as error:
            message = f"{folder}: found results that contradict themselves ({error}); process again"
        yield Added(folder, outcome, message, i, len(folders), version)


@frozen(eq=False)
class _How:
    """How results are added, and what is known of the folders so far."""

    replace: bool
    subject: str | None
    session: str | None
    pseudonyms: bool
    same_person: Callable[[Path], dict[str, tuple[str, ...]]]
    left_out: dict[tuple[str, str], Walked]


def _taken(connection: sqlite3.Connection, folder: Path, how: _How) -> tuple[Outcome, str, str]:
    """Return what became of a results folder, what to say of it, and the version that made it."""
    sha256 = result_sha256(folder)
    if row := connection.execute(_SAME_RESULT, (sha256,)).fetchone():
        *kept, newest = row
        if how.replace and not newest:
            count_again(connection, sha256)
            return "replaced", "", ""
        return "known", _stays(folder, how, kept, newest=newest), ""
    record = read_record(
        folder, sha256=sha256, subject=how.subject, session=how.session, pseudonyms=how.pseudonyms
    )
    codes = how.same_person(folder.resolve().parent).get(record.subject, ())
    if how.subject is None and len(codes) > 1:
        record = replace(record, subject=_known(connection, codes))
    walked = _walked(connection, record, how.left_out)
    if walked is not None and not how.replace:
        how.left_out[_recording(record)] = walked
        return "left out", _saved_again(record, walked), ""
    outcome = add_record(connection, record, replace=how.replace, instead=walked)
    return outcome, _two_people(connection, record), record.gaitdyn


def _stays(folder: Path, how: _How, kept: Sequence[str], *, newest: bool) -> str:
    """Return what to know of a result that is there already; empty if there is nothing to say."""
    wanted = how.subject, how.session
    stays = [
        f"{kind} {found}"
        for kind, asked, found in zip(("with subject", "in session"), wanted, kept, strict=True)
        if asked is not None and asked != found
    ]
    words = [f"stays {' and '.join(stays)}"] * bool(stays) + [_LATER] * (not newest)
    return f"{folder.name}: {'; '.join(words)}" if words else ""


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


def _walked(
    connection: sqlite3.Connection, record: TrialRecord, known: dict[tuple[str, str], Walked]
) -> Walked | None:
    """Return the same walk of another file, if the archive lacks this recording."""
    if same_recording(connection, record):
        return None
    return known.get(_recording(record)) or walked_before(connection, record)


def _recording(record: TrialRecord) -> tuple[str, str]:
    return record.subject, str(record.trial["file_sha256"])


def _saved_again(record: TrialRecord, walked: Walked) -> str:
    """Return why a walk is left out that the archive has of another file, and how to count it."""
    return (
        f"{record.trial['name']}: this is the walk of {walked.name}, saved again: left out, so that"
        " its strides count once; --replace takes it instead"
    )


def add_record(
    connection: sqlite3.Connection,
    record: TrialRecord,
    *,
    replace: bool = False,
    instead: Walked | None = None,
) -> Literal["added", "further", "replaced", "known"]:
    """Add one result in one transaction; another writer may have added it in the meantime."""
    with transaction(connection):
        if connection.execute(_SAME_RESULT, (record.trial["result_sha256"],)).fetchone():
            return "known"
        older = same_recording(connection, record) + ([] if instead is None else [instead.key])
        for trial in older if replace else ():
            delete_trial(connection, trial)
        insert_trial(connection, record, read_quantities(connection))
    if not older:
        return "added"
    return "replaced" if replace else "further"


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
