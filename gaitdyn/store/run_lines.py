"""Summarise the result of a run in a few lines to print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from gaitdyn.metrics.knee_axis import KneeAxisRemark, remarks_of_strides
from gaitdyn.quality.plain_words import in_few_words, warning_lines, without_code
from gaitdyn.quality.rules import findings_of
from gaitdyn.tables.answers import cycle_curves_of
from gaitdyn.tables.measures import measure_texts
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER
from gaitdyn.types.words import counted

_MOST_WARNINGS = 5
_FOR_A_WALK = {
    "functional": (
        "for the hip centre or knee axis that it shows, name it with a walk: gaitdyn process WALK"
        " --functional hip_left=FILE (or hip_right, knee_left, knee_right)"
    )
}
"""Task -> what such a trial is for, if it is recorded to be used with another."""


def run_lines(
    result: Processed,
    document: dict[str, Any],
    remarks: Iterable[KneeAxisRemark] | None = None,
) -> list[str]:
    """Return settings, contacts, usable cycles, verdict and the first warnings.

    Parameters
    ----------
    result : Processed
    document : dict
        Contents of ``result.json``.
    remarks : iterable of KneeAxisRemark, optional
        Of the report; by default those of the strides without a reference.
    """
    if remarks is None:
        remarks = remarks_of_strides(cycle_curves_of(result))
    warnings = warning_lines(findings_of(result))
    lines = [f"task: {result.task}", *filter(None, [_FOR_A_WALK.get(result.task)])]
    lines.append(_settings(document["options"], document["model"]))
    measures = measure_texts(document["subject"])
    lines += [f"subject: {', '.join(measures)}"] if measures else []
    lines += [*_contacts(result), *_weighed(result)]
    lines += _cycles(document)
    lines.append(f"verdict: {document['verdict']}")
    lines += _verdicts(document, remarks := list(remarks), warnings[:_MOST_WARNINGS])
    lines += _medial_unused(result, [remark.side for remark in remarks])
    lines += _mechanism(document)
    lines += [f"  {message}" for message in warnings[:_MOST_WARNINGS]]
    if len(warnings) > _MOST_WARNINGS:
        lines.append(f"  {len(warnings) - _MOST_WARNINGS} more in quality.csv")
    return lines


def _verdicts(
    document: dict[str, Any], remarks: Iterable[KneeAxisRemark], below: Sequence[str] = ()
) -> list[str]:
    """Return a line for each side: verdict and number of cycles of its kinematics and kinetics.

    If there is no cycle, the reason is given instead, and for electromyography how many muscles are
    usable. Of kinetics that do not exist it says so. A knee axis to check, which a report marks
    with a sign, ends the line. Of a reason that is printed ``below``, there are only a few words.
    """
    by_side: dict[str, list[str]] = {}
    for row in document.get("verdicts", ()):
        muscles = row["quantity"] == "emg"
        shown = row["reasons"][:1] if muscles else row["reasons"][-1:]
        reason = "" if row["cycles"] and not muscles else "".join(shown)
        is_below = reason.partition(": ")[2] in below
        reason = in_few_words(reason) if is_below else without_code(reason)
        cycles = reason or counted(row["cycles"], "cycle")
        if row["quantity"] == "kinetics" and not reason:
            cycles += _part(row["cycles"], _states(document, row["side"])["ok"])
        exists = row["quantity"] != "kinetics" or document["kinetics"] == "computed"
        words = f"{row['quantity']} {row['word']}" if exists else "no kinetics"
        by_side.setdefault(row["side"], []).append(f"{words} ({cycles})")
    for remark in remarks:
        by_side.setdefault(remark.side, []).append(f"knee axis check ({remark.reason})")
    return [f"  {side}: {', '.join(words)}" for side, words in by_side.items()]


def _part(cycles: int, whole: int) -> str:
    """Return how many cycles have a whole step on a plate but no moments throughout.

    Examples
    --------
    >>> _part(2, 2), _part(2, 1), _part(1, 0)
    ('', ', 1 in part', ' in part')
    """
    if whole >= cycles:
        return ""
    return f", {cycles - whole} in part" if whole else " in part"


def _states(document: dict[str, Any], side: str) -> Counter[str]:
    """Return how many cycles of a side have each status of the moments at the hip."""
    return Counter(r["status"] for r in _counted(document, side) if r["joint"] == JOINTS[-1])


def _counted(document: dict[str, Any], side: str) -> list[dict[str, Any]]:
    """Return the status of a side without cycles that were left out."""
    return [x for x in document["status"] if x["side"] == side and x["code"] != "left-out"]


def _mechanism(document: dict[str, Any]) -> list[str]:
    """Return a line on what ``--generalised`` does not give, unless all kinetics are missing."""
    found = document["generalised"] or {}
    reason = found.get("reason")
    if not reason or reason == document["kinetics"]:
        return []
    without = "without residual and induced.csv" if found["computed"] else "not computed"
    return [f"  --generalised: {without}, since {reason}"]


def _medial_unused(result: Processed, sides: list[str]) -> list[str]:
    """Return a line on medial knee markers that would show the axis of a doubtful knee.

    Plug-in Gait takes them from a static alone.
    """
    if result.static is not None or result.engine != "chord" or not sides:
        return []
    from gaitdyn.landmarks import static_roles

    wanted = [LETTER[side] + "KNM" for side in sides]
    roles = static_roles(result.recording).items()
    labels = [result.recording.labels[i] for name in wanted for i, role in roles if role == name]
    if not labels:
        return []
    them = "them" if len(labels) > 1 else "it"
    return [
        f"  medial to the knee: {' and '.join(labels)}; --model ladder takes the axis from {them}"
    ]


def _settings(options: dict[str, Any], model: dict[str, Any]) -> str:
    def shown(cutoff: float | None) -> str:
        return "unfiltered" if cutoff is None else f"{cutoff:g} Hz"

    markers, forces = shown(options["cutoff_hz"]), shown(options["force_cutoff_hz"])
    moments = f"{options['convention']} moments in {options['moments_in']} axes"
    return (
        f"profile {options['profile']}: markers {markers}, forces {forces}, body segments"
        f" {options['anthropometry']}, {_hip_words(model)}{moments}"
    )


def _hip_words(model: dict[str, Any]) -> str:
    """Return the rule of the hip centres, or that of each side if they differ."""
    rules = {
        str(rung["side"]): _HIPS.get(rung["rung"], str(rung["rung"]).removeprefix("regression "))
        for rung in model.get("rungs", ())
        if rung["place"] == "hip" and rung["rung"]
    }
    if len(set(rules.values())) > 1:
        return f"hip centres: {', '.join(f'{side} {rule}' for side, rule in rules.items())}, "
    return f"hip centres {next(iter(rules.values()))}, " if rules else ""


_HIPS = {"davis-regression": "davis", "regression": "harrington", "stored-centre": "stored"}
"""Rung of a hip centre -> its short name, as options call it."""


_MOST_STEPS = 12


def _weighed(result: Processed) -> list[str]:
    codes = ("belt-speed", "mass-from-force", "mass-from-walking")
    return [f.message for f in findings_of(result) if f.code in codes]


def _contacts(result: Processed) -> list[str]:
    if not result.contacts:
        return []
    if len(result.contacts) > _MOST_STEPS:
        feet: dict[tuple[int, str], Counter[str]] = {}
        for c in sorted(result.contacts, key=lambda c: (c.plate, c.side)):
            feet.setdefault((c.plate, c.side), Counter())[c.verdict] += 1
        counts = [
            f"plate {p} {side} {', '.join(f'{n} {word}' for word, n in kinds.most_common())}"
            for (p, side), kinds in feet.items()
        ]
        return [f"{len(result.contacts)} contacts: {'; '.join(counts)}"]
    steps = [f"plate {c.plate} {c.side} ({c.verdict})" for c in result.contacts]
    return [f"steps: {', '.join(steps)}"]


def _cycles(document: dict[str, Any]) -> list[str]:
    """Return a line for each side: its gait cycles, and how many of them have kinetics."""
    lines = []
    for side in document["model"]["sides"]:
        counts = _states(document, side)
        cycles = len({row["cycle"] for row in _counted(document, side)})
        if not cycles:
            lines.append(f"{side}: no gait cycle")
            continue
        partial = f" and {counts['partial']} in part" if counts["partial"] else ""
        kinetics = f"{counts['ok'] or 'none'} with kinetics from 0 to 100 %{partial}"
        lines.append(f"{side}: {counted(cycles, 'gait cycle')}, {kinetics}")
    return lines
