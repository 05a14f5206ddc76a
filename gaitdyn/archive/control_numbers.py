"""The gait parameters and peaks of control subjects in an archive."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np

from gaitdyn.archive.doubted_trials import DoubtedTrials
from gaitdyn.archive.integrity import check_numbers
from gaitdyn.archive.query import CYCLES
from gaitdyn.archive.where import STRAIGHT, Condition, where_sql
from gaitdyn.catalogue.keys import internal_name
from gaitdyn.metrics.norms.build import SignalStrides
from gaitdyn.metrics.norms.numbers import NUMBERS

_TABLES = ("parameter", "peak")
_WHOLE = "(cycle.kinetics = 'ok' OR quantity.kind = 'parameter' OR quantity.unit = 'deg')"
"""Peaks of loads are those of strides with moments from 0 to 100 %, as in a report."""


def read_numbers(
    connection: sqlite3.Connection, where: Sequence[Condition], doubted: DoubtedTrials
) -> dict[str, SignalStrides]:
    """Return each gait parameter and peak of straight strides by its internal name.

    The values have the shape (n, 1). Gait parameters of trials in which they are in doubt are left
    out, and speeds in doubt are unknown.
    """
    text, values = where_sql(where)
    found: dict[str, list[tuple[str, str, float, float]]] = {}
    without = {name: spoiled for name in NUMBERS if (spoiled := doubted.spoils(name))}
    unpaced = doubted.spoils("speed_nondimensional")
    for table in _TABLES:
        sql = (
            "SELECT quantity.name, quantity.unit, trial.id, subject.pseudonym,"
            f" cycle.side, cycle.speed_nondimensional, {table}.value {CYCLES} JOIN {table} ON"
            f" {table}.cycle_id = cycle.id JOIN quantity ON quantity.id = {table}.quantity_id"
            f" WHERE {text} AND {STRAIGHT} AND {_WHOLE} ORDER BY cycle.id"
        )
        for quantity, unit, trial, person, side, speed, value in connection.execute(sql, values):
            name = internal_name(quantity)
            if NUMBERS.get(name) == unit and trial not in without.get(name, ()):
                pace = np.nan if speed is None or trial in unpaced else speed
                found.setdefault(name, []).append((person, side, pace, value))
    strides: dict[str, SignalStrides] = {}
    for name in (name for name in NUMBERS if name in found):
        people, sides, speeds, numbers = zip(*found[name], strict=True)
        check_numbers(numbers)
        strides[name] = SignalStrides(
            people, sides, np.array(speeds, dtype=float), np.array(numbers, dtype=float)[:, None]
        )
    return strides
