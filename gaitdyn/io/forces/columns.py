"""Recognise force columns by name, and turn forces with point and torque into virtual plates.

A force with its point and torque is a wrench whatever the point is: about a fixed point O
``M_O = T + (P - O) x F``. Points of unloaded samples are noise divided by noise, so they are
neither used nor filtered.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.places import plate_axes
from gaitdyn.core.rotations import cross
from gaitdyn.core.runs import runs
from gaitdyn.io.forces.names import column_of, speaks_of_forces
from gaitdyn.types.frozen import frozen
from gaitdyn.types.recording import NO_TORQUE, PlateRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array, Mask

LOADED_N = 10.0
"""The point of a sample with less upward force is trusted only near that of a loaded sample."""
STEP_N = 50.0
"""A force that never exceeds this carried nobody."""
_FARTHEST = 20.0
"""A point farther from the origin than this, m, is not in metres."""
_MOVES_M = 0.002
"""A point that moves farther than this, m, is one under a foot (standing 0.01, walking 0.2), not
the middle of a plate."""
_ARMS = {True: (0.05, 1.0), False: (1.0, _FARTHEST)}
"""Whether the point moves -> arms (torque by force), m, up to which a torque is in
N m and from which it is in N mm. About a centre of pressure N m give 0.003 to 0.023, and N mm 10 to
12; about the middle of a plate N m give 0.8, and N mm 170 to 270 (10 public files)."""
_FREE_NM = 0.5
"""A torque with a larger horizontal component than this, N m, is not a free moment."""
_MARGIN_M, _NEAR_M, _STEP_M, _NOTHING_N = 0.3, 0.1, 0.05, 1e-6
_SIZE = 1e8


@frozen(eq=False)
class GivenForce:
    """One ground reaction force as given in a file, in laboratory axes.

    Attributes
    ----------
    name : str
        The part that its column names share.
    force_L, point_L, torque_L : arrays, shape (m, 3)
        N, m, N m; NaN where missing.
    first : str
        Its first column, in lower case.
    units : str
        That the units of point and torque do not go together; empty if they do.
    """

    name: str
    force_L: Array
    point_L: Array
    torque_L: Array
    first: str = ""
    units: str = ""


def forces_of(labels: Sequence[str], values: Array) -> list[GivenForce]:
    """Return the forces of a table in the order of their columns; empty if there are none.

    Labels that stand twice are those of a second force.

    Parameters
    ----------
    labels : sequence of str
    values : array, shape (m, k)
        N; points in m or mm, torques in N m or N mm.
    """
    groups = _groups(labels)
    forces = []
    for (name, _), columns in groups.items():
        if all(f"f{axis}" in columns for axis in range(3)):
            force, point, torque = (_vectors(values, columns, quantity) for quantity in "fpm")
            first = labels[columns["f0"]].lower()
            forces.append(GivenForce(name, force, point, torque, first))
    return in_metres(forces)


def columns_not_read(labels: Sequence[str]) -> list[str]:
    """Return the labels that speak of forces but belong to none that :func:`forces_of` returns.

    Parameters
    ----------
    labels : sequence of str
    """
    whole = [x for x in _groups(labels).values() if all(f"f{axis}" in x for axis in range(3))]
    read = {i for columns in whole for i in columns.values()}
    return [x for i, x in enumerate(labels) if i not in read and speaks_of_forces(x)]


def _groups(labels: Sequence[str]) -> dict[tuple[str, int], dict[str, int]]:
    """Return the columns of each force: name and copy -> quantity and axis -> column."""
    groups: dict[tuple[str, int], dict[str, int]] = {}
    for i, label in enumerate(labels):
        column = column_of(label)
        if column is None:
            continue
        name, quantity, axis = column
        key = f"{quantity}{axis}"
        copy = next(n for n in count() if key not in groups.setdefault((name, n), {}))
        groups[name, copy][key] = i
    return groups


def _vectors(values: Array, columns: dict[str, int], quantity: str) -> Array:
    """Return three columns; a missing column is NaN."""
    vectors = np.full((len(values), 3), np.nan)
    for axis in range(3):
        if f"{quantity}{axis}" in columns:
            vectors[:, axis] = values[:, columns[f"{quantity}{axis}"]]
    return vectors


@np.errstate(over="ignore", invalid="ignore")
def in_metres(forces: list[GivenForce]) -> list[GivenForce]:
    """Return forces with points in m and torques in N m, each converted from mm if it is in mm.

    Points are by their distance from the origin, torques by their arm: torque by force. Between the
    arms of N m and those of N mm the unit is that of the points.
    """
    loads = [_Load.of(given) for given in forces]
    far = max((load.far for load in loads), default=0.0) > _FARTHEST
    scale = 1e-3 if far else 1.0
    limits = [(load.arm, *_ARMS[scale * load.path > _MOVES_M]) for load in loads if load.arm > 0.0]
    short = all(arm <= low for arm, low, _ in limits)
    long = any(arm > high for arm, _, high in limits)
    torque_scale = 1e-3 if long or (far and not short) else 1.0
    note = ""
    if limits and scale != torque_scale and any(load.far for load in loads):
        point, torque = ("mm", "N m") if far else ("m", "N mm")
        note = f"by their sizes its point is in {point} and its torque in {torque}"
    if scale == torque_scale == 1.0:
        return forces
    return [
        replace(g, point_L=scale * g.point_L, torque_L=torque_scale * g.torque_L, units=note)
        for g in forces
    ]


class _Load(NamedTuple):
    """How far the point of a loaded force is, how far it moves, and the arm of the torque."""

    far: float = 0.0
    path: float = 0.0
    arm: float = 0.0

    @staticmethod
    def of(given: GivenForce) -> _Load:
        """Return these of one force, in the units of the file; 0 for what is not known."""
        size = np.linalg.norm(given.force_L, axis=1)
        loaded = size > STEP_N
        torque = given.torque_L[loaded]
        torque = np.where(np.isnan(torque), 0.0, torque)  # often given about the vertical alone
        arms = np.linalg.norm(torque, axis=1) / size[loaded]
        points = given.point_L[loaded]
        points = points[np.isfinite(points).all(axis=1)]
        low, high = np.percentile(points, (5, 95), axis=0) if len(points) else np.zeros((2, 3))
        far = np.abs(points).max(axis=1)
        return _Load(_largest(far), float((high - low).max()), _largest(arms))


def _largest(values: Array) -> float:
    """Return the 95th percentile of the known values; 0 without any."""
    known = values[~np.isnan(values)]
    return float(np.percentile(known, 95)) if known.size else 0.0


@np.errstate(over="ignore", invalid="ignore")
def plates_of(forces: Sequence[GivenForce]) -> tuple[PlateRecord, ...]:
    """Return given forces as virtual plates: wrenches about the middle of the loaded points.

    Up is the axis with the largest total force. Forces that act on the ground instead of the
    subject are reversed, with their points unchanged.
    """
    total = np.zeros(3)
    for given in forces:
        loaded = np.linalg.norm(np.nan_to_num(given.force_L), axis=1) > STEP_N
        total += given.force_L[loaded].sum(axis=0)
    up = int(np.argmax(np.abs(np.nan_to_num(total))))
    sign = -1.0 if total[up] < 0 else 1.0
    return tuple(_plate(i + 1, given, up, sign) for i, given in enumerate(forces))


def _plate(number: int, given: GivenForce, up: int, sign: float) -> PlateRecord:
    force, torque = sign * given.force_L, sign * np.nan_to_num(given.torque_L)
    loaded = force[:, up] > LOADED_N
    if problem := _problem(given, force[:, up], loaded):
        no_corners, empty = np.full((4, 3), np.nan), np.empty((0, 6))
        return PlateRecord(number, 0, no_corners, np.zeros(3), empty, (), problem, virtual=True)
    columns = f"of the columns {given.name!r}"
    if given.first:
        columns = f"whose first column is {given.first!r}"
    notes = [f"the force {columns}, given with its point: a plate without edges"]
    notes += [given.units] if given.units else []
    if sign < 0:
        notes.append("it is the force on the ground: reversed, its point kept")
    if np.isnan(given.torque_L[:, up]).all():
        notes.append(NO_TORQUE)
    is_free = np.abs(np.delete(torque[loaded], up, axis=1)).max() <= _FREE_NM
    if not is_free:
        notes.append(
            "its torque is not about the vertical alone: the point is not a centre of pressure"
        )
    point, replaced = _trusted_points(given.point_L, loaded)
    if is_free:  # without its point only the offset of the empty plate is left
        empty = np.linalg.norm(force, axis=1) < _NOTHING_N
        level = median(torque[empty], axis=0) if empty.any() else np.zeros(3)
        torque = np.where(replaced[:, None], level, torque)
    corners = _corners(given.point_L[loaded], up)
    R = plate_axes(corners)
    moment = torque + cross(point - corners.mean(axis=0), force)
    channels = np.concatenate((force @ R, moment @ R), axis=1)
    return PlateRecord(number, 0, corners, np.zeros(3), channels, tuple(notes), virtual=True)


def _problem(given: GivenForce, upward: Array, loaded: Mask) -> str:
    """Return why a force cannot be used; empty when it can."""
    components = (given.force_L, given.torque_L, given.point_L[loaded])
    if not np.isfinite(given.force_L).all() or any((np.abs(x) > _SIZE).any() for x in components):
        return "its columns contain values that are not forces"
    if not np.max(upward, initial=0.0) > STEP_N:
        return "it is never loaded"
    if not np.isfinite(given.point_L[loaded]).all():
        return "its point is not given while it is loaded"
    if np.isnan(given.torque_L[loaded][:, ~np.isnan(given.torque_L).all(axis=0)]).any():
        return "its torque is not given in some of the frames in which it is loaded"
    return ""


def _trusted_points(point: Array, loaded: Mask) -> tuple[Array, Mask]:
    """Return the points with meaningless ones replaced, and a mask of those.

    The point of an unloaded sample is replaced by that of the nearest loaded sample if it is more
    than 0.1 m away from it, unless it travels steadily as under a foot.
    """
    loaded_rows, rows = np.flatnonzero(loaded), np.arange(len(point))
    after = np.minimum(np.searchsorted(loaded_rows, rows), len(loaded_rows) - 1)
    before = np.maximum(after - 1, 0)
    nearer = np.abs(loaded_rows[before] - rows) < np.abs(loaded_rows[after] - rows)
    nearest = point[np.where(nearer, loaded_rows[before], loaded_rows[after])]
    with np.errstate(invalid="ignore"):
        replaced = ~(np.linalg.norm(point - nearest, axis=1) <= _NEAR_M) & ~_travels(point)
    return np.where(replaced[:, None], nearest, point), replaced


def _travels(point: Array) -> Mask:
    """Return where a point travels 0.1 m or more in steps below 0.05 m; noise jumps or stays."""
    steps = np.linalg.norm(np.diff(point, axis=0), axis=1)
    travels = np.zeros(len(point), bool)
    for start, stop in runs(steps < _STEP_M):
        if np.linalg.norm(point[stop] - point[start]) >= _NEAR_M:
            travels[start : stop + 1] = True
    return travels


def _corners(point: Array, up: int) -> Array:
    """Return a rectangle around points, facing up, corners in C3D order, shape (4, 3)."""
    low, high = point.min(axis=0) - _MARGIN_M, point.max(axis=0) + _MARGIN_M
    level = float(median(point[:, up]))
    x, y = (up + 2) % 3, (up + 1) % 3  # x cross y is down
    corners = np.full((4, 3), level)
    corners[[0, 3], x], corners[[1, 2], x] = high[x], low[x]
    corners[[0, 1], y], corners[[2, 3], y] = high[y], low[y]
    return corners
