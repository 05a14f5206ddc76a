"""Append points to a C3D file without changing the bytes of its own numbers.

Header, parameters and data are assembled byte by byte: ezc3d would rewrite every parameter. A file
of 16-bit integers is converted to floats, since its scale leaves no room for angles and powers: its
coordinates are rounded to 32-bit floats (6e-8 of their size), its samples stay.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import complete_rows
from gaitdyn.io.c3d.added_points import AddedPoint, SectionChanges, packed, with_points
from gaitdyn.io.c3d.checks import is_unsigned, point_scale
from gaitdyn.io.c3d.emit import entries_of, section_bytes, texts, without_names
from gaitdyn.io.c3d.parameters import layout_of, read_parameters
from gaitdyn.io.c3d.records import BLOCK, C3DHeader, Parameters, as_float64, refused, stored_type
from gaitdyn.io.c3d.section import SectionWalk
from gaitdyn.io.labels import STAMP
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array

_MOST_POINTS = 65535
_WORDS = 4


@frozen(eq=False)
class Head:
    """The bytes of a C3D file, with its header and parameters.

    Attributes
    ----------
    name : str
    data : bytes
    header : C3DHeader
    params : Parameters
        As they will be written.
    replaced : tuple of (str, str)
        Group and name of the parameters that differ from those read.
    names : tuple of str
        Names of persons, to be removed from descriptions of parameters.
    """

    name: str
    data: bytes
    header: C3DHeader
    params: Parameters
    replaced: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()

    @property
    def start(self) -> int:
        """Return the byte offset of the parameters."""
        return (self.header.parameter_block - 1) * BLOCK

    @property
    def values(self) -> int:
        """Return the byte offset of the data."""
        return (self.header.data_block - 1) * BLOCK

    @property
    def used(self) -> int:
        """Return the number of points."""
        return layout_of(self.header, self.params, len(self.data)).points

    def frames(self) -> np.ndarray:
        """Return the bytes of the data, shape (n_frames, bytes per frame)."""
        layout = layout_of(self.header, self.params, len(self.data))
        size = layout.frames * layout.frame_bytes
        data = np.frombuffer(self.data, "u1", size, self.values)
        return data.reshape(layout.frames, layout.frame_bytes)

    @property
    def poses(self) -> bytes:
        """Return the bytes of the segment poses after the data; empty if there are none.

        Without ROTATION:DATA_START they are all that follows the blocks of the data.
        """
        if not self.params.count("ROTATION", "USED"):
            return b""
        block = self.params.count("ROTATION", "DATA_START")
        end = self.values + self.frames().size
        return self.data[(block - 1) * BLOCK if block else -(-end // BLOCK) * BLOCK :]

    @property
    def integers(self) -> bool:
        """Return whether the data are 16-bit integers."""
        return self.header.scale > 0


def read_head(path: str | os.PathLike[str]) -> Head:
    """Return the bytes of a C3D file and its parameters.

    Raises
    ------
    FileRefused
        When it is not an intact C3D file.
    """
    header, params = read_parameters(path)
    return Head(Path(path).name, Path(path).read_bytes(), header, params)


def with_added_points(head: Head, points: Sequence[AddedPoint], version: str) -> bytes:
    """Return the file with points added.

    Parameters
    ----------
    head : Head
        The original file.
    points : sequence of AddedPoint
        Each with as many frames as the file.
    version : str
        Version of gaitdyn, for the group that records which program added the points.

    Raises
    ------
    FileRefused
        When the format has no room for the points.
    """
    count = head.used + len(points)
    if count > _MOST_POINTS:
        raise refused(head.name, f"{count} points", f"{_MOST_POINTS} at most", "export less")
    data = _frames(head, points).tobytes()
    padded = data + b"\0" * (-len(data) % BLOCK)
    section = _section(head, points, version, len(padded) // BLOCK)
    first = head.header.parameter_block + len(section) // BLOCK
    head_bytes = _header(head, count, first) + head.data[BLOCK : head.start] + section
    return head_bytes + padded + head.poses


def _section(head: Head, points: Sequence[AddedPoint], version: str, blocks: int) -> bytes:
    """Return the parameter section with the new points and the start of the data.

    Segment poses start ``blocks`` blocks after the data.
    """
    walk = SectionWalk(head.data[head.start : head.values], head.header.processor, head.name)
    walk.run()
    entries = without_names(entries_of(walk), head.names)
    changes = SectionChanges(entries, head.params, head.header.processor)
    for group, name in head.replaced:
        record = head.params.record(group, name)
        changes = changes if record is None else changes.put(group, name, record)
    changes = with_points(changes, head.used, points)
    changes = changes.put(STAMP, "VERSION", texts([version.encode()], head.header.processor))
    if head.integers:
        changes = changes.put_float("POINT", "SCALE", -_scale(head))
    lead = walk.section[:4]
    changes = changes.put_integer("POINT", "DATA_START", 0)  # the length is needed first
    length = len(section_bytes(changes.entries, lead, head.header.processor, head.name))
    first = head.header.parameter_block + length // BLOCK
    changes = changes.put_integer("POINT", "DATA_START", first)
    if head.params.count("ROTATION", "DATA_START") and head.poses:
        changes = changes.put_integer("ROTATION", "DATA_START", first + blocks)
    return section_bytes(changes.entries, lead, head.header.processor, head.name)


def _header(head: Head, count: int, first: int) -> bytes:
    order = ">" if head.header.processor == "sgi" else "<"
    block = bytearray(head.data[:BLOCK])
    struct.pack_into(f"{order}H", block, 2, count)
    struct.pack_into(f"{order}H", block, 16, first)
    if head.integers:
        block[12:16] = packed(np.array([-_scale(head)]), head.header.processor).tobytes()
    return bytes(block)


def _frames(head: Head, points: Sequence[AddedPoint]) -> np.ndarray:
    """Return the bytes of all frames: original points, added points, analog samples."""
    original = _as_floats(head) if head.integers else head.frames()
    analog_start = 4 * _WORDS * head.used
    added = packed(_four_words(points, len(original)), head.header.processor)
    return np.concatenate((original[:, :analog_start], added, original[:, analog_start:]), axis=1)


def _four_words(points: Sequence[AddedPoint], n_frames: int) -> Array:
    """Return x, y, z and residual of the added points, shape (n_frames, 4 n_points).

    An unknown position has a residual of -1 and coordinates of zero.
    """
    words = np.zeros((n_frames, len(points), _WORDS))
    for i, point in enumerate(points):
        known = complete_rows(point.values)
        words[:, i, :3] = np.where(known[:, None], point.values, 0.0)
        words[:, i, 3] = np.where(known, 0.0, -1.0)
    return words.reshape(n_frames, -1)


def _as_floats(head: Head) -> np.ndarray:
    """Return the frames of an integer file, converted to the bytes of floats."""
    stored = as_float64(
        np.ascontiguousarray(head.frames()).view(stored_type(head.header.processor, 2)),
        head.header.processor,
    )
    n_point_words = _WORDS * head.used
    points = stored[:, :n_point_words].reshape(len(stored), -1, _WORDS)
    points[..., :3] *= _scale(head)
    samples = stored[:, n_point_words:]
    samples = samples % 65536 if is_unsigned(head.params) else samples
    words = np.concatenate((points.reshape(len(stored), -1), samples), axis=1)
    return packed(words, head.header.processor)


def _scale(head: Head) -> float:
    return abs(point_scale(head.header, head.params))
