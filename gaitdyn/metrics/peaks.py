"""Peaks, ranges, work and impulses of every cycle: the rows of ``peaks.csv``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from gaitdyn.metrics.peak_definitions import DEFINITIONS, Definition, fitting_definition
from gaitdyn.metrics.windows import signed_area, stretch, within_stance
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.curves import Quantity
from gaitdyn.types.cycles import CycleCurves, StanceCurves

OF_STANCE = "_stance"
"""Ending of the names of numbers of a stance without a cycle."""

_UNKNOWN = (np.nan, None)


def peaks(
    cycles: Sequence[CycleCurves], rate_hz: float, definitions: Sequence[Definition] = DEFINITIONS
) -> list[Quantity]:
    """Return the numbers read from the curves of every cycle.

    A number needs every value inside its window, and foot-off if the window depends on it; else it
    is NaN. A number whose curve is missing has no row, so moments in the axes of the laboratory
    have none. Moments are taken from the columns as they are, whatever their axes; the names of
    external ones have the opposite word.

    Parameters
    ----------
    cycles : sequence of CycleCurves
    rate_hz : float
        Frames per second, for work and impulses: integrals over time, not over % of the cycle.
    definitions : sequence of Definition

    Returns
    -------
    list of Quantity
        Cycle by cycle, in the order of the definitions.
    """
    fitted_to = cache(partial(_fitted, definitions))
    quantities: list[Quantity] = []
    for curves in cycles:
        cycle, fitted = curves.cycle, fitted_to(curves.names)
        seconds = (cycle.stop_row - cycle.start_row) / rate_hz
        numbers = _numbers(curves.values, fitted, cycle.foot_off_percent, seconds)
        quantities += [
            Quantity(cycle.side, cycle.number, definition.name, value, definition.unit, percent)
            for definition, (value, percent) in zip(fitted.definitions, numbers, strict=True)
        ]
    return quantities


def stance_peaks(
    stances: Sequence[StanceCurves], rate_hz: float, definitions: Sequence[Definition] = DEFINITIONS
) -> list[Quantity]:
    """Return the numbers of stances outside cycles, with names ending in ``_stance``.

    Only numbers whose window is the stance, a half or an end of it are returned: the others need
    the duration of the stride.

    Returns
    -------
    list of Quantity
        ``cycle`` is None, ``percent`` is of the stance.
    """
    of_stance = [definition for definition in definitions if within_stance(definition.window)]
    fitted_to = cache(partial(_fitted, of_stance))
    quantities: list[Quantity] = []
    for curves in stances:
        stance = curves.stance
        if stance.cycle is not None:
            continue
        seconds = (stance.stop_row - stance.start_row) / rate_hz
        fitted = fitted_to(curves.names)
        numbers = _numbers(curves.values, fitted, 100.0, seconds)
        quantities += [
            Quantity(stance.side, None, d.name + OF_STANCE, value, d.unit, percent)
            for d, (value, percent) in zip(fitted.definitions, numbers, strict=True)
        ]
    return quantities


class _Fitted(NamedTuple):
    """Definitions whose curve is available, and for each window: they and their columns."""

    definitions: list[Definition]
    windows: list[tuple[list[int], list[int]]]


def _fitted(definitions: Sequence[Definition], names: tuple[str, ...]) -> _Fitted:
    """Return the definitions whose curve is available, under the name of that curve."""
    column = {name: i for i, name in enumerate(names)}
    candidates = (fitting_definition(general, column) for general in definitions)
    fitted = [definition for definition in candidates if definition is not None]
    by_window: dict[tuple[float, ...], tuple[list[int], list[int]]] = {}
    for i, definition in enumerate(fitted):
        start, stop = definition.window.start, definition.window.stop
        edges = start.of_stance, start.plus, stop.of_stance, stop.plus
        indices, columns = by_window.setdefault(edges, ([], []))
        indices.append(i)
        columns.append(column[definition.curve])
    return _Fitted(fitted, list(by_window.values()))


def _numbers(
    curves: Array, fitted: _Fitted, foot_off: float | None, seconds: float
) -> list[tuple[float, float | None]]:
    """Return the numbers of a cycle or stance and their times, computed window by window."""
    definitions = fitted.definitions
    numbers: list[tuple[float, float | None]] = [_UNKNOWN] * len(definitions)
    for indices, columns in fitted.windows:
        part = stretch(curves.T[columns], definitions[indices[0]].window, foot_off)
        if part is not None:
            percent, values = part
            known: Mask = np.all(np.isfinite(values), axis=1)
            for k in known.nonzero()[0].tolist():
                take = definitions[indices[k]].take
                numbers[indices[k]] = _taken(take, percent, values[k], seconds)
    return numbers


def _taken(take: str, percent: Array, values: Array, seconds: float) -> tuple[float, float | None]:
    """Return one number of a stretch and its time, % of the cycle, if it has one."""
    if take == "mean":
        steps = (values[1:] + values[:-1]) / 2 * (percent[1:] - percent[:-1])
        return float(steps.sum() / (percent[-1] - percent[0])), None
    if take == "range":
        return float(values.max() - values.min()), None
    if take in ("positive", "negative"):
        sign = 1 if take == "positive" else -1
        return signed_area(percent, values, sign) * seconds / 100.0, None
    row = 0 if take == "start" else _extreme(take, percent, values)
    if row is None:
        return _UNKNOWN
    if (take == "burst_max" and values[row] <= 0) or (take == "burst_min" and values[row] >= 0):
        return 0.0, None
    return float(values[row]), float(percent[row])


def _extreme(take: str, percent: Array, values: Array) -> int | None:
    """Return the index of the largest or smallest value, the first of equal ones.

    None for a peak at an edge of the window, and for a valley that does not lie between two peaks.
    """
    last = values.size - 1
    if take == "valley":
        middle = (percent[0] + percent[-1]) / 2
        first = int(np.argmax(np.where(percent <= middle, values, -np.inf)))
        second = int(np.argmax(np.where(percent >= middle, values, -np.inf)))
        lowest = first + int(np.argmin(values[first : second + 1]))
        return lowest if 0 < first < lowest < second < last else None
    row = int(values.argmax() if take.endswith(("max", "peak")) else values.argmin())
    return None if take == "peak" and row in (0, last) else row
