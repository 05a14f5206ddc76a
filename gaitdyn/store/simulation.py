"""Write the folder of a simulated system: ``OUT/<name>/`` with its tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.errors import OutputRefused
from gaitdyn.store.folder import ResultsFolder
from gaitdyn.store.whole import LARGEST, regular_bytes, with_files
from gaitdyn.tables.csv_files import write_numbers
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.multibody.systems import Settings, SystemRun

DOCUMENT = "simulation.json"


def simulation_folder(out: Path, name: str, *, force: bool) -> ResultsFolder:
    """Return the folder of a system, or refuse one with other contents.

    Raises
    ------
    OutputRefused
        Unless the folder is empty, has a run of the same system, or ``force`` was given.
    """
    folder = ResultsFolder.prepare(out, Path(name), force=force)
    path = folder.path
    if not force and path.exists() and any(path.iterdir()) and _system(path) != name:
        raise OutputRefused(
            f"{path} has files that are not gaitdyn's run of {name};"
            " choose another folder with -o or replace it with --force"
        )
    return folder


def _system(path: Path) -> str:
    try:
        return str(json.loads(regular_bytes(path / DOCUMENT, LARGEST))["system"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""


def simulation_document(name: str, settings: Settings, run: SystemRun) -> dict[str, Any]:
    """Return the contents of ``simulation.json``: system, parameters, energy, notes."""
    imbalance = run.imbalance_j()
    known = imbalance[np.isfinite(imbalance)]
    return {
        "gaitdyn": __version__,
        "system": name,
        "parameters": {**settings.values, **run.used},
        "as_published": settings.as_published,
        "integrator": settings.integrator,
        "step_s": settings.step_s,
        "samples": len(run.time_s),
        "energy_start_j": float(run.energy_j[0]),
        "energy_imbalance_j": float(np.abs(known).max()) if known.size else None,
        "notes": list(run.notes),
    }


def write_simulation(
    folder: ResultsFolder,
    document: dict[str, Any],
    run: SystemRun,
    *,
    figures: bool,
    texts: Mapping[str, str] | None,
) -> None:
    """Write ``timeseries.csv`` with its dictionary, further tables, ``simulation.json``, figures.

    Parameters
    ----------
    folder : ResultsFolder
    document : dict
        Of :func:`simulation_document`.
    run : SystemRun
    figures : bool
        Draw figures.
    texts : mapping or None
        Further files: name -> text.
    """
    names = ["time_s", *(column.name for column in run.columns), "energy_j"]
    about = {"time_s": {"unit": "s", "meaning": "time"}}
    about |= {c.name: {"unit": c.unit, "meaning": c.meaning} for c in run.columns}
    about["energy_j"] = {"unit": "J", "meaning": "kinetic and potential energy"}
    values = [run.time_s, *run.q.T, *run.qd.T, run.energy_j]
    if run.further is not None:
        names += [column.name for column in run.further.columns]
        about |= {c.name: {"unit": c.unit, "meaning": c.meaning} for c in run.further.columns}
        values += [*run.further.values.T]
    with folder.writing() as path:
        write_numbers(path / "timeseries.csv", names, values)
        _write(path / "timeseries.json", about)
        for table in run.tables:
            columns = ["time_s", *(column.name for column in table.columns)]
            write_numbers(path / f"{table.name}.csv", columns, [run.time_s, *table.values.T])
            units = {c.name: {"unit": c.unit, "meaning": c.meaning} for c in table.columns}
            _write(path / f"{table.name}.json", {"time_s": about["time_s"]} | units)
        for file, text in (texts or {}).items():
            (path / file).write_text(text, encoding="utf-8", newline="\n")
        if figures:
            from gaitdyn.plots.png import write_pngs
            from gaitdyn.plots.simulation import simulation_sheets

            write_pngs(simulation_sheets(document["system"], run), path)
        text = with_files(document, path, _text)[1]
        (path / DOCUMENT).write_text(text, encoding="utf-8", newline="\n")


def _write(path: Path, document: dict[str, Any]) -> None:
    path.write_text(_text(document), encoding="utf-8", newline="\n")


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2) + "\n"
