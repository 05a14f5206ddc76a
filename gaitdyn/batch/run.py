"""A batch, from the folders on the command line to the index page.

The processes are started first. While they import what every trial needs, this process imports what
planning needs, which is why the imports stand inside the functions.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.batch.handed_on import with_place
from gaitdyn.batch.listener import Listener
from gaitdyn.batch.open_sessions import OpenSession, close_trial, tasks_of_sessions
from gaitdyn.batch.outcome import Outcome, Work
from gaitdyn.batch.pool import ClusterPool, Pool, ProcessPool, run_tasks
from gaitdyn.batch.session_lock import SessionLocks
from gaitdyn.batch.settings import BatchSettings, on_demand
from gaitdyn.batch.task import Task
from gaitdyn.errors import FileRefused, OutputRefused
from gaitdyn.types.words import cannot_write, system_reason

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence


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
    with with_place(settings) as placed:
        return _run_batch(paths, placed, listener)


def _run_batch(paths: Sequence[Path], settings: BatchSettings, listener: Listener) -> list[Outcome]:
    if settings.dask is not None:
        paths, settings = [path.absolute() for path in paths], _with_whole_paths(settings)
    pool: Pool = ProcessPool(settings.jobs, pages=bool(settings.reports))
    sessions: dict[str, OpenSession] = {}
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
        queue = _Queue(tasks_of_sessions(folders, settings, sessions, urgent, listener, locks))
        for outcome in run_tasks(queue, pool, urgent):
            if queue.ended(outcome):
                listener.ended(outcome)
            failures += [outcome] if outcome.state == "failed" else []
            if not outcome.name:
                locks.release(outcome.session)
            elif outcome.state != "waiting":
                close_trial(sessions, outcome, urgent)
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
    from gaitdyn.metrics.norms.files import norm_path
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
