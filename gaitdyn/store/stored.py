"""Read results folders back: the values and tables of one trial."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import field, replace
from pathlib import Path
from typing import Any, TypeVar

from gaitdyn.cycles.strips import CurveStrip, trial_strips
from gaitdyn.errors import ResultsRefused
from gaitdyn.quality import JointStatus
from gaitdyn.quality.rules.muscles import emg_of
from gaitdyn.store.binary import UNREADABLE, VALUES, read_values
from gaitdyn.store.document import document_of
from gaitdyn.store.private import with_private_names
from gaitdyn.store.result_tables import TABLES, rows_of
from gaitdyn.store.stored_document import Check, read_document, refused
from gaitdyn.store.times import check_times
from gaitdyn.store.view import view_of
from gaitdyn.store.visit import read_visit
from gaitdyn.store.whole import FILES, checked_bytes
from gaitdyn.tables.answers import (
    counting_of,
    curves_of,
    cycle_curves_of,
    stance_curves_of,
    terms_of,
)
from gaitdyn.tables.terms import cycle_terms
from gaitdyn.types.arguments import path_of
from gaitdyn.types.cycles import CycleCurves, StanceCurves
from gaitdyn.types.emg import Emg
from gaitdyn.types.frozen import frozen
from gaitdyn.types.later import computed_late, later
from gaitdyn.types.result import Processed
from gaitdyn.types.uncertainty import BANDS, CUTOFFS, SWEEP, Bands, CutoffPeaks, SweptPeaks
from gaitdyn.types.visit import Visit

T = TypeVar("T")


@frozen(eq=False)
class StoredTrial:
    """One results folder.

    Attributes
    ----------
    path : Path
    name : str
        Of the trial's file, without its ending.
    document : dict
        Contents of ``result.json``.
    view : dict
        Of :func:`gaitdyn.store.view.view_of`; of a trial in memory computed when first read.
    cycles : tuple of CycleCurves
        Contents of ``cycles.csv``, in its order.
    tables : dict
        Name of a further table, such as ``quality``, -> its rows.
    stances : tuple of StanceCurves
        Contents of ``stances.csv``, in its order.
    course : tuple of CurveStrip
        The curves over the whole trial, s, of each side; only for a trial without strides.
    emg : Emg or None
        EMG; None if the recording has none. See :mod:`gaitdyn.emg.panels`.
    visit : Visit
    bands, cutoffs, sweep
        What was computed on demand, of :mod:`gaitdyn.types.uncertainty`; None without it.
    terms : dict or None
        Of :func:`gaitdyn.tables.terms.cycle_terms`; None if they were not requested.
    counting : dict
        Last columns of ``cycles.csv`` -> side and number of the cycles in which they are 1.
    """

    path: Path
    name: str
    document: dict[str, Any]
    view: dict[str, Any]
    cycles: tuple[CycleCurves, ...]
    tables: dict[str, list[dict[str, str]]]
    stances: tuple[StanceCurves, ...] = ()
    course: tuple[CurveStrip, ...] = ()
    emg: Emg | None = None
    visit: Visit = field(default_factory=Visit)
    bands: Bands | None = None
    cutoffs: CutoffPeaks | None = None
    sweep: SweptPeaks | None = None
    terms: dict[tuple[str, int], CycleCurves] | None = None
    counting: dict[str, set[tuple[str, int]]] = field(
        default_factory=dict[str, "set[tuple[str, int]]"]
    )
    _kept: dict[Hashable, Any] = field(
        default_factory=dict["Hashable", Any], init=False, repr=False
    )

    def once(self, name: Hashable, make: Callable[[], T]) -> T:
        """Return a value derived from the contents, computed at its first use."""
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    @property
    def condition(self) -> str:
        """Condition under which the subject walked; empty if none was given."""
        return str(self.document["options"].get("condition") or "")

    @property
    def made_by(self) -> tuple[str, str]:
        """Name of the trial, and version of gaitdyn that processed it."""
        return self.name, str(self.document["gaitdyn"])


computed_late(StoredTrial, "view", "terms", "counting")


def read_trial(path: str | Path, check: Check = "sizes") -> StoredTrial:
    """Return one results folder.

    Parameters
    ----------
    path : str or Path
    check : {"sizes", "hashes", "read"}
        What is compared with the list in ``result.json``: the sizes of all files, their hashes as
        well, or only the files that are read, whose hashes are always compared.

    Raises
    ------
    ResultsRefused
        When a file is missing, damaged, or cannot be read.
    """
    path = path_of("path", path, "a results folder")
    return trial_of_values(path, stored_values(path, check))


def trial_of_values(path: Path, result: Processed) -> StoredTrial:
    """Return the trial of a results folder from its values, of :func:`stored_values`.

    Raises
    ------
    ResultsRefused
        When a file is missing, damaged, or cannot be read.
    """
    with read_from(path):
        return replace(trial_of_result(result, path), name=name_of(document_of(result)))


def read_muscles(path: Path) -> StoredTrial:
    """Return one results folder with only its document and its EMG.

    Raises
    ------
    ResultsRefused
        When a file is missing, damaged, or cannot be read.
    """
    result = stored_values(path)
    document = with_private_names(document_of(result), result)
    emg = deepcopy(emg_of(result))  # the original would keep the whole file in memory
    return StoredTrial(path, name_of(document), document, {}, (), {}, emg=emg)


def name_of(document: dict[str, Any]) -> str:
    """Return the name of the trial's file in a ``result.json``, without its ending."""
    return Path(next(x["name"] for x in document["inputs"] if x["role"] == "trial")).stem


