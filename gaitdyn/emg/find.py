"""Electromyography of one trial: the recipe, from the analog channels to curves over the cycle."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.core.spectral import Spectrum, band_gain, low_pass_gain, notch_gain
from gaitdyn.cycles import find_cycles
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.emg.activity import LEAST_SNR_DB, switched_on
from gaitdyn.emg.ensemble import (
    in_samples,
    inside,
    on_over_cycle,
    over_cycle,
    recorded_part,
    variance_ratio,
    variation,
)
from gaitdyn.emg.health import BAND_HZ, LIMITS, NYQUIST_SHARE, broken_rule, healths
from gaitdyn.emg.maxima import read_maxima
from gaitdyn.emg.naming import Name, name_channels
from gaitdyn.emg.norms import SOURCE, speed_group
from gaitdyn.emg.shapes import Envelopes, judged_by_shape
from gaitdyn.metrics.strides import SHORTEST_M
from gaitdyn.types.emg import Emg, EmgChannel, EmgCurves
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.cycles import Cycle
    from gaitdyn.types.emg import Health
    from gaitdyn.types.options import Options
    from gaitdyn.types.result import Processed

SHAPE_HZ = 6.0
"""Low-pass of the envelope that is held against the norm, whatever is shown."""

_UNNAMED = "its name tells no muscle: name it in emg.toml"
_NO_SIDE = "its name tells no side: name it in emg.toml"


class _Signals(NamedTuple):
    """Channels as processed, shape (c, m) each, and where they were recorded."""

    raw: Array
    banded: Array
    envelope: Array
    shape: Array
    spectrum: Spectrum
    parts: list[tuple[int, int]]


def find_emg(result: Processed) -> Emg | None:
    """Return the electromyography of a trial; None where it has none.

    Parameters
    ----------
    result : Processed
        Its recording, events and options are used; no marker is needed.
    """
    analog, options = result.recording.analog, result.options
    rate = result.recording.rate_hz * result.recording.samples_per_frame
    names = {} if analog is None else name_channels(analog, rate, options.emg_channels)
    if analog is None or not names:
        return None
    places = list(names)
    signals = _processed(analog.samples[places], rate, options)
    measured = healths(signals.raw, signals.banded, rate, signals.parts)
    channels = [
        _channel(analog.numbers[i], analog.labels[i], analog.units[i], (names[i], rate), health)
        for i, health in zip(places, measured, strict=True)
    ]
    cycles = {side: find_cycles(result, side) for side in SIDES}
    channels = [replace(c, strides=len(cycles.get(c.side, ()))) for c in channels]
    channels = _bridged(channels, signals.banded)
    group = speed_group(walking_speed(result, cycles))
    envelopes = _mean_envelopes(signals, cycles, result.recording.samples_per_frame)
    channels, crossed = judged_by_shape(channels, envelopes, group)
    channels = _not_recorded(_one_a_muscle(channels))
    curves = _curves(channels, signals, (cycles, result.recording.samples_per_frame), options)
    return Emg(tuple(channels), tuple(curves), tuple(crossed), group, _processing(options, rate))


def _processed(samples: Array, rate: float, options: Options) -> _Signals:
    """Return the channels without offset, filtered, and their envelopes."""
    raw = samples - np.median(samples, axis=1, keepdims=True)
    spectrum = Spectrum(raw, rate)
    f = spectrum.frequency_hz
    judged = spectrum.filtered(band_gain(f, *_band(BAND_HZ, rate)))
    shape = _envelope(judged, rate, SHAPE_HZ)
    plain = (options.emg_band_hz, options.emg_notch_hz) == (BAND_HZ, None)
    shown = judged
    if not plain:
        gain = band_gain(f, *_band(options.emg_band_hz, rate))
        if options.emg_notch_hz is not None:
            gain = gain * notch_gain(f, options.emg_notch_hz)
        shown = spectrum.filtered(gain)
    same = plain and options.emg_envelope_hz == SHAPE_HZ
    envelope = shape if same else _envelope(shown, rate, options.emg_envelope_hz)
    parts = [recorded_part(signal) for signal in samples]
    return _Signals(raw, judged, envelope, shape, spectrum, parts)


def _band(band_hz: tuple[float, float], rate: float) -> tuple[float, float]:
    return band_hz[0], min(band_hz[1], NYQUIST_SHARE * rate)


def _envelope(banded: Array, rate: float, cutoff_hz: float) -> Array:
    """Return the linear envelope: rectified, then low-passed without lag, never below zero."""
    spectrum = Spectrum(np.abs(banded), rate)
    found = spectrum.filtered(low_pass_gain(spectrum.frequency_hz, cutoff_hz))
    return np.maximum(found, 0.0)


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
            found[i] = with_reason(found[i], f"hears {partner.label} (r {most:.2f})")
    return found


def walking_speed(result: Processed, cycles: dict[str, list[Cycle]]) -> float | None:
    """Return v / sqrt(g L) of the trial, from the pelvis over its strides; None if not known."""
    origin, rate = result.pose.origin_G, result.recording.rate_hz
    found: list[float] = []
    for side, own in cycles.items():
        length = result.subject.leg(side).leg_length_m
        for cycle in own if length else ():
            rows = round(cycle.start_row), round(cycle.stop_row)
            way = (origin[rows[1]] - origin[rows[0]])[[0, 2]]
            walked = float(np.hypot(*way))
            if walked > SHORTEST_M:
                unit = np.sqrt(STANDARD_GRAVITY * float(length or np.nan))
                found.append(walked * rate / (rows[1] - rows[0]) / unit)
    return float(np.median(found)) if found else None


def _mean_envelopes(
    signals: _Signals, cycles: dict[str, list[Cycle]], ratio: int
) -> dict[str, Envelopes]:
    """Return side -> mean envelope of every channel over the cycles of that side; NaN without."""
    found: dict[str, Envelopes] = {}
    for side, own in cycles.items():
        ends = [(in_samples(c.start_row, ratio), in_samples(c.stop_row, ratio)) for c in own]
        means = np.full((len(signals.shape), 101), np.nan)
        for i, envelope in enumerate(signals.shape):
            there = [e for e, yes in zip(ends, inside(ends, signals.parts[i]), strict=True) if yes]
            if there:
                means[i] = np.mean([over_cycle(envelope, *e) for e in there], axis=0)
        found[side] = means
    return found


def _one_a_muscle(channels: Sequence[EmgChannel]) -> list[EmgChannel]:
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


def _not_recorded(channels: Sequence[EmgChannel]) -> list[EmgChannel]:
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


def _curves(
    channels: Sequence[EmgChannel],
    signals: _Signals,
    times: tuple[dict[str, list[Cycle]], int],
    options: Options,
) -> list[EmgCurves]:
    """Return the curves of the channels that are ``ok`` and whose muscle and side are known."""
    cycles, ratio = times
    shown = [
        i for i, c in enumerate(channels)
        if c.status == "ok" and c.muscle and c.side and cycles[c.side]
    ]  # fmt: skip
    if not shown:
        return []
    rate = channels[0].rate_hz
    parts = [signals.parts[i] for i in shown]
    on = dict(zip(shown, switched_on(signals.spectrum.only(shown), rate, parts), strict=True))
    maxima = read_maxima(options.emg_normalise)
    found: list[EmgCurves] = []
    for i in shown:
        channel, own = channels[i], cycles[channels[i].side]
        ends = [(in_samples(c.start_row, ratio), in_samples(c.stop_row, ratio)) for c in own]
        there = [k for k, yes in enumerate(inside(ends, signals.parts[i])) if yes]
        if there:
            strides = np.array([over_cycle(signals.envelope[i], *ends[k]) for k in there])
            raster = _raster(channel, on[i], [ends[k] for k in there])
            scale = _scale(channel, strides, options.emg_normalise, maxima)
            found.append(
                EmgCurves(
                    channel.side, channel.muscle, channel.number,
                    tuple(own[k].number for k in there), strides / scale, raster, scale,
                    variance_ratio(strides), variation(strides),
                )
            )  # fmt: skip
    return found


def _raster(channel: EmgChannel, on: Mask, ends: Sequence[tuple[float, float]]) -> Array:
    """Return when a channel is on in each cycle, (n, 101); NaN where rest is not quiet enough."""
    if channel.health.snr_db < LEAST_SNR_DB:
        return np.full((len(ends), 101), np.nan)
    return np.array([on_over_cycle(on, *end) for end in ends])


def _scale(channel: EmgChannel, strides: Array, how: str, maxima: dict[str, float]) -> float:
    """Return what 1 is, in the unit of the file."""
    if how == "none":
        return 1.0
    if channel.label in maxima:
        return maxima[channel.label]
    return float(strides.mean(axis=0).max()) or 1.0


def _processing(options: Options, rate: float) -> dict[str, object]:
    """Return what was done, for the data dictionary."""
    band = _band(options.emg_band_hz, rate)
    return {
        "rate_hz": rate,
        "offset": "median of the trial taken away",
        "band_hz": list(band),
        "band_filter": "Butterworth, 4th order, forwards and backwards, gain 0.707 at both ends",
        "notch_hz": options.emg_notch_hz,
        "envelope": "absolute value, low-passed as above",
        "envelope_hz": options.emg_envelope_hz,
        "normalise": options.emg_normalise,
        "on": (
            "Teager-Kaiser energy of 30-300 Hz above mean + 8 SD of the quietest 100 ms; gaps and"
            f" bursts below 50 ms dropped; not told below {LEAST_SNR_DB:g} dB"
        ),
        "norm": f"{SOURCE}; shapes of 6 Hz envelopes, amplitudes are not compared",
    }
