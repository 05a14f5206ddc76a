"""A file as a :class:`~gaitdyn.types.recording.Recording`: SI units, laboratory axes.

:data:`READERS` has a row for each ending that is read otherwise than as C3D.
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
from gaitdyn.io.names import called_in
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
from gaitdyn.io.units import NO_BODY_M, UNITS, body_extent, fits
from gaitdyn.types.recording import Recording

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gaitdyn.io._data import Progress
    from gaitdyn.io.parameters import Parameters
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.poses import SegmentPoses

_SMALL_M, _LARGEST_COORDINATE_M = 0.5, 50.0
FEWEST_MARKERS = 6
"""A file of segment poses with fewer markers that are seen is a recording of its poses."""

_LOOKED_AT = 50
_SAID = {
    "angles": "ANGLE_UNITS",
    "forces": "FORCE_UNITS",
    "moments": "MOMENT_UNITS",
    "powers": "POWER_UNITS",
}
"""Group of model outputs -> the parameter of POINT that says their unit."""


def read_recording(
    path: str | Path,
    subject_prefix: str | None = None,
    reader: ReaderName = "gaitdyn",
    progress: Progress | None = None,
    forces: str | Path | None = None,
) -> Recording:
    """Read a recording; of its analog channels those of plates and what may be electromyography.

    Parameters
    ----------
    path : str or Path
        By its ending one of :data:`READERS`, else a C3D file.
    subject_prefix : str, optional
        Which subject is meant in a file that holds several.
    reader : {"gaitdyn", "ezc3d"}
        Who reads the data section of a C3D file.
    progress : callable, optional
        Is told how many frames of how many were read.
    forces : str or Path, optional
        File of the forces, in the place of the recording's own; ``none`` for no forces. Where
        nothing is said a recording that cannot hold forces takes the file that belongs to it.

    Returns
    -------
    Recording

    Raises
    ------
    FileRefused
        When it cannot be read, is damaged, holds several subjects, or the forces are not its own.
    """
    suffix = Path(path).suffix.lower()
    if suffix in _NO_MARKERS:
        todo = "name the TRC file, and this one with --forces where it is another name"
        raise refused(Path(path).name, f"no markers in a {suffix} file", "markers", todo)
    own = READERS.get(suffix)
    found = _c3d(path, subject_prefix, reader, progress) if own is None else own(path)
    if forces is None and own is None:
        return found
    from gaitdyn.io.pairing import with_its_forces, with_its_muscles  # of use for few recordings

    found = found if own is None else with_its_muscles(found, Path(path))
    return with_its_forces(found, Path(path), forces)


def _trc(path: str | Path) -> Recording:
    from gaitdyn.io.trc import trc_recording

    return trc_recording(path)


READERS: dict[str, Callable[[str | Path], Recording]] = {".trc": _trc}
"""Ending -> what reads the markers of such a file, in the place of the reader of C3D files."""

_NO_MARKERS = (".mot", ".sto", ".forces", ".anc")
"""Endings of the files that stand beside a recording of markers."""

RECORDINGS = (".c3d", *READERS)
"""Endings of the files that may be trials and statics."""


def recordings_of(paths: Iterable[Path]) -> list[Path]:
    """Return the files that may be trials or statics, in their order.

    A recording that a C3D file of the same name holds too, with its plates, is left out.

    Examples
    --------
    >>> [path.name for path in recordings_of(map(Path, ("a.trc", "b.trc", "b.C3D", "b.mot")))]
    ['a.trc', 'b.C3D']
    """
    found = [path for path in paths if path.suffix.lower() in RECORDINGS]
    whole = {path.stem.lower() for path in found if path.suffix.lower() not in READERS}
    return [p for p in found if p.suffix.lower() not in READERS or p.stem.lower() not in whole]


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
    analog, left_out = read_analog(params, raw.samples)
    poses, told = _poses(path, params, markers_L)
    around = markers_L if poses is None else _with_landmarks(markers_L, poses)
    read = Recording(
        name=recovered(Path(path).name),
        sha256=raw.sha256,
        rate_hz=rate,
        samples_per_frame=samples,
        first_frame=raw.header.first_frame,
        labels=kept,
        markers_L=markers_L,
        outputs={n: raw.points[:, i] for i, n in enumerate(names) if is_output[i]},
        events=read_events(params),
        plates=read_plates(params, raw.samples, samples, metres, (around, rate)),
        subject=read_subject(params),
        vendor=read_offsets(params),
        units={"points": unit, **{group: _text(params, key) for group, key in _SAID.items()}},
        notes=(
            *raw.notes,
            *notes,
            *subject_note(labels, outputs, subject_prefix),
            *left_out,
            *told,
            *filter(None, [length_unit(params)[1]]),
        ),
        descriptions=marker_descriptions(params, is_output),
        persons=persons_of(params),
        head_offset_rad=head_offset(params),
        camera_rate_hz=_camera_rate_hz(params),
        software=software_of(params),
        called=called_in(params),
        path=Path(path),
        analog=analog,
        poses=poses,
    )
    if poses is None or _enough(markers_L):
        return read
    from gaitdyn.io.poses import pose_recording

    return pose_recording(read, poses)


def _enough(markers_L: Array) -> bool:
    """Return whether a recording does without segment poses."""
    return int(ever_known(markers_L).sum()) >= FEWEST_MARKERS


def _poses(
    path: str | Path, params: Parameters, markers_L: Array
) -> tuple[SegmentPoses | None, tuple[str, ...]]:
    """Return the segment poses of a file, None for one without any that we know, and notes.

    Raises
    ------
    FileRefused
        They cannot be used, and there are not enough markers without them.
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
        if not _enough(markers_L):
            raise
        return None, (f"the segment poses are not used: {refusal}",)
    return poses, () if poses is None else poses.notes


