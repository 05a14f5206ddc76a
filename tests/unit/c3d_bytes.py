"""Tiny C3D files, built byte by byte from the C3D format user guide (c3d.org)."""

import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from gaitdyn.io.c3d.parameters import Record

CODES = {"intel": 84, "dec": 85, "sgi": 86}
TEXT, BYTE, INTEGER, FLOAT = -1, 1, 2, 4
Groups = dict[str, dict[str, tuple[Any, ...]]]


def packed_floats(values: Any, processor: str = "intel") -> bytes:
    numbers = np.ravel(np.asarray(values, float), order="F")
    if processor == "sgi":
        return numbers.astype(">f4").tobytes()
    if processor == "intel":
        return numbers.astype("<f4").tobytes()
    words = (numbers * 4).astype("<f4").view("<u2").reshape(-1, 2)[:, ::-1]
    return np.ascontiguousarray(words).tobytes()


def packed_integers(values: Any, processor: str = "intel") -> bytes:
    numbers = np.ravel(np.asarray(values), order="F").astype(np.int64) & 0xFFFF
    return numbers.astype(">u2" if processor == "sgi" else "<u2").tobytes()


def stored(values: Any, kind: int = 4) -> Record:
    array = np.asarray(values, dtype="<f4" if kind == 4 else "<i2")
    return Record(kind, array.shape, array.tobytes(order="F"), "intel")


def text(*lines: str, width: int = 8) -> tuple[Any, ...]:
    data = b"".join(line.encode().ljust(width) for line in lines)
    return TEXT, (width, len(lines)), data


def link(step: int, processor: str) -> bytes:
    return struct.pack((">" if processor == "sgi" else "<") + "H", step)


def parameter(number: int, name: str, entry: tuple[Any, ...], processor: str = "intel") -> bytes:
    """Return one record; ``entry`` is (kind, dims, values[, description])."""
    kind, dims, values, *rest = entry
    about = rest[0] if rest else b""
    about = about.encode() if isinstance(about, str) else about
    packers = {FLOAT: packed_floats, INTEGER: packed_integers}
    data = values if isinstance(values, bytes) else packers[kind](values, processor)
    body = struct.pack("bB", kind, len(dims)) + bytes(dims) + data + bytes([len(about)]) + about
    return bytes([len(name), number]) + name.encode() + link(len(body) + 2, processor) + body


def group(number: int, name: str, processor: str = "intel") -> bytes:
    return struct.pack("bb", len(name), -number) + name.encode() + link(3, processor) + b"\0"


def standard_groups(
    points: int, channels: int, samples: int, frames: int, rate: float, scale: float
) -> Groups:
    ones = (channels,)
    return {
        "POINT": {
            "USED": (INTEGER, (), points),
            "FRAMES": (INTEGER, (), frames),
            "RATE": (FLOAT, (), rate),
            "SCALE": (FLOAT, (), scale),
            "DATA_START": (INTEGER, (), 0),
            "LABELS": text(*(f"P{i}" for i in range(points))),
            "UNITS": text("mm", width=2),
        },
        "ANALOG": {
            "USED": (INTEGER, (), channels),
            "RATE": (FLOAT, (), rate * samples),
            "LABELS": text(*(f"A{i}" for i in range(channels))),
            "GEN_SCALE": (FLOAT, (), 1.0),
            "SCALE": (FLOAT, ones, np.ones(channels)),
            "OFFSET": (INTEGER, ones, np.zeros(channels)),
        },
    }


def section(groups: Groups, processor: str = "intel") -> bytes:
    records = b""
    for number, (name, entries) in enumerate(groups.items(), start=1):
        records += group(number, name, processor)
        records += b"".join(
            parameter(number, key, entry, processor) for key, entry in entries.items()
        )
    blocks = (4 + len(records) + 1 + 511) // 512
    return (bytes([1, 0x50, blocks, CODES[processor]]) + records).ljust(blocks * 512, b"\0")


def header(words: Mapping[str, Any], processor: str = "intel") -> bytes:
    order = ">" if processor == "sgi" else "<"
    block = struct.pack("2B", 2, 0x50)
    block += struct.pack(
        order + "5H", *(words[k] for k in ("points", "analog", "first", "last")), 10
    )
    block += packed_floats(words["scale"], processor)
    block += struct.pack(order + "2H", words["data_block"], words["samples"])
    return (block + packed_floats(words["rate"], processor)).ljust(512, b"\0")


def frame_values(points: np.ndarray, analog: np.ndarray, scale: float, samples: int) -> np.ndarray:
    """Return the numbers of the data section, shape (n_frames, values)."""
    n_frames = len(points)
    stored = np.zeros((n_frames, points.shape[1], 4))
    stored[..., :3] = points if scale < 0 else points / scale
    stored[..., 3] = np.where(np.isnan(points).any(axis=-1), -1.0, 0.0)
    stored[np.isnan(stored)] = 0.0
    return np.hstack(
        [
            stored.reshape(n_frames, 4 * points.shape[1]),
            analog.reshape(n_frames, samples * analog.shape[1]),
        ]
    )


def c3d(
    points: Any = None,
    analog: Any = None,
    *,
    samples: int = 2,
    rate: float = 100.0,
    scale: float = -0.1,
    first: int = 1,
    processor: str = "intel",
    change: Mapping[tuple[str, str], tuple[Any, ...] | None] | None = None,
    words: Mapping[str, Any] | None = None,
) -> bytes:
    """Return the bytes of a C3D file.

    ``points`` has shape (n_frames, n_points, 3), ``analog`` (n_frames * samples, n_channels).
    ``change`` replaces or (None) removes parameters, ``words`` replaces words of the header.
    """
    points = np.full((5, 2, 3), 100.0) if points is None else np.asarray(points, float)
    analog = np.ones((len(points) * samples, 3)) if analog is None else np.asarray(analog, float)
    channels = analog.shape[1]
    groups = standard_groups(points.shape[1], channels, samples, len(points), rate, scale)
    for (where, name), entry in (change or {}).items():
        if entry is None:
            del groups[where][name]
        else:
            groups.setdefault(where, {})[name] = entry
    blocks = len(section(groups, processor)) // 512
    if "DATA_START" in groups["POINT"] and ("POINT", "DATA_START") not in (change or {}):
        groups["POINT"]["DATA_START"] = (INTEGER, (), 2 + blocks)
    told = {
        "points": points.shape[1],
        "analog": channels * samples,
        "first": first,
        "last": min(first + len(points) - 1, 65535),
        "scale": scale,
        "data_block": 2 + blocks,
        "samples": samples,
        "rate": rate,
        **(words or {}),
    }
    pack = packed_floats if scale < 0 else packed_integers
    values = frame_values(points, analog, scale, samples)
    data = pack(np.ascontiguousarray(values).ravel(), processor)
    data = data.ljust(-(-len(data) // 512) * 512, b"\0")
    return header(told, processor) + section(groups, processor) + data
