"""The curves of a side as plotted: one cycle in % of it, or the whole trial in seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.cycles.normalise import per_kilogram
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.curves import Curve
    from gaitdyn.types.cycles import CycleCurves
    from gaitdyn.types.result import Processed


@frozen(eq=False)
class CurveStrip:
    """The curves of one side over one stretch of time.

    Attributes
    ----------
    side : str
    at : array, shape (n,)
        % of the cycle, or s.
    names : tuple of str
        Without the side.
    values : array, shape (n, len(names))
        deg, N m/kg, W/kg, N/kg.
    foot_offs : tuple of float
        Times at which the foot leaves the ground, in the unit of ``at``.
    group : int
        0; 1 and more for further sessions or conditions.
    """

    side: str
    at: Array
    names: tuple[str, ...]
    values: Array
    foot_offs: tuple[float, ...]
    group: int = 0

    def curve(self, name: str) -> Array:
        """Return one curve, shape (n,); NaN if it is missing."""
        if name not in self.names:
            return np.full(len(self.at), np.nan)
        return self.values[:, self.names.index(name)]


def cycle_strips(cycles: Sequence[CycleCurves], group: int = 0) -> list[CurveStrip]:
    """Return a strip for each cycle, in % of it."""
    return [
        CurveStrip(
            curves.cycle.side,
            np.linspace(0.0, 100.0, len(curves.values)),
            curves.names,
            curves.values,
            () if curves.cycle.foot_off_percent is None else (curves.cycle.foot_off_percent,),
            group,
        )
        for curves in cycles
    ]


def trial_strips(result: Processed, curves: Sequence[Curve]) -> list[CurveStrip]:
    """Return a strip for each side over the whole trial, in seconds.

    Parameters
    ----------
    result : Processed
    curves : sequence of Curve
        Of :func:`gaitdyn.tables.columns.run_curves`.
    """
    strips = []
    for side in result.sides:
        names, _, values = per_kilogram(result, curves, side)
        offs = tuple(
            e.time_s for e in result.events if e.side == side and e.kind == "foot_off"
        )  # fmt: skip
        strips.append(CurveStrip(side, result.time_s, names, values, offs))
    return strips
