"""Panels of the page: drawing, readout and the table behind it, as HTML of our own."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.metrics.knee_axis import HIP, KNEE
from gaitdyn.plots.clinic.panel import ABOVE, LEFT_EDGE, TALL, WIDTH
from gaitdyn.plots.clinic.writing import Drawing, drawing_svgs
from gaitdyn.report.contents import decimal
from gaitdyn.report.page_text import readout_json
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.plots.clinic.grids import Cell, Grid
    from gaitdyn.plots.panels import Panel
    from gaitdyn.report.views import GroupView
    from gaitdyn.types.arrays import Array

_ROWS = list(range(0, 101, 10))


@dataclass(frozen=True, slots=True)
class PagePanel:
    """A panel as the template puts it down; the one without a name holds the key.

    Attributes
    ----------
    name, title, unit : str
    svg : str
    head : tuple of str
        Of the table behind it.
    rows : tuple of tuple of str
    remark : str
        Beside the title.
    note : str
        Below the drawing.
    """

    name: str
    title: str = ""
    unit: str = ""
    svg: str = ""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    remark: str = ""
    note: str = ""


def cursor_svg(tall: float) -> str:
    """Return the line that the cursor moves, from the top of a drawing so many units down."""
    return f'<path class="cur" d="M{10 * LEFT_EDGE:.0f} {10 * ABOVE:.0f}v{10 * tall:.0f}"/>'


def page_panels(view: GroupView, grid: Grid) -> tuple[PagePanel, ...]:
    """Return the panels of a grid, row by row."""
    cells = [cell for row in grid for cell in row]
    drawn = [_drawing(view, cell) for cell in cells]
    svgs = iter(drawing_svgs([one for one in drawn if one is not None]))
    return tuple(
        PagePanel("") if one is None else _panel(view, cell, next(svgs))
        for cell, one in zip(cells, drawn, strict=True)
    )


def unit_words(panel: Panel) -> str:
    """Return a unit as it is printed."""
    return {"deg": "\u00b0", "N m/kg": "N\u00b7m/kg"}.get(panel.unit, panel.unit)


def digits_of(panel: Panel) -> int:
    """Return the decimals of a readout: whole degrees, hundredths of loads, tenths of forces."""
    return {"deg": 0, "N/kg": 1}.get(panel.unit, 2)


def _drawing(view: GroupView, cell: Cell) -> Drawing | None:
    panel, drawn = cell.panel, view.drawn.panel(cell)
    if panel is None or drawn is None:
        return None
    label = f"{cell.title}: {_spoken(view, panel)}"
    return Drawing(drawn.parts, WIDTH, drawn.height, label, cursor_svg(TALL))


def _panel(view: GroupView, cell: Cell, svg: str) -> PagePanel:
    panel = cell.panel
    if panel is None:
        return PagePanel("")
    head, rows = _course_table(view, panel) if view.course else _table(view, panel)
    unit, remark = unit_words(panel), panel_remark(view, panel.name)
    return PagePanel(panel.name, cell.title, unit, svg, head, rows, remark)


def panel_remark(view: GroupView, name: str) -> str:
    """Return what stands beside the title of a panel: whether a knee axis is to be checked."""
    return "knee axis?" if name in (HIP, KNEE) and view.remarks else ""


def _spoken(view: GroupView, panel: Panel) -> str:
    """Return the range and the mean of each side."""
    words = []
    digits = digits_of(panel)
    if view.course:
        return f"{'; '.join(_ends(view, panel))} {unit_words(panel)}"
    for side in SIDES:
        one = view.curves.get((side, panel.name))
        if one is None:
            words.append(f"{side} not known")
            continue
        if one.mean is None:
            words.append(f"{side} incomplete strides only")
            continue
        known = one.mean[np.isfinite(one.mean)]
        low, high = decimal(float(known.min()), digits), decimal(float(known.max()), digits)
        words.append(f"{side} {low} to {high}")
    return "; ".join(words) + f" {unit_words(panel)}"


def _ends(view: GroupView, panel: Panel) -> list[str]:
    """Return from where to where each side goes over the whole trial."""
    words, digits = [], digits_of(panel)
    for one in view.course:
        known = one.curve(panel.name)
        known = known[np.isfinite(known)]
        ends = (decimal(float(v), digits) for v in (known.min(), known.max())) if known.size else ()
        words.append(f"{one.side} {' to '.join(ends) or 'not known'}")
    return words


def _course_table(
    view: GroupView, panel: Panel
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the numbers of a whole trial, every tenth of its time."""
    digits = digits_of(panel) + (panel.unit == "deg")
    head = ("s", *(one.side[0].upper() for one in view.course))
    count = len(view.course[0].at)
    rows = []
    for i in sorted({round(part * (count - 1) / 10) for part in range(11)}):
        values = [float(one.curve(panel.name)[i]) for one in view.course]
        told = ["\u2013" if not np.isfinite(v) else decimal(v, digits) for v in values]
        rows.append((decimal(float(view.course[0].at[i]), 2), *told))
    return head, tuple(rows)


def _table(view: GroupView, panel: Panel) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the numbers behind a panel, every tenth of the cycle."""
    digits = digits_of(panel) + (panel.unit == "deg")
    shown = [(s, view.curves.get((s, panel.name))) for s in SIDES]
    head = ["%"]
    head += [f"{s[0].upper()} (n {0 if one is None else len(one.whole)})" for s, one in shown]
    columns = [[str(percent) for percent in _ROWS]]
    for _, one in shown:
        mean = None if one is None else one.mean
        values = [np.nan] * len(_ROWS) if mean is None else mean[_ROWS].tolist()
        columns.append([decimal(v, digits) if isfinite(v) else "\u2013" for v in values])
    band = view.bands.get(panel.name)
    if band is not None:
        head.append("norm")
        ends = (np.interp(_ROWS, band.percent, v).tolist() for v in (band.mean, band.sd))
        told = [(decimal(m, digits), sd) for m, sd in zip(*ends, strict=True)]
        columns.append([f"{mean} \u00b1 {sd:.{digits}f}" for mean, sd in told])
    return tuple(head), tuple(zip(*columns, strict=True))


def readouts(view: GroupView, grids: tuple[Grid, ...]) -> dict[str, str]:
    """Return the means that the cursor reads, as JSON: curve -> sides, 101 numbers each."""
    panels = [c.panel for grid in grids for row in grid for c in row if c.panel is not None]
    found: dict[str, str] = {}
    for panel in panels:
        own = {side: _read(view, side, panel.name) for side in SIDES}
        known = {side: values for side, values in own.items() if values is not None}
        found[panel.name] = readout_json(digits_of(panel), unit_words(panel), known)
    return found


def _read(view: GroupView, side: str, name: str) -> Array | None:
    """Return what the cursor reads at 0, 1, ... 100 % of the cycle, or of the trial."""
    for one in view.course:
        curve = one.curve(name)
        if one.side == side and np.isfinite(curve).any():
            return curve[np.rint(np.linspace(0, len(curve) - 1, 101)).astype(int)]
    shown = view.curves.get((side, name))
    return None if shown is None else shown.mean
