"""The status of each channel, judged by its signal, its neighbours and its leg."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.emg.health import LIMITS, broken_rule, healths
from gaitdyn.emg.naming import Name, name_channels
from gaitdyn.emg.signals import Signals, processed
from gaitdyn.types.emg import EmgChannel, Health
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array


_UNNAMED = "its name gives no muscle: name it in emg.toml"
_NO_SIDE = "its name gives no side: name it in emg.toml"


def channels_of(recording: Recording, options: Options) -> tuple[list[EmgChannel], Signals] | None:
    """Return the channels of a recording, judged one by one, and their signals; None if none."""
    analog, rate = recording.analog, recording.rate_hz * recording.samples_per_frame
    names = {} if analog is None else name_channels(analog, rate, options.emg_channels)
    if analog is None or not names:
        return None
    rows = list(names)
    signals = processed(analog.samples[rows], rate, options)
    measured = healths(signals.raw, signals.banded, rate, signals.parts)
    channels = [
        _channel(analog.numbers[i], analog.labels[i], analog.units[i], (names[i], rate), health)
        for i, health in zip(rows, measured, strict=True)
    ]
    return _bridged(channels, signals.banded), signals


def _channel(
    number: int, label: str, unit: str, name_and_rate: tuple[Name, float], health: Health
) -> EmgChannel:
    """Return a channel judged by its own signal alone."""
    name, rate = name_and_rate
    broken = broken_rule(health, rate)
    reason = "" if broken is None else broken[1]
    if broken is None:
        notes = [name.note] if name.note else []
        notes += [_UNNAMED] if not (name.muscle or name.note) else []
        notes += [_NO_SIDE] if name.muscle and not name.side else []
        if health.low_share > LIMITS.low_share_doubt:
            notes.append(f"{100 * health.low_share:.0f} % of the power lies below 20 Hz: motion")
        reason = "; ".join(notes)
    return EmgChannel(
        number, label, name.muscle, name.side, unit, rate, "ok" if broken is None else "rejected",
        reason, health, name.named_by, name.note,
    )  # fmt: skip


def with_reason(channel: EmgChannel, reason: str, **changes: Any) -> EmgChannel:
    """Return a channel with a further reason after its present ones."""
    reasons = "; ".join(part for part in (channel.reason, reason) if part)
    return replace(channel, reason=reasons, **changes)


def _bridged(channels: Sequence[EmgChannel], banded: Array) -> list[EmgChannel]:
    """Return the channels, marking those that share an electrode or a cable."""
    marked = list(channels)
    good = [i for i, c in enumerate(marked) if c.status == "ok"]
    if len(good) < 2:  # noqa: PLR2004
        return marked
    unit = banded[good] / np.linalg.norm(banded[good], axis=1, keepdims=True)
    r = np.abs(unit @ unit.T)
    np.fill_diagonal(r, 0.0)
    for row, i in enumerate(good):
        column = int(r[row].argmax())
        most, partner = float(r[row, column]), marked[good[column]]
        if most > LIMITS.bridge_r:
            reason = f"the same signal as {partner.label} (r {most:.2f}): one electrode or cable"
            marked[i] = with_reason(marked[i], reason, status="check")
        elif most > LIMITS.neighbour_r:
            marked[i] = with_reason(marked[i], f"cross-talk with {partner.label} (r {most:.2f})")
    return marked


def one_per_muscle(channels: Sequence[EmgChannel]) -> list[EmgChannel]:
    """Return the channels; of two on one muscle and side, the noisier one is set to ``check``."""
    marked = list(channels)
    best: dict[tuple[str, str], int] = {}
    for i, c in enumerate(marked):
        if c.status != "ok" or not (c.muscle and c.side):
            continue
        first = best.setdefault((c.side, c.muscle), i)
        if first != i:
            worse, better = sorted((first, i), key=lambda k: marked[k].health.snr_db)
            reason = f"a second channel of this muscle; {marked[better].label} is used"
            marked[worse] = with_reason(marked[worse], reason, status="check")
            best[c.side, c.muscle] = better
    return marked


def unwired(channels: Sequence[EmgChannel]) -> list[EmgChannel]:
    """Return the channels, with those of a leg without any muscle set to ``not_recorded``.

    If every channel of a leg looks unplugged, nothing is known about its muscles: they need not be
    silent.
    """
    marked = list(channels)
    for side in {c.side for c in marked}:
        rows = [i for i, c in enumerate(marked) if c.side == side]
        broken = [broken_rule(marked[i].health, marked[i].rate_hz) for i in rows]
        if any(rule is None for rule in broken):
            continue
        for i, rule in zip(rows, broken, strict=True):
            if rule is not None and rule[0].unplugged:
                where = f"no channel of the {side} leg" if side else "none of these channels"
                reason = f"{where} shows a muscle; {rule[1]}"
                marked[i] = replace(marked[i], status="not_recorded", reason=reason)
    return marked


def channel_rows(recording: Recording, options: Options) -> list[dict[str, Any]]:
    """Return number, label, muscle, side, status and reason of every channel.

    Crossed cables and legs are not reported: they need events.
    """
    judged = channels_of(recording, options)
    names = ("number", "label", "muscle", "side", "status", "reason")
    channels = [] if judged is None else unwired(judged[0])
    return [{name: getattr(channel, name) for name in names} for channel in channels]
