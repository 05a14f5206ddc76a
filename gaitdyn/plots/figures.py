"""Draw the figures of one trial and write them to files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.cycles.averages import mean_time
from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.cycles.strips import trial_strips
from gaitdyn.plots.clinic.drawn import DrawnCurves
from gaitdyn.plots.clinic.figure import WIDE_MM, figure_sheet
from gaitdyn.plots.clinic.grids import Grid, cells_of, kinematic_grid, kinetic_grid, trunk_grid
from gaitdyn.plots.clinic.shown import shown_course, shown_curves
from gaitdyn.plots.forces import forces_sheet
from gaitdyn.plots.grid_style import over_time
from gaitdyn.plots.headline import cycle_line, filter_line, moment_line, reason_lines, trial_name
from gaitdyn.plots.on_demand import on_demand_sheets
from gaitdyn.plots.panels import INDUCED, KINETICS
from gaitdyn.plots.quality import quality_sheet
from gaitdyn.plots.stacked import Stacks, shown_cycles, stacked_sheet, terms_sheet
from gaitdyn.plots.timeline import result_timeline
from gaitdyn.quality import cycle_status
from gaitdyn.quality.rules.muscles import emg_of
from gaitdyn.types.generalised import INDUCED_WORDS, PART_WORDS
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.plots.marks import Sheet
    from gaitdyn.quality.status import JointStatus
    from gaitdyn.types.curves import Curve
    from gaitdyn.types.cycles import CycleCurves
    from gaitdyn.types.result import Processed


_NARROW_DPI = 150.0
"""Resolution of figures as wide as two journal columns, whose type is small."""

_OF_A_PLANE = 3
"""Landmarks needed to measure the inversion of a foot."""


def draw_figures(
    result: Processed,
    curves: Sequence[Curve],
    cycles: Sequence[CycleCurves],
    folder: Path,
    terms: Sequence[Curve] = (),
) -> list[Path]:
    """Write ``kinematics``, ``trunk``, ``kinetics``, ``forces``, ``emg`` and ``quality.png``.

    Parameters
    ----------
    result : Processed
    curves : sequence of Curve
        From :func:`gaitdyn.tables.columns.run_curves`.
    cycles : sequence of CycleCurves
        Cycles of the same curves.
    folder : Path
        Created if it does not exist.
    terms : sequence of Curve
        From :func:`gaitdyn.tables.terms.term_curves`; if given, ``terms.png`` is written, too.

    Returns
    -------
    list of Path
        Files written, those of bands, cut-offs and other settings that the result keeps among them.
        There is no ``trunk`` without its markers, no ``kinetics`` without any
        moment, power or ground force per kg, no ``forces`` without plates and no ``emg`` without
        muscles and strides.
    """
    from gaitdyn.plots.png import DPI, write_pngs

    sheets = figure_sheets(result, curves, cycles)
    if terms:
        sheets["terms"] = terms_sheet(result, terms, cycle_curves(result, terms))
    sheets |= on_demand_sheets(result, cycles)
    return write_pngs(sheets, folder, lambda s: _NARROW_DPI if s.width_mm <= WIDE_MM else DPI)


def figure_sheets(
    result: Processed, curves: Sequence[Curve], cycles: Sequence[CycleCurves]
) -> dict[str, Sheet]:
    """Return the sheets of every trial: name of a figure -> sheet.

    :func:`draw_figures` adds those of the terms and of what was computed on demand.

    Parameters
    ----------
    result : Processed
    curves : sequence of Curve
    cycles : sequence of CycleCurves
    """
    statuses = cycle_status(result, cycles)
    kinematics, kinetics, drawn = _panels(result, curves, cycles, statuses)
    counts, name = cycle_line(result, cycles, statuses), trial_name(result)
    filters = filter_line(result)
    planar = "the markers show the sagittal plane only" if result.pose.planar else ""
    no_kinetics = [f"No kinetics: {result.no_kinetics}"] if result.no_kinetics else []
    lines = [counts, *no_kinetics, *([planar] if planar else []), filters]
    heading = f"Kinematics \u2013 {name}", lines
    sheets = {"kinematics": figure_sheet(kinematics, drawn, heading)}
    if result.upper is not None:
        heading = f"Trunk \u2013 {name}", [counts, filters]
        sheets["trunk"] = figure_sheet(trunk_grid(), drawn, heading)
    if drawn.shows(kinetics):
        lines = [counts, *reason_lines(statuses), f"{moment_line(result)}. {filters}"]
        sheets["kinetics"] = figure_sheet(kinetics, drawn, (f"Kinetics \u2013 {name}", lines))
    if result.trial.plates:
        sheets["forces"] = forces_sheet(result)
    emg = emg_of(result)
    if emg is not None:
        from gaitdyn.emg.panels import emg_panels
        from gaitdyn.plots.clinic.muscle_grid import muscle_sheet

        panels = emg_panels([emg])
        if any(panel.mean.size for panel in panels):
            sheets["emg"] = muscle_sheet(name, panels, _foot_offs(cycles))
    sheets["quality"] = quality_sheet(result_timeline(result, cycles))
    return sheets


def _panels(
    result: Processed, curves: Sequence[Curve], cycles: Sequence[CycleCurves],
    statuses: Sequence[JointStatus],
) -> tuple[Grid, Grid, DrawnCurves]:  # fmt: skip
    """Return the grids of kinematics and kinetics, and the curves over the cycle or over time."""
    course = () if cycles else shown_course(trial_strips(result, curves))
    names = {name for strip in (*cycles, *course) for name in strip.names}
    feet = [step for step in result.taken if step.place == "foot"]
    inverts = bool(feet) and all(len(step.landmarks) >= _OF_A_PLANE for step in feet)
    legs = {name for name in names if not name.startswith("trunk_")}
    grids = kinematic_grid(legs, inverts=inverts), kinetic_grid(names)
    cells = (cell for grid in (*grids, trunk_grid()) for cell in cells_of(grid))
    drawn_names = [cell.panel.name for cell in cells if cell.panel is not None]
    whole = {(s.side, s.cycle) for s in statuses} - {
        (s.side, s.cycle) for s in statuses if s.status != "ok"
    }
    shown = shown_curves(cycles, drawn_names, lambda x: (x.cycle.side, x.cycle.number) in whole)
    return *grids, DrawnCurves(shown, {}, course)


def _foot_offs(cycles: Sequence[CycleCurves]) -> dict[str, float | None]:
    """Return the mean time of foot-off of each side, %."""
    means: dict[str, float | None] = {}
    for side in SIDES:
        foot_offs = (cycle.cycle.foot_off_percent for cycle in cycles if cycle.cycle.side == side)
        known = tuple(off for off in foot_offs if off is not None)
        means[side] = mean_time(known) if known else None
    return means


def draw_mechanism(
    result: Processed, loads: Sequence[Curve], induced: Sequence[Curve], folder: Path
) -> list[Path]:
    """Write ``generalised.png`` and ``induced.png`` into a folder.

    Parameters
    ----------
    result : Processed
    loads, induced : sequence of Curve
        From :mod:`gaitdyn.tables.generalised`; without ``induced`` there is no second figure.
    folder : Path
        Created if it does not exist.
    """
    from gaitdyn.plots.png import write_pngs

    shown = [curve for curve in loads if "residual" not in curve.name]
    cycles = cycle_curves(result, shown)
    stacks = Stacks(
        f"Generalised coordinates \u2013 {trial_name(result)}",
        tuple(row[0] for row in KINETICS[:3]),
        ((", tau = M qdd + C + G + E", PART_WORDS),),
        (shown_cycles(result, cycles), moment_line(result)),
    )
    sheets = {"generalised": stacked_sheet(*over_time(result, shown, cycles), stacks)}
    if induced:
        stacks = Stacks(
            f"What accelerates the body \u2013 {trial_name(result)}",
            INDUCED[0],
            (("", INDUCED_WORDS),),
            (
                "Acceleration of the body's centre of mass while all standing feet are on plates",
                "Feet fixed at their centres of pressure; head, arms and trunk as one body",
            ),
            "acceleration",
        )
        sheets["induced"] = stacked_sheet(*over_time(result, induced), stacks)
    return write_pngs(sheets, folder)
