"""Read the data section of a C3D file with numpy, block by block, each byte once.

The layout is that of the C3D format user guide (c3d.org, "The 3D data section", "The analog data
section"): each frame holds four numbers per point, then the analog samples. Each block is hashed
while in memory. Its points become coordinates, and only the requested analog samples are kept, as
stored; so a long recording takes little more memory than its markers.
"""

from collections.abc import Sequence
from io import FileIO
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gaitdyn.io.c3d.checks import Layout
from gaitdyn.io.c3d.records import Processor, as_float64, stored_type
from gaitdyn.types.frozen import frozen
from gaitdyn.types.later import computed_late, later

_BLOCK_BYTES = 1 << 24
_WORDS_A_POINT = 4
_NO_WORD = 65536.0


class _Digest(Protocol):
    def update(self, data: memoryview, /) -> None: ...


@frozen(eq=False)
class Data:
    """The contents of the data section.

    Attributes
    ----------
    points : array, shape (n_frames, n_points, 3)
        Coordinates in the unit of the file, whether visible or not.
    unseen : array of bool, shape (n_frames, n_points)
        True where a point was not visible.
    residuals : array, shape (n_frames, n_points)
        In the unit of the file, -1 where a point was not visible; computed on first access.
    words : array, shape (n_frames, samples_per_frame, n_kept)
        Analog samples as stored.
    scaled : bool
        Whether the samples are already in the units of the file.
    """

    points: NDArray[np.float64]
    unseen: NDArray[np.bool_]
    residuals: NDArray[np.float64]
    words: NDArray[np.generic]
    scaled: bool = False


computed_late(Data, "residuals")


def read_data(
    stream: FileIO,
    digest: _Digest,
    layout: Layout,
    form: tuple[Processor, float],
    kept: Sequence[int],
) -> Data | None:
    """Return the points and the requested analog channels, or None if the file ends too early.

    Parameters
    ----------
    stream : binary file
        At the first byte of the data.
    digest : hash
        Updated with every byte that is read.
    layout : Layout
    form : tuple of processor and float
        Format of the numbers and the scale of the points: above zero for stored integers.
    kept : sequence of int
        Channels to keep, from 0.
    """
    processor, scale = form
    stored = stored_type(processor, layout.bytes_per_value)
    n, used, samples_per_frame = layout.frames, layout.points, layout.samples_per_frame
    points = np.empty((n, used, 3))
    fourth = np.empty((n, used), stored)
    words = np.empty((n, samples_per_frame, len(kept)), stored)
    columns = _columns(kept)
    rows = max(1, min(n, _BLOCK_BYTES // max(1, layout.frame_bytes)))
    buffer = memoryview(bytearray(rows * layout.frame_bytes))
    for first in range(0, n, rows):
        last = min(first + rows, n)
        block = buffer[: (last - first) * layout.frame_bytes]
        if _fill(stream, block) < len(block):
            return None
        digest.update(block)
        values = np.frombuffer(block, stored).reshape(last - first, layout.values_per_frame)
        split = _WORDS_A_POINT * used
        point_values = values[:, :split].reshape(last - first, used, _WORDS_A_POINT)
        _copy(points[first:last], point_values[..., :3], processor)
        fourth[first:last] = point_values[..., 3]
        if len(kept):
            samples = values[:, split:].reshape(last - first, samples_per_frame, layout.channels)
            words[first:last] = samples[..., columns]
    if scale > 0:
        points *= scale
    unseen = ~seen(_numbers(fourth, processor))
    return Data(points, unseen, later(lambda: _residuals(fourth, processor, scale)), words)


def _copy(target: NDArray[np.float64], stored: NDArray[np.generic], processor: Processor) -> None:
    """Copy stored coordinates into an array, one component of all points at a time: it is faster.

    Types that numpy supports need no temporary array.
    """
    if processor == "dec":
        target[:] = as_float64(stored, processor)
        return
    with np.errstate(invalid="ignore"):  # damaged bytes may be a signalling NaN
        for axis in range(target.shape[-1]):
            target[..., axis] = stored[..., axis]


def _numbers(fourth: NDArray[Any], processor: Processor) -> NDArray[Any]:
    """Return the fourth numbers of points; types that numpy supports need no copy."""
    return as_float64(fourth, processor) if processor == "dec" else fourth


def seen(fourth: NDArray[Any]) -> NDArray[np.bool_]:
    """Return where the fourth number of a point marks it as visible."""
    with np.errstate(invalid="ignore"):  # damaged bytes may be a signalling NaN
        return (fourth >= 0) & (fourth < _NO_WORD)


def _residuals(fourth: NDArray[Any], processor: Processor, scale: float) -> NDArray[np.float64]:
    """Return the residuals of points in the unit of the file, -1 where a point was not visible.

    The fourth number of a point, as an integer, holds the residual in its upper byte, in multiples
    of the point scale, and the cameras in its lower byte (C3D format user guide).
    """
    numbers = _numbers(fourth, processor)
    visible = seen(numbers)
    residuals = (np.where(visible, numbers, 0).astype(np.int32) >> 8) * abs(scale)
    residuals = np.where(visible, residuals, -1.0)
    residuals.flags.writeable = False
    return residuals


def _columns(kept: Sequence[int]) -> slice | list[int]:
    """Return the columns to keep, as a slice if adjacent: numpy copies it faster than a list."""
    first, count = (kept[0] if kept else 0), len(kept)
    adjacent = list(kept) == list(range(first, first + count))
    return slice(first, first + count) if adjacent else list(kept)


def _fill(stream: FileIO, block: memoryview) -> int:
    """Read until the block is full or the file ends; return the number of bytes read."""
    n_read = 0
    while n_read < len(block):
        count = stream.readinto(block[n_read:])
        if not count:
            break
        n_read += count
    return n_read
