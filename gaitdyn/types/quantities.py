"""A number of one cycle: a row of ``gait_parameters.csv`` or ``peaks.csv``."""

from __future__ import annotations

from gaitdyn.types.frozen import frozen


@frozen()
class Quantity:
    """One number of one cycle.

    Attributes
    ----------
    side : {"left", "right"}
    cycle : int or None
        From 1 for each side, as in ``cycles.csv``; None for a stance without a cycle.
    name : str
        Such as ``step_length`` or ``ankle_power_a2_peak``.
    value : float
        NaN if it is not known; such a row is written with an empty value.
    unit : str
    percent : float or None
        Time of a peak, % of the cycle.
    """

    side: str
    cycle: int | None
    name: str
    value: float
    unit: str
    percent: float | None = None
