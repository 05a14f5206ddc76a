"""The strides of a stored trial that go straight, and those that turn: conditions of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gaitdyn.types.cycles import TURNING

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.cycles import Cycle
    from gaitdyn.types.emg import Emg, EmgCurves

_OF_TRIAL = ("quality", "contacts", "events", "emg_channels")
"""Tables of the whole trial: they go with its first part, as do stances without a cycle."""

_OF_CYCLES = ("gait_parameters", "peaks", "emg")


def turns(trial: StoredTrial) -> bool:
    """Return whether a trial is the part of one that holds its strides that turn."""
    return trial.condition.split(", ")[-1] == TURNING


def by_heading(trial: StoredTrial) -> list[StoredTrial]:
    """Return a trial as it is, or its straight strides and then those that turn.

    The latter have ``turning`` as their condition, after the one that the trial has.

    Parameters
    ----------
    trial : StoredTrial
    """
    ways = {curves.cycle.turning for curves in trial.cycles}
    if True not in ways:
        return [trial]
    found = []
    if False in ways:
        found.append(_part(trial, lambda cycle: not cycle.turning))
    turned = _part(trial, lambda cycle: cycle.turning)
    words = ", ".join(word for word in (trial.condition, TURNING) if word)
    options = {**turned.document["options"], "condition": words}
    tables = turned.tables
    if found:
        tables = {n: [] if n in _OF_TRIAL else rows for n, rows in tables.items()}
        own = [name for name in _OF_CYCLES if name in tables]
        tables |= {n: [row for row in tables[n] if row["cycle"]] for n in own}
    return [
        *found,
        replace(turned, document={**turned.document, "options": options}, tables=tables),
    ]


def _part(trial: StoredTrial, wanted: Callable[[Cycle], bool]) -> StoredTrial:
    """Return a trial with some of its cycles, wherever they are told."""
    keep = [wanted(curves.cycle) for curves in trial.cycles]
    kept = {
        (c.cycle.side, c.cycle.number) for c, own in zip(trial.cycles, keep, strict=True) if own
    }

    def own(rows: list[Any]) -> list[Any]:
        return [row for row, there in zip(rows, keep, strict=True) if there]

    moments = trial.view["moments"]
    view = {
        **trial.view,
        "cycles": own(trial.view["cycles"]),
        "moments": {axes: {**one, "curves": own(one["curves"])} for axes, one in moments.items()}
        if all(len(one["curves"]) == len(keep) for one in moments.values())
        else moments,
    }
    status = [row for row in trial.document["status"] if (row["side"], int(row["cycle"])) in kept]
    tables = {
        name: [r for r in rows if not r["cycle"] or (r["side"], int(r["cycle"])) in kept]
        if name in _OF_CYCLES
        else rows
        for name, rows in trial.tables.items()
    }
    return replace(
        trial,
        document={**trial.document, "status": status, "verdicts": _verdicts(trial, status, kept)},
        view=view,
        cycles=tuple(own(list(trial.cycles))),
        tables=tables,
        emg=None if trial.emg is None else _strides(trial.emg, kept),
    )


def _verdicts(
    trial: StoredTrial, status: list[dict[str, Any]], kept: set[tuple[str, int]]
) -> list[dict[str, Any]]:
    """Return the verdicts with no more cycles than there are of each side and quantity."""
    partial = {(row["side"], int(row["cycle"])) for row in status if row["status"] != "ok"}
    loaded = {(row["side"], int(row["cycle"])) for row in status} - partial
    there = {"kinematics": kept, "kinetics": loaded}
    return [
        {**one, "cycles": min(one["cycles"], sum(side == one["side"] for side, _ in own))}
        if (own := there.get(one["quantity"])) is not None
        else one
        for one in trial.document.get("verdicts") or []
    ]


def _strides(emg: Emg, kept: set[tuple[str, int]]) -> Emg:
    """Return electromyography of some of the cycles."""
    found: list[EmgCurves] = []
    for curves in emg.curves:
        at = [i for i, number in enumerate(curves.cycles) if (curves.side, number) in kept]
        if at:
            part = {name: getattr(curves, name)[at] for name in ("envelope", "on", "rectified")}
            numbers = tuple(curves.cycles[i] for i in at)
            found.append(replace(curves, cycles=numbers, **part))
    return replace(emg, curves=tuple(found))
