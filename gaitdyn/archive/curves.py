"""One signal of the cycles in an archive, and its mean and SD."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.archive.cycles import CycleRow, Cycles, read_cycles
from gaitdyn.archive.integrity import check_samples
from gaitdyn.archive.mixed import mixed_shanks
from gaitdyn.archive.query import CYCLES, check_known
from gaitdyn.archive.where import SHANK, Condition, parse_where
from gaitdyn.cycles.normalise import POINTS
from gaitdyn.errors import UsageError
from gaitdyn.types.arguments import told
from gaitdyn.types.arrays import Array, locked
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    import pandas as pd


_OF_CYCLES = "WHERE quantity_id = ? AND cycle_id IN (SELECT value FROM json_each(?))"
"""The curves of a quantity in cycles whose numbers are given as JSON."""
_SAMPLES = f"SELECT cycle_id, samples FROM curve {_OF_CYCLES} ORDER BY cycle_id"  # noqa: S608  fixed


@frozen(eq=False)
class CurveSet:
    """One signal of many cycles.

    Attributes
    ----------
    name, unit : str
    rows : tuple of CycleRow
    values : array, shape (len(rows), 101)
        As in ``cycles.csv``, rounded to float32; NaN where unknown.
    moments_in : tuple of str
        Axes of the moments of these trials.
    shank_axes : tuple of str
        What the z axis of their shanks is aligned with: ``knee``, ``malleoli``, ``pelvis``,
        ``plane``; for knee moments only.
    shank_models : tuple of tuple of str
        Marker models of each of these.
    trials : tuple of int
        Number in the archive of each row's trial: two trials may have one name.
    """

    name: str
    unit: str
    rows: tuple[CycleRow, ...]
    values: Array
    moments_in: tuple[str, ...]
    shank_axes: tuple[str, ...] = ()
    shank_models: tuple[tuple[str, ...], ...] = ()
    trials: tuple[int, ...] = ()


def read_curves(
    connection: sqlite3.Connection,
    name: str,
    where: Sequence[Condition] | str | None = (),
    *,
    straight: bool | None = None,
) -> CurveSet:
    """Return one signal of all cycles that fulfil the conditions.

    Cycles without the signal are left out, and so are strides that turn, unless ``where`` has a
    condition on ``condition``.

    Parameters
    ----------
    connection : sqlite3.Connection
        Of :func:`gaitdyn.archive.reading`.
    name : str
        Column of ``cycles.csv``, such as ``knee_angle_flexion``.
    where : str or sequence of Condition, optional
        As for :func:`gaitdyn.archive.parse_where`, or its result.
    straight : bool, optional
        Always (True) or never (False) leave out strides that turn, whatever the conditions.

    Raises
    ------
    UsageError
        When the archive has no curve of that name, or ``where`` cannot be read.
    """
    if not isinstance(name, str):
        raise UsageError(f"name is {told(name)}, wanted a column of cycles.csv")
    where = parse_where(where) if where is None or isinstance(where, str) else where
    check_known(connection, where)
    _check_curve(connection, name)
    return curves_of(connection, name, read_cycles(connection, where, straight=straight))


def curves_of(connection: sqlite3.Connection, name: str, cycles: Cycles) -> CurveSet:
    """Return one signal of those of some cycles that have it.

    Parameters
    ----------
    connection : sqlite3.Connection
    name : str
        A curve that the archive has, see :func:`curve_names`.
    cycles : Cycles
    """
    keys = connection.execute(
        "SELECT id, unit FROM quantity WHERE kind = 'curve' AND name = ?", (name,)
    ).fetchall()
    for key, unit in keys:
        records = connection.execute(_SAMPLES, (key, cycles.listed)).fetchall()
        if records:
            ids, samples = zip(*records, strict=True)
            check_samples(samples)
            joined = np.frombuffer(b"".join(samples), "<f4").reshape(-1, POINTS)
            table, own = locked("values", joined, (len(records), POINTS)), cycles.at(ids)
            axes = _shank_axes(connection, key, cycles.listed) if "knee_moment" in name else {}
            shanks = tuple(axes), tuple(axes.values())
            kinds = tuple(sorted(set(own.moments_in)))
            return CurveSet(name, unit, own.rows, table, kinds, *shanks, own.trials)
    return CurveSet(name, keys[0][1], (), np.empty((0, POINTS)), ())


def _shank_axes(
    connection: sqlite3.Connection, key: int, listed: str
) -> dict[str, tuple[str, ...]]:
    """Return what the z axis of the shanks is aligned with -> marker models, for some curves.

    ``key`` is the quantity's, ``listed`` the numbers of the cycles in JSON.
    """
    rows = connection.execute(
        f"SELECT DISTINCT {SHANK} AS kind, trial.model {CYCLES} JOIN curve ON curve.cycle_id ="
        f" cycle.id {_OF_CYCLES} ORDER BY 1, 2",
        (key, listed),
    )
    axes: dict[str, tuple[str, ...]] = {}
    for kind, model in rows:
        if kind:
            axes[str(kind)] = (*axes.get(str(kind), ()), str(model))
    return axes


def curve_frame(
    connection: sqlite3.Connection, name: str, where: Sequence[Condition] | str | None = ()
) -> pd.DataFrame:
    """Return :func:`read_curves` as a table: one row per cycle, columns of CycleRow and 0 to 100.

    Parameters
    ----------
    connection : sqlite3.Connection
    name, where
        As for :func:`read_curves`.
    """
    import pandas as pd

    curves = read_curves(connection, name, where)
    head = pd.DataFrame(list(curves.rows), columns=list(CycleRow._fields))
    return pd.concat([head, pd.DataFrame(curves.values, columns=range(POINTS))], axis=1)


def mean_and_sd(curves: CurveSet) -> tuple[list[float | None], list[float | None]]:
    """Return mean and SD (n - 1) over cycles at 0, 1, ... 100 %; None where no cycle has a value.

    Unknown values are left out, point by point.

    Parameters
    ----------
    curves : CurveSet

    Returns
    -------
    list of float or None, list of float or None
        101 values each, in the unit of the curves.

    Raises
    ------
    UsageError
        When the knee moments are about axes of different kinds.
    """
    for message in mixed_shanks(curves):
        raise UsageError(message)
    table = np.asarray(curves.values)
    known = np.isfinite(table)
    count = known.sum(axis=0)
    mean = np.where(known, table, 0.0).sum(axis=0) / np.maximum(count, 1)
    squares = np.where(known, (table - mean) ** 2, 0.0).sum(axis=0)
    sd = np.sqrt(squares / np.maximum(count - 1, 1))
    return (
        [float(x) if n > 0 else None for x, n in zip(mean, count, strict=True)],
        [float(x) if n > 1 else None for x, n in zip(sd, count, strict=True)],
    )


def known_counts(curves: CurveSet) -> tuple[list[int], list[int]]:
    """Return how many cycles and people are known at 0, 1, ... 100 %: of whom mean and SD are.

    The moments of a stride beside the plates are known in swing alone.

    Parameters
    ----------
    curves : CurveSet

    Returns
    -------
    list of int, list of int
        101 values each.
    """
    known = np.isfinite(curves.values)
    numbers = {name: i for i, name in enumerate(dict.fromkeys(r.subject for r in curves.rows))}
    people = np.zeros((len(numbers), POINTS), dtype=bool)
    np.logical_or.at(people, [numbers[row.subject] for row in curves.rows], known)
    return known.sum(axis=0).tolist(), people.sum(axis=0).tolist()


def sd_of_people(curves: CurveSet) -> list[float | None]:
    """Return the SD between people (n - 1) at 0, 1, ... 100 %; None for fewer than two.

    The cycles of each leg are averaged, then the legs of each person, as in a reference set: the
    cycles of a person are no independent sample.

    Returns
    -------
    list of float or None
        101 values in the unit of the curves.
    """
    legs: dict[tuple[str, str], list[Array]] = {}
    for row, values in zip(curves.rows, curves.values, strict=True):
        legs.setdefault((row.subject, row.side), []).append(values)
    people: dict[str, list[np.ma.MaskedArray]] = {}
    for (subject, _), strides in legs.items():
        people.setdefault(subject, []).append(np.ma.masked_invalid(strides).mean(axis=0))
    if len(people) < 2:  # noqa: PLR2004
        return [None] * POINTS
    means = np.ma.array([np.ma.array(own).mean(axis=0) for own in people.values()])
    sd = means.std(axis=0, ddof=1)
    return [float(x) if n > 1 else None for x, n in zip(sd, means.count(axis=0), strict=True)]


def curve_names(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return name and unit of every curve that is or was in the archive.

    Parameters
    ----------
    connection : sqlite3.Connection

    Returns
    -------
    list of (str, str)
    """
    sql = "SELECT name, unit FROM quantity WHERE kind = 'curve' ORDER BY id"
    return connection.execute(sql).fetchall()


def _check_curve(connection: sqlite3.Connection, name: str) -> None:
    names = [curve for curve, _ in curve_names(connection)]
    if name in names:
        return
    sql = "SELECT kind FROM quantity WHERE name = ? AND kind != 'curve'"
    row = connection.execute(sql, (name,)).fetchone()
    if row:
        message = f"{name!r} is a {row[0]}, not a curve; `gaitdyn archive export` writes it"
        raise UsageError(message)
    begun = [x for x in names if name and x.startswith(name)][:3]
    close = begun or get_close_matches(name, names, 3, 0.5) or names[:3]
    advice = "it is empty"
    if close:
        advice = f"wanted one that `gaitdyn archive ls` lists, such as {', '.join(close)}"
    raise UsageError(f"the archive has no curve {name!r}; {advice}")
