"""Tables on the uncertainty of the loads: shares of variance, slopes, advice, other settings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import fmean

import numpy as np

from gaitdyn.catalogue.keys import internal_name, key_of
from gaitdyn.metrics.norms.curve_names import LOAD_UNITS
from gaitdyn.metrics.peak_definitions import find_definition
from gaitdyn.plots.panels import KINETICS
from gaitdyn.report.contents import TextTable
from gaitdyn.report.extras import Extras, peaks_by_cutoff
from gaitdyn.report.numbers import DASH, decimal, shown
from gaitdyn.report.strides import kinetic_cycles
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES
from gaitdyn.types.uncertainty import Bands, CutoffPeaks

SHOWN_HZ = (4, 6, 8, 10, 12, 15, 20)
"""Cut-offs of the table of peaks."""


@frozen()
class Share:
    """The sources of the band of one curve of one side.

    Attributes
    ----------
    title, side, unit : str
    half : float or None
        Largest half-width of the 95 % band over the cycle, mean of the cycles.
    parts : tuple of float
        Shares of the variance in the order of the sources, 0 to 1.
    """

    title: str
    side: str
    unit: str
    half: float | None
    parts: tuple[float, ...]


def source_words(extras: Extras) -> tuple[str, ...]:
    """Return the names of the sources of variance."""
    return tuple(str(s).replace("_", " ") for s in extras.bands_document.get("sources", ()))


def shares(trials: Sequence[StoredTrial]) -> list[Share]:
    """Return the mean variance shares of each side's moments and powers, for trials with bands."""
    pairs = [(trial, trial.bands) for trial in trials if trial.bands is not None]
    names = {internal_name(n): n for _, bands in pairs for n in bands.names}
    sources = []
    for name, title, unit in _curves(names):
        for side in SIDES:
            parts = [p for _, bands in pairs if (p := _parts(bands, side, name))]
            if parts:
                half = _largest(pairs, side, name)
                mean = tuple(fmean(p) for p in zip(*parts, strict=True))
                sources.append(Share(title, side, unit, half, mean))
    return sources


def _curves(names: dict[str, str]) -> Iterable[tuple[str, str, str]]:
    """Return column, title and unit of the drawn moments and powers, hip first."""
    for panel in (panel for row in KINETICS[:3] for panel in row):
        if panel.name in names:
            yield names[panel.name], panel.title, panel.unit
        elif key_of(panel.name).is_moment:
            lab = key_of(panel.name).in_laboratory()
            if lab.name in names:
                title = f"{lab.part.capitalize()} moment about {lab.component}"
                yield lab.name, title, panel.unit


def _parts(bands: Bands, side: str, name: str) -> list[float]:
    variance = (bands.document["share_of_variance"].get(side) or {}).get(name) or {}
    return [float(variance[source]) for source in bands.document["sources"]] if variance else []


def _largest(pairs: Sequence[tuple[StoredTrial, Bands]], side: str, name: str) -> float | None:
    halves = [
        bands.half[side, number][:, bands.names.index(name)]
        for trial, bands in pairs
        if name in bands.names
        for number in kinetic_cycles(trial, side)
        if (side, number) in bands.half
    ]
    mean = np.mean(halves, axis=0) if halves else np.array([np.nan])
    return float(mean.max()) if np.isfinite(mean).all() else None


def share_table(found: Sequence[Share], words: Sequence[str]) -> TextTable:
    """Return the shares as a table of texts."""
    rows = tuple(
        (
            f"{share.title} ({share.unit})",
            share.side,
            shown(share.half, 3),
            *(f"{100 * part:.0f}" for part in share.parts),
        )
        for share in found
    )
    columns = ("Curve", "Side", "\u00b1 largest", *(f"{word} (%)" for word in words))
    return TextTable("Share of the variance by source", columns, rows)


def input_words(extras: Extras) -> str:
    """Return the stated input errors, from the first trial with any."""
    document = extras.bands_document
    if not document:
        return ""
    errors = []
    for name, entry in document["inputs"].items():
        words, _, unit = name.rpartition("_")
        size = entry.get("sd", entry.get("largest_amplitude", float("nan")))
        most = "to " if "largest_amplitude" in entry else ""
        errors.append(f"{words.replace('_', ' ')} {most}{size:g} {unit.replace('percent', '%')}")
    return (
        f"Stated input errors, one standard deviation: {', '.join(errors)};"
        f" {document.get('draws')} draws, seed {document.get('seed')}"
    )


