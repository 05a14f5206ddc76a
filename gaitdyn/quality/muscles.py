"""A word for the electromyography of each side, which never enters the trial's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.quality.rules.muscles import emg_of
from gaitdyn.quality.verdicts import SideVerdict
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.quality.verdicts import Word
    from gaitdyn.types.emg import Emg, EmgChannel
    from gaitdyn.types.result import Processed


def emg_verdicts(result: Processed) -> list[SideVerdict]:
    """Return a word for the electromyography of each side; nothing for a trial without any.

    ``pass`` where channels are ``ok`` and none is in doubt, ``check`` where one is, where the leg
    was not wired or has no cycle, ``fail`` where a wired leg has no channel that can be used.

    Parameters
    ----------
    result : Processed
    """
    emg = emg_of(result)
    if emg is None:
        return []
    return [_of_side(emg, side) for side in SIDES]


def _of_side(emg: Emg, side: str) -> SideVerdict:
    own = [c for c in emg.channels if c.side == side and (c.muscle or c.status != "ok")]
    good = [c for c in own if c.status == "ok"]
    cycles = max((len(c.cycles) for c in emg.curves if c.side == side), default=0)
    reasons = _reasons(own)
    if not own or all(c.status == "not_recorded" for c in own):
        return SideVerdict(side, "emg", "check", 0, (_not_there(emg, side),))
    if not good:
        doubted = any(c.status == "check" for c in own)
        return SideVerdict(side, "emg", "check" if doubted else "fail", 0, reasons)
    if not cycles:
        lacking = "no gait cycle: two strikes of this foot are not in the file"
        return SideVerdict(side, "emg", "check", 0, (*reasons, lacking))
    doubted = any(c.status == "check" for c in own)
    word: Word = "check" if doubted else "pass"
    return SideVerdict(side, "emg", word, cycles, (f"{len(good)} of {len(own)} channels are used",
                                                   *reasons))  # fmt: skip


def _not_there(emg: Emg, side: str) -> str:
    unnamed = sum(not c.side and c.status == "ok" for c in emg.channels)
    told = f"; {unnamed} channels tell no side: name them in emg.toml" if unnamed else ""
    return f"not recorded: no channel of the {side} leg shows a muscle{told}"


def _reasons(own: Sequence[EmgChannel]) -> tuple[str, ...]:
    return tuple(f"{c.label}: {c.reason}" for c in own if c.status != "ok")
