"""What came of a task of a batch, and what a task is to a process that runs it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.batch.session_task import RefusedSession, SessionTask
    from gaitdyn.batch.task import Task

Work: TypeAlias = "Task | SessionTask | RefusedSession"
"""What a process can do; each has ``session``, ``name``, ``trial``, ``limit_s`` and ``run``."""

State = Literal["done", "skipped", "failed", "waiting"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a task.

    Attributes
    ----------
    session, name, file : str
    state : {"done", "skipped", "failed", "waiting"}
        ``skipped``: it had been done before from the same inputs, options and version;
        ``waiting``: another run is writing it, so that it is for later.
    reason : str
        Of a failure or of waiting, one line.
    row : dict
        Columns of ``summary.csv`` beside these.
    worklist : list of dict
        What to look at, of :func:`gaitdyn.batch.worklist.worklist`.
    notes : tuple of str
        What a person should know beside it, a line each.
    changed : str
        Why results that were there were made again; empty when there were none.
    kept : bytes
        What the session needs of it, of :func:`gaitdyn.batch.handed_on.handed_on`.
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
    kept: bytes = field(default=b"", repr=False)


def survive(work: Work, do: Callable[[], Outcome]) -> Outcome:
    """Return what came of it; an error becomes an outcome with its reason in one line."""
    from gaitdyn.errors import GaitdynError

    name = Path(work.trial).name
    try:
        return do()
    except GaitdynError as error:
        return failed(work, str(error))
    except OSError as error:
        return failed(work, f"{name}: {(error.strerror or str(error)).lower()}")
    except MemoryError:
        return failed(work, f"{name}: the memory of this machine is used up")
    except Exception as error:  # noqa: BLE001  a batch survives anything
        return failed(work, f"{name}: an error of gaitdyn, {type(error).__name__}: {error}")


def outcome(
    task: Work, state: State, reason: str = "", row: dict[str, Any] | None = None
) -> Outcome:
    """Return an outcome of a task."""
    from gaitdyn.io.plain_files import recovered

    file = recovered(Path(task.trial).name)
    return Outcome(task.session, task.name, file, state, " ".join(reason.split()), row or {})


def failed(task: Work, reason: str) -> Outcome:
    """Return the outcome of a task that could not be done."""
    return outcome(task, "failed", reason)
