"""One panel of a grid: the cycles of both sides, their means, and references behind them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import percentiles_across, runs
from gaitdyn.cycles.averages import mean_curve, mean_time, spread_curve
from gaitdyn.cycles.outliers import MANY
from gaitdyn.cycles.strips import CurveStrip, cycle_strips, trial_strips
from gaitdyn.plots.frames import (
    Frame,
    areas_between,
    below_words,
    empty_marks,
    end_words,
    known_lines,
    known_range,
    limits_around,
    lines_of_curves,
    scale_marks,
    sd_areas,
    ticks,
    title_marks,
    with_limits,
)
from gaitdyn.plots.headline import side_stroke
from gaitdyn.plots.marks import (
    AMBER,
    MM_PER_PT,
    Fixed,
    Line,
    Mark,
    Part,
    Stroke,
    TextLine,
    disc,
    segment,
    text_width,
)
from gaitdyn.types.arrays import Array
from gaitdyn.types.norms import Band
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.panels import Panel
    from gaitdyn.types.curves import Curve
    from gaitdyn.types.cycles import CycleCurves
    from gaitdyn.types.result import Processed


_THIN_PT, _MEAN_PT, _OFF_PT = 0.7, 1.7, 0.8
_NAME_PT, _DOT_MM, _BESIDE = 5.6, 0.75, 0.12
"""Names of categories, their dots, and how far left and right are from their middle."""

_AXES = 256
"""Axes whose marks are cached."""

_SPREAD_ALPHA, _PARTIAL_ALPHA = 0.18, 0.35
"""Opacity of the area of a spread, and of an incomplete cycle, which is not averaged."""

_NEAR, _FAR = "#D2D2D2", "#E8E8E8"
"""Areas within one and two standard deviations of a reference."""


@dataclass(frozen=True, slots=True)
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
        return max((text_width(name, _NAME_PT) - 8.0 for name in self.names), default=0.0)


PERCENT = Abscissa("% gait cycle", (0.0, 100.0), (0, 20, 40, 60, 80, 100), averaged=True)


@dataclass(frozen=True, slots=True, eq=False)
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


@dataclass(frozen=True, slots=True, eq=False)
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


def panel_parts(
    panel: Panel,
    frame: Frame,
    strips: Sequence[PanelStrip],
    abscissa: Abscissa,
    why_empty: str,
    style: GridStyle = PLAIN,
    *,
    last: bool,
) -> list[Part]:
    """Draw one panel.

    Parameters
    ----------
    panel : Panel
    frame : Frame
        Its position and scales.
    strips : sequence of PanelStrip
    abscissa : Abscissa
    why_empty : str
    style : GridStyle
    last : bool
        Whether it is the lowest of its column, with the label of its horizontal scale.
    """
    known = [strip for strip in strips if panel.name in strip.some]
    if not known:
        return list(_head(panel, frame, abscissa, last=last) + empty_marks(frame, why_empty))
    margins = _margins(panel, strips, style)
    ends = [strip.some[panel.name] for strip in known]
    ends += [(float(np.nanmin(a)), float(np.nanmax(b))) for _, a, b in margins]
    lowest, highest = zip(*ends, strict=True)
    limits, moved = limits_around(panel.limits, min(lowest), max(highest))
    frame = with_limits(frame, limits)
    marks: list[Part] = [_axes(panel, frame, limits, abscissa, last=last)]
    if moved:
        marks += _moved_marks(panel, frame)
    if panel.name in style.bands:
        band = style.bands[panel.name]
        marks += sd_areas(frame, band.percent, band.mean, band.sd, (_FAR, _NEAR))
    for group in range(len(style.groups)):
        curves: list[tuple[Array, Stroke, str]] = []
        others: list[Mark] = []
        for side in SIDES:
            drawn = [x for x in strips if (x.strip.side, x.strip.group) == (side, group)]
            if known_of_group := [x for x in drawn if panel.name in x.some]:
                if abscissa.names:
                    others += _dots(panel, frame, known_of_group)
                    continue
                own_curves, own_marks = _curves(
                    panel, frame, known_of_group, averaged=abscissa.averaged, spread=style.spread
                )
                curves += own_curves
                others += own_marks
        marks += [*lines_of_curves(frame, known[0].strip.at, curves), *others]
    for first, low, high in margins:
        colour = side_stroke(first.side, _MEAN_PT, group=first.group).colour
        marks += areas_between(frame, first.at, low, high, colour, "band", _SPREAD_ALPHA)
    return marks


def _head(panel: Panel, frame: Frame, abscissa: Abscissa, *, last: bool) -> list[Mark]:
    """Write the words above a panel and, for the lowest of its column, below it."""
    marks = title_marks(frame, panel.title, panel.unit)
    if last and abscissa.names:
        places = [frame.place(tick, frame.y[0]) for tick in abscissa.ticks]
        return marks + [
            TextLine(x + 0.7, y - 1.8, name, _NAME_PT, align="right", turned=True, name="category")
            for (x, y), name in zip(places, abscissa.names, strict=True)
        ]
    return [*marks, below_words(frame, abscissa.label)] if last else marks


@lru_cache(maxsize=_AXES)
def _axes(
    panel: Panel, frame: Frame, limits: tuple[float, float], abscissa: Abscissa, *, last: bool
) -> Fixed:
    """Draw everything around the curves of a panel; cached, as many pages share it."""
    numbered = last and not abscissa.names
    return Fixed((
        *_head(panel, frame, abscissa, last=last),
        *scale_marks(frame, abscissa.ticks, ticks(*limits), numbers_below=numbered),
        *end_words(frame, panel.top, panel.bottom),
    ))  # fmt: skip


def _margins(
    panel: Panel, strips: Sequence[PanelStrip], style: GridStyle
) -> list[tuple[CurveStrip, Array, Array]]:
    """Return the first strip of each side with a margin, and the ends of that margin.

    It lies about the mean of the whole curves, or about the only curve of the strips.
    """
    found: list[tuple[CurveStrip, Array, Array]] = []
    for side, margins in style.margins.items():
        drawn = [x for x in strips if x.strip.side == side and panel.name in x.some]
        whole = [strip for strip in drawn if panel.name in strip.whole] or drawn
        curves = [strip.strip.curve(panel.name) for strip in whole]
        mean = curves[0] if len(curves) == 1 else mean_curve(curves)
        margin = margins.get(panel.name)
        if mean is not None and margin is not None and np.isfinite(mean + margin).any():
            found.append((drawn[0].strip, mean - margin, mean + margin))
    return found


def _dots(panel: Panel, frame: Frame, strips: Sequence[PanelStrip]) -> list[Mark]:
    """Draw the values of categories, which no line joins: left as discs, right as squares.

    They are thick lines, as an area would lie below the lines of the scale.
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


