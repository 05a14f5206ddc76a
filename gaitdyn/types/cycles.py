"""Gait cycles: from one strike of a foot to the next of the same foot."""

from __future__ import annotations

import math
from typing import Protocol

from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

ALL_LEFT_OUT = "every stride is left out by the user"
TURNING_DEG = 15.0
"""A stride whose heading changes by more than this is not straight walking."""


TURNING = "turning"
"""The condition of such strides."""


class Stretch(Protocol):
    """A period within a trial, such as a cycle or a stance."""

    @property
    def side(self) -> str:
        """Side of the foot."""
        ...

    @property
    def start_row(self) -> float:
        """Row at which it starts, with its fraction."""
        ...

    @property
    def stop_row(self) -> float:
        """Row at which it ends, with its fraction."""
        ...


@frozen()
class Cycle:
    """One stride of one side.

    Attributes
    ----------
    side : str
    number : int
        From 1 for each side, in order of time.
    start_row, stop_row : float
        Rows of both strikes, with their fractions.
    foot_off_percent : float or None
        When the foot leaves the ground, % of the cycle.
    heading_change_deg : float
        Walking direction at its end less that at its start, positive to the left; NaN if it is not
        known, as on a belt.
    """

    side: str
    number: int
    start_row: float
    stop_row: float
    foot_off_percent: float | None
    heading_change_deg: float = math.nan

    @property
    def turning(self) -> bool:
        """Whether the stride turns by more than straight walking does."""
        return abs(self.heading_change_deg) > TURNING_DEG


@frozen(arrays=True)
class CycleCurves:
    """The curves of one cycle on 0, 1, ... 100 % of its time.

    Attributes
    ----------
    cycle : Cycle
    names : tuple of str
        Column names without the side.
    units : tuple of str
        N m/kg, W/kg, N/kg and deg.
    values : array, shape (101, len(names))
        NaN where a curve is not known.
    """

    cycle: Cycle
    names: tuple[str, ...]
    units: tuple[str, ...]
    values: Array

    def curve(self, name: str) -> Array:
        """Return one curve, shape (101,)."""
        return self.values[:, self.names.index(name)]


@frozen()
class Stance:
    """One stance on the plates.

    Attributes
    ----------
    side : str
    number : int
        From 1 for each side, in order of time.
    start_row, stop_row : float
        Rows of strike and foot-off, with their fractions.
    cycle : int or None
        The cycle that begins with it; None if there is no second strike.
    """

    side: str
    number: int
    start_row: float
    stop_row: float
    cycle: int | None


@frozen(eq=False)
class StanceCurves:
    """The curves of one stance on 0, 1, ... 100 % of its time, like :class:`CycleCurves`.

    Attributes
    ----------
    stance : Stance
    names, units : tuple of str
    values : array, shape (101, len(names))
        NaN where a curve is not known.
    """

    stance: Stance
    names: tuple[str, ...]
    units: tuple[str, ...]
    values: Array
