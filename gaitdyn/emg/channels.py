"""The status of each channel by its own signal, by its neighbours and by its leg."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.emg.health import LIMITS, broken_rule, healths
from gaitdyn.emg.naming import Name, name_channels
from gaitdyn.emg.signals import Signals, processed
from gaitdyn.types.emg import EmgChannel
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.emg import Health
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Recording


_UNNAMED = "its name tells no muscle: name it in emg.toml"
_NO_SIDE = "its name tells no side: name it in emg.toml"


def channels_of(recording: Recording, options: Options) -> tuple[list[EmgChannel], Signals] | None:
    """Return the channels of a recording as their own signals have them, and these; None without.

    Parameters
    ----------
    recording : Recording
    options : Options
    """
    analog, rate = recording.analog, recording.rate_hz * recording.samples_per_frame
    names = {} if analog is None else name_channels(analog, rate, options.emg_channels)
    if analog is None or not names:
        return None
    places = list(names)
    signals = processed(analog.samples[places], rate, options)
    measured = healths(signals.raw, signals.banded, rate, signals.parts)
    channels = [
        _channel(analog.numbers[i], analog.labels[i], analog.units[i], (names[i], rate), health)
        for i, health in zip(places, measured, strict=True)
    ]
    return _bridged(channels, signals.banded), signals


def _channel(
    number: int, label: str, unit: str, told: tuple[Name, float], health: Health
) -> EmgChannel:
    """Return a channel as its own signal has it."""
    name, rate = told
    broken = broken_rule(health, rate)
    reason = "" if broken is None else broken[1]
    if broken is None:
        more = [name.note] if name.note else []
        more += [_UNNAMED] if not (name.muscle or name.note) else []
        more += [_NO_SIDE] if name.muscle and not name.side else []
        if health.low_share > LIMITS.low_share_doubt:
            more.append(f"{health.low_share:.0%} of the power lies below 20 Hz: motion")
        reason = "; ".join(more)
    return EmgChannel(
        number, label, name.muscle, name.side, unit, rate, "ok" if broken is None else "rejected",
        reason, health, name.named_by, name.note,
    )  # fmt: skip


def with_reason(channel: EmgChannel, reason: str, **changes: object) -> EmgChannel:
    """Return a channel with one more reason behind those it has."""
    told = "; ".join(part for part in (channel.reason, reason) if part)
    return replace(channel, reason=told, **changes)  # pyright: ignore[reportArgumentType]


def _bridged(channels: Sequence[EmgChannel], banded: Array) -> list[EmgChannel]:
    """Return the channels with those marked that share an electrode or a cable."""
    found = list(channels)
    good = [i for i, c in enumerate(found) if c.status == "ok"]
    if len(good) < 2:  # noqa: PLR2004
        return found
    unit = banded[good] / np.linalg.norm(banded[good], axis=1, keepdims=True)
    r = np.abs(unit @ unit.T)
    np.fill_diagonal(r, 0.0)
    for place, i in enumerate(good):
        other = int(r[place].argmax())
        most, partner = float(r[place, other]), found[good[other]]
        if most > LIMITS.bridge_r:
            words = f"the same signal as {partner.label} (r {most:.2f}): one electrode or cable"
            found[i] = with_reason(found[i], words, status="check", partner=partner.number)
        elif most > LIMITS.neighbour_r:
            found[i] = with_reason(found[i], f"cross-talk with {partner.label} (r {most:.2f})")
    return found


def one_a_muscle(channels: Sequence[EmgChannel]) -> list[EmgChannel]:
    """Return the channels, of two of one muscle and side the one with more noise as ``check``."""
    found = list(channels)
    best: dict[tuple[str, str], int] = {}
    for i, c in enumerate(found):
        if c.status != "ok" or not (c.muscle and c.side):
            continue
        first = best.setdefault((c.side, c.muscle), i)
        if first != i:
            worse, better = sorted((first, i), key=lambda k: found[k].health.snr_db)
            words = f"a second channel of this muscle; {found[better].label} is used"
            found[worse] = with_reason(found[worse], words, status="check")
            best[c.side, c.muscle] = better
    return found


def unwired(channels: Sequence[EmgChannel]) -> list[EmgChannel]:
    """Return the channels, those of a leg that was not wired as ``not_recorded``.

    Nobody knows of a leg whose every channel is unplugged whether its muscles are silent.
    """
    found = list(channels)
    for side in {c.side for c in found}:
        own = [i for i, c in enumerate(found) if c.side == side]
        broken = [broken_rule(found[i].health, found[i].rate_hz) for i in own]
        if any(rule is None for rule in broken):
            continue
        for i, rule in zip(own, broken, strict=True):
            if rule is not None and rule[0].unplugged:
                where = f"the {side} leg was not wired" if side else "nothing is plugged in"
                found[i] = replace(found[i], status="not_recorded", reason=f"{where}; {rule[1]}")
    return found


def channel_rows(recording: Recording, options: Options) -> list[dict[str, Any]]:
    """Return number, label, muscle, side, status and reason of every channel.

    Without events nothing is said of crossed cables and legs.

    Parameters
    ----------
    recording : Recording
    options : Options
    """
    found = channels_of(recording, options)
    names = ("number", "label", "muscle", "side", "status", "reason")
    channels = [] if found is None else unwired(found[0])
    return [{name: getattr(channel, name) for name in names} for channel in channels]
