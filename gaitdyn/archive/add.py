"""Add results to an archive."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from gaitdyn.archive.connection import WAIT_S, transaction, writing
from gaitdyn.archive.insert import delete_trial, insert_trial, read_quantities, same_recording
from gaitdyn.archive.query import SESSIONS, people_of_recordings
from gaitdyn.archive.results import check_results, read_record, result_folders, result_sha256
from gaitdyn.errors import ResultsRefused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from gaitdyn.archive.results import TrialRecord

_SAME_RESULT = f"SELECT pseudonym {SESSIONS} WHERE result_sha256 = ?"


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
    stop the others.

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
    replace, subject, session, pseudonyms, verify
        As for :func:`add_results`.

    Yields
    ------
    Added
        The outcome for each folder, in order.
    """
    for i, folder in enumerate(folders, 1):
        try:
            check_results(folder, verify=verify)
            sha256 = result_sha256(folder)
            if row := connection.execute(_SAME_RESULT, (sha256,)).fetchone():
                stays = subject is not None and row[0] != subject
                message = f"{folder.name}: stays with subject {row[0]}" if stays else ""
                yield Added(folder, "known", message, i, len(folders))
                continue
            record = read_record(
                folder, sha256=sha256, subject=subject, session=session, pseudonyms=pseudonyms
            )
            outcome = add_record(connection, record, replace=replace)
        except (ResultsRefused, OSError) as error:
            yield Added(folder, "refused", str(error), i, len(folders))
        except (sqlite3.IntegrityError, UnicodeEncodeError) as error:
            message = f"{folder}: found results that contradict themselves ({error}); process again"
            yield Added(folder, "refused", message, i, len(folders))
        else:
            said = _two_people(connection, record)
            yield Added(folder, outcome, said, i, len(folders), record.gaitdyn)


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
