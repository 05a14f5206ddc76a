"""Read the force plates of a file from its parameters and channels.

Types 1 (centre of pressure), 2 (six components), 3 (eight sensors) and 4 (six components and a
calibration matrix) are those of the C3D format user guide (c3d.org, FORCE_PLATFORM); 5 (eight
channels), 6 (twelve) and 7 (eight sensors) have a matrix too. A plate that cannot be used is left
out, with the reason, without affecting the others.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.places import feet_over
from gaitdyn.core.runs import percentiles, runs
from gaitdyn.io._samples import Samples
from gaitdyn.io.parameters import Parameters
from gaitdyn.io.plate_lists import (
    channels_of,
    column,
    plate_channels,
    plate_types,
    tare_frames,
    unused_plates,
)
from gaitdyn.io.plate_parameters import calibration, corners_and_origin
from gaitdyn.io.plate_types import (
    CALIBRATED,
    CHANNELS,
    RELIABLE_N,
    PlateRefused,
    correct_pressure,
    eight_of_twelve,
    from_pressure,
    from_sensors,
    half_edges,
    lies_on,
)
from gaitdyn.io.plate_units import in_newtons, stated_arm
from gaitdyn.types.arrays import Array
from gaitdyn.types.recording import PlateRecord

__all__ = ["plate_channels", "read_plates"]

_COMPONENTS, _STANDING_N, _MM = 6, 150.0, 0.001
_SENSORS, _AT_SENSORS = (3, 6, 7), (2, 4, 5)
"""Types of plates with a sensor under each corner, and of those with one in the middle."""

_LEAST_N, _MOST_N = 50.0, 20_000.0
"""Channels whose vertical force is in between show a step in N; one that a matrix makes larger than
any foot's load is already in N."""

_STEP_N = 20.0
"""A reading that changes by more than this during taring shows that somebody steps on the plate."""

_STILL = 1e-6
"""A channel that varies by less than this fraction of the most variable one is not connected."""


