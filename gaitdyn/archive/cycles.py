"""The cycles of an archive that fulfil some conditions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from gaitdyn.archive.query import CYCLES
from gaitdyn.archive.where import CONDITION, STRAIGHT, Condition, where_sql
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

Whole: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.int64]]"


class CycleRow(NamedTuple):
    """Identity and circumstances of one cycle; None for unknown values."""

    subject: str
    session: str
    trial: str
    condition: str
    side: str
    cycle: int
    kinetics: str
    verdict: str
    age_years: float | None
    speed: float | None
    speed_nondimensional: float | None


COLUMNS = (
    f"subject.pseudonym, session.name, trial.name, {CONDITION}, cycle.side, cycle.number,"
    " cycle.kinetics, trial.verdict, trial.age_years, cycle.speed, cycle.speed_nondimensional"
)
"""The columns of :class:`CycleRow`."""


@frozen(eq=False)
class Cycles:
    """The cycles that fulfil some conditions, in the order in which they were added.

    Attributes
    ----------
    ids : array, shape (n,)
        Their numbers in the archive, ascending.
    rows : tuple of CycleRow
    trials : tuple of int
        Number of each one's trial in the archive.
    moments_in : tuple of str
        Axes of the moments of each one's trial.
    listed : str
        The numbers as JSON, for queries.
    """

    ids: Whole
    rows: tuple[CycleRow, ...]
    trials: tuple[int, ...]
    moments_in: tuple[str, ...]
    listed: str

    def at(self, ids: Sequence[int]) -> Cycles:
        """Return the cycles of these numbers, ascending."""
        if len(ids) == len(self.ids):
            return self
        places = np.searchsorted(self.ids, ids)
        rows, trials, axes = (
            tuple(of_all[i] for i in places) for of_all in (self.rows, self.trials, self.moments_in)
        )
        return Cycles(self.ids[places], rows, trials, axes, json.dumps(ids))


def read_cycles(
    connection: sqlite3.Connection, where: Sequence[Condition], *, straight: bool | None = None
) -> Cycles:
    """Return the cycles that fulfil the conditions.

    Parameters
    ----------
    connection : sqlite3.Connection
    where : sequence of Condition
    straight : bool, optional
        As for :func:`read_curves`.
    """
    text, values = where_sql(where)
    if straight is None:
        straight = not any(condition.key == "condition" for condition in where)
    if straight:
        text = f"{text} AND {STRAIGHT}"
    sql = (
        f"SELECT cycle.id, trial.id, trial.moments_in, {COLUMNS} {CYCLES} WHERE {text}"
        " ORDER BY cycle.id"
    )
    records = connection.execute(sql, values).fetchall()
    ids = [row[0] for row in records]
    rows = tuple(CycleRow._make(row[3:]) for row in records)
    trials, axes = tuple(row[1] for row in records), tuple(row[2] for row in records)
    return Cycles(np.array(ids, dtype=np.int64), rows, trials, axes, json.dumps(ids))
