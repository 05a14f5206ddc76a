"""Read a C3D file: first check header and parameters, then read its data, each byte once.

No file can crash the reader: every count is checked against the size of the file before memory is
allocated. ezc3d remains as a second reader to check this one (``reader="ezc3d"``).
"""

import hashlib
import os
from collections.abc import Callable, Sequence
from io import FileIO
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gaitdyn.core.runs import known_points
from gaitdyn.io.c3d.checks import Layout, point_scale
from gaitdyn.io.c3d.data import Data, read_data
from gaitdyn.io.c3d.memory import refuse_too_large, too_large
from gaitdyn.io.c3d.parameters import C3DHeader, Parameters, layout_of, open_c3d, parameters_of
from gaitdyn.io.c3d.records import BLOCK, refused
from gaitdyn.io.c3d.samples import Samples, samples_of
from gaitdyn.types.frozen import frozen
from gaitdyn.types.later import computed_late, unread
from gaitdyn.types.words import counted

_ABSURD = 1e6
_FRAMES_OF_A_WORD = 65536
_TAIL_BYTES = 1 << 20
_UNMARKED = "residuals say that no point was ever seen; coordinates other than 0 are used"

ReaderName = Literal["gaitdyn", "ezc3d"]
Channels = Callable[[Parameters], Sequence[int]]


@frozen(eq=False)
class RawC3D:
    """One C3D file as read: nothing is converted, nothing is filled.

    Attributes
    ----------
    name : str
        Name of the file without its folder.
    sha256 : str
        Digest of the bytes of the file.
    header : C3DHeader
        The first block.
    parameters : Parameters
        All parameters.
    points : array, shape (n_frames, n_points, 3)
        Coordinates in the laboratory axes and the unit of the file; NaN where a point is missing
        (negative residual, an exact zero in all three, or not a finite number).
    residuals : array, shape (n_frames, n_points)
        Residuals in the unit of the file, negative for a missing point; computed on first access.
    samples : Samples
        The requested analog channels.
    rate_hz : float
        Frames per second.
    notes : tuple of str
        Oddities, and what was done about them.
    """

    name: str
    sha256: str
    header: C3DHeader
    parameters: Parameters
    points: NDArray[np.float64]
    residuals: NDArray[np.float64]
    samples: Samples
    rate_hz: float
    notes: tuple[str, ...] = ()

    @property
    def analog(self) -> NDArray[np.float64]:
        """Samples of the kept channels in the units of the file, (n_samples, n_kept)."""
        numbers = self.samples.of(self.samples.kept)
        numbers.flags.writeable = False
        return numbers


computed_late(RawC3D, "residuals")


def read_c3d(
    path: str | os.PathLike[str], channels: Channels | None = None, reader: ReaderName = "gaitdyn"
) -> RawC3D:
    """Read a C3D file, or refuse it with a one-line reason.

    Parameters
    ----------
    path : str or path
        The file.
    channels : callable, optional
        Given the parameters, returns the analog channels to keep, from 0; all by default.
    reader : {"gaitdyn", "ezc3d"}
        Which reader reads the data section.

    Returns
    -------
    RawC3D
        Points and analog samples in the units of the file, read-only.

    Raises
    ------
    FileRefused
        The file is missing, not a C3D file, damaged, cut off, without points or frames, or too
        large for memory.
    """
    name = Path(path).name
    with open_c3d(path) as (stream, size):
        header, params, front = parameters_of(stream, size, name)
        layout = layout_of(header, params, size)
        notes = check_promise(header, params, layout, size, name)
        kept = _kept_channels(channels, params, layout)
        refuse_too_large(layout, len(kept), name)
        digest = hashlib.sha256(front)
        form = header.processor, point_scale(header, params)
        try:
            data = read_data(stream, digest, layout, form, kept)
        except MemoryError:
            raise too_large(layout, len(kept), name) from None
        if data is None:
            raise refused(name, "fewer bytes than a moment ago", "a file that nobody changes")
        _hash_rest(stream, digest)
    if reader == "ezc3d":
        from gaitdyn.io.c3d.second_reader import load_data

        data = load_data(Path(path).resolve(), params, layout, kept)
    samples, sample_notes = samples_of(data, params, header.processor, kept, layout.channels)
    may_be_empty = bool(params.count("ROTATION", "USED"))
    notes += (*params.oddities, *sample_notes, *_mark_gaps(data, name, may_be_empty=may_be_empty))
    for array in (data.points, data.words):
        array.flags.writeable = False
    return RawC3D(
        name, digest.hexdigest(), header, params, data.points, **unread(data, "residuals"),
        samples=samples, rate_hz=layout.rate_hz, notes=notes,
    )  # fmt: skip


