"""Write optional files into a results folder: bands, cut-offs, other settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.plots.headline import trial_name
from gaitdyn.uncertainty.bands import find_uncertainty
from gaitdyn.uncertainty.cutoffs import chosen_cutoffs, find_sensitivity
from gaitdyn.uncertainty.files import write_uncertainty
from gaitdyn.uncertainty.inputs import input_errors, no_progress
from gaitdyn.uncertainty.peak_files import write_sensitivity, write_sweep
from gaitdyn.uncertainty.sweeps import find_sweep, parse_sweeps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from gaitdyn.trial import Result
    from gaitdyn.types.options import Options
    from gaitdyn.uncertainty.inputs import Progress

    ResultWriter = Callable[[Path, Result], None]


def writers_of(
    options: Options, *, sensitivity: bool, sweeps: Sequence[str], told: Progress = no_progress
) -> list[ResultWriter]:
    """Return the writers of the requested files, after checking their settings.

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

    def write_bands(folder: Path, result: Result) -> None:
        uncertainty = find_uncertainty(result, errors, told)
        write_uncertainty(folder, result, uncertainty, figure=(folder / "figures").is_dir())

    def write_cutoffs(folder: Path, result: Result) -> None:
        found = find_sensitivity(result, told)
        write_sensitivity(folder, found, trial_name(result), figure=_draws(folder, result))

    def write_settings(folder: Path, result: Result) -> None:
        found = find_sweep(result, settings, told)
        write_sweep(folder, found, trial_name(result), figure=_draws(folder, result))

    requested = (
        (errors is not None, write_bands),
        (sensitivity, write_cutoffs),
        (bool(settings), write_settings),
    )
    return [_only_with_legs(write) for wanted, write in requested if wanted]


def _only_with_legs(writer: ResultWriter) -> ResultWriter:
    """Return a writer that skips a result without legs, such as one of EMG alone."""

    def write(folder: Path, result: Result) -> None:
        if result.sides:
            writer(folder, result)

    return write


def _draws(folder: Path, result: Result) -> bool:
    """Return whether figures are drawn and the result has loads to show."""
    return (folder / "figures").is_dir() and not result.no_kinetics
