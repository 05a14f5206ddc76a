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

    Place = tuple[str, str, str]
    """Subject, session and trial."""


@frozen()
class DoubtedTrials:
    """The codes of such findings in the trials that fulfil some conditions.

    Attributes
    ----------
    codes : mapping
        Code -> the trials with this finding.
    """

    codes: Mapping[str, tuple[Place, ...]]

    def spoils(self, name: str) -> frozenset[Place]:
        """Return the trials in which a gait parameter is in doubt."""
        doubted = (places for code, places in self.codes.items() if name in DOUBTED[code])
        return frozenset(chain.from_iterable(doubted))


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
        f"SELECT DISTINCT quality.code, subject.pseudonym, session.name, trial.name {CYCLES} JOIN"
        f" quality ON quality.trial_id = trial.id WHERE {text} AND quality.level != 'info' AND"
        f" quality.code IN ({marks}) ORDER BY 1, 2, 3, 4",
        (*values, *DOUBTED),
    )
    codes: dict[str, tuple[Place, ...]] = {}
    for code, *place in rows:
        subject, session, trial = map(str, place)
        codes[code] = (*codes.get(code, ()), (subject, session, trial))
    return DoubtedTrials(codes)
