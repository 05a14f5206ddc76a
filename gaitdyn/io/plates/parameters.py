"""Read place and calibration matrix of one plate, and resolve their ambiguities.

Some files state lengths in another unit than their points, or store the calibration matrix row by
row or not at all. The size of a plate, the depth of its sensors and the crosstalk corrected by a
matrix show what is meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.io.plates.lists import column
from gaitdyn.io.plates.types import PlateRefused, check_corners, half_edges
from gaitdyn.io.units import UNITS

if TYPE_CHECKING:
    from gaitdyn.io.c3d.parameters import Parameters
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
    """Return metres per unit of the corners, and the unit's name if it differs from the points'.

    Raises
    ------
    PlateRefused
        When they are those of a plate in no unit.
    """
    try:
        check_corners(stored * metres)
    except PlateRefused:
        if not np.isfinite(stored).all():
            raise
        edges = np.linalg.norm(stored - np.roll(stored, 1, axis=0), axis=1)
        for name in _TRIED:
            low, high = edges.min() * UNITS[name], edges.max() * UNITS[name]
            if low >= _EDGES_M[0] and high <= _EDGES_M[1]:
                check_corners(stored * UNITS[name])
                return _other(name, metres)
        raise
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
