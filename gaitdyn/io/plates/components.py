"""The six components of a force plate, N and N m, from its channels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitdyn.core.percentiles import percentiles
from gaitdyn.core.places import feet_over
from gaitdyn.io.c3d.parameters import Parameters
from gaitdyn.io.c3d.samples import Samples
from gaitdyn.io.plates.lists import channels_of, column, tare_frames
from gaitdyn.io.plates.parameters import calibration
from gaitdyn.io.plates.types import (
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
from gaitdyn.io.plates.units import in_newtons, stated_arm
from gaitdyn.types.arrays import Array

COMPONENTS, _STANDING_N, _MM = 6, 150.0, 0.001
_SENSORS, AT_SENSORS = (3, 6, 7), (2, 4, 5)
"""Types of plates with a sensor under each corner, and of those with one in the middle."""

_LEAST_N, _MOST_N = 50.0, 20_000.0
"""Channels whose vertical force is in between show a step in N; one that a matrix makes larger than
any foot's load is already in N."""

_STEP_N = 20.0
"""A reading that changes by more than this during taring shows that somebody steps on the plate."""


class PlateSource(NamedTuple):
    """Data shared by all plates of a file.

    ``ratio`` is the number of analog samples per frame; ``points`` the markers and their rate, if
    known.
    """

    params: Parameters
    analog: Samples
    metres: float
    ratio: int
    points: tuple[Array, float] | None


def six_components(
    source: PlateSource, k: int, kind: int, corners: Array, origin: Array, stored: Array
) -> tuple[Array, list[str]]:
    """Return the six components of a plate in N and N m, tared, and notes.

    Parameters
    ----------
    source : PlateSource
    k : int
        Number of the plate, from 0.
    kind : int
        Its type, one of :data:`gaitdyn.io.plates.types.CHANNELS`.
    corners : array, shape (4, 3)
        Laboratory axes, m.
    origin : array, shape (3,)
        Plate axes, m.
    stored : array, shape (m, 6), (m, 8) or (m, 12)
        Its channels as stored.

    Returns
    -------
    components : array, shape (m, 6)
        Force, N, and moment, N m, plate axes.
    notes : list of str
        What was decided; some may be empty.

    Raises
    ------
    PlateRefused
        With what is missing or wrong.
    """
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
    if kind in AT_SENSORS:
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
    if channels.shape[1] == COMPONENTS:
        up = channels[:, 2]
    elif kind == 6:  # noqa: PLR2004
        up = eight_of_twelve(channels)[0][:, 4:].sum(axis=1)
    else:
        up = channels[:, 4:].sum(axis=1)
    return float(np.abs(up).max(initial=0.0))


def _tared(channels: Array, tare: slice, source: PlateSource, corners: Array) -> tuple[Array, str]:
    """Return the channels minus their tare, unless somebody stands on the plate.

    Somebody stands on the plate if a foot's markers are over it, or if the reading changes more
    than that of an empty plate. A level above 150 N is that of an empty plate only if feet are
    visible elsewhere and steps rise above it.
    """
    rows = slice(tare.start * source.ratio, tare.stop * source.ratio)
    down = channels[:, 2]
    level = channels[rows].mean(axis=0)
    row_range = f"analog samples {rows.start + 1}-{rows.stop}"
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
