"""Cutting a trial into cycles and resampling its curves."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import key_of, sideless
from gaitdyn.cycles.heading import headed_columns, heading_change, own_direction
from gaitdyn.cycles.outliers import outlying
from gaitdyn.events.alternation import CYCLE_S
from gaitdyn.types.cycles import Cycle, CycleCurves
from gaitdyn.types.task import WALKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.curves import Curve
    from gaitdyn.types.cycles import Stretch
    from gaitdyn.types.result import Processed

POINTS = 101

_PER_KG = {"N": "N/kg", "N m": "N m/kg", "W": "W/kg"}


def find_cycles(result: Processed, side: str) -> list[Cycle]:
    """Return the cycles of one side that lie within the trial, without those left out.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}
    """
    unused = {number for own, number in result.options.leave_out if own == side}
    unused |= set(set_aside(result, side))
    return [c for c in every_cycle(result, side) if c.number not in unused]


def set_aside(result: Processed, side: str) -> dict[int, str]:
    """Return the cycles of one side whose time is not that of the others, and why.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}
    """
    own, rate_hz = every_cycle(result, side), result.recording.rate_hz
    return result.once(f"cycles set aside {side}", lambda: outlying(own, rate_hz))


def every_cycle(result: Processed, side: str) -> tuple[Cycle, ...]:
    """Return the cycles of one side that lie within the trial, those left out among them.

    They are found once and kept.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}
    """
    return result.once(f"cycles {side}", lambda: _search(result, side))


def _search(result: Processed, side: str) -> tuple[Cycle, ...]:
    if result.task != WALKING:
        return ()
    own = [event for event in result.events if event.side == side]
    strikes = [event.time_s for event in own if event.kind == "foot_strike"]
    offs = np.array([event.time_s for event in own if event.kind == "foot_off"])
    found: list[Cycle] = []
    pelvis_G = result.pose.origin_G - result.ground_travel(side)
    for start, stop in pairwise(strikes):
        rows = result.row(start), result.row(stop)
        inside = rows[0] >= 0 and rows[1] <= result.recording.n_frames - 1
        if inside and CYCLE_S[0] <= stop - start <= CYCLE_S[1]:
            within = offs[(offs > start) & (offs < stop)]
            off = float(100 * (within[0] - start) / (stop - start)) if within.size else None
            turn = heading_change(pelvis_G, *rows)
            found.append(Cycle(side, len(found) + 1, *rows, off, turn))
    return tuple(found)


def resample(values: Array, start_row: float, stop_row: float) -> Array:
    """Return curves at 101 equal steps between two rows, by :func:`values_at`.

    Parameters
    ----------
    values : array, shape (n, c)
    start_row, stop_row : float

    Returns
    -------
    array, shape (101, c)
    """
    return values_at(values, np.linspace(start_row, stop_row, POINTS))


def values_at(values: Array, at: Array) -> Array:
    """Return curves at rows with a fraction.

    A cubic through the four nearest frames (Lagrange); where an outer one is not known a straight
    line between the inner two, and nothing where one of these is not known.

    Parameters
    ----------
    values : array, shape (n, c)
    at : array, shape (k,)
        Rows between 0 and n - 1.

    Returns
    -------
    array, shape (k, c)
    """
    row = np.minimum(np.maximum(np.floor(at).astype(int), 0), max(len(values) - 2, 0))
    t = (at - row)[:, None]
    first, last = (int(row.min()), int(row.max())) if row.size else (0, 0)
    near = values[max(first - 1, 0) : last + 3]
    before, after = int(first == 0), max(0, last + 3 - len(values))
    if before or after:
        padded = np.full((before + len(near) + after, *near.shape[1:]), np.nan)
        padded[before : before + len(near)] = near
        near = padded
    a, b, c, d = (near[row - first + k] for k in range(4))
    cubic = -t * (t - 1) * (t - 2) / 6 * a
    cubic += (t + 1) * (t - 1) * (t - 2) / 2 * b
    cubic -= (t + 1) * t * (t - 2) / 2 * c
    cubic += (t + 1) * t * (t - 1) / 6 * d
    known = np.isfinite(cubic)
    if known.all():
        return cubic
    line = np.where(t == 0, b, np.where(t == 1, c, (1 - t) * b + t * c))
    return np.where(known, cubic, line)


def cycle_curves(result: Processed, curves: Sequence[Curve]) -> list[CycleCurves]:
    """Return the curves of every cycle of both sides; loads and powers per kg of body mass.

    Angles against the walking axes and ground forces are in the stride's own direction.

    Parameters
    ----------
    result : Processed
    curves : sequence of Curve
        Of :func:`gaitdyn.tables.columns.own_curves`.
    """
    found = []
    for side in result.sides:
        names, units, table = per_kilogram(result, curves, side)
        for cycle in find_cycles(result, side):
            walking_G = own_direction(result, cycle)
            values = headed(result, side, cycle, (names, units, table), walking_G)
            found.append(CycleCurves(cycle, names, units, values))
    return found


def headed(
    result: Processed,
    side: str,
    stretch: Stretch,
    curves: tuple[tuple[str, ...], tuple[str, ...], Array],
    walking_G: Array,
) -> Array:
    """Return the curves of a stretch of a trial at 101 steps, in a direction of its own.

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
    margin = 3  # of the cubic through four frames
    low = max(int(stretch.start_row) - margin, 0)
    rows = slice(low, int(stretch.stop_row) + margin + 1)
    own = table[rows]
    turned = not np.array_equal(walking_G, result.pose.walking_G)
    if turned and any(key_of(name).quantity != "moment" for name in names):
        own, mass = own.copy(), result.subject.mass_kg or np.nan
        for name, values in headed_columns(result, side, rows, walking_G).items():
            if name in names:
                i = names.index(name)
                own[:, i] = values / mass if units[i] in _PER_KG.values() else values
    return resample(own, stretch.start_row - low, stretch.stop_row - low)


def per_kilogram(
    result: Processed, curves: Sequence[Curve], side: str
) -> tuple[tuple[str, ...], tuple[str, ...], Array]:
    """Return names without the side, units and values (n, c) of one side's curves.

    What has no side, as the centre of mass, stands with both. Loads and powers are divided by the
    body mass; places (joint centres, centre of pressure) are left out.

    Parameters
    ----------
    result : Processed
    curves : sequence of Curve
        Columns of ``timeseries.csv``: values of shape (n,) in their own unit and basis.
    side : {"left", "right"}

    Returns
    -------
    names, units : tuple of str
    values : array, shape (n, c)
        N m/kg, W/kg, N/kg and deg, a column a name.
    """
    own, names, units, loads = _of_side(tuple((c.name, c.unit) for c in curves), side)
    values = np.stack([curves[i].values for i in own], axis=1)
    values[:, loads] /= result.subject.mass_kg or np.nan
    return names, units, values


@lru_cache(maxsize=64)
def _of_side(
    columns: tuple[tuple[str, str], ...], side: str
) -> tuple[list[int], tuple[str, ...], tuple[str, ...], list[bool]]:
    """Return which columns are a side's curves, their names, units, and which are loads."""
    keys = [key_of(name) for name, _ in columns]
    own = [i for i, key in enumerate(keys) if key.side in (side, "") and not key.is_place]
    kinds = [columns[i][1] for i in own]
    names = tuple(sideless(columns[i][0]) for i in own)
    units = tuple(_PER_KG.get(kind, kind) for kind in kinds)
    return own, names, units, [kind in _PER_KG for kind in kinds]
