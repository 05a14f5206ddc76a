"""Write cut-off sensitivity and sweeps: one table and one figure each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.plots.grid import grid_sheet
from gaitdyn.plots.grid_panel import Abscissa, GridStyle
from gaitdyn.tables.csv_files import write_rows
from gaitdyn.types.uncertainty import CutoffPeaks, SweptPeaks
from gaitdyn.uncertainty.advice import median
from gaitdyn.uncertainty.cutoffs import CUTOFFS_HZ, MODES
from gaitdyn.uncertainty.peak_means import peak_grid, peak_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.uncertainty.cutoffs import Sensitivity
    from gaitdyn.uncertainty.peak_means import PeakMeans
    from gaitdyn.uncertainty.sweeps import Sweep


def write_sensitivity(
    folder: Path, sensitivity: Sensitivity, name: str, *, figure: bool = True
) -> None:
    """Write ``sensitivity.csv``, ``sensitivity.json`` and ``figures/sensitivity.png``.

    Parameters
    ----------
    folder : Path
    sensitivity : Sensitivity
    name : str
        Of the trial, for the picture.
    figure : bool
    """
    write_rows(
        folder / "sensitivity.csv",
        ("mode", "marker_cutoff_hz", "force_cutoff_hz", "side", "quantity", "value", "unit"),
        [
            (mode, *pair, side, quantity, value, sensitivity.units[quantity])
            for mode, by_pair in sensitivity.values.items()
            for pair, values in by_pair.items()
            for (side, quantity), value in values.items()
        ],
    )
    text = json.dumps(sensitivity_document(sensitivity), indent=1)
    (folder / "sensitivity.json").write_text(text + "\n", encoding="utf-8", newline="\n")
    if figure:
        label = "cut-off of markers and forces (Hz)"
        advice = sensitivity.advice
        markers, forces = sensitivity.chosen_hz
        residual, validated = _hz(median(advice.residual)), _hz(median(advice.cross_validation))
        lines = [
            f"Mean over the cycles; the run itself: markers {markers:g} Hz, forces {forces:g} Hz",
            f"Advice, median of the markers: residual {residual}, cross-validation {validated}",
        ]
        series = list(sensitivity.values["matched"].values()), np.array(CUTOFFS_HZ), label
        _draw(folder, "sensitivity", f"Cut-offs \u2013 {name}", lines, series, sensitivity.units)


def cutoff_peaks(sensitivity: Sensitivity) -> CutoffPeaks:
    """Return the peaks by cut-off as a result keeps them.

    Parameters
    ----------
    sensitivity : Sensitivity
    """
    by_setting = {
        (mode, *pair): peaks
        for mode, by_pair in sensitivity.values.items()
        for pair, peaks in by_pair.items()
    }
    table = peak_table(tuple(by_setting), tuple(by_setting.values()), sensitivity.units)
    return CutoffPeaks(table, sensitivity_document(sensitivity))


def _hz(value: float) -> str:
    return f"{value:.1f} Hz" if np.isfinite(value) else "no answer"


def sensitivity_document(sensitivity: Sensitivity) -> dict[str, Any]:
    """Return the contents of ``sensitivity.json``: slopes per hertz, and advice by marker."""
    slopes: dict[str, Any] = {mode: {} for mode in MODES}
    for mode in MODES:
        for (side, quantity), value in sensitivity.slopes[mode].items():
            slopes[mode].setdefault(side, {})[quantity] = _rounded(value)
    methods = {
        "residual_analysis": sensitivity.advice.residual,
        "generalised_cross_validation": sensitivity.advice.cross_validation,
    }
    return {
        "chosen_hz": dict(zip(("markers", "forces"), sensitivity.chosen_hz, strict=True)),
        "slope_per_hz": slopes,
        "advice_hz": {
            name: {
                "median": _rounded(median(values)),
                "markers": {label: _rounded(value) for label, value in values.items()},
            }
            for name, values in methods.items()
        },
    }


def _rounded(value: float) -> float | None:
    return float(f"{value:.6g}") if np.isfinite(value) else None


def swept_peaks(sweep: Sweep) -> SweptPeaks:
    """Return the peaks under other settings as a result keeps them.

    Parameters
    ----------
    sweep : Sweep
    """
    table = peak_table([(s.key, s.word) for s in sweep.settings], sweep.values, sweep.units)
    base = np.array([sweep.base.get(key, np.nan) for key in table.peaks])
    return SweptPeaks(table, base, sweep.left_out)


def write_sweep(folder: Path, sweep: Sweep, name: str, *, figure: bool = True) -> None:
    """Write ``sweep.csv``, ``figures/sweep.png``, and ``sweep.json`` if settings are left out.

    Parameters
    ----------
    folder : Path
    sweep : Sweep
    name : str
        Of the trial, for the picture.
    figure : bool
    """
    write_rows(
        folder / "sweep.csv",
        ("key", "setting", "side", "quantity", "value", "base", "difference", "unit"),
        [
            (setting.key, setting.word, *key, value, base, value - base, sweep.units[key[1]])
            for setting, values in zip(sweep.settings, sweep.values, strict=True)
            for key, value in values.items()
            for base in (sweep.base.get(key, np.nan),)
        ],
    )
    if sweep.left_out:
        document = {"left_out": dict(sweep.left_out)}
        text = json.dumps(document, indent=1, ensure_ascii=False)
        (folder / "sweep.json").write_text(text + "\n", encoding="utf-8", newline="\n")
    if figure and sweep.settings:
        words = [f"{i} {s.key}={s.word}" for i, s in enumerate(sweep.settings, 1)]
        heading = "Mean over the cycles, one setting changed at a time: 0 the run itself; "
        lines = [heading + "; ".join(words)]
        if sweep.left_out:
            names = ", ".join(name for name, _ in sweep.left_out)
            lines.append(f"Left out: {names} (why: sweep.json)")
        series = ([sweep.base, *sweep.values], np.arange(len(sweep.settings) + 1.0), "setting")
        _draw(folder, "sweep", f"What if \u2013 {name}", lines, series, sweep.units)


def _draw(
    folder: Path,
    file: str,
    title: str,
    lines: list[str],
    series: tuple[Sequence[PeakMeans], Any, str],
    units: dict[str, str],
) -> None:
    """Draw the peaks of moments and powers, if there are any."""
    from gaitdyn.plots.png import write_png

    values, x, label = series
    grid, strips = peak_grid(values, x, units)
    if not grid:
        return
    low, high = float(x[0]), float(x[-1])
    step = max(1, round((high - low) / 8))
    ticks = tuple(float(x) for x in np.arange(low, high + 0.5, step))
    scale = Abscissa(label, (low, high), ticks, averaged=False)
    sheet = grid_sheet(grid, strips, scale, (title, lines), "", GridStyle(height=30.0))
    (folder / "figures").mkdir(exist_ok=True)
    write_png(sheet, folder / "figures" / f"{file}.png")
