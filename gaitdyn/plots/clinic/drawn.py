"""What the panels of one group of trials show: the same on the page, on paper and in figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.clinic.course import course_drawing
from gaitdyn.plots.clinic.grids import Cell, cells_of
from gaitdyn.plots.clinic.key import KeyEntry, key_entries
from gaitdyn.plots.clinic.panel import panel_drawing
from gaitdyn.plots.clinic.shown import PanelCurve, any_many
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.cycles.strips import CurveStrip
    from gaitdyn.plots.clinic.grids import Grid
    from gaitdyn.plots.clinic.panel import Panelled
    from gaitdyn.types.norms import Band


@dataclass(frozen=True, slots=True, eq=False)
class DrawnCurves:
    """Curves, and what stands behind them.

    Attributes
    ----------
    curves : mapping
        (side, name) -> what is drawn over the cycle.
    bands : mapping
        Curve -> reference.
    course : tuple of CurveStrip
        Both sides over the whole trial, s, where it has no stride.
    """

    curves: Mapping[tuple[str, str], PanelCurve]
    bands: Mapping[str, Band]
    course: tuple[CurveStrip, ...] = ()

    @property
    def banded(self) -> bool:
        """Whether a reference stands behind any curve."""
        return bool(self.bands) and not self.course

    @property
    def judged(self) -> bool:
        """Whether any curve has a verdict, which stands as a strip below it."""
        return any(s.strip is not None and not s.strip.words for s in self.curves.values())

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that are drawn."""
        found = {s.side for s in (*self.curves.values(), *self.course)}
        return tuple(side for side in SIDES if side in found)

    @property
    def key(self) -> tuple[KeyEntry, ...]:
        """What the key must hold: what is drawn."""
        there = {
            "near": self.banded,
            "far": self.banded,
            "within": self.banded and any(b.limit is not None for b in self.bands.values()),
            "off": any(s.foot_offs for s in (*self.curves.values(), *self.course)),
            "strip": self.judged,
            "many": self.many,
            "pale": self.partial,
        }
        return key_entries([*self.sides, *(kind for kind, shown in there.items() if shown)])

    @property
    def many(self) -> bool:
        """Whether areas stand in the place of the lines of some strides."""
        return any_many(self.curves.values())

    @property
    def partial(self) -> bool:
        """Whether incomplete strides are drawn."""
        return not self.many and any(one.partial for one in self.curves.values())

    def panel(self, cell: Cell) -> Panelled | None:
        """Return the drawing of a cell; None where the key stands."""
        if cell.panel is None:
            return None
        if self.course:
            return course_drawing(cell.panel, self.course, last=cell.last)
        band = self.bands.get(cell.panel.name)
        return panel_drawing(
            cell.panel, self.curves, band, last=cell.last, strips=self.judged, banded=self.banded
        )  # fmt: skip

    def shows(self, grid: Grid, *, means: bool = False) -> bool:
        """Return whether a grid has anything to draw; with ``means``, strides that count."""
        names = {cell.panel.name for cell in cells_of(grid) if cell.panel is not None}
        if self.course:
            return any(np.isfinite(s.curve(n)).any() for s in self.course for n in names)
        found = [one for (_, name), one in self.curves.items() if name in names]
        return any(one.mean is not None or not means for one in found)
