"""Read the FORCE_PLATFORM parameters of one plate, and resolve their ambiguities.

Some files state lengths in another unit than their points, count channels from 0, or store the
calibration matrix row by row or not at all. The size of a plate, the depth of its sensors and the
crosstalk corrected by a matrix show what is meant.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.io.plate_types import CHANNELS, PlateRefused, check_corners, half_edges
from gaitdyn.io.units import UNITS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.io.parameters import Parameters
    from gaitdyn.types.arrays import Array

_TRIED = ("m", "cm", "mm")
_EDGES_M = 0.2, 3.0
"""Shortest and longest edge of a plate, used to find its unit."""

_USUAL_M, _FROM_USUAL = 0.045, 3.0
"""Typical depth of the sensors below the surface (0.02 to 0.06 m), and the factor allowed."""

_DEEPEST_M, _FLATTEST_M, _OFFSET_M = 1.0, 3e-4, 0.015
_HALF_M, _ROOM = 0.05, 1.2
_CROSSTALK, _ALIKE = 0.2, 0.2
_TYPE_3, _TYPE_7 = 3, 7


def plate_types(params: Parameters) -> list[int]:
    """Return the type of each plate in use; 0 if the file does not state it.

    Without FORCE_PLATFORM:USED all plates in TYPE are in use; without TYPE, all in CORNERS.
    """
    used, listed = params.number("FORCE_PLATFORM", "USED"), _listed_types(params)
    if used is None or not math.isfinite(used):
        return listed
    untyped = [0] * (_numbers(params, "CORNERS").size // 12 - len(listed))
    return [*listed, *untyped][: max(0, int(used))]


def unused_plates(params: Parameters) -> str:
    """Return a note on plates that TYPE lists beyond USED; empty if there is none."""
    used, listed = len(plate_types(params)), _listed_types(params)
    if not any(listed[used:]):
        return ""
    rest = "the others are not read" if used else "none is read"
    return f"FORCE_PLATFORM:USED is {used}, TYPE has {len(listed)} plates: {rest}"


def _listed_types(params: Parameters) -> list[int]:
    kinds, corners = (_numbers(params, name) for name in ("TYPE", "CORNERS"))
    return whole_numbers(kinds) or [0] * (corners.size // 12)


def whole_numbers(values: Iterable[float]) -> list[int]:
    """Return numbers of a file as integers; 0 for one that is not finite.

    Examples
    --------
    >>> whole_numbers([2.0, float("nan"), float("inf")])
    [2, 0, 0]
    """
    return [int(value) if math.isfinite(value) else 0 for value in values]


def column(params: Parameters, name: str, k: int, rows: int) -> Array:
    """Return column k of a FORCE_PLATFORM parameter.

    Raises
    ------
    PlateRefused
        When it is missing or too short.
    """
    values = params.get("FORCE_PLATFORM", name)
    if values is None or isinstance(values, list):
        raise PlateRefused(f"FORCE_PLATFORM:{name} is missing")
    flat = _numbers(params, name)
    if flat.size < rows * (k + 1):
        raise PlateRefused(f"FORCE_PLATFORM:{name} has no values for this plate")
    return flat[rows * k : rows * (k + 1)]


def plate_channels(params: Parameters) -> list[int]:
    """Return the analog channels, from 0, assigned to plates; some may not exist."""
    named, first = _numbers(params, "CHANNEL"), _first_channel(params)
    return [int(number) - first for number in named if np.isfinite(number)]


def channels_of(params: Parameters, k: int, kind: int) -> Array:
    """Return the channels of plate k, from 0.

    Raises
    ------
    PlateRefused
        When fewer channels are listed than the type has.
    """
    wanted = CHANNELS[kind]
    table = params.get("FORCE_PLATFORM", "CHANNEL")
    shape = () if table is None or isinstance(table, list) else np.shape(table)
    rows = wanted if len(shape) == 1 else (*shape, 0)[0]
    if rows >= wanted:
        numbers = column(params, "CHANNEL", k, rows)
    elif len(shape) == 2 and shape[1] >= wanted and k < rows:  # noqa: PLR2004
        numbers = _plates_first(np.asarray(table))[k]
    else:
        raise PlateRefused(f"FORCE_PLATFORM:CHANNEL lists fewer than {wanted} channels")
    return np.array(whole_numbers(numbers[:wanted])) - _first_channel(params)


def _plates_first(table: Array) -> Array:
    """Return a list of channels that has a row per plate, against the definition.

    Its numbers are stored in the order of the definition, or in that of its dimensions: the
    channels of a plate follow each other.
    """
    stored = np.ravel(table, order="F").reshape(table.shape)
    by_size = (rows for rows in (stored, table) if (np.diff(rows, axis=1) == 1).all())
    found = next(by_size, None)
    if found is None:
        raise PlateRefused("FORCE_PLATFORM:CHANNEL lists the channels in an unknown order")
    return found


def _first_channel(params: Parameters) -> int:
    """Return the number of the first channel: 1, or 0 if only the first channel listed is 0."""
    named = _numbers(params, "CHANNEL")
    from_zero = named.size > 1 and named[0] == 0 and bool((named[1:] > 0).all())
    return 0 if from_zero else 1


def tare_frames(params: Parameters, k: int, frames: int) -> slice | None:
    """Return the frames, from 0, whose mean is the zero of plate k; None if there are none.

    FORCE_PLATFORM:ZERO has the first and the last of them, from 1, for all plates. A first of 0
    is no zero, whatever the last: the vendor's forces of files with 0 and 10 are not tared. ZEROS
    has a pair per plate (HAS-Motion, Visual3D documentation, "FP ZEROS").
    """
    pairs = _numbers(params, "ZEROS")[2 * k :][:2]
    first, last = whole_numbers([*(pairs if pairs.any() else _numbers(params, "ZERO")), 0, 0][:2])
    return slice(first - 1, last) if 1 <= first <= last <= frames else None


def corners_and_origin(
    params: Parameters, k: int, kind: int, metres: float
) -> tuple[Array, Array, list[str]]:
    """Return corners and ORIGIN of plate k, m, and notes on their units.

    Parameters
    ----------
    params : Parameters
    k : int
        Which plate, from 0.
    kind : int
        Its type.
    metres : float
        Length of one unit of POINT:UNITS.

    Raises
    ------
    PlateRefused
        When they are missing or do not describe a plate.
    """
    stored = column(params, "CORNERS", k, 12).reshape(4, 3)
    unit, name = _unit_of_corners(stored, metres)
    notes = [_other_shape(params, name) for name in ("CORNERS", "ORIGIN")]
    notes += [f"CORNERS are in {name}, by their size"] if name else []
    corners = stored * unit
    check_corners(corners)
    stored = column(params, "ORIGIN", k, 3)
    if not np.isfinite(stored).all():
        raise PlateRefused("its ORIGIN contains values that are not numbers")
    decide = _unit_of_distances if kind in (_TYPE_3, _TYPE_7) else _unit_of_depth
    unit, name = decide(np.abs(stored), unit, half_edges(corners))
    return corners, stored * unit, [*notes, *([f"ORIGIN is in {name}, by its size"] * bool(name))]


def _other_shape(params: Parameters, name: str) -> str:
    """Return a note on dimensions that do not begin with x, y and z; empty if they do."""
    shape = np.shape(params.get("FORCE_PLATFORM", name))
    if len(shape) < 2 or shape[0] == 3:  # noqa: PLR2004
        return ""
    return f"{name} has the dimensions {' x '.join(map(str, shape))}; its numbers are read in order"


def _unit_of_corners(stored: Array, metres: float) -> tuple[float, str]:
    """Return metres per unit of the corners, and the unit's name if it differs from the points'."""
    if not np.isfinite(stored).all():
        return metres, ""
    edges = np.linalg.norm(stored - np.roll(stored, 1, axis=0), axis=1)
    try:
        check_corners(stored * metres)
    except PlateRefused:
        for name in _TRIED:
            low, high = edges.min() * UNITS[name], edges.max() * UNITS[name]
            if low >= _EDGES_M[0] and high <= _EDGES_M[1]:
                return _other(name, metres)
    return metres, ""


def _unit_of_depth(size: Array, metres: float, _: Array) -> tuple[float, str]:
    """Return the unit of an ORIGIN whose z is a depth; that of the corners if plausible."""
    depth = size[2] * metres
    if size[2] == 0 or _FLATTEST_M <= depth <= _DEEPEST_M:
        return metres, ""

    def mismatch(name: str) -> float:
        return abs(np.log(size[2] * UNITS[name] / _USUAL_M))

    best = min(_TRIED, key=mismatch)
    return _other(best if mismatch(best) < np.log(_FROM_USUAL) else "", metres)


def _unit_of_distances(size: Array, metres: float, half: Array) -> tuple[float, str]:
    """Return the unit of an ORIGIN that stores half the distances between sensors."""

    def inside(unit: float) -> bool:
        return bool((size[:2] * unit >= _HALF_M).all() and (size[:2] * unit <= _ROOM * half).all())

    unit_name = next((name for name in _TRIED if inside(UNITS[name])), "")
    return (metres, "") if inside(metres) else _other(unit_name, metres)


def _other(name: str, metres: float) -> tuple[float, str]:
    """Return metres per unit, and the unit's name if it is not the one stated."""
    return (UNITS[name], name) if name and UNITS[name] != metres else (metres, "")