def _with_landmarks(markers_L: Array, poses: SegmentPoses) -> Array:
    """Return markers and the landmarks of poses, at the rate of the markers."""
    ratio = max(1, round(poses.n_frames / max(1, len(markers_L))))
    points = np.stack(list(poses.points().values()), axis=1)[::ratio][: len(markers_L)]
    return np.concatenate((markers_L, points), axis=1)


def _camera_rate_hz(params: Parameters) -> float:
    """Return TRIAL:CAMERA_RATE over TRIAL:VIDEO_RATE_DIVIDER; 0 where it is not stated."""
    divider = params.number("TRIAL", "VIDEO_RATE_DIVIDER") or 1.0
    return (params.number("TRIAL", "CAMERA_RATE") or 0.0) / max(1.0, divider)


def _channels(params: Parameters) -> list[int]:
    return [*plate_channels(params), *emg_candidates(params)]


def marker_descriptions(params: Parameters, is_output: np.ndarray) -> tuple[str, ...]:
    """Return one description a marker, empty where the file has none."""
    texts = params.strings("POINT", "DESCRIPTIONS")
    texts += [""] * (len(is_output) - len(texts))
    return tuple(text.strip() for text, out in zip(texts, is_output, strict=False) if not out)


def _text(params: Parameters, name: str) -> str:
    texts = params.strings("POINT", name)
    return texts[0] if texts else ""


def unit_of_points(
    params: Parameters, points: Array, labels: tuple[str, ...] = ()
) -> tuple[float, str, tuple[str, ...]]:
    """Return metres a unit, the unit's name, and a note when the data had to decide.

    Parameters
    ----------
    params : Parameters
    points : array, shape (n, m, 3)
    labels : tuple of str, optional
        One a point; those with a star are of other people or of nobody, and no part of the body.
    """
    said = _text(params, "UNITS").strip().lower()
    unit = said if said in UNITS else "m" if said.startswith("met") else ""
    some = np.abs(points[:: max(1, len(points) // _LOOKED_AT)])
    largest = np.fmax.reduce(some, axis=None) if some.size else np.nan
    if unit and _SMALL_M < largest * UNITS[unit] < _LARGEST_COORDINATE_M:
        return UNITS[unit], unit, ()  # the median is no larger
    size = known_median(some)
    size = known_median(np.abs(points)) if math.isnan(size) else size
    size = 0.0 if math.isnan(size) else size
    named = [not label.startswith("*") for label in labels]
    extent = body_extent(points[:, named] if named else points)
    extent = body_extent(points) if math.isnan(extent) else extent
    by_body = next((u for u in ("m", "cm", "mm") if fits(extent, u)), "")
    if (
        unit
        and size * UNITS[unit] < _LARGEST_COORDINATE_M
        and not (by_body and extent * UNITS[unit] < NO_BODY_M)
    ):
        return UNITS[unit], unit, ()
    decided = by_body or ("mm" if size > _LARGEST_COORDINATE_M else "m")
    note = f"units of the points are {decided!r} by their size; the file says {said!r}"
    return UNITS[decided], decided, (note,)


def holds_forces(name: str) -> bool:
    """Return whether a recording of this name can hold forces itself: C3D can, TRC cannot.

    Parameters
    ----------
    name : str
        Of the file.
    """
    return Path(name).suffix.lower() not in READERS