def stored_values(folder: Path, check: Check = "sizes") -> Processed:
    """Return the values of a results folder, with the document that was written with them.

    Raises
    ------
    ResultsRefused
        When it has no values, or they are damaged or cannot be read.
    """
    document = read_document(folder, check)
    with read_from(folder):
        raw = checked_bytes(folder, VALUES, document[FILES])
        values, kept = read_values(raw)
        result = Processed(**values, visit=read_visit(folder))
        check_times(result)
        status = [JointStatus(**(s | {"reasons": tuple(s["reasons"])})) for s in document["status"]]
        result.kept.update(kept, document=document, status=status)
        return result


@contextmanager
def read_from(folder: Path) -> Generator[None]:
    """Refuse results whose values are missing, of another kind or do not fit together."""
    try:
        yield
    except ResultsRefused:
        raise
    except FileNotFoundError as error:
        found = f"results without {VALUES}, as older versions wrote them"
        raise refused(folder, found) from error
    except UNREADABLE as error:
        reason = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        raise refused(folder, f"results that cannot be read ({reason})") from error


def trial_of_result(result: Processed, folder: Path | None = None) -> StoredTrial:
    """Return a result in the form that reports, archives and exports read.

    Parameters
    ----------
    result : Processed
    folder : Path, optional
        Its results folder.
    """
    tables = {
        name: [dict(zip(TABLES[name][0], row, strict=True)) for row in rows]
        for name, rows in rows_of(result).items()
    }
    cycles = tuple(cycle_curves_of(result))
    return StoredTrial(
        path=folder or Path(),
        name=Path(result.recording.name).stem,
        document=with_private_names(document_of(result), result),
        view=later(lambda: view_of(result)),
        cycles=cycles,
        tables=tables,
        stances=tuple(stance_curves_of(result)),
        course=() if cycles else tuple(trial_strips(result, curves_of(result))),
        emg=emg_of(result),
        visit=result.visit,
        bands=result.kept.get(BANDS),
        cutoffs=result.kept.get(CUTOFFS),
        sweep=result.kept.get(SWEEP),
        terms=later(lambda: cycle_terms(result, terms_of(result)))
        if result.options.terms
        else None,
        counting=later(lambda: counting_of(result)),
    )
