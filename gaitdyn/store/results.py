"""Write everything that one trial gives into its results folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gaitdyn.stages.mechanism import Mechanism
from gaitdyn.store.binary import VALUES, write_values
from gaitdyn.store.document import document_of, document_text
from gaitdyn.store.folder import DOCUMENT, ResultsFolder
from gaitdyn.store.private import with_private
from gaitdyn.store.result_tables import (
    write_cycle_words,
    write_cycles,
    write_lists,
    write_motion,
    write_muscles,
    write_on_demand,
    write_stances,
    write_timeseries,
)
from gaitdyn.store.visit import without_copy, write_visit
from gaitdyn.store.whole import FILES, SEAL, entry_of, with_files
from gaitdyn.tables import answers
from gaitdyn.tables.generalised import generalised_curves, induced_curves
from gaitdyn.types.result import Processed


def write_results(
    folder: ResultsFolder,
    result: Processed,
    *,
    figures: bool = False,
    intermediate: bool = False,
    write_more: Callable[[Path], None] | None = None,
    write_last: Callable[[Path, list[dict[str, Any]]], None] | None = None,
) -> dict[str, Any]:
    """Write the tables, ``result.json`` and whatever else is requested.

    Parameters
    ----------
    folder : ResultsFolder
    result : Processed
    figures : bool
        Draw ``figures/*.png``.
    intermediate : bool
        Write ``motion.npz``.
    write_more : callable, optional
        Writes more, such as a report, into the temporary folder before it is moved into place.
    write_last : callable, optional
        Writes a document besides ``result.json``; it receives the folder and the name, size and
        SHA-256 of every file in it.

    Returns
    -------
    dict
        The contents of ``result.json``.

    Raises
    ------
    OutputRefused
        If the folder holds something else or cannot be written.
    """
    folder.check(result.recording.sha256)
    curves = answers.curves_of(result)
    cycles = answers.cycle_curves_of(result)
    terms = answers.terms_of(result) if result.options.terms else []
    mechanism = answers.mechanism_of(result)
    document = {k: v for k, v in document_of(result).items() if k not in {FILES, SEAL}}
    document = with_private(document, result, folder.path)
    with folder.writing(result.recording.sha256) as place:
        write_timeseries(place, result, answers.shown_curves_of(result))
        write_cycles(place, cycles, answers.counting_of(result))
        write_stances(place, answers.stance_curves_of(result))
        write_cycle_words(place, result)
        write_lists(place, result)
        write_muscles(place, result)
        write_on_demand(place, result)
        write_values(place / VALUES, result)
        if terms:
            write_timeseries(place, result, terms, "terms")
        if mechanism is not None:
            write_mechanism(place, result, mechanism, figures=figures)
        if intermediate:
            write_motion(place / "motion.npz", result)
        if figures:
            from gaitdyn.plots import draw_figures

            draw_figures(result, curves, cycles, place / "figures", terms)
        write_visit(place, result.visit, folder.path)
        if write_more is not None:
            write_more(place)
        without_copy(place)
        return _close(place, document, write_last)


def _close(
    place: Path,
    document: dict[str, Any],
    write_last: Callable[[Path, list[dict[str, Any]]], None] | None,
) -> dict[str, Any]:
    """Write ``result.json``, which lists all other files, and the last document."""
    document, text = with_files(document, place, document_text)
    (place / DOCUMENT).write_text(text, encoding="utf-8", newline="\n")
    if write_last is not None:
        write_last(place, [*document[FILES], entry_of(place / DOCUMENT)])
    return document


def write_mechanism(place: Path, result: Processed, mechanism: Mechanism, *, figures: bool) -> None:
    """Write ``generalised.csv`` and ``induced.csv`` with their dictionaries and pictures."""
    loads = generalised_curves(result, mechanism)
    write_timeseries(place, result, loads, "generalised")
    induced = mechanism.induced and induced_curves(result, mechanism.induced)
    if induced:
        write_timeseries(place, result, induced, "induced")
    if figures:
        from gaitdyn.plots import draw_mechanism

        draw_mechanism(result, loads, induced or [], place / "figures")
