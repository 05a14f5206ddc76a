"""Read a few frames of an open C3D file without reading all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import spread_rows
from gaitdyn.io._records import BLOCK, as_float64, stored_type

if TYPE_CHECKING:
    from io import FileIO

    from gaitdyn.io._checks import Layout
    from gaitdyn.io.parameters import C3DHeader
    from gaitdyn.types.arrays import Array

_WORDS_A_POINT = 4


def sampled_points(
    stream: FileIO, header: C3DHeader, layout: Layout, count: int, frames: int
) -> Array:
    """Return points of frames spread over a file, shape (k, count, 3), NaN where not visible.

    Parameters
    ----------
    stream : binary file
    header : C3DHeader
    layout : Layout
    count : int
        Number of points, from the first.
    frames : int
        Number of frames; fewer in a short or truncated file.
    """
    pieces: list[bytes] = []
    wanted = min(_WORDS_A_POINT * count * layout.bytes_per_value, layout.frame_bytes)
    for row in spread_rows(layout.frames, frames).tolist():
        stream.seek((header.data_block - 1) * BLOCK + row * layout.frame_bytes)
        data = stream.read(wanted)
        if len(data) < wanted:
            break
        pieces.append(data)
    values = decoded(b"".join(pieces), header, layout.bytes_per_value)
    points = values.reshape(len(pieces), count, _WORDS_A_POINT)
    visible = (points[..., 3] >= 0) & points[..., :3].any(axis=2)
    return np.where(visible[..., None], points[..., :3], np.nan)


def decoded(data: bytes, header: C3DHeader, bytes_per_value: int) -> Array:
    """Return the numbers of frames; integers are scaled to the unit of the points."""
    stored = np.frombuffer(data, stored_type(header.processor, bytes_per_value))
    numbers = as_float64(stored, header.processor)
    return numbers if bytes_per_value == 4 else numbers * abs(header.scale)  # noqa: PLR2004
