"""Columns of forces by their names, and forces given by point and torque as plates.

A force with its point and torque is a wrench whatever the point is: about a fixed point O
``M_O = T + (P - O) x F``. Points of samples without load are noise divided by noise, so that they
are never used, nor filtered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.rotations import cross
from gaitdyn.core.runs import runs
from gaitdyn.io.wrenches import plate_axes
from gaitdyn.types.recording import PlateRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array, Mask

LOADED_N = 10.0
"""The point of a sample with less force upwards is believed only near that of a loaded one."""
STEP_N = 50.0
"""A force that never rises above this carried nobody."""
_NAMES = (
    re.compile(
        r"(?P<before>.*?)_?(?:ground_|foot_)(?P<kind>force|torque|moment)"
        r"_(?:(?P<after>[a-z0-9]+)_)?(?P<what>[vpm]?)(?P<axis>[xyz])"
    ),
    re.compile(r"(?P<before>)(?P<what>[fpm])(?P<after>\d+)_(?P<axis>[123])(?P<kind>)"),
)
"""``ground_force_r_vx``, ``1_ground_torque_x``, ``ground_force_1_mx``; ``f1_1``, ``p1_1``."""
_WORDS = {"torque": "m", "moment": "m"}
_LARGEST_ARM = 20.0
"""A point or an arm of a moment further from the origin is not in metres, m."""
_FREE_NM = 0.5
"""A torque with more than this across the vertical is not the free moment about the point, N m."""
_MARGIN_M, _NEAR_M, _STEP_M, _NOTHING_N = 0.3, 0.1, 0.05, 1e-6
_SIZE = 1e8


@dataclass(frozen=True, slots=True, eq=False)
class GivenForce:
    """One force of the ground as a file gives it, in laboratory axes.

    Attributes
    ----------
    name : str
        What its columns have in common.
    force_L, point_L, torque_L : arrays, shape (m, 3)
        N, m, N m; a torque that is not given is 0, a point that is not given NaN.
    first : str
        Its first column, in small letters.
    """

    name: str
    force_L: Array
    point_L: Array
    torque_L: Array
    first: str = ""


def forces_of(labels: Sequence[str], values: Array) -> list[GivenForce]:
    """Return the forces of a table in the order of their columns; empty where it names none.

    Parameters
    ----------
    labels : sequence of str
    values : array, shape (m, k)
        N, and m with N m or mm with N mm.
    """
    groups: dict[str, dict[str, int]] = {}
    for i, label in enumerate(labels):
        found = next((m for p in _NAMES if (m := p.fullmatch(label.lower()))), None)
        if found is None:
            continue
        what = found["what"] if found["what"] in ("p", "m") else _WORDS.get(found["kind"], "f")
        axis = "xyz123".index(found["axis"]) % 3
        name = found["before"] or found["after"] or ""
        groups.setdefault(name, {}).setdefault(f"{what}{axis}", i)
    forces = []
    for name, places in groups.items():
        if all(f"f{axis}" in places for axis in range(3)):
            force, point, torque = (_vectors(values, places, what) for what in "fpm")
            first = labels[places["f0"]].lower()
            forces.append(GivenForce(name, force, point, np.nan_to_num(torque), first))
    return in_metres(forces)


def _vectors(values: Array, places: dict[str, int], what: str) -> Array:
    """Return three columns; a column that is not there is NaN, of a torque 0."""
    found = np.full((len(values), 3), 0.0 if what == "m" else np.nan)
    for axis in range(3):
        if f"{what}{axis}" in places:
            found[:, axis] = values[:, places[f"{what}{axis}"]]
    return found


def in_metres(forces: list[GivenForce]) -> list[GivenForce]:
    """Return forces with points in m and torques in N m: mm where they lie too far off for m."""
    arms = [0.0]
    for given in forces:
        size = np.linalg.norm(given.force_L, axis=1)
        held = size > STEP_N
        if held.any():
            points = np.abs(given.point_L[held]).max(axis=1)
            twist = np.linalg.norm(given.torque_L[held], axis=1) / size[held]
            arms.append(float(np.nanpercentile(np.fmax(points, twist), 95)))
    if not max(arms) > _LARGEST_ARM:
        return forces
    return [replace(g, point_L=1e-3 * g.point_L, torque_L=1e-3 * g.torque_L) for g in forces]


def plates_of(forces: Sequence[GivenForce]) -> tuple[PlateRecord, ...]:
    """Return given forces as virtual plates: the wrench about the middle of the loaded points.

    Up is the axis along which the ground carries most; forces that act on the ground instead of
    the subject are turned round, their points stay.

    Parameters
    ----------
    forces : sequence of GivenForce
    """
    total = np.zeros(3)
    for given in forces:
        held = np.linalg.norm(np.nan_to_num(given.force_L), axis=1) > STEP_N
        total += given.force_L[held].sum(axis=0)
    up = int(np.argmax(np.abs(np.nan_to_num(total))))
    sign = -1.0 if total[up] < 0 else 1.0
    return tuple(_plate(i + 1, given, up, sign) for i, given in enumerate(forces))


def _plate(number: int, given: GivenForce, up: int, sign: float) -> PlateRecord:
    force, torque = sign * given.force_L, sign * given.torque_L
    loaded = force[:, up] > LOADED_N
    problem = _problem(given, force[:, up], loaded)
    if problem:
        nowhere, empty = np.full((4, 3), np.nan), np.empty((0, 6))
        return PlateRecord(number, 0, nowhere, np.zeros(3), empty, (), problem, virtual=True)
    notes = [
        f"the force of the columns {given.name!r}, given with its point: a plate without edges"
    ]
    if sign < 0:
        notes.append("it is the force on the ground: turned round, its point kept")
    free = np.abs(np.delete(torque[loaded], up, axis=1)).max() <= _FREE_NM
    if not free:
        notes.append(
            "its torque is not about the vertical alone: the point is not a centre of pressure"
        )
    point, strange = _held(given.point_L, loaded)
    if free:  # without a point a torque means nothing, but for what an empty plate shows
        empty = np.linalg.norm(force, axis=1) < _NOTHING_N
        level = median(torque[empty], axis=0) if empty.any() else np.zeros(3)
        torque = np.where(strange[:, None], level, torque)
    corners = _corners(given.point_L[loaded], up)
    R = plate_axes(corners)
    moment = torque + cross(point - corners.mean(axis=0), force)
    channels = np.concatenate((force @ R, moment @ R), axis=1)
    return PlateRecord(number, 0, corners, np.zeros(3), channels, tuple(notes), virtual=True)


def _problem(given: GivenForce, upward: Array, loaded: Mask) -> str:
    """Return why a force cannot be used; empty when it can."""
    everything = np.concatenate((given.force_L, given.torque_L), axis=1)
    if not np.isfinite(everything).all() or np.abs(everything).max() > _SIZE:
        return "its columns hold values that are not forces"
    if not np.max(upward, initial=0.0) > STEP_N:
        return "it is never loaded"
    if not np.isfinite(given.point_L[loaded]).all():
        return "its point is not given while it is loaded"
    return ""


def _held(point: Array, loaded: Mask) -> tuple[Array, Mask]:
    """Return points without those that mean nothing, and where they were.

    A point of an unloaded sample that is not within 0.1 m of the nearest loaded sample's is
    replaced by that one, unless it goes steadily from place to place as a foot does.
    """
    there, rows = np.flatnonzero(loaded), np.arange(len(point))
    after = np.minimum(np.searchsorted(there, rows), len(there) - 1)
    before = np.maximum(after - 1, 0)
    nearer = np.abs(there[before] - rows) < np.abs(there[after] - rows)
    held = point[np.where(nearer, there[before], there[after])]
    with np.errstate(invalid="ignore"):
        strange = ~(np.linalg.norm(point - held, axis=1) <= _NEAR_M) & ~_goes(point)
    return np.where(strange[:, None], held, point), strange


def _goes(point: Array) -> Mask:
    """Return where a point travels 0.1 m or more in steps below 0.05 m; noise jumps or stays."""
    steps = np.linalg.norm(np.diff(point, axis=0), axis=1)
    found = np.zeros(len(point), bool)
    for start, stop in runs(steps < _STEP_M):
        if np.linalg.norm(point[stop] - point[start]) >= _NEAR_M:
            found[start : stop + 1] = True
    return found


def _corners(point: Array, up: int) -> Array:
    """Return a rectangle around points, listed as the C3D format does, facing up, shape (4, 3)."""
    low, high = point.min(axis=0) - _MARGIN_M, point.max(axis=0) + _MARGIN_M
    level = float(median(point[:, up]))
    x, y = (up + 2) % 3, (up + 1) % 3  # x cross y is down
    corners = np.full((4, 3), level)
    corners[[0, 3], x], corners[[1, 2], x] = high[x], low[x]
    corners[[0, 1], y], corners[[2, 3], y] = high[y], low[y]
    return corners
