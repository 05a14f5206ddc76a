"""The walks of control subjects in an archive: their curves and numbers, and what is left out."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

import numpy as np

from gaitdyn.archive.connection import snapshot
from gaitdyn.archive.control_numbers import read_numbers
from gaitdyn.archive.curves import CurveSet, curve_names, curves_of
from gaitdyn.archive.cycles import read_cycles
from gaitdyn.archive.doubted_trials import DoubtedTrials, doubted_trials
from gaitdyn.archive.processing import settings_of_trials
from gaitdyn.archive.query import (
    CYCLES,
    check_known,
    distinct,
    grounds_of,
    people_of_recordings,
    sessions_alike,
)
from gaitdyn.archive.where import STRAIGHT, Condition, where_sql
from gaitdyn.catalogue.keys import key_of
from gaitdyn.metrics.norms.ages import ages_words
from gaitdyn.metrics.norms.build import SignalStrides
from gaitdyn.metrics.norms.curve_names import EXTERNAL, OF_LABORATORY, UNITS
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIGN
from gaitdyn.types.words import counted, some_of

_OF_ROW = attrgetter("subject", "side", "speed_nondimensional")

_LEFT_OUT = {
    "verdict fail": Condition("verdict", "!=", "fail"),
    "not forward": Condition("way", "=", "forward"),
}
"""Trials that are left out without being asked for -> the condition on those that are not."""


@frozen(eq=False)
class ControlWalks:
    """The walks behind a reference set.

    Attributes
    ----------
    signals, numbers : dict
        Name of a curve, or of a gait parameter or peak -> SignalStrides.
    axes : list of str
        Axes of the moments.
    knees : CurveSet or None
        A knee moment, of shanks of several kinds if there are any.
    ages : str
        Of the people in whole years; empty if one is not known.
    age_notes : list of str
        Whose ages are not known.
    conditions : list of str
    grounds : list of str
        ``belt``, ``floor`` or both.
    profiles_and_models : list of (str, str)
    settings : dict
        Option -> its values.
    left_out, alike : list of str
        Trials and strides that are left out, and sessions that may be of one person.
    doubled : list of (str, list of str)
        Recordings that several people share.
    """

    signals: dict[str, SignalStrides]
    numbers: dict[str, SignalStrides]
    axes: list[str]
    knees: CurveSet | None
    ages: str
    age_notes: list[str]
    conditions: list[str]
    grounds: list[str]
    profiles_and_models: list[tuple[str, ...]]
    settings: dict[str, list[str]]
    left_out: list[str]
    alike: list[str]
    doubled: list[tuple[str, list[str]]]


def read_walks(connection: sqlite3.Connection, requested: Sequence[Condition]) -> ControlWalks:
    """Return the walks that fulfil some conditions, all read from one state of the archive.

    Parameters
    ----------
    connection : sqlite3.Connection
    requested : sequence of Condition
    """
    with snapshot(connection):
        unasked = _by_themselves(requested)
        where = (*requested, *unasked.values())
        doubted = doubted_trials(connection, where)
        signals, axes, knees = _signals(connection, where, doubted)
        ages, age_notes = _ages(connection, where)
        return ControlWalks(
            signals, read_numbers(connection, where, doubted), axes, knees, ages, age_notes,
            [name for (name,) in distinct(connection, "trial.condition", where)],
            grounds_of(connection, where),
            distinct(connection, "trial.profile, trial.model", where),
            settings_of_trials(connection, where),
            [*_left_out(connection, requested, unasked), *_in_doubt(doubted)],
            sessions_alike(connection, requested),
            people_of_recordings(connection, *where_sql(where)),
        )  # fmt: skip


def _by_themselves(where: Sequence[Condition]) -> dict[str, Condition]:
    """Return name of what is left out -> condition, unless one of those given is of the kind."""
    given = {condition.key for condition in where}
    return {name: one for name, one in _LEFT_OUT.items() if one.key not in given}


def _left_out(
    connection: sqlite3.Connection,
    requested: Sequence[Condition],
    unasked: Mapping[str, Condition],
) -> list[str]:
    """Return which trials are left out by themselves, and how many strides for turning."""
    left_out: list[str] = []
    for name, one in unasked.items():
        opposite = replace(one, operator="=" if one.operator == "!=" else "!=")
        text, values = where_sql((*requested, opposite))
        sql = f"SELECT DISTINCT session.name || '/' || trial.name {CYCLES} WHERE {text} ORDER BY 1"
        names = [str(row[0]) for row in connection.execute(sql, values)]
        left_out += [f"{name}: {some_of(names)}"] if names else []
    text, values = where_sql((*requested, *unasked.values()))
    sql = f"SELECT count(*) {CYCLES} WHERE {text} AND NOT ({STRAIGHT})"
    turned = int(connection.execute(sql, values).fetchone()[0])
    return [*left_out, f"turning: {counted(turned, 'stride')}"] if turned else left_out


def _in_doubt(doubted: DoubtedTrials) -> list[str]:
    """Return in which trials gait parameters do not count, and by which finding."""
    return [
        f"gait parameters that {code} puts in doubt: " + some_of([name for _, name in trials])
        for code, trials in doubted.codes.items()
    ]


def _signals(
    connection: sqlite3.Connection, where: Sequence[Condition], doubted: DoubtedTrials
) -> tuple[dict[str, SignalStrides], list[str], CurveSet | None]:
    """Return each signal by its internal name, and what its moments refer to.

    A speed in doubt is unknown. Sideways forces and free moments are those of left feet, a right
    one's mirrored. The second value is the axes of the moments; the third a knee moment, of shanks
    of several kinds if there are any, or ``None``.
    """
    signals: dict[str, SignalStrides] = {}
    axes: set[str] = set()
    knees: CurveSet | None = None
    unpaced = doubted.spoils("speed_nondimensional")
    for name, parts in _parts(connection, where).items():
        if key_of(name).is_moment:
            axes |= {kind for part in parts for kind in part.moments_in}
            kinds = [knees, *(part for part in parts if part.shank_axes)]
            knees = max(filter(None, kinds), key=lambda part: len(part.shank_axes), default=None)
        rows = [
            row._replace(speed_nondimensional=None) if trial in unpaced else row
            for part in parts
            for row, trial in zip(part.rows, part.trials, strict=True)
        ]
        people, sides, speeds = zip(*map(_OF_ROW, rows), strict=True)
        tables = [part.values for part in parts]
        values = tables[0] if len(tables) == 1 else np.concatenate(tables)
        if name in OF_LABORATORY:
            values = values * np.array([[SIGN[side]] for side in sides])
        signals[name] = SignalStrides(people, sides, np.array(speeds, dtype=float), values)
    return signals, sorted(axes), knees


def _parts(connection: sqlite3.Connection, where: Sequence[Condition]) -> dict[str, list[CurveSet]]:
    """Return the curves by internal name; external moments have the same numbers."""
    check_known(connection, where)
    cycles = read_cycles(connection, where, straight=True)
    parts: dict[str, list[CurveSet]] = {}
    for name, _ in curve_names(connection):
        internal = EXTERNAL.get(name, name)
        if internal in UNITS:
            curves = curves_of(connection, name, cycles)
            if curves.rows:
                parts.setdefault(internal, []).append(curves)
    return parts


def _ages(connection: sqlite3.Connection, where: Sequence[Condition]) -> tuple[str, list[str]]:
    """Return the ages of the people in whole years, if all are known, or a note whose are not."""
    text, values = where_sql(where)
    sql = f"SELECT DISTINCT subject.pseudonym, trial.age_years {CYCLES} WHERE {text} AND {STRAIGHT}"
    rows = connection.execute(sql, values).fetchall()
    ages = [age for _, age in rows if age is not None]
    if ages and len(ages) == len(rows):
        return ages_words(min(ages), max(ages)), []
    unknown = some_of(sorted({str(person) for person, age in rows if age is None}))
    return "", [f"the set has no ages: that of {unknown} is not known"] if ages else []
