"""Convert plates of types 1, 3, 6 and 7 to six components about the centre of their surface.

Plate axes: x and y lie in the surface, z = x x y points into the floor; the centre of the surface
is the mean of the corners. Sources: C3D format user guide (c3d.org), FORCE_PLATFORM; Kistler,
Force Plate Formulae (1999); Kistler, manual of the Type 9287C, section 8.4.3; for types 5 to 7
HAS-Motion, Visual3D documentation, FP_TYPE.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.core.places import plate_edges
from gaitdyn.core.rotations import cross
from gaitdyn.types.arrays import Array
from gaitdyn.types.words import counted

CHANNELS = {1: 6, 2: 6, 3: 8, 4: 6, 5: 8, 6: 12, 7: 8}
"""Type -> number of channels, for the supported types."""

CALIBRATED = {4: (6, 6), 5: (6, 8), 6: (12, 12), 7: (8, 8)}
"""Type -> rows and columns of the matrix that its channels are multiplied by."""

RELIABLE_N = 50.0
"""Above this force moment over force is a centre of pressure, and not noise."""

_SMALLEST_EDGE_M, _LARGEST_EDGE_M = 0.05, 5.0
_OFF_SQUARE = 0.2
_ROOM = 1.2
_LARGEST_NUMBER = 1e8
_LARGEST_CORRECTION_MM = 40.0
_FREE_MOMENT_NM = 0.5, 60.0


class PlateRefused(Exception):
    """A plate that cannot be used, with the reason."""


def check_corners(corners: Array) -> None:
    """Refuse corners that are not those of a plate: missing, all zero, collinear or miles away.

    Raises
    ------
    PlateRefused
        With the reason.
    """
    if not np.isfinite(corners).all() or np.abs(corners).max() > 1e3:  # noqa: PLR2004
        raise PlateRefused("its corners are not known")
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    if edges.min() < _SMALLEST_EDGE_M or edges.max() > _LARGEST_EDGE_M:
        raise PlateRefused(
            f"its corners span {edges.min():.3g} to {edges.max():.3g} m, which is not a plate"
        )
    along, across = plate_edges(corners)
    square = abs(along @ across) / np.linalg.norm(along) / np.linalg.norm(across)
    skew = np.linalg.norm(corners[0] + corners[2] - corners[1] - corners[3]) / edges.min()
    if square > _OFF_SQUARE or skew > _OFF_SQUARE:
        raise PlateRefused(
            "its corners do not form a rectangle; they may be listed in the wrong order"
        )


def half_edges(corners: Array) -> Array:
    """Return half the lengths of a plate along its x and y, m, shape (2,)."""
    return 0.5 * np.linalg.norm(plate_edges(corners), axis=1)


def lies_on(points: Array, half: Array) -> bool:
    """Return whether most points lie on the plate (plus a fifth) and not all at its centre.

    Parameters
    ----------
    points : array, shape (n, 2)
        From the centre, plate axes, m.
    half : array, shape (2,)
        Half the plate's lengths, m.
    """
    points = np.abs(points)
    inside = (points <= _ROOM * half).all(axis=1).mean() > 0.5  # noqa: PLR2004
    return bool(inside and (points > 0.003).any(axis=1).mean() > 0.5)  # noqa: PLR2004


def from_pressure(raw: Array, corners: Array, metres: float) -> tuple[Array, tuple[str, ...]]:
    """Return a type 1 plate as six components about its centre, and notes.

    ``M = p x F + T z`` with p the centre of pressure relative to the centre of the surface and T
    the free moment about the plate's z axis. A sample without a centre of pressure counts as
    unloaded.

    Parameters
    ----------
    raw : array, shape (m, 6)
        Fx Fy Fz (N) Px Py Mz (lengths in m, mm or the file's unit).
    corners : array, shape (4, 3)
        m.
    metres : float
        Length of one unit of POINT:UNITS.

    Returns
    -------
    channels : array, shape (m, 6)
        N and N m.
    notes : tuple of str

    Raises
    ------
    PlateRefused
        When a loaded plate has no centre of pressure, or one that is off the plate in any unit.
    """
    down = np.abs(raw[:, 2])
    known = np.all(np.abs(raw[:, 3:]) < _LARGEST_NUMBER, axis=1)
    if (down[~known] > RELIABLE_N).any():
        raise PlateRefused("it is loaded and its centre of pressure is not a number")
    raw = np.where(known[:, None], raw, 0.0)
    loaded = known & (down > max(RELIABLE_N, 0.5 * down.max(initial=0.0)))
    metre, note = _length_unit(raw[loaded, 3:5], half_edges(corners), metres)
    newton_metre, moment_note = _free_moment_unit(raw[loaded, 5], metre)
    force, position = raw[:, :3], np.zeros((len(raw), 3))
    position[:, :2] = raw[:, 3:5] * metre
    moment = cross(position, force)
    moment[:, 2] += raw[:, 5] * newton_metre
    unknown = int((~known).sum())
    lost = f"{counted(unknown, 'sample')} without centre of pressure" if unknown else ""
    return np.concatenate((force, moment), axis=1), tuple(filter(None, (note, moment_note, lost)))


def _length_unit(points: Array, half: Array, metres: float) -> tuple[float, str]:
    """Return metres per unit of the centre of pressure: the unit that puts it on the plate."""
    for unit, name in ((metres, ""), (1.0, "m"), (1e-3, "mm")):
        if points.size and lies_on(points * unit, half):
            return (
                unit,
                name and f"centre of pressure is taken to be in {name}, to lie on the plate",
            )
    if points.size and (np.abs(points) * metres > _ROOM * half).any(axis=1).mean() > 0.5:  # noqa: PLR2004
        raise PlateRefused("its centre of pressure lies off the plate in m and in mm")
    return metres, ""


def _free_moment_unit(free: Array, metre: float) -> tuple[float, str]:
    """Return N m per unit of the free moment, given metres per unit of the centre of pressure.

    Under a person its peak lies between 0.5 and 60 N m; otherwise it is in N times the length unit.
    """
    low, high = _FREE_MOMENT_NM
    if metre != 1.0 and low <= np.abs(free).max(initial=0.0) <= high:
        return 1.0, "free moment is taken to be in N m: in a smaller unit it would vanish"
    return metre, ""


def from_sensors(raw: Array, origin: Array, corners: Array) -> Array:
    """Return a type 3 plate as six components about the centre of its surface.

    With a, b half the distances between sensors along x and y and d their depth, all positive
    regardless of the signs in the file (Kistler, Force Plate Formulae, 1999; there az0 = -d)::

        Fx = Fx12 + Fx34        Mx = b (Fz1 + Fz2 - Fz3 - Fz4) - d Fy
        Fy = Fy14 + Fy23        My = a (-Fz1 + Fz2 + Fz3 - Fz4) + d Fx
        Fz = Fz1 + ... + Fz4    Mz = b (Fx34 - Fx12) + a (Fy14 - Fy23)

    Parameters
    ----------
    raw : array, shape (m, 8)
        Fx12 Fx34 Fy14 Fy23 Fz1 Fz2 Fz3 Fz4, N.
    origin : array, shape (3,)
        FORCE_PLATFORM:ORIGIN, m.
    corners : array, shape (4, 3)
        m.

    Returns
    -------
    array, shape (m, 6)
        N and N m.

    Raises
    ------
    PlateRefused
        When the sensor distances are missing, or would put the sensors outside the plate.
    """
    a, b, d = np.abs(origin)
    outside = (np.array([a, b]) > half_edges(corners)).any()
    if not (np.isfinite(origin).all() and a > 0 and b > 0) or outside:
        wanted = "sensors inside the plate"
        raise PlateRefused(f"ORIGIN has half distances of {a:.3g} and {b:.3g} m, wanted {wanted}")
    X12, X34, Y14, Y23, Z1, Z2, Z3, Z4 = raw.T  # noqa: N806
    Fx, Fy = X12 + X34, Y14 + Y23
    Mx = b * (Z1 + Z2 - Z3 - Z4) - d * Fy  # noqa: N806
    My = a * (-Z1 + Z2 + Z3 - Z4) + d * Fx  # noqa: N806
    Mz = b * (X34 - X12) + a * (Y14 - Y23)  # noqa: N806
    return np.stack((Fx, Fy, Z1 + Z2 + Z3 + Z4, Mx, My, Mz), axis=1)


def eight_of_twelve(raw: Array) -> tuple[Array, str]:
    """Return the twelve channels of a type 6 plate as the eight channels of type 3, and a note.

    They are Fx1 Fy1 Fz1 Fx2 ... Fz4 (Visual3D), or Fx1 ... Fx4 Fy1 ... Fy4 Fz1 ... Fz4 (the
    documentation of BTK): the order that gives more vertical force is used.

    Parameters
    ----------
    raw : array, shape (m, 12)

    Returns
    -------
    channels : array, shape (m, 8)
    note : str
    """
    by_sensor, by_axis = raw.reshape(-1, 4, 3), raw.reshape(-1, 3, 4).transpose(0, 2, 1)
    grouped = (
        np.abs(by_axis[..., 2].sum(axis=1)).sum() > np.abs(by_sensor[..., 2].sum(axis=1)).sum()
    )
    x, y, z = np.moveaxis(by_axis if grouped else by_sensor, 2, 0)
    pairs = x[:, 0] + x[:, 1], x[:, 2] + x[:, 3], y[:, 0] + y[:, 3], y[:, 1] + y[:, 2]
    note = "channels are listed axis by axis, as their vertical force shows" if grouped else ""
    return np.concatenate((np.stack(pairs, axis=1), z), axis=1), note


def correct_pressure(channels: Array, poly: Array, corners: Array) -> tuple[Array, str]:
    """Return six components with the centre of pressure corrected for bending of the plate.

    ``x' = x - (P1 y^4 + P2 y^2 + P3) x^3 - (P4 y^4 + P5 y^2 + P6) x`` in mm, y' with x and y
    exchanged (Kistler, manual 9287C, 8.4.3), so ``Mx' = y' Fz``, ``My' = -x' Fz``; force and Mz are
    as measured. Off the plate the polynomials are evaluated at its edge. Coefficients that move a
    point by more than 40 mm halfway from the centre to the edges are in another unit and not used.

    Parameters
    ----------
    channels : array, shape (m, 6)
        About the centre of the surface, N and N m.
    poly : array, shape (2, 6)
        FORCE_PLATFORM:FPCOPPOLY of the plate: P1 to P6 for x, then for y, as in the manual.
    corners : array, shape (4, 3)
        m.

    Returns
    -------
    channels : array, shape (m, 6)
    note : str
    """
    half = 1e3 * half_edges(corners)
    grid = np.stack(np.meshgrid(*(np.linspace(-h, h, 9) / 2 for h in half)), axis=-1)
    largest = np.abs(_bending(grid, poly)).max()
    if not largest <= _LARGEST_CORRECTION_MM:
        return (
            channels,
            f"FPCOPPOLY is not used: it moves the centre of pressure by {largest:.3g} mm",
        )
    Fz = channels[:, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        points = 1e3 * np.stack((-channels[:, 4] / Fz, channels[:, 3] / Fz), axis=1)
    points = np.where(Fz[:, None] == 0, 0.0, np.clip(points, -half, half))
    shift = 1e-3 * _bending(points, poly)
    corrected = channels.copy()
    corrected[:, 3] -= shift[:, 1] * Fz
    corrected[:, 4] += shift[:, 0] * Fz
    return corrected, "centre of pressure corrected with FPCOPPOLY"


def _bending(points: Array, poly: Array) -> Array:
    """Return the correction subtracted from points (..., 2), mm."""
    swapped = points[..., ::-1]
    powers = np.stack((swapped**4, swapped**2, np.ones_like(swapped)), axis=-1)
    cubic, linear = (powers * poly[:, :3]).sum(axis=-1), (powers * poly[:, 3:]).sum(axis=-1)
    return cubic * points**3 + linear * points
