"""Tables on the quality of the data: findings, steps on plates, status of each joint."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from gaitdyn.plots.timeline import Timeline
from gaitdyn.report.contents import TextTable
from gaitdyn.report.numbers import DASH, decimal
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.motion import JOINTS, SEGMENTS
from gaitdyn.types.subject import SIDES

_AUDIT = (
    "Drift: angle between the measured motion and 50 ms of forward dynamics with these loads."
    " Energy: residual of the power balance, which includes the slip of joint centres relative to"
    " their segment. Stacked and substituted solutions agree to"
)
STATUS = {"ok": "\u2713 ok", "partial": "~ partial", "skipped": "\u2717 none"}
LEVELS = {"Warnings": ("error", "warning"), "Notes": ("info",)}


def findings_table(trials: Sequence[StoredTrial], title: str) -> TextTable:
    """Return rows of ``quality.csv``, the most severe first: ``Warnings``, or ``Notes``.

    The same finding on several items, such as markers, shares a row. Warnings tell what to do.
    """
    scopes: dict[tuple[str, ...], list[str]] = {}
    for level in LEVELS[title]:
        for trial in trials:
            for row in _findings(trial):
                if row["level"] == level:
                    message = row["message"].removeprefix(f"{row['scope']}: ")
                    todo = row.get("action", "").replace("`", "")  # Markdown, for the guide
                    action = (todo,) if title == "Warnings" else ()
                    alike = (level, trial.name, message, _time(row), *action, row["code"])
                    scopes.setdefault(alike, []).append(row["scope"])
    rows = [
        (level, name, ", ".join(dict.fromkeys(about)), *rest)
        for (level, name, *rest), about in scopes.items()
    ]
    action = ("What to do",) if title == "Warnings" else ()
    columns = ("Level", "Trial", "About", "What was found", "At (s)", *action, "Code")
    return TextTable(title, columns, tuple(rows), prose=True)


def by_hand_table(trials: Sequence[StoredTrial]) -> TextTable:
    """Return the decisions made by hand in each trial, with their reasons."""
    rows = tuple(
        (trial.name, row["scope"], row["message"].partition(": ")[2])
        for trial in trials
        for row in trial.tables["quality"]
        if row["code"] == "corrected-by-hand"
    )
    return TextTable(
        "Corrected by hand", ("Trial", "About", "Decision and reason"), rows, prose=True
    )


def _findings(trial: StoredTrial) -> list[dict[str, Any]]:
    """Return the findings with times from ``result.json``, or without from an older folder."""
    rows = trial.tables["quality"]
    findings = trial.document.get("findings") or []
    alike = [row["code"] for row in findings] == [row["code"] for row in rows]
    return list(findings) if alike else [dict(row) for row in rows]


def _time(row: dict[str, Any]) -> str:
    start, stop = row.get("start_s"), row.get("stop_s")
    if start is None or stop is None:
        return ""
    return "\u2013".join(dict.fromkeys((f"{start:.2f}", f"{stop:.2f}")))


def _numbered(rows: Sequence[dict[str, str]], *names: str) -> list[dict[str, Any]]:
    """Return the rows in which all the named columns are known, these as numbers."""
    numbered = []
    for row in rows:
        with suppress(ValueError):
            numbered.append({**row, **{name: float(row[name]) for name in names}})
    return numbered


def stored_timeline(trial: StoredTrial) -> Timeline:
    """Return the data for the picture of quality of a stored trial.

    Results of older versions have findings without times, and no gaps.
    """
    file, tables = trial.document["file"], trial.tables
    return Timeline(
        name=trial.name,
        verdict=trial.document["verdict"],
        rate_hz=float(file["rate_hz"]),
        first_frame=int(file["first_frame"]),
        frames=int(file["frames"]),
        gaps=trial.view.get("gaps"),
        events=_numbered(tables["events"], "time_s"),
        contacts=_numbered(tables["contacts"], "first_frame", "last_frame"),
        cycles=list(trial.view["cycles"]),
        status=list(trial.document["status"]),
        findings=_findings(trial),
    )


def status_table(trials: Sequence[StoredTrial]) -> TextTable:
    """Return the status of the kinetics of every cycle, one column per joint.

    Cycles of a side with the same status for the same reasons share a row.
    """
    alike: dict[tuple[str, ...], list[int]] = {}
    for trial in trials:
        states: dict[tuple[str, int], dict[str, dict[str, str]]] = {}
        for row in trial.document["status"]:
            states.setdefault((row["side"], row["cycle"]), {})[row["joint"]] = row
        for (side, cycle), joints in states.items():
            words = [_state(joints[j]) if j in joints else "" for j in reversed(JOINTS)]
            reasons = dict.fromkeys(text for row in joints.values() for text in _reasons(row))
            key = (trial.name, side, *words, "; ".join(reasons))
            alike.setdefault(key, []).append(int(cycle))
    rows = [
        (name, side, _spans(sorted(cycles)), *rest) for (name, side, *rest), cycles in alike.items()
    ]
    columns = ("Trial", "Side", "Cycles", "Hip", "Knee", "Ankle", "Why")
    notes = (
        (
            "Kinetics of a joint in a cycle: ok from 0 to 100 %, partial in a part of it (check in"
            " the picture; the trial passes if another cycle of that side has all); check or"
            " fail if a quality rule found something."
        ),
    )
    return TextTable("Kinetics of each cycle", columns, tuple(rows), notes, prose=True)


def _spans(numbers: Sequence[int]) -> str:
    """Return rising numbers with their runs shortened.

    Examples
    --------
    >>> _spans([1, 2, 3, 5])
    '1\u20133, 5'
    """
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][-1] + 1:
            spans[-1] = [spans[-1][0], number]
        else:
            spans.append([number])
    return ", ".join(DASH.join(map(str, span)) for span in spans)


def _state(row: dict[str, Any]) -> str:
    """Return the word for one joint: its status, or its verdict if a rule found more."""
    verdict = row.get("verdict", "pass")
    if row["status"] != "ok" or verdict == "pass":
        return STATUS[row["status"]]
    return {"check": "! check", "fail": "\u2717 fail"}[verdict]


def _reasons(row: dict[str, Any]) -> list[str]:
    """Return why one joint is not ok."""
    if row["status"] != "ok":
        return [row["reason"]] if row["reason"] else []
    return [str(text) for text in row.get("reasons", ())]


def audit_table(trials: Sequence[StoredTrial]) -> TextTable:
    """Return each run's audit of its loads: closure over windows, and energy."""
    rows = []
    for trial in trials:
        audit = trial.document.get("audit") or {}
        closure, energy = audit.get("closure") or {}, audit.get("energy") or {}
        for side in SIDES:
            for segment in SEGMENTS:
                drift = (closure.get(side) or {}).get(segment) or {}
                power = (energy.get(side) or {}).get(segment) or {}
                values = drift.get("p95_deg"), drift.get("largest_deg"), power.get("rms_w")
                cells = [
                    "" if value is None else decimal(value, digits)
                    for value, digits in zip(values, (3, 3, 1), strict=True)
                ]
                if any(cells):
                    rows.append((trial.name, side, segment, *cells))
    heads = ("Drift, 95 % (deg)", "largest (deg)", "Energy, RMS (W)")
    notes = (f"{_AUDIT} {_agreement(trials)}.",)
    return TextTable(
        "Consistency of the computation", ("Trial", "Side", "Segment", *heads), tuple(rows), notes
    )


def _agreement(trials: Sequence[StoredTrial]) -> str:
    residuals = [(t.document.get("audit") or {}).get("second_opinion") for t in trials]
    known = [float(value) for value in residuals if value is not None]
    return f"{max(known):.0e}" if known else "an unknown degree"


def contacts_table(trials: Sequence[StoredTrial]) -> TextTable:
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
    return TextTable("Steps on force plates", columns, tuple(rows), prose=True)


def events_table(trials: Sequence[StoredTrial]) -> TextTable:
    """Return the sources of the events of each trial."""
    rows = []
    for trial in trials:
        counts: dict[tuple[str, str, str], list[str]] = {}
        for row in trial.tables["events"]:
            key = row["side"], row["event"].replace("_off", "-off").replace("_", " "), row["source"]
            counts.setdefault(key, []).append(f"{float(row['time_s']):.2f}")
        rows += [(trial.name, *key, ", ".join(times)) for key, times in counts.items()]
    columns = ("Trial", "Side", "Event", "From", "At (s)")
    return TextTable("Gait events", columns, tuple(rows), prose=True)
