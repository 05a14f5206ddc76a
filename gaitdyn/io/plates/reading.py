"""Read the force plates of a file from its parameters and channels.

Types 1 (centre of pressure), 2 (six components), 3 (eight sensors) and 4 (six components and a
calibration matrix) are those of the C3D format user guide (c3d.org, FORCE_PLATFORM); 5 (eight
channels), 6 (twelve) and 7 (eight sensors) have a matrix too. A plate that cannot be used is left
out, with the reason, without affecting the others.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import runs
from gaitdyn.io.c3d.parameters import Parameters
from gaitdyn.io.c3d.samples import Samples
from gaitdyn.io.plates.components import AT_SENSORS, COMPONENTS, PlateSource, six_components
from gaitdyn.io.plates.lists import channels_of, plate_channels, plate_types, unused_plates
from gaitdyn.io.plates.parameters import corners_and_origin
from gaitdyn.io.plates.types import CHANNELS, PlateRefused
from gaitdyn.types.arrays import Array
from gaitdyn.types.recording import PlateRecord

__all__ = ["plate_channels", "read_plates"]

_MM = 0.001
_STILL = 1e-6
"""A channel that varies by less than this fraction of the most variable one is not connected."""


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
    source = PlateSource(params, analog, metres, samples_per_frame, points)
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


def _read_plate(source: PlateSource, k: int, kind: int) -> PlateRecord:
    corners, origin = np.full((4, 3), np.nan), np.zeros(3)
    try:
        corners, origin, notes = corners_and_origin(source.params, k, kind, source.metres)
        stored = _stored(source, k, kind)
        channels, others = six_components(source, k, kind, corners, origin, stored)
    except PlateRefused as refusal:
        empty = np.empty((0, COMPONENTS))
        return PlateRecord(k + 1, kind, corners, origin, empty, (), str(refusal))
    if kind not in AT_SENSORS:  # their components are about the centre of the surface
        origin = np.zeros(3)
    noted = tuple(note for note in (*notes, *others) if note)
    still, flat = _still(stored), _flat(stored)
    return PlateRecord(k + 1, kind, corners, origin, channels, noted, still=still, flat=flat)


def _stored(source: PlateSource, k: int, kind: int) -> Array:
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


def _channels(source: PlateSource, k: int, kind: int) -> Array:
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
