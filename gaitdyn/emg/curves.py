"""Envelopes, on-times and rectified signals of a muscle over the gait cycles of its side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.emg.activity import LEAST_SNR_DB, switched_on, while_working
from gaitdyn.emg.ensemble import (
    in_samples,
    inside,
    largest_over_cycle,
    on_over_cycle,
    over_cycle,
    straight_ones,
)
from gaitdyn.emg.maxima import read_maxima
from gaitdyn.statistics.repeatability import variance_ratio, variation
from gaitdyn.types.emg import EmgChannel, EmgCurves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.emg.shapes import Envelopes
    from gaitdyn.emg.signals import Signals
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.cycles import Cycle
    from gaitdyn.types.options import Options

Cycles = dict[str, "list[Cycle]"]
"""Side -> its gait cycles."""


def mean_envelopes(signals: Signals, cycles: Cycles, ratio: int) -> dict[str, Envelopes]:
    """Return side -> mean envelope of every channel over the straight cycles; NaN without cycles.

    Where a side has no straight cycle, all of its cycles are used.
    """
    means: dict[str, Envelopes] = {}
    for side, every in cycles.items():
        straight = [c for c in every if not c.turning] or every
        ends = [_ends(c, ratio) for c in straight]
        means[side] = np.full((len(signals.shape), 101), np.nan)
        strides = over_cycle(signals.shape, *np.reshape(ends, (-1, 2)).T)
        for i, part in enumerate(signals.parts):
            if recorded := [k for k, yes in enumerate(inside(ends, part)) if yes]:
                means[side][i] = strides[i][recorded].mean(axis=0)
    return means


def _ends(cycle: Cycle, ratio: int) -> tuple[float, float]:
    """Return both ends of a cycle in samples of the analog channels."""
    return in_samples(cycle.start_row, ratio), in_samples(cycle.stop_row, ratio)


def muscle_curves(
    channels: Sequence[EmgChannel], signals: Signals, times: tuple[Cycles, int], options: Options
) -> list[EmgCurves]:
    """Return the curves of each channel that is ``ok`` and has a muscle, a side and cycles."""
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
    maxima = {k.strip().lower(): v for k, v in read_maxima(options.emg_normalise).items()}
    curves: list[EmgCurves] = []
    for i in shown:
        channel, side_cycles = channels[i], cycles[channels[i].side]
        ends = [_ends(c, ratio) for c in side_cycles]
        if recorded := [k for k, yes in enumerate(inside(ends, signals.parts[i])) if yes]:
            within = np.array(ends)[recorded].T
            both = np.stack((signals.envelope[i], signals.shape[i]))
            strides, shapes = over_cycle(both, *within)
            turning = [side_cycles[k].turning for k in recorded]
            straight = straight_ones(strides, turning)
            peak = float(straight_ones(shapes, turning).mean(axis=0).max())
            working = while_working(on[i], signals.shape[i], peak, rate)
            raster = _raster(channel, working, within)
            full_wave = np.abs(signals.shown[i])
            rectified = np.array([largest_over_cycle(full_wave, *ends[k]) for k in recorded])
            scale = _scale(channel, straight, options.emg_normalise, maxima)
            curves.append(
                EmgCurves(
                    channel.side, channel.muscle, channel.number,
                    tuple(side_cycles[k].number for k in recorded), strides / scale, raster,
                    rectified / scale, scale, variance_ratio(straight), variation(straight),
                    tuple(side_cycles[k].number for k in recorded if side_cycles[k].turning),
                )
            )  # fmt: skip
    return curves


def _raster(channel: EmgChannel, on: Mask, ends: Array) -> Array:
    """Return when a channel is on in each cycle, (n, 101); NaN if its rest is not quiet enough."""
    if channel.health.snr_db < LEAST_SNR_DB:
        return np.full((ends.shape[1], 101), np.nan)
    return on_over_cycle(on, *ends)


def _scale(channel: EmgChannel, strides: Array, how: str, maxima: dict[str, float]) -> float:
    """Return the value that is drawn as 1, in the unit of the file."""
    if how == "none":
        return 1.0
    peak = float(strides.mean(axis=0).max()) or 1.0
    return maxima.get(channel.label.lower(), peak)
