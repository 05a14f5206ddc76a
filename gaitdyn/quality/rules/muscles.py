"""Rules on electromyography: channels, cables, sides, and muscles against joint moments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.quality.rules.markers.gaps import known_not_ahead
from gaitdyn.types.arguments import option_of
from gaitdyn.types.emg import CROSSED_CABLES, CROSSED_LEGS
from gaitdyn.types.later import Later
from gaitdyn.types.option_rows import ROWS, not_usual
from gaitdyn.types.options import EMG_SCALES

if TYPE_CHECKING:
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.emg import Emg, EmgChannel
    from gaitdyn.types.findings import Finding, Findings
    from gaitdyn.types.result import Processed


def emg_of(result: Processed) -> Emg | None:
    """Return the electromyography of a trial, computed once; None if the file has none.

    A file without such channels does not load :mod:`gaitdyn.emg`.
    """
    if result.recording.analog is None:
        return None
    return result.once("emg", emg_later(result).now)


def emg_later(result: Processed) -> Later[Emg | None]:
    """Return the electromyography of a trial, to be computed on first use."""
    return result.once("emg later", lambda: Later(lambda: _find(result)))


def _find(result: Processed) -> Emg | None:
    from gaitdyn.emg import find_emg

    return find_emg(result, ahead=not known_not_ahead(result))


def muscle_rules(result: Processed, rules: Rules) -> Findings:
    """Return the findings on electromyography; none affects kinematics or kinetics."""
    yield from _missing_channels(result, rules)
    emg = emg_of(result)
    if emg is None:
        yield from _unused_options(result, rules)
        return
    for sentence in emg.crossed:
        yield rules["emg-crossed"].found("EMG", sentence)
    for channel in emg.channels:
        yield from _of_channel(channel, rules)
    yield from _cut_band(result.options.emg_band_hz, emg, rules)
    yield from _copies(result, emg, rules)
    yield from _unwired(emg, rules)
    yield from moment_findings(result, emg, rules)


def _unused_options(result: Processed, rules: Rules) -> Findings:
    """Return a finding on the options for electromyography that were given without any."""
    fields = [row.field for row in ROWS if row.field.startswith("emg_")]
    if given := [option_of(field) for field in not_usual(result.options, fields)]:
        effect = "have no effect" if len(given) > 1 else "has no effect"
        message = f"no channel of the file is one of a muscle: {', '.join(given)} {effect}"
        yield rules["emg-option"].found("EMG", message)


def _copies(result: Processed, emg: Emg, rules: Rules) -> list[Finding]:
    """Return one finding for all channels left out because they are computed from others."""
    from gaitdyn.emg.copies import copies_of

    labels = () if result.recording.analog is None else result.recording.analog.labels
    read = {channel.label for channel in emg.channels}
    pairs = [(labels[copy], labels[raw]) for copy, raw in copies_of(labels).items()]
    unread = [(copy, raw) for copy, raw in pairs if raw in read and copy not in read]
    if not unread:
        return []
    (copy, raw), some = unread[0], len(unread)
    message = f"{copy} is a processed copy of {raw}: left out, the raw channel is used"
    if some > 1:
        message = (
            f"{some} channels are processed copies of others, such as {copy} of {raw}: left out,"
            " the raw channels are used"
        )
    return [rules["emg-copy"].found("EMG", message, float(some))]


def _missing_channels(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each channel named by the user that is not in the file."""
    analog, options = result.recording.analog, result.options
    if analog is None or (not options.emg_channels and options.emg_normalise in EMG_SCALES):
        return
    from gaitdyn.emg.absent import absent_channels, listed_channels

    for label, message in absent_channels(analog.labels, listed_channels(options)):
        yield rules["emg-no-channel"].found(label, message)


def _of_channel(channel: EmgChannel, rules: Rules) -> list[Finding]:
    """Return the finding on an unused channel; crossed channels are reported once, elsewhere."""
    code = {"check": "emg-doubtful", "rejected": "emg-rejected"}.get(channel.status)
    if code is None or channel.reason.startswith((CROSSED_LEGS, CROSSED_CABLES)):
        return []
    message = f"{channel.label}: {channel.reason}"
    return [rules[code].found(channel.label, message, side=channel.side or None)]


def _cut_band(asked_hz: tuple[float, float], emg: Emg, rules: Rules) -> list[Finding]:
    """Return a finding if the sampling rate is too low for the requested band."""
    from gaitdyn.emg.signals import BAND_HZ, used_band

    low, high = used_band(asked_hz, emg.channels[0].rate_hz)
    if asked_hz == BAND_HZ or asked_hz[1] <= high:
        return []
    message = (
        f"a band of {asked_hz[0]:g}-{asked_hz[1]:g} Hz was requested; {low:g}-{high:g} Hz is used,"
        " which the sampling rate allows"
    )
    return [rules["emg-band-cut"].found("EMG", message, high)]


def _unwired(emg: Emg, rules: Rules) -> Findings:
    """Return a finding for each leg without electrodes, and one for channels without a name."""
    for side in ("left", "right"):
        channels = [c for c in emg.channels if c.side == side]
        if channels and all(c.status == "not_recorded" for c in channels):
            message = (
                f"no channel of the {side} leg shows a muscle: whether it was wired is not known,"
                " and neither is what its muscles did"
            )
            yield rules["emg-not-recorded"].found(side, message, side=side)
    unnamed = [c.label for c in emg.channels if c.status == "ok" and not (c.muscle and c.side)]
    if unnamed:
        message = (
            f"{', '.join(unnamed[:8])}{', ...' if len(unnamed) > 8 else ''}: muscle or side is not"  # noqa: PLR2004
            " known; name them in emg.toml or [emg] of session.toml"
        )
        yield rules["emg-unnamed"].found("EMG", message, float(len(unnamed)))


def moment_findings(result: Processed, emg: Emg, rules: Rules) -> list[Finding]:
    """Return the findings on muscles and joint moments that contradict each other."""
    from gaitdyn.emg.moments import contradictions

    rule = rules["emg-moment"]
    return [
        rule.found(f"{c.side} {c.joint}", c.message, c.percent, side=c.side)
        for c in contradictions(result, emg, rule.bound)
    ]
