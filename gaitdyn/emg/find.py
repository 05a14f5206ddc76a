"""Electromyography of one trial: the recipe, from the analog channels to curves over the cycle."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.emg.channels import channels_of, one_a_muscle, unwired
from gaitdyn.emg.curves import mean_envelopes, muscle_curves
from gaitdyn.emg.norms import speed_group
from gaitdyn.emg.shapes import judged_by_shape
from gaitdyn.emg.signals import processing_words
from gaitdyn.metrics.strides import SHORTEST_M
from gaitdyn.types.emg import Emg
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.emg.curves import Cycles
    from gaitdyn.types.result import Processed


def find_emg(result: Processed) -> Emg | None:
    """Return the electromyography of a trial; None where it has none.

    Parameters
    ----------
    result : Processed
        Its recording, events and options are used; no marker is needed.
    """
    options, found = result.options, channels_of(result.recording, result.options)
    if found is None:
        return None
    channels, signals = found
    cycles = {side: find_cycles(result, side) for side in SIDES}
    channels = [replace(c, strides=len(cycles.get(c.side, ()))) for c in channels]
    group = speed_group(walking_speed(result, cycles))
    envelopes = mean_envelopes(signals, cycles, result.recording.samples_per_frame)
    channels, crossed = judged_by_shape(channels, envelopes, group)
    channels = unwired(one_a_muscle(channels))
    curves = muscle_curves(channels, signals, (cycles, result.recording.samples_per_frame), options)
    done = processing_words(options, channels[0].rate_hz)
    return Emg(tuple(channels), tuple(curves), tuple(crossed), group, done)


def walking_speed(result: Processed, cycles: Cycles) -> float | None:
    """Return v / sqrt(g L) of the trial, from the pelvis over its strides; None if not known."""
    origin, rate = result.pose.origin_G, result.recording.rate_hz
    found: list[float] = []
    for side, own in cycles.items():
        way_b = origin - result.ground_travel(side)
        length = result.subject.leg(side).leg_length_m
        for cycle in own if length else ():
            rows = round(cycle.start_row), round(cycle.stop_row)
            way = (way_b[rows[1]] - way_b[rows[0]])[[0, 2]]
            walked = float(np.hypot(*way))
            if walked > SHORTEST_M:
                unit = np.sqrt(STANDARD_GRAVITY * float(length or np.nan))
                found.append(walked * rate / (rows[1] - rows[0]) / unit)
    return float(median(found)) if found else None
