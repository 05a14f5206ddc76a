"""Read ground reaction forces from a separate file and resample them to a recording's frames."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.lagrange import cubic_weights
from gaitdyn.errors import NoForces
from gaitdyn.io.c3d.parameters import read_parameters
from gaitdyn.io.c3d.records import refused, shown
from gaitdyn.io.cut import cut
from gaitdyn.io.forces.columns import GivenForce, columns_not_read, forces_of, plates_of
from gaitdyn.io.forces.external_loads import loads_for
from gaitdyn.io.forces.motion_analysis import read_forces_text
from gaitdyn.io.forces.names import of_the_ground
from gaitdyn.io.labels import marker_prefixes
from gaitdyn.io.storage import read_storage
from gaitdyn.types.frozen import frozen
from gaitdyn.types.recording import PlateRecord, Recording, SecondFile
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gaitdyn.types.arrays import Array

OVERLAP = 0.9
"""Forces that cover a smaller fraction of a recording belong to another one."""
_SAME, _WHOLE, _UNEVEN, _MOST = 0.01, 0.02, 0.5, 64
_TAPS = 4
_SHOWN_COLUMNS = 6
_SLOWEST_HZ = 20.0
"""Slower samples do not show a step, and the filter of 10 Hz has no meaning for them."""
_WANTED = "forces of the ground: .mot, .sto, .forces or .c3d"


@frozen(eq=False)
class Forces:
    """The plates of a file and their clock.

    Attributes
    ----------
    file : SecondFile
    plates : tuple of PlateRecord
        Channels at ``rate_hz``, the first sample at ``start_s``.
    rate_hz, start_s : float
    notes : tuple of str
    """

    file: SecondFile
    plates: tuple[PlateRecord, ...]
    rate_hz: float
    start_s: float
    notes: tuple[str, ...] = ()

    @property
    def stop_s(self) -> float:
        """Time of the last sample."""
        n_intervals = max(len(plate.channels) for plate in self.plates) - 1
        return self.start_s + n_intervals / self.rate_hz


def read_forces(path: str | Path) -> Forces:
    """Read the forces of a file of any supported format.

    Parameters
    ----------
    path : str or Path
        ``.mot`` or ``.sto`` with columns of forces, ``.forces``, or a C3D file with plates.

    Raises
    ------
    FileRefused
        When it cannot be read, or has no forces that can be used.
    """
    path = Path(path)
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise refused(path.name, f"the ending {path.suffix!r}", _WANTED, "name another file")
    forces = reader(path)
    problems = dict.fromkeys(plate.problem for plate in forces.plates)
    if "" not in problems:
        found = f"no force that can be used ({'; '.join(problems)})"
        raise refused(forces.file.name, found, "the forces of a trial", "name another file")
    return forces


def _of_storage(path: Path) -> Forces:
    table = read_storage(path)
    forces, notes = _of_the_ground(forces_of(table.labels, table.values))
    if not forces:
        found = "no columns such as ground_force_vx"
        message = f"{shown(table.name)}: found {found}; wanted {_WANTED}"
        raise NoForces(f"{message}; name the file of the forces")
    rate = _rate(table.times_s, table.name)
    file = SecondFile(table.name, table.sha256, path)
    plates = _in_the_laboratory(plates_of(forces), [given.first for given in forces], path)
    notes = (*table.notes, *notes, *_not_read(table.labels))
    return Forces(file, plates, rate, float(table.times_s[0]), notes)


def _of_the_ground(forces: list[GivenForce]) -> tuple[list[GivenForce], tuple[str, ...]]:
    """Return the forces called those of the ground if there are any, else all, and a note."""
    ground = [given for given in forces if of_the_ground(given.first)]
    others = [given.first for given in forces if not of_the_ground(given.first)]
    if not (ground and others):
        return forces, ()
    return ground, (f"forces that are not called those of the ground: {_listed(others)}; not used",)


def _not_read(labels: Sequence[str]) -> tuple[str, ...]:
    """Return a note on columns of forces under names that are not known; empty without them."""
    others = columns_not_read(labels)
    return (f"columns of forces that are not read: {_listed(others)}",) if others else ()


def _listed(labels: Sequence[str]) -> str:
    """Return the first labels, and how many more there are."""
    more = len(labels) - _SHOWN_COLUMNS
    return ", ".join(labels[:_SHOWN_COLUMNS]) + (f" and {more} more" if more > 0 else "")


def _in_the_laboratory(
    plates: tuple[PlateRecord, ...], columns: list[str], path: Path
) -> tuple[PlateRecord, ...]:
    """Return plates; any that external loads give in a body's axes are marked unusable."""
    loads = loads_for(path)

    def check(plate: PlateRecord, first: str) -> PlateRecord:
        load = loads.get(first)
        if load is None or load.in_ground or plate.problem:
            return plate
        axes = load.force_axes if load.force_axes not in ("", "ground") else load.point_axes
        problem = f"its ExternalLoads give it in the axes of {shown(axes)}, wanted ground"
        return replace(plate, channels=plate.channels[:0], problem=problem)

    return tuple(check(p, first) for p, first in zip(plates, columns, strict=True))


def _of_forces_text(path: Path) -> Forces:
    text = read_forces_text(path)
    file = SecondFile(text.name, text.sha256, path)
    return Forces(file, plates_of(text.forces), text.rate_hz, 0.0)


def _of_c3d(path: Path) -> Forces:
    from gaitdyn.io.recording import read_recording

    subjects = marker_prefixes(read_parameters(path)[1])  # the plates belong to all of them
    found = read_recording(path, next(filter(None, subjects), None))
    if not found.plates:
        raise refused(found.name, "no force plates", _WANTED, "name the file of the forces")
    rate = found.rate_hz * found.samples_per_frame
    return Forces(SecondFile(found.name, found.sha256, path), found.plates, rate, found.start_s)


