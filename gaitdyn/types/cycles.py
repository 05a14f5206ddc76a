"""Gait cycles: from one strike of a foot to the next of the same foot."""

from __future__ import annotations

from dataclasses import dataclass

from gaitdyn.types.arrays import Array


@dataclass(frozen=True, slots=True)
class Cycle:
    """One stride of one side.

    Attributes
    ----------
    side : str
    number : int
        From 1 a side, in order of time.
    start_row, stop_row : float
        Rows of both strikes, fractions kept.
    foot_off_percent : float or None
        When the foot leaves the ground, % of the cycle.
    """

    side: str
    number: int
    start_row: float
    stop_row: float
    foot_off_percent: float | None


@dataclass(frozen=True, slots=True, eq=False)
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


@dataclass(frozen=True, slots=True)
class Stance:
    """One step of one side, from the first to the last loaded frame of its plates.

    Attributes
    ----------
    side : str
    number : int
        From 1 a side, in order of time.
    start_row, stop_row : int
        First and last row, both inclusive.
    """

    side: str
    number: int
    start_row: int
    stop_row: int


@dataclass(frozen=True, slots=True, eq=False)
class StanceCurves:
    """The curves of one stance on 0, 1, ... 100 % of its time.

    Attributes
    ----------
    stance : Stance
    names : tuple of str
        Column names without the side.
    units : tuple of str
        N m/kg, W/kg, N/kg and deg.
    values : array, shape (101, len(names))
        NaN where a curve is not known.
    """

    stance: Stance
    names: tuple[str, ...]
    units: tuple[str, ...]
    values: Array
