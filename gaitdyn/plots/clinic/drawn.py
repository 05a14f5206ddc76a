"""Contents of the panels of a group of trials: the same on the page, on paper and in figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np

from gaitdyn.cycles.strips import CurveStrip
from gaitdyn.plots.clinic.axes import (
    ABOVE,
    LEFT_EDGE,
    PLOT,
    TALL,
    axis_marks,
    axis_remark,
    limits_of,
)
from gaitdyn.plots.clinic.grids import Cell, Grid, cells_of
from gaitdyn.plots.clinic.key import KeyEntry, key_entries
from gaitdyn.plots.clinic.palette import mean_stroke
from gaitdyn.plots.clinic.panel import NUMBERED, Panelled, foot_off_tick, nothing, panel_drawing
from gaitdyn.plots.clinic.shown import PanelCurve
from gaitdyn.plots.frames import Frame, known_lines, ticks
from gaitdyn.plots.marks import Part
from gaitdyn.plots.panels import Panel
from gaitdyn.types.arrays import Array, Places
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import Band
from gaitdyn.types.subject import SIDES

_MOST, _TICKS = 1000, 5
"""Most points of a line (five per unit of its width), about; steps of the time axis."""

_WIDE = 1.4


@frozen(eq=False)
class DrawnCurves:
    """Curves and their references.

    Attributes
    ----------
    curves : mapping
        (side, name) -> curve over the cycle.
    bands : mapping
        Name of a curve -> reference.
    course : tuple of CurveStrip
        Both sides over the whole trial, s, if it has no stride; from
        :func:`gaitdyn.plots.clinic.shown.shown_course`.
    judged : bool
        Whether any curve has a verdict, which is drawn as a strip below it.
    """

    curves: Mapping[tuple[str, str], PanelCurve]
    bands: Mapping[str, Band]
    course: tuple[CurveStrip, ...] = ()
    judged: bool = field(init=False)

    def __post_init__(self) -> None:
        """Find out whether any curve has a verdict: every panel asks."""
        strips = (curve.strip for curve in self.curves.values())
        judged = any(strip is not None and not strip.words for strip in strips)
        object.__setattr__(self, "judged", judged)

    @property
    def banded(self) -> bool:
        """Whether any curve has a reference."""
        return bool(self.bands) and not self.course

    @property
    def sides(self) -> tuple[str, ...]:
        """Sides that are drawn."""
        sides = {s.side for s in (*self.curves.values(), *self.course)}
        return tuple(side for side in SIDES if side in sides)

    @property
    def key(self) -> tuple[KeyEntry, ...]:
        """Entries of the key for everything that is drawn."""
        kinds = {
            "near": self.banded,
            "far": self.banded,
            "within": self.banded and any(b.limit is not None for b in self.bands.values()),
            "off": any(s.foot_offs for s in (*self.curves.values(), *self.course)),
            "strip": self.judged,
            "many": self.many,
            "pale": self.partial,
        }
        return key_entries([*self.sides, *(kind for kind, shown in kinds.items() if shown)])

    @property
    def many(self) -> bool:
        """Whether areas replace the lines of some strides."""
        return any(curve.many for curve in self.curves.values())

    @property
    def partial(self) -> bool:
        """Whether incomplete strides are drawn."""
        return any(curve.partial and not curve.many for curve in self.curves.values())

    def within(self, grid: Grid) -> DrawnCurves:
        """Return the curves of a grid alone, for its key."""
        names = _names(grid)
        curves = {key: curve for key, curve in self.curves.items() if key[1] in names}
        bands = {name: band for name, band in self.bands.items() if name in names}
        return DrawnCurves(curves, bands, self.course)

    def panel(self, cell: Cell) -> Panelled | None:
        """Draw a cell; return None for the cell of the key."""
        if cell.panel is None:
            return None
        if self.course:
            return course_drawing(cell.panel, self.course, last=cell.last)
        band = self.bands.get(cell.panel.name)
        return panel_drawing(
            cell.panel, self.curves, band, last=cell.last, strips=self.judged, banded=self.banded
        )  # fmt: skip

    def shows(self, grid: Grid, *, means: bool = False) -> bool:
        """Return whether a grid has any curve to draw; with ``means``, any mean."""
        names = _names(grid)
        if self.course:
            return any(np.isfinite(strip.curve(n)).any() for strip in self.course for n in names)
        curves = [curve for (_, name), curve in self.curves.items() if name in names]
        return any(curve.mean is not None or not means for curve in curves)


def _names(grid: Grid) -> set[str]:
    return {cell.panel.name for cell in cells_of(grid) if cell.panel is not None}


def _telling(curve: Array) -> Places:
    """Return the rows of a long curve that show its shape: ends, extremes and gaps of each part.

    Every k-th row alone would show a slow wave in the place of a fast one, and miss peaks.
    """
    if len(curve) <= _MOST:
        return np.arange(len(curve))
    step, last = -(-3 * len(curve) // _MOST), len(curve) - 1
    parts = np.pad(curve, (0, -len(curve) % step), mode="edge").reshape(-1, step)
    unknown = np.isnan(parts)
    kinds = (np.where(unknown, np.inf, parts), np.where(unknown, np.inf, -parts), ~unknown)
    rows = step * np.arange(len(parts)) + [kind.argmin(axis=1) for kind in kinds]
    return np.unique(np.append(np.minimum(rows, last), last))


def course_drawing(panel: Panel, course: Sequence[CurveStrip], *, last: bool) -> Panelled:
    """Draw one panel over time.

    Parameters
    ----------
    panel : Panel
    course : sequence of CurveStrip
        Curves of both sides over time, s.
    last : bool
        Whether the horizontal axis has numbers on a wide screen.
    """
    known = [strip for strip in course if np.isfinite(strip.curve(panel.name)).any()]
    limits, extended = limits_of(panel, [strip.curve(panel.name) for strip in known])
    span = float(course[0].at[0]), float(course[0].at[-1])
    frame = Frame(LEFT_EDGE, NUMBERED, PLOT, TALL, span, limits)
    time_ticks = tuple(float(t) for t in ticks(*span, _TICKS))
    remark = axis_remark(extended=extended)
    marks: list[Part] = [axis_marks(frame, panel, last=last, remark=remark, at=time_ticks)]
    for strip in known:
        curve, line = strip.curve(panel.name), mean_stroke(strip.side, _WIDE)
        rows = _telling(curve)
        marks += known_lines(frame, strip.at[rows], curve[rows], line, f"{strip.side} course")
        marks += [foot_off_tick(frame, strip.side, off) for off in strip.foot_offs]
    if not known:
        marks.append(nothing(frame))
    return Panelled(tuple(marks), ABOVE + TALL + NUMBERED, limits)
