"""Compute bands, cut-offs and other settings on demand; keep them with the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.types.uncertainty import BANDS, CUTOFFS, SWEEP
from gaitdyn.uncertainty.bands import find_uncertainty
from gaitdyn.uncertainty.cutoffs import chosen_cutoffs, find_sensitivity
from gaitdyn.uncertainty.inputs import Progress, input_errors, no_progress
from gaitdyn.uncertainty.kept import bands_of, cutoff_peaks, swept_peaks
from gaitdyn.uncertainty.sweeps import find_sweep, options_under, parse_sweeps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gaitdyn.trial import Result
    from gaitdyn.types.options import Options

    Keep = Callable[[Result], None]


def keepers_of(
    options: Options, *, sensitivity: bool, sweeps: Sequence[str], told: Progress = no_progress
) -> list[Keep]:
    """Return the requested computations, after checking their settings.

    Each keeps its answer with the result that it is given; it is saved and reported with it. A
    result without legs has nothing to compute.

    Parameters
    ----------
    options : Options
    sensitivity : bool
    sweeps : sequence of str
        As ``--sweep``.
    told : callable, optional
        See :data:`gaitdyn.uncertainty.inputs.Progress`.

    Raises
    ------
    UsageError
        For a setting that is not possible.
    """
    errors = input_errors(options.uncertainty)
    if sensitivity:
        chosen_cutoffs(options)
    settings = parse_sweeps(sweeps)
    for setting in settings:
        options_under(options, setting)

    def bands(result: Result) -> None:
        result.kept[BANDS] = bands_of(result, find_uncertainty(result, errors, told))

    def cutoffs(result: Result) -> None:
        result.kept[CUTOFFS] = cutoff_peaks(find_sensitivity(result, told))

    def sweep(result: Result) -> None:
        result.kept[SWEEP] = swept_peaks(find_sweep(result, settings, told))

    requested = ((errors is not None, bands), (sensitivity, cutoffs), (bool(settings), sweep))
    return [keep for wanted, keep in requested if wanted]
