"""Force plates of a file: parameters and channels, one plate at a time.

Types 2 and 4 (six components; 4 with a calibration matrix). The definitions are those of the
C3D format user guide (c3d.org, FORCE_PLATFORM). A plate that cannot be used is left out alone,
with the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.types.recording import PlateRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.io.parameters import Parameters
    from gaitdyn.types.arrays import Array

_COMPONENTS = 6
_LOADED_N = 50.0
_SMALLEST_EDGE_M, _LARGEST_EDGE_M = 0.05, 5.0


class PlateRefused(Exception):
    """A plate that cannot be used; carries the reason."""


def read_plates(
    params: Parameters, analog: Array, samples_per_frame: int, metres: float
) -> tuple[PlateRecord, ...]:
    """Return the plates of a file.

    Parameters
    ----------
    params : Parameters
    analog : array, shape (m, channels)
        Scaled analog values.
    samples_per_frame : int
        Analog samples a marker frame, for FORCE_PLATFORM:ZERO.
    metres : float
        Length of one unit of POINT:UNITS.

    Returns
    -------
    tuple of PlateRecord
    """
    kinds = params.get("FORCE_PLATFORM", "TYPE")
    used = params.number("FORCE_PLATFORM", "USED")
    if kinds is None or isinstance(kinds, list) or not used or not analog.size:
        return ()
    count = min(int(used), np.size(kinds))
    tare = _tare_rows(params, len(analog), samples_per_frame)
    return tuple(
        _read_plate(params, analog, k, int(np.ravel(kinds)[k]), metres, tare) for k in range(count)
    )


def _read_plate(
    params: Parameters, analog: Array, k: int, kind: int, metres: float, tare: slice | None
) -> PlateRecord:
    corners, origin = np.full((4, 3), np.nan), np.zeros(3)
    try:
        corners = _corners(params, k) * metres
        origin = _column(params, "ORIGIN", k, 3) * metres
        _check_kind(kind)
        channels = _channels(params, analog, k)
        if kind == 4:  # noqa: PLR2004
            channels = channels @ _calibration(params, k).T
        if tare is not None:
            channels = channels - channels[tare].mean(axis=0)
        channels, note = _newton_metres(channels, corners, metres)
    except PlateRefused as refusal:
        empty = np.empty((0, _COMPONENTS))
        return PlateRecord(k + 1, kind, corners, origin, empty, (), str(refusal))
    notes = (
        (note,)
        if tare is None
        else (note, f"tared with the mean of rows {tare.start + 1}-{tare.stop}")
    )
    return PlateRecord(k + 1, kind, corners, origin, channels, tuple(filter(None, notes)))


def _check_kind(kind: int) -> None:
    if kind not in (2, 4):
        raise PlateRefused(f"type {kind} is not known; types 2 and 4 are")


def _tare_rows(params: Parameters, samples: int, samples_per_frame: int) -> slice | None:
    """Return the analog rows that FORCE_PLATFORM:ZERO names (frames a..b from 1), or None."""
    zero = params.get("FORCE_PLATFORM", "ZERO")
    if zero is None or isinstance(zero, list) or np.size(zero) < 2:  # noqa: PLR2004
        return None
    first, last = (int(value) for value in np.ravel(zero)[:2])
    rows = slice((first - 1) * samples_per_frame, last * samples_per_frame)
    return rows if first >= 1 and last >= first and rows.stop <= samples else None


def _column(params: Parameters, name: str, k: int, rows: int) -> Array:
    """Return column k of a FORCE_PLATFORM parameter."""
    values = params.get("FORCE_PLATFORM", name)
    if values is None or isinstance(values, list):
        raise PlateRefused(f"FORCE_PLATFORM:{name} is missing")
    flat = np.ravel(np.asarray(values, dtype=float), order="F")
    if flat.size < rows * (k + 1):
        raise PlateRefused(f"FORCE_PLATFORM:{name} has no values for this plate")
    return flat[rows * k : rows * (k + 1)]


def _corners(params: Parameters, k: int) -> Array:
    return _column(params, "CORNERS", k, 12).reshape(4, 3)


def _channels(params: Parameters, analog: Array, k: int) -> Array:
    """Return the six channels of a plate, refusing numbers that the file does not have."""
    table = params.get("FORCE_PLATFORM", "CHANNEL")
    shape = () if table is None or isinstance(table, list) else np.shape(table)
    rows = _COMPONENTS if len(shape) == 1 else (*shape, 0)[0]
    if rows < _COMPONENTS:
        raise PlateRefused("FORCE_PLATFORM:CHANNEL lists fewer than six channels")
    numbers = _column(params, "CHANNEL", k, rows)[:_COMPONENTS].astype(int)
    if numbers.min() < 1 or numbers.max() > analog.shape[1]:
        found = f"{numbers.min()} to {numbers.max()}"
        raise PlateRefused(f"channels {found} are named, the file has 1 to {analog.shape[1]}")
    channels = analog[:, numbers - 1]
    if not np.isfinite(channels).all() or np.abs(channels).max() > 1e8:  # noqa: PLR2004
        raise PlateRefused("its channels hold values that are no forces")
    return channels


def _calibration(params: Parameters, k: int) -> Array:
    """Return the 6 x 6 matrix of a type 4 plate; it is stored column by column."""
    matrix = _column(params, "CAL_MATRIX", k, 36).reshape(6, 6, order="F")
    if not np.isfinite(matrix).all() or not matrix.any():
        raise PlateRefused("CAL_MATRIX is empty")
    return matrix


def check_corners(corners: Array) -> None:
    """Refuse corners that make no plate: missing, all zero, in one line, or miles away.

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
            f"its corners span {edges.min():.3g} to {edges.max():.3g} m, which is no plate"
        )


def _newton_metres(channels: Array, corners: Array, metres: float) -> tuple[Array, str]:
    """Return the channels with moments in N m, and what was decided about the unit.

    Labels of analog units lie; the data decide. Read as N m, the centre of pressure of the loaded
    samples lies inside the plate, or else the moments are in N per length unit of the markers.
    """
    check_corners(corners)
    half = 0.5 * np.array(
        [np.linalg.norm(corners[0] - corners[1]), np.linalg.norm(corners[0] - corners[3])]
    )
    loaded = np.abs(channels[:, 2]) > _LOADED_N
    if metres != 1.0 and loaded.any():
        Fz, M = channels[loaded, 2], channels[loaded, 3:5]
        at = np.abs(np.stack((-M[:, 1] / Fz, M[:, 0] / Fz), axis=1))
        if (at <= 1.2 * half).all(axis=1).mean() > 0.5 and (at > 0.003).any(axis=1).mean() > 0.5:  # noqa: PLR2004
            return channels, "moments are in N m: so the centre of pressure lies on the plate"
    scale = np.array([1.0, 1.0, 1.0, metres, metres, metres])
    return channels * scale, ""


def usable(plates: Sequence[PlateRecord]) -> tuple[PlateRecord, ...]:
    """Return the plates that can be used."""
    return tuple(plate for plate in plates if not plate.problem)
