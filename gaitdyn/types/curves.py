"""A named curve over the frames of a trial, with its unit, basis, sign and source."""

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
