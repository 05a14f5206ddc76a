"""Whether an archive has a walk already, of a file that was saved again."""

from __future__ import annotations

import sqlite3
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from gaitdyn.archive.query import CYCLES
from gaitdyn.archive.record import TrialRecord
from gaitdyn.types.arrays import Array

_CURVES = ("pelvis_angle_tilt", "pelvis_angle_obliquity", "pelvis_angle_rotation")
"""Curves that depend on the trial alone: neither on its static nor on its plates."""
_APART_S = 0.1
"""Events of a file that was saved again with others differ by no more than this."""
_ALIKE_DEG = 0.1
"""Nearer than this at the same times; two strides of one person are not."""

_OTHERS = (
    "SELECT cycle.id, trial.id, trial.name || ' of session ' || session.name, side, start_s,"
    " stop_s, samples"
    f" {CYCLES}"
    " JOIN curve ON curve.cycle_id = cycle.id JOIN quantity ON quantity.id = curve.quantity_id"
    " WHERE pseudonym = ? AND file_sha256 != ? AND newest = 1"
    f" AND quantity.kind = 'curve' AND quantity.name IN ({', '.join('?' * len(_CURVES))})"
    " ORDER BY trial.id, cycle.id, quantity.name"
)


class Walked(NamedTuple):
    """A trial that an archive has: its key, and its name with its session."""

    key: int
    name: str


class _Stride(NamedTuple):
    """Side, times of its strikes in s, and the curves of the pelvis, shape (3, 101)."""

    side: str
    start_s: float
    stop_s: float
    curves: Array


def walked_before(connection: sqlite3.Connection, record: TrialRecord) -> Walked | None:
    """Return a trial of another file that shows the same walk; None if there is none.

    Two trials of one person show one walk if a stride of one is a stride of the other: at the
    same time of the recording, and alike in all curves of the pelvis.

    Parameters
    ----------
    connection : sqlite3.Connection
    record : TrialRecord
    """
    own = _strides(record)
    if not own:
        return None
    asked = (record.subject, record.trial["file_sha256"], *_CURVES)
    for _, rows in groupby(connection.execute(_OTHERS, asked), key=itemgetter(0)):
        keys, names, sides, starts, stops, samples = zip(*(row[1:] for row in rows), strict=True)
        if len(samples) < len(_CURVES) or None in (starts[0], stops[0]):
            continue
        curves = np.stack([np.frombuffer(blob, dtype="<f4") for blob in samples])
        other = _Stride(sides[0], starts[0], stops[0], curves.astype(np.float64))
        if any(_one_stride(stride, other) for stride in own):
            return Walked(keys[0], names[0])
    return None


def _strides(record: TrialRecord) -> list[_Stride]:
    """Return the strides of a trial whose times and curves of the pelvis are known."""
    found: list[_Stride] = []
    for cycle in record.cycles:
        rows = {name: row for (name, _), row in zip(cycle.curves, cycle.samples, strict=True)}
        if cycle.start_s is None or cycle.stop_s is None or not rows.keys() >= set(_CURVES):
            continue
        curves = np.stack([rows[name] for name in sorted(_CURVES)]).astype(np.float64)
        found.append(_Stride(cycle.side, cycle.start_s, cycle.stop_s, curves))
    return found


def _one_stride(first: _Stride, second: _Stride) -> bool:
    """Return whether two strides are one: of one side and time, with curves alike at each time."""
    apart = max(abs(first.start_s - second.start_s), abs(first.stop_s - second.stop_s))
    if first.side != second.side or apart > _APART_S:
        return False
    times, others = (np.linspace(one.start_s, one.stop_s, 101) for one in (first, second))
    both = (times >= others[0]) & (times <= others[-1])
    there = np.stack([np.interp(times[both], others, row) for row in second.curves])
    return bool((np.abs(first.curves[:, both] - there) <= _ALIKE_DEG).all())
