"""One trial of a batch: what is to be done, and doing it."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitdyn.batch.done_before import KEY_FILE, inputs_of, is_done, opened, task_key
from gaitdyn.batch.outcome import outcome, survive
from gaitdyn.types.visit import Visit

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.batch.outcome import Outcome, State
    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.trial import Result
    from gaitdyn.types.options import Options

PAGE = "report.html"
LIMIT_S = 300.0
"""A process that works longer on one trial is ended."""
PATIENCE_S = 10.0
"""How long a process waits for another run before it does something else, s."""

_MOST_TRIES = 90


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """What a batch does.

    Attributes
    ----------
    out : Path
    jobs : int
        Processes.
    dask : str or None
        Address of a cluster's scheduler, instead of processes.
    reports : tuple of str
        Files of the report of each trial and of each session.
    figures : bool
    sensitivity : bool
        Write the peaks by cut-off.
    sweeps : tuple of str
        Write the peaks under other settings, as ``--sweep``.
    norm : Path or None
    options : dict
        Fields of :class:`gaitdyn.types.options.Options` that were given; they win over a session's
        file.
    force : bool
        Do everything again.
    limit_s : float or None
    verify : bool
        What was done before counts when the hashes of its files fit, not only their sizes.
    pseudonyms : bool
        Mask names of persons in the tables of sessions and in the index, too.
    with_names : bool
        Leave names of persons in the pages.
    tables : {"csv", "parquet"}
        ``parquet`` writes the curves as Parquet, too, a partition of one table of all a trial.
    """

    out: Path
    jobs: int = 1
    dask: str | None = None
    reports: tuple[str, ...] = ("report.html",)
    figures: bool = False
    norm: Path | None = None
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    force: bool = False
    limit_s: float | None = LIMIT_S
    sensitivity: bool = False
    sweeps: tuple[str, ...] = ()
    verify: bool = False
    pseudonyms: bool = False
    with_names: bool = False
    tables: str = "csv"


@dataclass(frozen=True, slots=True)
class Task:
    """One trial to process.

    Attributes
    ----------
    session, name : str
        Folders of the results below the output: ``OUT/<session>/<name>``.
    trial : str
        Path of the recording.
    options : Options
    settings : BatchSettings
    tries : int
        How often another run was found writing it; the first time is not waited for.
    visit : Visit
        What the laboratory says of it, of the plan.
    """

    session: str
    name: str
    trial: str
    options: Options
    settings: BatchSettings
    tries: int = 0
    visit: Visit = field(default_factory=Visit)

    @property
    def folder(self) -> Path:
        """Where the results go."""
        return self.settings.out / self.session / self.name

    @property
    def limit_s(self) -> float | None:
        """A process that works longer on it is ended."""
        return self.settings.limit_s

    def run(self) -> Outcome:
        """Process the trial and write its folder."""
        return survive(self, lambda: _run(self))


def _run(task: Task) -> Outcome:
    """Do a task unless it is done; another run that is at it is waited for."""
    from gaitdyn.errors import OutputRefused
    from gaitdyn.store.claims import Busy, claimed

    said: list[str] = []
    for path in filter(None, inputs_of(task)):
        opened(path).close()
    patience = PATIENCE_S if task.tries else 0.0
    try:
        task.folder.parent.mkdir(parents=True, exist_ok=True)
        with claimed(task.folder, said.append, patience):
            return replace(_settled(task), notes=tuple(said))
    except Busy as error:
        state: State = "waiting" if task.tries < _MOST_TRIES else "failed"
        return outcome(task, state, str(error).partition(";")[0])
    except PermissionError as error:
        message = f"cannot write to {task.folder.parent}: {error.strerror}; choose another -o"
        raise OutputRefused(message) from error


def _settled(task: Task) -> Outcome:
    """Do a task whose folder this process holds, unless it is done; damaged results are not."""
    from gaitdyn.errors import ResultsRefused
    from gaitdyn.store.stored import read_trial

    there = not task.settings.force and (task.folder / KEY_FILE).is_file()
    if there and is_done(task, task_key(task)):
        with suppress(ResultsRefused):
            trial = read_trial(task.folder)
            return _handing_on(task, _told(task, "skipped", trial), trial, trial.document)
    before = _document(task)
    written, document = _write(task)
    return replace(written, changed=what_changed(before, document))


def _handing_on(
    task: Task, found: Outcome, trial: StoredTrial, document: dict[str, Any]
) -> Outcome:
    """Return an outcome with what the session needs of the trial, unless a cluster made it."""
    if task.settings.dask is not None:
        return found
    from gaitdyn.batch.handed_on import handed_on

    page = PAGE in task.settings.reports
    return replace(found, kept=handed_on(trial, task.folder, document, page=page))


def _document(task: Task) -> dict[str, Any]:
    """Return ``result.json`` of the folder; empty where there is none that can be read."""
    from gaitdyn.store.folder import DOCUMENT
    from gaitdyn.store.whole import read_sealed

    with suppress(OSError, ValueError):
        return read_sealed(task.folder / DOCUMENT)
    return {}


def what_changed(before: dict[str, Any], now: dict[str, Any]) -> str:
    """Return which settings and files the results before were made of, and these are not."""
    if not before:
        return ""
    from gaitdyn.compare.two_results import other_settings

    hashes = {(one["role"], one["sha256"]) for one in before["inputs"]}
    files = [one["name"] for one in now["inputs"] if (one["role"], one["sha256"]) not in hashes]
    other = other_settings(before, now)
    told = [f"{key} was {_word(one)}, is {_word(two)}" for key, (one, two) in other.items()]
    return "; ".join([*told, *(f"{name} is another file" for name in files)])


def _word(value: Any) -> str:
    """Return a setting as a person says it."""
    return "not given" if value is None or value in ("", [], {}) else str(value)


def _told(task: Task, state: State, trial: StoredTrial) -> Outcome:
    """Return what came of a trial: its row of the summary, and what to look at."""
    from gaitdyn.batch.trial_row import trial_row
    from gaitdyn.batch.worklist import worklist

    return replace(outcome(task, state, row=trial_row(trial)), worklist=worklist(trial))


def _write(task: Task) -> tuple[Outcome, dict[str, Any]]:
    """Process a trial, put its folder in place, and return its ``result.json``, too."""
    from gaitdyn.pipeline import process_trial
    from gaitdyn.store import ResultsFolder, write_results
    from gaitdyn.store.stored import trial_of_result
    from gaitdyn.store.whole import with_files
    from gaitdyn.trial.noted import noted

    made: list[tuple[StoredTrial, Outcome]] = []
    writers = _writers(task)

    def write_more(place: Path) -> None:
        for write in writers:
            write(place, result)
        trial = trial_of_result(result, place)
        made.append((trial, _told(task, "done", trial)))
        if task.settings.tables == "parquet":
            from gaitdyn.batch.cohort import write_partition

            write_partition(place, trial, task.session, with_names=task.settings.with_names)
        if task.settings.reports:
            _write_pages(task, trial, place)

    def write_last(place: Path, files: list[dict[str, Any]]) -> None:
        read = {task.trial: result.recording.sha256}
        if result.static is not None and task.options.static is not None:
            read[str(Path(task.options.static))] = result.static.sha256
        told = {"key": task_key(task, read), "trial": result.recording.sha256}
        text = with_files(told, place, _text, files)[1]
        (place / KEY_FILE).write_text(text, encoding="utf-8", newline="\n")

    result = noted(process_trial(task.trial, task.options), visit=task.visit)
    folder = ResultsFolder(task.folder, force=task.settings.force, held=True)
    document = write_results(
        folder, result, figures=task.settings.figures, write_more=write_more, write_last=write_last
    )
    trial, told = made[0]
    return _handing_on(task, told, trial, document), document


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document) + "\n"


def _writers(task: Task) -> list[Callable[[Path, Result], None]]:
    """Return what writes bands, peaks of other settings and Parquet, as asked for."""
    found: list[Callable[[Path, Result], None]] = []
    asked = task.settings
    if task.options.uncertainty != "none" or asked.sensitivity or asked.sweeps:
        from gaitdyn.uncertainty.on_demand import writers_of

        found += writers_of(task.options, sensitivity=asked.sensitivity, sweeps=asked.sweeps)
    if asked.tables == "parquet":
        from gaitdyn.exchange.parquet import tables_writer

        found.append(tables_writer())
    return found


def _write_pages(task: Task, trial: StoredTrial, place: Path) -> None:
    """Write the report of one trial; page or PDF."""
    from gaitdyn.batch.pages import norm_of
    from gaitdyn.report import make_report, pooled, write_report

    asked = task.settings
    report = make_report(pooled([trial]), norm_of(asked.norm), with_names=asked.with_names)
    files = [place / name for name in asked.reports]
    write_report(report, files, aside=True)
