"""Results folders read back: the documents and tables of one trial."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gaitdyn.errors import ResultsRefused
from gaitdyn.quality.rules.muscles import emg_of
from gaitdyn.store.binary import UNREADABLE, VALUES, read_values
from gaitdyn.store.document import document_of, document_text
from gaitdyn.store.folder import DOCUMENT
from gaitdyn.store.result_tables import tables_of
from gaitdyn.store.view import view_of
from gaitdyn.tables.answers import cycle_curves_of, stance_curves_of
from gaitdyn.tables.csv_files import shown
from gaitdyn.types.cycles import CycleCurves, StanceCurves
from gaitdyn.types.emg import Emg
from gaitdyn.types.result import Processed

_PARTS = ("gaitdyn", "inputs", "options", "subject", "model", "file", "verdict", "status")


@dataclass(frozen=True, slots=True, eq=False)
class StoredTrial:
    """One results folder.

    Attributes
    ----------
    path : Path
    name : str
        Of the trial's file, without its ending.
    document, view : dict
        Contents of ``result.json`` and ``view.json``.
    cycles : tuple of CycleCurves
        Contents of ``cycles.csv``, in its order.
    tables : dict
        Name of a further table, such as ``quality``, -> its rows.
    stances : tuple of StanceCurves
        Contents of ``stances.csv``, in its order.
    emg : Emg or None
        Electromyography; None where the recording has none. See :mod:`gaitdyn.emg.panels`.
    """

    path: Path
    name: str
    document: dict[str, Any]
    view: dict[str, Any]
    cycles: tuple[CycleCurves, ...]
    tables: dict[str, list[dict[str, str]]]
    stances: tuple[StanceCurves, ...] = ()
    emg: Emg | None = None

    @property
    def condition(self) -> str:
        """Under which the subject walked; empty when nobody said."""
        return str(self.document["options"].get("condition") or "")


def read_trial(path: Path) -> StoredTrial:
    """Return one results folder.

    Parameters
    ----------
    path : Path

    Returns
    -------
    StoredTrial

    Raises
    ------
    ResultsRefused
        When a file is missing or cannot be read.
    """
    result = stored_values(path)
    name = next(x["name"] for x in document_of(result)["inputs"] if x["role"] == "trial")
    return replace(trial_of_result(result, path), name=Path(name).stem)


def stored_values(folder: Path) -> Processed:
    """Return the values of a results folder, with the document that was written with them.

    Raises
    ------
    ResultsRefused
        When it holds none, or ones that cannot be read.
    """
    if not (folder / DOCUMENT).is_file():
        found = "no results in it" if folder.is_dir() else "no such folder"
        message = f"{folder}: found {found}; wanted a folder that `gaitdyn process` wrote"
        raise ResultsRefused(message)
    try:
        document = _document(folder / DOCUMENT)
        values, kept = read_values(folder / VALUES)
        result = Processed(**values)
    except FileNotFoundError as error:
        message = (
            f"{folder}: found results without {VALUES}, as older versions wrote them; process the"
            " trial again with this version of gaitdyn"
        )
        raise ResultsRefused(message) from error
    except UNREADABLE as error:
        message = (
            f"{folder}: found results that cannot be read ({type(error).__name__}: {error});"
            " process the trial again with this version of gaitdyn"
        )
        raise ResultsRefused(message) from error
    result.kept.update(kept, document=document)
    return result


def _document(path: Path) -> dict[str, Any]:
    document = json.loads(path.read_text(encoding="utf-8"))
    lacking = [key for key in _PARTS if key not in document]
    if lacking:
        message = f"{path.name} lacks {', '.join(lacking)}"
        raise ValueError(message)
    if not any(entry["role"] == "trial" and entry["name"] for entry in document["inputs"]):
        message = f"{path.name} names no trial"
        raise ValueError(message)
    return document


def trial_of_result(result: Processed, folder: Path | None = None) -> StoredTrial:
    """Return a result as reports, archives and exports read it.

    Parameters
    ----------
    result : Processed
    folder : Path, optional
        Where bands, terms and sweeps lie, if any were written.
    """
    tables = {}
    for name, (columns, rows) in tables_of(result).items():
        cells = [[str(shown(value)) for value in row] for row in rows(result)]
        tables[name] = [dict(zip(columns, row, strict=True)) for row in cells]
    return StoredTrial(
        path=folder or Path(),
        name=Path(result.recording.name).stem,
        document=json.loads(document_text(document_of(result))),
        view=view_of(result),
        cycles=tuple(cycle_curves_of(result)),
        tables=tables,
        stances=tuple(stance_curves_of(result)),
        emg=emg_of(result),
    )
