"""Steps on the floor, read from what results keep: plates, feet, path of the force."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.core.packing import unpack_floats, unpack_whole
from gaitdyn.core.runs import runs
from gaitdyn.types.arrays import Array
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MM = 1000.0
_LOADED_N, _SHORTEST_S = 20.0, 0.2
_G = 9.80665


@dataclass(frozen=True, slots=True, eq=False)
class FootOutline:
    """Heel and toe in the middle of a stance, forward and to the left, m, shape (2, 2)."""

    side: str
    line: Array


@dataclass(frozen=True, slots=True, eq=False)
class FloorPlan:
    """What is seen of the floor from above; places forward and to the left, m."""

    numbers: tuple[int, ...]
    plates: tuple[Array, ...]
    feet: tuple[FootOutline, ...]
    paths: tuple[tuple[str, Array], ...]
    walks: bool = True
    """Whether there is a stride, and with it a direction."""


@dataclass(frozen=True, slots=True, eq=False)
class Butterfly:
    """The force of one step from the side.

    Attributes
    ----------
    side : str
    along : array, shape (n,)
        Where it acts, forward, m.
    force : array, shape (n, 2)
        Forward and up, body weights.
    peaks : tuple of float
        First and second peak of the upward force, body weights, where they are told.
    """

    side: str
    along: Array
    force: Array
    peaks: tuple[float, ...]


def _directions(figure: Mapping[str, Any]) -> tuple[Array, Array]:
    """Return forward and left in G, where Y is up."""
    forward = np.array(figure["walking_G"], dtype=float)
    forward[1] = 0.0
    forward /= np.linalg.norm(forward) or 1.0
    return forward, np.cross(np.array([0.0, 1.0, 0.0]), forward)


def _figure_places(figure: Mapping[str, Any]) -> Array:
    count = len(figure["points"])
    return unpack_whole(figure["places"]).reshape(-1, count, 3) / _MM


def floor_plan(figure: Mapping[str, Any], cycles: Sequence[Mapping[str, Any]]) -> FloorPlan | None:
    """Return the floor of one trial, None without a plate or a foot.

    On belts one step a side is drawn, from the middle of the trial: all of them stand in one place.

    Parameters
    ----------
    figure : mapping
        Of :func:`gaitdyn.store.view.view_of`.
    cycles : sequence of mapping
        Of the view: side, start, foot-off.
    """
    forward, left = _directions(figure)
    axes = np.stack((forward, left), axis=1)
    real = [p for p in figure["plates"] if not p.get("virtual")]
    plates = [np.array(p["corners"], dtype=float) / _MM @ axes for p in real]
    places = _figure_places(figure)
    names = list(figure["points"])
    feet: list[FootOutline] = []
    belts = bool(figure.get("travel"))
    if belts:
        cycles = [
            own[len(own) // 2] for s in SIDES if (own := [c for c in cycles if c["side"] == s])
        ]
    for told in cycles:
        off = told["foot_off_percent"] or 60.0
        span = told["stop_s"] - told["start_s"]
        middle = told["start_s"] + span * off / 200.0
        feet += _foot_at(told["side"], middle, figure, (places, names, axes))
    last = {} if belts else {one["side"]: one for one in cycles}
    for side, one in last.items():  # the strike that ends the last cycle is a step, too
        feet += _foot_at(side, one["stop_s"] + 0.1, figure, (places, names, axes))
    paths = [(side, run) for side in SIDES for run in _paths(figure, side, axes)]
    paths = _middle([(side, (side, run)) for side, run in paths]) if belts else paths
    if not plates and not feet:
        return None
    numbers = tuple(int(p["plate"]) for p in real)
    return FloorPlan(numbers, tuple(plates), tuple(feet), tuple(paths), bool(cycles))


def _middle(found: Sequence[tuple[str, Any]]) -> list[Any]:
    """Return the middle one of each side."""
    own = [[one for told, one in found if told == side] for side in SIDES]
    return [every[len(every) // 2] for every in own if every]


def _foot_at(
    side: str, time_s: float, figure: Mapping[str, Any], parts: tuple[Array, list[str], Array]
) -> list[FootOutline]:
    places, names, axes = parts
    row = round((time_s - figure["time_s"]) * figure["rate_hz"])
    heel, toe = f"{side} heel", f"{side} toe"
    if not 0 <= row < len(places) or heel not in names or toe not in names:
        return []
    line = places[row, [names.index(heel), names.index(toe)]] @ axes
    return [FootOutline(side, line)] if np.isfinite(line).all() else []


def _force_rows(figure: Mapping[str, Any], side: str) -> Array:
    text = figure["forces"].get(side)
    return np.empty((0, 6)) if text is None else unpack_whole(text).reshape(-1, 6)


def _on_the_ground(figure: Mapping[str, Any], side: str) -> Array:
    """Return how far the ground below a foot has moved, shape (n, 3), mm; 0 on the floor."""
    text = figure.get("travel", {}).get(side)
    rows = len(_force_rows(figure, side))
    return np.zeros((rows, 3)) if text is None else unpack_floats(text).reshape(-1, 3)


def _paths(figure: Mapping[str, Any], side: str, axes: Array) -> list[Array]:
    rows = _force_rows(figure, side)
    if not len(rows):
        return []
    loaded = np.isfinite(rows).all(axis=1) & (rows[:, 4] > _LOADED_N)
    least = _SHORTEST_S * figure["rate_hz"]
    ground = _on_the_ground(figure, side)
    return [
        (rows[a:b, :3] - ground[a:b] + ground[(a + b) // 2]) / _MM @ axes  # as the foot stands
        for a, b in runs(loaded)
        if b - a > least
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
        Of the view, cycles of whole steps only.
    mass_kg : float or None
    peaks : mapping
        Side -> peaks of the upward force, body weights.
    """
    if not mass_kg:
        return ()
    forward, _ = _directions(figure)
    found = []
    for side in SIDES:
        rows = _force_rows(figure, side)
        own = [one for one in cycles if one["side"] == side]
        if not len(rows) or not own:
            continue
        ends = [
            round((own[0][k] - figure["time_s"]) * figure["rate_hz"]) for k in ("start_s", "stop_s")
        ]
        rows = np.concatenate((rows[:, :3] - _on_the_ground(figure, side), rows[:, 3:]), axis=1)
        part = rows[max(ends[0] - 2, 0) : ends[1]]
        loaded = np.isfinite(part).all(axis=1) & (part[:, 4] > _LOADED_N)
        spans = runs(loaded)
        if not spans:
            continue
        a, b = max(spans, key=lambda span: span[1] - span[0])
        step = part[a:b]
        weight = mass_kg * _G
        force = np.stack((step[:, 3:] @ forward, step[:, 4]), axis=1) / weight
        found.append(Butterfly(side, step[:, :3] / _MM @ forward, force, peaks.get(side, ())))
    return tuple(found)
