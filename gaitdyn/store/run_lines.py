"""What a run found, in a few lines for the person who ran it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from gaitdyn.quality.rules import findings_of
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from gaitdyn.types.result import Processed

_MOST_WARNINGS = 5


def run_lines(result: Processed, document: dict[str, Any]) -> list[str]:
    """Return settings, contacts, usable cycles, verdict and the first warnings.

    Parameters
    ----------
    result : Processed
    document : dict
        Contents of ``result.json``.
    """
    warnings = [f.message for f in findings_of(result) if f.level != "info"]
    lines = [f"task: {result.task}", _settings(document["options"])]
    lines += _measures(document["subject"])
    lines += [*_contacts(result), *_belts(result)]
    lines += _cycles(document)
    lines.append(f"verdict: {document['verdict']}")
    lines += _verdicts(document)
    lines += [f"  {message}" for message in warnings[:_MOST_WARNINGS]]
    if len(warnings) > _MOST_WARNINGS:
        lines.append(f"  {len(warnings) - _MOST_WARNINGS} more in quality.csv")
    return lines


def _verdicts(document: dict[str, Any]) -> list[str]:
    """Return a line a side: the word and the cycles of its kinematics and kinetics.

    Without a cycle, why there is none.
    """
    found: dict[str, list[str]] = {}
    for one in document.get("verdicts", ()):
        lacking = "" if one["cycles"] else "".join(one["reasons"][-1:]).partition(";")[0]
        cycles = lacking or counted(one["cycles"], "cycle")
        found.setdefault(one["side"], []).append(f"{one['quantity']} {one['word']} ({cycles})")
    return [f"  {side}: {', '.join(words)}" for side, words in found.items()]


def _settings(options: dict[str, Any]) -> str:
    def shown(cutoff: float | None) -> str:
        return "unfiltered" if cutoff is None else f"{cutoff:g} Hz"

    markers, forces = shown(options["cutoff_hz"]), shown(options["force_cutoff_hz"])
    moments = f"{options['convention']} moments in {options['moments_in']} axes"
    return (
        f"profile {options['profile']}: markers {markers}, forces {forces}, body segments"
        f" {options['anthropometry']}, {moments}"
    )


def _measures(subject: dict[str, Any]) -> list[str]:
    """Return the body mass and the marker diameter that were used, and where each came from."""
    forms = (("mass_kg", "{:.4g} kg", 1.0), ("marker_diameter_m", "markers of {:g} mm", 1000.0))
    told = [
        f"{form.format(factor * subject[key])} ({subject['sources'].get(key, 'given')})"
        for key, form, factor in forms
        if subject[key]
    ]
    return [f"subject: {', '.join(told)}"] if told else []


_MOST_STEPS = 12


def _belts(result: Processed) -> list[str]:
    told = ("belt-speed", "mass-from-force")
    return [f.message for f in findings_of(result) if f.code in told]


def _contacts(result: Processed) -> list[str]:
    if not result.contacts:
        return []
    if len(result.contacts) > _MOST_STEPS:
        kinds = Counter((c.plate, c.side, c.verdict) for c in result.contacts)
        told = [f"plate {p} {side}: {n} {word}" for (p, side, word), n in sorted(kinds.items())]
        return [f"{len(result.contacts)} contacts: {', '.join(told)}"]
    steps = [f"plate {c.plate} {c.side} ({c.verdict})" for c in result.contacts]
    return [f"steps: {', '.join(steps)}"]


def _cycles(document: dict[str, Any]) -> list[str]:
    """Return a line a side: its gait cycles, and of how many the kinetics are known."""
    lines = []
    for side in document["model"]["sides"]:
        rows = [x for x in document["status"] if x["side"] == side and x["code"] != "left-out"]
        cycles = len({row["cycle"] for row in rows})
        found = Counter(row["status"] for row in rows if row["joint"] == JOINTS[-1])
        partly = f" and {found['partial']} in part" if found["partial"] else ""
        told = f"{found['ok']} with kinetics from 0 to 100 %{partly}"
        lines.append(f"{side}: {counted(cycles, 'gait cycle')}, {told}")
    return lines
