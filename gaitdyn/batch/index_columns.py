"""Columns of the index page, for sessions and trials; empty columns are left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

from gaitdyn.types.frozen import frozen

Row = dict[str, Any]


@frozen()
class IndexColumn:
    """A column of a table in the index.

    Attributes
    ----------
    head : str
    cell : callable
        Row -> text of the cell, empty if the value is unknown.
    numeric : bool
    narrow : bool
        Whether it is also shown on a narrow screen.
    note : str
        Explanation below the tables.
    """

    head: str
    cell: Callable[[Row], str]
    numeric: bool = False
    narrow: bool = False
    note: str = ""


def known_columns(columns: Sequence[IndexColumn], rows: Sequence[Row]) -> list[IndexColumn]:
    """Return the columns that are not empty in every row."""
    return [column for column in columns if any(column.cell(row) for row in rows)]


def _number(value: Any, digits: int) -> str:
    return f"{value:.{digits}f}" if isinstance(value, float | int) else ""


def _both(row: Row, name: str) -> str:
    """Return a count for both sides, left first."""
    left, right = (row.get(f"{side}_{name}") for side in ("left", "right"))
    return "" if left is None else f"{left} / {right}"


def _speed(row: Row) -> str:
    """Return the mean of the known speeds, as for a session."""
    known = [v for side in ("left", "right") if (v := row.get(f"{side}_speed")) is not None]
    return _number(fmean(known), 2) if known else ""


def _task(row: Row) -> str:
    """Return the task unless it is walking."""
    return "" if row.get("task") in (None, "walking") else str(row["task"])


SESSIONS = (
    IndexColumn("Subject", lambda r: r["subject"]),
    IndexColumn("Date", lambda r: r["date"], narrow=True),
    IndexColumn("Condition", lambda r: r["conditions"]),
    IndexColumn("Settings that differ", lambda r: r["settings"]),
    IndexColumn("Speed (m/s)", lambda r: _number(r["speed"], 2), numeric=True),
    IndexColumn("GPS left (\u00b0)", lambda r: _number(r["gps"].get("left"), 1), True, True),
    IndexColumn("GPS right (\u00b0)", lambda r: _number(r["gps"].get("right"), 1), True, True),
    IndexColumn("Cycles L", lambda r: str(r["cycles"]["left"]), numeric=True),
    IndexColumn("Cycles R", lambda r: str(r["cycles"]["right"]), numeric=True),
)
"""Between a session's name and its verdicts; rows from :func:`gaitdyn.batch.pages.session_row`."""

TRIALS = (
    IndexColumn("Task", _task),
    IndexColumn("Condition", lambda t: t.get("condition") or ""),
    IndexColumn("Cycles, left / right", lambda t: _both(t, "cycles")),
    IndexColumn("with kinetics", lambda t: _both(t, "kinetic_cycles")),
    IndexColumn("Speed (m/s)", _speed),
    IndexColumn(
        "Band at peaks (N m/kg)", lambda t: _number(t.get("moment_band"), 2),
        note="Band: mean width of the 95 % bands at peak moments.",
    ),
)  # fmt: skip
"""Between the verdict of a trial and its worst reason; rows from ``session.json``."""
