"""A reference set from the cycles in an archive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.archive.connection import snapshot
from gaitdyn.archive.query import CYCLES, CurveSet, curve_names, read_curves
from gaitdyn.archive.where import STRAIGHT, Condition, where_sql
from gaitdyn.catalogue.keys import key_of
from gaitdyn.errors import NormRefused, OutputRefused
from gaitdyn.metrics.curve_names import EXTERNAL, UNITS
from gaitdyn.metrics.norm_build import SignalStrides, norm_groups, norm_text
from gaitdyn.metrics.norm_files import read_norm
from gaitdyn.metrics.norm_people import people_file, people_text
from gaitdyn.metrics.speed_groups import parse_groups
from gaitdyn.store.single_file import new_file

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.metrics.speed_groups import SpeedGroup
    from gaitdyn.types.norms import Norm, NormGroup


_SHOWN = 5
"""Trials that are named in a note."""


@dataclass(frozen=True, slots=True, eq=False)
class BuiltNorm:
    """A reference set before it is written.

    Attributes
    ----------
    groups : tuple of NormGroup
    source : str
    notes : tuple of str
        What must be said about it.
    models : tuple of str
        Marker models that the people were recorded with.
    signals : dict
        Name -> Strides, of which it was made.
    speeds : tuple of SpeedGroup
    """

    groups: tuple[NormGroup, ...]
    source: str
    notes: tuple[str, ...]
    models: tuple[str, ...]
    signals: dict[str, SignalStrides]
    speeds: tuple[SpeedGroup, ...]


def build_norm(
    connection: sqlite3.Connection,
    where: Sequence[Condition] = (),
    groups: str | None = None,
    source: str = "",
) -> BuiltNorm:
    """Return mean, SD and number of people of every curve a reference set can have.

    Strides that turn are never in it, nor are trials whose verdict is fail unless ``where`` speaks
    of verdicts; what is left out is told.

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
        asked, where = where, _passed(where)
        signals, axes, knees = _signals(connection, where)
        made, left_out = _made(connection, where), _left_out(connection, asked, where)
    if len(axes) > 1:
        raise NormRefused(
            f"found moments in {' and '.join(axes)} axes; wanted one kind, they are not comparable;"
            f" add moments_in={axes[0]} to --where"
        )
    if knees is not None:
        model = knees.shank_models[0][0]
        raise NormRefused(
            f"found knee moments in shanks aligned with {knees.shanks_told()}; wanted one kind,"
            f" they are not pooled; add the model to --where, such as model={model}"
        )
    longest = max(signals.values(), key=lambda s: len(s.people), default=None)
    if longest is None:
        message = "found no cycle with these conditions; wanted control subjects; change --where"
        raise NormRefused(message)
    speeds = parse_groups(groups, longest.speeds)
    found, notes = norm_groups(signals, speeds)
    other = ~np.any([group.rows(longest.speeds) for group in speeds], axis=0)
    if other.any():
        left_out.append(f"{int(other.sum())} strides of other speeds than the groups'")
    notes += [f"left out: {told}" for told in left_out]
    people = sorted(set(longest.people))
    unnamed = sum(person.startswith("unnamed-") for person in people)
    if unnamed:
        notes.append(f"{unnamed} subjects have no pseudonym: each static counts as one person")
    told = f"{source or 'own laboratory'}, {len(people)} subjects, {len(longest.people)} cycles"
    how = "; ".join(f"profile {profile}, model {model}" for profile, model in made)
    models = tuple(sorted({model for _, model in made}))
    return BuiltNorm(found, f"{told}, {how}", tuple(notes), models, signals, speeds)


def _passed(where: Sequence[Condition]) -> Sequence[Condition]:
    """Return conditions that leave failed trials out, where nothing is said of verdicts."""
    if any(condition.key == "verdict" for condition in where):
        return where
    return (*where, Condition("verdict", "!=", "fail"))


def _left_out(
    connection: sqlite3.Connection, asked: Sequence[Condition], where: Sequence[Condition]
) -> list[str]:
    """Return which trials are left out for their verdict, and how many strides for turning."""
    found = []
    if len(where) > len(asked):
        text, values = where_sql((*asked, Condition("verdict", "=", "fail")))
        sql = f"SELECT DISTINCT session.name || '/' || trial.name {CYCLES} WHERE {text} ORDER BY 1"
        names = [str(row[0]) for row in connection.execute(sql, values)]
        if names:
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            found.append(f"verdict fail: {', '.join(names[:_SHOWN])}{more}")
    text, values = where_sql(where)
    sql = f"SELECT count(*) {CYCLES} WHERE {text} AND NOT ({STRAIGHT})"
    turned = int(connection.execute(sql, values).fetchone()[0])
    return [*found, f"{turned} strides that turn"] if turned else found


def write_norm(norm: BuiltNorm, path: Path, *, force: bool = False, curves: bool = False) -> Norm:
    """Write a reference set and return it as the report will read it.

    It is written aside, read back, and put in place.

    Parameters
    ----------
    norm : BuiltNorm
    path : Path
    force : bool
        Replace a file that is there.
    curves : bool
        Keep the curves of the people, numbered, in a file beside it: ranks are told with them.

    Raises
    ------
    OutputRefused
        When the file is there and ``force`` is not given, or cannot be written.
    NormRefused
        When it would not be read back, such as for a turned sign.
    """
    beside = people_file(path)
    if curves:
        with new_file(beside, force=force) as new:
            new.write_text(people_text(norm.signals, norm.speeds), encoding="utf-8", newline="\n")
    elif beside.is_file():
        raise OutputRefused(
            f"{beside.name} is there and is of an older set; build with --curves, or move it away"
        )
    with new_file(path, force=force) as new:
        new.write_text(
            norm_text(norm.groups, norm.source, models=norm.models), encoding="utf-8", newline="\n"
        )
        return read_norm(new)


def _signals(
    connection: sqlite3.Connection, where: Sequence[Condition]
) -> tuple[dict[str, SignalStrides], list[str], CurveSet | None]:
    """Return each signal by its internal name, the axes of moments, and knees of two kinds."""
    signals: dict[str, SignalStrides] = {}
    axes: set[str] = set()
    knees: CurveSet | None = None
    for name, parts in _parts(connection, where).items():
        if key_of(name).is_moment:
            axes |= {kind for part in parts for kind in part.moments_in}
            knees = next((part for part in parts if len(part.shank_axes) > 1), knees)
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
    """Return the curves under their internal names; external moments have the same numbers."""
    found: dict[str, list[CurveSet]] = {}
    for name, _ in curve_names(connection):
        own = EXTERNAL.get(name, name)
        if own in UNITS:
            curves = read_curves(connection, name, where, straight=True)
            if curves.rows:
                found.setdefault(own, []).append(curves)
    return found


def _made(connection: sqlite3.Connection, where: Sequence[Condition]) -> list[tuple[str, str]]:
    """Return the profiles and models of the trials."""
    text, values = where_sql(where)
    rows = connection.execute(
        f"SELECT DISTINCT trial.profile, trial.model {CYCLES} WHERE {text} ORDER BY 1, 2",
        values,
    )
    return [(str(profile), str(model)) for profile, model in rows]
