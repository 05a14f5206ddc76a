"""Export an archive as a folder of tables, CSV or Parquet, with persons' names replaced."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from gaitdyn.archive.connection import snapshot
from gaitdyn.archive.curves import POINTS, CurveSet, curve_names
from gaitdyn.archive.cycles import COLUMNS, CycleRow
from gaitdyn.archive.exported_names import NamesInArchive, exported_rows, names_in_archive
from gaitdyn.archive.integrity import check_samples
from gaitdyn.archive.query import CYCLES, SESSIONS, check_known
from gaitdyn.archive.tables import CsvTable, ParquetTable
from gaitdyn.archive.where import Condition, where_sql
from gaitdyn.errors import OutputRefused
from gaitdyn.store.folder import ResultsFolder
from gaitdyn.store.single_file import new_file
from gaitdyn.store.whole import with_files
from gaitdyn.types.extras import import_extra
from gaitdyn.types.frozen import frozen

FORMATS = ("csv", "parquet")
MARK = "export.json"
"""File in every exported folder; it marks the folder as one that may be replaced."""

_BATCH = 5_000
_HEAD = CycleRow._fields
_TRIAL = ("subject", "session", "trial", "condition")
_OF_TRIAL = "subject.pseudonym, session.name, trial.name, trial.condition"


@frozen()
class ExportTable:
    """One table of an export: its columns, and the SQL that gives its rows."""

    name: str
    columns: tuple[str, ...]
    sql: str


def parts(text: str) -> tuple[ExportTable, ...]:
    """Return all tables except the curves.

    Parameters
    ----------
    text : str
        From :func:`gaitdyn.archive.where.where_sql`: columns of a fixed list, values as marks.
    """
    person = "subject.sex, trial.age_years, trial.mass_kg, trial.height_m"
    how = "trial.model, trial.profile, trial.moments_in, trial.convention, trial.verdict"
    source = (
        f"FROM (SELECT DISTINCT trial.id AS t {SESSIONS} LEFT JOIN cycle"
        f" ON cycle.trial_id = trial.id WHERE {text}) JOIN trial ON trial.id = t"
    )
    parents = "JOIN session ON session.id = session_id JOIN subject ON subject.id = subject_id"
    numbers = f"quantity.name, value, unit {CYCLES}"
    of_cycle = "quantity ON quantity.id = quantity_id"
    return (
        ExportTable(
            "trials",
            (*_TRIAL, *_words(person), *_words(how), "file_sha256", "gaitdyn", "document"),
            f"SELECT {_OF_TRIAL}, {person}, {how}, trial.file_sha256, gaitdyn, document {source}"
            f" {parents} JOIN provenance ON provenance.trial_id = trial.id ORDER BY trial.id",
        ),
        ExportTable(
            "cycles",
            (*_HEAD, "start_s", "stop_s", "foot_off_percent"),
            f"SELECT {COLUMNS}, start_s, stop_s, foot_off_percent {CYCLES} WHERE {text}"
            " ORDER BY cycle.id",
        ),
        ExportTable(
            "parameters",
            (*_HEAD, "quantity", "value", "unit"),
            f"SELECT {COLUMNS}, {numbers} JOIN parameter ON parameter.cycle_id = cycle.id"
            f" JOIN {of_cycle} WHERE {text} ORDER BY cycle.id, quantity.id",
        ),
        ExportTable(
            "peaks",
            (*_HEAD, "quantity", "value", "unit", "percent"),
            f"SELECT {COLUMNS}, quantity.name, value, unit, percent {CYCLES} JOIN peak ON"
            f" peak.cycle_id = cycle.id JOIN {of_cycle} WHERE {text}"
            " ORDER BY cycle.id, quantity.id",
        ),
        ExportTable(
            "quality",
            (*_TRIAL, "level", "code", "scope", "value", "limit", "message"),
            f"SELECT {_OF_TRIAL}, level, code, scope, value, bound, message {source} {parents}"
            " JOIN quality ON quality.trial_id = trial.id ORDER BY trial.id, quality.number",
        ),
    )


def export_archive(
    connection: sqlite3.Connection,
    folder: Path,
    kind: str,
    where: Sequence[Condition] = (),
    *,
    with_names: bool = False,
) -> dict[str, int]:
    """Write the tables of an archive into a folder and return the number of rows of each.

    The folder is written under a temporary name and moved into place as a whole. ``curves`` has
    one row per curve, sorted by signal: keys of the cycle, ``curve``, ``unit``, and its values as
    columns ``p0`` to ``p100`` (CSV, empty if unknown) or as one list ``samples`` (Parquet).

    Parameters
    ----------
    connection : sqlite3.Connection
        Of :func:`gaitdyn.archive.reading`.
    folder : Path
        Missing, empty, or an earlier export, which is replaced.
    kind : {"csv", "parquet"}
    where : sequence of Condition
    with_names : bool
        Leave names of persons in the names of sessions, trials and conditions.

    Raises
    ------
    OutputRefused
        When the folder has other contents or cannot be written.
    ExtraMissing
        When pyarrow is needed and not installed.
    """
    if kind == "parquet":
        import_extra("pyarrow.parquet", "--format parquet")
    _check_folder(folder)
    check_known(connection, where)
    counts: dict[str, int] = {}
    new = CsvTable if kind == "csv" else ParquetTable
    with snapshot(connection), ResultsFolder(folder).writing() as new_folder:
        names = None if with_names else names_in_archive(connection)
        text, values = where_sql(where)
        for part in parts(text):
            with closing(new(new_folder / f"{part.name}.{kind}", part.columns)) as table:
                rows = connection.execute(part.sql, values)
                counts[part.name] = _copy(rows, table, part.columns, names)
        columns = (*_HEAD, "curve", "unit")
        with closing(new(new_folder / f"curves.{kind}", columns, POINTS)) as table:
            counts["curves"] = sum(
                _copy(rows, table, columns, names, check_samples)
                for rows in _curves(connection, text, values)
            )
        document = {"format": kind, "rows": counts}
        sealed = with_files(document, new_folder, lambda doc: json.dumps(doc) + "\n")[1]
        (new_folder / MARK).write_text(sealed, encoding="utf-8", newline="\n")
    return counts


def write_curves(
    curves: CurveSet, path: Path, *, force: bool = False, names: NamesInArchive | None = None
) -> None:
    """Write one signal to a CSV file, one row per cycle, as in ``curves.csv`` of an export.

    Parameters
    ----------
    curves : CurveSet
    path : Path
    force : bool
        Replace an existing file.
    names : NamesInArchive, optional
        Names of persons to replace, from :func:`names_in_archive`.

    Raises
    ------
    OutputRefused
        When the file exists and ``force`` is not given, or cannot be written.
    """
    rows = [
        (*row, curves.name, curves.unit, values.astype("<f4").tobytes())
        for row, values in zip(curves.rows, curves.values, strict=True)
    ]
    columns = (*_HEAD, "curve", "unit")
    with new_file(path, force=force) as new, closing(CsvTable(new, columns, POINTS)) as table:
        table.write(exported_rows(rows, columns, names))


def _curves(
    connection: sqlite3.Connection, text: str, values: Sequence[Any]
) -> Iterator[sqlite3.Cursor]:
    """Yield the rows of each signal in turn; the last column is the blob."""
    sql = (
        f"SELECT {COLUMNS}, quantity.name, quantity.unit, samples {CYCLES} JOIN curve ON"
        " curve.cycle_id = cycle.id JOIN quantity ON quantity.id = curve.quantity_id"
        " AND quantity.kind = 'curve' AND quantity.name = ? AND quantity.unit = ?"
        f" WHERE {text} ORDER BY cycle.id"
    )
    for name, unit in curve_names(connection):
        yield connection.execute(sql, (name, unit, *values))


def _copy(
    rows: sqlite3.Cursor,
    table: CsvTable | ParquetTable,
    columns: Sequence[str],
    names: NamesInArchive | None,
    check_last: Callable[[Sequence[Any]], None] | None = None,
) -> int:
    """Check the cells of the last column, write the rows, and return their number."""
    count = 0
    while batch := rows.fetchmany(_BATCH):
        if check_last is not None:
            check_last([row[-1] for row in batch])
        table.write(exported_rows(batch, columns, names))
        count += len(batch)
    return count


def _words(columns: str) -> tuple[str, ...]:
    return tuple(column.rpartition(".")[2] for column in columns.split(", "))


def _check_folder(folder: Path) -> None:
    if folder.is_file():
        message = f"{folder.name} is a file, wanted a folder for the tables; name another with -o"
        raise OutputRefused(message)
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        message = f"{folder.name} has files that `archive export` did not write; choose another -o"
        raise OutputRefused(message)
