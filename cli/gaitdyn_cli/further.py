"""What ``gaitdyn process`` writes on demand beside the results of a trial."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from gaitdyn.types.options import Options
    from gaitdyn.types.result import Result

    Writer = Callable[[Path], None]
    ResultWriter = Callable[[Path, Result], None]


def uncertainty_writer(trial: Path, options: Options) -> ResultWriter | None:
    """Return what writes the bands, None where none are asked for.

    A file of input errors is read at once, so that a bad one is refused before anything else.

    Parameters
    ----------
    trial : Path
    options : Options
    """
    if options.uncertainty == "none":
        return None
    from gaitdyn.stages.session import read_session
    from gaitdyn.uncertainty import find_uncertainty, input_errors, write_uncertainty

    errors = input_errors(options.uncertainty)

    def write(place: Path, result: Result) -> None:
        found = find_uncertainty(read_session(trial, options), options, errors)
        write_uncertainty(place, result, found, figure=(place / "figures").is_dir())

    return write


def sensitivity_writer(trial: Path, options: Options) -> ResultWriter:
    """Return what writes the peaks by cut-off."""
    from gaitdyn.stages.session import read_session
    from gaitdyn.uncertainty.cutoffs import chosen_cutoffs, find_sensitivity
    from gaitdyn.uncertainty.peak_files import write_sensitivity

    chosen_cutoffs(options)

    def write(place: Path, result: Result) -> None:
        found = find_sensitivity(read_session(trial, options), options)
        write_sensitivity(place, found, trial.stem, figure=_drawn(place, result))

    return write


def sweep_writer(trial: Path, options: Options, texts: Sequence[str]) -> ResultWriter | None:
    """Return what writes the peaks under other settings, None where none are named."""
    if not texts:
        return None
    from gaitdyn.uncertainty.peak_files import write_sweep
    from gaitdyn.uncertainty.sweeps import find_sweep, parse_sweeps

    settings = parse_sweeps(texts)

    def write(place: Path, result: Result) -> None:
        found = find_sweep(trial, options, settings)
        write_sweep(place, found, trial.stem, figure=_drawn(place, result))

    return write


def _drawn(place: Path, result: Result) -> bool:
    """Return whether figures are drawn, and show loads."""
    return (place / "figures").is_dir() and not result.no_kinetics


def joined(
    result: Result, writers: Sequence[ResultWriter | None], last: Writer | None
) -> Writer | None:
    """Return one writer that calls those that are there in turn, None where none is.

    Parameters
    ----------
    result : Result
    writers : sequence of callable or None
    last : callable or None
        Knows the place alone, such as the writer of a report.
    """
    known = [writer for writer in writers if writer is not None]
    if not known:
        return last

    def write(place: Path) -> None:
        for writer in known:
            writer(place, result)
        if last is not None:
            last(place)

    return write
