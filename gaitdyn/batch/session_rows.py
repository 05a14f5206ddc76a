"""The rows of a session's trials, and ``summary.csv``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gaitdyn.batch.outcome import Outcome
from gaitdyn.batch.trial_row import COLUMNS
from gaitdyn.batch.worklist import failed_item
from gaitdyn.tables.csv_files import csv_text, safe_cell

_HEAD = ("session", "trial", "file", "state")


def session_row(
    session: str, trial: Outcome, place: Path, apart: dict[str, list[dict[str, str]]]
) -> dict[str, Any]:
    """Return the row of one trial, the same whether it was done now or before.

    Parameters
    ----------
    session : str
    trial : Outcome
    place : Path
        Folder of the session's results.
    apart : dict
        Folder of a trial -> entries of its worklist from comparing the trials.
    """
    state = "failed" if trial.state == "failed" else "done"
    head = {"session": session, "trial": trial.name, "file": trial.file, "state": state}
    page = state == "done" and (place / trial.name / "report.html").is_file()
    rest = {name: trial.row.get(name) for name in COLUMNS}
    todo = [*trial.worklist, *apart.get(trial.name, ())]
    if state == "failed":
        todo = [failed_item(trial.file, trial.reason)]
    more = {"reason": trial.reason, "page": page, "worklist": todo}
    return {**head, "name": trial.name, **rest, **more}


def summary_text(rows: Sequence[dict[str, Any]]) -> str:
    """Return ``summary.csv``."""
    names = (*_HEAD, *COLUMNS, "reason")
    return csv_text(names, [[safe_cell(_cell(row[name])) for name in names] for row in rows])


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    return f"{value:.10g}" if isinstance(value, float) else value
