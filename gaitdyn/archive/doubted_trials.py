"""Trials of an archive whose scale, rate or direction is in doubt by a finding."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from gaitdyn.archive.query import CYCLES
from gaitdyn.archive.where import Condition, where_sql
from gaitdyn.store.doubted import DOUBTED
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    Trial = tuple[int, str]
    """Number of a trial in the archive, and its session and name, which another may share."""


@frozen()
class DoubtedTrials:
    """The codes of such findings in the trials that fulfil some conditions.

    Attributes
    ----------
    codes : mapping
        Code -> the trials with this finding.
    """

    codes: Mapping[str, tuple[Trial, ...]]

    def spoils(self, name: str) -> frozenset[int]:
        """Return the numbers of the trials in which a gait parameter is in doubt."""
        doubted = (trials for code, trials in self.codes.items() if name in DOUBTED[code])
        return frozenset(number for number, _ in chain.from_iterable(doubted))


def doubted_trials(connection: sqlite3.Connection, where: Sequence[Condition]) -> DoubtedTrials:
    """Return the trials with a finding that makes gait parameters doubtful.

    Parameters
    ----------
    connection : sqlite3.Connection
    where : sequence of Condition
    """
    text, values = where_sql(where)
    marks = ", ".join("?" * len(DOUBTED))
    rows = connection.execute(
        "SELECT DISTINCT quality.code, trial.id, session.name || '/' || trial.name"
        f" {CYCLES} JOIN quality ON quality.trial_id = trial.id WHERE {text} AND"
        f" quality.level != 'info' AND quality.code IN ({marks})"
        " ORDER BY quality.code, subject.pseudonym, session.name, trial.name, trial.id",
        (*values, *DOUBTED),
    )
    codes: dict[str, tuple[Trial, ...]] = {}
    for code, number, name in rows:
        codes[code] = (*codes.get(code, ()), (int(number), str(name)))
    return DoubtedTrials(codes)
