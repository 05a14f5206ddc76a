"""The uncertainty of the loads: bands, terms, cut-offs and sweeps, read from the folders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.report.contents import all_trials
from gaitdyn.report.strides import kinetic_cycles
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.loads import PARTS
from gaitdyn.types.subject import SIDES
from gaitdyn.types.uncertainty import CutoffPeaks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gaitdyn.report.groups import Group
    from gaitdyn.report.report import Report
    from gaitdyn.store.stored import StoredTrial


OPTIONS = {
    "bands": ("95 % bands and their sources", "--uncertainty default"),
    "terms": ("terms of the moments", "--terms"),
    "cutoffs": ("peaks by cut-off", "--sensitivity"),
    "sweep": ("peaks under other settings", "--sweep cutoff=6,10"),
}
"""Optional results of a trial, and the option of ``gaitdyn process`` that writes each."""


@frozen(eq=False)
class TermMean:
    """The parts of one joint moment of one side: mean of the cycles with full kinetics.

    Attributes
    ----------
    group : int
    side : str
    name : str
        Column of the moment without the side.
    parts : array, shape (101, 8)
        In the order of :data:`gaitdyn.types.loads.PARTS`, N m/kg.
    count : int
        Number of cycles.
    """

    group: int
    side: str
    name: str
    parts: Array
    count: int


@frozen(eq=False)
class Extras:
    """The optional results of the trials of a report, and the means of their terms."""

    trials: tuple[StoredTrial, ...]
    terms: tuple[TermMean, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Number of trials with each kind."""
        return {kind: sum(bool(getattr(t, kind)) for t in self.trials) for kind in OPTIONS}

    @property
    def bands_document(self) -> dict[str, Any]:
        """Sources and stated errors of the first bands; empty without any."""
        return next((t.bands.document for t in self.trials if t.bands is not None), {})

    @property
    def missing(self) -> tuple[tuple[str, str], ...]:
        """The kinds that no trial has: words and option."""
        return tuple(OPTIONS[key] for key in OPTIONS if not self.counts[key])

    def of(self, key: str) -> str:
        """Return ``; of 1 of the 3 trials`` if some trials lack a kind, else an empty text."""
        count, trials = self.counts[key], len(self.trials)
        return "" if count in (0, trials) else f"; of {count} of the {trials} trials"


def find_extras(groups: Sequence[Group]) -> Extras:
    """Return the optional results of some groups."""
    means: list[TermMean] = []
    for g, group in enumerate(groups):
        stacks: dict[tuple[str, str], list[Array]] = {}
        for trial in group.trials:
            _add_terms(trial, stacks)
        for (side, name), stack in sorted(stacks.items(), key=lambda x: SIDES.index(x[0][0])):
            means.append(TermMean(g, side, name, np.mean(stack, axis=0), len(stack)))
    return Extras(tuple(all_trials(groups)), tuple(means))


def _add_terms(trial: StoredTrial, stacks: dict[tuple[str, str], list[Array]]) -> None:
    """Add the parts of the moments of cycles in which all parts are known."""
    for (side, cycle), curves in (trial.terms or {}).items():
        if cycle not in kinetic_cycles(trial, side):
            continue
        bare = dict.fromkeys(n.removesuffix("_inertial") for n in curves.names if "_inertial" in n)
        for name in bare:
            parts = np.stack([curves.curve(f"{name}_{part}") for part in PARTS], axis=1)
            if np.isfinite(parts).all():
                stacks.setdefault((side, name), []).append(parts)


PEAKS = (
    ("hip_moment_extension_max", "hip_moment_extension_min", "hip_moment_abduction_first_peak",
     "hip_power_h3_peak"),
    ("knee_moment_extension_max", "knee_moment_extension_min", "knee_moment_abduction_first_peak",
     "knee_power_k3_peak"),
    ("ankle_moment_plantarflexion_max", "ankle_moment_plantarflexion_min", "ankle_power_a1_peak",
     "ankle_power_a2_peak"),
)  # fmt: skip
"""The peaks drawn by cut-off, under the names of internal moments; the table has all."""

_DIGITS = 6


def cutoff_marks(extras: Extras) -> dict[str, list[float | None]]:
    """Return the cut-offs as run and as advised, Hz, one value per trial that has them."""
    documents = [t.cutoffs.document for t in extras.trials if t.cutoffs is not None]
    chosen = {key: [d["chosen_hz"][key] for d in documents] for key in ("markers", "forces")}
    advice = {
        key: [d["advice_hz"].get(key, {}).get("median") for d in documents]
        for key in ("residual_analysis", "generalised_cross_validation")
    }
    return chosen | advice


def cutoff_series(report: Report, mode: str) -> dict[tuple[int, str, str], dict[float, float]]:
    """Return the peaks by cut-off.

    Parameters
    ----------
    report : Report
    mode : {"matched", "markers", "forces"}
        Whether the cut-off of both, of the markers or of the forces is changed.

    Returns
    -------
    dict
        (group, side, peak) -> cut-off in Hz -> mean of the trials that know the peak there.
    """
    by_key: dict[tuple[int, str, str], list[dict[float, float]]] = {}
    for g, group in enumerate(report.groups):
        for cutoffs in (t.cutoffs for t in group.trials if t.cutoffs is not None):
            for (side, name), _, values in peaks_by_cutoff(cutoffs, mode):
                if values and side in SIDES and internal_name(name) in _PEAK_NAMES:
                    by_key.setdefault((g, side, name), []).append(values)
    series = {}
    for key, stack in by_key.items():
        hz = sorted(set.intersection(*(set(values) for values in stack)))
        mean_at = {x: float(np.mean([values[x] for values in stack])) for x in hz}
        series[key] = {x: round(mean, _DIGITS) for x, mean in mean_at.items()}
    return series


def peaks_by_cutoff(
    cutoffs: CutoffPeaks, mode: str
) -> Iterator[tuple[tuple[str, str], str, dict[float, float]]]:
    """Yield side and quantity, unit, and the known values by cut-off in Hz, of every peak."""
    table, which = cutoffs.table, 2 if mode == "forces" else 1
    rows = [i for i, setting in enumerate(table.settings) if setting[0] == mode]
    cutoffs_hz = [float(table.settings[i][which]) for i in rows]
    for peak, unit, values in zip(table.peaks, table.units, table.values[rows].T, strict=True):
        pairs = zip(cutoffs_hz, values.tolist(), strict=True)
        yield peak, unit, {hz: value for hz, value in pairs if np.isfinite(value)}


_PEAK_NAMES = {name for row in PEAKS for name in row}
