"""Read a C3D file: its parameters checked first, its data by ezc3d, in words when it fails.

A file whose header and parameters are in order is read in this process. One with oddities is read
in a process of its own with a time limit, since the reader of the data can crash or hang on it.
"""

import hashlib
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gaitdyn.io._arrays import READER_ERRORS, Arrays, analog_put_right, load_arrays
from gaitdyn.io._records import BLOCK, refused
from gaitdyn.io.parameters import C3DHeader, Layout, Parameters, layout_of, read_parameters

_ABSURD = 1e6
_FRAMES_OF_A_WORD = 65536


@dataclass(frozen=True, slots=True, eq=False)
class RawC3D:
    """One C3D file as it was read: nothing is converted, nothing is filled.

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
        Residuals in the unit of the file, negative for a missing point.
    analog : array, shape (n_samples, n_channels)
        Samples of all channels in the units of the file.
    rate_hz : float
        Frames a second.
    notes : tuple of str
        What was odd, and what was done about it.
    """

    name: str
    sha256: str
    header: C3DHeader
    parameters: Parameters
    points: NDArray[np.float64]
    residuals: NDArray[np.float64]
    analog: NDArray[np.float64]
    rate_hz: float
    notes: tuple[str, ...] = ()


def read_c3d(path: str | os.PathLike[str], timeout_s: float = 20.0) -> RawC3D:
    """Read a C3D file, or say in one line why not.

    Parameters
    ----------
    path : str or path
        The file.
    timeout_s : float
        Longest time for a file that is read in a process of its own, s.

    Returns
    -------
    RawC3D
        Points, residuals and analog samples in the units of the file, not to be written to.

    Raises
    ------
    FileRefused
        The file is not there, not a C3D, damaged, cut off, empty of points or frames, or its
        reader fails, crashes or does not come to an end.
    """
    header, params = read_parameters(path)
    path = Path(path).resolve()
    layout = layout_of(header, params)
    notes = check_promise(header, params, layout, path)
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if params.oddities:
        notes += (*params.oddities, "read in a process of its own")
        arrays = _read_in_child(path, timeout_s)
    else:
        arrays = _read_here(path)
    points, residuals, analog = _cut_to_promise(arrays, layout, path.name)
    analog, changed = analog_put_right(analog, params, integers=header.scale > 0)
    notes += (*changed, *_mark_gaps(points, residuals, path.name))
    for array in (points, residuals, analog):
        array.flags.writeable = False
    return RawC3D(
        path.name, digest, header, params, points, residuals, analog, layout.rate_hz, notes
    )


def check_promise(
    header: C3DHeader, params: Parameters, layout: Layout, path: Path
) -> tuple[str, ...]:
    """Refuse a file without points or frames, or with less data than it promises."""
    name = path.name
    if not params.count("POINT", "USED"):
        raise refused(name, "no points", "marker trajectories", "export it with its markers")
    if layout.frames <= 0:
        raise refused(name, f"{layout.frames} frames", "one frame or more")
    room = path.stat().st_size - (header.data_block - 1) * BLOCK
    held = room // layout.frame_bytes
    if held < layout.frames:
        raise refused(name, f"data of {held} frames", f"all {layout.frames}: the file is cut off")
    spare = held - layout.frames
    if spare >= _FRAMES_OF_A_WORD - BLOCK // layout.frame_bytes - 1:
        raise refused(name, f"data of {held} frames", f"the {layout.frames} that it promises")
    if spare * layout.frame_bytes < 2 * BLOCK:
        return ()
    return (f"the file has room for {held} frames and promises {layout.frames}",)


def _read_here(path: Path) -> Arrays:
    try:
        return load_arrays(path)
    except READER_ERRORS as error:
        raise _unreadable(path.name, str(error)) from error


def _read_in_child(path: Path, timeout_s: float) -> Arrays:
    command = [sys.executable, "-P", "-m", "gaitdyn.io._child", str(path)]
    try:
        done = subprocess.run(  # noqa: S603  this interpreter, no shell
            command, capture_output=True, timeout=timeout_s, check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        raise _unreadable(path.name, f"no end after {timeout_s:g} s") from None
    if done.returncode == 0:
        stream = io.BytesIO(done.stdout)
        points, residuals, analog = (np.load(stream, allow_pickle=False) for _ in range(3))
        return points, residuals, analog
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
    crashed = f"it crashed with code {done.returncode}"
    raise _unreadable(path.name, said[0] if said and done.returncode > 0 else crashed)


def _unreadable(name: str, reason: str) -> Exception:
    reason = " ".join(reason.split())
    return refused(name, f"data that ezc3d cannot read ({reason})", "a C3D file in good order")


def _cut_to_promise(arrays: Arrays, layout: Layout, name: str) -> Arrays:
    """Drop the filling of the last block behind the last frame; refuse fewer frames."""
    points, residuals, analog = arrays
    frames = layout.frames
    if len(points) < frames:
        raise refused(name, f"{len(points)} frames", f"the {frames} that it promises")
    samples = len(analog) // len(points)
    return points[:frames], residuals[:frames], analog[: frames * samples]


def _mark_gaps(
    points: NDArray[np.float64], residuals: NDArray[np.float64], name: str
) -> tuple[str, ...]:
    """Set what is missing to NaN, in place; refuse points that cannot be measurements."""
    x, y, z = np.moveaxis(points, -1, 0)
    missing = (residuals < 0) | ((x == 0) & (y == 0) & (z == 0))
    missing |= np.isnan(x) | np.isnan(y) | np.isnan(z)
    endless = (np.isinf(x) | np.isinf(y) | np.isinf(z)) & ~missing
    points[missing | endless] = np.nan
    lost = np.count_nonzero(endless)
    wild = np.count_nonzero(np.abs(points) > _ABSURD)
    seen = missing.size - np.count_nonzero(missing)
    if not seen:
        raise refused(name, "no visible point in any frame", "marker trajectories")
    if 2 * (wild + 3 * lost) > 3 * seen:
        raise refused(name, f"coordinates beyond {_ABSURD:g}", "coordinates of markers")
    notes = [f"{wild} coordinates lie beyond {_ABSURD:g}"] if wild else []
    notes += [f"{lost} positions are not finite and were made gaps"] if lost else []
    return tuple(notes)
