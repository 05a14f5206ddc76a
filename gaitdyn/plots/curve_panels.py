"""A page of panels, each with curves over time, their unit and a key."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

import numpy as np

from gaitdyn.plots.frames import (
    Frame,
    below_words,
    known_lines,
    scale_marks,
    ticks,
    title_marks,
    with_limits,
)
from gaitdyn.plots.headline import EDGE_MM, header_height, headline, key_marks, key_rows
from gaitdyn.plots.marks import Mark, Sheet, Stroke
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

COLOURS = ("#0057B8", "#C1272D", "#117733", "#8A4B00", "#AA4499", "#5B7F95", "#B58900", "#332288")
_DASHES: tuple[tuple[float, ...], ...] = ((), (5.0, 2.6), (1.4, 1.6), (6.0, 2.0, 1.2, 2.0))
_PANEL_MM, _WIDE_MM, _HEIGHT_MM = 78.0, 150.0, 44.0
_GUTTER, _ABOVE, _BELOW, _KEY_MM = 20.0, 8.0, 13.0, 4.4
_MOST_IN_A_ROW = 3
_FLAT = 1e-12


@frozen(eq=False)
class CurvePanel:
    """A panel: title, unit, named curves and, optionally, their strokes.

    Attributes
    ----------
    title, unit : str
    curves : tuple of (str, array)
        Arrays of shape (n,); NaN is not drawn.
    strokes : tuple of Stroke
        Strokes of the curves, in their order; the usual ones if empty.
    """

    title: str
    unit: str
    curves: tuple[tuple[str, Array], ...]
    strokes: tuple[Stroke, ...] = ()


def usual_strokes(count: int) -> tuple[Stroke, ...]:
    """Return strokes that differ in colour and dash."""
    pairs = zip(COLOURS * (count // len(COLOURS) + 1), cycle(_DASHES), strict=False)
    return tuple(Stroke(colour, 1.2, dash, 3) for (colour, dash), _ in zip(pairs, range(count)))  # noqa: B905


def curves_sheet(
    title: str, lines: Sequence[str], time_s: Array, panels: Sequence[CurvePanel]
) -> Sheet:
    """Draw a page of panels over time.

    Parameters
    ----------
    title : str
    lines : sequence of str
        Lines below the title.
    time_s : array, shape (n,)
    panels : sequence of CurvePanel
    """
    across = 1 if len(panels) == 1 else 2 if len(panels) <= 4 else _MOST_IN_A_ROW  # noqa: PLR2004
    panel_width = _WIDE_MM if across == 1 else _PANEL_MM
    cell_width = _GUTTER + panel_width
    width = across * cell_width + 2 * EDGE_MM
    keys = [key_rows(_entries(panel), panel_width) for panel in panels]
    rows = [range(i, min(i + across, len(panels))) for i in range(0, len(panels), across)]
    heights = [
        _ABOVE + _HEIGHT_MM + _BELOW + _KEY_MM * max(len(keys[i]) for i in row) for row in rows
    ]
    header = header_height(lines, width)
    total = header + sum(heights) + EDGE_MM
    marks, _ = headline(title, lines, width, total)
    top, span = total - header, (float(time_s[0]), float(time_s[-1]))
    for row, height in zip(rows, heights, strict=True):
        for column, i in enumerate(row):
            left = EDGE_MM + _GUTTER - 4.0 + column * cell_width
            bottom = top - _ABOVE - _HEIGHT_MM
            frame = Frame(left, bottom, panel_width, _HEIGHT_MM, span, (0.0, 1.0))
            marks += _panel_marks(frame, time_s, panels[i], keys[i])
        top -= height
    return Sheet(width, total, tuple(marks))


def _entries(panel: CurvePanel) -> list[tuple[str, Stroke | None]]:
    strokes = panel.strokes or usual_strokes(len(panel.curves))
    return [(name, stroke) for (name, _), stroke in zip(panel.curves, strokes, strict=True)]


def _panel_marks(
    box: Frame, time_s: Array, panel: CurvePanel, keys: list[list[tuple[str, Stroke | None]]]
) -> list[Mark]:
    values = np.concatenate([curve for _, curve in panel.curves])
    power = power_of_ten(values)
    limits = limits_of(values / 10.0**power)
    frame = with_limits(box, limits)
    unit = "" if panel.unit == "1" else panel.unit
    unit = unit if power == 0 else f"1e{power} {unit}".rstrip()
    marks = scale_marks(frame, ticks(*frame.x), ticks(*limits, most=5))
    strokes = panel.strokes or usual_strokes(len(panel.curves))
    for (name, curve), stroke in zip(panel.curves, strokes, strict=True):
        marks += known_lines(frame, time_s, curve / 10.0**power, stroke, name)
    marks += title_marks(frame, ", ".join(filter(None, (panel.title, unit))), "")
    marks.append(below_words(frame, "time, s"))
    for i, row in enumerate(keys):
        marks += key_marks(row, frame.left, frame.bottom - 13.0 - _KEY_MM * i)
    return marks


def power_of_ten(values: Array) -> int:
    """Return the power of ten by which to divide numbers that are too large or small to print.

    Examples
    --------
    >>> power_of_ten(np.array([0.5])), power_of_ten(np.array([2e-9])), power_of_ten(np.zeros(1))
    (0, -9, 0)
    """
    known = np.abs(values[np.isfinite(values)])
    largest = float(known.max()) if known.size else 0.0
    if largest == 0.0 or 1e-2 <= largest < 1e5:  # noqa: PLR2004
        return 0
    return int(np.floor(np.log10(largest)))


def limits_of(values: Array) -> tuple[float, float]:
    """Return the ends of a vertical scale that contains all known numbers.

    A range that is small relative to the numbers is rounding: the scale then shows a flat line.
    """
    known = values[np.isfinite(values)]
    if not known.size:
        return -1.0, 1.0
    low, high = float(known.min()), float(known.max())
    if high - low <= max(1e-6 * max(abs(low), abs(high)), _FLAT):
        half = max(0.1 * max(abs(low), abs(high)), _FLAT)
        half = half if abs(low) + abs(high) > _FLAT else 1.0
        return low - half, high + half
    return low, high
