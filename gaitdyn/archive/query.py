"""Query an archive: list its sessions, count its rows, and check what a query asks for."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

from gaitdyn.archive.where import GROUND, PERSONS, Condition, column_of, where_sql
from gaitdyn.errors import UsageError

_MOST_LISTED = 12
"""Number of existing values that a refusal lists."""
SESSIONS = (
    "FROM trial JOIN session ON session.id = session_id JOIN subject ON subject.id = subject_id"
)
CYCLES = f"{SESSIONS} JOIN cycle ON cycle.trial_id = trial.id"


class SessionRow(NamedTuple):
    """One session in ``ls``; the numbers count the newest results."""

    subject: str
    session: str
    trials: int
    cycles: int
    conditions: str


def read_sessions(
    connection: sqlite3.Connection, where: Sequence[Condition] = ()
) -> list[SessionRow]:
    """Return the sessions with a cycle that fulfils the conditions, by subject and session."""
    check_known(connection, where)
    text, values = where_sql(where)
    rows = connection.execute(
        "SELECT subject.pseudonym, session.name, count(DISTINCT trial.id), count(cycle.id),"
        f" group_concat(DISTINCT trial.condition) {SESSIONS} LEFT JOIN cycle ON cycle.trial_id ="
        f" trial.id WHERE {text} GROUP BY session.id ORDER BY subject.pseudonym, session.name",
        values,
    )
    return [SessionRow(*row) for row in rows]


def sessions_alike(connection: sqlite3.Connection, where: Sequence[Condition]) -> list[str]:
    """Return a note on sessions of the same name that a condition on the name leaves out.

    Of folders of equal names, ``P01/day1`` and ``P02/day1``, a batch calls the second
    ``day1 (P02)``.

    Parameters
    ----------
    connection : sqlite3.Connection
    where : sequence of Condition
    """
    notes: list[str] = []
    for condition in where:
        if (condition.key, condition.operator) != ("session", "="):
            continue
        begin = f"{condition.value} ("
        rows = connection.execute(
            "SELECT DISTINCT name FROM session WHERE substr(name, 1, ?) = ?", (len(begin), begin)
        )
        names = sorted(str(name) for (name,) in rows)
        if names:
            more = f" and {len(names) - 2} more" if len(names) > 2 else ""  # noqa: PLR2004
            notes.append(
                f"session={condition.value} leaves out {', '.join(names[:2])}{more}: sessions of"
                " folders of the same name have other names"
            )
    return notes


def distinct(
    connection: sqlite3.Connection, columns: str, where: Sequence[Condition]
) -> list[tuple[str, ...]]:
    """Return the different values, in order, of columns of the strides that fulfil conditions."""
    text, values = where_sql(where)
    rows = connection.execute(
        f"SELECT DISTINCT {columns} {CYCLES} WHERE {text} ORDER BY {columns}", values
    )
    return [tuple(map(str, row)) for row in rows]


def grounds_of(connection: sqlite3.Connection, where: Sequence[Condition]) -> list[str]:
    """Return what the strides that fulfil the conditions were walked on: belt, floor, or both."""
    return [ground for (ground,) in distinct(connection, GROUND, where)]


def people_of_recordings(
    connection: sqlite3.Connection, where: str, values: Sequence[object]
) -> list[tuple[str, list[str]]]:
    """Return the trial and the subjects of each recording that counts as several people.

    A recording of two people, whose trials differ in ``subject_prefix``, is not among them.

    Parameters
    ----------
    connection : sqlite3.Connection
    where : str
        SQL conditions on the trials and their cycles.
    values : sequence
        Of the conditions.

    Returns
    -------
    list of (str, list of str)
        Such as ``("walk01", ["S01", "S02"])``.
    """
    rows = connection.execute(
        f"SELECT min(trial.name), json_group_array(DISTINCT pseudonym) {SESSIONS}"  # noqa: S608
        " LEFT JOIN cycle ON cycle.trial_id = trial.id"
        f" JOIN provenance ON provenance.trial_id = trial.id WHERE {where} AND EXISTS (SELECT 1"
        " FROM trial AS again JOIN session AS visit ON visit.id = again.session_id WHERE"
        " again.file_sha256 = trial.file_sha256 AND visit.subject_id != session.subject_id)"
        " GROUP BY file_sha256, json_extract(provenance.document, '$.options.subject_prefix')"
        " HAVING count(DISTINCT pseudonym) > 1 ORDER BY 1",
        tuple(values),
    )
    return [(str(name), sorted(json.loads(people))) for name, people in rows]


def count_rows(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the number of rows of each table."""
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    tables = sorted(name for (name,) in names if not name.startswith("sqlite_"))
    counts = (connection.execute(f'SELECT count(*) FROM "{t}"').fetchone() for t in tables)  # noqa: S608
    return {table: int(count) for table, (count,) in zip(tables, counts, strict=True)}


def check_known(connection: sqlite3.Connection, where: Sequence[Condition]) -> None:
    """Refuse conditions on a value that no result of the archive has.

    Raises
    ------
    UsageError
        Listing the existing values.
    """
    columns = {c: PERSONS.get(c.key) or column_of(c.key) for c in where if c.operator != "!="}
    asked = {condition: column for condition, column in columns.items() if column}
    values_of = ", ".join(f"json_group_array(DISTINCT {column})" for column in asked.values())
    sql = f"SELECT {values_of} {SESSIONS} LEFT JOIN cycle ON cycle.trial_id = trial.id"
    found = connection.execute(sql).fetchone() if asked else ()
    for (condition, column), text in zip(asked.items(), found, strict=True):
        values = json.loads(text)
        known = sorted(str(value) for value in values if value is not None)
        if condition.key in PERSONS and values and not known:
            raise UsageError(
                f"--where {condition.key}: found no trial whose {condition.key} is known; wanted"
                f" {column.removeprefix('trial.')} in subject.toml or session.toml when they were"
                " processed; leave the condition out"
            )
        if condition.key not in PERSONS and known and condition.value not in known:
            wanted = f"{condition.key}={condition.value}"
            listed = _listed(str(condition.value), known)
            raise UsageError(f"--where {wanted}: the archive has none; it has {listed}")


def _listed(wanted: str, existing: list[str]) -> str:
    """Return existing words, those that resemble a wanted one first."""
    similar = get_close_matches(wanted, existing, _MOST_LISTED, 0.5)
    ordered = list(dict.fromkeys((*similar, *existing)))
    listed = ", ".join(word or '""' for word in ordered[:_MOST_LISTED])
    more = len(ordered) - _MOST_LISTED
    return f"{listed} and {more} more" if more > 0 else listed
