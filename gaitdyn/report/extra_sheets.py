"""Sheets of the PDF on the uncertainty of the loads, and the pictures of quality."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.catalogue.keys import internal_name, key_of
from gaitdyn.cycles.strips import CurveStrip, cycle_strips
from gaitdyn.plots.flow import LANDSCAPE, MARGIN_MM
from gaitdyn.plots.grid import grid_sheet
from gaitdyn.plots.grid_style import PERCENT, Abscissa, GridStyle, limits_of_values
from gaitdyn.plots.headline import header_height
from gaitdyn.plots.marks import Sheet
from gaitdyn.plots.panels import KINETICS, Panel
from gaitdyn.plots.quality import quality_sheet
from gaitdyn.plots.stacked import parts_sheet
from gaitdyn.report.contents import TextTable
from gaitdyn.report.extras import PEAKS, cutoff_marks, cutoff_series
from gaitdyn.report.report import Report
from gaitdyn.report.strides import kinetic_cycles
from gaitdyn.report.tables.extras import input_words, share_table, source_words
from gaitdyn.types.arrays import Array
from gaitdyn.types.loads import PARTS
from gaitdyn.types.subject import SIDES

_AROUND_MM = 72.0
"""Height of a landscape page without panels: margins, row heads, key and horizontal scale, mm."""

_GRID_MM, _TERMS_MM = 51.0, 47.0
_STEPS = (4.0, 8.0, 12.0, 16.0, 20.0)
_CHANGED = {"matched": "markers and forces", "markers": "markers alone", "forces": "forces alone"}
_PLANES = ("", ", frontal plane", ", transverse plane")
_MODES = {"matched": "", "markers": ", markers alone", "forces": ", forces alone"}
_CUTOFFS = Abscissa("cut-off of markers and forces (Hz)", (4.0, 20.0), _STEPS, averaged=False)


def quality_sheets(report: Report) -> list[Sheet]:
    """Return the picture of quality of a single trial, or of every trial that does not pass."""
    lines = report.timelines
    return [quality_sheet(t) for t in lines if len(lines) == 1 or t.verdict != "pass"]


def extra_sheets(report: Report) -> list[Sheet]:
    """Return bands, terms and peaks by cut-off, as far as the folders have them."""
    sheets: list[Sheet] = []
    for g, group in enumerate(report.groups):
        sheets += [*_bands(report, g, group.tail), *_terms(report, g, group.tail, 0)]
    return [*sheets, *cutoff_sheets(report, "matched")]


def extra_tables(report: Report) -> list[TextTable]:
    """Return the tables of variance shares, of advised cut-offs and of other settings."""
    tables: list[TextTable] = []
    if report.shares:
        table = share_table(report.shares, source_words(report.extras))
        notes = (f"{input_words(report.extras)}{report.extras.of('bands')}.",)
        tables.append(replace(table, notes=notes))
    return [*tables, *report.cutoffs[:1], *report.sweeps]


def _bands(report: Report, g: int, tail: str) -> list[Sheet]:
    """Return moments and powers of one group with the band around their mean."""
    strips, margins = banded_strips(report, g)
    if not strips:
        return []
    lines = [f"{input_words(report.extras)}{report.extras.of('bands')}. Cycles with full kinetics"]
    return [_grid(f"Uncertainty of moments and powers{tail}", lines, strips, margins)]


def banded_strips(report: Report, g: int) -> tuple[list[CurveStrip], dict[str, dict[str, Array]]]:
    """Return the whole steps of one group that have bands, and half the width of the bands.

    Returns
    -------
    list of CurveStrip
    dict
        Side -> name of a curve -> mean half-width over its strips, shape (101,).
    """
    strips: list[CurveStrip] = []
    halves: dict[str, list[dict[str, Array]]] = {side: [] for side in SIDES}
    trials = report.groups[g].trials
    for trial, bands in ((t, t.bands) for t in trials if t.bands is not None):
        for curves in trial.cycles:
            cycle = curves.cycle
            half = bands.half.get((cycle.side, cycle.number))
            if half is not None and cycle.number in kinetic_cycles(trial, cycle.side):
                strips += cycle_strips([curves])
                halves[cycle.side].append({n: half[:, i] for i, n in enumerate(bands.names)})
    margins = {
        side: {name: np.mean([h[name] for h in cycles], axis=0) for name in cycles[0]}
        for side, cycles in halves.items()
        if cycles and all(h.keys() == cycles[0].keys() for h in cycles)
    }
    return strips, margins


def _grid(
    title: str, lines: list[str], strips: list[CurveStrip], margins: dict[str, dict[str, Array]]
) -> Sheet:
    style = GridStyle(_GRID_MM, _height(lines), margins=margins)
    return grid_sheet(KINETICS[:3], strips, PERCENT, (title, lines), "no cycle has it", style)


def _height(lines: list[str]) -> float:
    """Return the height of a panel of three rows on a landscape page, mm."""
    return (LANDSCAPE[1] - _AROUND_MM - header_height(lines, LANDSCAPE[0] - 2 * MARGIN_MM)) / 3


def terms_sheets(report: Report, plane: int) -> list[Sheet]:
    """Return the terms of the moments in a plane: 0 sagittal, 1 frontal, 2 transverse."""
    return [
        s for g, group in enumerate(report.groups) for s in _terms(report, g, group.tail, plane)
    ]


def _terms(report: Report, g: int, tail: str, plane: int) -> list[Sheet]:
    """Return the terms of the moments of one group in a plane."""
    strips: list[CurveStrip] = []
    counts = {}
    for side in SIDES:
        terms = [term for term in report.extras.terms if (term.group, term.side) == (g, side)]
        if terms:
            names = tuple(f"{term.name}_{part}" for term in terms for part in PARTS)
            values = np.concatenate([term.parts for term in terms], axis=1)
            strips.append(CurveStrip(side, np.linspace(0.0, 100.0, len(values)), names, values, ()))
            counts[side] = terms[0].count
    if not strips:
        return []
    cycles = ", ".join(f"{side} {count}" for side, count in counts.items())
    lines = [f"Mean of the cycles with full kinetics: {cycles}{report.extras.of('terms')}"]
    title = f"What the moments are made of{_PLANES[plane]}{tail}"
    size = _TERMS_MM, _height(lines)
    return [parts_sheet(strips, PERCENT, (title, lines), size, plane)]


def cutoff_sheets(report: Report, mode: str) -> list[Sheet]:
    """Return the peaks of all groups by cut-off.

    Parameters
    ----------
    report : Report
    mode : {"matched", "markers", "forces"}
        Whether the cut-off of both, of the markers or of the forces is changed.
    """
    series = cutoff_series(report, mode)
    if not series:
        return []
    peaks = {key[2] for key in series}
    cutoffs_hz = np.array(sorted(set().union(*series.values())))
    strips = []
    for g, side in dict.fromkeys((key[0], key[1]) for key in series):
        columns = []
        for name in peaks:
            value_at = series.get((g, side, name), {})
            columns.append([value_at.get(x, np.nan) for x in cutoffs_hz.tolist()])
        strips.append(CurveStrip(side, cutoffs_hz, tuple(peaks), np.array(columns).T, (), g))
    rows = tuple(tuple(_peak_panel(n, peaks, strips) for n in row) for row in PEAKS)
    marks = cutoff_marks(report.extras)
    lines = [
        (
            f"Mean of the cycles in which a peak is known{report.extras.of('cutoffs')}; the run"
            f" itself: markers {_hz(marks['markers'])}, forces {_hz(marks['forces'])}"
        ),
        (
            f"Advice, median of the markers: residual analysis {_hz(marks['residual_analysis'])},"
            f" cross-validation {_hz(marks['generalised_cross_validation'])}"
        ),
    ]
    labels = tuple(group.label for group in report.groups)
    style = GridStyle(_GRID_MM, _height(lines), groups=labels)
    head = (f"Peaks by cut-off{_MODES[mode]}", lines)
    abscissa = replace(_CUTOFFS, label=f"cut-off of {_CHANGED[mode]} (Hz)")
    return [grid_sheet(rows, strips, abscissa, head, "not known in these axes", style)]


def _hz(values: list[float | None]) -> str:
    texts = dict.fromkeys("no answer" if x is None else f"{x:.1f} Hz" for x in values)
    return ", ".join(texts)


_BURST = 2
"""Letters of the name of a burst of power, such as H3."""


def _peak_panel(name: str, names: set[str], strips: list[CurveStrip]) -> Panel:
    """Return the panel of a peak under its name in these results, with suitable limits."""
    column = next((n for n in names if internal_name(n) == name), name)
    unit = "W/kg" if key_of(name).is_power_part else "N m/kg"
    words = column.split("_")
    burst = [word.upper() if len(word) == _BURST else word for word in words]
    title = " ".join((words[0].capitalize(), *burst[1:]))
    return Panel(column, title, unit, limits_of_values(strips, column), "", "")
