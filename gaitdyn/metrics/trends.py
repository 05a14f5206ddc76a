"""A trial of many strides: trends of gait parameters, and how well the moments repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.cycles.outliers import MANY
from gaitdyn.statistics.repeatability import signed_variation, variance_ratio
from gaitdyn.statistics.trend import trend
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.curves import Quantity
    from gaitdyn.types.cycles import CycleCurves
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


def repeatability_rows(cycles: Sequence[CycleCurves]) -> list[dict[str, Any]]:
    """Return how well the strides agree in every joint moment of the legs known in more than ten.

    Only straight strides in which the moment is known throughout count.

    Parameters
    ----------
    cycles : sequence of CycleCurves
        Of both sides.

    Returns
    -------
    list of dict
        ``side``, ``quantity`` as in ``cycles.csv``, ``strides``, ``variance_ratio`` and
        ``variation``, see :mod:`gaitdyn.statistics.repeatability`; None for a moment that is 0.
    """
    straight = [curves for curves in cycles if not curves.cycle.turning]
    rows: list[dict[str, Any]] = []
    for side in SIDES:
        own = [curves for curves in straight if curves.cycle.side == side]
        for name in own[0].names if own else ():
            key = key_of(name)
            if not key.is_moment or key.part not in JOINTS:
                continue
            strides = np.stack([curves.curve(name) for curves in own])
            strides = strides[np.isfinite(strides).all(axis=1)]
            if len(strides) > MANY:
                both = variance_ratio(strides), signed_variation(strides)
                ratio, variation = (value if np.isfinite(value) else None for value in both)
                rows.append(
                    {
                        "side": side, "quantity": name, "strides": len(strides),
                        "variance_ratio": ratio, "variation": variation,
                    }
                )  # fmt: skip
    return rows
