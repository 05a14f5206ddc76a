"""Tables on how far the data can be trusted: findings, steps on plates, status of each joint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.report.contents import Table
from gaitdyn.types.motion import JOINTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.store.stored import StoredTrial

STATUS = {"ok": "\u2713 ok", "partial": "~ partial", "skipped": "\u2717 none"}
LEVELS = {"Warnings": ("error", "warning"), "Notes": ("info",)}


def findings_table(trials: Sequence[StoredTrial], title: str) -> Table:
    """Return rows of ``quality.csv``, the gravest first: ``Warnings``, or ``Notes``."""
    rows = [
        (row["level"], trial.name, row["scope"], row["message"], row["code"])
        for level in LEVELS[title]
        for trial in trials
        for row in trial.tables["quality"]
        if row["level"] == level
    ]
    columns = ("Level", "Trial", "About", "What was found", "Code")
    return Table(title, columns, tuple(rows), prose=True)


def status_table(trials: Sequence[StoredTrial]) -> Table:
    """Return the status of the kinetics of every cycle, a joint a column."""
    rows = []
    for trial in trials:
        states: dict[tuple[str, int], dict[str, dict[str, str]]] = {}
        for row in trial.document["status"]:
            states.setdefault((row["side"], row["cycle"]), {})[row["joint"]] = row
        for (side, cycle), found in states.items():
            words = [STATUS[found[j]["status"]] if j in found else "" for j in reversed(JOINTS)]
            reasons = dict.fromkeys(row["reason"] for row in found.values() if row["reason"])
            rows.append((trial.name, side, str(cycle), *words, "; ".join(reasons)))
    columns = ("Trial", "Side", "Cycle", "Hip", "Knee", "Ankle", "Why not")
    notes = ("Kinetics of a joint in a cycle: ok from 0 to 100 %, partial in a part of it.",)
    return Table("Kinetics of each cycle", columns, tuple(rows), notes, prose=True)


def contacts_table(trials: Sequence[StoredTrial]) -> Table:
    """Return the steps on the plates and whether their force is used."""
    rows = [
        (
            trial.name,
            row["plate"],
            row["side"],
            f"{row['first_frame']}\u2013{row['last_frame']}",
            f"{float(row['peak_n']):.0f}" if row["peak_n"] else "",
            row["verdict"],
            row["reason"],
        )
        for trial in trials
        for row in trial.tables["contacts"]
    ]
    columns = ("Trial", "Plate", "Foot", "Frames", "Peak (N)", "Verdict", "Why")
    return Table("Steps on force plates", columns, tuple(rows), prose=True)


def events_table(trials: Sequence[StoredTrial]) -> Table:
    """Return where the events of each trial come from."""
    rows = []
    for trial in trials:
        counts: dict[tuple[str, str, str], list[str]] = {}
        for row in trial.tables["events"]:
            key = row["side"], row["event"].replace("_", " "), row["source"]
            counts.setdefault(key, []).append(f"{float(row['time_s']):.2f}")
        rows += [(trial.name, *key, ", ".join(times)) for key, times in counts.items()]
    columns = ("Trial", "Side", "Event", "From", "At (s)")
    return Table("Gait events", columns, tuple(rows), prose=True)
