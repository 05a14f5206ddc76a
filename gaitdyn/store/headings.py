"""Split a stored trial into its straight strides and those that turn, as separate conditions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gaitdyn.quality.verdicts import SWING_ENDS
from gaitdyn.types.cycles import TURNING, Cycle
from gaitdyn.types.later import later, unread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.emg import Emg, EmgCurves

_OF_TRIAL = ("quality", "contacts", "events", "emg_channels")
"""Tables of the whole trial; they stay with its first part, and so do stances without a cycle and
the status of cycles that were left out.
"""

_OF_CYCLES = ("gait_parameters", "peaks", "emg")

_TURNING_LOADS = "turning_loads"
"""Key in the document of the straight part: sides with moments in strides that turn."""


def turns(trial: StoredTrial) -> bool:
    """Return whether a trial is the part with the strides that turn."""
    return trial.condition.split(", ")[-1] == TURNING


def without_turning(condition: str) -> str:
    """Return a condition without the addition of :func:`by_heading`.

    Examples
    --------
    >>> without_turning("brace, turning"), without_turning("turning"), without_turning("brace")
    ('brace', '', 'brace')
    """
    return ", ".join(word for word in condition.split(", ") if word != TURNING)


def by_heading(trial: StoredTrial) -> list[StoredTrial]:
    """Return a trial unchanged, or its straight strides followed by those that turn.

    The condition ``turning`` is added to the trial's condition for the latter.
    """
    kinds = {curves.cycle.turning for curves in trial.cycles}
    if True not in kinds:
        return [trial]
    turning = _part(trial, lambda cycle: cycle.turning, first=False not in kinds)
    condition = ", ".join(word for word in (trial.condition, TURNING) if word)
    options = {**turning.document["options"], "condition": condition}
    document = {**turning.document, "options": options}
    turning = replace(turning, document=document, **unread(turning, "view"))
    if False not in kinds:
        return [turning]
    tables = {n: [] if n in _OF_TRIAL else rows for n, rows in turning.tables.items()}
    tables |= {n: [row for row in tables[n] if row["cycle"]] for n in _OF_CYCLES if n in tables}
    turning = replace(turning, tables=tables, **unread(turning, "view"))
    straight = _part(trial, lambda cycle: not cycle.turning, first=True)
    loaded = _loaded(turning.document["status"])
    document = {**straight.document, _TURNING_LOADS: sorted({side for side, _ in loaded})}
    return [replace(straight, document=document, **unread(straight, "view")), turning]


def without_strides(trial: StoredTrial) -> StoredTrial:
    """Return a trial none of whose strides counts, as of a recording that another trial is of."""
    part = _part(trial, lambda _: False, first=False)
    tables = {name: [] if name in _OF_CYCLES else rows for name, rows in part.tables.items()}
    return replace(part, tables=tables, stances=(), **unread(part, "view"))


def turning_loads(trials: Sequence[StoredTrial], side: str = "") -> bool:
    """Return whether strides that were split off as turning have moments throughout.

    Parameters
    ----------
    trials : sequence of StoredTrial
        The straight parts.
    side : {"", "left", "right"}
        Empty for either side.
    """
    sides = {s for trial in trials for s in trial.document.get(_TURNING_LOADS, ())}
    return side in sides if side else bool(sides)


def rejoined(trials: Sequence[StoredTrial]) -> list[StoredTrial]:
    """Return trials with the straight and turning parts of each results folder as one trial.

    It is for what belongs to the whole recording: its cycles, their status and its tables.
    """
    folders: dict[Path, list[StoredTrial]] = {}
    for trial in trials:
        folders.setdefault(trial.path, []).append(trial)
    return [parts[0] if len(parts) == 1 else _joined(parts) for parts in folders.values()]


def _joined(parts: Sequence[StoredTrial]) -> StoredTrial:
    first = parts[0]
    status = [row for part in parts for row in part.document["status"]]
    strides = [cycle for part in parts for cycle in part.view["cycles"]]
    document, view = {**first.document, "status": status}, {**first.view, "cycles": strides}
    cycles = tuple(curves for part in parts for curves in part.cycles)
    return replace(first, document=document, view=view, cycles=cycles)


def _part(trial: StoredTrial, wanted: Callable[[Cycle], bool], *, first: bool) -> StoredTrial:
    """Return a trial with only some of its cycles, in the document and in all tables.

    The first part has the status of cycles that were left out as well.
    """
    keep = [wanted(curves.cycle) for curves in trial.cycles]

    def select(rows: Sequence[Any]) -> list[Any]:
        return [row for row, wanted_row in zip(rows, keep, strict=True) if wanted_row]

    kept = {(c.cycle.side, c.cycle.number) for c in select(trial.cycles)}

    def view() -> dict[str, Any]:
        moments = trial.view["moments"]
        if all(len(kind["curves"]) == len(keep) for kind in moments.values()):
            moments = {
                axes: {**kind, "curves": select(kind["curves"])} for axes, kind in moments.items()
            }
        return {**trial.view, "cycles": select(trial.view["cycles"]), "moments": moments}

    others = {(c.cycle.side, c.cycle.number) for c in trial.cycles} - kept

    def told(row: dict[str, Any]) -> bool:
        cycle = row["side"], int(row["cycle"])
        return cycle not in others if first else cycle in kept

    status = [row for row in trial.document["status"] if told(row)]
    tables = {
        name: [r for r in rows if not r["cycle"] or (r["side"], int(r["cycle"])) in kept]
        if name in _OF_CYCLES
        else rows
        for name, rows in trial.tables.items()
    }
    return replace(
        trial,
        document={**trial.document, "status": status, "verdicts": _verdicts(trial, status, kept)},
        view=later(view),
        cycles=tuple(select(trial.cycles)),
        tables=tables,
        emg=None if trial.emg is None else _strides(trial.emg, kept),
    )


def _verdicts(
    trial: StoredTrial, status: list[dict[str, Any]], kept: set[tuple[str, int]]
) -> list[dict[str, Any]]:
    """Return the verdicts, their numbers of cycles limited to those kept of side and quantity."""
    known = trial.counting.get("kinematics", kept)
    by_quantity = {"kinematics": kept & known, "kinetics": _loaded(status)}
    verdicts = []
    for verdict in trial.document.get("verdicts") or []:
        cycles = by_quantity.get(verdict["quantity"])
        if cycles is not None:
            count = sum(side == verdict["side"] for side, _ in cycles)
            verdicts.append({**verdict, "cycles": min(verdict["cycles"], count)})
        else:
            verdicts.append(verdict)
    return verdicts


def _loaded(status: list[dict[str, Any]]) -> set[tuple[str, int]]:
    """Return the cycles with moments of all joints, of which the end of the swing may lack."""
    lacking = {
        (row["side"], int(row["cycle"]))
        for row in status
        if row["status"] != "ok" and not (row["status"] == "partial" and row["code"] in SWING_ENDS)
    }
    return {(row["side"], int(row["cycle"])) for row in status} - lacking


def _strides(emg: Emg, kept: set[tuple[str, int]]) -> Emg:
    """Return the EMG of some of the cycles."""
    selected: list[EmgCurves] = []
    for curves in emg.curves:
        rows = [i for i, number in enumerate(curves.cycles) if (curves.side, number) in kept]
        if rows:
            part = {name: getattr(curves, name)[rows] for name in ("envelope", "on", "rectified")}
            numbers = tuple(curves.cycles[i] for i in rows)
            selected.append(replace(curves, cycles=numbers, **part))
    return replace(emg, curves=tuple(selected))
