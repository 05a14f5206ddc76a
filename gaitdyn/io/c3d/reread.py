"""Reread a C3D file with added points and compare it with the original."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import complete_rows
from gaitdyn.errors import OutputRefused
from gaitdyn.io.c3d.added_points import SMALLEST, UNITS, AddedPoint
from gaitdyn.io.c3d.emit import listed_lines
from gaitdyn.io.c3d.out import Head, read_head
from gaitdyn.io.c3d.reader import RawC3D, read_c3d
from gaitdyn.io.labels import STAMP

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.io.c3d.records import Record

_LISTS = ("LABELS", "DESCRIPTIONS", *UNITS)
_UNIT_NAMES = {name for name, _ in UNITS.values()}
_NUMBERS = {("POINT", "USED"), ("POINT", "DATA_START"), ("ROTATION", "DATA_START")}
_ROUNDED = 2.0**-23
"""Relative rounding error of a coordinate when an integer file is converted to floats."""


def compare_with_added(
    head: Head, original: Path, path: Path, points: Sequence[AddedPoint]
) -> None:
    """Compare a file with its original, by bytes and as read by :func:`read_c3d`.

    Parameters
    ----------
    head : Head
        The original's bytes and parameters.
    original, path : Path
        The original and the new file.
    points : sequence of AddedPoint
        The added points.

    Raises
    ------
    OutputRefused
        When a sample, a pose, a parameter or an added value is not read back unchanged.
    """
    new = read_head(path)
    _require(head.integers or _same_bytes(head, new), "the original samples")
    before, after = read_c3d(original), read_c3d(path)
    tolerance = _ROUNDED if head.integers else 0.0
    count = head.used
    _require(_close(before.points, after.points[:, :count], tolerance), "the original points")
    _require(_close(before.residuals, after.residuals[:, :count], tolerance), "the residuals")
    _require(_close(before.analog, after.analog, tolerance), "the analog samples")
    _require(head.poses == new.poses, "the segment poses")
    labels = new.params.strings("POINT", "LABELS")
    for i, point in enumerate(points):
        _require(labels[count + i] == point.label, f"the label {point.label}")
        _require(_read_back(point, after, count + i), point.label)
    changed = _changed(head, new)
    _require(not changed, f"the parameter {':'.join(changed[0]) if changed else ''}")


def _require(condition: bool, item: str) -> None:
    if not condition:
        message = f"the file that was written does not give back {item}; nothing was saved"
        raise OutputRefused(message)


def _same_bytes(head: Head, new: Head) -> bool:
    old_frames, new_frames, cut = head.frames(), new.frames(), 16 * head.used
    analog_start = new_frames.shape[1] - (old_frames.shape[1] - cut)
    return np.array_equal(old_frames[:, :cut], new_frames[:, :cut]) and np.array_equal(
        old_frames[:, cut:], new_frames[:, analog_start:]
    )


def _close(before: np.ndarray, after: np.ndarray, tolerance: float) -> bool:
    if before.shape != after.shape:
        return False
    return bool(np.allclose(before, after, rtol=tolerance, atol=0.0, equal_nan=True))


def _read_back(point: AddedPoint, after: RawC3D, column: int) -> bool:
    """Return whether exactly the known values were stored, as 32-bit floats."""
    known = complete_rows(point.values)
    expected = point.values.astype(np.float32).astype(float)
    expected[np.abs(expected) < SMALLEST] = 0.0
    expected[~known | ~expected.any(axis=1)] = np.nan  # three zeros are read as a gap
    visible = after.residuals[:, column] >= 0
    return _close(expected, after.points[:, column], 0.0) and np.array_equal(visible, known)


def _changed(head: Head, new: Head) -> list[tuple[str, str]]:
    """Return the parameters that are missing or differ but should not."""
    return [
        (group, name)
        for group, records in head.params.records.items()
        for name, record in records.items()
        if not _as_expected(head, new, group, name, record)
    ]


def _as_expected(head: Head, new: Head, group: str, name: str, record: Record) -> bool:
    """Return whether a parameter is unchanged, or changed as intended."""
    after = new.params.record(group, name)
    if after is None:
        return False
    if group == "POINT" and name.rstrip("0123456789") in _LISTS:
        return _list_extended(head, new, name)
    return _may_change(group, name, head) or record[:3] == after[:3]


def _may_change(group: str, name: str, head: Head) -> bool:
    scale = head.integers and (group, name) == ("POINT", "SCALE")
    types = (group, name) == ("POINT", "TYPE_GROUPS")
    units = group == "POINT" and name in _UNIT_NAMES and not any(head.params.strings(group, name))
    return scale or types or units or group == STAMP or (group, name) in _NUMBERS


def _list_extended(head: Head, new: Head, name: str) -> bool:
    """Return whether a list of POINT begins with its original entries, in order."""
    stem = name.rstrip("0123456789")
    before, after = _texts(head, stem), _texts(new, stem)
    if stem in _LISTS[:2]:
        before = before[: head.used]
    else:
        before, after = [[x for x in texts if x] for texts in (before, after)]
    return after[: len(before)] == before


def _texts(head: Head, stem: str) -> list[bytes]:
    return [line.rstrip(b" \0") for line in listed_lines(head.params, stem)]
