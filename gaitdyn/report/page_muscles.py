"""Electromyography on the page: a drawing a muscle, left beside right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.plots.clinic.panel import WIDTH
from gaitdyn.plots.clinic.writing import drawing_svg
from gaitdyn.report.contents import decimal
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.emg.panels import EmgPanel
    from gaitdyn.report.views import View


def muscle_rows(view: View) -> list[dict[str, Any]]:
    """Return a row a muscle that any trial of a view names: its name and both sides' drawings.

    Parameters
    ----------
    view : View

    Returns
    -------
    list of dict
        ``muscle``, and for each side ``svg`` and ``note``; a side that nobody recorded has none.
    """
    panels = view_panels(view)
    if not panels:
        return []
    from gaitdyn.plots.clinic.muscle_grid import wired_sides

    found = {(p.muscle, p.side): p for p in panels}
    sides = wired_sides(panels) or list(SIDES)
    muscles = dict.fromkeys(muscle for muscle, _ in found)
    return [
        {
            "muscle": muscle.replace("_", " ").capitalize(),
            "sides": [_side(view, found.get((muscle, side)), side) for side in sides],
        }
        for muscle in muscles
    ]


def unwired_words(view: View) -> str:
    """Return which leg was not recorded; nothing where both were, or none."""
    from gaitdyn.plots.clinic.muscle_grid import wired_sides

    sides = wired_sides(view_panels(view))
    absent = [side for side in SIDES if side not in sides]
    return f"; {absent[0]} leg not recorded" if len(absent) == 1 else ""


def view_panels(view: View) -> list[EmgPanel]:
    """Return the panels of a view; nothing without electromyography."""
    if all(trial.emg is None for trial in view.trials):
        return []
    from gaitdyn.emg.panels import emg_panels

    return emg_panels([trial.emg for trial in view.trials])


def foot_offs(view: View) -> dict[str, float | None]:
    """Return when each foot leaves the ground, %; None where it is not known."""
    told = {side: events.foot_off for side, events in view.events.items()}
    return {s: None if v is None or not np.isfinite(v) else v for s, v in told.items()}


def shape_rows(before: View, after: View, side: str) -> list[tuple[str, ...]]:
    """Return the muscles of a side that two views share, compared in shape, in words.

    Parameters
    ----------
    before, after : View
    side : {"left", "right"}

    Returns
    -------
    list of tuple
        Muscle, correlation of the mean envelopes, by how much the second is later, %.
    """
    from gaitdyn.emg.panels import shape_changes

    found = shape_changes(view_panels(before), view_panels(after))
    return [
        (
            one.muscle.replace("_", " ").capitalize(),
            decimal(one.r, 2),
            decimal(float(one.lag_percent), 0, "+" if one.lag_percent else ""),
        )
        for one in found
        if one.side == side
    ]


def _side(view: View, panel: EmgPanel | None, side: str) -> dict[str, str]:
    if panel is None:
        return {"side": side, "svg": "", "note": "not recorded"}
    from markupsafe import Markup

    from gaitdyn.plots.clinic.muscle_grid import muscle_note
    from gaitdyn.plots.clinic.muscles import HEIGHT, muscle_drawing

    marks = muscle_drawing(panel, foot_offs(view).get(side))
    svg = drawing_svg(marks, WIDTH, HEIGHT, _spoken(panel))
    return {"side": side, "svg": Markup(svg), "note": muscle_note(panel)}  # noqa: S704


def _spoken(panel: EmgPanel) -> str:
    from gaitdyn.plots.clinic.muscle_grid import muscle_note

    return f"{panel.side} {panel.muscle.replace('_', ' ')}: {muscle_note(panel)}"
