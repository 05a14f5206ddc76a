"""The moving figure of the page: positions along the walk, packed for a short script."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gaitdyn.core.packing import pack_whole, unpack_whole
from gaitdyn.plots.clinic.steps import walking_directions
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.arrays import Array

_HZ = 25.0
_MARGIN_S = 0.04
_MOST = 500
"""Most frames of a figure: a trial of many minutes without a stride has larger steps."""


def moving_figure(trial: StoredTrial) -> dict[str, Any] | None:
    """Return the figure of one trial over its strides, or over its whole time if it has none.

    Returns
    -------
    dict or None
        None without a line to draw. ``points``: their number. ``places``: packed whole mm
        (frames, points, 3), forward, up and to the left. ``start_s``: time of the first frame.
        ``rate_hz``: of the frames. ``lines``: C, L and R -> rows of points. ``forces``: L and R
        -> packed (frames, 6), position in mm and force in N. ``strides``: side, cycle, start and
        stop; one without a side if the trial has no stride.
    """
    figure, cycles = trial.view["figure"], trial.view["cycles"]
    count, rate = len(figure["points"]), float(figure["rate_hz"])
    if not count or not any(row for rows in figure["lines"].values() for row in rows):
        return None
    places = unpack_whole(figure["places"]).reshape(-1, count, 3)
    start = figure["time_s"]
    whole = {"side": "", "cycle": 0, "start_s": start, "stop_s": start + (len(places) - 1) / rate}
    cycles = cycles or [whole]
    first = min(c["start_s"] for c in cycles) - _MARGIN_S
    last = max(c["stop_s"] for c in cycles) + _MARGIN_S
    step = max(1, math.ceil(rate / _HZ - 1e-9), math.ceil((last - first) * rate / _MOST))
    a = max(0, math.floor((first - figure["time_s"]) * rate))
    b = min(len(places), math.ceil((last - figure["time_s"]) * rate) + 1)
    axes = _axes(figure)
    letters = {"pelvis": "C", "left": "L", "right": "R"}
    lines = {letters.get(group, "C"): rows for group, rows in figure["lines"].items()}
    forces = {
        side[0].upper(): pack_whole(_turned(unpack_whole(text).reshape(-1, 6)[a:b:step], axes))
        for side, text in figure["forces"].items()
    }
    return {
        "name": trial.name,
        "points": count,
        "places": pack_whole(places[a:b:step] @ axes),
        "start_s": round(figure["time_s"] + a / rate, 4),
        "rate_hz": rate / step,
        "lines": lines,
        "forces": forces,
        "strides": [{key: cycle[key] for key in whole} for cycle in cycles],
    }


def _axes(figure: dict[str, Any]) -> Array:
    """Return the directions forward, up and left as columns."""
    forward, left = walking_directions(figure)
    return np.stack((forward, np.array([0.0, 1.0, 0.0]), left), axis=1)


def _turned(rows: Array, axes: Array) -> Array:
    return np.concatenate((rows[:, :3] @ axes, rows[:, 3:] @ axes), axis=1)
