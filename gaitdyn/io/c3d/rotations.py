"""Read the segment poses of a C3D file: group ROTATION, one 4 x 4 matrix per segment and frame."""

import math
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gaitdyn.io.c3d.parameters import Layout, layout_of, open_c3d, parameters_of
from gaitdyn.io.c3d.records import BLOCK, C3DHeader, Parameters, as_float64, refused, stored_type
from gaitdyn.types.frozen import frozen
from gaitdyn.types.words import counted

_VALUES = 17
"""Numbers of one pose: sixteen of the matrix, column by column, and the reliability."""


@frozen(eq=False)
class Rotations:
    """Segment poses as stored.

    Attributes
    ----------
    labels : tuple of str
        One per segment, such as ``pelvis_4X4``.
    matrices : array, shape (n, n_segments, 4, 4)
        From segment to laboratory axes; the last column is the origin in the unit of the points,
        the last row 0 0 0 1. NaN where the pose is unknown.
    reliability : array, shape (n, n_segments)
        The seventeenth number of each pose.
    rate_hz : float
        Poses per second.
    """

    labels: tuple[str, ...]
    matrices: NDArray[np.float64]
    reliability: NDArray[np.float64]
    rate_hz: float


def read_rotations(path: str | os.PathLike[str]) -> Rotations | None:
    """Return the segment poses of a C3D file, or None.

    The layout is that of C-Motion's ROTATION data type (wiki of Visual3D, "ROTATION DATA TYPE").

    Raises
    ------
    FileRefused
        It is not a C3D file, or has fewer poses than it promises.
    """
    name = Path(path).name
    with open_c3d(path) as (stream, size):
        header, params, _ = parameters_of(stream, size, name)
        used = params.count("ROTATION", "USED") or 0
        if not used:
            return None
        layout = layout_of(header, params, size)
        ratio = _ratio(params, layout)
        starts, count = _starts(header, params, layout), layout.frames * ratio
        wanted = 4 * _VALUES * used * count
        if starts[0] + wanted > size:
            n_stored = max(0, size - starts[0]) // (4 * _VALUES * used)
            raise refused(
                name, f"poses of {counted(n_stored, 'frame')}", f"all {count}: the file is cut off"
            )

        def values_at(start: int) -> NDArray[np.float64]:
            stream.seek(start)
            stored = np.frombuffer(stream.read(wanted), stored_type(header.processor, 4))
            return as_float64(stored, header.processor).reshape(count, used, _VALUES)

        values = values_at(starts[0])
        if starts[1:] and not _any_pose(values) and starts[1] + wanted <= size:
            values = values_at(starts[1])
    labels = params.strings("ROTATION", "LABELS")[:used]
    labels += [f"segment {i + 1}" for i in range(len(labels), used)]
    return Rotations(
        labels=tuple(labels),
        matrices=np.swapaxes(values[..., :-1].reshape(count, used, 4, 4), 2, 3).copy(),
        reliability=values[..., -1].copy(),
        rate_hz=layout.rate_hz * ratio,
    )


def _ratio(params: Parameters, layout: Layout) -> int:
    """Return the poses per point frame: ROTATION:RATIO, or else the ratio of the two rates."""
    if stated := params.count("ROTATION", "RATIO"):
        return stated
    rate = params.number("ROTATION", "RATE") or 0.0
    return max(1, round(rate / layout.rate_hz)) if math.isfinite(rate) else 1


def _starts(header: C3DHeader, params: Parameters, layout: Layout) -> list[int]:
    """Return the byte offsets at which the poses may start, the likelier first.

    They start at ROTATION:DATA_START. Without it they follow the points, or an empty block behind
    these.
    """
    if block := params.count("ROTATION", "DATA_START"):
        return [(block - 1) * BLOCK]
    points = (header.data_block - 1) * BLOCK + layout.frames * layout.frame_bytes
    after = -(-points // BLOCK) * BLOCK
    return [after, after + BLOCK]


def _any_pose(values: NDArray[np.float64]) -> bool:
    """Return whether the last row of any matrix is 0 0 0 1."""
    return bool((values[..., 3:16:4] == (0.0, 0.0, 0.0, 1.0)).all(axis=-1).any())