def _kept_channels(channels: Channels | None, params: Parameters, layout: Layout) -> Sequence[int]:
    if channels is None:
        return range(layout.channels)
    return sorted({channel for channel in channels(params) if 0 <= channel < layout.channels})


def _hash_rest(stream: FileIO, digest: "hashlib._Hash") -> None:
    """Add the bytes after the data to the digest."""
    while rest := stream.read(_TAIL_BYTES):
        digest.update(rest)


def check_promise(
    header: C3DHeader, params: Parameters, layout: Layout, size: int, name: str
) -> tuple[str, ...]:
    """Refuse a file without points (or poses) or frames, or with less data than promised.

    Parameters
    ----------
    header, params, layout
        Of the file.
    size : int
        Of the file, in bytes.
    name : str
        For messages.
    """
    if not layout.points and not params.count("ROTATION", "USED"):
        raise refused(name, "no points", "marker trajectories", "export it with its markers")
    if layout.frames <= 0:
        raise refused(name, f"{layout.frames} frames", "one frame or more")
    room = size - (header.data_block - 1) * BLOCK
    n_stored = max(0, room) // layout.frame_bytes if layout.frame_bytes else layout.frames
    stored = f"data of {counted(n_stored, 'frame')}"
    if n_stored < layout.frames:
        raise refused(name, stored, f"all {layout.frames}: the file is cut off")
    if params.names("ROTATION") and params.count("ROTATION", "USED") != 0:
        return ()  # the bytes after the points are poses
    spare = n_stored - layout.frames
    if spare >= _FRAMES_OF_A_WORD - BLOCK // layout.frame_bytes - 1:
        raise refused(name, stored, f"the {layout.frames} that it promises")
    if spare * layout.frame_bytes < 2 * BLOCK:
        return ()
    return (f"the file has room for {counted(n_stored, 'frame')} and promises {layout.frames}",)


def _mark_gaps(data: Data, name: str, *, may_be_empty: bool) -> tuple[str, ...]:
    """Set missing points to NaN, in place; refuse points that cannot be measurements.

    A file with segment poses may have no visible point (``may_be_empty``).
    """
    points = data.points
    x, y, z = np.moveaxis(points, -1, 0)
    zero = (x == 0) & (y == 0) & (z == 0)
    missing = data.unseen | zero
    known, non_finite = known_points(points), 0
    unmarked = bool(data.unseen.size and data.unseen.all() and (known & ~zero).any())
    if unmarked:
        missing = zero
    if not known.all():
        missing |= np.isnan(x) | np.isnan(y) | np.isnan(z)
        non_finite = np.count_nonzero(~known & ~missing)
    points[missing | ~known] = np.nan
    wild = np.count_nonzero(points > _ABSURD) + np.count_nonzero(points < -_ABSURD)
    visible = missing.size - np.count_nonzero(missing)
    if not visible and may_be_empty:
        return ()
    if not visible:
        raise refused(name, "no visible point in any frame", "marker trajectories")
    if 2 * (wild + 3 * non_finite) > 3 * visible:
        raise refused(name, f"coordinates beyond {_ABSURD:g}", "coordinates of markers")
    beyond = f"{counted(int(wild), 'coordinate')} beyond {_ABSURD:g}"
    notes = [beyond] if wild else []
    notes += [_UNMARKED] if unmarked else []
    gone = f"{counted(int(non_finite), 'position')} not finite, left empty"
    notes += [gone] if non_finite else []
    return tuple(notes)
