"""A named curve over the frames of a trial, and a number of one of its cycles."""

from __future__ import annotations

from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen


@frozen(eq=False)
class Curve:
    """One column of ``timeseries.csv``.

    Attributes
    ----------
    name : str
        Column name.
    values : array, shape (n,)
        In ``unit``; NaN for unknown values.
    unit : str
    frame : str
        Basis in which it is expressed.
    positive : str
        Which movement, or which action of the proximal on the distal segment, is positive.
    how : str
        How it was computed.
    rung : str
        Landmarks and rules by which the joints and segments that it depends on were found.
    """

    name: str
    values: Array
    unit: str
    frame: str
    positive: str
    how: str
    rung: str = ""


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
