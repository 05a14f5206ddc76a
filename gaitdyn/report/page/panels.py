"""Panels of the page: drawing, readout and the table behind it, as HTML."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitdyn.metrics.knee_axis import HIP, KNEE
from gaitdyn.plots.clinic.axes import ABOVE, LEFT_EDGE, TALL, WIDTH
from gaitdyn.plots.clinic.grids import Cell, Grid
from gaitdyn.plots.clinic.writing import Drawing, drawing_svgs
from gaitdyn.plots.panels import Panel
from gaitdyn.report.numbers import decimal, extent_words, plus_minus, shown
from gaitdyn.report.page.script_data import readout_json
from gaitdyn.report.views import GroupView
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES

_ROWS = list(range(0, 101, 10))
_PERCENTS = [str(percent) for percent in _ROWS]


@frozen()
class PagePanel:
    """A panel for the template; one without a name is the place of the key.

    Attributes
    ----------
    name, title, unit : str
    svg : str
    head : tuple of str
        Of the table behind it.
    rows : tuple of tuple of str
    remark : str
        Next to the title.
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
    """Return the cursor's line, from the top of a drawing down by ``tall`` units."""
    return f'<path class="cur" d="M{10 * LEFT_EDGE:.0f} {10 * ABOVE:.0f}v{10 * tall:.0f}"/>'


def page_panels(view: GroupView, rows: Sequence[Sequence[Cell]]) -> tuple[PagePanel, ...]:
    """Return the panels of the rows of one grid or several."""
    cells = [cell for row in rows for cell in row]
    drawings = [_drawing(view, cell) for cell in cells]
    svgs = iter(drawing_svgs([drawing for drawing in drawings if drawing is not None]))
    return tuple(
        PagePanel("") if drawing is None else _panel(view, cell, next(svgs))
        for cell, drawing in zip(cells, drawings, strict=True)
    )


def unit_words(panel: Panel) -> str:
    """Return a unit as printed."""
    return {"deg": "\u00b0", "N m/kg": "N\u00b7m/kg"}.get(panel.unit, panel.unit)


def digits_of(panel: Panel) -> int:
    """Return the decimals of a readout: none for degrees, two for loads, one for forces."""
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
    """Return the remark next to the title of a panel: whether a knee axis is to be checked."""
    return "knee axis?" if name in (HIP, KNEE) and view.remarks else ""


def _spoken(view: GroupView, panel: Panel) -> str:
    """Return the range of the mean of each side, for screen readers."""
    words = []
    digits = digits_of(panel)
    if view.course:
        return f"{'; '.join(_ends(view, panel))} {unit_words(panel)}"
    for side in SIDES:
        curve = view.curves.get((side, panel.name))
        if curve is None:
            words.append(f"{side} not known")
            continue
        if curve.mean is None:
            words.append(f"{side} incomplete strides only")
            continue
        words.append(f"{side} {extent_words(curve.mean, digits)}")
    return "; ".join(words) + f" {unit_words(panel)}"


def _ends(view: GroupView, panel: Panel) -> list[str]:
    """Return the range of each side over the whole trial."""
    curves = ((strip.side, strip.curve(panel.name)) for strip in view.course)
    return [f"{side} {extent_words(c, digits_of(panel)) or 'not known'}" for side, c in curves]


def _course_table(
    view: GroupView, panel: Panel
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the numbers of a whole trial at every tenth of its time."""
    digits = digits_of(panel) + (panel.unit == "deg")
    head = ("s", *(strip.side[0].upper() for strip in view.course))
    count = len(view.course[0].at)
    rows = []
    for i in sorted({round(part * (count - 1) / 10) for part in range(11)}):
        cells = (shown(float(strip.curve(panel.name)[i]), digits) for strip in view.course)
        rows.append((decimal(float(view.course[0].at[i]), 2), *cells))
    return head, tuple(rows)


def _table(view: GroupView, panel: Panel) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the numbers behind a panel at every tenth of the cycle."""
    digits = digits_of(panel) + (panel.unit == "deg")
    curves = [(s, view.curves.get((s, panel.name))) for s in SIDES]
    head = ["%"]
    head += [f"{s[0].upper()} (n {0 if c is None else len(c.whole)})" for s, c in curves]
    columns = [_PERCENTS]
    for _, curve in curves:
        mean = None if curve is None else curve.mean
        values = [np.nan] * len(_ROWS) if mean is None else mean[_ROWS].tolist()
        columns.append([shown(v, digits) for v in values])
    band = view.bands.get(panel.name)
    if band is not None:
        head.append("norm")
        ends = (np.interp(_ROWS, band.percent, v).tolist() for v in (band.mean, band.sd))
        norm = zip(*ends, strict=True)
        columns.append([plus_minus(m, sd, digits) for m, sd in norm])
    return tuple(head), tuple(zip(*columns, strict=True))


def readouts(view: GroupView, grids: tuple[Grid, ...]) -> dict[str, str]:
    """Return the means for the cursor's readout as JSON: curve -> 101 numbers of each side."""
    panels = [c.panel for grid in grids for row in grid for c in row if c.panel is not None]
    texts: dict[str, str] = {}
    for panel in panels:
        means: dict[str, Array] = {
            s: v for s in SIDES if (v := _read(view, s, panel.name)) is not None
        }
        texts[panel.name] = readout_json(digits_of(panel), means)
    return texts


def _read(view: GroupView, side: str, name: str) -> Array | None:
    """Return the values for the cursor at 0, 1, ... 100 % of the cycle, or of the trial."""
    for strip in view.course:
        curve = strip.curve(name)
        if strip.side == side and np.isfinite(curve).any():
            return curve[np.rint(np.linspace(0, len(curve) - 1, 101)).astype(int)]
    mean_curve = view.curves.get((side, name))
    return None if mean_curve is None else mean_curve.mean
