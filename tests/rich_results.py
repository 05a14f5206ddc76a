"""Results folders with everything that ``gaitdyn process`` writes on demand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gaitdyn.pipeline import process_trial
from gaitdyn.store import ResultsFolder, write_results
from gaitdyn.types.options import Options
from gaitdyn.uncertainty.bands import find_uncertainty
from gaitdyn.uncertainty.cutoffs import find_sensitivity
from gaitdyn.uncertainty.files import write_uncertainty
from gaitdyn.uncertainty.inputs import InputErrors
from gaitdyn.uncertainty.peak_files import write_sensitivity, write_sweep
from gaitdyn.uncertainty.sweeps import find_sweep, parse_sweeps

if TYPE_CHECKING:
    from pathlib import Path


def rich_results(trial: Path, out: Path, **words: Any) -> Path:
    """Process a trial with bands, terms, cut-offs and a sweep; return its results folder."""
    options = replace(Options(), terms=True, **words)

    def write_more(place: Path) -> None:
        errors = InputErrors(draws=20)
        bands = find_uncertainty(result, errors)
        write_uncertainty(place, result, bands, figure=False)
        write_sensitivity(place, find_sensitivity(result), trial.stem, figure=False)
        sweep = find_sweep(result, parse_sweeps(["cutoff=6,12"]))
        write_sweep(place, sweep, trial.stem, figure=False)

    folder = ResultsFolder.prepare(out, trial)
    result = process_trial(trial, options)
    write_results(folder, result, write_more=write_more)
    return folder.path