READERS: dict[str, Callable[[Path], Forces]] = {
    ".mot": _of_storage,
    ".sto": _of_storage,
    ".forces": _of_forces_text,
    ".c3d": _of_c3d,
}
"""Suffix -> reader of its forces."""


def _rate(times_s: Array, name: str) -> float:
    """Return the rate of even times: intervals from first to last sample per second."""
    if len(times_s) < 2:  # noqa: PLR2004
        raise refused(name, "one row", "forces over the time of the recording")
    steps = np.arange(len(times_s))
    rate = float((len(times_s) - 1) / (times_s[-1] - times_s[0]))
    rate = float(round(rate)) if math.isclose(rate, round(rate), rel_tol=1e-5) else rate
    deviation = np.abs((times_s - times_s[0]) * rate - steps).max()
    if not deviation <= _UNEVEN:
        raise refused(name, "times that are not even", "rows at equal intervals")
    if rate < _SLOWEST_HZ:
        found = f"{rate:.3g} rows per second"
        wanted = f"{_SLOWEST_HZ:g} or more"
        raise refused(name, found, wanted, "times are in s, not in ms, frames or % of a cycle")
    return rate


def overlap(recording: Recording, forces: Forces) -> float:
    """Return the fraction of a recording that the forces cover, 0 to 1."""
    start, stop = _times(recording)
    common = min(stop, forces.stop_s) - max(start, forces.start_s)
    return max(0.0, common) / max(stop - start, 1.0 / recording.rate_hz)


def _times(recording: Recording) -> tuple[float, float]:
    return recording.start_s, recording.start_s + (recording.n_frames - 1) / recording.rate_hz


def with_forces(recording: Recording, forces: Forces) -> Recording:
    """Return a recording with the plates of another file, at a multiple of the marker rate.

    Samples that coincide with the frames are kept; otherwise a cubic through four samples
    interpolates them to the next higher multiple of the marker rate. Frames without forces at
    either end are left out.

    Raises
    ------
    FileRefused
        When the two do not cover the same time.
    """
    rate = recording.rate_hz
    if overlap(recording, forces) < OVERLAP:
        start, stop = _times(recording)
        found = f"forces from {forces.start_s:g} to {forces.stop_s:g} s"
        wanted = f"those of {recording.name}, {start:g} to {stop:g} s"
        raise refused(forces.file.name, found, wanted, "name another file with --forces")
    part, notes = _covered_frames(recording, forces)
    ratio, analog = _ratio(forces.rate_hz, rate), part.analog
    if analog is not None and part.samples_per_frame >= ratio:
        ratio = part.samples_per_frame
    elif analog is not None:
        analog = None
        notes += ("electromyography at a lower rate than the forces is left out",)
    positions = (part.start_s - forces.start_s) * forces.rate_hz
    positions = positions + np.arange(part.n_frames * ratio, dtype=float) * (
        forces.rate_hz / (rate * ratio)
    )
    whole = bool(np.abs(positions - np.round(positions)).max() <= _WHOLE)
    if not whole:
        fine = f"{rate * ratio:g} Hz, {ratio} times the marker rate"
        notes += (f"forces at {forces.rate_hz:g} Hz are interpolated to {fine}",)
    plates = tuple(
        p if p.problem else replace(p, channels=_interpolated(p.channels, positions, whole=whole))
        for p in forces.plates
    )
    added = (f"forces from {forces.file.name}", *forces.notes, *notes)
    return replace(
        part,
        plates=plates,
        samples_per_frame=ratio,
        forces=forces.file,
        notes=(*part.notes, *added),
        analog=analog,
    )


def _covered_frames(recording: Recording, forces: Forces) -> tuple[Recording, tuple[str, ...]]:
    """Return the frames covered by the forces, with a margin of one frame, and notes."""
    times = recording.start_s + np.arange(recording.n_frames) / recording.rate_hz
    margin = 1.0 / recording.rate_hz
    inside = (times >= forces.start_s - margin) & (times <= forces.stop_s + margin)
    rows = np.flatnonzero(inside)
    first, last = int(rows[0]), int(rows[-1])
    missing = recording.n_frames - len(rows)
    if not missing:
        return recording, ()
    part = cut(replace(recording, plates=()), first, last + 1)
    return part, (f"{counted(missing, 'frame')} without forces left out at the ends",)


def _ratio(forces_hz: float, markers_hz: float) -> int:
    """Return the samples per frame for forces of a rate: the next whole number."""
    ratio = forces_hz / markers_hz
    whole = round(ratio)
    return min(_MOST, max(1, whole if abs(ratio - whole) < _SAME else math.ceil(ratio)))


def _interpolated(channels: Array, positions: Array, *, whole: bool) -> Array:
    """Return channels at positions between samples; the end samples are held beyond the ends.

    Parameters
    ----------
    channels : array, shape (m, c)
    positions : array, shape (k,)
        Positions in samples, 0 at the first.
    whole : bool
        Whether all positions coincide with samples.
    """
    last = len(channels) - 1
    if whole or last < _TAPS - 1:
        return channels[np.clip(np.round(positions).astype(int), 0, last)]
    positions = np.clip(positions, 0.0, last)
    left = np.clip(np.floor(positions).astype(int), 1, last - 2)
    weights = cubic_weights((positions - left)[:, None])
    return sum(
        (w * channels[left + k] for k, w in zip((-1, 0, 1, 2), weights, strict=True)),
        np.zeros((len(positions), channels.shape[1])),
    )
