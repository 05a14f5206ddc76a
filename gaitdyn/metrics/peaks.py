"""Peaks, ranges, work and impulses of every cycle: the rows of ``peaks.csv``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.metrics.definition import fitting_definition
from gaitdyn.metrics.peak_definitions import DEFINITIONS
from gaitdyn.metrics.windows import signed_area, stretch, within_stance
from gaitdyn.types.quantities import Quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.metrics.definition import Definition
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.cycles import CycleCurves, StanceCurves

_UNKNOWN = (np.nan, None)


def peaks(
    cycles: Sequence[CycleCurves],
    rate_hz: float,
    definitions: Sequence[Definition] = DEFINITIONS,
) -> list[Quantity]:
    """Return the numbers read off the curves of every cycle.

    A number needs every value inside its window, and foot-off where the window moves with it;
    else it is NaN. A number whose curve is not there has no row: of moments in the axes of the
    laboratory there are none. Moments are those of the columns as they are, whatever their axes;
    the names of external ones have the opposite word.

    Parameters
    ----------
    cycles : sequence of CycleCurves
    rate_hz : float
        Frames a second, for work and impulses: integrals over time, not over % of the cycle.
    definitions : sequence of Definition

    Returns
    -------
    list of Quantity
        Cycle by cycle, in the order of the definitions.
    """
    found: list[Quantity] = []
    for curves in cycles:
        cycle, fitted = curves.cycle, _fitting(definitions, curves.names)
        seconds = (cycle.stop_row - cycle.start_row) / rate_hz
        numbers = _numbers(curves, fitted, cycle.foot_off_percent, seconds)
        found += [
            Quantity(cycle.side, cycle.number, one.name, value, one.unit, at)
            for one, (value, at) in zip(fitted, numbers, strict=True)
        ]
    return found


def stance_peaks(
    stances: Sequence[StanceCurves],
    rate_hz: float,
    definitions: Sequence[Definition] = DEFINITIONS,
) -> list[Quantity]:
    """Return the numbers of stances that no cycle begins with, their names ending in ``_stance``.

    Those whose window is the stance, a half or an end of it: others need the length of the stride.

    Parameters
    ----------
    stances : sequence of StanceCurves
    rate_hz : float
    definitions : sequence of Definition

    Returns
    -------
    list of Quantity
        ``cycle`` is None, ``percent`` is of the stance.
    """
    found: list[Quantity] = []
    for curves in stances:
        stance = curves.stance
        if stance.cycle is not None:
            continue
        seconds = (stance.stop_row - stance.start_row) / rate_hz
        fitted = _fitting(definitions, curves.names)
        fitted = [one for one in fitted if within_stance(one.window)]
        found += [
            Quantity(stance.side, None, f"{one.name}_stance", value, one.unit, at)
            for one, (value, at) in zip(
                fitted, _numbers(curves, fitted, 100.0, seconds), strict=True
            )
        ]
    return found


def _fitting(definitions: Sequence[Definition], names: tuple[str, ...]) -> list[Definition]:
    """Return the definitions whose curve is there, under its name."""
    there = set(names)
    found = (fitting_definition(general, there) for general in definitions)
    return [one for one in found if one is not None]


def _numbers(
    curves: CycleCurves | StanceCurves,
    definitions: Sequence[Definition],
    foot_off: float | None,
    seconds: float,
) -> list[tuple[float, float | None]]:
    """Return the numbers of a cycle or stance and when they are, all of a window together."""
    found: list[tuple[float, float | None]] = [_UNKNOWN] * len(definitions)
    by_window: dict[tuple[float, ...], list[int]] = {}
    for i, one in enumerate(definitions):
        start, stop = one.window.start, one.window.stop
        edges = start.of_stance, start.plus, stop.of_stance, stop.plus
        by_window.setdefault(edges, []).append(i)
    place = {name: i for i, name in enumerate(curves.names)}
    for own in by_window.values():
        columns = [place[definitions[i].curve] for i in own]
        part = stretch(curves.values.T[columns], definitions[own[0]].window, foot_off)
        if part is not None:
            at, values = part
            for k in np.flatnonzero(np.isfinite(values).all(axis=1)).tolist():
                found[own[k]] = _taken(definitions[own[k]].take, at, values[k], seconds)
    return found


def _taken(take: str, at: Array, values: Array, seconds: float) -> tuple[float, float | None]:
    """Return one number of a stretch and when it is, % of the cycle."""
    if take == "mean":
        steps = (values[1:] + values[:-1]) / 2 * (at[1:] - at[:-1])
        return float(steps.sum() / (at[-1] - at[0])), None
    if take == "range":
        return float(values.max() - values.min()), None
    if take in ("positive", "negative"):
        sign = 1 if take == "positive" else -1
        return signed_area(at, values, sign) * seconds / 100.0, None
    row = 0 if take == "start" else _extreme(take, at, values)
    if (take == "burst_max" and values[row] <= 0) or (take == "burst_min" and values[row] >= 0):
        return 0.0, None
    return float(values[row]), float(at[row])


def _extreme(take: str, at: Array, values: Array) -> int:
    """Return the place of the largest or smallest value, the first of equal ones."""
    if take == "valley":
        middle = (at[0] + at[-1]) / 2
        first = int(np.argmax(np.where(at <= middle, values, -np.inf)))
        second = int(np.argmax(np.where(at >= middle, values, -np.inf)))
        return first + int(np.argmin(values[first : second + 1]))
    return int(values.argmax() if take.endswith("max") else values.argmin())
