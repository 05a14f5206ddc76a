"""A look at a C3D file without reading it: header, parameters, the pelvis in a few frames."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.io._records import as_float64, stored_type
from gaitdyn.io.labels import point_labels, strip_prefix
from gaitdyn.io.parameters import layout_of, read_parameters, size_of_file
from gaitdyn.io.reader import check_promise
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


def refuse_cut_off(path: Path) -> None:
    """Refuse a file that holds less data than it promises; the data are not read.

    Raises
    ------
    FileRefused
    """
    header, params = read_parameters(path)
    size = size_of_file(path)
    check_promise(header, params, layout_of(header, params, size), size, path.name)


def _travel(
    path: Path,
    head: tuple[C3DHeader, Parameters],
    labels: list[str],
    pelvis: tuple[str, str],
) -> float | None:
    """Return how far the pelvis moves among a dozen frames, m."""
    _, params = head
    if not set(pelvis) <= set(labels):
        return None
    pair = [labels.index(label) for label in pelvis]
    points = sampled_points(path, head, max(pair) + 1, _GLANCES)
    places = 0.5 * points[:, pair].sum(axis=1)
    places = places[np.isfinite(places).all(axis=1)]
    if not len(places):
        return None
    unit = (params.strings("POINT", "UNITS") or [""])[0].strip().lower()
    metres = 1.0 if unit.startswith("m") and unit != "mm" else 1e-3
    return float(metres * np.linalg.norm(np.ptp(places, axis=0)))


def sampled_points(
    path: Path, head: tuple[C3DHeader, Parameters], count: int, frames: int
) -> Array:
    """Return points of frames spread over a file, shape (k, count, 3), NaN where not seen.

    Parameters
    ----------
    path : Path
    head : tuple of C3DHeader and Parameters
    count : int
        The first so many points.
    frames : int
        Fewer in a short file, or in one that is cut off.
    """
    header, params = head
    layout = layout_of(header, params, size_of_file(path))
    rows = np.unique(np.linspace(0, max(layout.frames - 1, 0), frames).astype(int))
    found = []
    with path.open("rb") as stream:
        for row in rows:
            stream.seek((header.data_block - 1) * _BLOCK + int(row) * layout.frame_bytes)
            data = stream.read(layout.frame_bytes)
            if len(data) < layout.frame_bytes:
                break
            values = decode_frame(data, header, layout.bytes_per_value)
            found.append(values[: _WORDS_A_POINT * count].reshape(count, _WORDS_A_POINT))
    points = np.array(found, dtype=float).reshape(len(found), count, _WORDS_A_POINT)
    seen = (points[..., 3] >= 0) & points[..., :3].any(axis=2)
    return np.where(seen[..., None], points[..., :3], np.nan)


def decode_frame(data: bytes, header: C3DHeader, bytes_per_value: int) -> Array:
    """Return the numbers of one frame; integers are scaled to the unit of the points."""
    stored = np.frombuffer(data, stored_type(header.processor, bytes_per_value))
    numbers = as_float64(stored, header.processor)
    return numbers if bytes_per_value == 4 else numbers * abs(header.scale)  # noqa: PLR2004
