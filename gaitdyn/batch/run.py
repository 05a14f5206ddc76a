"""A batch, from the folders on the command line to the index page.

The processes are started first. While they import what every trial needs, this process imports what
planning needs, which is why the imports stand inside the functions.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from gaitdyn.batch.outcome import Outcome, Work
from gaitdyn.batch.pool import ClusterPool, Pool, ProcessPool, run_tasks
from gaitdyn.batch.session_lock import SessionLocks
from gaitdyn.batch.task import BatchSettings, Task, on_demand
from gaitdyn.errors import FileRefused, GaitdynError, OutputRefused, UsageError
from gaitdyn.types.words import cannot_write, system_reason

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from gaitdyn.batch.session_task import SessionTask
    from gaitdyn.session import SessionPlan

_KEPT_BYTES = 24 << 20
"""Most bytes kept of trials for their sessions; other trials are read from their folders."""


class Listener(Protocol):
    """An observer of the progress of a batch."""

    def begin(self, recordings: int) -> None:
        """Receive the number of recordings."""
        ...

    def planned(self, plan: SessionPlan, trials: int) -> None:
        """Receive the plan of a session and its number of trials."""
        ...

    def refused(self, recordings: int) -> None:
        """Receive the number of recordings of a session that cannot be planned."""
        ...

    def ended(self, outcome: Outcome) -> None:
        """Receive the outcome of a trial, or of a session if ``name`` is empty.

        A trial that another run is writing is reported as ``waiting`` once, and ends later.
        """
        ...


class _Queue:
    """The trials in their order, followed by those that another run was writing."""

    def __init__(self, tasks: Iterator[Work]) -> None:
        self._tasks = tasks
        self._postponed: deque[Work] = deque()
        self._submitted: dict[tuple[str, str], Task] = {}

    def __iter__(self) -> _Queue:
        return self

    def __next__(self) -> Work:
        """Return the next task; after the last one, postponed tasks may follow."""
        task = next(self._tasks, None)
        if task is None and self._postponed:
            task = self._postponed.popleft()
        if task is None:
            raise StopIteration
        if isinstance(task, Task):
            self._submitted[task.session, task.name] = task
        return task

    def ended(self, outcome: Outcome) -> bool:
        """Record an outcome; return whether to report it: of several waits, only the first."""
        task = self._submitted.pop((outcome.session, outcome.name), None)
        if outcome.state != "waiting" or task is None:
            return True
        self._postponed.append(replace(task, tries=task.tries + 1))
        return not task.tries


@dataclass(slots=True)
class _Open:
    """A session with unfinished trials."""

    task: SessionTask
    left: int
    outcomes: list[Outcome]


def session_folders(paths: Sequence[Path]) -> list[Path]:
    """Return the folders that hold recordings, at or below the given paths, each once.

    Hidden files and folders do not count.

    Raises
    ------
    FileRefused
        If one does not exist or holds no recording.
    """
    from gaitdyn.session.contents import folders_with_recordings

    sessions: dict[Path, Path] = {}
    for path in paths:
        if not path.is_dir():
            found, advice = "no folder", ""
            if path.is_file():
                found, advice = "a file", "; `gaitdyn process` takes files"
            wanted = "wanted a folder of recordings, or one of sessions"
            raise FileRefused(f"{path}: found {found}; {wanted}{advice}")
        folders = sorted(folders_with_recordings(path))
        if not folders:
            message = f"{path}: found no C3D or TRC file in it or below; name a session's folder"
            raise FileRefused(message)
        for folder in folders:
            sessions.setdefault(folder.resolve(), folder)
    return list(sessions.values())


def run_batch(paths: Sequence[Path], settings: BatchSettings, listener: Listener) -> list[Outcome]:
    """Process all trials of sessions and write their pages.

    Parameters
    ----------
    paths : sequence of Path
        Folders of sessions, or folders of such folders.
    settings : BatchSettings
    listener : Listener

    Returns
    -------
    list of Outcome
        The failures.

    Raises
    ------
    FileRefused, UsageError, OutputRefused
        If there is nothing to do, or results cannot be written.
    """
    if settings.dask is not None:
        paths, settings = [path.absolute() for path in paths], _with_whole_paths(settings)
    pool: Pool = ProcessPool(settings.jobs, pages=bool(settings.reports))
    sessions: dict[str, _Open] = {}
    urgent: deque[Work] = deque()
    failures: list[Outcome] = []
    locks = SessionLocks(settings.out)
    try:
        if settings.dask is None:
            pool.warm()  # imports while the first session is found and planned
        from gaitdyn.session.contents import recordings_in

        folders = session_folders(paths)
        _prepare(settings, folders)
        listener.begin(sum(len(recordings_in(folder)) for folder in folders))
        if settings.dask is not None:
            pool = ClusterPool(settings.dask)
        queue = _Queue(_tasks(folders, settings, sessions, urgent, listener, locks))
        for outcome in run_tasks(queue, pool, urgent):
            if queue.ended(outcome):
                listener.ended(outcome)
            failures += [outcome] if outcome.state == "failed" else []
            if not outcome.name:
                locks.release(outcome.session)
            elif outcome.state != "waiting":
                _close(sessions, outcome, urgent)
    except BaseException:
        pool.close(now=True)
        _sweep(settings.out)
        if sessions:
            index_failures(settings.out)
        raise
    finally:
        locks.release_all()
    pool.close()
    _sweep(settings.out)
    without_page = {failure.session for failure in failures if not failure.name}
    return failures + index_failures(settings.out, without_page)


def _with_whole_paths(settings: BatchSettings) -> BatchSettings:
    """Return settings for processes with another current folder than this one."""
    from gaitdyn.metrics.norm_files import norm_path
    from gaitdyn.types.option_rows import FILES, is_file, with_swept_tables

    def whole(path: str) -> str:
        return str(Path(path).absolute())

    options = dict(settings.options)
    for row in FILES:
        text = options.get(row.field)
        if text is not None and is_file(row, text):
            options[row.field] = whole(text)
    if functional := options.get("functional"):
        options["functional"] = tuple((k, whole(path)) for k, path in functional)
    norm = None if settings.norm is None else norm_path(settings.norm).absolute()
    sweeps = tuple(with_swept_tables(text, whole) for text in settings.sweeps)
    out = settings.out.absolute()
    return replace(settings, out=out, norm=norm, options=options, sweeps=sweeps)


def index_failures(out: Path, earlier: Collection[str] = ()) -> list[Outcome]:
    """Write the index page; return a failure if that is not possible.

    Parameters
    ----------
    out : Path
    earlier : collection of str
        Folders of the sessions that this batch refused or could not complete.
    """
    from gaitdyn.batch.pages import INDEX, write_index

    try:
        write_index(out, earlier)
    except (OSError, OutputRefused) as error:
        reason = f"{INDEX}: {system_reason(error)}"
        return [Outcome("", "", INDEX, "failed", reason)]
    return []


def _prepare(settings: BatchSettings, folders: Sequence[Path]) -> None:
    from gaitdyn.store.folder import refuse_among
    from gaitdyn.types.options import Options

    on_demand(Options(**settings.options), settings)
    out = settings.out
    refuse_among(out, folders)
    try:
        out.mkdir(parents=True, exist_ok=True)
        _sweep(out)
    except OSError as error:
        raise OutputRefused(cannot_write(f"to {out}", error)) from error


def _sweep(out: Path) -> None:
    """Remove unfinished folders of runs that have ended, at all levels of the output."""
    from gaitdyn.store.being_written import sweep

    for folder in (out, *out.glob("*/"), *out.glob("*/*/")):
        if folder.is_dir() and not folder.name.startswith("."):
            sweep(folder)


def _tasks(
    folders: Sequence[Path],
    settings: BatchSettings,
    sessions: dict[str, _Open],
    urgent: deque[Work],
    listener: Listener,
    locks: SessionLocks,
) -> Iterator[Work]:
    """Yield the trials of one session after another, and open each session."""
    from gaitdyn.batch.owners import Owners
    from gaitdyn.batch.pages import index_template
    from gaitdyn.batch.session_task import RefusedSession, SessionTask
    from gaitdyn.session import plan_session
    from gaitdyn.session.contents import recordings_in

    owners = Owners(settings.out, hidden=settings.pseudonyms)
    for folder in folders:
        try:
            plan = plan_session(folder, settings.options)
            _refuse_for_all(plan, settings)
            claim = owners.claim(folder)
            tasks = _trial_tasks(plan, claim.name, settings)
            locks.take(claim.name, tasks)
        except (GaitdynError, OSError) as error:
            listener.refused(len(recordings_in(folder)))
            yield RefusedSession(owners.likely(folder), str(folder), _why(error, folder))
            continue
        session = claim.name
        closing = SessionTask(
            session, str(folder), settings, (), owners.record(session, folder),
            plan.persons if settings.pseudonyms else (),
            tuple((t.path.name, t.role, t.reason) for t in plan.trials if t.role != "dynamic"),
            (*plan.notes, *([claim.note] if claim.note else [])),
        )  # fmt: skip
        listener.planned(plan, len(tasks))
        if tasks:
            sessions[session] = _Open(closing, len(tasks), [])
        else:
            urgent.append(closing)
        yield from tasks
    index_template()


def _refuse_for_all(plan: SessionPlan, settings: BatchSettings) -> None:
    """Refuse a session whose options rule out what is requested, in each of its trials.

    Raises
    ------
    UsageError
    """
    walks = [trial for trial in plan.trials if trial.role == "dynamic"]
    refusals: list[UsageError] = []
    for trial in walks:
        try:
            on_demand(trial.options, settings)
        except UsageError as error:
            refusals.append(error)
    if walks and len(refusals) == len(walks):
        raise refusals[0]


def _why(error: GaitdynError | OSError, folder: Path) -> str:
    """Return why a session cannot be planned; of the system's words, with the file they are on."""
    if isinstance(error, GaitdynError):
        return str(error)
    return f"{error.filename or folder}: {system_reason(error)}"