def _curves(
    panel: Panel, frame: Frame, strips: Sequence[PanelStrip], *, averaged: bool, spread: bool
) -> tuple[list[tuple[Array, Stroke, str]], list[Mark]]:
    """Return the curves of one side of one group that share an abscissa, and its other marks.

    The mean is that of the complete curves; for a curve of stance, where all of them are known.
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
        marks += areas_between(frame, x, low, high, colour, "band", _SPREAD_ALPHA)
    elif mean is None or sd is None:
        thin = side_stroke(side, _THIN_PT, group=group)
        pale = side_stroke(side, _THIN_PT, group=group, alpha=_PARTIAL_ALPHA)
        if averaged:  # all curves have the same abscissa, 0 to 100 %
            drawn = [(c, thin if k else pale, side) for c, k in zip(curves, complete, strict=True)]
        else:
            for strip, curve in zip(strips, curves, strict=True):
                marks += known_lines(frame, strip.strip.at, curve, thin, side)
    if mean is not None:
        drawn.append((mean, side_stroke(side, _MEAN_PT, 4, group), f"{side} mean"))
    if mean is not None and sd is not None:
        colour = side_stroke(side, _MEAN_PT, group=group).colour
        marks += areas_between(frame, x, mean - sd, mean + sd, colour, "band", _SPREAD_ALPHA)
    foot_offs = [foot_off for strip in strips for foot_off in strip.strip.foot_offs]
    for foot_off in [mean_time(tuple(foot_offs))] if averaged and foot_offs else foot_offs:
        off_x = frame.place(foot_off, frame.y[0])[0]
        stroke = side_stroke(side, _OFF_PT, 1, group)
        marks.append(segment((off_x, frame.bottom), (off_x, frame.top), stroke, f"{side} foot-off"))
    return drawn, marks


def _moved_marks(panel: Panel, frame: Frame) -> list[Mark]:
    """Label a scale that had to be moved, and draw its fixed limits."""
    dotted = Stroke(AMBER, 0.8, (1.0, 2.0))
    words = "axis extended"
    room = frame.width - text_width(panel.title, 8.0) - 2.0
    y = frame.top + (2.2 if text_width(words, 6.5) <= room else -3.0)  # next to the title, or below
    marks: list[Mark] = [TextLine(frame.right, y, words, 6.5, AMBER, "right", name="extended")]
    for limit in panel.limits:
        if frame.y[0] < limit < frame.y[1]:
            points = frame.at(np.array(frame.x), np.array([limit, limit]))
            marks.append(Line(points, dotted, "fixed limit"))
    return marks


def limits_of_values(strips: Sequence[CurveStrip], name: str) -> tuple[float, float]:
    """Return limits around the values, with a tenth of their size or range on either side."""
    low, high = known_range(np.concatenate([strip.curve(name) for strip in strips]))
    margin = max(0.1 * max(abs(low), abs(high)), 0.1 * (high - low), 1e-3)
    return low - margin, high + margin
