"""A look at a C3D file without reading it: header, parameters, the pelvis in a few frames."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.io._records import floats
from gaitdyn.io.labels import point_labels, strip_prefix
from gaitdyn.io.parameters import layout_of, read_parameters
from gaitdyn.io.subject import read_subject

if TYPE_CHECKING:
    import os

    from gaitdyn.io.parameters import C3DHeader, Parameters
    from gaitdyn.types.arrays import Array

_GLANCES = 12
_WORDS_A_POINT = 4
_BLOCK = 512


@dataclass(frozen=True, slots=True)
class Peek:
    """What a glance at a file shows.

    Attributes
    ----------
    subject : str
        SUBJECTS:NAMES as stored; for comparing files, never for printing.
    labels : frozenset of str
        Point labels without prefix.
    body : tuple of float or None
        Body mass (kg) and leg lengths (m), left and right.
    travel_m : float or None
        Largest distance between the places of the middle of the ASIS in a dozen frames; ``None``
        where they are never seen.
    """

    subject: str
    labels: frozenset[str]
    body: tuple[float | None, float | None, float | None]
    travel_m: float | None


def peek(path: str | os.PathLike[str], pelvis: tuple[str, str] = ("LASI", "RASI")) -> Peek:
    """Look at a file; a dozen frames of two markers are read of its data.

    Parameters
    ----------
    path : str or path
    pelvis : tuple of 2 str
        Labels of the left and the right ASIS.

    Raises
    ------
    FileRefused
        When it is not a C3D file.
    """
    header, params = read_parameters(path)
    labels = [
        strip_prefix(x) for x in point_labels(params, int(params.count("POINT", "USED") or 0))
    ]
    measured = read_subject(params)
    names = [name.strip() for name in params.strings("SUBJECTS", "NAMES")]
    return Peek(
        subject=next((name for name in names if name), ""),
        labels=frozenset(labels),
        body=(measured.mass_kg, measured.left.leg_length_m, measured.right.leg_length_m),
        travel_m=_travel(Path(path), (header, params), labels, pelvis),
    )


def _travel(
    path: Path,
    head: tuple[C3DHeader, Parameters],
    labels: list[str],
    pelvis: tuple[str, str],
) -> float | None:
    """Return how far the pelvis moves among a dozen frames, m."""
    header, params = head
    if not set(pelvis) <= set(labels):
        return None
    layout = layout_of(header, params)
    frames = np.unique(np.linspace(0, layout.frames - 1, _GLANCES).astype(int))
    places = []
    with path.open("rb") as stream:
        for frame in frames:
            stream.seek((header.data_block - 1) * _BLOCK + int(frame) * layout.frame_bytes)
            row = decode_frame(stream.read(layout.frame_bytes), header, layout.bytes_per_value)
            if len(row) < layout.values_per_frame:
                break
            pair = [row[_WORDS_A_POINT * i :][:_WORDS_A_POINT] for i in map(labels.index, pelvis)]
            if all(p[3] >= 0 and np.any(p[:3]) for p in pair):
                places.append(0.5 * (pair[0][:3] + pair[1][:3]))
    if not places:
        return None
    unit = (params.strings("POINT", "UNITS") or [""])[0].strip().lower()
    metres = 1.0 if unit.startswith("m") and unit != "mm" else 1e-3
    return float(metres * np.linalg.norm(np.ptp(np.array(places), axis=0)))


def decode_frame(data: bytes, header: C3DHeader, bytes_per_value: int) -> Array:
    """Return the numbers of one frame; integers are scaled to the unit of the points."""
    if bytes_per_value == 4:  # noqa: PLR2004
        return floats(data, header.processor)
    return np.frombuffer(data, "<i2").astype(float) * abs(header.scale)
