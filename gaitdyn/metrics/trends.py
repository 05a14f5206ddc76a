"""Trends of gait parameters over a trial of many strides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.cycles.outliers import MANY
from gaitdyn.statistics.trend import trend

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.curves import Quantity
    from gaitdyn.types.result import Processed


def trend_rows(result: Processed, parameters: Sequence[Quantity]) -> list[dict[str, Any]]:
    """Return mean, spread and slope of every gait parameter known in more than ten strides.

    Parameters
    ----------
    result : Processed
    parameters : sequence of Quantity
        Of :func:`gaitdyn.metrics.gait_parameters.gait_parameters`.

    Returns
    -------
    list of dict
        ``side``, ``quantity``, ``unit``, ``strides``, ``mean``, ``sd``, ``per_minute`` with its
        95 % interval ``low`` to ``high``.
    """
    rate = result.recording.rate_hz
    trends: list[dict[str, Any]] = []
    for side in result.sides:
        known = [p for p in parameters if p.side == side and np.isfinite(p.value)]
        minutes = {c.number: c.start_row / rate / 60.0 for c in find_cycles(result, side)}
        for name in dict.fromkeys(p.name for p in known):
            rows = [p for p in known if p.name == name and p.cycle in minutes]
            if len(rows) <= MANY:
                continue
            y = np.array([p.value for p in rows])
            slope = trend(np.array([minutes[p.cycle or 0] for p in rows]), y)
            trends.append(
                {
                    "side": side,
                    "quantity": name,
                    "unit": rows[0].unit,
                    "strides": len(rows),
                    "mean": float(y.mean()),
                    "sd": float(y.std(ddof=1)),
                    "per_minute": slope.slope,
                    "low": slope.low,
                    "high": slope.high,
                }
            )
    return trends
