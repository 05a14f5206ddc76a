"""The sessions of a batch while their trials run: opened one by one, closed after the last."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.batch.listener import Listener
from gaitdyn.batch.outcome import Outcome, Work
from gaitdyn.batch.session_lock import SessionLocks
from gaitdyn.batch.settings import BatchSettings, on_demand
from gaitdyn.batch.task import Task
from gaitdyn.errors import GaitdynError, OutputRefused, UsageError
from gaitdyn.types.words import system_reason

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Iterator, Sequence

    from gaitdyn.batch.session_task import SessionTask
    from gaitdyn.session import SessionPlan


@dataclass(slots=True)
class OpenSession:
    """A session with unfinished trials."""

    task: SessionTask
    left: int
    outcomes: list[Outcome]


def tasks_of_sessions(
    folders: Sequence[Path],
    settings: BatchSettings,
    sessions: dict[str, OpenSession],
    urgent: deque[Work],
    listener: Listener,
    locks: SessionLocks,
) -> Iterator[Work]:
    """Yield the trials of one session after another, and open each session.

    Parameters
    ----------
    folders : sequence of Path
        Of the recordings, one per session.
    settings : BatchSettings
    sessions : dict
        Name -> OpenSession; a session with trials is added before its first one.
    urgent : deque of Work
        A session without trials is added here, to be closed.
    listener : Listener
    locks : SessionLocks
        Taken for each session.
    """
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
            sessions[session] = OpenSession(closing, len(tasks), [])
        else:
            urgent.append(closing)
        yield from tasks
    index_template()


def close_trial(sessions: dict[str, OpenSession], outcome: Outcome, urgent: deque[Work]) -> None:
    """Record the outcome of a trial; after the last one, queue the session itself.

    Parameters
    ----------
    sessions : dict
        Name -> OpenSession; a session is removed after its last trial.
    outcome : Outcome
        Of a trial.
    urgent : deque of Work
        To which the session is added.
    """
    from gaitdyn.batch.recorded_source import open_again

    session = sessions[outcome.session]
    if outcome.changed:
        with suppress(OSError, OutputRefused):
            removed = open_again(session.task.settings.out / outcome.session)
            session.task = replace(session.task, removed=(*session.task.removed, *removed))
    session.outcomes.append(outcome)
    session.left -= 1
    if not session.left:
        urgent.append(replace(session.task, outcomes=tuple(session.outcomes)))
        del sessions[outcome.session]


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