def calibration(params: Parameters, k: int, shape: tuple[int, int]) -> tuple[Array | None, str]:
    """Return the calibration matrix of plate k (None if missing), and a note.

    It should be stored column by column. Two signs show that it is stored row by row. Forces would
    take more than a fifth of their size from the channel of a moment; or the depth of the sensors,
    which couples moments to forces, would couple forces to moments.

    Parameters
    ----------
    params : Parameters
    k : int
        Which plate, from 0.
    shape : tuple of int
        Rows and columns required by the type.

    Raises
    ------
    PlateRefused
        When it has no values for this plate, or non-finite ones.
    """
    values = params.get("FORCE_PLATFORM", "CAL_MATRIX")
    if values is None or isinstance(values, list) or not np.size(values):
        return None, ""
    if np.ndim(values) == 3 and values.shape[0] >= shape[0] and values.shape[1] >= shape[1]:  # noqa: PLR2004
        if k >= values.shape[2]:
            raise PlateRefused("FORCE_PLATFORM:CAL_MATRIX has no values for this plate")
        matrix = values[: shape[0], : shape[1], k]
    else:
        matrix = column(params, "CAL_MATRIX", k, shape[0] * shape[1]).reshape(shape, order="F")
    if not np.isfinite(matrix).all():
        raise PlateRefused("CAL_MATRIX contains values that are not numbers")
    if not matrix.any():
        return None, ""
    if shape[0] == shape[1] == 6 and by_rows(matrix):  # noqa: PLR2004
        return matrix.T, "CAL_MATRIX is stored row by row: column by column it would mix forces"
    return matrix, ""


