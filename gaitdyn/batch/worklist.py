"""What a person should look at in a trial, why, and the lines for ``session.toml`` that decide it.

The lines are proposals: a person looks first. Pasted, they are kept by every run that follows, and
the results say that they were corrected by hand.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gaitdyn.store.stored import StoredTrial

_NEAR = re.compile(r"(left|right) foot (\d+) mm")
_EVENTS = "event-disagreement"
_MASS = ("mass-differs", "mass-from-static")
_APART = ("contact-rejected", "contact-partial", "turning", _EVENTS, *_MASS)
"""Findings that no cycle is left out for: strides that turn are a condition of their own."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to look at.

    Attributes
    ----------
    what, why : str
    lines : str
        For ``session.toml``; empty where nothing there can decide it.
    """

    what: str
    why: str
    lines: str = ""


def worklist(trial: StoredTrial) -> list[dict[str, str]]:
    """Return what to look at in a trial as plain values: ``what``, ``why``, ``lines``.

    Parameters
    ----------
    trial : StoredTrial
    """
    file = next(x["name"] for x in trial.document["inputs"] if x["role"] == "trial")
    items = [*_steps(trial, file), *_events(trial, file), *_cycles(trial, file), *_mass(trial)]
    return [asdict(item) for item in items]


def failed_item(file: str, reason: str) -> dict[str, str]:
    """Return what to look at in a trial that failed."""
    return asdict(Item("the file itself", reason, f"{_head(file)}\nuse = false"))


def _head(file: str) -> str:
    return f"[trials.{json.dumps(file, ensure_ascii=False)}]"


def _steps(trial: StoredTrial, file: str) -> list[Item]:
    """Return the steps that are doubted.

    Proposed is the foot nearest to a force that no foot was found for, and none for one that two
    feet share or that is not the whole foot's.
    """
    doubtful: list[str] = []
    given: list[str] = []
    for row in trial.tables["contacts"]:
        cut = "cut by the" in row["reason"]
        if row["verdict"] == "valid" or cut:
            continue
        near = [(int(mm), side) for side, mm in _NEAR.findall(row["reason"])]
        side = min(near)[1] if near and row["side"] == "none" else "none"
        frames = f"{row['first_frame']}-{row['last_frame']}"
        given.append(f"{row['plate']}={side}:{frames}")
        doubtful.append(
            f"plate {row['plate']}, frames {frames} ({row['verdict']}): {row['reason']}"
        )
    if not doubtful:
        return []
    line = f'assign = "{",".join(given)}"\nreasons = {{ assign = "" }}'
    return [Item("which foot stood on a plate", "; ".join(doubtful), f"{_head(file)}\n{line}")]


def _events(trial: StoredTrial, file: str) -> list[Item]:
    """Return events that are far from the plates', all of the trial to be corrected."""
    told = [row for row in trial.tables["quality"] if row["code"] == _EVENTS]
    doubts = [row["message"] for row in told if row["level"] != "info"]
    if not doubts:
        return []
    rows = ",\n".join(
        f'  {{ side = "{e["side"]}", event = "{e["event"]}", time_s = {float(e["time_s"]):.3f} }}'
        for e in trial.tables["events"]
    )
    line = f'events = [\n{rows},\n]\nreasons = {{ events = "" }}'
    return [
        Item("the events, against video and plates", "; ".join(doubts), f"{_head(file)}\n{line}")
    ]


def _cycles(trial: StoredTrial, file: str) -> list[Item]:
    """Return the cycles that a rule doubts."""
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
    why = "; ".join(dict.fromkeys(text for found in doubts.values() for text in found))
    return [Item(f"cycles {', '.join(doubts)}", why, f"{_head(file)}\n{line}")]


def _mass(trial: StoredTrial) -> list[Item]:
    """Return a mass that the plates contradict or that nobody gave."""
    rows: list[dict[str, Any]] = [r for r in trial.tables["quality"] if r["code"] in _MASS]
    return [
        Item("the body mass", row["message"], "[subject]\nmass_kg = ")
        for row in rows
        if row["level"] != "info"
    ]
