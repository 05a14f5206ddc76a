"""What is written on demand beside the results of a trial: bands, cut-offs, other settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.plots.headline import trial_name
from gaitdyn.uncertainty.bands import find_uncertainty
from gaitdyn.uncertainty.cutoffs import chosen_cutoffs, find_sensitivity
from gaitdyn.uncertainty.files import write_uncertainty
from gaitdyn.uncertainty.inputs import input_errors, untold
from gaitdyn.uncertainty.peak_files import write_sensitivity, write_sweep
from gaitdyn.uncertainty.sweeps import find_sweep, parse_sweeps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from gaitdyn.trial import Result
    from gaitdyn.types.options import Options
    from gaitdyn.uncertainty.inputs import Told

    ResultWriter = Callable[[Path, Result], None]


def writers_of(
    options: Options, *, sensitivity: bool, sweeps: Sequence[str], told: Told = untold
) -> list[ResultWriter]:
    """Return the writers of what is asked for; a wrong setting is refused here.

    Parameters
    ----------
    options : Options
    sensitivity : bool
    sweeps : sequence of str
        As ``--sweep``.
    told : callable, optional
        Is told how far each is.
    """
    found = [
        uncertainty_writer(options, told),
        sensitivity_writer(options, told) if sensitivity else None,
        sweep_writer(sweeps, told),
    ]
    return [of_loads(writer) for writer in found if writer is not None]


def of_loads(writer: ResultWriter) -> ResultWriter:
    """Return a writer that passes over a result without legs, such as electromyography alone."""

    def write(place: Path, result: Result) -> None:
        if result.sides:
            writer(place, result)

    return write


def uncertainty_writer(options: Options, told: Told = untold) -> ResultWriter | None:
    """Return what writes the bands, None where none are asked for.

    A file of input errors is read at once, so that a bad one is refused before anything else.

    Parameters
    ----------
    options : Options
    told : callable, optional
        Is told how far it is.
    """
    if options.uncertainty == "none":
        return None
    errors = input_errors(options.uncertainty)

    def write(place: Path, result: Result) -> None:
        found = find_uncertainty(result, errors, told)
        write_uncertainty(place, result, found, figure=(place / "figures").is_dir())

    return write


def sensitivity_writer(options: Options, told: Told = untold) -> ResultWriter:
    """Return what writes the peaks by cut-off."""
    chosen_cutoffs(options)

    def write(place: Path, result: Result) -> None:
        found = find_sensitivity(result, told)
        write_sensitivity(place, found, trial_name(result), figure=_drawn(place, result))

    return write


def sweep_writer(texts: Sequence[str], told: Told = untold) -> ResultWriter | None:
    """Return what writes the peaks under other settings, None where none are named."""
    if not texts:
        return None
    settings = parse_sweeps(texts)

    def write(place: Path, result: Result) -> None:
        found = find_sweep(result, settings, told)
        write_sweep(place, found, trial_name(result), figure=_drawn(place, result))

    return write


def _drawn(place: Path, result: Result) -> bool:
    """Return whether figures are drawn, and show loads."""
    return (place / "figures").is_dir() and not result.no_kinetics
