"""The curves of one side in a panel: its cycles, their mean and spread, or dots of categories."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.percentiles import percentiles_across
from gaitdyn.core.runs import runs
from gaitdyn.cycles.averages import mean_time, spread_curve
from gaitdyn.cycles.outliers import MANY
from gaitdyn.cycles.strips import CurveStrip
from gaitdyn.plots.frames import Frame, areas_between, known_lines
from gaitdyn.plots.headline import side_stroke
from gaitdyn.plots.marks import MM_PER_PT, Line, Mark, Stroke, disc, segment
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.panels import Panel

_THIN_PT, MEAN_PT, _OFF_PT = 0.7, 1.7, 0.8
_DOT_MM, _BESIDE = 0.75, 0.12
"""Dots of categories, and how far left and right are from their middle."""

SPREAD_ALPHA, _PARTIAL_ALPHA = 0.18, 0.35
"""Opacity of the area of a spread, and of an incomplete cycle, which is not averaged."""


@frozen(eq=False)
class PanelStrip:
    """A strip, the ends of its curves that are known somewhere, and which are throughout."""

    strip: CurveStrip
    some: dict[str, tuple[float, float]]
    whole: frozenset[str]

    def complete(self, panel: Panel) -> bool:
        """Return whether a curve has no gap over its cycle, or over its stance."""
        if panel.name in self.whole or not panel.of_stance:
            return panel.name in self.whole
        return len(runs(np.isfinite(self.strip.curve(panel.name)))) == 1


def panel_strips(strips: Sequence[CurveStrip]) -> list[PanelStrip]:
    """Return strips with what is known of their curves, determined once for all panels."""
    result = []
    for strip in strips:
        known = np.isfinite(strip.values)
        lowest = strip.values.min(axis=0, initial=np.inf, where=known).tolist()
        highest = strip.values.max(axis=0, initial=-np.inf, where=known).tolist()
        ends = zip(strip.names, lowest, highest, strict=True)
        some = {name: (low, high) for name, low, high in ends if low <= high}
        whole = frozenset(compress(strip.names, np.logical_and.reduce(known)))
        result.append(PanelStrip(strip, some, whole))
    return result


def _mean(curves: Sequence[Array]) -> Array | None:
    """Return the mean of two or more complete curves, else None."""
    return np.array(curves).mean(axis=0) if len(curves) > 1 else None


def dots_of_side(panel: Panel, frame: Frame, strips: Sequence[PanelStrip]) -> list[Mark]:
    """Draw the values of categories, which no line joins: left as discs, right as squares.

    They are thick lines, as an area would lie below the lines of the scale.

    Parameters
    ----------
    panel : Panel
    frame : Frame
    strips : sequence of PanelStrip
        With this curve.
    """
    marks: list[Mark] = []
    r = _DOT_MM
    for strip in (strip.strip for strip in strips):
        colour, left = side_stroke(strip.side, 1.0).colour, strip.side == "left"
        thick = Stroke(colour, (r if left else 2 * r) / MM_PER_PT, level=3)
        for at, value in zip(strip.at, strip.curve(panel.name), strict=True):
            if np.isfinite(value):
                x, y = frame.place(float(at) + (-_BESIDE if left else _BESIDE), float(value))
                ring = disc(x, y, r / 2)
                line = np.concatenate((ring, ring[:2])) if left else [[x - r, y], [x + r, y]]
                marks.append(Line(np.array(line), thick, f"{strip.side} dot"))
    return marks


def curves_of_side(
    panel: Panel, frame: Frame, strips: Sequence[PanelStrip], *, averaged: bool, spread: bool
) -> tuple[list[tuple[Array, Stroke, str]], list[Mark]]:
    """Return the curves of one side of one group that share an abscissa, and its other marks.

    The mean is that of the complete curves; for a curve of stance, where all of them are known.

    Parameters
    ----------
    panel : Panel
    frame : Frame
    strips : sequence of PanelStrip
        Of one side and group, with this curve.
    averaged : bool
        Whether the abscissa is the cycle.
    spread : bool
        Whether to draw the mean with one standard deviation instead of every cycle.

    Returns
    -------
    list of (array, Stroke, str)
        Curve, shape (n,), its stroke and its name.
    list of Mark
    """
    marks: list[Mark] = []
    drawn: list[tuple[Array, Stroke, str]] = []
    first = strips[0].strip
    side, group, x = first.side, first.group, first.at
    curves = [strip.strip.curve(panel.name) for strip in strips]
    complete = [strip.complete(panel) for strip in strips]
    whole = [c for strip, c in zip(strips, curves, strict=True) if panel.name in strip.whole]
    mean = _mean(list(compress(curves, complete))) if averaged else None
    sd = spread_curve(whole) if spread and mean is not None else None
    if averaged and not spread and len(whole) > MANY:
        low, high = percentiles_across(np.array(whole), 5.0, 95.0)
        colour = side_stroke(side, 1.0).colour
        marks += areas_between(frame, x, low, high, colour, "band", SPREAD_ALPHA)
    elif mean is None or sd is None:
        thin = side_stroke(side, _THIN_PT, group=group)
        pale = side_stroke(side, _THIN_PT, group=group, alpha=_PARTIAL_ALPHA)
        if averaged:  # all curves have the same abscissa, 0 to 100 %
            drawn = [(c, thin if k else pale, side) for c, k in zip(curves, complete, strict=True)]
        else:
            for strip, curve in zip(strips, curves, strict=True):
                marks += known_lines(frame, strip.strip.at, curve, thin, side)
    if mean is not None:
        drawn.append((mean, side_stroke(side, MEAN_PT, 4, group), f"{side} mean"))
    if mean is not None and sd is not None:
        colour = side_stroke(side, MEAN_PT, group=group).colour
        marks += areas_between(frame, x, mean - sd, mean + sd, colour, "band", SPREAD_ALPHA)
    foot_offs = [foot_off for strip in strips for foot_off in strip.strip.foot_offs]
    for foot_off in [mean_time(tuple(foot_offs))] if averaged and foot_offs else foot_offs:
        off_x = frame.place(foot_off, frame.y[0])[0]
        stroke = side_stroke(side, _OFF_PT, 1, group)
        marks.append(segment((off_x, frame.bottom), (off_x, frame.top), stroke, f"{side} foot-off"))
    return drawn, marks
