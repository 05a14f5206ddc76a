"""Build a reference set from the cycles in an archive."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gaitdyn.archive.connection import snapshot
from gaitdyn.archive.control_numbers import read_numbers
from gaitdyn.archive.curves import CurveSet, curve_names, read_curves
from gaitdyn.archive.mixed import mixed_axes, mixed_conditions, mixed_settings, mixed_shanks
from gaitdyn.archive.processing import profiles_and_models_of, settings_of_trials
from gaitdyn.archive.query import CYCLES, people_of_recordings, sessions_alike
from gaitdyn.archive.where import STRAIGHT, Condition, where_sql
from gaitdyn.catalogue.keys import key_of
from gaitdyn.errors import NormRefused, OutputRefused
from gaitdyn.metrics.curve_names import EXTERNAL, UNITS
from gaitdyn.metrics.norm_ages import ages_in, ages_words
from gaitdyn.metrics.norm_build import SignalStrides, norm_groups, norm_text
from gaitdyn.metrics.norm_csv import (
    AGES,
    CONDITION,
    MODEL,
    MOMENTS,
    SETTINGS,
    SHANK,
    settings_words,
)
from gaitdyn.metrics.norm_files import read_norm
from gaitdyn.metrics.norm_people import people_file, people_text
from gaitdyn.metrics.speed_groups import SpeedGroup, parse_groups
from gaitdyn.store.single_file import new_file
from gaitdyn.types.norms import Norm, NormGroup
from gaitdyn.types.words import counted

_MOST_NAMED = 5
"""Number of trials or people that a note names."""

_LEFT_OUT = {
    "verdict fail": Condition("verdict", "!=", "fail"),
    "not forward": Condition("way", "=", "forward"),
}
"""Trials that are left out without being asked for -> the condition on those that are not."""

_NO_PACE = (
    "groups by speed: the set has no norm of the walking speed itself; for one build it from the"
    " free walks alone, without --groups"
)


@dataclass(frozen=True, slots=True, eq=False)
class BuiltNorm:
    """A reference set before it is written.

    Attributes
    ----------
    groups : tuple of NormGroup
    source : str
    notes : tuple of str
        What its users must know.
    people : dict
        Comments of the set on its people: marker models, ages, conditions, axes of the moments.
    signals : dict
        Name -> the SignalStrides it was built from.
    speeds : tuple of SpeedGroup
    """

    groups: tuple[NormGroup, ...]
    source: str
    notes: tuple[str, ...]
    people: dict[str, list[str]]
    signals: dict[str, SignalStrides]
    speeds: tuple[SpeedGroup, ...]


def build_norm(
    connection: sqlite3.Connection,
    where: Sequence[Condition] = (),
    groups: str | None = None,
    source: str = "",
) -> BuiltNorm:
    """Return mean, SD and number of people of every curve a reference set can have.

    Strides that turn are always left out. Trials whose verdict is fail, and walks backward or
    sideways, are left out unless ``where`` has a condition on verdicts, or on the way. The notes
    report what is left out.

    Parameters
    ----------
    connection : sqlite3.Connection
    where : sequence of Condition
    groups : str, optional
        See :func:`gaitdyn.metrics.speed_groups.parse_groups`.
    source : str
        Where the people are from.

    Raises
    ------
    NormRefused
        With fewer than two subjects, or moments in axes of different kinds.
    UsageError
    """
    with snapshot(connection):
        requested, unasked = where, _by_themselves(where)
        where = (*requested, *unasked.values())
        signals, axes, knees = _signals(connection, where)
        numbers = read_numbers(connection, where)
        ages, age_notes = _ages(connection, where)
        ages = "" if ages_in("", source) else ages
        left_out = _left_out(connection, requested, unasked)
        doubled = people_of_recordings(connection, *where_sql(where))
        profiles_and_models = profiles_and_models_of(connection, where)
        conditions = _conditions(connection, where)
        alike = sessions_alike(connection, requested)
        settings = settings_of_trials(connection, where)
    for message in (*mixed_axes(axes), *(mixed_shanks(knees) if knees else ())):
        raise NormRefused(message)
    longest = max(signals.values(), key=lambda s: len(s.people), default=None)
    if longest is None:
        message = "found no cycle with these conditions; wanted control subjects; change --where"
        raise NormRefused(message)
    speeds = parse_groups(groups, longest.speeds)
    norms, notes = norm_groups(signals, speeds, numbers)
    outside = ~np.any([group.rows(longest.speeds) for group in speeds], axis=0)
    if outside.any():
        left_out.append(f"{counted(int(outside.sum()), 'stride')} at speeds outside the groups")
    people = sorted(set(longest.people))
    notes += [
        *([] if all(group.all_speeds for group in speeds) else [_NO_PACE]),
        *(f"left out: {reason}" for reason in left_out),
        *alike,
        *mixed_conditions(conditions),
        *mixed_settings(settings),
        *age_notes,
        *_doubts_about_people(people, doubled),
    ]
    count = f"{counted(len(people), 'subject')}, {counted(len(longest.people), 'cycle')}"
    origin = ", ".join(filter(None, (source or "own laboratory", count, ages)))
    how = "; ".join(f"profile {profile}, model {model}" for profile, model in profiles_and_models)
    comments = {
        MODEL: [", ".join(sorted({model for _, model in profiles_and_models}))],
        AGES: [ages] if ages else [],
        CONDITION: conditions if all(conditions) else [],
        MOMENTS: [f"{kind} axes" for kind in axes],
        SHANK: list(knees.shank_axes) if knees else [],
        SETTINGS: [settings_words(settings)],
    }
    return BuiltNorm(norms, f"{origin}, {how}", tuple(notes), comments, signals, speeds)


def _doubts_about_people(
    people: Sequence[str], doubled: Sequence[tuple[str, Sequence[str]]]
) -> list[str]:
    """Return notes on people that may count twice: their recordings are shared, or have no name."""
    notes = [
        f"the recording {name} counts as {len(names)} people, {' and '.join(names)}; if it is one"
        " person, leave the others out, such as with --where"
        f" subject!={names[-1]}"
        for name, names in doubled
    ]
    unnamed = sum(person.startswith("unnamed-") for person in people)
    if unnamed:
        notes.append(
            f"{counted(unnamed, 'subject')} without pseudonym: each static counts as one person"
        )
    return notes


def _by_themselves(where: Sequence[Condition]) -> dict[str, Condition]:
    """Return name of what is left out -> condition, unless one of those given is of the kind."""
    given = {condition.key for condition in where}
    return {name: one for name, one in _LEFT_OUT.items() if one.key not in given}


def _left_out(
    connection: sqlite3.Connection, requested: Sequence[Condition], unasked: Mapping[str, Condition]
) -> list[str]:
    """Return which trials are left out by themselves, and how many strides for turning."""
    left_out = []
    for name, one in unasked.items():
        opposite = replace(one, operator="=" if one.operator == "!=" else "!=")
        text, values = where_sql((*requested, opposite))
        sql = f"SELECT DISTINCT session.name || '/' || trial.name {CYCLES} WHERE {text} ORDER BY 1"
        names = [str(row[0]) for row in connection.execute(sql, values)]
        if names:
            rest = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
            left_out.append(f"{name}: {', '.join(names[:_MOST_NAMED])}{rest}")
    text, values = where_sql((*requested, *unasked.values()))
    sql = f"SELECT count(*) {CYCLES} WHERE {text} AND NOT ({STRAIGHT})"
    turned = int(connection.execute(sql, values).fetchone()[0])
    return [*left_out, f"turning: {counted(turned, 'stride')}"] if turned else left_out


def write_norm(norm: BuiltNorm, path: Path, *, force: bool = False, curves: bool = False) -> Norm:
    """Write a reference set and return it as the report will read it.

    It is written to a temporary file, read back, and then moved into place.

    Parameters
    ----------
    norm : BuiltNorm
    path : Path
    force : bool
        Replace an existing file.
    curves : bool
        Write the numbered curves of the people to a second file, from which ranks are computed.

    Raises
    ------
    OutputRefused
        When the file exists and ``force`` is not given, or cannot be written.
    NormRefused
        When it could not be read back, for example because of a reversed sign.
    """
    people = people_file(path)
    if curves:
        with new_file(people, force=force) as new:
            new.write_text(people_text(norm.signals, norm.speeds), encoding="utf-8", newline="\n")
    elif people.is_file():
        raise OutputRefused(
            f"{people.name} belongs to an older set; build with --curves, or move it away"
        )
    with new_file(path, force=force) as new:
        new.write_text(
            norm_text(norm.groups, norm.source, norm.people), encoding="utf-8", newline="\n"
        )
        return read_norm(new)


def _signals(
    connection: sqlite3.Connection, where: Sequence[Condition]
) -> tuple[dict[str, SignalStrides], list[str], CurveSet | None]:
    """Return each signal by its internal name, and what its moments refer to.

    The second value is the axes of the moments; the third a knee moment, of shanks of several kinds
    if there are any, or ``None``.
    """
    signals: dict[str, SignalStrides] = {}
    axes: set[str] = set()
    knees: CurveSet | None = None
    for name, parts in _parts(connection, where).items():
        if key_of(name).is_moment:
            axes |= {kind for part in parts for kind in part.moments_in}
            kinds = [knees, *(part for part in parts if part.shank_axes)]
            knees = max(filter(None, kinds), key=lambda part: len(part.shank_axes), default=None)
        rows = [row for part in parts for row in part.rows]
        speeds = [row.speed_nondimensional for row in rows]
        signals[name] = SignalStrides(
            tuple(row.subject for row in rows),
            tuple(row.side for row in rows),
            np.array([np.nan if v is None else v for v in speeds], dtype=float),
            np.concatenate([part.values for part in parts]),
        )
    return signals, sorted(axes), knees


def _parts(connection: sqlite3.Connection, where: Sequence[Condition]) -> dict[str, list[CurveSet]]:
    """Return the curves by internal name; external moments have the same numbers."""
    parts: dict[str, list[CurveSet]] = {}
    for name, _ in curve_names(connection):
        internal = EXTERNAL.get(name, name)
        if internal in UNITS:
            curves = read_curves(connection, name, where, straight=True)
            if curves.rows:
                parts.setdefault(internal, []).append(curves)
    return parts


def _conditions(connection: sqlite3.Connection, where: Sequence[Condition]) -> list[str]:
    """Return the conditions of the trials."""
    text, values = where_sql(where)
    sql = f"SELECT DISTINCT trial.condition {CYCLES} WHERE {text} ORDER BY 1"
    return [str(name) for (name,) in connection.execute(sql, values)]


def _ages(connection: sqlite3.Connection, where: Sequence[Condition]) -> tuple[str, list[str]]:
    """Return the ages of the people in whole years, if all are known, or a note whose are not."""
    text, values = where_sql(where)
    sql = f"SELECT DISTINCT subject.pseudonym, trial.age_years {CYCLES} WHERE {text} AND {STRAIGHT}"
    rows = connection.execute(sql, values).fetchall()
    ages = [age for _, age in rows if age is not None]
    if ages and len(ages) == len(rows):
        return ages_words(min(ages), max(ages)), []
    unknown = sorted({str(person) for person, age in rows if age is None})
    rest = f" and {len(unknown) - _MOST_NAMED} more" if len(unknown) > _MOST_NAMED else ""
    who = f"{', '.join(unknown[:_MOST_NAMED])}{rest}"
    return "", [f"the set has no ages: that of {who} is not known"] if ages else []
