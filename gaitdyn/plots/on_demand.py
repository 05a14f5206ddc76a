"""Figures of what was computed on demand: bands, cut-offs, other settings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.cycles.strips import CurveStrip, cycle_strips
from gaitdyn.plots.grid import grid_sheet
from gaitdyn.plots.grid_style import PERCENT, Abscissa, GridStyle, limits_of_values
from gaitdyn.plots.headline import filter_line, moment_line, trial_name
from gaitdyn.plots.marks import Sheet
from gaitdyn.plots.panels import KINETICS, Panel
from gaitdyn.quality import cycle_status
from gaitdyn.quality.verdicts import kinetic_cycles
from gaitdyn.types.arrays import Array
from gaitdyn.types.cycles import CycleCurves
from gaitdyn.types.result import Processed
from gaitdyn.types.uncertainty import (
    BANDS,
    CUTOFFS,
    SWEEP,
    Bands,
    CutoffPeaks,
    PeakTable,
    SweptPeaks,
)

_COLUMNS = 4
_MOST_NAMES = 25
"""Settings of a sweep that a panel has room to name below; more are numbered."""


def on_demand_sheets(result: Processed, cycles: Sequence[CycleCurves]) -> dict[str, Sheet]:
    """Return ``uncertainty``, ``sensitivity`` and ``sweep``, as far as a result keeps them."""
    kept, sheets = result.kept, dict[str, "Sheet | None"]()
    if BANDS in kept:
        sheets["uncertainty"] = bands_sheet(result, kept[BANDS], cycles)
    if CUTOFFS in kept and not result.no_kinetics:
        sheets["sensitivity"] = cutoffs_sheet(trial_name(result), kept[CUTOFFS])
    if SWEEP in kept and not result.no_kinetics:
        sheets["sweep"] = sweep_sheet(trial_name(result), kept[SWEEP])
    return {name: sheet for name, sheet in sheets.items() if sheet is not None}


def bands_sheet(result: Processed, bands: Bands, cycles: Sequence[CycleCurves]) -> Sheet | None:
    """Return a sheet of the moments and powers with their bands, means over the cycles.

    The cycles of a side are those with full kinetics; if it has none, all of them.

    Returns
    -------
    Sheet or None
        None if no cycle has a band.
    """
    margins: dict[str, dict[str, Array]] = {}
    statuses, shown = cycle_status(result, cycles), list[CycleCurves]()
    banded = [x for x in cycles if (x.cycle.side, x.cycle.number) in bands.half]
    for side in dict.fromkeys(x.cycle.side for x in banded):
        of_side = [x for x in banded if x.cycle.side == side]
        full = kinetic_cycles(statuses, side)
        of_side = [x for x in of_side if x.cycle.number in full] or of_side
        shown += of_side
        halves = [bands.half[side, x.cycle.number] for x in of_side]
        count = np.isfinite(halves).sum(axis=0)
        mean = np.nansum(halves, axis=0) / np.where(count > 0, count, np.nan)
        margins[side] = {name: mean[:, j] for j, name in enumerate(bands.names)}
    if not any(np.isfinite(half).any() for half in bands.half.values()):
        return None
    draws, seed = bands.document["draws"], bands.document["seed"]
    lines = [
        f"Bands: 95 % by the stated input errors, {draws} draws, seed {seed}",
        f"{moment_line(result)}. {filter_line(result)}",
    ]
    return grid_sheet(
        KINETICS[:3],
        cycle_strips(shown),
        PERCENT,
        (f"Uncertainty \u2013 {trial_name(result)}", lines),
        "no foot is alone on a plate, or markers are missing",
        GridStyle(margins=margins),
    )


def cutoffs_sheet(name: str, cutoffs: CutoffPeaks) -> Sheet | None:
    """Return the peaks of moments and powers by the cut-off of markers and forces.

    Parameters
    ----------
    name : str
        Of the trial.
    cutoffs : CutoffPeaks
    """
    table, document = cutoffs.table, cutoffs.document
    rows = [i for i, setting in enumerate(table.settings) if setting[0] == "matched"]
    chosen, advice = document["chosen_hz"], document["advice_hz"]
    residual, validated = (
        _hz(advice[key]["median"]) for key in ("residual_analysis", "generalised_cross_validation")
    )
    run = f"markers {chosen['markers']:g} Hz, forces {chosen['forces']:g} Hz"
    lines = [
        f"Mean over the cycles; the run itself: {run}",
        f"Advice, median of the markers: residual {residual}, cross-validation {validated}",
    ]
    x = np.array([table.settings[i][1] for i in rows])
    low, high = (float(x[0]), float(x[-1])) if rows else (0.0, 1.0)
    ticks = np.arange(low, high + 0.5, max(1, round((high - low) / 8)))
    label, ends = "cut-off of markers and forces (Hz)", (low, high)
    scale = Abscissa(label, ends, tuple(ticks.tolist()), averaged=False)
    return _peak_sheet(f"Cut-offs \u2013 {name}", lines, table, table.values[rows], x, scale)


def _hz(value: float | None) -> str:
    return "no answer" if value is None else f"{value:.1f} Hz"


def sweep_sheet(name: str, sweep: SweptPeaks) -> Sheet | None:
    """Return the peaks of moments and powers under every setting, those of the run itself first.

    Parameters
    ----------
    name : str
        Of the trial.
    sweep : SweptPeaks
    """
    table = sweep.table
    words = ["the run itself", *(f"{key}={word}" for key, word in table.settings)]
    heading = "Mean over the cycles, one setting changed at a time; left discs, right squares"
    names = tuple(words)
    if len(words) > _MOST_NAMES:
        names = tuple(map(str, range(len(words))))
        heading += ": " + "; ".join(f"{i} {word}" for i, word in enumerate(words))
    lines = [heading]
    if sweep.left_out:
        left_out = ", ".join(word for word, _ in sweep.left_out)
        lines.append(f"Left out: {left_out} (why: sweep.json)")
    values, x = np.vstack([sweep.base, table.values]), np.arange(float(len(words)))
    scale = Abscissa("", (-0.5, len(words) - 0.5), tuple(x.tolist()), averaged=False, names=names)
    return _peak_sheet(f"What if \u2013 {name}", lines, table, values, x, scale)


def _peak_sheet(
    title: str, lines: list[str], table: PeakTable, values: Array, x: Array, scale: Abscissa
) -> Sheet | None:
    """Return the peaks of moments and powers over a horizontal scale, None if there are none."""
    loads = [
        (name, unit)
        for (_, name), unit in zip(table.peaks, table.units, strict=True)
        if unit.endswith("/kg") and _is_load(name)
    ]
    units, strips = dict(loads), list[CurveStrip]()
    column = {peak: values[:, j] for j, peak in enumerate(table.peaks)}
    unknown = np.full(len(values), np.nan)
    for side in dict.fromkeys(side for side, _ in table.peaks):
        columns = [column.get((side, name), unknown) for name in units]
        strips.append(CurveStrip(side, x, tuple(units), np.column_stack([*columns]), ()))
    panels = [
        Panel(name, name.replace("_", " "), unit, limits_of_values(strips, name), "", "")
        for name, unit in units.items()
        if any(np.isfinite(strip.curve(name)).any() for strip in strips)
    ]
    if len(x) < 2 or not panels:  # noqa: PLR2004  nothing to compare
        return None
    grid = tuple(tuple(panels[i : i + _COLUMNS]) for i in range(0, len(panels), _COLUMNS))
    return grid_sheet(grid, strips, scale, (title, lines), "", GridStyle(height=30.0))


def _is_load(name: str) -> bool:
    key = key_of(name)
    return key.is_moment or key.is_power_part
