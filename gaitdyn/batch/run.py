"""A batch from the folders that are named to the index page.

The processes are started first: while they import what every trial needs, this one imports what
plans need, which is why its functions import.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from gaitdyn.batch.outcome import Outcome, Work
from gaitdyn.batch.pool import ClusterPool, Pool, ProcessPool, run_tasks
from gaitdyn.batch.task import BatchSettings, Task
from gaitdyn.errors import GaitdynError, OutputRefused, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from gaitdyn.batch.session_task import SessionTask
    from gaitdyn.session import SessionPlan

_HANDED_ON_BYTES = 24 << 20
"""Of all that trials hand on to their sessions; what does not fit is read from their folders."""


class Listener(Protocol):
    """Who wants to know how a batch goes."""

    def begin(self, recordings: int) -> None:
        """Hear how many recordings there are."""
        ...

    def planned(self, plan: SessionPlan, trials: int) -> None:
        """Hear what will be done of a session: so many trials."""
        ...

    def ended(self, outcome: Outcome) -> None:
        """Hear what came of a trial, or of a session where ``name`` is empty.

        A trial that another run is writing is ``waiting`` once, and ends later.
        """
        ...


class _Queue:
    """The trials in their order, behind them those that another run was found writing."""

    def __init__(self, tasks: Iterator[Work]) -> None:
        self._tasks = tasks
        self._later: deque[Work] = deque()
        self._handed: dict[tuple[str, str], Task] = {}

    def __iter__(self) -> _Queue:
        return self

    def __next__(self) -> Work:
        """Return the next one; there may be one again after there was none."""
        task = next(self._tasks, None)
        if task is None and self._later:
            task = self._later.popleft()
        if task is None:
            raise StopIteration
        if isinstance(task, Task):
            self._handed[task.session, task.name] = task
        return task

    def ended(self, found: Outcome) -> bool:
        """Note an outcome; return whether it is to be told: of many waits only the first."""
        task = self._handed.pop((found.session, found.name), None)
        if found.state != "waiting" or task is None:
            return True
        self._later.append(replace(task, tries=task.tries + 1))
        return not task.tries


@dataclass(slots=True)
class _Open:
    """A session some of whose trials are not through."""

    task: SessionTask
    left: int
    outcomes: list[Outcome]


def session_folders(paths: Sequence[Path]) -> list[Path]:
    """Return the folders with recordings in them: those named, else those below them.

    Raises
    ------
    UsageError
        When one does not exist or holds no recording.
    """
    from gaitdyn.io.recording import RECORDINGS

    found: dict[Path, None] = {}
    for path in paths:
        if not path.is_dir():
            message = f"{path}: found no folder; wanted a folder of recordings, or one of sessions"
            raise UsageError(message)
        inside = (p for p in path.glob("**/*") if p.suffix.lower() in RECORDINGS)
        folders = sorted({p.parent for p in inside if p.is_file()})
        if not folders:
            message = f"{path}: found no C3D or TRC file in it or below; name a session's folder"
            raise UsageError(message)
        found |= dict.fromkeys(folders)
    return list(found)


def _recordings(folder: Path) -> list[Path]:
    from gaitdyn.io.recording import recordings_of

    return recordings_of(p for p in folder.iterdir() if p.is_file())


def run_batch(paths: Sequence[Path], settings: BatchSettings, listener: Listener) -> list[Outcome]:
    """Process all trials of some sessions and write their pages.

    Parameters
    ----------
    paths : sequence of Path
        Folders of sessions, or folders of such folders.
    settings : BatchSettings
    listener : Listener

    Returns
    -------
    list of Outcome
        What failed.

    Raises
    ------
    UsageError, OutputRefused
        When there is nothing to do or no place for results.
    """
    pool: Pool = ProcessPool(settings.jobs, pages=bool(settings.reports))
    sessions: dict[str, _Open] = {}
    urgent: deque[Work] = deque()
    failures: list[Outcome] = []
    try:
        if settings.dask is None:
            pool.warm()  # while folders are looked for, and the first session is planned
        folders = session_folders(paths)
        _prepare(settings, folders)
        listener.begin(sum(len(_recordings(folder)) for folder in folders))
        if settings.dask is not None:
            pool = ClusterPool(settings.dask)
        queue = _Queue(_tasks(folders, settings, sessions, urgent, listener))
        for found in run_tasks(queue, pool, urgent):
            if queue.ended(found):
                listener.ended(found)
            failures += [found] if found.state == "failed" else []
            if found.name and found.state != "waiting":
                _close(sessions, found, urgent)
    except BaseException:
        pool.close(now=True)
        raise
    pool.close()
    _sweep(settings.out)
    return failures + index_failures(settings.out)


def index_failures(out: Path) -> list[Outcome]:
    """Write the index page; return a failure where there is no room for it."""
    from gaitdyn.batch.pages import INDEX, write_index

    try:
        write_index(out)
    except (OSError, OutputRefused) as error:
        reason = f"{INDEX}: {(getattr(error, 'strerror', None) or str(error)).lower()}"
        return [Outcome("", "", INDEX, "failed", reason)]
    return []


def _prepare(settings: BatchSettings, folders: Sequence[Path]) -> None:
    out = settings.out
    if out.resolve() in [folder.resolve() for folder in folders]:
        message = f"-o {out} holds recordings, which are never written to; choose another place"
        raise OutputRefused(message)
    try:
        out.mkdir(parents=True, exist_ok=True)
        _sweep(out)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OutputRefused(f"cannot write to {out}: {reason}; choose another -o") from error


def _sweep(out: Path) -> None:
    """Remove what runs that are gone left aside, in the folder, its sessions and their trials."""
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
) -> Iterator[Work]:
    """Give the trials of one session after the other, and open each session."""
    from gaitdyn.batch.owners import Owners
    from gaitdyn.batch.pages import index_template
    from gaitdyn.batch.session_task import RefusedSession, SessionTask
    from gaitdyn.session import plan_session

    owners = Owners(settings.out, hidden=settings.pseudonyms)
    for folder in folders:
        try:
            plan = plan_session(folder, settings.options)
            claim = owners.claim(folder)
        except (GaitdynError, OSError) as error:
            yield RefusedSession(owners.likely(folder), str(folder), str(error))
            continue
        session = claim.name
        tasks = _trial_tasks(plan, session, settings)
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


def _trial_tasks(plan: SessionPlan, session: str, settings: BatchSettings) -> list[Task]:
    names: set[str] = set()
    return [
        Task(
            session,
            _unique(trial.path.stem, names),
            str(trial.path),
            trial.options,
            settings,
            visit=trial.visit,
        )
        for trial in plan.trials
        if trial.role == "dynamic"
    ]


def _unique(name: str, names: set[str]) -> str:
    """Return a name that no other folder has, also where capitals do not count."""
    from gaitdyn.batch.owners import folded

    found, number = name, 2
    while folded(found) in names:
        found, number = f"{name}-{number}", number + 1
    names.add(folded(found))
    return found


def _close(sessions: dict[str, _Open], found: Outcome, urgent: deque[Work]) -> None:
    """Note the outcome of a trial; after the last one the session itself is to be written."""
    session = sessions[found.session]
    held = sum(len(one.kept) for own in sessions.values() for one in own.outcomes)
    fits = held + len(found.kept) <= _HANDED_ON_BYTES
    session.outcomes.append(found if fits else replace(found, kept=b""))
    session.left -= 1
    if not session.left:
        urgent.append(replace(session.task, outcomes=tuple(session.outcomes)))
        del sessions[found.session]
