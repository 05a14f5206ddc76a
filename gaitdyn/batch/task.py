"""One trial of a batch: the task, and running it."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitdyn.batch.done_before import KEY_FILE, inputs_of, is_done, opened, task_key
from gaitdyn.batch.outcome import Outcome, State, outcome, survive
from gaitdyn.batch.settings import BatchSettings, on_demand
from gaitdyn.store.whole import SEAL
from gaitdyn.types.frozen import frozen
from gaitdyn.types.visit import Visit

if TYPE_CHECKING:
    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.options import Options

PATIENCE_S = 10.0
"""How long a process waits for another run before it postpones the trial, s."""

_MOST_TRIES = 90


@frozen()
class Task:
    """One trial to process.

    Attributes
    ----------
    session, name : str
        Folders of the results: ``OUT/<session>/<name>``.
    trial : str
        Path of the recording.
    options : Options
    settings : BatchSettings
    tries : int
        How often another run was writing it; the first time there is no waiting.
    visit : Visit
        The laboratory's notes on it, from the plan.
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
        """Folder of the results."""
        return self.settings.out / self.session / self.name

    @property
    def limit_s(self) -> float | None:
        """Time limit, s."""
        return self.settings.limit_s

    def run(self) -> Outcome:
        """Process the trial and write its folder."""
        return survive(self, lambda: _run(self))


def _run(task: Task) -> Outcome:
    """Run a task unless it is done; wait for another run that is writing it."""
    from gaitdyn.errors import OutputRefused
    from gaitdyn.io.c3d.parameters import size_of_file
    from gaitdyn.store.claims import Busy, claimed

    notes: list[str] = []
    size_of_file(task.trial, f"a {Path(task.trial).suffix[1:].upper()} file")
    for path in filter(None, inputs_of(task)):
        opened(path).close()
    patience = PATIENCE_S if task.tries else 0.0
    try:
        task.folder.parent.mkdir(parents=True, exist_ok=True)
        with claimed(task.folder, notes.append, patience):
            settled = _settled(task)
            return replace(settled, notes=(*notes, *settled.notes))
    except Busy as error:
        state: State = "waiting" if task.tries < _MOST_TRIES else "failed"
        return outcome(task, state, str(error).partition(";")[0])
    except PermissionError as error:
        message = f"cannot write to {task.folder.parent}: {error.strerror}; choose another -o"
        raise OutputRefused(message) from error


def _settled(task: Task) -> Outcome:
    """Run a task whose folder this process has locked, unless complete results are there."""
    from gaitdyn.errors import ResultsRefused
    from gaitdyn.store.folder import DOCUMENT
    from gaitdyn.store.removed import own_files, removed_words
    from gaitdyn.store.stored import read_trial
    from gaitdyn.store.visit import read_visit

    resume = not task.settings.force and (task.folder / KEY_FILE).is_file()
    if resume and is_done(task, task_key(task)):
        with suppress(ResultsRefused):
            trial = read_trial(task.folder)
            return _handing_on(task, _outcome_of(task, "skipped", trial), trial, trial.document)
    before, files, visit = _document(task), own_files(task.folder), read_visit(task.folder)
    unread = not before and (task.folder / DOCUMENT).exists()
    written, document = _write(task)
    changed = "the earlier results cannot be read" if unread else what_changed(before, document)
    if before and visit != read_visit(task.folder):
        changed = "; ".join(filter(None, [changed, "[report] of session.toml was another"]))
    if removed := removed_words(task.folder, files):
        reason = changed or "other files are asked for"
        changed = f"{reason}; {removed} (another -o keeps both)"
    return replace(written, changed=changed)


def _handing_on(
    task: Task, outcome: Outcome, trial: StoredTrial, document: dict[str, Any]
) -> Outcome:
    """Return an outcome with the seal of its results, and with what the session needs of it."""
    outcome, place = replace(outcome, seal=document[SEAL]), task.settings.place
    if place is None:
        return outcome
    from gaitdyn.batch.handed_on import handed_on

    whole = bool(task.settings.reports)
    return replace(outcome, kept=handed_on(trial, task.folder, document, place, whole=whole))


