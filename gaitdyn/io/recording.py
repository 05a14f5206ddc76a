"""Read a file as a :class:`~gaitdyn.types.recording.Recording`: SI units, laboratory axes.

:data:`READERS` lists the suffixes of files that are not read as C3D.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.runs import ever_known
from gaitdyn.errors import FileRefused
from gaitdyn.io._records import refused
from gaitdyn.io.analog import emg_candidates, read_analog
from gaitdyn.io.events import read_events
from gaitdyn.io.labels import one_subject, output_labels, point_labels, strip_prefix, subject_note
from gaitdyn.io.names import other_names_in
from gaitdyn.io.pieces import join_pieces
from gaitdyn.io.plain_files import recovered
from gaitdyn.io.plates import plate_channels, read_plates
from gaitdyn.io.reader import ReaderName, read_c3d
from gaitdyn.io.subject import (
    head_offset,
    length_unit,
    persons_of,
    read_offsets,
    read_subject,
    software_of,
)
from gaitdyn.io.units import NO_BODY_M, UNITS, body_extent, fits, stated_unit
from gaitdyn.types.recording import Recording

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gaitdyn.io._data import Progress
    from gaitdyn.io.parameters import Parameters
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.poses import SegmentPoses

_SMALL_M, _LARGEST_COORDINATE_M = 0.5, 50.0
FEWEST_MARKERS = 6
"""A file with segment poses and fewer visible markers is read as a recording of its poses."""

_SAMPLED_FRAMES = 50
_UNIT_KEYS = {
    "angles": "ANGLE_UNITS",
    "forces": "FORCE_UNITS",
    "moments": "MOMENT_UNITS",
    "powers": "POWER_UNITS",
}
"""Group of model outputs -> the POINT parameter that states their unit."""


def read_recording(
    path: str | Path,
    subject_prefix: str | None = None,
    reader: ReaderName = "gaitdyn",
    progress: Progress | None = None,
    forces: str | Path | None = None,
) -> Recording:
    """Read a recording, with the analog channels of plates and possible electromyography.

    Parameters
    ----------
    path : str or Path
        A file with a suffix in :data:`READERS`, or else a C3D file.
    subject_prefix : str, optional
        The subject to read from a file with several.
    reader : {"gaitdyn", "ezc3d"}
        Which reader reads the data section of a C3D file.
    progress : callable, optional
        Called with the number of frames read so far and the total.
    forces : str or Path, optional
        File of forces to use instead of the recording's own; ``none`` for no forces. By default a
        recording that cannot contain forces takes them from the file that belongs to it.

    Returns
    -------
    Recording

    Raises
    ------
    FileRefused
        When it cannot be read, is damaged, has several subjects, or the forces belong to another
        recording.
    """
    suffix = Path(path).suffix.lower()
    if suffix in _NO_MARKERS:
        todo = "name the TRC file, and give this one with --forces if it has another name"
        raise refused(Path(path).name, f"no markers in a {suffix} file", "markers", todo)
    read = READERS.get(suffix)
    recording = _c3d(path, subject_prefix, reader, progress) if read is None else read(path)
    if forces is None and read is None:
        return recording
    from gaitdyn.io.pairing import with_its_forces, with_its_muscles  # needed for few recordings

    recording = recording if read is None else with_its_muscles(recording, Path(path))
    return with_its_forces(recording, Path(path), forces)


def _trc(path: str | Path) -> Recording:
    from gaitdyn.io.trc import trc_recording

    return trc_recording(path)


READERS: dict[str, Callable[[str | Path], Recording]] = {".trc": _trc}
"""Suffix -> reader of the markers in such a file, instead of the C3D reader."""

_NO_MARKERS = (".mot", ".sto", ".forces", ".anc")
"""Suffixes of the files that accompany a recording of markers."""

RECORDINGS = (".c3d", *READERS)
"""Suffixes of the files that may be trials and statics."""


def recordings_of(paths: Iterable[Path]) -> list[Path]:
    """Return the files that may be trials or statics, in the given order.

    A recording that also exists as a C3D file of the same name, with its plates, is left out.

    Examples
    --------
    >>> [path.name for path in recordings_of(map(Path, ("a.trc", "b.trc", "b.C3D", "b.mot")))]
    ['a.trc', 'b.C3D']
    """
    recordings = [path for path in paths if path.suffix.lower() in RECORDINGS]
    stems = {path.stem.lower() for path in recordings if path.suffix.lower() == ".c3d"}
    return [p for p in recordings if p.suffix.lower() == ".c3d" or p.stem.lower() not in stems]


def _c3d(
    path: str | Path, subject_prefix: str | None, reader: ReaderName, progress: Progress | None
) -> Recording:
    raw = read_c3d(path, _channels, progress, reader)
    params = raw.parameters
    labels = point_labels(params, raw.points.shape[1])
    outputs = output_labels(params)
    names = one_subject(labels, outputs, subject_prefix, recovered(Path(path).name))
    is_output = np.array([x in outputs or strip_prefix(x) in outputs for x in labels], bool)
    markers = raw.points[:, ~is_output]
    kept = tuple(name for name, out in zip(names, is_output, strict=True) if not out)
    metres, unit, notes = unit_of_points(params, markers, kept)
    rate = float(params.number("POINT", "RATE") or raw.header.rate_hz)
    samples = max(1, round(len(raw.samples) / max(1, len(raw.points))))
    markers_L = np.multiply(markers, metres, out=markers)
    descriptions = marker_descriptions(params, is_output)
    joined = join_pieces(kept, descriptions, markers_L, rate)
    analog, left_out = read_analog(params, raw.samples)
    poses, pose_notes = _poses(path, params, markers_L)
    body_L = markers_L if poses is None else _with_landmarks(markers_L, poses)
    recording = Recording(
        name=recovered(Path(path).name),
        sha256=raw.sha256,
        rate_hz=rate,
        samples_per_frame=samples,
        first_frame=raw.header.first_frame,
        labels=kept,
        markers_L=markers_L,
        outputs={name: raw.points[:, i] for i, name in enumerate(names) if is_output[i]},
        events=read_events(params),
        plates=read_plates(params, raw.samples, samples, metres, (body_L, rate)),
        subject=read_subject(params),
        vendor=read_offsets(params),
        units={"points": unit} | {group: _text(params, key) for group, key in _UNIT_KEYS.items()},
        notes=(
            *raw.notes,
            *notes,
            *joined,
            *subject_note(labels, outputs, subject_prefix),
            *left_out,
            *pose_notes,
            *filter(None, [length_unit(params)[1]]),
        ),
        descriptions=descriptions,
        persons=persons_of(params),
        head_offset_rad=head_offset(params),
        camera_rate_hz=_camera_rate_hz(params),
        software=software_of(params),
        called=other_names_in(params),
        path=Path(path),
        analog=analog,
        poses=poses,
    )
    if poses is None or _enough_markers(markers_L):
        return recording
    from gaitdyn.io.poses import pose_recording

    return pose_recording(recording, poses)


def _enough_markers(markers_L: Array) -> bool:
    """Return whether a recording has enough markers without segment poses."""
    return int(ever_known(markers_L).sum()) >= FEWEST_MARKERS


def _poses(
    path: str | Path, params: Parameters, markers_L: Array
) -> tuple[SegmentPoses | None, tuple[str, ...]]:
    """Return the segment poses of a file, or None, and notes.

    Raises
    ------
    FileRefused
        They cannot be used, and there are too few markers without them.
    """
    if not params.count("ROTATION", "USED"):
        return None, ()
    from gaitdyn.io.poses import segment_poses
    from gaitdyn.io.rotations import read_rotations

    unit, name = _text(params, "UNITS").strip().lower(), Path(path).name
    try:
        stored = read_rotations(path)
        poses = None if stored is None else segment_poses(stored, params, unit, name)
    except FileRefused as refusal:
        if not _enough_markers(markers_L):
            raise
        return None, (f"the segment poses are not used: {refusal}",)
    return poses, () if poses is None else poses.notes


def _with_landmarks(markers_L: Array, poses: SegmentPoses) -> Array:
    """Return markers and the landmarks of poses, at the rate of the markers."""
    ratio = max(1, round(poses.n_frames / max(1, len(markers_L))))
    points = np.stack(list(poses.points().values()), axis=1)[::ratio][: len(markers_L)]
    return np.concatenate((markers_L, points), axis=1)


def _camera_rate_hz(params: Parameters) -> float:
    """Return TRIAL:CAMERA_RATE over TRIAL:VIDEO_RATE_DIVIDER; 0 if not stated."""
    divider = params.number("TRIAL", "VIDEO_RATE_DIVIDER") or 1.0
    return (params.number("TRIAL", "CAMERA_RATE") or 0.0) / max(1.0, divider)


def _channels(params: Parameters) -> list[int]:
    return [*plate_channels(params), *emg_candidates(params)]


def marker_descriptions(params: Parameters, is_output: np.ndarray) -> tuple[str, ...]:
    """Return one description per marker, empty where the file has none."""
    texts = params.strings("POINT", "DESCRIPTIONS")
    texts += [""] * (len(is_output) - len(texts))
    return tuple(text.strip() for text, out in zip(texts, is_output, strict=False) if not out)


def _text(params: Parameters, name: str) -> str:
    texts = params.strings("POINT", name)
    return texts[0] if texts else ""


def unit_of_points(
    params: Parameters, points: Array, labels: tuple[str, ...] = ()
) -> tuple[float, str, tuple[str, ...]]:
    """Return metres per unit, the unit's name, and a note if the data had to decide.

    Parameters
    ----------
    params : Parameters
    points : array, shape (n, m, 3)
    labels : tuple of str, optional
        One per point; those with a star belong to other people or to nobody, and are not part of
        the body.
    """
    stated = _text(params, "UNITS").strip().lower()
    unit = stated_unit(stated)
    sample = np.abs(points[:: max(1, len(points) // _SAMPLED_FRAMES)])
    largest = np.fmax.reduce(sample, axis=None) if sample.size else np.nan
    if unit and _SMALL_M < largest * UNITS[unit] < _LARGEST_COORDINATE_M:
        return UNITS[unit], unit, ()  # the median is not larger
    size = known_median(sample)
    size = known_median(np.abs(points)) if math.isnan(size) else size
    size = 0.0 if math.isnan(size) else size
    is_named = [not label.startswith("*") for label in labels]
    extent = body_extent(points[:, is_named] if is_named else points)
    extent = body_extent(points) if math.isnan(extent) else extent
    by_body = next((u for u in ("m", "cm", "mm") if fits(extent, u)), "")
    if (
        unit
        and size * UNITS[unit] < _LARGEST_COORDINATE_M
        and not (by_body and extent * UNITS[unit] < NO_BODY_M)
    ):
        return UNITS[unit], unit, ()
    decided = by_body or ("mm" if size > _LARGEST_COORDINATE_M else "m")
    note = f"units of the points are {decided!r} by their size; the file says {stated!r}"
    return UNITS[decided], decided, (note,)


def holds_forces(name: str) -> bool:
    """Return whether a recording of this name can itself contain forces: C3D can, TRC cannot.

    Parameters
    ----------
    name : str
        File name.
    """
    return Path(name).suffix.lower() not in READERS
