"""One line for each trial: what ``summary.csv`` and the pages over sessions show."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, Any

from gaitdyn.batch import certainty
from gaitdyn.report.contents import kinetic_cycles, values_of
from gaitdyn.store.headings import by_heading
from gaitdyn.types.subject import SIDES
from gaitdyn.types.task import WALKING

if TYPE_CHECKING:
    from gaitdyn.store.stored import StoredTrial

PARAMETERS = ("speed", "cadence", "stride_length", "step_length", "foot_off")
"""Gait parameters of a summary, means over the cycles of a side."""

COLUMNS = (
    "condition",
    "model",
    "task",
    "verdict",
    "warnings",
    *certainty.COLUMNS,
    *(f"{side}_{word}" for side in SIDES for word in ("cycles", "kinetic_cycles", *PARAMETERS)),
)


def trial_row(trial: StoredTrial) -> dict[str, Any]:
    """Return the columns :data:`COLUMNS` of one trial: of its straight strides where it has any."""
    trial = by_heading(trial)[0]
    row: dict[str, Any] = {
        "condition": trial.condition,
        "model": trial.document["model"]["name"],
        "task": trial.document.get("task", WALKING),
        "verdict": trial.document["verdict"],
        "warnings": sum(r["level"] != "info" for r in trial.tables["quality"]),
        **certainty.certainty_row(trial),
    }
    for side in SIDES:
        row[f"{side}_cycles"] = sum(c.cycle.side == side for c in trial.cycles)
        row[f"{side}_kinetic_cycles"] = len(kinetic_cycles(trial, side))
        for name in PARAMETERS:
            values = values_of((trial,), "gait_parameters", name, side)
            row[f"{side}_{name}"] = fmean(values) if values else None
    return row
