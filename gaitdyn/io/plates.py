"""Force plates of a file: parameters and channels, one plate at a time.

Types 1 (centre of pressure), 2 (six components), 3 (eight sensors) and 4 (six components and a
calibration matrix). The definitions are those of the C3D format user guide (c3d.org,
FORCE_PLATFORM). A plate that cannot be used is left out alone, with the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.core.places import feet_over
from gaitdyn.core.runs import percentiles
from gaitdyn.io.plate_types import (
    CHANNELS,
    LOADED_N,
    PlateRefused,
    check_corners,
    check_origin,
    correct_pressure,
    from_pressure,
    from_sensors,
    half_edges,
    lies_on,
)
from gaitdyn.types.recording import PlateRecord

if TYPE_CHECKING:
    from gaitdyn.io._samples import Samples
    from gaitdyn.io.parameters import Parameters
    from gaitdyn.types.arrays import Array

_COMPONENTS, _STANDING_N, _MM = 6, 150.0, 0.001
_STEP_N = 20.0
"""A reading that changes by more while a plate is tared is that of somebody who steps."""

_STILL = 1e-6
"""A channel that changes by less than this part of the most lively one is not connected."""


class _Source(NamedTuple):
    """What all plates of a file share; ``tare`` are the frames that FORCE_PLATFORM:ZERO names.

    ``ratio`` are the analog samples a frame; ``points`` the markers and their rate, if known.
    """

    params: Parameters
    analog: Samples
    metres: float
    tare: slice | None
    ratio: int
    points: tuple[Array, float] | None


def read_plates(
    params: Parameters,
    analog: Samples,
    samples_per_frame: int,
    metres: float,
    points: tuple[Array, float] | None = None,
) -> tuple[PlateRecord, ...]:
    """Return the plates of a file.

    Parameters
    ----------
    params : Parameters
    analog : Samples
        With the channels of :func:`plate_channels`.
    samples_per_frame : int
        Analog samples a marker frame, for FORCE_PLATFORM:ZERO.
    metres : float
        Length of one unit of POINT:UNITS.
    points : tuple, optional
        Markers, shape (n, m, 3), m, laboratory axes, and their rate, Hz: a plate under a foot is
        not tared.

    Returns
    -------
    tuple of PlateRecord
    """
    kinds = params.get("FORCE_PLATFORM", "TYPE")
    used = params.number("FORCE_PLATFORM", "USED")
    recorded = len(analog) and analog.n_channels
    if kinds is None or isinstance(kinds, list) or not used or not recorded:
        return ()
    count = min(int(used), np.size(kinds))
    tare = _tare_frames(params, len(analog) // samples_per_frame)
    source = _Source(params, analog, metres, tare, samples_per_frame, points)
    return tuple(_read_plate(source, k, int(np.ravel(kinds)[k])) for k in range(count))


def _read_plate(source: _Source, k: int, kind: int) -> PlateRecord:
    corners, origin = np.full((4, 3), np.nan), np.zeros(3)
    try:
        corners = _column(source.params, "CORNERS", k, 12).reshape(4, 3) * source.metres
        origin = _column(source.params, "ORIGIN", k, 3) * source.metres
        check_corners(corners)
        check_origin(origin)
        stored = _stored(source, k, kind)
        channels, notes = _components(source, k, kind, corners, origin, stored)
    except PlateRefused as refusal:
        empty = np.empty((0, _COMPONENTS))
        return PlateRecord(k + 1, kind, corners, origin, empty, (), str(refusal))
    if kind in (1, 3):  # their components are about the centre of the surface
        origin = np.zeros(3)
    noted = tuple(filter(None, notes))
    return PlateRecord(k + 1, kind, corners, origin, channels, noted, still=_still(stored))


def _stored(source: _Source, k: int, kind: int) -> Array:
    """Return the channels of a plate as stored, shape (m, 6) or (m, 8)."""
    if kind not in CHANNELS:
        raise PlateRefused(f"type {kind} is not known; types 1, 2, 3 and 4 are")
    return _channels(source.params, source.analog, k, kind)


def _still(stored: Array) -> tuple[int, ...]:
    """Return the channels, from 1, that never change while another one does."""
    spread = np.ptp(stored, axis=0)
    return tuple(
        int(i) + 1 for i in np.flatnonzero(spread <= _STILL * spread.max()) if spread.any()
    )


def _components(
    source: _Source, k: int, kind: int, corners: Array, origin: Array, stored: Array
) -> tuple[Array, list[str]]:
    """Return the six components of a plate in N and N m, tared, and what was decided."""
    params, channels = source.params, stored
    notes: list[str] = []
    if kind == 1:
        channels, decided = from_pressure(channels, corners, source.metres)
        notes += [*decided, "ORIGIN of a type 1 plate is not used" if origin.any() else ""]
    if kind == 3:  # noqa: PLR2004
        channels = from_sensors(channels, origin, corners)
    if kind == 4:  # noqa: PLR2004
        channels = channels @ _calibration(params, k).T
    if source.tare is not None:
        channels, note = _tared(channels, source, corners)
        notes.append(note)
    if kind in (2, 4):
        channels, note = _newton_metres(channels, corners, source.metres)
        notes.append(note)
    if kind == 3:  # noqa: PLR2004
        channels, note = _corrected(params, k, channels, corners)
        notes.append(note)
    return channels, notes


def _tared(channels: Array, source: _Source, corners: Array) -> tuple[Array, str]:
    """Return the channels less their mean over the frames of the tare, unless somebody stands.

    Somebody stands there when a foot's markers are over the plate, or when the reading changes as
    no empty plate's does. A level above 150 N needs feet that are seen elsewhere, and steps that
    rise above it, to be that of an empty plate.
    """
    tare = source.tare or slice(0, 0)
    rows = slice(tare.start * source.ratio, tare.stop * source.ratio)
    down = channels[:, 2]
    level = channels[rows].mean(axis=0)
    named = f"rows {rows.start + 1}-{rows.stop}"
    carries = f"it reads {abs(level[2]):.0f} N in {named}"
    standing, away = False, False
    if source.points is not None:
        points, rate_hz = source.points
        over, seen = feet_over(points[tare], corners, rate_hz)
        standing, away = bool(over.any()), bool(seen.any())
    if standing:
        return channels, f"not tared: {carries} with a foot over it"
    low, high = percentiles(down[rows], 2, 98)
    if high - low > _STEP_N:
        return channels, f"not tared: its reading changes by {high - low:.0f} N in {named}"
    steps = np.abs(down - level[2]).max() > _STANDING_N
    if abs(level[2]) > _STANDING_N and not (away and steps):
        return channels, f"not tared: {carries}, a person's weight"
    return channels - level, f"tared with the mean of {named}"


def _tare_frames(params: Parameters, frames: int) -> slice | None:
    """Return the frames that FORCE_PLATFORM:ZERO names (a..b from 1), from 0, or None."""
    zero = params.get("FORCE_PLATFORM", "ZERO")
    if zero is None or isinstance(zero, list) or np.size(zero) < 2:  # noqa: PLR2004
        return None
    first, last = (int(value) for value in np.ravel(zero)[:2])
    return slice(first - 1, last) if 1 <= first <= last <= frames else None


def _column(params: Parameters, name: str, k: int, rows: int) -> Array:
    """Return column k of a FORCE_PLATFORM parameter."""
    values = params.get("FORCE_PLATFORM", name)
    if values is None or isinstance(values, list):
        raise PlateRefused(f"FORCE_PLATFORM:{name} is missing")
    flat = np.ravel(np.asarray(values, dtype=float), order="F")
    if flat.size < rows * (k + 1):
        raise PlateRefused(f"FORCE_PLATFORM:{name} has no values for this plate")
    return flat[rows * k : rows * (k + 1)]


def plate_channels(params: Parameters) -> list[int]:
    """Return the analog channels, from 0, that the plates of a file name; some may not exist."""
    table = params.get("FORCE_PLATFORM", "CHANNEL")
    if table is None or isinstance(table, list):
        return []
    return [int(number) - 1 for number in np.ravel(table) if np.isfinite(number)]


def _channels(params: Parameters, analog: Samples, k: int, kind: int) -> Array:
    """Return the channels of a plate, refusing numbers that the file does not have."""
    wanted = CHANNELS[kind]
    table = params.get("FORCE_PLATFORM", "CHANNEL")
    shape = () if table is None or isinstance(table, list) else np.shape(table)
    rows = wanted if len(shape) == 1 else (*shape, 0)[0]
    if rows < wanted:
        raise PlateRefused(f"FORCE_PLATFORM:CHANNEL lists fewer than {wanted} channels")
    numbers = _column(params, "CHANNEL", k, rows)[:wanted].astype(int)
    if numbers.min() < 1 or numbers.max() > analog.n_channels:
        found = f"{numbers.min()} to {numbers.max()}"
        raise PlateRefused(f"channels {found} are named, the file has 1 to {analog.n_channels}")
    channels = np.asfortranarray(analog.of([int(number) - 1 for number in numbers]))
    forces = channels[:, :3] if kind == 1 else channels
    if not np.isfinite(forces).all() or np.abs(forces).max() > 1e8:  # noqa: PLR2004
        raise PlateRefused("its channels hold values that are not forces")
    return channels


def _calibration(params: Parameters, k: int) -> Array:
    """Return the 6 x 6 matrix of a type 4 plate; it is stored column by column."""
    matrix = _column(params, "CAL_MATRIX", k, 36).reshape(6, 6, order="F")
    if not np.isfinite(matrix).all() or not matrix.any():
        raise PlateRefused("CAL_MATRIX is empty")
    return matrix


def _corrected(params: Parameters, k: int, channels: Array, corners: Array) -> tuple[Array, str]:
    """Return a type 3 plate with FPCOPPOLY applied where the file has it."""
    values = params.get("FORCE_PLATFORM", "FPCOPPOLY")
    if values is None or isinstance(values, list) or not np.any(values):
        return channels, ""
    try:
        poly = _column(params, "FPCOPPOLY", k, 12)
    except PlateRefused:
        return channels, "FPCOPPOLY is not used: it has no values for this plate"
    x_first = np.shape(values)[0] != 2  # noqa: PLR2004  six for x, then six for y
    poly = poly.reshape(2, 6) if x_first else poly.reshape(6, 2).T
    return correct_pressure(channels, poly, corners)


def _newton_metres(channels: Array, corners: Array, metres: float) -> tuple[Array, str]:
    """Return the channels with moments in N m, and what was decided about the unit.

    Labels of analog units lie; the data decide. Read as N m, the centre of pressure of the loaded
    samples lies inside the plate, or else the moments are in N per length unit of the markers;
    where that puts it beside the plate and N mm inside, as in files whose markers alone were
    turned into metres, they are in N mm.
    """
    loaded = np.abs(channels[:, 2]) > LOADED_N
    Fz, M, half = channels[loaded, 2], channels[loaded, 3:5], half_edges(corners)

    def inside(unit_m: float) -> bool:
        return bool(len(Fz)) and lies_on(
            unit_m * np.stack((-M[:, 1] / Fz, M[:, 0] / Fz), axis=1), half
        )

    for unit_m, word, tried in (
        (1.0, "N m", metres != 1.0),
        (_MM, "N mm", metres != _MM and not inside(metres)),
    ):
        if tried and inside(unit_m):
            said = f"moments are in {word}: so the centre of pressure lies on the plate"
            return channels * np.array([1.0, 1.0, 1.0, unit_m, unit_m, unit_m]), said
    return channels * np.array([1.0, 1.0, 1.0, metres, metres, metres]), ""
