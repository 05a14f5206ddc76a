"""The sentence on the muscles of one side: how many of them can be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gaitdyn.report.first_screen.line_parts import MuscleRemark
from gaitdyn.report.strides import combined_word, verdicts_of
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.emg import CROSSED_CABLES, CROSSED_LEGS, EmgChannel
from gaitdyn.types.words import counted

_BROKEN = ("rejected", "not_recorded")
_CROSSED = {
    CROSSED_LEGS: " The sides look exchanged.",
    CROSSED_CABLES: " Two cables look crossed.",
}


def muscle_remarks(trials: Sequence[StoredTrial], side: str) -> list[MuscleRemark]:
    """Return how many muscles of a side can be used; this does not change the side's verdict."""
    emg = [trial.emg for trial in trials if trial.emg is not None]
    possible = [c for e in emg for c in e.channels if c.side in (side, "")]
    channels = [c for c in possible if c.side and c.muscle]
    word = combined_word(verdicts_of(trials, side, "emg"))
    if not channels:
        unnamed = any(c.status == "ok" for c in possible)
        return [MuscleRemark(_unnamed_words(possible), word)] if unnamed else []
    if all(c.status == "not_recorded" for c in channels):
        return [MuscleRemark("EMG not recorded.", word)]
    muscles, good = {c.muscle for c in channels}, {c.muscle for c in channels if c.status == "ok"}
    word = "pass" if good == muscles else word  # each muscle may be good in another trial
    crossed = (
        text
        for reason, text in _CROSSED.items()
        if any(c.reason.startswith(reason) for c in channels)
    )
    text = f"EMG {len(good)} of {counted(len(muscles), 'muscle')} usable.{next(crossed, '')}"
    return [MuscleRemark(text, word)]


def _unnamed_words(channels: Sequence[EmgChannel]) -> str:
    """Return how many channels lack a name or a side, and how many show nothing and why."""
    broken = [c.reason.partition(":")[0] for c in channels if c.status in _BROKEN]
    lacks = Counter(bool(c.muscle) for c in channels if c.status not in _BROKEN)
    told = [(lacks[True], "without a side"), (lacks[False], "not named")]
    first, *more = [(n, words) for n, words in told if n]
    text = ", ".join(
        (f"EMG: {counted(first[0], 'channel')} {first[1]}", *(f"{n} {w}" for n, w in more))
    )
    if broken:
        kinds = Counter(broken)
        each = (f"{kind} {n}" if len(kinds) > 1 else kind for kind, n in kinds.items())
        text += f", {len(broken)} not usable ({', '.join(each)})"
    return f"{text}."
