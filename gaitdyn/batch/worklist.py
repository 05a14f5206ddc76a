"""What to check in a trial, why, and the lines for ``session.toml`` that settle it.

The lines are proposals, to be pasted after a check. Every later run then uses them, and the results
record the correction by hand.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from gaitdyn.events.assignment import GIVEN
from gaitdyn.events.contact_words import CUT, nearest_foot
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from gaitdyn.store.stored import StoredTrial

_MOVED = ("event-disagreement", "event-contradicted")
_EVENTS = (*_MOVED, "event-missing")
_SAME_S = 0.0005
"""Times closer than this belong to one event."""

_MASS = ("mass-differs", "mass-from-static")
_APART = ("contact-rejected", "contact-partial", "turning", *_EVENTS, *_MASS)
"""Findings for which no cycle is left out; turning strides are a condition of their own."""


@frozen()
class WorklistItem:
    """One thing to check.

    Attributes
    ----------
    what, why : str
    lines : str
        For ``session.toml``; empty if no line there can settle it.
    """

    what: str
    why: str
    lines: str = ""


def worklist(trial: StoredTrial) -> list[dict[str, str]]:
    """Return what to check in a trial as plain values: ``what``, ``why``, ``lines``."""
    file = next(x["name"] for x in trial.document["inputs"] if x["role"] == "trial")
    items = [*_steps(trial, file), *_events(trial, file), *_cycles(trial, file), *_mass(trial)]
    return [asdict(item) for item in items]


def failed_item(file: str, reason: str) -> dict[str, str]:
    """Return what to check in a trial that failed."""
    return asdict(WorklistItem("the file itself", reason, left_out_lines(file)))


def left_out_lines(file: str) -> str:
    """Return the lines that leave a file out."""
    return f"{_head(file)}\nuse = false"


def _head(file: str) -> str:
    return f"[trials.{json.dumps(file, ensure_ascii=False)}]"


def _steps(trial: StoredTrial, file: str) -> list[WorklistItem]:
    """Return the doubtful steps on force plates.

    The proposal is the nearest foot for a force without a foot, and none for a force that two feet
    share or that is only part of a foot's. A force that was assigned to no foot is settled.
    """
    doubtful: list[str] = []
    assignments: list[str] = []
    for row in trial.tables["contacts"]:
        settled = row["reason"].startswith(CUT) or row["reason"] in GIVEN.values()
        if row["verdict"] == "valid" or settled:
            continue
        near = nearest_foot(row["reason"]) if row["side"] == "none" else ""
        frames = f"{row['first_frame']}-{row['last_frame']}"
        assignments.append(f"{row['plate']}={near or 'none'}:{frames}")
        doubtful.append(
            f"plate {row['plate']}, frames {frames} ({row['verdict']}): {row['reason']}"
        )
    if not doubtful:
        return []
    line = f'assign = "{",".join(assignments)}"\nreasons = {{ assign = "" }}'
    return [
        WorklistItem("which foot stood on a plate", "; ".join(doubtful), f"{_head(file)}\n{line}")
    ]


def _events(trial: StoredTrial, file: str) -> list[WorklistItem]:
    """Return the doubtful events, and all events with the times of plates and markers.

    If no event can be moved to such a time, no line is proposed. Events outside a recording that
    was cut are left out: given ones must lie in it.
    """
    findings = [row for row in trial.document.get("findings") or [] if row["code"] in _EVENTS]
    doubts = [row for row in findings if row["level"] != "info"]
    if not doubts:
        return []
    inside = [row for row in trial.tables["events"] if _is_inside(row, trial.document["file"])]
    events = [(e["side"], e["event"], float(e["time_s"])) for e in inside]
    moved = [row for row in doubts if row["code"] in _MOVED]
    corrected = [(side, kind, _moved(side, time, moved)) for side, kind, time in events]
    rows = ",\n".join(
        f'  {{ side = "{side}", event = "{kind}", time_s = {time:.3f} }}'
        for side, kind, time in corrected
    )
    line = f'{_head(file)}\nevents = [\n{rows},\n]\nreasons = {{ events = "" }}'
    why = "; ".join(row["message"] for row in doubts)
    what = "the events, against video and plates"
    return [WorklistItem(what, why, line if corrected != events else "")]


def _is_inside(event: dict[str, str], file: dict[str, Any]) -> bool:
    """Return whether an event lies in the frames of a recording, with half a frame of tolerance."""
    rows, half = float(event["frame"]) - file["first_frame"], 0.5
    return -half <= rows <= file["frames"] - half


def _moved(side: str, time_s: float, doubts: list[dict[str, Any]]) -> float:
    """Return the time of plates or markers for a doubtful event, or the event's own time."""
    for row in doubts:
        ends = [end for end in (row.get("start_s"), row.get("stop_s")) if end is not None]
        if row["side"] == side and len(ends) == 2:  # noqa: PLR2004  of file and plate or markers
            distances = [abs(end - time_s) for end in ends]
            if min(distances) < _SAME_S:
                return ends[1 - distances.index(min(distances))]
    return time_s


def _cycles(trial: StoredTrial, file: str) -> list[WorklistItem]:
    """Return the cycles that a rule marks as doubtful."""
    doubts: dict[str, list[str]] = {}
    for row in trial.document.get("findings") or []:
        if row["level"] != "info" and row.get("cycle") and row["code"] not in _APART:
            doubts.setdefault(f"{row['side']} {row['cycle']}", []).append(row["message"])
    for row in trial.document["status"]:
        if row.get("verdict") == "fail":
            doubts.setdefault(f"{row['side']} {row['cycle']}", []).extend(row.get("reasons") or ())
    if not doubts:
        return []
    named = ", ".join(f'"{cycle}"' for cycle in doubts)
    reasons = ", ".join(f'"{cycle}" = ""' for cycle in doubts)
    line = f"leave_out = [{named}]\nreasons = {{ {reasons} }}"
    why = "; ".join(dict.fromkeys(text for messages in doubts.values() for text in messages))
    return [WorklistItem(f"cycles {', '.join(doubts)}", why, f"{_head(file)}\n{line}")]


def _mass(trial: StoredTrial) -> list[WorklistItem]:
    """Return a body mass that the plates contradict, or that is missing."""
    rows = [r for r in trial.tables["quality"] if r["code"] in _MASS and r["level"] != "info"]
    why = [row["message"] for row in rows]
    if trial.document["subject"]["mass_kg"] is None and trial.tables["contacts"]:
        weighed = (r for r in trial.tables["quality"] if r["code"] == "mass-from-walking")
        why.append("; ".join([trial.document["kinetics"], *(r["message"] for r in weighed)]))
    return [WorklistItem("the body mass", message, "[subject]\nmass_kg = ") for message in why]
