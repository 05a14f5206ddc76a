"""Read a C3D file as a :class:`~gaitdyn.types.recording.Recording`."""

from __future__ import annotations

from dataclasses import replace
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import ever_known
from gaitdyn.errors import FileRefused
from gaitdyn.io.analog import emg_candidates, read_analog
from gaitdyn.io.c3d.events import read_events
from gaitdyn.io.c3d.reader import ReaderName, read_c3d
from gaitdyn.io.c3d.subject import (
    head_offset,
    persons_of,
    read_offsets,
    read_subject,
    software_of,
    unit_notes,
)
from gaitdyn.io.labels import added_labels, added_note, strip_prefix
from gaitdyn.io.names import other_names_in
from gaitdyn.io.one_person import named_points
from gaitdyn.io.pieces import join_pieces
from gaitdyn.io.plain_files import recovered
from gaitdyn.io.plates.lists import unused_plates
from gaitdyn.io.plates.reading import plate_channels, read_plates
from gaitdyn.io.units import text_of, unit_of_points
from gaitdyn.types.recording import Recording

if TYPE_CHECKING:
    from gaitdyn.io.c3d.parameters import Parameters
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.poses import SegmentPoses

FEWEST_MARKERS = 6
"""A file with segment poses and fewer visible markers is read as a recording of its poses."""

_UNIT_KEYS = {
    "angles": "ANGLE_UNITS",
    "forces": "FORCE_UNITS",
    "moments": "MOMENT_UNITS",
    "powers": "POWER_UNITS",
}
"""Group of model outputs -> the POINT parameter that states their unit."""


def c3d_recording(path: str | Path, subject_prefix: str | None, reader: ReaderName) -> Recording:
    """Read a C3D file; parameters as for :func:`gaitdyn.io.recording.read_recording`."""
    raw = read_c3d(path, _channels, reader)
    params, name = raw.parameters, recovered(Path(path).name)
    names, is_output, of_subject = named_points(params, raw.points, subject_prefix, name)
    markers = raw.points[:, ~is_output]
    kept = tuple(compress(names, ~is_output))
    metres, unit, notes = unit_of_points(params, markers, kept)
    rate = float(params.number("POINT", "RATE") or raw.header.rate_hz)
    samples = max(1, round(len(raw.samples) / max(1, len(raw.points))))
    markers_L = np.multiply(markers, metres, out=markers)
    descriptions = marker_descriptions(params, is_output)
    notes = (*raw.notes, *notes, *join_pieces(kept, descriptions, markers_L, rate), *of_subject)
    notes = (*notes, *added_note(len(added_labels(params))))
    analog, left_out = read_analog(params, raw.samples)
    events, event_notes = read_events(raw.header, params)
    poses, pose_notes = _poses(path, params, markers_L)
    body_L = markers_L if poses is None else _with_landmarks(markers_L, poses)
    plates = read_plates(params, raw.samples, samples, metres, (body_L, rate))
    unused = unused_plates(params)
    told = not unused or any(unused in plate.notes for plate in plates)
    no_plates = () if told else (unused,)
    outputs = {name: raw.points[:, i] for i, name in enumerate(names) if is_output[i]}
    recording = Recording(
        name=name,
        sha256=raw.sha256,
        rate_hz=rate,
        samples_per_frame=samples,
        first_frame=max(1, raw.header.first_frame),
        labels=kept,
        markers_L=markers_L,
        outputs=outputs,
        added=tuple(x for x in map(strip_prefix, added_labels(params)) if x in outputs),
        events=events,
        plates=plates,
        units={"points": unit} | {group: text_of(params, key) for group, key in _UNIT_KEYS.items()},
        notes=(*notes, *event_notes, *left_out, *pose_notes, *no_plates),
        descriptions=descriptions,
        path=Path(path),
        analog=analog,
        poses=poses,
        subject=read_subject(params),
    )
    recording = _with_facts(recording, params)
    if poses is None or _enough_markers(markers_L):
        return recording
    from gaitdyn.io.c3d.poses import pose_recording

    return pose_recording(recording, poses)


def _with_facts(recording: Recording, params: Parameters) -> Recording:
    """Return a recording with what the parameters say about person, makers and cameras."""
    return replace(
        recording,
        vendor=read_offsets(params),
        notes=(*recording.notes, *unit_notes(params)),
        persons=persons_of(params),
        head_offset_rad=head_offset(params),
        camera_rate_hz=_camera_rate_hz(params),
        software=software_of(params),
        called=other_names_in(params),
    )


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
    from gaitdyn.io.c3d.poses import segment_poses
    from gaitdyn.io.c3d.rotations import read_rotations

    unit, name = text_of(params, "UNITS").strip().lower(), Path(path).name
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
    return tuple(map(str.strip, compress(texts, ~is_output)))