def by_rows(matrix: Array) -> bool:
    """Return whether a 6 x 6 calibration matrix must be transposed.

    Examples
    --------
    >>> matrix = np.diag([1224.0, 1226.0, 1880.0, 700.0, 490.0, 287.0])
    >>> matrix[3, 1], matrix[4, 0] = -62.1, 60.9  # sensors 50 mm below the surface
    >>> by_rows(matrix), by_rows(matrix.T)
    (False, True)
    """
    diagonal = np.abs(np.diag(matrix))
    if not diagonal.all():
        return False
    forces, moments = (np.abs(m) for m in (matrix[:3, 3:], matrix[3:, :3]))
    crosstalk, if_transposed = forces / diagonal[:3, None], moments / diagonal[:3]
    if if_transposed.max() > _CROSSTALK:
        return False
    if crosstalk.max() > _CROSSTALK and forces.max() > moments.max():
        return True
    x, y = matrix[0, 4] / matrix[0, 0], matrix[1, 3] / matrix[1, 1]
    return bool(abs(x) > _OFFSET_M and abs(x + y) < _ALIKE * abs(x))


def _numbers(params: Parameters, name: str) -> Array:
    """Return the numbers of a FORCE_PLATFORM parameter in storage order; empty if missing."""
    values = params.get("FORCE_PLATFORM", name)
    if values is None or isinstance(values, list):
        return np.zeros(0)
    return np.ravel(np.asarray(values, dtype=float), order="F")
