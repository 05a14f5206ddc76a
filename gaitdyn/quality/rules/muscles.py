"""What electromyography gives cause to say: channels, cables, sides, and muscles beside moments."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from gaitdyn.types.later import Later

if TYPE_CHECKING:
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.emg import Emg, EmgChannel
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed


def emg_of(result: Processed) -> Emg | None:
    """Return the electromyography of a trial, computed once; None where the file has none.

    A file without such channels does not load :mod:`gaitdyn.emg`.

    Parameters
    ----------
    result : Processed
    """
    if result.recording.analog is None:
        return None
    return result.once("emg", emg_later(result).now)


def emg_later(result: Processed) -> Later[Emg | None]:
    """Return the electromyography of a trial, to be computed when it is first asked for.

    Parameters
    ----------
    result : Processed
    """
    return result.once("emg later", lambda: Later(lambda: _find(result)))


def _find(result: Processed) -> Emg | None:
    from gaitdyn.emg import find_emg

    return find_emg(result)


def muscle_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings of electromyography; none touches kinematics or kinetics.

    Parameters
    ----------
    result : Processed
    rules : Rules
    """
    emg, absent = emg_of(result), _not_there(result, rules)
    if emg is None:
        return absent
    found = absent + [rules["emg-crossed"].found("EMG", sentence) for sentence in emg.crossed]
    found += [one for channel in emg.channels for one in _of_channel(channel, rules)]
    found += _cut_band(result.options.emg_band_hz, emg, rules)
    return found + _unwired(emg, rules) + moment_findings(result, emg, rules)


def _not_there(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each channel that is named by hand and is not in the file."""
    analog, given = result.recording.analog, result.options.emg_channels
    if analog is None or not given:
        return []
    from gaitdyn.emg.naming import NONE

    there = {label.lower(): label for label in analog.labels}
    found: list[Finding] = []
    for label, muscle, _ in given:
        name = label.strip().lower()
        if name in there or muscle == NONE:
            continue
        ends = [low for low in there if low.endswith(name)]
        near = ends if len(ends) == 1 else get_close_matches(name, there, 1, 0.6)
        meant = f"; did you mean {there[near[0]]!r}?" if near else ""
        message = f"{label!r} is named as {muscle}, and no channel has this label{meant}"
        found.append(rules["emg-no-channel"].found(label, message))
    return found


def _of_channel(channel: EmgChannel, rules: Rules) -> list[Finding]:
    """Return the finding of a channel that is not used; what is crossed is told once, above."""
    code = {"check": "emg-doubtful", "rejected": "emg-rejected"}.get(channel.status)
    if code is None or channel.reason.startswith("crossed"):
        return []
    message = f"{channel.label}: {channel.reason}"
    return [rules[code].found(channel.label, message, side=channel.side or None)]


def _cut_band(asked_hz: tuple[float, float], emg: Emg, rules: Rules) -> list[Finding]:
    """Return a finding where the channels are sampled too slowly for a band that was asked for."""
    from gaitdyn.emg.signals import BAND_HZ, used_band

    low, high = used_band(asked_hz, emg.channels[0].rate_hz)
    if asked_hz == BAND_HZ or asked_hz[1] <= high:
        return []
    message = (
        f"a band of {asked_hz[0]:g}-{asked_hz[1]:g} Hz was asked for; {low:g}-{high:g} Hz is used,"
        " which the sampling rate allows"
    )
    return [rules["emg-band-cut"].found("EMG", message, high)]


def _unwired(emg: Emg, rules: Rules) -> list[Finding]:
    """Return a finding for each leg that was not wired, and one for what has no name."""
    found: list[Finding] = []
    for side in ("left", "right"):
        own = [c for c in emg.channels if c.side == side]
        if own and all(c.status == "not_recorded" for c in own):
            message = f"no channel of the {side} leg shows a muscle: it was not wired, not silent"
            found.append(rules["emg-not-recorded"].found(side, message, side=side))
    unnamed = [c.label for c in emg.channels if c.status == "ok" and not (c.muscle and c.side)]
    if unnamed:
        message = (
            f"{', '.join(unnamed[:8])}{', ...' if len(unnamed) > 8 else ''}: muscle or side is not"  # noqa: PLR2004
            " known; name them in emg.toml or [emg] of session.toml"
        )
        found.append(rules["emg-unnamed"].found("EMG", message, float(len(unnamed))))
    return found


def moment_findings(result: Processed, emg: Emg, rules: Rules) -> list[Finding]:
    """Return where muscles and joint moments contradict each other."""
    from gaitdyn.emg.moments import contradictions

    rule = rules["emg-moment"]
    return [
        rule.found(f"{one.side} {one.joint}", one.message, one.percent, side=one.side)
        for one in contradictions(result, emg, rule.bound)
    ]
