"""The curves of all stances on the plates, in % of the stance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.cycles.strips import Strip
from gaitdyn.plots.grid import grid_sheet
from gaitdyn.plots.grid_style import Abscissa, GridStyle
from gaitdyn.plots.panels import KINEMATICS, KINETICS

if TYPE_CHECKING:
    from gaitdyn.plots.marks import Sheet
    from gaitdyn.report.report import Report

STANCE = Abscissa("% stance", (0.0, 100.0), (0, 20, 40, 60, 80, 100), averaged=True)
_GRIDS = (("Kinetics of stances", KINETICS), ("Kinematics of stances", KINEMATICS))
_WHAT = "Every stance whose contacts are valid, also the last ones, after which no strike is seen"


def stance_sheets(report: Report) -> list[tuple[str, Sheet]]:
    """Return a name and a sheet for each grid: stances of all groups; nothing without a stance.

    Parameters
    ----------
    report : Report
    """
    strips: list[Strip] = []
    seen = set[str]()
    for g, group in enumerate(report.groups):
        for trial in group.trials:
            if str(trial.path) in seen:  # the part of a trial that turns
                continue
            seen.add(str(trial.path))
            for one in trial.stances:
                at = np.linspace(0.0, 100.0, len(one.values))
                strips.append(Strip(one.stance.side, at, one.names, one.values, (), g))
    if not strips:
        return []
    counts = [sum(strip.side == side for strip in strips) for side in ("left", "right")]
    lines = [f"{_WHAT}: left {counts[0]}, right {counts[1]}"]
    labels = tuple(group.label for group in report.groups)
    return [
        (
            title,
            grid_sheet(
                grid,
                strips,
                STANCE,
                (title, lines),
                "no stance has it",
                GridStyle(groups=labels),
            ),
        )
        for title, grid in _GRIDS
        if any(np.isfinite(s.curve(p.name)).any() for s in strips for row in grid for p in row)
    ]
