"""Find what changed between the sessions of each person in an archive."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitdyn.archive.connection import snapshot
from gaitdyn.archive.integrity import check_numbers, check_samples, whole_document_in
from gaitdyn.archive.query import CYCLES
from gaitdyn.archive.record import visit_of
from gaitdyn.archive.where import STRAIGHT, Condition, where_sql
from gaitdyn.calibrate.statics.files import natural_order
from gaitdyn.errors import ResultsRefused
from gaitdyn.judge.changes.changed import find_changes
from gaitdyn.judge.finding import CurveFinding
from gaitdyn.judge.first_page import change_sentences
from gaitdyn.statistics.session_error import SessionError
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.cycles import Cycle, CycleCurves
from gaitdyn.types.norms import Norm


class SessionPair(NamedTuple):
    """Two sessions of one person and condition that follow each other.

    ``sentences`` are those of :func:`gaitdyn.judge.first_page.change_sentences`.
    """

    subject: str
    condition: str
    first: str
    second: str
    findings: tuple[CurveFinding, ...]
    sentences: tuple[str, ...] = ()


def session_changes(
    connection: sqlite3.Connection,
    where: Sequence[Condition] = (),
    *,
    norm: Norm | None = None,
    repeats: Mapping[str, SessionError] | None = None,
) -> list[SessionPair]:
    """Return what changed from each session of a person to the next.

    Sessions with a date are in the order of their dates, the others in natural order of their
    names.

    Strides that turn or fail a condition are left out; only sessions of the same condition are
    compared.

    Parameters
    ----------
    connection : sqlite3.Connection
    where : sequence of Condition
    norm, repeats : optional
        As for :func:`gaitdyn.judge.changes.changed.find_changes`.
    """
    with snapshot(connection):
        trials = _trials(connection, where)
    pairs = []
    for subject, condition in dict.fromkeys((key[0], key[1]) for key in trials):
        of_person = {key[2]: trials[key] for key in trials if key[:2] == (subject, condition)}
        for first, second in pairwise(_in_order(of_person)):
            before, after = of_person[first], of_person[second]
            try:
                changes = find_changes(before, after, norm=norm, repeats=repeats)
            except ResultsRefused:  # one of them has no straight stride
                continue
            pairs.append(
                SessionPair(
                    subject, condition, first, second, changes.findings, change_sentences(changes)
                )
            )
    return pairs


def _in_order(sessions: Mapping[str, Sequence[StoredTrial]]) -> list[str]:
    """Return the names of sessions in natural order, those with a date in the order of dates."""
    names = sorted(sessions, key=natural_order)
    days = {name: _day(trials) for name, trials in sessions.items()}
    dated = iter(sorted((n for n in names if days[n]), key=lambda n: days[n] or date.max))
    return [next(dated) if days[name] else name for name in names]


def _day(trials: Sequence[StoredTrial]) -> date | None:
    """Return the earliest date of the trials of a session; None if one has none."""
    try:
        return min(date.fromisoformat(trial.visit.text("date")) for trial in trials)
    except ValueError:
        return None


def _trials(
    connection: sqlite3.Connection, where: Sequence[Condition]
) -> dict[tuple[str, str, str], list[StoredTrial]]:
    """Return the trials by subject, condition and session, in the form read from folders."""
    conditions, values = where_sql(where)
    text = f"{conditions} AND {STRAIGHT}"
    rows = connection.execute(
        "SELECT DISTINCT trial.id, subject.pseudonym, trial.condition, session.name, trial.name,"
        f" provenance.document {CYCLES} JOIN provenance ON provenance.trial_id = trial.id"
        f" WHERE {text} ORDER BY trial.id",
        values,
    ).fetchall()
    trials: dict[tuple[str, str, str], list[StoredTrial]] = {}
    for number, subject, condition, session, name, document in rows:
        cycles = f"{CYCLES} WHERE trial.id = ? AND {text}", (int(number), *values)
        trial = _trial(connection, cycles, str(name), str(document))
        trials.setdefault((str(subject), str(condition), str(session)), []).append(trial)
    return trials


def _trial(
    connection: sqlite3.Connection, of_cycles: tuple[str, tuple[Any, ...]], name: str, document: str
) -> StoredTrial:
    """Return a trial with the cycles that SQL with its values selects."""
    text, values = of_cycles
    cycles = connection.execute(
        f"SELECT cycle.id, side, cycle.number, foot_off_percent {text} ORDER BY side, cycle.number",
        values,
    ).fetchall()
    curves = tuple(_curves(connection, row) for row in cycles)
    codes = connection.execute(
        f"SELECT code FROM quality WHERE trial_id IN (SELECT cycle.trial_id {text})",  # noqa: S608
        values,
    ).fetchall()
    quality = [{"code": str(code)} for (code,) in codes]
    tables = {**_numbers(connection, text, values), "quality": quality}
    told = whole_document_in(document)
    return StoredTrial(Path(), name, told, {}, curves, tables, visit=visit_of(told))


def _numbers(
    connection: sqlite3.Connection, text: str, values: tuple[Any, ...]
) -> dict[str, list[dict[str, str]]]:
    """Return the rows of gait parameters and peaks of the cycles that SQL selects, by table."""
    tables: dict[str, list[dict[str, str]]] = {}
    for table, of_archive, percent in (
        ("gait_parameters", "parameter", "NULL"), ("peaks", "peak", "percent"),
    ):  # fmt: skip
        rows = connection.execute(
            f"SELECT side, number, name, unit, value, {percent}, cycle.kinetics FROM {of_archive}"  # noqa: S608
            " JOIN cycle ON cycle.id = cycle_id JOIN quantity ON quantity.id = quantity_id"
            f" WHERE cycle_id IN (SELECT cycle.id {text})",
            values,
        ).fetchall()
        check_numbers(cell for row in rows for cell in row[4:6] if cell is not None)
        tables[table] = [
            {
                "side": str(side), "cycle": str(number), "quantity": str(name), "unit": str(unit),
                "value": str(value), "percent": "" if at is None else str(at),
                "kinetics": "1" if kinetics == "ok" else "0",
            }
            for side, number, name, unit, value, at, kinetics in rows
        ]  # fmt: skip
    return tables


def _curves(connection: sqlite3.Connection, row: tuple[int, str, int, float | None]) -> CycleCurves:
    number, side, cycle, foot_off = row
    rows = connection.execute(
        "SELECT name, unit, samples FROM curve JOIN quantity ON quantity.id = quantity_id WHERE"
        " cycle_id = ? ORDER BY quantity.id",
        (number,),
    ).fetchall()
    check_samples([row[-1] for row in rows])
    values = [np.frombuffer(samples, "<f4").astype(float) for _, _, samples in rows]
    table = np.stack(values, axis=1) if values else np.empty((101, 0))
    names, units = (tuple(str(row[i]) for row in rows) for i in (0, 1))
    return CycleCurves(Cycle(side, int(cycle), 0.0, 100.0, foot_off), names, units, table)
