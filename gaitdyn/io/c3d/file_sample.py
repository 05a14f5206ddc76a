"""Read a few frames spread over a C3D file: enough to recognise whose markers they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import spread_rows
from gaitdyn.errors import FileRefused
from gaitdyn.io.analog import emg_candidates
from gaitdyn.io.c3d.checks import point_scale
from gaitdyn.io.c3d.data import seen
from gaitdyn.io.c3d.events import read_events
from gaitdyn.io.c3d.parameters import layout_of, open_c3d, parameters_of
from gaitdyn.io.c3d.reader import check_promise
from gaitdyn.io.c3d.recording import marker_descriptions
from gaitdyn.io.c3d.records import BLOCK, as_float64, stored_type
from gaitdyn.io.c3d.subject import persons_of, read_offsets, read_subject
from gaitdyn.io.file_kinds import holds_forces
from gaitdyn.io.names import other_names_in
from gaitdyn.io.one_person import named_points
from gaitdyn.io.plain_files import recovered
from gaitdyn.io.recording import read_recording
from gaitdyn.io.units import unit_of_points
from gaitdyn.types.frozen import frozen
from gaitdyn.types.options import NO_FORCES
from gaitdyn.types.recording import Recording

if TYPE_CHECKING:
    import os
    from io import FileIO

    from gaitdyn.io.c3d.checks import Layout
    from gaitdyn.io.c3d.parameters import C3DHeader
    from gaitdyn.types.arrays import Array

_FRAMES = 24
_WORDS_A_POINT = 4


@frozen(eq=False)
class FileSample:
    """A few frames of a file, and what its parameters contain.

    Attributes
    ----------
    sample : Recording
        The frames read: markers and parameters as in the whole file, no plates, no hash.
    frames : int
        Frames in the file.
    plates : int
        Force plates described in the file.
    muscles : bool
        Whether the file has events and channels that may be electromyography.
    problem : str
        Why the file is refused unless its forces are named.
    """

    sample: Recording
    frames: int
    plates: int
    muscles: bool = False
    problem: str = ""

    @property
    def subject(self) -> str:
        """The first of SUBJECTS:NAMES; for comparing files, never for printing."""
        return next(iter(self.sample.persons), "")


def file_sample(path: str | os.PathLike[str], subject_prefix: str | None) -> FileSample:
    """Return the parameters and two dozen frames of a C3D file.

    Parameters
    ----------
    path : str or path
    subject_prefix : str or None
        The subject to read from a file with several.

    Raises
    ------
    FileRefused
        When it is not a C3D file, its parameters are damaged, data are missing, or it has several
        subjects.
    """
    if not holds_forces(Path(path).name):
        return _sample_of_whole(Path(path), subject_prefix)
    name = recovered(Path(path).name)
    with open_c3d(path) as (stream, size):
        header, params, _ = parameters_of(stream, size, Path(path).name)
        layout = layout_of(header, params, size)
        check_promise(header, params, layout, size, Path(path).name)
        points = _sampled_points(stream, header, layout, point_scale(header, params))
    names, is_output, _ = named_points(params, points, subject_prefix, name)
    points = points[:, ~is_output]
    kept = tuple(x for x, out in zip(names, is_output, strict=True) if not out)
    metres, unit, _ = unit_of_points(params, points, kept)
    sample = Recording(
        name=name,
        sha256="",
        rate_hz=layout.rate_hz,
        samples_per_frame=1,
        first_frame=max(1, header.first_frame),
        labels=kept,
        markers_L=points * metres,
        outputs={},
        events=read_events(header, params)[0],
        plates=(),
        subject=read_subject(params),
        vendor=read_offsets(params),
        units={"points": unit},
        descriptions=marker_descriptions(params, is_output),
        persons=persons_of(params),
        called=other_names_in(params),
        path=Path(path),
    )
    plates = max(0, int(params.count("FORCE_PLATFORM", "USED") or 0))
    muscles = bool(sample.events and emg_candidates(params))
    return FileSample(sample, layout.frames, plates, muscles)


def _sampled_points(stream: FileIO, header: C3DHeader, layout: Layout, scale: float) -> Array:
    """Return points of frames spread over a file, shape (k, n_points, 3), NaN where not visible.

    As for the whole file, coordinates other than 0 are visible if no residual says so of any point.
    """
    pieces: list[bytes] = []
    wanted = _WORDS_A_POINT * layout.points * layout.bytes_per_value
    for row in spread_rows(layout.frames, _FRAMES).tolist():
        stream.seek((header.data_block - 1) * BLOCK + row * layout.frame_bytes)
        data = stream.read(wanted)
        if len(data) < wanted:
            break
        pieces.append(data)
    stored = np.frombuffer(b"".join(pieces), stored_type(header.processor, layout.bytes_per_value))
    values = as_float64(stored, header.processor)
    values = values.reshape(len(pieces), layout.points, _WORDS_A_POINT)
    points = values[..., :3] * (scale if scale > 0 else 1.0)
    placed = np.any(points, axis=2)
    visible = placed & seen(values[..., 3])
    visible = visible if visible.any() else placed
    return np.where(np.expand_dims(visible, 2), points, np.nan)


def _sample_of_whole(path: Path, subject_prefix: str | None) -> FileSample:
    """Return a sample of a recording that has to be read as a whole, with its forces."""
    problem = ""
    try:
        recording = read_recording(path, subject_prefix)
    except FileRefused as error:  # perhaps because of its forces: try without them
        recording = read_recording(path, subject_prefix, forces=NO_FORCES)
        problem = str(error)
    rows = spread_rows(recording.n_frames, _FRAMES)
    sample = replace(recording, sha256="", plates=(), markers_L=recording.markers_L[rows])
    return FileSample(sample, recording.n_frames, len(recording.plates), problem=problem)
