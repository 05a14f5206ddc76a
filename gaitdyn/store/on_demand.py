"""Tables of what was computed on demand: bands, cut-offs, other settings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.tables.csv_files import block_lines, write_rows
from gaitdyn.types.uncertainty import BANDS, CUTOFFS, SWEEP

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.types.result import Processed
    from gaitdyn.types.uncertainty import Bands, CutoffPeaks, SweptPeaks


def write_on_demand(place: Path, result: Processed) -> None:
    """Write the tables and documents of what a result keeps.

    Parameters
    ----------
    place : Path
    result : Processed
    """
    for name, write in ((BANDS, write_bands), (CUTOFFS, write_cutoffs), (SWEEP, write_sweep)):
        if name in result.kept:
            write(place, result.kept[name])


def write_bands(place: Path, bands: Bands) -> None:
    """Write ``uncertainty.csv`` and ``uncertainty.json``."""
    heads = ("side", "cycle", "percent", *bands.names)
    blocks = (
        (
            (side,),
            np.column_stack((np.full(len(half), float(number)), np.arange(float(len(half))), half)),
        )
        for (side, number), half in bands.half.items()
    )
    with (place / "uncertainty.csv").open("wb") as file:
        file.writelines(block_lines(heads, blocks))
    _write_document(place / "uncertainty.json", bands.document)


def write_cutoffs(place: Path, cutoffs: CutoffPeaks) -> None:
    """Write ``sensitivity.csv`` and ``sensitivity.json``."""
    table = cutoffs.table
    write_rows(
        place / "sensitivity.csv",
        ("mode", "marker_cutoff_hz", "force_cutoff_hz", "side", "quantity", "value", "unit"),
        [
            (*setting, *peak, value, unit)
            for setting, values in zip(table.settings, table.values.tolist(), strict=True)
            for peak, value, unit in zip(table.peaks, values, table.units, strict=True)
        ],
    )
    _write_document(place / "sensitivity.json", cutoffs.document)


def write_sweep(place: Path, sweep: SweptPeaks) -> None:
    """Write ``sweep.csv``, and ``sweep.json`` if settings are left out."""
    table, bases = sweep.table, sweep.base.tolist()
    write_rows(
        place / "sweep.csv",
        ("key", "setting", "side", "quantity", "value", "base", "difference", "unit"),
        [
            (*setting, *peak, value, base, value - base, unit)
            for setting, values in zip(table.settings, table.values.tolist(), strict=True)
            for peak, value, base, unit in zip(table.peaks, values, bases, table.units, strict=True)
        ],
    )
    if sweep.left_out:
        _write_document(place / "sweep.json", {"left_out": dict(sweep.left_out)})


def _write_document(path: Path, document: dict[str, Any]) -> None:
    text = json.dumps(document, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")
