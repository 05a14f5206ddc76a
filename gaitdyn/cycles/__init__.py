"""Strides and their curves over 0 to 100 % of the gait cycle."""

from typing import TYPE_CHECKING

from gaitdyn.cycles.normalise import (
    cycle_curves,
    every_cycle,
    find_cycles,
    per_kilogram,
    resample,
    set_aside,
    values_at,
)
from gaitdyn.cycles.stances import find_stances, stance_curves
from gaitdyn.types.later import imported_late

if TYPE_CHECKING:
    from gaitdyn.cycles.averages import mean_curve, spread_curve

__all__ = [
    "cycle_curves",
    "every_cycle",
    "find_cycles",
    "find_stances",
    "mean_curve",
    "per_kilogram",
    "resample",
    "set_aside",
    "spread_curve",
    "stance_curves",
    "values_at",
]

__getattr__ = imported_late(__name__, {"mean_curve": "averages", "spread_curve": "averages"})
