"""Which strides count in the means of loads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.quality.verdicts import SWING_ENDS
from gaitdyn.report.contents import kinetic_cycles
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.cycles import CycleCurves


def counted_cycles(trials: Sequence[StoredTrial]) -> list[CycleCurves]:
    """Return the strides whose loads count: of a whole step and known from 0 to 100 %.

    Where a side has none of these, strides of a whole step count whose swing alone is not known to
    its end; their mean ends where they do.
    """
    found: list[CycleCurves] = []
    for side in SIDES:
        known = _of(trials, side, kinetic_cycles)
        found += known or _of(trials, side, whole_steps)
    return found


def _of(
    trials: Sequence[StoredTrial], side: str, numbers: Callable[[StoredTrial, str], list[int]]
) -> list[CycleCurves]:
    return [
        one
        for trial in trials
        for one in trial.cycles
        if one.cycle.side == side and one.cycle.number in numbers(trial, side)
    ]


def whole_steps(trial: StoredTrial, side: str) -> list[int]:
    """Return the strides whose step is whole, also where the end of the swing is not known."""
    states: dict[int, list[bool]] = {}
    for row in trial.document["status"]:
        if row["side"] == side and row["joint"] in JOINTS:
            ends = row["status"] == "partial" and row.get("code") in SWING_ENDS
            good = (row["status"] == "ok" or ends) and row.get("verdict") != "fail"
            states.setdefault(row["cycle"], []).append(good)
    return [number for number, good in states.items() if all(good)]
