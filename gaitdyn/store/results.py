"""Writing everything that one trial gives into its results folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitdyn.cycles import cycle_curves, stance_curves
from gaitdyn.metrics import peaks, stance_peaks
from gaitdyn.metrics.gait_parameters import gait_parameters
from gaitdyn.quality import cycle_status, verdict
from gaitdyn.quality.rules import audited
from gaitdyn.stages.mechanism import find_mechanism
from gaitdyn.store.document import document_text, result_document
from gaitdyn.store.result_tables import (
    write_cycles,
    write_lists,
    write_motion,
    write_quantities,
    write_timeseries,
)
from gaitdyn.store.stances import write_stances
from gaitdyn.store.view import write_view
from gaitdyn.tables.columns import own_curves
from gaitdyn.tables.generalised import generalised_curves, induced_curves
from gaitdyn.tables.terms import term_curves
from gaitdyn.tables.vendor_names import vendor_curves

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gaitdyn.stages.mechanism import Mechanism
    from gaitdyn.store.folder import ResultsFolder
    from gaitdyn.types.result import Result


def write_results(
    folder: ResultsFolder,
    result: Result,
    *,
    figures: bool = False,
    intermediate: bool = False,
    write_more: Callable[[Path], None] | None = None,
) -> dict[str, Any]:
    """Write the tables, ``result.json`` and what else is asked for.

    Parameters
    ----------
    folder : ResultsFolder
    result : Result
    figures : bool
        Draw ``figures/*.png``.
    intermediate : bool
        Write ``motion.npz``.
    write_more : callable, optional
        Writes more, such as a report, into the folder it is given, before that is put in place.

    Returns
    -------
    dict
        The contents of ``result.json``.

    Raises
    ------
    OutputRefused
        When the folder holds something else, or cannot be written.
    """
    folder.check(result.recording.sha256)
    result = audited(result)
    own = own_curves(result)
    curves = vendor_curves(result) if result.options.names == "pig" else own
    cycles = cycle_curves(result, own)
    stances = stance_curves(result, own)
    terms = term_curves(result) if result.options.terms else []
    mechanism = find_mechanism(result) if result.options.generalised else None
    statuses = cycle_status(result, cycles)
    document = result_document(result, verdict(result, statuses), statuses, mechanism)
    text = document_text(document)
    with folder.writing() as place:
        write_timeseries(place, result, curves)
        write_cycles(place, cycles)
        write_stances(place, stances)
        rate = result.recording.rate_hz
        found = [*peaks(cycles, rate), *stance_peaks(stances, rate)]
        write_quantities(place / "peaks.csv", found)
        write_quantities(place / "gait_parameters.csv", gait_parameters(result))
        write_lists(place, result)
        write_view(place / "view.json", result, cycles)
        if terms:
            write_timeseries(place, result, terms, "terms")
        if mechanism is not None:
            write_mechanism(place, result, mechanism, figures=figures)
        if intermediate:
            write_motion(place / "motion.npz", result)
        if figures:
            from gaitdyn.plots import draw_figures

            draw_figures(result, own, cycles, place / "figures", terms)
        (place / "result.json").write_text(text, encoding="utf-8", newline="\n")
        if write_more is not None:
            write_more(place)
    return document


def write_mechanism(place: Path, result: Result, mechanism: Mechanism, *, figures: bool) -> None:
    """Write ``generalised.csv`` and ``induced.csv`` with their dictionaries and pictures."""
    loads = generalised_curves(result, mechanism)
    write_timeseries(place, result, loads, "generalised")
    induced = mechanism.induced and induced_curves(result, mechanism.induced)
    if induced:
        write_timeseries(place, result, induced, "induced")
    if figures:
        from gaitdyn.plots import draw_mechanism

        draw_mechanism(result, loads, induced or [], place / "figures")
