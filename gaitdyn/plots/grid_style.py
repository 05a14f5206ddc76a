"""How a grid of panels is drawn: its horizontal scale, its sizes, what lies behind its curves."""

from __future__ import annotations

from dataclasses import dataclass, field

from gaitdyn.plots.frames import ticks
from gaitdyn.types.arrays import Array
from gaitdyn.types.norms import Band


@dataclass(frozen=True, slots=True)
class Abscissa:
    """What the graphs of a grid have in common: their horizontal scale."""

    label: str
    limits: tuple[float, float]
    ticks: tuple[float, ...]
    averaged: bool


PERCENT = Abscissa("% gait cycle", (0.0, 100.0), (0, 20, 40, 60, 80, 100), averaged=True)


@dataclass(frozen=True, slots=True, eq=False)
class GridStyle:
    """How a grid is drawn.

    Attributes
    ----------
    width, height : float
        Of a panel, mm.
    bands : dict
        Name of a curve -> the reference behind it.
    spread : bool
        Means with one standard deviation instead of every cycle.
    groups : tuple of str
        What the key calls the groups of the strips.
    margins : dict
        Side -> name of a curve -> what is drawn above and below its mean, shape (n,).
    """

    width: float = 56.0
    height: float = 42.0
    bands: dict[str, Band] = field(default_factory=dict[str, Band])
    spread: bool = False
    groups: tuple[str, ...] = ("",)
    margins: dict[str, dict[str, Array]] = field(default_factory=dict[str, dict[str, "Array"]])


PLAIN = GridStyle()


def seconds(first: float, last: float) -> Abscissa:
    """Return the scale of a whole trial."""
    return Abscissa("time (s)", (first, last), tuple(ticks(first, last).tolist()), averaged=False)
