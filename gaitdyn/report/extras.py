"""The uncertainty of the loads: bands, terms, cut-offs and sweeps, read from the folders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name, key_of
from gaitdyn.report.contents import all_trials
from gaitdyn.report.strides import kinetic_cycles
from gaitdyn.types.arrays import Array
from gaitdyn.types.loads import PARTS
from gaitdyn.types.subject import SIDES
from gaitdyn.types.uncertainty import Bands, CutoffPeaks, SweptPeaks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gaitdyn.report.groups import Group
    from gaitdyn.report.report import Report
    from gaitdyn.store.stored import StoredTrial


OPTIONS = {
    "bands": ("95 % bands and their sources", "--uncertainty default"),
    "terms": ("terms of the moments", "--terms"),
    "cutoffs": ("peaks by cut-off", "--sensitivity"),
    "sweeps": ("peaks under other settings", "--sweep cutoff=6,10"),
}
"""Optional results, and the option of ``gaitdyn process`` that writes each."""


@dataclass(frozen=True, slots=True, eq=False)
class TermMean:
    """The parts of one joint moment of one side: mean of the cycles with full kinetics.

    Attributes
    ----------
    group : int
    side, joint : str
    plane : int
        0 sagittal, 1 frontal, 2 transverse; axis z, x, y of the laboratory.
    name : str
        Column of the moment without the side.
    parts : array, shape (101, 8)
        In the order of :data:`gaitdyn.types.loads.PARTS`, N m/kg.
    count : int
        Number of cycles.
    """

    group: int
    side: str
    joint: str
    plane: int
    name: str
    parts: Array
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Extras:
    """The optional results in the folders of a report.

    Attributes
    ----------
    bands, cutoffs, sweeps : tuple
        One per trial, in the order of the groups; None for a folder without it.
    terms : tuple of TermMean
    trials_with_terms : int
    trials : int
    """

    bands: tuple[Bands | None, ...]
    cutoffs: tuple[CutoffPeaks | None, ...]
    sweeps: tuple[SweptPeaks | None, ...]
    terms: tuple[TermMean, ...]
    trials_with_terms: int
    trials: int

    @property
    def counts(self) -> dict[str, int]:
        """Number of trials with each kind."""
        kinds = {"bands": self.bands, "cutoffs": self.cutoffs, "sweeps": self.sweeps}
        counts = {kind: sum(x is not None for x in values) for kind, values in kinds.items()}
        return {"terms": self.trials_with_terms} | counts

    @property
    def missing(self) -> tuple[tuple[str, str], ...]:
        """The kinds that no trial has: words and option."""
        return tuple(OPTIONS[key] for key in OPTIONS if not self.counts[key])

    def of(self, key: str) -> str:
        """Return ``; of 1 of the 3 trials`` if some trials lack a kind, else an empty text."""
        count = self.counts[key]
        return "" if count in (0, self.trials) else f"; of {count} of the {self.trials} trials"


def find_extras(groups: Sequence[Group]) -> Extras:
    """Return the optional results in the folders of some groups.

    Parameters
    ----------
    groups : sequence of Group
    """
    trials = all_trials(groups)
    terms, count = _terms(groups)
    return Extras(
        tuple(trial.bands for trial in trials),
        tuple(trial.cutoffs for trial in trials),
        tuple(trial.sweep for trial in trials),
        terms,
        count,
        len(trials),
    )


def _terms(groups: Sequence[Group]) -> tuple[tuple[TermMean, ...], int]:
    """Return the mean parts of every moment of each side, and how many trials have terms."""
    means: list[TermMean] = []
    count = 0
    for g, group in enumerate(groups):
        stacks: dict[tuple[str, str], list[Array]] = {}
        for trial in group.trials:
            count += _add_terms(trial, stacks)
        for (side, name), stack in sorted(stacks.items(), key=lambda x: SIDES.index(x[0][0])):
            joint, plane = key_of(name).part, key_of(name).plane()
            mean = np.mean(stack, axis=0)
            means.append(TermMean(g, side, joint, plane, name, mean, len(stack)))
    return tuple(means), count


def _add_terms(trial: StoredTrial, stacks: dict[tuple[str, str], list[Array]]) -> bool:
    """Add the parts of cycles in which all are known; return whether the trial has any terms."""
    for (side, cycle), curves in (trial.terms or {}).items():
        if cycle not in kinetic_cycles(trial, side):
            continue
        bare = dict.fromkeys(n.removesuffix("_inertial") for n in curves.names if "_inertial" in n)
        for name in bare:
            parts = np.stack([curves.curve(f"{name}_{part}") for part in PARTS], axis=1)
            if np.isfinite(parts).all():
                stacks.setdefault((side, name), []).append(parts)
    return bool(trial.terms)


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
    documents = [c.document for c in extras.cutoffs if c is not None]
    chosen = {key: [d["chosen_hz"][key] for d in documents] for key in ("markers", "forces")}
    advice = {
        key: [d["advice_hz"].get(key, {}).get("median") for d in documents]
        for key in ("residual_analysis", "generalised_cross_validation")
    }
    return chosen | advice


Series = dict[tuple[int, str, str], tuple[list[float], list[float], int]]


def cutoff_series(report: Report, mode: str) -> Series:
    """Return the peaks by cut-off.

    Parameters
    ----------
    report : Report
    mode : {"matched", "markers", "forces"}
        Whether the cut-off of both, of the markers or of the forces is changed.

    Returns
    -------
    dict
        (group, side, peak) -> cut-offs in Hz, values, number of trials.
    """
    groups = [g for g, group in enumerate(report.groups) for _ in group.trials]
    by_key: dict[tuple[int, str, str], list[dict[float, float]]] = {}
    for g, cutoffs in zip(groups, report.extras.cutoffs, strict=True):
        if cutoffs is None:
            continue
        for (side, name), _, values in peaks_by_cutoff(cutoffs, mode):
            if values and side in SIDES and internal_name(name) in _PEAK_NAMES:
                by_key.setdefault((g, side, name), []).append(values)
    series: Series = {}
    for key, stack in by_key.items():
        hz = sorted(set.intersection(*(set(values) for values in stack)))
        mean = [round(float(np.mean([values[x] for values in stack])), _DIGITS) for x in hz]
        series[key] = hz, mean, len(stack)
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