def _trial_tasks(plan: SessionPlan, session: str, settings: BatchSettings) -> list[Task]:
    from gaitdyn.batch.session_task import OWN_FILES
    from gaitdyn.store.folder import folder_name

    names = set(OWN_FILES)
    return [
        Task(
            session,
            _unique(folder_name(trial.path.stem), names),
            str(trial.path),
            trial.options,
            settings,
            visit=trial.visit,
        )
        for trial in plan.trials
        if trial.role == "dynamic"
    ]


def _unique(name: str, names: set[str]) -> str:
    """Return a name that no other folder has, even on a disk that ignores case."""
    from gaitdyn.batch.owners import folded

    unique, number = name, 2
    while folded(unique) in names:
        unique, number = f"{name}-{number}", number + 1
    names.add(folded(unique))
    return unique


def _close(sessions: dict[str, _Open], outcome: Outcome, urgent: deque[Work]) -> None:
    """Record the outcome of a trial; after the last one, queue the session itself."""
    from gaitdyn.batch.owners import open_again

    session = sessions[outcome.session]
    if outcome.changed:
        with suppress(OSError, OutputRefused):
            removed = open_again(session.task.settings.out / outcome.session)
            session.task = replace(session.task, removed=(*session.task.removed, *removed))
    open_ones = [trial for each in sessions.values() for trial in each.outcomes]
    held = sum(len(part) for trial in (*open_ones, outcome) for part in trial.kept)
    fits = held <= _KEPT_BYTES
    session.outcomes.append(outcome if fits else replace(outcome, kept=[]))
    session.left -= 1
    if not session.left:
        urgent.append(replace(session.task, outcomes=tuple(session.outcomes)))
        del sessions[outcome.session]
