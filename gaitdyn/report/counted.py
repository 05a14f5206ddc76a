"""Which strides count in the means of loads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.quality.verdicts import SWING_ENDS
from gaitdyn.report.contents import kinetic_cycles
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.cycles import CycleCurves


def counted_cycles(trials: Sequence[StoredTrial]) -> list[CycleCurves]:
    """Return the strides whose loads are those of a whole step and known from 0 to 100 %."""
    found = []
    for trial in trials:
        whole = {side: set(kinetic_cycles(trial, side)) for side in SIDES}
        found += [c for c in trial.cycles if c.cycle.number in whole[c.cycle.side]]
    return found


def whole_steps(trial: StoredTrial, side: str) -> list[int]:
    """Return the strides whose step is whole, also where the end of the swing is not known."""
    states: dict[int, list[bool]] = {}
    for row in trial.document["status"]:
        if row["side"] == side and row["joint"] in JOINTS:
            ends = row["status"] == "partial" and row.get("code") in SWING_ENDS
            good = (row["status"] == "ok" or ends) and row.get("verdict") != "fail"
            states.setdefault(row["cycle"], []).append(good)
    return [number for number, good in states.items() if all(good)]
