"""Parameters of a C3D file that describe points appended to its own.

POINT:ANGLES, FORCES, MOMENTS and POWERS list the points that are not positions, with one unit each,
and POINT:TYPE_GROUPS lists these groups, as in Vicon files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.io.c3d.emit import Entry, listed_lines, pieces, stored_lines, texts, with_record
from gaitdyn.io.c3d.records import FLOAT, INTEGER, Parameters, Processor, Record
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array

UNITS = {
    "ANGLES": ("ANGLE_UNITS", "deg"),
    "FORCES": ("FORCE_UNITS", "N"),
    "MOMENTS": ("MOMENT_UNITS", "Nmm"),
    "POWERS": ("POWER_UNITS", "W"),
}
"""Group -> the parameter that states its unit, and the unit written by the vendor."""

SMALLEST = 1e-37
"""Smaller numbers are written as zero."""

_WIDEST = 127


@frozen(eq=False)
class AddedPoint:
    """One point to add to a file.

    Attributes
    ----------
    label : str
    group : str
        ``ANGLES``, ``FORCES``, ``MOMENTS`` or ``POWERS``; empty for a position.
    values : array, shape (n, 3)
        In the unit of its group, or of the file's points; NaN where unknown.
    description : str
        At most 127 characters.
    """

    label: str
    group: str
    values: Array
    description: str


@frozen()
class SectionChanges:
    """The entries of a parameter section that is being edited."""

    entries: tuple[Entry, ...]
    params: Parameters
    processor: Processor

    def put(self, group: str, name: str, record: Record) -> SectionChanges:
        """Return the changes with one parameter set."""
        entries = with_record(self.entries, group, name, record)
        return SectionChanges(entries, self.params, self.processor)

    def put_integer(self, group: str, name: str, value: int) -> SectionChanges:
        """Return the changes with a 16-bit integer set, signed or unsigned."""
        order = ">" if self.processor == "sgi" else "<"
        data = np.array([value % 65536], dtype=f"{order}u2").tobytes()
        return self.put(group, name, Record(INTEGER, (), data, self.processor))

    def put_float(self, group: str, name: str, value: float) -> SectionChanges:
        """Return the changes with a 32-bit float set."""
        data = packed(np.array([value]), self.processor).tobytes()
        return self.put(group, name, Record(FLOAT, (), data, self.processor))

    def put_list(self, name: str, lines: Sequence[bytes]) -> SectionChanges:
        """Return the changes with a list of POINT set, continued after 255 entries."""
        changes = self
        for i, piece in enumerate(pieces(lines)):
            record = texts(piece, self.processor)
            changes = changes.put("POINT", f"{name}{i + 1 if i else ''}", record)
        return changes


def with_points(changes: SectionChanges, used: int, points: Sequence[AddedPoint]) -> SectionChanges:
    """Return the changes with points listed after the first ``used``.

    Parameters
    ----------
    changes : SectionChanges
    used : int
        Points of the file so far.
    points : sequence of AddedPoint
    """
    labels = listed_lines(changes.params, "LABELS")[:used]
    labels += [b"*%d" % (i + 1) for i in range(len(labels), used)]
    descriptions = listed_lines(changes.params, "DESCRIPTIONS")[:used]
    descriptions += [b""] * (used - len(descriptions))
    changes = changes.put_list("LABELS", labels + [_stored(p.label) for p in points])
    changes = changes.put_list(
        "DESCRIPTIONS", descriptions + [_stored(p.description) for p in points]
    )
    changes = changes.put_integer("POINT", "USED", used + len(points))
    for group, (unit, symbol) in UNITS.items():
        new = [_stored(p.label) for p in points if p.group == group]
        if new:
            listed = [line for line in listed_lines(changes.params, group) if line.strip(b" \0")]
            changes = changes.put_list(group, listed + new)
        if new and not any(line.strip(b" \0") for line in listed_lines(changes.params, unit)):
            changes = changes.put("POINT", unit, texts([symbol.encode()], changes.processor))
    return _with_type_groups(changes, [g for g in UNITS if any(p.group == g for p in points)])


def _with_type_groups(changes: SectionChanges, groups: Sequence[str]) -> SectionChanges:
    """Return the changes with pairs such as ANGLES, ANGLE added to POINT:TYPE_GROUPS."""
    record = changes.params.record("POINT", "TYPE_GROUPS")
    lines = [] if record is None else stored_lines(record)
    listed = {line.strip(b" \0") for line in lines[::2]}
    new = [group.encode() for group in groups if group.encode() not in listed]
    if not new or len(lines) % 2:
        return changes
    lines += [line for group in new for line in (group, group[:-1])]
    dims = (2, len(lines) // 2)
    return changes.put("POINT", "TYPE_GROUPS", texts(lines, changes.processor, dims))


def packed(values: Array, processor: Processor) -> np.ndarray:
    """Return numbers as 32-bit floats of the processor: bytes in the last axis, four per number.

    Numbers smaller than ``SMALLEST`` become positive zero: a DEC processor has no negative zero.
    """
    values = np.where(np.abs(values) < SMALLEST, 0.0, values)
    if processor == "dec":
        words = (4.0 * values).astype("<f4").view("<u2").reshape(*values.shape, 2)[..., ::-1]
        stored = np.ascontiguousarray(words).view("u1")
    else:
        order = ">" if processor == "sgi" else "<"
        stored = np.ascontiguousarray(values, dtype=f"{order}f4").view("u1")
    return stored.reshape(*values.shape[:-1], 4 * values.shape[-1])


def _stored(text: str) -> bytes:
    return text.encode("utf-8")[:_WIDEST]
