"""The data section of a C3D file by numpy, block after block, each byte once.

The layout is that of the C3D format user guide (c3d.org, "The 3D data section", "The analog data
section"): in every frame four numbers a point, then the analog samples. A block is hashed while
it is in memory, its points become coordinates, and of its analog samples those are kept that were
asked for, as they are stored; so a long recording takes little more memory than its markers.
"""

from collections.abc import Callable, Sequence
from io import FileIO
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gaitdyn.io._checks import Layout
from gaitdyn.io._records import Processor, as_float64, stored_type
from gaitdyn.types.frozen import frozen
from gaitdyn.types.later import computed_late, later

_BLOCK_BYTES = 1 << 24
_WORDS_A_POINT = 4
_NO_WORD = 65536.0

Progress = Callable[[int, int], None]
"""Is told how many bytes of how many were read."""


class _Digest(Protocol):
    def update(self, data: memoryview, /) -> None: ...


@frozen(eq=False)
class Data:
    """What the data section holds.

    Attributes
    ----------
    points : array, shape (n_frames, n_points, 3)
        Coordinates in the unit of the file, whether seen or not.
    unseen : array of bool, shape (n_frames, n_points)
        Where a point was not seen.
    residuals : array, shape (n_frames, n_points)
        In the unit of the file, -1 where a point was not seen; computed when first read.
    words : array, shape (n_frames, samples_per_frame, n_kept)
        Analog samples as stored.
    scaled : bool
        The samples are in the units of the file already.
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
    progress: Progress | None = None,
) -> Data | None:
    """Return points and the analog channels asked for, or None when the file ends too early.

    Parameters
    ----------
    stream : binary file
        At the first byte of the data.
    digest : hash
        Takes every byte that is read.
    layout : Layout
    form : tuple of processor and float
        Format of the numbers and the scale of the points: above zero for stored integers.
    kept : sequence of int
        Channels to keep, from 0.
    progress : callable, optional
    """
    processor, scale = form
    stored = stored_type(processor, layout.bytes_per_value)
    n, used, each = layout.frames, layout.points, layout.samples_per_frame
    points = np.empty((n, used, 3))
    fourth = np.empty((n, used), stored)
    words = np.empty((n, each, len(kept)), stored)
    columns = _columns(kept)
    rows = max(1, min(n, _BLOCK_BYTES // max(1, layout.frame_bytes)))
    buffer = memoryview(bytearray(rows * layout.frame_bytes))
    for first in range(0, n, rows):
        last = min(first + rows, n)
        block = buffer[: (last - first) * layout.frame_bytes]
        if _filled(stream, block) < len(block):
            return None
        digest.update(block)
        values = np.frombuffer(block, stored).reshape(last - first, layout.values_per_frame)
        cut = _WORDS_A_POINT * used
        found = values[:, :cut].reshape(last - first, used, _WORDS_A_POINT)
        _take(points[first:last], found[..., :3], processor)
        fourth[first:last] = found[..., 3]
        if len(kept):
            samples = values[:, cut:].reshape(last - first, each, layout.channels)
            words[first:last] = samples[..., columns]
        if progress:
            progress(last, n)
    if scale > 0:
        points *= scale
    unseen = ~_known(fourth, processor)
    return Data(points, unseen, later(lambda: _residuals(fourth, processor, scale)), words)


def _take(into: NDArray[np.float64], found: NDArray[np.generic], processor: Processor) -> None:
    """Put stored numbers into their place; those that numpy knows need no memory in between."""
    if processor == "dec":
        into[:] = as_float64(found, processor)
        return
    with np.errstate(invalid="ignore"):  # damaged bytes may be a signalling NaN
        into[:] = found


def _known(fourth: NDArray[Any], processor: Processor) -> NDArray[np.bool_]:
    """Return where the fourth number of a point says that it was seen."""
    numbers = as_float64(fourth, processor) if processor == "dec" else fourth
    with np.errstate(invalid="ignore"):  # damaged bytes may be a signalling NaN
        return (numbers >= 0) & (numbers < _NO_WORD)


def _residuals(fourth: NDArray[Any], processor: Processor, scale: float) -> NDArray[np.float64]:
    """Return the residuals of points in the unit of the file, -1 where a point was not seen.

    The fourth number of a point, as an integer, holds the residual in its upper byte, in steps of
    the scale of the points, and the cameras in its lower (C3D format user guide).
    """
    numbers = as_float64(fourth, processor) if processor == "dec" else fourth
    known = _known(fourth, processor)
    found = (np.where(known, numbers, 0).astype(np.int32) >> 8) * abs(scale)
    found = np.where(known, found, -1.0)
    found.flags.writeable = False
    return found


def _columns(kept: Sequence[int]) -> slice | list[int]:
    """Return neighbouring channels as a slice, which numpy copies faster than a list."""
    first, count = (kept[0] if kept else 0), len(kept)
    together = list(kept) == list(range(first, first + count))
    return slice(first, first + count) if together else list(kept)


def _filled(stream: FileIO, block: memoryview) -> int:
    """Read until the block is full or the file ends; return the bytes read."""
    at = 0
    while at < len(block):
        count = stream.readinto(block[at:])
        if not count:
            break
        at += count
    return at
