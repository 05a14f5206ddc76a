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
    writers = [
        _uncertainty_writer(options, told),
        _sensitivity_writer(options, told) if sensitivity else None,
        _sweep_writer(sweeps, told),
    ]
    return [_only_with_legs(writer) for writer in writers if writer is not None]


def _only_with_legs(writer: ResultWriter) -> ResultWriter:
    """Return a writer that skips a result without legs, such as one of EMG alone."""

    def write(folder: Path, result: Result) -> None:
        if result.sides:
            writer(folder, result)

    return write


def _uncertainty_writer(options: Options, progress: Progress) -> ResultWriter | None:
    """Return a writer of the bands, None if they are not requested.

    A file of input errors is read at once, so that a bad one is refused before anything else.
    """
    if options.uncertainty == "none":
        return None
    errors = input_errors(options.uncertainty)

    def write(folder: Path, result: Result) -> None:
        uncertainty = find_uncertainty(result, errors, progress)
        write_uncertainty(folder, result, uncertainty, figure=(folder / "figures").is_dir())

    return write


def _sensitivity_writer(options: Options, progress: Progress) -> ResultWriter:
    """Return a writer of the peaks by cut-off."""
    chosen_cutoffs(options)

    def write(folder: Path, result: Result) -> None:
        sensitivity = find_sensitivity(result, progress)
        write_sensitivity(folder, sensitivity, trial_name(result), figure=_draws(folder, result))

    return write


def _sweep_writer(texts: Sequence[str], progress: Progress) -> ResultWriter | None:
    """Return a writer of the peaks under other settings, None if no setting is named."""
    if not texts:
        return None
    settings = parse_sweeps(texts)

    def write(folder: Path, result: Result) -> None:
        sweep = find_sweep(result, settings, progress)
        write_sweep(folder, sweep, trial_name(result), figure=_draws(folder, result))

    return write


def _draws(folder: Path, result: Result) -> bool:
    """Return whether figures are drawn and the result has loads to show."""
    return (folder / "figures").is_dir() and not result.no_kinetics
