"""Cutting a trial into cycles and resampling its curves."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import key_of, sideless
from gaitdyn.core.lagrange import cubic_weights
from gaitdyn.cycles.heading import (
    curve_direction,
    headed_columns,
    heading_change,
    pelvis_path,
)
from gaitdyn.cycles.outliers import outlying, stopping
from gaitdyn.events.alternation import is_stride
from gaitdyn.events.passes import pass_around, pauses_of
from gaitdyn.types.cycles import Cycle, CycleCurves, Stretch
from gaitdyn.types.task import WALKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.curves import Curve
    from gaitdyn.types.result import Processed

POINTS = 101

MARGIN = 3
"""Rows on either side of a value that decide it: of the cubic through four frames, and one more."""

PER_KG = {"N": "N/kg", "N m": "N m/kg", "W": "W/kg"}


def find_cycles(result: Processed, side: str) -> list[Cycle]:
    """Return the cycles of one side within the trial, except those left out.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}
    """
    unused = {number for excluded_side, number in result.options.leave_out if excluded_side == side}
    unused |= set(outlying_cycles(result, side))
    return [c for c in every_cycle(result, side) if c.number not in unused]


def outlying_cycles(result: Processed, side: str) -> dict[int, str]:
    """Return the cycles of one side whose duration is an outlier or that hold a stop, with why.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}
    """
    cycles, rate_hz = every_cycle(result, side), result.recording.rate_hz

    def reasons() -> dict[int, str]:
        far = outlying(cycles, rate_hz)
        return far | stopping(cycles, result.events, result.recording.time_of)

    return result.once(f"cycles set aside {side}", reasons)


def every_cycle(result: Processed, side: str) -> tuple[Cycle, ...]:
    """Return the cycles of one side within the trial, including those left out.

    They are determined once and cached.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}
    """
    return result.once(f"cycles {side}", lambda: _cut_cycles(result, side))


def _cut_cycles(result: Processed, side: str) -> tuple[Cycle, ...]:
    if result.task != WALKING:
        return ()
    side_events = [event for event in result.events if event.side == side]
    strikes = [event.time_s for event in side_events if event.kind == "foot_strike"]
    offs = np.array([event.time_s for event in side_events if event.kind == "foot_off"])
    cycles: list[Cycle] = []
    pelvis_G = pelvis_path(result, side)
    between = pauses_of(result)
    for start, stop in pairwise(strikes):
        rows = result.row(start), result.row(stop)
        inside = rows[0] >= 0 and rows[1] <= result.recording.n_frames - 1
        inside &= not any(rows[0] < pause < rows[1] for pause, _ in between)
        if inside and is_stride(result.events, side, start, stop):
            within = offs[(offs > start) & (offs < stop)]
            off = float(100 * (within[0] - start) / (stop - start)) if within.size else None
            first, last = pass_around(between, rows[0], len(pelvis_G))
            turn = heading_change(pelvis_G[first:last], rows[0] - first, rows[1] - first)
            cycles.append(Cycle(side, len(cycles) + 1, *rows, off, turn))
    return tuple(cycles)


def resample(values: Array, start_row: float, stop_row: float) -> Array:
    """Return curves at 101 equal steps between two rows, from :func:`values_at`.

    Parameters
    ----------
    values : array, shape (n, c)
    start_row, stop_row : float

    Returns
    -------
    array, shape (101, c)
    """
    return values_at(values, np.linspace(start_row, stop_row, POINTS))


def values_at(values: Array, rows: Array) -> Array:
    """Return curves at fractional rows.

    The values lie on a cubic through the four nearest frames (Lagrange). If an outer one is not
    known they lie on a straight line between the inner two; if one of these is not known, they are
    NaN.

    Parameters
    ----------
    values : array, shape (n, c)
    rows : array, shape (k,)
        Between 0 and n - 1.

    Returns
    -------
    array, shape (k, c)
    """
    row = np.minimum(np.maximum(np.floor(rows).astype(int), 0), max(len(values) - 2, 0))
    t = (rows - row)[:, None]
    first, last = (int(row.min()), int(row.max())) if row.size else (0, 0)
    nearby = values[max(first - 1, 0) : last + 3]
    before, after = int(first == 0), max(0, last + 3 - len(values))
    if before or after:
        padded = np.full((before + len(nearby) + after, *nearby.shape[1:]), np.nan)
        padded[before : before + len(nearby)] = nearby
        nearby = padded
    a, b, c, d = (nearby[row - first + k] for k in range(4))
    of_a, of_b, of_c, of_d = cubic_weights(t)
    cubic = of_a * a + of_b * b + of_c * c + of_d * d
    known = np.isfinite(cubic)
    if known.all():
        return cubic
    line = np.where(t == 0, b, np.where(t == 1, c, (1 - t) * b + t * c))
    return np.where(known, cubic, line)


def cycle_curves(result: Processed, curves: Sequence[Curve]) -> list[CycleCurves]:
    """Return the curves of every cycle of both sides; loads and powers per kg of body mass.

    Angles to the walking axes and ground forces refer to the direction of the stride.

    Parameters
    ----------
    result : Processed
    curves : sequence of Curve
        Of :func:`gaitdyn.tables.columns.run_curves`.
    """
    every_curve = []
    for side in result.sides:
        names, units, table = per_kilogram(result, curves, side)
        for cycle in find_cycles(result, side):
            walking_G = curve_direction(result, cycle)
            values = headed(result, side, cycle, (names, units, table), walking_G)
            every_curve.append(CycleCurves(cycle, names, units, values))
    return every_curve


def headed(
    result: Processed,
    side: str,
    stretch: Stretch,
    curves: tuple[tuple[str, ...], tuple[str, ...], Array],
    walking_G: Array,
) -> Array:
    """Return the curves of a stretch of a trial at 101 steps, for its walking direction.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}
    stretch : Stretch
    curves : tuple
        Of :func:`per_kilogram`.
    walking_G : array, shape (3,)
        Unit, horizontal.

    Returns
    -------
    array, shape (101, c)
    """
    names, units, table = curves
    low = max(int(stretch.start_row) - MARGIN, 0)
    rows = slice(low, int(stretch.stop_row) + MARGIN + 1)
    part = table[rows]
    turned = not np.array_equal(walking_G, result.pose.walking_G)
    if turned and any(key_of(name).quantity != "moment" for name in names):
        part, mass = part.copy(), result.subject.mass_kg or np.nan
        for name, values in headed_columns(result, side, rows, walking_G).items():
            if name in names:
                i = names.index(name)
                emptied = np.isnan(part[:, i])  # impossible values stay unknown
                part[:, i] = values / mass if units[i] in PER_KG.values() else values
                part[emptied, i] = np.nan
    return resample(part, stretch.start_row - low, stretch.stop_row - low)


def per_kilogram(
    result: Processed, curves: Sequence[Curve], side: str
) -> tuple[tuple[str, ...], tuple[str, ...], Array]:
    """Return names without the side, units and values (n, c) of one side's curves.

    Curves without a side, such as the centre of mass, are returned for both. Loads and powers are
    divided by the body mass; positions (joint centres, centre of pressure) are left out.

    Parameters
    ----------
    result : Processed
    curves : sequence of Curve
        Columns of ``timeseries.csv``: values of shape (n,), each in its unit and basis.
    side : {"left", "right"}

    Returns
    -------
    names, units : tuple of str
    values : array, shape (n, c)
        N m/kg, W/kg, N/kg and deg, one column per name.
    """
    columns, names, units, loads = _side_columns(tuple((c.name, c.unit) for c in curves), side)
    values = np.empty((result.recording.n_frames, len(columns)))
    for column, i in enumerate(columns):  # none, if all curves are of the other side
        values[:, column] = curves[i].values
    values[:, loads] /= result.subject.mass_kg or np.nan
    return names, units, values


@lru_cache(maxsize=64)
def _side_columns(
    columns: tuple[tuple[str, str], ...], side: str
) -> tuple[list[int], tuple[str, ...], tuple[str, ...], list[bool]]:
    """Return the indices of a side's columns, their names and units, and which are loads."""
    keys = [key_of(name) for name, _ in columns]
    chosen = [i for i, key in enumerate(keys) if key.side in (side, "") and not key.is_place]
    kinds = [columns[i][1] for i in chosen]
    names = tuple(sideless(columns[i][0]) for i in chosen)
    units = tuple(PER_KG.get(kind, kind) for kind in kinds)
    return chosen, names, units, [kind in PER_KG for kind in kinds]
