"""Measures of the health of a channel, and the rules that separate muscle from everything else.

The limits were set on 538 channels of 29 laboratories: healthy ones have a median frequency of 25
to 170 Hz and 10 to 60 dB between activity and rest; unplugged ones are white (a quarter of the
rate) or follow the mains.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.core.percentiles import percentiles
from gaitdyn.core.spectral import groups, moving_mean, power_spectrum, spectrum_lines
from gaitdyn.types.emg import Health
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gaitdyn.types.arrays import Array, Places

BAND_HZ = (20.0, 450.0)
"""Band in which a channel is judged, whatever is shown; it ends at 0.45 of the rate or below."""

NYQUIST_SHARE, LEAST_RATE_HZ = 0.45, 400.0
_RMS_S, _LINE_HZ = 0.05, 1.5
_MAINS_HZ = (50.0, 60.0)
_HIGH_HZ = 150.0
"""159 channels that show a muscle have 0.002 to 0.57 of their power above this; after a filter of
4th order at 100 Hz they have at most 0.0003."""
_TINY = 1e-300
_WHITE, _SURELY_WHITE, _LEAST_WHITE_HZ = 0.83, 0.92, 150.0
"""Median frequencies, as a share of the middle of the band, from which a signal may be white noise
and from which it certainly is; below the last, it cannot separate muscle from noise."""


@frozen()
class Limits:
    """Limits beyond which a channel does not show a muscle.

    Attributes
    ----------
    shortest_s, constant_s, clipped_share, noise_snr_db, least_snr_db, hum_share, tone_db : float
        See the rules below.
    tone_share, low_share : float
        The same.
    low_share_doubt : float
        Above this a channel is used, with a note about motion.
    kurtosis, high_share : float
        See the rules below.
    bridge_r : float
        Correlation at zero lag of two channels that share an electrode or a cable.
    neighbour_r : float
        Above this two channels pick up each other's muscle, which is reported.
    """

    shortest_s: float = 0.1
    constant_s: float = 0.1
    clipped_share: float = 0.01
    noise_snr_db: float = 15.0
    least_snr_db: float = 8.0
    hum_share: float = 0.3
    tone_db: float = 1.0
    tone_share: float = 0.8
    low_share: float = 0.8
    low_share_doubt: float = 0.5
    kurtosis: float = 60.0
    high_share: float = 0.001
    bridge_r: float = 0.6
    neighbour_r: float = 0.3


LIMITS = Limits()


class ChannelRule(NamedTuple):
    """A rule for one channel: its code, whether it means unplugged, its test and its wording."""

    code: str
    unplugged: bool
    broken: Callable[[Health, float], bool]
    words: str


def _white_hz(rate_hz: float, part: float = _WHITE) -> float:
    """Return the median frequency above which a spectrum is too flat to be that of a muscle.

    Examples
    --------
    >>> round(_white_hz(1000.0)), _white_hz(400.0)
    (195, inf)
    """
    white = part * 0.5 * (BAND_HZ[0] + min(BAND_HZ[1], NYQUIST_SHARE * rate_hz))
    return white if white > _LEAST_WHITE_HZ else float("inf")


def _is_noise(health: Health, rate_hz: float) -> bool:
    """Return whether a channel does not rise above rest, or has a spectrum unlike any muscle."""
    frequency, snr = health.median_frequency_hz, health.snr_db
    white = frequency > _white_hz(rate_hz) and snr < LIMITS.noise_snr_db
    return snr < LIMITS.least_snr_db or white or frequency > _white_hz(rate_hz, _SURELY_WHITE)


def _is_tone(health: Health, _rate_hz: float) -> bool:
    """Return whether a channel contains one steady frequency other than the mains."""
    mains = health.hum_share > LIMITS.hum_share
    steady = health.snr_db < LIMITS.tone_db and health.line_share > LIMITS.tone_share
    return steady and not mains


RULES = (
    ChannelRule("slow", False, lambda _, rate: rate < LEAST_RATE_HZ,
         f"recorded below {LEAST_RATE_HZ:g} Hz: too slow for muscle activity"),
    ChannelRule("short", False, lambda h, _: h.recorded_s < LIMITS.shortest_s,
         f"recorded for less than {LIMITS.shortest_s:g} s: too short to judge"),
    ChannelRule("tone", False, _is_tone,
         "a steady tone ({h.line_share:.0%} of its power in one line): a test signal,"
         " not a muscle"),
    ChannelRule("clipped", True, lambda h, _: h.clipped_share > LIMITS.clipped_share,
         "clipped: {h.clipped_share:.1%} of the samples lie at the ends of the range"),
    ChannelRule("flat", True, lambda h, _: h.constant_s > LIMITS.constant_s,
         "flat: one value for {h.constant_s:.2f} s"),
    ChannelRule("hum", True, lambda h, _: h.hum_share > LIMITS.hum_share,
         "mains hum: {h.hum_hz:.0f} Hz and its harmonics carry {h.hum_share:.0%} of the power"),
    ChannelRule("noise", True, _is_noise,
         "noise only: activity is {h.snr_db:.0f} dB above rest, median frequency"
         " {h.median_frequency_hz:.0f} Hz"),
    ChannelRule("motion", False, lambda h, _: h.low_share > LIMITS.low_share,
         "motion artefact: {h.low_share:.0%} of the power lies below 20 Hz"),
    ChannelRule("spikes", False, lambda h, _: h.kurtosis > LIMITS.kurtosis,
         "spikes: kurtosis {h.kurtosis:.0f} after the filter"),
    ChannelRule("filtered", False, lambda h, _: h.high_share < LIMITS.high_share,
         f"low-passed before export: {{h.high_share:.2g}} of the power lies above {_HIGH_HZ:g} Hz,"
         " where a raw signal has more than 0.002"),
)  # fmt: skip
"""In the order in which they are tested; the first broken rule gives the reason."""


def broken_rule(health: Health, rate_hz: float) -> tuple[ChannelRule, str] | None:
    """Return the first rule that a channel breaks, and the reason in words; None for a good one."""
    for rule in RULES:
        if rule.broken(health, rate_hz):
            return rule, rule.words.format(h=health).replace("%", " %")
    return None


def healths(
    raw: Array, banded: Array, rate_hz: float, parts: Sequence[tuple[int, int]]
) -> list[Health]:
    """Return the health of each channel.

    Parameters
    ----------
    raw : array, shape (c, m)
        As recorded, without the offset.
    banded : array, shape (c, m)
        Band-passed by :data:`BAND_HZ`.
    rate_hz : float
    parts : sequence of (start, stop)
        Half-open interval of the samples in which each channel was recorded.
    """
    measured: dict[int, Health] = {}
    for start, stop in set(parts):
        rows = [i for i, part in enumerate(parts) if part == (start, stop)]
        if 2 * (stop - start) <= raw.shape[1]:
            measured |= {i: _silent(raw[i], (stop - start) / rate_hz, rate_hz) for i in rows}
            continue
        for group in groups(rows, stop - start):
            of_group = _healths(raw[group, start:stop], banded[group, start:stop], rate_hz)
            measured |= zip(group, of_group, strict=True)
    return [measured[i] for i in range(len(raw))]


def _silent(raw: Array, recorded_s: float, rate_hz: float) -> Health:
    """Return the health of a channel that has one value for most of the trial.

    A run of this value that is long enough says more than how little was recorded.
    """
    run_s = _longest_run(raw) / rate_hz
    recorded_s = math.inf if run_s > LIMITS.constant_s else recorded_s
    return Health(run_s, 0.0, 0.0, math.nan, _MAINS_HZ[0], 0.0, 0.0, 0.0, 0.0, recorded_s)


class _Bands(NamedTuple):
    """The spectral lines in the bands that are compared.

    ``inside`` the band in which a channel is judged, ``above`` and ``below`` 20 Hz, ``high`` its
    part above 150 Hz; ``mains``: near each mains frequency or its 3rd or 5th harmonic;
    ``frequency``: those inside.
    """

    inside: slice
    above: slice
    below: slice
    high: slice
    mains: tuple[Places, ...]
    frequency: Array


@lru_cache(maxsize=8)
def _bands(samples: int, rate_hz: float) -> _Bands:
    """Return the bands of the spectrum of a signal with this many samples."""
    frequency = spectrum_lines(samples, rate_hz)
    first = int((frequency < BAND_HZ[0]).sum())
    inside = slice(first, int((frequency <= min(BAND_HZ[1], NYQUIST_SHARE * rate_hz)).sum()))
    mains = [
        np.any([np.abs(frequency - k * hz) <= _LINE_HZ for k in (1, 3, 5)], axis=0)
        for hz in _MAINS_HZ
    ]
    lines = tuple(map(np.flatnonzero, mains))
    high = slice(int((frequency < _HIGH_HZ).sum()), inside.stop)
    return _Bands(inside, slice(first, None), slice(first), high, lines, frequency[inside])


def _healths(raw: Array, banded: Array, rate_hz: float) -> list[Health]:
    """Return the health of channels that were recorded in the same samples."""
    bands, power = _bands(raw.shape[1], rate_hz), power_spectrum(raw, rate_hz)[1]
    inside, above = power[:, bands.inside], power[:, bands.above]
    size = np.sqrt(np.maximum(moving_mean(banded**2, round(_RMS_S * rate_hz)), 0.0))
    low, top = np.maximum([percentiles(channel, 5, 95) for channel in size], _TINY).T
    squares = (banded - banded.mean(axis=1, keepdims=True)) ** 2  # ``** 4``: 100 times slower
    kurtosis = (squares**2).mean(axis=1) / np.maximum(squares.mean(axis=1) ** 2, _TINY)
    clipped, low_share = _clipped(raw), _share(power[:, bands.below], power)
    high_share = _share(power[:, bands.high], power[:, bands.inside])
    snr_db = (20.0 * (np.log10(top) - np.log10(low))).tolist()
    hums = zip(*(_share(power.take(lines, axis=1), above) for lines in bands.mains), strict=True)
    hum = [max(zip(shares, _MAINS_HZ, strict=True)) for shares in hums]
    return [
        Health(
            constant_s=_longest_run(signal) / rate_hz,
            clipped_share=clipped[i],
            snr_db=snr_db[i],
            median_frequency_hz=_median(bands.frequency, inside[i]),
            hum_hz=hum[i][1],
            hum_share=hum[i][0],
            line_share=_line(bands.frequency, inside[i]),
            low_share=low_share[i],
            kurtosis=float(kurtosis[i]),
            recorded_s=raw.shape[1] / rate_hz,
            high_share=high_share[i],
        )
        for i, signal in enumerate(raw)
    ]


def _longest_run(signal: Array) -> int:
    """Return the length of the longest run of equal samples."""
    steps = np.flatnonzero(signal[1:] != signal[:-1])
    edges = np.concatenate(([-1], steps, [len(signal) - 1]))
    return int((edges[1:] - edges[:-1]).max())


def _clipped(signals: Array) -> list[float]:
    """Return the share of samples within 0.1 % of either end of the range of each channel."""
    low, high = signals.min(axis=1, keepdims=True), signals.max(axis=1, keepdims=True)
    margin = 1e-3 * (high - low)
    return ((signals <= low + margin) | (signals >= high - margin)).mean(axis=1).tolist()


def _share(part: Array, whole: Array) -> list[float]:
    """Return the share of each row's sum that lies in a part of it; 0 without any."""
    total = whole.sum(axis=1)
    return np.divide(part.sum(axis=1), total, out=np.zeros(len(total)), where=total > 0).tolist()


def _line(frequency: Array, power: Array) -> float:
    """Return the share of the band's power within 1.5 Hz of its strongest line."""
    total = float(power.sum())
    if not len(power) or total <= 0:
        return 0.0
    strongest = np.abs(frequency - frequency[int(power.argmax())]) <= _LINE_HZ
    return float(power[strongest].sum()) / total


def _median(frequency: Array, power: Array) -> float:
    """Return the frequency below which half of the power lies; NaN without power."""
    total = np.cumsum(power)
    if not len(total) or total[-1] <= 0:
        return float("nan")
    return float(np.interp(0.5 * total[-1], total, frequency))
