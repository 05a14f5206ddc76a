"""Outcomes of the tasks of a batch, and the interface of a task."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.batch.session_task import RefusedSession, SessionTask
    from gaitdyn.batch.task import Task

Work: TypeAlias = "Task | SessionTask | RefusedSession"
"""A task: each has ``session``, ``name``, ``trial``, ``limit_s`` and ``run``."""

State = Literal["done", "skipped", "failed", "waiting"]


@frozen()
class Outcome:
    """The outcome of a task.

    Attributes
    ----------
    session, name, file : str
    state : {"done", "skipped", "failed", "waiting"}
        ``skipped``: results of the same inputs, options and version are there already;
        ``waiting``: another run is writing it, so it is postponed.
    reason : str
        Why it failed or is waiting, in one line.
    row : dict
        The other columns of ``summary.csv``.
    worklist : list of dict
        What to check, from :func:`gaitdyn.batch.worklist.worklist`.
    notes : tuple of str
        Further remarks for the user, one line each.
    changed : str
        Why existing results were replaced; empty if there were none.
    kept : Path or None
        File of what the session's page needs, from :func:`gaitdyn.batch.handed_on.handed_on`.
    seal : str
        Seal of the ``result.json`` that the row describes; empty if it failed.
    """

    session: str
    name: str
    file: str
    state: State
    reason: str = ""
    row: dict[str, Any] = field(default_factory=dict[str, Any])
    worklist: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    notes: tuple[str, ...] = ()
    changed: str = ""
    kept: Path | None = None
    seal: str = ""


def survive(work: Work, do: Callable[[], Outcome]) -> Outcome:
    """Return the outcome of ``do``; an error becomes an outcome with a one-line reason."""
    from gaitdyn.errors import GaitdynError
    from gaitdyn.types.words import system_reason

    name = Path(work.trial).name
    try:
        return do()
    except GaitdynError as error:
        return failed(work, str(error))
    except OSError as error:
        of_file = Path(error.filename).name if isinstance(error.filename, str) else name
        return failed(work, f"{of_file}: {system_reason(error)}")
    except MemoryError:
        return failed(work, f"{name}: the memory of this machine is used up")
    except Exception as error:  # noqa: BLE001  a batch survives anything
        return failed(work, f"{name}: an error of gaitdyn, {type(error).__name__}: {error}")


def outcome(
    task: Work, state: State, reason: str = "", row: dict[str, Any] | None = None
) -> Outcome:
    """Return the outcome of a task, with its reason as one line."""
    from gaitdyn.io.plain_files import recovered

    file = recovered(Path(task.trial).name)
    return Outcome(task.session, task.name, file, state, " ".join(reason.split()), row or {})


def failed(task: Work, reason: str) -> Outcome:
    """Return the outcome of a task that failed."""
    return outcome(task, "failed", reason)
