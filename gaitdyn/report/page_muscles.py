"""Electromyography on the page: a drawing a muscle, left beside right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.plots.clinic.panel import WIDTH
from gaitdyn.plots.clinic.writing import drawing_svg
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
    if all(trial.emg is None for trial in view.trials):
        return []
    from gaitdyn.emg.panels import emg_panels

    found = {(p.muscle, p.side): p for p in emg_panels([trial.emg for trial in view.trials])}
    muscles = dict.fromkeys(muscle for muscle, _ in found)
    return [
        {
            "muscle": muscle.replace("_", " ").capitalize(),
            "sides": [_side(view, found.get((muscle, side)), side) for side in SIDES],
        }
        for muscle in muscles
    ]


def _side(view: View, panel: EmgPanel | None, side: str) -> dict[str, str]:
    if panel is None:
        return {"side": side, "svg": "", "note": "not recorded"}
    from markupsafe import Markup

    from gaitdyn.plots.clinic.muscles import HEIGHT, muscle_drawing

    off = view.events[side].foot_off if side in view.events else None
    known = off is not None and np.isfinite(off)
    svg = drawing_svg(muscle_drawing(panel, off if known else None), WIDTH, HEIGHT, _spoken(panel))
    return {"side": side, "svg": Markup(svg), "note": _note(panel)}  # noqa: S704


def _note(panel: EmgPanel) -> str:
    strides = f"{panel.strides} stride{'' if panel.strides == 1 else 's'}"
    like = "" if panel.norm_r is None else f", r {panel.norm_r:.2f} with the norm"
    doubt = f"; {panel.reason}" if panel.status == "check" and panel.reason else ""
    return f"{strides}{like}{doubt}" if panel.strides else panel.status.replace("_", " ")


def _spoken(panel: EmgPanel) -> str:
    return f"{panel.side} {panel.muscle.replace('_', ' ')}: {_note(panel)}"
