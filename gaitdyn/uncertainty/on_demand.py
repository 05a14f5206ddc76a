"""Compute bands, cut-offs and other settings on demand; keep them with the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.plots.headline import trial_name
from gaitdyn.types.uncertainty import BANDS, CUTOFFS, SWEEP
from gaitdyn.uncertainty.bands import find_uncertainty
from gaitdyn.uncertainty.cutoffs import chosen_cutoffs, find_sensitivity
from gaitdyn.uncertainty.files import bands_of, write_bands
from gaitdyn.uncertainty.inputs import input_errors, no_progress
from gaitdyn.uncertainty.peak_files import cutoff_peaks, swept_peaks, write_sensitivity, write_sweep
from gaitdyn.uncertainty.sweeps import find_sweep, parse_sweeps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from gaitdyn.trial import Result
    from gaitdyn.types.options import Options
    from gaitdyn.uncertainty.inputs import Progress

    Writer = Callable[[Path], None]
    Computation = Callable[[Result], Writer]


def computations_of(
    options: Options, *, sensitivity: bool, sweeps: Sequence[str], told: Progress = no_progress
) -> list[Computation]:
    """Return the requested computations, after checking their settings.

    Each keeps its answer with the result that it is given, so that it is saved with it, and returns
    a function that writes its files into a folder. A result without legs has nothing to compute.

    Parameters
    ----------
    options : Options
    sensitivity : bool
    sweeps : sequence of str
        As ``--sweep``.
    told : callable, optional
        See :data:`gaitdyn.uncertainty.inputs.Progress`.
    """
    errors = input_errors(options.uncertainty)
    if sensitivity:
        chosen_cutoffs(options)
    settings = parse_sweeps(sweeps)

    def bands(result: Result) -> Writer:
        found = result.kept[BANDS] = bands_of(result, find_uncertainty(result, errors, told))
        return lambda folder: write_bands(folder, result, found, figure=_has_figures(folder))

    def cutoffs(result: Result) -> Writer:
        found = find_sensitivity(result, told)
        result.kept[CUTOFFS] = cutoff_peaks(found)
        name = trial_name(result)
        return lambda folder: write_sensitivity(folder, found, name, figure=_draws(folder, result))

    def sweep(result: Result) -> Writer:
        found = find_sweep(result, settings, told)
        result.kept[SWEEP] = swept_peaks(found)
        name = trial_name(result)
        return lambda folder: write_sweep(folder, found, name, figure=_draws(folder, result))

    requested = ((errors is not None, bands), (sensitivity, cutoffs), (bool(settings), sweep))
    return [compute for wanted, compute in requested if wanted]


def _draws(folder: Path, result: Result) -> bool:
    """Return whether figures are drawn and the result has loads to show."""
    return _has_figures(folder) and not result.no_kinetics


def _has_figures(folder: Path) -> bool:
    return (folder / "figures").is_dir()
