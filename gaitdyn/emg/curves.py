"""Envelopes, on-times and rectified signals over the gait cycles of a muscle's own side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.emg.activity import LEAST_SNR_DB, switched_on
from gaitdyn.emg.ensemble import (
    in_samples,
    inside,
    largest_over_cycle,
    on_over_cycle,
    over_cycle,
    variance_ratio,
    variation,
)
from gaitdyn.emg.maxima import read_maxima
from gaitdyn.types.emg import EmgCurves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.emg.shapes import Envelopes
    from gaitdyn.emg.signals import Signals
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.cycles import Cycle
    from gaitdyn.types.emg import EmgChannel
    from gaitdyn.types.options import Options

Cycles = dict[str, "list[Cycle]"]
"""Side -> its gait cycles."""


def mean_envelopes(signals: Signals, cycles: Cycles, ratio: int) -> dict[str, Envelopes]:
    """Return side -> mean envelope of every channel over its straight cycles; NaN without."""
    found: dict[str, Envelopes] = {}
    for side, every in cycles.items():
        own = [c for c in every if not c.turning] or every
        ends = [(in_samples(c.start_row, ratio), in_samples(c.stop_row, ratio)) for c in own]
        means = np.full((len(signals.shape), 101), np.nan)
        strides = np.array([over_cycle(signals.shape, *e) for e in ends])
        for i, part in enumerate(signals.parts):
            there = [k for k, yes in enumerate(inside(ends, part)) if yes]
            if there:
                means[i] = strides[there, i].mean(axis=0)
        found[side] = means
    return found


def muscle_curves(
    channels: Sequence[EmgChannel],
    signals: Signals,
    times: tuple[Cycles, int],
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
            drawn_from = np.abs(signals.shown[i])
            drawn = np.array([largest_over_cycle(drawn_from, *ends[k]) for k in there])
            scale = _scale(channel, strides, options.emg_normalise, maxima)
            found.append(
                EmgCurves(
                    channel.side, channel.muscle, channel.number,
                    tuple(own[k].number for k in there), strides / scale, raster, drawn / scale,
                    scale,
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
