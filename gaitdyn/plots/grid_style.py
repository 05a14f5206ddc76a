"""How a grid is drawn: the scales of its panels, and its style."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.cycles.strips import CurveStrip, cycle_strips, trial_strips
from gaitdyn.plots.frames import known_range, ticks
from gaitdyn.plots.marks import text_width
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import Band

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.curves import Curve
    from gaitdyn.types.cycles import CycleCurves
    from gaitdyn.types.result import Processed

NAME_PT = 5.6
"""Names of categories."""


@frozen()
class Abscissa:
    """The horizontal scale that all panels of a grid share."""

    label: str
    limits: tuple[float, float]
    ticks: tuple[float, ...]
    averaged: bool
    names: tuple[str, ...] = ()
    """Of categories, one per tick: their values are dots, and the names stand below."""

    @property
    def names_mm(self) -> float:
        """Room for the names below the lowest panels, beyond that for numbers and a label, mm."""
        return max((text_width(name, NAME_PT) - 8.0 for name in self.names), default=0.0)


PERCENT = Abscissa("% gait cycle", (0.0, 100.0), (0, 20, 40, 60, 80, 100), averaged=True)


@frozen(eq=False)
class GridStyle:
    """How a grid is drawn.

    Attributes
    ----------
    width, height : float
        Size of a panel, mm.
    bands : dict
        Name of a curve -> the reference behind it.
    spread : bool
        Whether to draw means with one standard deviation instead of every cycle.
    groups : tuple of str
        Names of the groups of strips in the key.
    margins : dict
        Side -> name of a curve -> margin above and below its mean, shape (n,).
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


def over_time(
    result: Processed, curves: Sequence[Curve], cycles: Sequence[CycleCurves] = ()
) -> tuple[list[CurveStrip], Abscissa]:
    """Return curves over the cycles, or without any over the trial, and their scale."""
    if cycles:
        return cycle_strips(cycles), PERCENT
    time_s = result.time_s
    return trial_strips(result, curves), seconds(float(time_s[0]), float(time_s[-1]))


def limits_of_values(strips: Sequence[CurveStrip], name: str) -> tuple[float, float]:
    """Return limits around the values, with a tenth of their size or range on either side."""
    low, high = known_range(np.concatenate([strip.curve(name) for strip in strips]))
    margin = max(0.1 * max(abs(low), abs(high)), 0.1 * (high - low), 1e-3)
    return low - margin, high + margin
