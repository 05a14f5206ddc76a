"""Which batch processes a session, and how: batches with other settings do not share one.

``OUT/.<session>.run-<8 digits>.gaitdyn-lock`` is locked by a batch while it works on a session, and
holds the key of every trial. Batches with equal keys share the trials. One that wants another key
for any of them is refused, since each would replace results of the other.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.batch.done_before import files_beside, inputs_of, task_key
from gaitdyn.errors import OutputRefused
from gaitdyn.io.plain_files import plain_bytes
from gaitdyn.store.claims import LOCK, FolderLock, claimed, hidden_name, owner_of, try_claim
from gaitdyn.types.words import cannot_write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.batch.task import Task


class SessionLocks:
    """The sessions that this batch is working on.

    Parameters
    ----------
    out : Path
        The output, an existing folder.
    """

    def __init__(self, out: Path) -> None:
        self._out = out
        self._held: dict[str, FolderLock] = {}

    def take(self, session: str, tasks: Sequence[Task]) -> None:
        """Lock a session for its trials, together with batches of the same settings.

        Parameters
        ----------
        session : str
            Name of its folder in the output.
        tasks : sequence of Task

        Raises
        ------
        OutputRefused
            If another batch is processing one of the trials with other settings, or the lock cannot
            be written.
        """
        keys = {task.name: _key(task) for task in tasks}
        try:
            self._take(session, keys)
        except OSError as error:
            raise OutputRefused(cannot_write(f"to {self._out}", error)) from error

    def _take(self, session: str, keys: dict[str, str]) -> None:
        place = self._out / session
        with claimed(place):
            for path in self._others(place):
                if _differs(path, keys):
                    raise OutputRefused(
                        f"{session}: another batch is processing it with other settings or files"
                        f" ({owner_of(path)}); wait until it has finished, or choose another -o"
                    )
            name = hidden_name(place, f"run-{os.urandom(4).hex()}.{LOCK}")
            lock = try_claim(self._out / name)
            if lock is not None:
                lock.write_owner({"keys": keys})
                self._held[session] = lock

    def release(self, session: str) -> None:
        """Release a session, if this batch has it."""
        lock = self._held.pop(session, None)
        if lock is not None:
            lock.release()

    def release_all(self) -> None:
        """Release every session."""
        for session in list(self._held):
            self.release(session)

    def _others(self, place: Path) -> list[Path]:
        """Return the locks of other running batches on a session; those of dead ones are removed.

        On a disk without locks nobody can tell them apart: none counts.
        """
        form = re.compile(rf"{re.escape(hidden_name(place, 'run-'))}[0-9a-f]{{8}}\.{LOCK}")
        running: list[Path] = []
        for path in [Path(one) for one in os.scandir(self._out) if form.fullmatch(one.name)]:
            lock = try_claim(path, make=False)
            if lock is None:
                running.append(path)
            else:
                (lock.leave if lock.shared else lock.release)()
        return running


def _key(task: Task) -> str:
    """Return the key of a trial by the names of its files, so that none is read."""
    files = (*inputs_of(task), *files_beside(task))
    return task_key(task, {path: Path(path).name for path in files if path})


def _differs(path: Path, keys: dict[str, str]) -> bool:
    """Return whether another batch has another key for one of the trials."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        theirs = json.loads(plain_bytes(path))["keys"]
        return any(theirs.get(name, key) != key for name, key in keys.items())
    return False
