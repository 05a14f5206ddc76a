"""Verdict on the electromyography of each side, which never affects that of the trial."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.quality.rules.muscles import emg_of
from gaitdyn.quality.verdicts import SideVerdict, Verdict
from gaitdyn.types.subject import SIDES
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from gaitdyn.types.emg import Emg
    from gaitdyn.types.result import Processed


def emg_verdicts(result: Processed) -> list[SideVerdict]:
    """Return the verdict on the electromyography of each side; empty for a trial without any.

    ``pass`` if every named muscle has a channel that is ``ok``; ``check`` if one has none, or the
    leg has no electrodes or no cycle; ``fail`` if all channels of a leg with electrodes are
    rejected.
    """
    emg = emg_of(result)
    if emg is None:
        return []
    return [_side_verdict(emg, side) for side in SIDES]


def _side_verdict(emg: Emg, side: str) -> SideVerdict:
    channels = [c for c in emg.channels if c.side == side]
    named = [c for c in channels if c.muscle]
    muscles, usable = {c.muscle for c in named}, {c.muscle for c in named if c.status == "ok"}
    cycles = max((len(c.cycles) for c in emg.curves if c.side == side), default=0)
    if not named or all(c.status == "not_recorded" for c in named):
        return SideVerdict(side, "emg", "check", 0, (_missing(emg, side),))
    reasons = tuple(f"{c.label}: {c.reason}" for c in channels if c.status != "ok")
    if not cycles:
        lacking = "" if usable else "no channel can be used"
        lacking = lacking or "no gait cycle of this side is used"
        broken = all(c.status == "rejected" for c in named)
        return SideVerdict(side, "emg", "fail" if broken else "check", 0, (lacking, *reasons))
    word: Verdict = "pass" if usable == muscles else "check"
    summary = f"{len(usable)} of {counted(len(muscles), 'muscle')} usable"
    return SideVerdict(side, "emg", word, cycles, (summary, *reasons))


def _missing(emg: Emg, side: str) -> str:
    """Return what a side lacks: its electrodes, or the names of its channels."""
    unnamed = [
        c for c in emg.channels if c.status == "ok" and c.side in (side, "") and not c.muscle
    ]
    sideless = [c for c in emg.channels if c.status == "ok" and c.muscle and not c.side]
    if unnamed or sideless:
        count = len(unnamed) + len(sideless)
        return f"muscle or side of {counted(count, 'channel')} is not known: name them in emg.toml"
    return f"not recorded: no channel of the {side} leg shows a muscle"
