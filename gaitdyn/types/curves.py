"""A named curve over the frames of a trial, with everything a reader must know about it."""

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
        In ``unit``; NaN where it is not known.
    unit : str
    frame : str
        Basis in which it is expressed.
    positive : str
        Which movement, or which action of the proximal on the distal segment, is positive.
    how : str
        How it was computed.
    rung : str
        By which landmarks and rules the joints and segments that it needs were found.
    """

    name: str
    values: Array
    unit: str
    frame: str
    positive: str
    how: str
    rung: str = ""