def _document(task: Task) -> dict[str, Any]:
    """Return ``result.json`` of the folder; empty if it cannot be read."""
    from gaitdyn.store.folder import DOCUMENT
    from gaitdyn.store.whole import read_sealed

    with suppress(OSError, ValueError):
        return read_sealed(task.folder / DOCUMENT)
    return {}


def what_changed(before: dict[str, Any], now: dict[str, Any]) -> str:
    """Return in which settings and inputs earlier results differ from these."""
    if not before:
        return ""
    from gaitdyn.compare.two_results import other_settings

    hashes = {(one["role"], one["sha256"]) for one in before["inputs"]}
    files = [one["name"] for one in now["inputs"] if (one["role"], one["sha256"]) not in hashes]
    other = other_settings(before, now)
    changes = [f"{key} was {old}, is {new}" for key, (old, new) in other.items()]
    return "; ".join([*changes, *(f"{name} is another file" for name in files)])


def _outcome_of(task: Task, state: State, trial: StoredTrial) -> Outcome:
    """Return the outcome of a trial, with its row of the summary and what to check."""
    return described(outcome(task, state), trial)


def described(outcome: Outcome, trial: StoredTrial) -> Outcome:
    """Return an outcome with the row and the worklist of these results."""
    from gaitdyn.batch.trial_row import trial_row
    from gaitdyn.batch.worklist import worklist

    return replace(outcome, row=trial_row(trial), worklist=worklist(trial))


def _write(task: Task) -> tuple[Outcome, dict[str, Any]]:
    """Process a trial and write its folder; return its outcome and ``result.json``."""
    from gaitdyn.pipeline import process_trial
    from gaitdyn.store import ResultsFolder, write_results
    from gaitdyn.store.stored import trial_of_result
    from gaitdyn.store.whole import with_files
    from gaitdyn.trial.noted import with_notes

    written: list[tuple[StoredTrial, Outcome]] = []
    notes: list[str] = []

    def write_more(folder: Path) -> None:
        trial = trial_of_result(result, folder)
        written.append((trial, _outcome_of(task, "done", trial)))
        if task.settings.tables == "parquet":
            from gaitdyn.batch.cohort import write_partition
            from gaitdyn.exchange.parquet import tables_writer

            tables_writer()(folder, result)
            names = task.settings.with_names
            notes.append(write_partition(folder, trial, task.session, with_names=names))
        if task.settings.reports:
            _write_pages(task, trial, folder)

    def write_last(folder: Path, files: list[dict[str, Any]]) -> None:
        hashes = {task.trial: result.recording.sha256}
        if result.static is not None and task.options.static is not None:
            hashes[str(Path(task.options.static))] = result.static.sha256
        entry = {"key": task_key(task, hashes), "trial": result.recording.sha256}
        text = with_files(entry, folder, _text, files)[1]
        (folder / KEY_FILE).write_text(text, encoding="utf-8", newline="\n")

    keepers = on_demand(task.options, task.settings)
    result = with_notes(process_trial(task.trial, task.options), visit=task.visit)
    target = ResultsFolder(task.folder, force=task.settings.force, held=True)
    target.check(result.recording.sha256)
    for keep in keepers if result.sides else ():
        keep(result)
    document = write_results(
        target, result, figures=task.settings.figures, write_more=write_more, write_last=write_last
    )
    trial, done = written[0]
    done = replace(done, notes=tuple(filter(None, notes)))
    return _handing_on(task, done, trial, document), document


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document) + "\n"


def _write_pages(task: Task, trial: StoredTrial, folder: Path) -> None:
    """Write the report of one trial, as a page or PDF."""
    from gaitdyn.batch.pages import norm_of
    from gaitdyn.report import make_report, pooled, write_report

    settings = task.settings
    report = make_report(pooled([trial]), norm_of(settings.norm), with_names=settings.with_names)
    files = [folder / name for name in settings.reports]
    write_report(report, files, direct=True)
