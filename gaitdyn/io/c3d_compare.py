"""A C3D file with added points, read again and compared with what it was made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import complete_rows
from gaitdyn.errors import OutputRefused
from gaitdyn.io._emit import stored_lines
from gaitdyn.io.added_points import SMALLEST, STAMP, UNITS, AddedPoint
from gaitdyn.io.c3d_out import Head, read_head
from gaitdyn.io.reader import RawC3D, read_c3d

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.io._records import Record

_LISTS = ("LABELS", "DESCRIPTIONS", *UNITS)
_NUMBERS = {("POINT", "USED"), ("POINT", "DATA_START"), ("ROTATION", "DATA_START")}
_ROUNDED = 2.0**-23
"""What a coordinate of a file of integers may differ by, relative, when it becomes a float."""


def compare_with_added(
    head: Head, original: Path, path: Path, points: Sequence[AddedPoint]
) -> None:
    """Compare a file with the one it was made of; by bytes, and as ezc3d reads both.

    Parameters
    ----------
    head : Head
        The original's bytes and parameters.
    original, path : Path
        The original and the new file.
    points : sequence of AddedPoint
        What was added.

    Raises
    ------
    OutputRefused
        When a sample, a parameter or an added value does not come back.
    """
    new = read_head(path)
    _require(head.integers or _same_bytes(head, new), "the original samples")
    before, after = read_c3d(original), read_c3d(path)
    rounded = _ROUNDED if head.integers else 0.0
    count = head.used
    _require(_close(before.points, after.points[:, :count], rounded), "the original points")
    _require(_close(before.residuals, after.residuals[:, :count], rounded), "the residuals")
    _require(_close(before.analog, after.analog, rounded), "the analog samples")
    labels = new.params.strings("POINT", "LABELS")
    for i, point in enumerate(points):
        _require(labels[count + i] == point.label, f"the label {point.label}")
        _require(_came_back(point, after, count + i), point.label)
    changed = _changed(head, new)
    _require(not changed, f"the parameter {':'.join(changed[0]) if changed else ''}")


def _require(holds: bool, what: str) -> None:
    if not holds:
        message = f"the file that was written does not give back {what}; nothing was put in place"
        raise OutputRefused(message)


def _same_bytes(head: Head, new: Head) -> bool:
    old, found, cut = head.frames(), new.frames(), 16 * head.used
    behind = found.shape[1] - (old.shape[1] - cut)
    return np.array_equal(old[:, :cut], found[:, :cut]) and np.array_equal(
        old[:, cut:], found[:, behind:]
    )


def _close(before: np.ndarray, after: np.ndarray, rounded: float) -> bool:
    if before.shape != after.shape:
        return False
    return bool(np.allclose(before, after, rtol=rounded, atol=0.0, equal_nan=True))


def _came_back(point: AddedPoint, after: RawC3D, column: int) -> bool:
    """Return whether the values are there as 32-bit floats, and only those that are known."""
    known = complete_rows(point.values)
    wanted = point.values.astype(np.float32).astype(float)
    wanted[np.abs(wanted) < SMALLEST] = 0.0
    wanted[~known | ~wanted.any(axis=1)] = np.nan  # three zeros are read as a gap
    seen = after.residuals[:, column] >= 0
    return _close(wanted, after.points[:, column], 0.0) and np.array_equal(seen, known)


def _changed(head: Head, new: Head) -> list[tuple[str, str]]:
    """Return the parameters that are lost or different, and should not be."""
    return [
        (group, name)
        for group, records in head.params.records.items()
        for name, record in records.items()
        if not _stands(head, new, group, name, record)
    ]


def _stands(head: Head, new: Head, group: str, name: str, record: Record) -> bool:
    """Return whether a parameter is what it was, or what it should be now."""
    after = new.params.record(group, name)
    if after is None:
        return False
    if group == "POINT" and name.rstrip("0123456789") in _LISTS:
        return _kept(head, new, name)
    return _may_change(group, name, head) or _same(record, after)


def _same(record: Record, after: Record) -> bool:
    return (record.kind, record.dims, record.data) == (after.kind, after.dims, after.data)


def _may_change(group: str, name: str, head: Head) -> bool:
    scale = head.integers and (group, name) == ("POINT", "SCALE")
    types = (group, name) == ("POINT", "TYPE_GROUPS")
    return scale or types or group == STAMP or (group, name) in _NUMBERS


def _kept(head: Head, new: Head, name: str) -> bool:
    """Return whether a list of POINT starts with what it held, in the same order."""
    stem = name.rstrip("0123456789")
    before, after = _texts(head, stem), _texts(new, stem)
    if stem in _LISTS[:2]:
        before = before[: head.used]
    else:
        before, after = [[x for x in texts if x] for texts in (before, after)]
    return after[: len(before)] == before


def _texts(head: Head, stem: str) -> list[bytes]:
    records = [head.params.record("POINT", name) for name in head.params.series("POINT", stem)]
    return [line.rstrip(b" \0") for record in records if record for line in stored_lines(record)]
