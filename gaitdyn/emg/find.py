"""Electromyography of one trial: from the analog channels to curves over the gait cycle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.cycles.heading import SHORTEST_M
from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.emg.channels import channels_of, one_per_muscle, unwired
from gaitdyn.emg.curves import Cycles, mean_envelopes, muscle_curves
from gaitdyn.emg.norms import NOT_COMPARED, speed_group
from gaitdyn.emg.shapes import judged_by_shape
from gaitdyn.emg.signals import processing_words
from gaitdyn.metrics.nondimensional import HofUnits
from gaitdyn.types.emg import Emg
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES


def find_emg(result: Processed, *, ahead: bool = True) -> Emg | None:
    """Return the electromyography of a trial; None if the file has none.

    Parameters
    ----------
    result : Processed
        Its recording, events and options are used; no markers are needed.
    ahead : bool
        Whether the person walks the way that they face. The norms are of such walks: other walks
        are not compared with them, by which neither crossed cables nor crossed legs are found.
    """
    options, judged = result.options, channels_of(result.recording, result.options)
    if judged is None:
        return None
    channels, signals = judged
    cycles: Cycles = {side: find_cycles(result, side) for side in SIDES}
    channels = [replace(c, strides=len(cycles.get(c.side, ()))) for c in channels]
    group = speed_group(walking_speed(result, cycles)) if ahead else NOT_COMPARED
    envelopes = mean_envelopes(signals, cycles, result.recording.samples_per_frame)
    channels, crossed = judged_by_shape(channels, envelopes, group)
    channels = unwired(one_per_muscle(channels))
    curves = muscle_curves(channels, signals, (cycles, result.recording.samples_per_frame), options)
    processing = processing_words(options, channels[0].rate_hz)
    return Emg(tuple(channels), tuple(curves), tuple(crossed), group, processing)


def walking_speed(result: Processed, cycles: Cycles) -> float | None:
    """Return v / sqrt(g L) of the trial, from the pelvis over its strides; None if unknown."""
    origin, rate = result.pose.origin_G, result.recording.rate_hz
    speeds: list[float] = []
    for side, side_cycles in cycles.items():
        path = origin - result.ground_travel(side)
        length = result.subject.leg(side).leg_length_m
        for cycle in side_cycles if length else ():
            rows = round(cycle.start_row), round(cycle.stop_row)
            walked = float(np.hypot(*(path[rows[1]] - path[rows[0]])[[0, 2]]))
            if walked > SHORTEST_M:
                unit = HofUnits(length or np.nan).speed
                speeds.append(walked * rate / (rows[1] - rows[0]) / unit)
    return float(median(speeds)) if speeds else None
