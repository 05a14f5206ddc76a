"""The same plates as records of C3D types 1, 2, 3 and 4: channels, ORIGIN, calibration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gaitdyn.synthetic.plates import WalkwayPlate

    Array = NDArray[np.float64]

_SIX = ("Fx", "Fy", "Fz", "Mx", "My", "Mz")
CHANNELS = {
    1: ("Fx", "Fy", "Fz", "Px", "Py", "Mz"),
    2: _SIX,
    3: ("Fx12", "Fx34", "Fy14", "Fy23", "Fz1", "Fz2", "Fz3", "Fz4"),
    4: _SIX,
}
"""Names of the channels of each type, in the order of the type."""

_SMALLEST_N = 1e-9
_SENSORS = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class PlateRecord:
    """One plate as a file of one type has it, SI.

    Attributes
    ----------
    channels : array, shape (n, 6) or (n, 8)
        N, N m, m; type 4 in V.
    moments, lengths : tuple of int
        Which channels scale with the unit of length, as moments and as lengths.
    origin : array, shape (3,)
        m, z > 0: depth below the surface.
    matrix : array, shape (6, 6), or None
        Type 4: components from volts.
    """

    channels: Array
    moments: tuple[int, ...]
    lengths: tuple[int, ...]
    origin: Array
    matrix: Array | None = None


def record(plate: WalkwayPlate, kind: int, channels: Array) -> PlateRecord:
    """Return a plate of type 2 as another type.

    Parameters
    ----------
    plate : WalkwayPlate
        Geometry.
    kind : {1, 2, 3, 4}
        C3D type.
    channels : array, shape (n, 6)
        Fx Fy Fz Mx My Mz on the subject about the sensor point, plate axes, N and N m.
    """
    if kind == 1:
        return PlateRecord(_with_pressure(plate, channels), (5,), (3, 4), np.zeros(3))
    if kind == 3:
        return _of_sensors(plate, channels)
    if kind == 4:
        matrix = _matrix()
        return PlateRecord(channels @ np.linalg.inv(matrix).T, (), (), plate.sensor, matrix)
    return PlateRecord(channels, (3, 4, 5), (), plate.sensor)


def _about_surface(plate: WalkwayPlate, channels: Array) -> tuple[Array, Array]:
    """Return force and moment about the centre of the surface, plate axes: M + s x F."""
    force = channels[:, :3]
    return force, channels[:, 3:] + np.cross(plate.sensor, force)


def _with_pressure(plate: WalkwayPlate, channels: Array) -> Array:
    """Return Fx Fy Fz Px Py Tz: M = p x F + T z with p in the surface."""
    force, moment = _about_surface(plate, channels)
    loaded = np.abs(force[:, 2]) > _SMALLEST_N
    Fz = np.where(loaded, force[:, 2], 1.0)
    x = np.where(loaded, -moment[:, 1] / Fz, 0.0)
    y = np.where(loaded, moment[:, 0] / Fz, 0.0)
    free = np.where(loaded, moment[:, 2] - (x * force[:, 1] - y * force[:, 0]), 0.0)
    return np.column_stack([force, x, y, free])


def _of_sensors(plate: WalkwayPlate, channels: Array) -> PlateRecord:
    """Return the forces of four sensors at (+-a, +-b, d) that add up to the wrench.

    Vertical: sum Fz; b (Z1 + Z2 - Z3 - Z4) = Mx + d Fy; a (-Z1 + Z2 + Z3 - Z4) = My - d Fx; no
    warp. Horizontal: Fx12 + Fx34 = Fx, Fy14 + Fy23 = Fy, b (Fx34 - Fx12) and a (Fy14 - Fy23) each
    half of Mz.
    """
    force, moment = _about_surface(plate, channels)
    edges = np.linalg.norm(np.diff(plate.corners_G[[1, 0, 3]], axis=0), axis=1) / 2.0
    a, b = _SENSORS * edges
    d = plate.sensor[2]
    Fx, Fy, Fz = force.T
    roll, pitch = (moment[:, 0] + d * Fy) / b, (moment[:, 1] - d * Fx) / a
    turn_x, turn_y = moment[:, 2] / (2.0 * b), moment[:, 2] / (2.0 * a)
    found = [
        (Fx - turn_x) / 2.0,
        (Fx + turn_x) / 2.0,
        (Fy + turn_y) / 2.0,
        (Fy - turn_y) / 2.0,
        (Fz + roll - pitch) / 4.0,
        (Fz + roll + pitch) / 4.0,
        (Fz - roll + pitch) / 4.0,
        (Fz - roll - pitch) / 4.0,
    ]
    return PlateRecord(np.column_stack(found), (), (), np.array([a, b, d]))


def _matrix() -> Array:
    """Return a calibration matrix: N or N m from V, with a little cross-talk."""
    diagonal = np.diag([250.0, 252.0, 1010.0, 400.0, 260.0, 130.0])
    return diagonal + 0.002 * np.fromfunction(lambda i, j: (i - j) * (i + j + 1.0), (6, 6))
