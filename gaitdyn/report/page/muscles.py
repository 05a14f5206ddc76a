"""Electromyography on the page: one drawing per muscle, in the columns of the joints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.plots.clinic.axes import ABOVE, WIDTH
from gaitdyn.plots.clinic.panel import NUMBERED
from gaitdyn.plots.clinic.writing import Drawing, drawing_svgs
from gaitdyn.report.numbers import DASH, decimal
from gaitdyn.report.page.panels import PagePanel, cursor_svg
from gaitdyn.report.page.script_data import readout_json
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.plots.clinic.muscle_grid import MuscleCell, MuscleGrid
    from gaitdyn.report.views import GroupView

_DIGITS = 2


def view_muscles(view: GroupView) -> MuscleGrid:
    """Return the muscles of a view in the columns of the joints; empty without curves."""
    if not view.muscles:
        return ()
    from gaitdyn.plots.clinic.muscle_grid import muscle_grid

    return muscle_grid(view.muscles)


def beside_loads(view: GroupView) -> bool:
    """Return whether the muscles share the sheet of the loads: one row, or no loads."""
    rows = len(view_muscles(view))
    return rows == 1 or not (rows and view.has_loads)


def muscle_page(view: GroupView) -> dict[str, Any] | None:
    """Return the muscles of a view for the template; None without any.

    Returns
    -------
    dict or None
        ``columns`` (titles, empty above a column without a muscle), ``rows`` (how many), ``panels``
        (column by column, an unnamed one for a cell without a muscle), ``words`` (the key),
        ``silent`` (those without curves, in words), ``beside`` (whether they share the sheet of the
        loads).
    """
    if not view.muscles:
        return None
    from gaitdyn.plots.clinic.muscle_grid import COLUMNS, key_words, silent_words

    grid, offs = view_muscles(view), view.foot_off
    used = [any(row[i] is not None for row in grid) for i in range(len(COLUMNS))]
    return {
        "columns": [title if u else "" for (_, title), u in zip(COLUMNS, used, strict=True)],
        "rows": len(grid),
        "panels": _panels([cell for column in zip(*grid, strict=True) for cell in column], offs),
        "words": key_words(view.muscles),
        "silent": silent_words(view.muscles),
        "beside": beside_loads(view),
    }


def muscle_readouts(view: GroupView) -> dict[str, str]:
    """Return the mean envelopes for the cursor's readout."""
    cells = [cell for row in view_muscles(view) for cell in row if cell is not None]
    return {
        _name(cell): readout_json(
            _DIGITS,
            {s: p.mean for s, p in cell.panels.items() if p is not None and p.mean.size},
        )
        for cell in cells
    }


def shape_rows(before: GroupView, after: GroupView, side: str) -> list[tuple[str, ...]]:
    """Compare the shapes of the muscles of one side that two views share, in words.

    Parameters
    ----------
    before, after : GroupView
    side : {"left", "right"}

    Returns
    -------
    list of tuple
        Muscle, correlation of the mean envelopes, and lag of the second, %.
    """
    from gaitdyn.emg.panels import shape_changes

    return [
        (
            change.muscle.replace("_", " ").capitalize(),
            decimal(change.r, 2),
            decimal(float(change.lag_percent), 0, "+"),
        )
        for change in shape_changes(before.muscles, after.muscles)
        if change.side == side
    ]


def _name(cell: MuscleCell) -> str:
    return f"emg_{cell.muscle}"


def _panels(
    cells: Sequence[MuscleCell | None], offs: Mapping[str, float | None]
) -> list[PagePanel]:
    svgs = iter(drawing_svgs([_drawing(cell, offs) for cell in cells if cell is not None]))
    return [PagePanel("") if cell is None else _panel(cell, next(svgs)) for cell in cells]


def _drawing(cell: MuscleCell, offs: Mapping[str, float | None]) -> Drawing:
    from gaitdyn.plots.clinic.muscles import muscle_drawing

    drawn = muscle_drawing(cell.panels, offs)
    label = f"{cell.title}: {'; '.join(cell.notes)}"
    cursor = cursor_svg(drawn.height - ABOVE - NUMBERED)
    return Drawing(drawn.parts, WIDTH, drawn.height, label, cursor)


def _panel(cell: MuscleCell, svg: str) -> PagePanel:
    head, rows = _table(cell)
    return PagePanel(
        _name(cell), cell.title, "1 is its peak", svg, head, rows, note="; ".join(cell.notes)
    )


def _table(cell: MuscleCell) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the numbers behind a drawing at every tenth of the cycle.

    They are the envelope and the share of strides with the muscle on: a dash if that is not known.
    """
    shown = [
        panel for side in SIDES if (panel := cell.panels.get(side)) is not None and panel.mean.size
    ]
    head = ["%"]
    for panel in shown:
        head += [panel.side[0].upper(), "on"]
    rows = []
    for percent in range(0, 101, 10):
        cells = [str(percent)]
        for panel in shown:
            on = float(panel.on_share[percent])
            cells.append(decimal(float(panel.mean[percent]), _DIGITS))
            cells.append(f"{100 * on:.0f} %" if np.isfinite(on) else DASH)
        rows.append(tuple(cells))
    return tuple(head), tuple(rows)
