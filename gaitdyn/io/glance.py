"""A few frames of a C3D file, spread over its length: enough to know whose markers they are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.io._records import recovered
from gaitdyn.io.events import read_events
from gaitdyn.io.labels import one_subject, output_labels, point_labels, strip_prefix
from gaitdyn.io.parameters import layout_of, read_parameters
from gaitdyn.io.peek import decode_frame
from gaitdyn.io.recording import marker_descriptions, unit_of_points
from gaitdyn.io.subject import read_offsets, read_subject
from gaitdyn.types.recording import Recording

if TYPE_CHECKING:
    import os

    from gaitdyn.io.parameters import C3DHeader, Parameters
    from gaitdyn.types.arrays import Array

_FRAMES = 24
_WORDS_A_POINT = 4
_BLOCK = 512


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What a few frames and the parameters of a file show.

    Attributes
    ----------
    sample : Recording
        The frames read: markers and parameters as in the whole file, no plates, no hash.
    subject : str
        SUBJECTS:NAMES as stored; for comparing files, never for printing.
    frames : int
        In the file.
    plates : int
        Force plates that the file describes.
    """

    sample: Recording
    subject: str
    frames: int
    plates: int


def glance(path: str | os.PathLike[str], subject_prefix: str | None = None) -> Glance:
    """Read the parameters and two dozen frames of a C3D file.

    Parameters
    ----------
    path : str or path
    subject_prefix : str, optional
        Which subject is meant in a file that holds several.

    Raises
    ------
    FileRefused
        When it is not a C3D file, its parameters are damaged, or it holds several subjects.
    """
    header, params = read_parameters(path)
    layout = layout_of(header, params)
    name = recovered(Path(path).name)
    labels = point_labels(params, int(params.count("POINT", "USED") or 0))
    outputs = output_labels(params)
    names = one_subject(labels, outputs, subject_prefix, name)
    is_output = np.array([x in outputs or strip_prefix(x) in outputs for x in labels], bool)
    points = _points(Path(path), (header, params), len(labels))[:, ~is_output]
    metres, unit, _ = unit_of_points(params, points)
    persons = [text.strip() for text in params.strings("SUBJECTS", "NAMES")]
    sample = Recording(
        name=name,
        sha256="",
        rate_hz=layout.rate_hz,
        samples_per_frame=1,
        first_frame=header.first_frame,
        labels=tuple(x for x, out in zip(names, is_output, strict=True) if not out),
        markers_L=points * metres,
        outputs={},
        events=read_events(params),
        plates=(),
        subject=read_subject(params),
        vendor=read_offsets(params),
        units={"points": unit},
        descriptions=marker_descriptions(params, is_output),
    )
    plates = max(0, int(params.count("FORCE_PLATFORM", "USED") or 0))
    return Glance(sample, next((x for x in persons if x), ""), layout.frames, plates)


def _points(path: Path, head: tuple[C3DHeader, Parameters], count: int) -> Array:
    """Return points of frames spread over the file, shape (k, count, 3), NaN where not seen."""
    header, params = head
    layout = layout_of(header, params)
    rows = np.unique(np.linspace(0, max(layout.frames - 1, 0), _FRAMES).astype(int))
    found = []
    with path.open("rb") as stream:
        for row in rows:
            stream.seek((header.data_block - 1) * _BLOCK + int(row) * layout.frame_bytes)
            values = decode_frame(stream.read(layout.frame_bytes), header, layout.bytes_per_value)
            if len(values) < layout.values_per_frame:
                break
            found.append(values[: _WORDS_A_POINT * count].reshape(count, _WORDS_A_POINT))
    points = np.array(found, dtype=float).reshape(len(found), count, _WORDS_A_POINT)
    seen = (points[..., 3] >= 0) & points[..., :3].any(axis=2)
    return np.where(seen[..., None], points[..., :3], np.nan)