def _with_cutoffs(trials: Sequence[StoredTrial]) -> list[tuple[str, CutoffPeaks]]:
    """Return name and peaks by cut-off of the trials that have them."""
    return [(trial.name, trial.cutoffs) for trial in trials if trial.cutoffs is not None]


def advice_table(trials: Sequence[StoredTrial]) -> TextTable:
    """Return the cut-offs of every trial next to the advice of two methods."""
    rows = []
    for trial, cutoffs in _with_cutoffs(trials):
        chosen, advice = cutoffs.document["chosen_hz"], cutoffs.document["advice_hz"]
        cells = [chosen["markers"], chosen["forces"], *(a["median"] for a in advice.values())]
        rows.append((trial, *(shown(x, 1) for x in cells)))
    columns = (
        "Trial",
        "Markers (Hz)",
        "Forces (Hz)",
        "Residual analysis (Hz)",
        "Cross-validation (Hz)",
    )
    notes = (
        (
            "Advice: median of the markers by residual analysis (Winter 2009) and by generalised"
            " cross-validation (Craven and Wahba 1979). Both use positions, not moments, and"
            " change nothing; markers that were filtered before have no white noise."
        ),
    )
    return TextTable("Cut-offs as run, and as advised", columns, tuple(rows), notes)


def cutoff_table(trials: Sequence[StoredTrial]) -> TextTable:
    """Return the peaks at some matched cut-offs, with their slope at the cut-off of the run."""
    with_cutoffs, rows = _with_cutoffs(trials), []
    for trial, cutoffs in with_cutoffs:
        peaks = [x for x in peaks_by_cutoff(cutoffs, "matched") if x[1] in LOAD_UNITS]
        slopes = cutoffs.document["slope_per_hz"]["matched"]
        for (side, name), _, by_hz in sorted(peaks, key=lambda x: peak_order(x[0][1])):
            slope = (slopes.get(side) or {}).get(name)
            cells = (shown(by_hz.get(hz), 2) for hz in SHOWN_HZ)
            title = f"{trial}: " * (len(with_cutoffs) > 1) + peak_title(name)
            rows.append((title, side, *cells, shown(slope, 3, "+")))
    columns = ("Peak", "Side", *(f"{hz} Hz" for hz in SHOWN_HZ), "Slope (per Hz)")
    return TextTable("Peaks by matched cut-off", columns, tuple(rows))


def sweep_tables(trials: Sequence[StoredTrial]) -> list[TextTable]:
    """Return the peaks of each trial under other settings, with their differences."""
    tables = []
    for name_of_trial, sweep in ((t.name, t.sweep) for t in trials if t.sweep is not None):
        table, base = sweep.table, sweep.base.tolist()
        loads = [j for j, unit in enumerate(table.units) if unit in LOAD_UNITS]
        rows = []
        for j in sorted(loads, key=lambda j: peak_order(table.peaks[j][1])):
            side, name = table.peaks[j]
            cells = [_changed(value, base[j]) for value in table.values[:, j].tolist()]
            rows.append((peak_title(name), side, shown(base[j], 2), *cells))
        columns = ("Peak", "Side", "As run", *(f"{key}={word}" for key, word in table.settings))
        tail = f", {name_of_trial}" if len(trials) > 1 else ""
        notes = tuple(f"Left out: {name}: {why}" for name, why in sweep.left_out)
        tables.append(TextTable(f"What if{tail}", columns, tuple(rows), notes))
    return tables


def _changed(value: float, base: float) -> str:
    if not math.isfinite(value - base):
        return DASH
    return f"{decimal(value, 2)} ({decimal(value - base, 2, '+')})"


def peak_title(name: str) -> str:
    """Return title and unit of a peak, or its name if it has no definition."""
    try:
        peak = find_definition(name)
    except KeyError:
        return name.replace("_", " ")
    return f"{peak.title} ({peak.unit})"


def peak_order(name: str) -> tuple[int, int, str]:
    """Return the sorting key of a peak: hip, knee, ankle, and moments before powers."""
    key, order = key_of(name), ("hip", "knee", "ankle")
    rank = order.index(key.part) if key.part in order else len(order)
    return rank, key.is_power_part, name
