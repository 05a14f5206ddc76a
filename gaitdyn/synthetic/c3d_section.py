"""The parameter section of a C3D file, for the walker's own writer."""

from __future__ import annotations

import struct
from typing import TypeAlias

import numpy as np

Value: TypeAlias = float | int | str | list[str] | list[int] | list[float] | np.ndarray
Groups: TypeAlias = dict[str, dict[str, Value]]

BLOCK = 512
"""Bytes of a block."""

LARGEST = 65535
"""Largest whole number that is stored."""

_INTEL = 84
_TEXT, _INTEGER, _FLOAT = -1, 2, 4
_LIST = 255


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
    """Return a parameter as stored; a list beyond 255 entries continues as NAME2, NAME3, ..."""
    if not isinstance(value, list) or len(value) <= _LIST:
        return [(name, _stored(value))]
    parts = [value[i : i + _LIST] for i in range(0, len(value), _LIST)]
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
