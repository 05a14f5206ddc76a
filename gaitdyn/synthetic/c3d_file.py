"""A small C3D writer: points, analog channels, parameters and segment poses, as floats.

The layout is that of the C3D format user guide and of C-Motion's ROTATION data type. No code is
shared with the reader and the export in :mod:`gaitdyn.io`; tests read the files with ezc3d.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

from gaitdyn.synthetic.arrays import Array

_FOUR_LETTERS = 12345
"""Says that labels of events may have four letters."""

_GAP = 10
"""Longest gap that may be filled, frames."""
Value: TypeAlias = float | int | str | list[str] | list[int] | list[float] | np.ndarray
Groups: TypeAlias = dict[str, dict[str, Value]]

BLOCK = 512
"""Bytes of a block."""

LARGEST = 65535
"""Largest whole number that is stored."""

_INTEL = 84
_TEXT, _INTEGER, _FLOAT = -1, 2, 4
_LIST = 255


@dataclass(frozen=True, slots=True, eq=False)
class StoredPoses:
    """Segment poses in the units and axes of a file.

    Parameters
    ----------
    labels : tuple of str
    matrices : array, shape (n_frames * ratio, n_segments, 4, 4)
        From segment to laboratory axes, the origin in the last column.
    ratio : int
        Poses per frame of the points.
    parameters : tuple of (group, name, value)
        Parameters of the maker, such as landmarks of a segment.
    """

    labels: tuple[str, ...]
    matrices: Array
    ratio: int = 1
    parameters: tuple[tuple[str, str, Value], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class C3dContent:
    """The content of a file, in its units and axes.

    Parameters
    ----------
    rate_hz, first_frame
        Marker rate; number of the first frame (from 1) in the header.
    units : str
        Unit of the points.
    labels : tuple of str
        Labels of the points.
    points : array, shape (n_frames, n_points, 3)
        NaN is a gap: residual -1.
    analog_labels, analog_units : tuple of str
        One per channel.
    analog : array, shape (n_frames * ratio, n_channels)
        Samples.
    parameters : tuple of (group, name, value)
        Whole numbers are stored as integers; an array of shape (3, 4, n) keeps these dimensions.
    descriptions : tuple of str, optional
        Descriptions of the points; may be empty.
    rotations : StoredPoses, optional
        Segment poses.
    """

    rate_hz: float
    first_frame: int
    units: str
    labels: tuple[str, ...]
    points: Array
    analog_labels: tuple[str, ...]
    analog_units: tuple[str, ...]
    analog: Array
    parameters: tuple[tuple[str, str, Value], ...]
    descriptions: tuple[str, ...] = ()
    rotations: StoredPoses | None = None


def write_c3d(path: Path, content: C3dContent) -> None:
    """Write one C3D file.

    Parameters
    ----------
    path : Path
        Ends in ``.c3d``; replaced if it exists.
    content : C3dContent
        What to write.

    Raises
    ------
    ValueError
        If the parameters do not fit into the 255 blocks that the format has for them.
    """
    data, groups = _data(content), _groups(content)
    n_blocks = len(section_bytes(groups)) // BLOCK  # does not depend on the numbers set below
    groups["POINT"]["DATA_START"] = 2 + n_blocks
    if content.rotations is not None:
        groups["ROTATION"]["DATA_START"] = 2 + n_blocks + len(data) // BLOCK
        data += _poses(content.rotations)
    path.write_bytes(_header(content, 2 + n_blocks) + section_bytes(groups) + data)


def _header(content: C3dContent, data_block: int) -> bytes:
    n_frames, ratio = len(content.points), _ratio(content)
    last = min(content.first_frame + n_frames - 1, LARGEST)
    n_samples = ratio * len(content.analog_labels)
    words = (len(content.labels), n_samples, content.first_frame, last, _GAP)
    block = bytearray(BLOCK)
    struct.pack_into("<2B5Hf2Hf", block, 0, 2, 80, *words, -1.0, data_block, ratio, content.rate_hz)
    struct.pack_into("<H", block, 298, _FOUR_LETTERS)
    return bytes(block)


def _ratio(content: C3dContent) -> int:
    """Return the number of analog samples per frame."""
    return len(content.analog) // len(content.points)


def _groups(content: C3dContent) -> Groups:
    """Return all parameters; those of the content replace the usual ones."""
    n_frames, n_channels = len(content.points), len(content.analog_labels)
    groups: Groups = {
        "POINT": {
            "USED": len(content.labels),
            "LABELS": list(content.labels),
            "DESCRIPTIONS": list(content.descriptions) or [""] * len(content.labels),
            "SCALE": -1.0,
            "UNITS": content.units,
            "RATE": float(content.rate_hz),
            "DATA_START": 0,
            "FRAMES": min(n_frames, LARGEST),
            "X_SCREEN": "+X",
            "Y_SCREEN": "+Z",
        },
        "ANALOG": {
            "USED": n_channels,
            "LABELS": list(content.analog_labels),
            "DESCRIPTIONS": [""] * n_channels,
            "GEN_SCALE": 1.0,
            "SCALE": [1.0] * n_channels,
            "OFFSET": [0] * n_channels,
            "UNITS": list(content.analog_units),
            "RATE": float(content.rate_hz * _ratio(content)),
        },
    }
    if n_frames > LARGEST:
        groups["POINT"]["LONG_FRAMES"] = float(n_frames)
    given = content.parameters
    if content.rotations is not None:
        poses = content.rotations
        groups["ROTATION"] = {
            "USED": len(poses.labels),
            "DATA_START": 0,
            "RATE": float(poses.ratio * content.rate_hz),
            "LABELS": list(poses.labels),
            "RATIO": poses.ratio,
        }
        given += poses.parameters
    for group, name, value in given:
        groups.setdefault(group, {})[name] = value
    return groups


def _data(content: C3dContent) -> bytes:
    """Return points and samples, frame by frame, padded to whole blocks."""
    n_frames = len(content.points)
    missing = np.isnan(content.points).any(axis=-1, keepdims=True)
    points = np.where(missing, 0.0, content.points)
    words = np.concatenate((points, np.where(missing, -1.0, 0.0)), axis=-1).reshape(n_frames, -1)
    samples = content.analog[: n_frames * _ratio(content)].reshape(n_frames, -1)
    return padded(np.concatenate((words, samples), axis=1).astype("<f4").tobytes())


def _poses(poses: StoredPoses) -> bytes:
    """Return the poses: 16 numbers of a matrix, column by column, and its residual."""
    columns = np.swapaxes(poses.matrices, -1, -2).reshape(*poses.matrices.shape[:2], 16)
    residual = np.where(np.isnan(columns).any(axis=-1, keepdims=True), -1.0, 0.0)
    return padded(np.concatenate((columns, residual), axis=-1).astype("<f4").tobytes())


def section_bytes(groups: Groups) -> bytes:
    """Return the parameter section, padded to whole blocks.

    Parameters
    ----------
    groups : dict
        Name of a group -> name of a parameter -> value. Whole numbers are stored as integers.

    Raises
    ------
    ValueError
        If it needs more than 255 blocks, or a whole number more than 16 bits.
    """
    records: list[tuple[bytes, bytes]] = []
    for number, (group, parameters) in enumerate(groups.items(), 1):
        records.append((struct.pack("2b", len(group), -number) + group.encode(), b"\0"))
        for name, value in parameters.items():
            for part, stored in _parts(name, value):
                head = struct.pack("2b", len(part), number) + part.encode()
                records.append((head, stored + b"\0"))  # no description
    steps = [2 + len(body) for _, body in records[:-1]] + [0]
    links = [struct.pack("<H", step) for step in steps]
    text = b"".join([h + link + b for (h, b), link in zip(records, links, strict=True)])
    section = padded(bytes(4) + text)
    n_blocks = len(section) // BLOCK
    if n_blocks > _LIST:
        raise ValueError(f"parameters of {n_blocks} blocks, {_LIST} at most")
    return bytes((1, 80, n_blocks, _INTEL)) + section[4:]


def _parts(name: str, value: Value) -> list[tuple[str, bytes]]:
    """Return a parameter as stored; a list beyond 255 entries continues as NAME2, NAME3, ...

    So does an array whose last index is beyond 255.
    """
    count = np.shape(value)[-1] if np.ndim(value) else 0
    if count <= _LIST:
        return [(name, _stored(value))]
    whole = np.asarray(value)
    parts = [whole[..., i : i + _LIST] for i in range(0, count, _LIST)]
    return [(f"{name}{i if i > 1 else ''}", _stored(part)) for i, part in enumerate(parts, 1)]


def _stored(value: Value) -> bytes:
    """Return kind, dimensions and bytes of a value, its first index fastest."""
    array = np.asarray(value)
    if array.dtype.kind == "U":
        lines = [str(line).encode() for line in array.ravel(order="F")]
        width = max(map(len, lines))
        dims = (width,) if array.size == 1 else (width, *array.shape)
        return _typed(_TEXT, dims, b"".join(line.ljust(width) for line in lines))
    dims = () if array.size == 1 else array.shape
    if array.dtype.kind == "i":
        if array.size and not -(LARGEST + 1) // 2 <= array.min() <= array.max() <= LARGEST:
            raise ValueError(f"whole numbers {array.min()} to {array.max()}, wanted 16 bits")
        return _typed(_INTEGER, dims, (array % (LARGEST + 1)).astype("<u2").tobytes(order="F"))
    return _typed(_FLOAT, dims, array.astype("<f4").tobytes(order="F"))


def _typed(kind: int, dims: tuple[int, ...], data: bytes) -> bytes:
    return struct.pack("bB", kind, len(dims)) + bytes(dims) + data


def padded(data: bytes) -> bytes:
    """Return data with zeros up to a whole number of blocks."""
    return data + b"\0" * (-len(data) % BLOCK)
