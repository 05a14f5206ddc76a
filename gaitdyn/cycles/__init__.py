"""Strides and their curves over 0 to 100 % of the gait cycle."""

from gaitdyn.cycles.normalise import cycle_curves, find_cycles, per_kilogram, resample, values_at

__all__ = ["cycle_curves", "find_cycles", "per_kilogram", "resample", "values_at"]
