"""Writing everything that one trial gives into its results folder."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.cycles import cycle_curves
from gaitdyn.metrics import peaks
from gaitdyn.metrics.gait_parameters import gait_parameters
from gaitdyn.quality import cycle_status, verdict
from gaitdyn.quality.rules import audited
from gaitdyn.stages.mechanism import find_mechanism
from gaitdyn.store.document import document_text, result_document
from gaitdyn.store.view import write_view
from gaitdyn.tables.columns import own_curves
from gaitdyn.tables.csv_files import write_numbers, write_rows
from gaitdyn.tables.generalised import generalised_curves, induced_curves
from gaitdyn.tables.terms import term_curves
from gaitdyn.tables.vendor_names import vendor_curves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from gaitdyn.stages.mechanism import Mechanism
    from gaitdyn.store.folder import ResultsFolder
    from gaitdyn.types.curves import Curve
    from gaitdyn.types.cycles import CycleCurves
    from gaitdyn.types.quantities import Quantity
    from gaitdyn.types.result import Result


def write_results(
    folder: ResultsFolder,
    result: Result,
    *,
    figures: bool = False,
    intermediate: bool = False,
    further: Callable[[Path], None] | None = None,
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
    further : callable, optional
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
    terms = term_curves(result) if result.options.terms else []
    mechanism = find_mechanism(result) if result.options.generalised else None
    statuses = cycle_status(result, cycles)
    document = result_document(result, verdict(result, statuses), statuses, mechanism)
    text = document_text(document)
    with folder.writing() as place:
        write_timeseries(place, result, curves)
        write_cycles(place, cycles)
        write_quantities(place / "peaks.csv", peaks(cycles, result.recording.rate_hz))
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
        if further is not None:
            further(place)
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


def write_timeseries(
    place: Path, result: Result, curves: Sequence[Curve], stem: str = "timeseries"
) -> None:
    """Write ``timeseries.csv`` and its dictionary ``timeseries.json``; ``stem`` is their name."""
    names = ["frame", "time_s", *(curve.name for curve in curves)]
    columns = [result.frame_numbers, result.time_s, *(curve.values for curve in curves)]
    write_numbers(place / f"{stem}.csv", names, columns)
    words = {
        "frame": ("1", "", "", "number of the frame in the C3D file, from 1 (header word 4)"),
        "time_s": ("s", "", "", "(frame - 1) / rate, the clock of EVENT:TIMES"),
        **{curve.name: (curve.unit, curve.frame, curve.positive, curve.how) for curve in curves},
    }
    keys = ("unit", "frame", "positive", "how")
    dictionary = {name: dict(zip(keys, text, strict=True)) for name, text in words.items()}
    lines = (f" {_json(name)}: {_json(entry)}" for name, entry in dictionary.items())
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (place / f"{stem}.json").write_text(text, encoding="utf-8", newline="\n")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def write_cycles(place: Path, cycles: Sequence[CycleCurves]) -> None:
    """Write ``cycles.csv``: 101 rows a cycle, loads and powers per kg of body mass."""
    names = list(dict.fromkeys(name for curves in cycles for name in curves.names))
    lines = [",".join(["side", "cycle", "percent", *names])]
    for curves in cycles:
        at = {name: i for i, name in enumerate(curves.names)}
        empty = np.full(len(curves.values), np.nan)
        table = np.stack([curves.values[:, at[n]] if n in at else empty for n in names], axis=1)
        head = f"{curves.cycle.side},{curves.cycle.number}"
        form = head + ",%d," + ",".join(["%.10g"] * len(names))
        lines += [form % (i, *row) for i, row in enumerate(table.tolist())]
    text = "\n".join([*lines, ""]).replace("nan", "")
    (place / "cycles.csv").write_text(text, encoding="utf-8", newline="\n")


def write_quantities(path: Path, quantities: Iterable[Quantity]) -> None:
    """Write numbers of cycles, a row each; one that is not known has an empty value."""
    write_rows(
        path,
        ("side", "cycle", "quantity", "value", "unit", "percent"),
        [(q.side, q.cycle, q.name, q.value, q.unit, q.percent) for q in quantities],
    )


def write_lists(place: Path, result: Result) -> None:
    """Write ``events.csv``, ``contacts.csv`` and ``quality.csv``."""
    rate, first = result.recording.rate_hz, result.recording.first_frame
    write_rows(
        place / "events.csv",
        ("side", "event", "frame", "time_s", "source"),
        [
            (e.side, e.kind, round(e.time_s * rate + 1, 3), float(e.time_s), e.source)
            for e in result.events
        ],
    )
    write_rows(
        place / "contacts.csv",
        ("plate", "side", "first_frame", "last_frame", "peak_n", "verdict", "reason"),
        [
            (c.plate, c.side, c.start + first, c.stop + first - 1, c.peak_N, c.verdict, c.reason)
            for c in result.contacts
        ],
    )
    write_rows(
        place / "quality.csv",
        ("level", "code", "scope", "value", "limit", "message"),
        [(f.level, f.code, f.scope, f.value, f.limit, f.message) for f in result.findings],
    )


def write_motion(path: Path, result: Result) -> None:
    """Write ``motion.npz``: filtered markers, and for each leg what ``inverse_dynamics`` takes.

    The arguments carry the side: ``left_mass``, ``left_R_GS`` and so on; segments are foot,
    shank, thigh, SI units.
    """
    arrays = {
        "frame": result.frame_numbers,
        "time_s": result.time_s,
        "labels": np.array(result.trial.labels),
        "markers_G": result.trial.markers_G,
        "R_GL": result.trial.R_GL,
        "R_GP": result.pose.R_GP,
    }
    for side, found in result.sides.items():
        if found.kinetics is not None:
            chain = found.kinetics.loads.chain
            for name in chain.__dataclass_fields__:
                arrays[f"{side}_{name}"] = getattr(chain, name)
    np.savez_compressed(path, **arrays)