class _Source(NamedTuple):
    """Data shared by all plates of a file.

    ``ratio`` is the number of analog samples per frame; ``points`` the markers and their rate, if
    known.
    """

    params: Parameters
    analog: Samples
    metres: float
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
        Analog samples per marker frame, for FORCE_PLATFORM:ZERO.
    metres : float
        Length of one unit of POINT:UNITS.
    points : tuple, optional
        Markers, shape (n, m, 3), m, laboratory axes, and their rate, Hz: a plate under a foot is
        not tared.
    """
    kinds = plate_types(params)
    if not (kinds and len(analog) and analog.n_channels):
        return ()
    source = _Source(params, analog, metres, samples_per_frame, points)
    plates = list[PlateRecord]()
    for k, kind in enumerate(kinds):
        plates.append(_listed_once(_read_plate(source, k, kind), plates, params))
    unused = unused_plates(params)
    if unused and plates and not plates[-1].problem:
        plates[-1] = replace(plates[-1], notes=(*plates[-1].notes, unused))
    return tuple(plates)


def _listed_once(plate: PlateRecord, earlier: list[PlateRecord], params: Parameters) -> PlateRecord:
    """Return a plate; one of the place and the channels of an earlier one cannot be used again."""
    for other in earlier if not plate.problem else ():
        if other.problem or not np.allclose(plate.corners_L, other.corners_L, atol=_MM):
            continue
        own, others = (channels_of(params, p.number - 1, p.kind) for p in (plate, other))
        if np.array_equal(own, others):
            problem = f"it is plate {other.number}, listed again"
            return replace(plate, channels=plate.channels[:0], problem=problem)
    return plate


def _read_plate(source: _Source, k: int, kind: int) -> PlateRecord:
    corners, origin = np.full((4, 3), np.nan), np.zeros(3)
    try:
        corners, origin, notes = corners_and_origin(source.params, k, kind, source.metres)
        stored = _stored(source, k, kind)
        channels, others = _components(source, k, kind, corners, origin, stored)
    except PlateRefused as refusal:
        empty = np.empty((0, _COMPONENTS))
        return PlateRecord(k + 1, kind, corners, origin, empty, (), str(refusal))
    if kind not in _AT_SENSORS:  # their components are about the centre of the surface
        origin = np.zeros(3)
    noted = tuple(note for note in (*notes, *others) if note)
    still, flat = _still(stored), _flat(stored)
    return PlateRecord(k + 1, kind, corners, origin, channels, noted, still=still, flat=flat)


def _stored(source: _Source, k: int, kind: int) -> Array:
    """Return the stored channels of a plate, shape (m, 6), (m, 8) or (m, 12)."""
    if kind not in CHANNELS:
        supported = f"types {', '.join(map(str, CHANNELS))} are"
        reason = f"type {kind} is not known; {supported}"
        raise PlateRefused(reason if kind else "FORCE_PLATFORM:TYPE is missing for this plate")
    return _channels(source, k, kind)


def _still(stored: Array) -> tuple[int, ...]:
    """Return the channels, from 1, that stay constant while others change."""
    spread = np.ptp(stored, axis=0)
    return tuple(
        int(i) + 1 for i in np.flatnonzero(spread <= _STILL * spread.max()) if spread.any()
    )


def _flat(stored: Array) -> int:
    """Return the longest run of samples in which a channel stays at its largest deviation."""
    with np.errstate(invalid="ignore"):  # a file may have infinities
        size = np.abs(stored - median(stored, axis=0)) if len(stored) else stored
    top = size >= (1.0 - _STILL) * np.maximum(size.max(axis=0, initial=0.0), _STILL)
    apart = np.concatenate((top, np.zeros((1, top.shape[1]), bool))).T.ravel()
    return max((stop - start for start, stop in runs(apart)), default=0)


def _components(
    source: _Source, k: int, kind: int, corners: Array, origin: Array, stored: Array
) -> tuple[Array, list[str]]:
    """Return the six components of a plate in N and N m, tared, and notes."""
    params, channels = source.params, stored
    notes, units = list[str](), _units(params, k, kind)
    if kind not in CALIBRATED:
        channels, note = in_newtons(channels, units, kind)
        notes.append(note)
    if kind == 1:
        channels, decided = from_pressure(channels, corners, source.metres)
        notes += [*decided, "ORIGIN of a type 1 plate is not used" if origin.any() else ""]
    if kind in CALIBRATED:
        channels, decided = _calibrated(params, k, kind, channels)
        notes += decided
    if kind == 6:  # noqa: PLR2004
        channels, note = eight_of_twelve(channels)
        notes.append(note)
    if kind in _SENSORS:
        channels = from_sensors(channels, origin, corners)
    tare = tare_frames(params, k, len(source.analog) // source.ratio)
    if tare is not None:
        channels, note = _tared(channels, tare, source, corners)
        notes.append(note)
    if kind in _AT_SENSORS:
        channels, note = _newton_metres(channels, corners, source.metres, stated_arm(units[3:]))
        notes.append(note)
    if kind in _SENSORS:
        channels, note = _corrected(params, k, channels, corners)
        notes.append(note)
    return channels, notes


def _calibrated(
    params: Parameters, k: int, kind: int, channels: Array
) -> tuple[Array, tuple[str, ...]]:
    """Return channels multiplied by the matrix of a plate, and notes.

    Channels without a matrix, or made larger than any step by it, are taken to be in N already if
    their vertical force shows a step.
    """
    matrix, note = calibration(params, k, CALIBRATED[kind])
    calibrated = channels if matrix is None else channels @ matrix.T
    after, before = _peak_vertical(kind, calibrated), _peak_vertical(kind, channels)
    in_newton = CALIBRATED[kind][0] == CHANNELS[kind] and _LEAST_N < before < _MOST_N
    if matrix is None and not in_newton:
        raise PlateRefused("FORCE_PLATFORM:CAL_MATRIX is missing or empty")
    if matrix is None:
        return channels, ("CAL_MATRIX is missing or empty: channels are taken to be in N",)
    if in_newton and after > _MOST_N:
        return channels, (f"CAL_MATRIX is not used: it makes {after:.0f} N of {before:.0f} N",)
    return calibrated, (note,)


def _peak_vertical(kind: int, channels: Array) -> float:
    """Return the largest vertical force, summed over the sensors."""
    if channels.shape[1] == _COMPONENTS:
        up = channels[:, 2]
    elif kind == 6:  # noqa: PLR2004
        up = eight_of_twelve(channels)[0][:, 4:].sum(axis=1)
    else:
        up = channels[:, 4:].sum(axis=1)
    return float(np.abs(up).max(initial=0.0))


def _tared(channels: Array, tare: slice, source: _Source, corners: Array) -> tuple[Array, str]:
    """Return the channels minus their tare, unless somebody stands on the plate.

    Somebody stands on the plate if a foot's markers are over it, or if the reading changes more
    than that of an empty plate. A level above 150 N is that of an empty plate only if feet are
    visible elsewhere and steps rise above it.
    """
    rows = slice(tare.start * source.ratio, tare.stop * source.ratio)
    down = channels[:, 2]
    level = channels[rows].mean(axis=0)
    row_range = f"rows {rows.start + 1}-{rows.stop}"
    reading = f"it reads {abs(level[2]):.0f} N in {row_range}"
    standing, elsewhere = False, False
    if source.points is not None:
        points, rate_hz = source.points
        over, visible = (frames[tare] for frames in feet_over(points, corners, rate_hz))
        standing, elsewhere = bool(over.any()), bool(visible.any())
    if standing:
        return channels, f"not tared: {reading} with a foot over it"
    low, high = percentiles(down[rows], 2, 98)
    if high - low > _STEP_N:
        return channels, f"not tared: its reading changes by {high - low:.0f} N in {row_range}"
    steps = np.abs(down - level[2]).max() > _STANDING_N
    if abs(level[2]) > _STANDING_N and not (elsewhere and steps):
        return channels, f"not tared: {reading}, a person's weight"
    return channels - level, f"tared with the mean of {row_range}"


def _channels(source: _Source, k: int, kind: int) -> Array:
    """Return the channels of a plate; refuse channel numbers that the file does not have."""
    analog, numbers = source.analog, channels_of(source.params, k, kind)
    if numbers.min() < 0 or numbers.max() >= analog.n_channels:
        found = f"{numbers.min() + 1} to {numbers.max() + 1}"
        raise PlateRefused(f"channels {found} are named, the file has 1 to {analog.n_channels}")
    channels = np.asfortranarray(analog.of([int(number) for number in numbers]))
    forces = channels[:, :3] if kind == 1 else channels
    if not np.isfinite(forces).all() or np.abs(forces).max() > 1e8:  # noqa: PLR2004
        raise PlateRefused("its channels contain values that are not forces")
    return channels


def _units(params: Parameters, k: int, kind: int) -> list[str]:
    """Return ANALOG:UNITS of the channels of plate k, empty where not stated."""
    stated = params.strings("ANALOG", "UNITS")
    return [stated[i] if i < len(stated) else "" for i in channels_of(params, k, kind)]


def _corrected(params: Parameters, k: int, channels: Array, corners: Array) -> tuple[Array, str]:
    """Return a plate with FPCOPPOLY applied if the file has it."""
    values = params.get("FORCE_PLATFORM", "FPCOPPOLY")
    if values is None or isinstance(values, list) or not np.any(values):
        return channels, ""
    try:
        poly = column(params, "FPCOPPOLY", k, 12)
    except PlateRefused:
        return channels, "FPCOPPOLY is not used: it has no values for this plate"
    if not np.isfinite(poly).all():
        return channels, "FPCOPPOLY is not used: it contains values that are not numbers"
    x_first = np.shape(values)[0] != 2  # noqa: PLR2004  six for x, then six for y
    poly = poly.reshape(2, 6) if x_first else poly.reshape(6, 2).T
    return correct_pressure(channels, poly, corners)


def _newton_metres(
    channels: Array, corners: Array, metres: float, stated: tuple[str, float] = ("", 0.0)
) -> tuple[Array, str]:
    """Return the channels with moments in N m, and a note on the unit.

    Labels of analog units are unreliable, so the data decide. If N m puts the centre of pressure of
    the loaded samples on the plate, moments are in N m; otherwise in N times the length unit of the
    markers. If that puts it off the plate and N mm puts it on, as in files whose markers alone were
    converted to metres, they are in N mm. A stated unit with another length is tried first.
    """
    loaded = np.abs(channels[:, 2]) > RELIABLE_N
    Fz, M, half = channels[loaded, 2], channels[loaded, 3:5], half_edges(corners)

    def inside(unit_m: float) -> bool:
        return bool(len(Fz)) and lies_on(
            unit_m * np.stack((-M[:, 1] / Fz, M[:, 0] / Fz), axis=1), half
        )

    arm, arm_m = stated
    for unit_m, unit_name, tried in (
        (arm_m, f"N {arm}", bool(arm)),
        (1.0, "N m", metres != 1.0),
        (_MM, "N mm", metres != _MM and not inside(metres)),
    ):
        if tried and inside(unit_m):
            note = f"moments are taken to be in {unit_name}, which puts the force on the plate"
            return channels * np.array([1.0, 1.0, 1.0, unit_m, unit_m, unit_m]), note
    return channels * np.array([1.0, 1.0, 1.0, metres, metres, metres]), ""
