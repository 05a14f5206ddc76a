"""One panel of a grid: the cycles of both sides, their means, and references behind them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.cycles.averages import mean_curve
from gaitdyn.cycles.strips import CurveStrip
from gaitdyn.plots.frames import (
    Frame,
    areas_between,
    below_words,
    empty_marks,
    end_words,
    limits_around,
    lines_of_curves,
    scale_marks,
    sd_areas,
    ticks,
    title_marks,
    with_limits,
)
from gaitdyn.plots.grid_style import NAME_PT, PLAIN, Abscissa, GridStyle
from gaitdyn.plots.headline import side_stroke
from gaitdyn.plots.marks import AMBER, Fixed, Line, Mark, Part, Stroke, TextLine, text_width
from gaitdyn.plots.panel_curves import (
    MEAN_PT,
    SPREAD_ALPHA,
    PanelStrip,
    curves_of_side,
    dots_of_side,
)
from gaitdyn.types.arrays import Array
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.panels import Panel


_AXES = 256
"""Axes whose marks are cached."""

_NEAR, _FAR = "#D2D2D2", "#E8E8E8"
"""Areas within one and two standard deviations of a reference."""


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
                    others += dots_of_side(panel, frame, known_of_group)
                    continue
                own_curves, own_marks = curves_of_side(
                    panel, frame, known_of_group, averaged=abscissa.averaged, spread=style.spread
                )
                curves += own_curves
                others += own_marks
        marks += [*lines_of_curves(frame, known[0].strip.at, curves), *others]
    for first, low, high in margins:
        colour = side_stroke(first.side, MEAN_PT, group=first.group).colour
        marks += areas_between(frame, first.at, low, high, colour, "band", SPREAD_ALPHA)
    return marks


def _head(panel: Panel, frame: Frame, abscissa: Abscissa, *, last: bool) -> list[Mark]:
    """Write the words above a panel and, for the lowest of its column, below it."""
    marks = title_marks(frame, panel.title, panel.unit)
    if last and abscissa.names:
        places = [frame.place(tick, frame.y[0]) for tick in abscissa.ticks]
        return marks + [
            TextLine(x + 0.7, y - 1.8, name, NAME_PT, align="right", turned=True, name="category")
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
