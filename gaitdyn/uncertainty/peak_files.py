"""The files of cut-off sensitivity and sweeps: one table and one picture each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.plots.grid import grid_sheet
from gaitdyn.plots.grid_panel import Abscissa, GridStyle
from gaitdyn.tables.csv_files import write_rows
from gaitdyn.uncertainty.advice import median
from gaitdyn.uncertainty.cutoffs import CUTOFFS_HZ, MODES
from gaitdyn.uncertainty.peak_means import peak_grid

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.uncertainty.cutoffs import Sensitivity
    from gaitdyn.uncertainty.peak_means import PeakMeans
    from gaitdyn.uncertainty.sweeps import Sweep


def write_sensitivity(place: Path, found: Sensitivity, name: str, *, figure: bool = True) -> None:
    """Write ``sensitivity.csv``, ``sensitivity.json`` and ``figures/sensitivity.png``.

    Parameters
    ----------
    place : Path
    found : Sensitivity
    name : str
        Of the trial, for the picture.
    figure : bool
    """
    write_rows(
        place / "sensitivity.csv",
        ("mode", "marker_cutoff_hz", "force_cutoff_hz", "side", "quantity", "value", "unit"),
        [
            (mode, *pair, side, quantity, value, found.units[quantity])
            for mode, by_pair in found.values.items()
            for pair, values in by_pair.items()
            for (side, quantity), value in values.items()
        ],
    )
    text = json.dumps(sensitivity_document(found), indent=1)
    (place / "sensitivity.json").write_text(text + "\n", encoding="utf-8", newline="\n")
    if figure:
        label = "cut-off of markers and forces (Hz)"
        at = np.array(CUTOFFS_HZ)
        advice = found.advice
        markers, forces = found.chosen_hz
        winter, crossed = _hz(median(advice.residual)), _hz(median(advice.cross_validation))
        lines = [
            f"Mean over the cycles; the run itself: markers {markers:g} Hz, forces {forces:g} Hz",
            f"Advice, median of the markers: residual {winter}, cross-validation {crossed}",
        ]
        series = list(found.values["matched"].values())
        _draw(
            place, "sensitivity", f"Cut-offs \u2013 {name}", lines, (series, at, label), found.units
        )


def _hz(value: float) -> str:
    return f"{value:.1f} Hz" if np.isfinite(value) else "no answer"


def sensitivity_document(found: Sensitivity) -> dict[str, Any]:
    """Return the contents of ``sensitivity.json``: slopes a hertz, and advice by marker."""
    slopes: dict[str, Any] = {mode: {} for mode in MODES}
    for mode in MODES:
        for (side, quantity), value in found.slopes[mode].items():
            slopes[mode].setdefault(side, {})[quantity] = _known(value)
    methods = {
        "residual_analysis": found.advice.residual,
        "generalised_cross_validation": found.advice.cross_validation,
    }
    return {
        "chosen_hz": dict(zip(("markers", "forces"), found.chosen_hz, strict=True)),
        "slope_per_hz": slopes,
        "advice_hz": {
            name: {
                "median": _known(median(values)),
                "markers": {label: _known(value) for label, value in values.items()},
            }
            for name, values in methods.items()
        },
    }


def _known(value: float) -> float | None:
    return float(f"{value:.6g}") if np.isfinite(value) else None


def write_sweep(place: Path, found: Sweep, name: str, *, figure: bool = True) -> None:
    """Write ``sweep.csv``, ``figures/sweep.png``, and ``sweep.json`` where settings are left out.

    Parameters
    ----------
    place : Path
    found : Sweep
    name : str
        Of the trial, for the picture.
    figure : bool
    """
    write_rows(
        place / "sweep.csv",
        ("key", "setting", "side", "quantity", "value", "base", "difference", "unit"),
        [
            (one.key, one.word, *key, value, base, value - base, found.units[key[1]])
            for one, values in zip(found.settings, found.values, strict=True)
            for key, value in values.items()
            for base in (found.base.get(key, np.nan),)
        ],
    )
    if found.left_out:
        document = {"left_out": dict(found.left_out)}
        text = json.dumps(document, indent=1, ensure_ascii=False)
        (place / "sweep.json").write_text(text + "\n", encoding="utf-8", newline="\n")
    if figure and found.settings:
        words = [f"{i} {s.key}={s.word}" for i, s in enumerate(found.settings, 1)]
        told = "Mean over the cycles, one setting changed at a time: 0 the run itself; "
        lines = [told + "; ".join(words)]
        if found.left_out:
            names = ", ".join(name for name, _ in found.left_out)
            lines.append(f"Left out: {names} (why: sweep.json)")
        at = np.arange(len(found.settings) + 1.0)
        series = ([found.base, *found.values], at, "setting")
        _draw(place, "sweep", f"What if \u2013 {name}", lines, series, found.units)


def _draw(
    place: Path,
    file: str,
    title: str,
    lines: list[str],
    series: tuple[Sequence[PeakMeans], Any, str],
    units: dict[str, str],
) -> None:
    """Draw the peaks of moments and powers; nothing where there is none."""
    from gaitdyn.plots.png import write_png

    values, at, label = series
    grid, strips = peak_grid(values, at, units)
    if not grid:
        return
    low, high = float(at[0]), float(at[-1])
    step = max(1, round((high - low) / 8))
    ticks = tuple(float(x) for x in np.arange(low, high + 0.5, step))
    scale = Abscissa(label, (low, high), ticks, averaged=False)
    sheet = grid_sheet(grid, strips, scale, (title, lines), "", GridStyle(height=30.0))
    (place / "figures").mkdir(exist_ok=True)
    write_png(sheet, place / "figures" / f"{file}.png")
