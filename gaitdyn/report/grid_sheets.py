"""The engineer's sheets: loads in all planes and axes, and net joint forces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaitdyn.core.packing import unpack_floats
from gaitdyn.cycles.normalise import POINTS
from gaitdyn.cycles.strips import CurveStrip, cycle_strips
from gaitdyn.metrics.norms.curve_names import OF_LABORATORY
from gaitdyn.plots.flow import LANDSCAPE, MARGIN_MM
from gaitdyn.plots.grid import grid_sheet
from gaitdyn.plots.grid_style import PERCENT, Abscissa, GridStyle
from gaitdyn.plots.headline import header_height
from gaitdyn.plots.marks import Sheet
from gaitdyn.plots.panels import JOINT_FORCES, KINEMATICS, KINETICS, Grid
from gaitdyn.report.report import Report
from gaitdyn.report.strides import counted_cycles
from gaitdyn.types.arrays import Array
from gaitdyn.types.options import CHOICES

_MANY = 6
_WIDTH_MM, _AROUND_MM = 46.0, 74.0
"""Width of a panel, and height of a landscape page without panels and the lines above them."""

_WHY = "no whole step has it"
_WHOLE = "Whole steps only"


def load_sheets(report: Report) -> list[tuple[str, Sheet]]:
    """Return moments, powers and forces of whole steps in all axes, as names and sheets."""
    strips = [
        strip
        for g, group in enumerate(report.groups)
        for strip in cycle_strips(counted_cycles(group.trials), g)
    ]
    if not strips:
        return []
    labels = tuple(group.label for group in report.groups)
    judged = {g for g, group in enumerate(report.groups) if not group.turning}
    bands = report.bands if any(strip.group in judged for strip in strips) else {}
    bands = {name: band for name, band in bands.items() if name not in OF_LABORATORY}
    normed = [_WHOLE, *([report.norm_words] if bands else [])]
    style = GridStyle(_WIDTH_MM, bands=bands, spread=len(strips) > _MANY, groups=labels)
    sheets = [
        _sheet("Moments, powers, ground force", KINETICS, strips, normed, style),
        _sheet("Net joint forces", JOINT_FORCES, strips, [_WHOLE], style),
    ]
    planes = tuple(row[:3] for row in KINETICS[:3])
    style = GridStyle(_WIDTH_MM, groups=labels)
    chosen = report.groups[0].trials[0].document["options"]["moments_in"]
    for axes in CHOICES["moments_in"]:
        moments = _moments_in(report, axes) if axes != chosen else []
        if moments:
            name, lines = f"Internal moments in {axes} axes", ["Means of whole steps"]
            sheets.append(_sheet(name, planes, moments, lines, style))
    return sheets


def _sheet(
    name: str, grid: Grid, strips: Sequence[CurveStrip], lines: Sequence[str], style: GridStyle
) -> tuple[str, Sheet]:
    style = replace(style, height=_height(grid, lines, 2 * len(style.groups)))
    return name, grid_sheet(grid, strips, PERCENT, (name, lines), _WHY, style)


def _height(grid: Grid, lines: Sequence[str], keys: int) -> float:
    """Return the height of a panel of a grid that fits a landscape page, mm."""
    above = header_height(lines, LANDSCAPE[0] - 2 * MARGIN_MM) + 2.0 * keys
    return (LANDSCAPE[1] - _AROUND_MM - above) / len(grid)


def _moments_in(report: Report, axes: str) -> list[CurveStrip]:
    """Return the mean moments of each side of each group in one kind of axes."""
    stacks: dict[tuple[int, str], list[Array]] = {}
    names: tuple[str, ...] = ()
    for g, group in enumerate(report.groups):
        for trial in group.trials:
            pack = trial.view["moments"].get(axes)
            if not pack or not pack["curves"]:
                continue
            names = tuple(pack["names"])
            counted = set(map(id, counted_cycles([trial])))
            for cycle, text in zip(trial.cycles, pack["curves"], strict=True):
                if id(cycle) in counted:
                    values = unpack_floats(text).reshape(-1, POINTS).T
                    stacks.setdefault((g, cycle.cycle.side), []).append(values)
    percent = np.linspace(0.0, 100.0, POINTS)
    return [
        CurveStrip(side, percent, names, np.mean(np.stack(stack), axis=0), (), g)
        for (g, side), stack in stacks.items()
    ]


STANCE = Abscissa("% stance", (0.0, 100.0), (0, 20, 40, 60, 80, 100), averaged=True)
_GRIDS = (("Kinetics of stances", KINETICS), ("Kinematics of stances", KINEMATICS))
_STANCES = "Every stance with valid contacts, also the last ones, which no strike follows"


def stance_sheets(report: Report) -> list[tuple[str, Sheet]]:
    """Return the stances of all groups as a name and a sheet for each grid; empty without any."""
    strips: list[CurveStrip] = []
    done = set[str]()
    for g, group in enumerate(report.groups):
        for trial in group.trials:
            if str(trial.path) in done:  # the part of a trial that turns
                continue
            done.add(str(trial.path))
            for step in trial.stances:
                percent = np.linspace(0.0, 100.0, len(step.values))
                strips.append(CurveStrip(step.stance.side, percent, step.names, step.values, (), g))
    if not strips:
        return []
    counts = [sum(strip.side == side for strip in strips) for side in ("left", "right")]
    lines = [f"{_STANCES}: left {counts[0]}, right {counts[1]}"]
    style = GridStyle(groups=tuple(group.label for group in report.groups))
    return [
        (title, grid_sheet(grid, strips, STANCE, (title, lines), "no stance has it", style))
        for title, grid in _GRIDS
        if any(np.isfinite(s.curve(p.name)).any() for s in strips for row in grid for p in row)
    ]
