"""Which loads a sweep or a series of cut-offs changes most, as lines to print."""

from __future__ import annotations

import numpy as np

from gaitdyn.metrics.norms.curve_names import LOAD_UNITS
from gaitdyn.types.arrays import Array
from gaitdyn.types.uncertainty import CutoffPeaks, PeakTable, SweptPeaks

_VISIBLE = 0.005
"""Smallest change that is visible with two decimals."""


def sweep_lines(sweep: SweptPeaks) -> list[str]:
    """Return the settings that are left out, and what each of the others changes most."""
    lines = [f"--sweep {name} is left out: {why}" for name, why in sweep.left_out]
    for (key, word), values in zip(sweep.table.settings, sweep.table.values, strict=True):
        lines += _line(f"--sweep {key}={word}", sweep.table, sweep.base, values)
    return lines


def sensitivity_lines(cutoffs: CutoffPeaks) -> list[str]:
    """Return the moment and the power that differ most over the cut-offs, both filters together."""
    table = cutoffs.table
    rows = [i for i, setting in enumerate(table.settings) if setting[0] == "matched"]
    values = table.values[rows]
    if not np.isfinite(values).any():
        return []
    hertz = [table.settings[i][1] for i in rows]
    head = f"--sensitivity, {min(hertz):g} to {max(hertz):g} Hz"
    ends = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
    return _line(head, table, *ends)


def _line(head: str, table: PeakTable, before: Array, after: Array) -> list[str]:
    """Return the largest change in each unit; nothing if there are no loads."""
    if not set(LOAD_UNITS) & set(table.units):
        return []
    largest = []
    for unit in LOAD_UNITS:
        change = np.where(np.array(table.units) == unit, np.abs(after - before), np.nan)
        if np.nanmax(change, initial=0.0) >= _VISIBLE:
            j = int(np.nanargmax(change))
            name = " ".join(table.peaks[j]).replace("_", " ")
            largest.append(f"{name} {before[j]:.2f} to {after[j]:.2f} {unit}")
    if not largest:
        return [f"{head}: no peak of a moment or power changes by 0.01 N m/kg or W/kg"]
    return [f"{head}: largest change in {', in '.join(largest)}"]
