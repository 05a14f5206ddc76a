"""Steps on the floor, from stored results: plates, feet and path of the force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gaitdyn.core.gravity import STANDARD_GRAVITY
from gaitdyn.core.packing import unpack_floats, unpack_whole
from gaitdyn.core.runs import runs
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES

_MM = 1000.0
_LOADED_N, _SHORTEST_S = 20.0, 0.2


@frozen(eq=False)
class FootOutline:
    """Heel and toe at mid-stance, forward and to the left, m, shape (2, 2)."""

    side: str
    line: Array


@frozen(eq=False)
class FloorPlan:
    """The floor seen from above; positions are forward and to the left, m."""

    numbers: tuple[int, ...]
    plates: tuple[Array, ...]
    feet: tuple[FootOutline, ...]
    paths: tuple[tuple[str, Array], ...]
    walks: bool = True
    """Whether there is a stride, and thereby a direction."""


@frozen(eq=False)
class Butterfly:
    """The force of one step, seen from the side.

    Attributes
    ----------
    side : str
    along : array, shape (n,)
        Point of application, forward, m.
    force : array, shape (n, 2)
        Forward and up, body weights.
    peaks : tuple of float
        Means over all steps of the first and second peak of the upward force, body weights, if
        they are known.
    """

    side: str
    along: Array
    force: Array
    peaks: tuple[float, ...]


def walking_directions(figure: Mapping[str, Any]) -> tuple[Array, Array]:
    """Return the unit vectors forward and to the left in G, whose Y is up."""
    forward = np.array(figure["walking_G"], dtype=float)
    forward[1] = 0.0
    forward /= np.linalg.norm(forward) or 1.0
    return forward, np.cross(np.array([0.0, 1.0, 0.0]), forward)


def _figure_points(figure: Mapping[str, Any]) -> Array:
    n_points = len(figure["points"])
    places = unpack_whole(figure["places"])
    return places.reshape(-1, n_points, 3) / _MM if n_points else np.empty((0, 0, 3))


def floor_plan(figure: Mapping[str, Any], cycles: Sequence[Mapping[str, Any]]) -> FloorPlan | None:
    """Return the floor of one trial; None without a plate or a foot.

    On a treadmill all steps overlap, so one step per side is drawn, from the middle of the trial.

    Parameters
    ----------
    figure : mapping
        ``figure`` of :func:`gaitdyn.store.view.view_of`.
    cycles : sequence of mapping
        Cycles of the view: side, start, foot-off.
    """
    forward, left = walking_directions(figure)
    axes = np.stack((forward, left), axis=1)
    real_plates = [p for p in figure["plates"] if not p.get("virtual")]
    plates = [np.array(p["corners"], dtype=float) / _MM @ axes for p in real_plates]
    points = _figure_points(figure)
    names = list(figure["points"])
    feet: list[FootOutline] = []
    on_belts = bool(figure.get("travel"))
    if on_belts:
        cycles = _middle([(cycle["side"], cycle) for cycle in cycles])
    for cycle in cycles:
        foot_off = cycle["foot_off_percent"] or 60.0
        duration = cycle["stop_s"] - cycle["start_s"]
        middle = cycle["start_s"] + duration * foot_off / 200.0
        feet += _foot_at(cycle["side"], middle, figure, (points, names, axes))
    last_cycles = {} if on_belts else {cycle["side"]: cycle for cycle in cycles}
    for side, cycle in last_cycles.items():  # its last foot strike begins a step, too
        feet += _foot_at(side, cycle["stop_s"] + 0.1, figure, (points, names, axes))
    paths = [(side, run) for side in SIDES for run in _paths(figure, side, axes)]
    paths = _middle([(side, (side, run)) for side, run in paths]) if on_belts else paths
    if not plates and not feet:
        return None
    numbers = tuple(int(p["plate"]) for p in real_plates)
    return FloorPlan(numbers, tuple(plates), tuple(feet), tuple(paths), bool(cycles))


def _middle(sided_items: Sequence[tuple[str, Any]]) -> list[Any]:
    """Return the middle item of each side."""
    by_side = [[item for item_side, item in sided_items if item_side == side] for side in SIDES]
    return [items[len(items) // 2] for items in by_side if items]


def _foot_at(
    side: str, time_s: float, figure: Mapping[str, Any], parts: tuple[Array, list[str], Array]
) -> list[FootOutline]:
    points, names, axes = parts
    row = round((time_s - figure["time_s"]) * figure["rate_hz"])
    heel, toe = f"{side} heel", f"{side} toe"
    if not 0 <= row < len(points) or heel not in names or toe not in names:
        return []
    line = points[row, [names.index(heel), names.index(toe)]] @ axes
    return [FootOutline(side, line)] if np.isfinite(line).all() else []


def _force_rows(figure: Mapping[str, Any], side: str) -> Array:
    text = figure["forces"].get(side)
    return np.empty((0, 6)) if text is None else unpack_whole(text).reshape(-1, 6)


def _belt_travel(figure: Mapping[str, Any], side: str) -> Array:
    """Return the displacement of the belt below a foot, shape (n, 3), mm; 0 on the floor."""
    text = figure.get("travel", {}).get(side)
    rows = len(_force_rows(figure, side))
    return np.zeros((rows, 3)) if text is None else unpack_floats(text).reshape(-1, 3)


def _paths(figure: Mapping[str, Any], side: str, axes: Array) -> list[Array]:
    rows = _force_rows(figure, side)
    if not len(rows):
        return []
    loaded = np.isfinite(rows).all(axis=1) & (rows[:, 4] > _LOADED_N)
    shortest = _SHORTEST_S * figure["rate_hz"]
    travel = _belt_travel(figure, side)
    return [
        (rows[a:b, :3] - travel[a:b] + travel[(a + b) // 2]) / _MM @ axes  # foot at mid-stance
        for a, b in runs(loaded)
        if b - a > shortest
    ]


def butterflies(
    figure: Mapping[str, Any],
    cycles: Sequence[Mapping[str, Any]],
    mass_kg: float | None,
    peaks: Mapping[str, tuple[float, ...]],
) -> tuple[Butterfly, ...]:
    """Return the force of the first whole step of each side.

    Parameters
    ----------
    figure, cycles : mapping, sequence of mapping
        From the view; only cycles of whole steps.
    mass_kg : float or None
    peaks : mapping
        Side -> mean peaks of the upward force, body weights.
    """
    if not mass_kg:
        return ()
    forward, _ = walking_directions(figure)
    steps = []
    for side in SIDES:
        rows = _force_rows(figure, side)
        first = next((cycle for cycle in cycles if cycle["side"] == side), None)
        if not len(rows) or first is None:
            continue
        start, stop = (
            round((first[k] - figure["time_s"]) * figure["rate_hz"]) for k in ("start_s", "stop_s")
        )
        rows = np.concatenate((rows[:, :3] - _belt_travel(figure, side), rows[:, 3:]), axis=1)
        cycle_rows = rows[max(start - 2, 0) : stop]
        loaded = np.isfinite(cycle_rows).all(axis=1) & (cycle_rows[:, 4] > _LOADED_N)
        spans = runs(loaded)
        if not spans:
            continue
        a, b = max(spans, key=lambda span: span[1] - span[0])
        step = cycle_rows[a:b]
        weight = mass_kg * STANDARD_GRAVITY
        force = np.stack((step[:, 3:] @ forward, step[:, 4]), axis=1) / weight
        steps.append(Butterfly(side, step[:, :3] / _MM @ forward, force, peaks.get(side, ())))
    return tuple(steps)
