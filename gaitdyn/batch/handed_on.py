"""The part of a trial that the session's page needs, passed on by the process that made it.

It lies in a file of this run's own temporary folder until the session is written, so that neither
the parent nor the pipes to it carry it. It has a tenth of the size of a results folder and takes a
tenth of the time to read. The session reads ``result.json`` itself; only its seal is passed on.
"""

from __future__ import annotations

import pickle
import shutil
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitdyn.store.claims import try_claim
from gaitdyn.store.whole import SEAL

if TYPE_CHECKING:
    from collections.abc import Generator

    from gaitdyn.batch.settings import BatchSettings
    from gaitdyn.store.stored import StoredTrial

_PREFIX, _OWNED = "gaitdyn-batch-", ".gaitdyn-owned"


@contextmanager
def with_place(settings: BatchSettings) -> Generator[BatchSettings]:
    """Yield the settings with a folder for what is passed on, which only this user can open.

    It is removed at the end, or by the next batch if this one was killed. On a cluster, whose
    workers may share no disk, or if no folder can be made, there is none, and sessions read the
    folders of their trials.
    """
    place, lock = None, None
    if settings.dask is None:
        with suppress(OSError):
            _remove_left_over(Path(tempfile.gettempdir()))
            place = Path(tempfile.mkdtemp(prefix=_PREFIX))
            lock = try_claim(place / _OWNED)
    try:
        yield replace(settings, place=place)
    finally:
        if lock is not None:
            lock.release()
        if place is not None:
            shutil.rmtree(place, ignore_errors=True)


def _remove_left_over(folder: Path) -> None:
    """Remove the folders of batches that were killed: nobody has their lock any more."""
    for place in folder.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            lock = try_claim(place / _OWNED, make=False)
            if lock is not None and not lock.shared:
                lock.release()
                shutil.rmtree(place)
            elif lock is not None:
                lock.leave()


def handed_on(
    trial: StoredTrial, folder: Path, document: dict[str, Any], place: Path, *, whole: bool
) -> Path | None:
    """Write what the session needs of a trial, and return the file.

    Parameters
    ----------
    trial : StoredTrial
        Made from the values in memory.
    folder : Path
        Its results folder.
    document : dict
        Contents of its ``result.json``.
    place : Path
        From :func:`with_place`.
    whole : bool
        Whether the session has a page or a PDF; without one it needs only the EMG envelopes.

    Returns
    -------
    Path or None
        None if it needs nothing, or the file cannot be written.
    """
    from gaitdyn.store.stored import StoredTrial, name_of

    name, sealed = name_of(document), {SEAL: document[SEAL]}
    if whole:
        part = replace(trial, path=folder, name=name, document=sealed)
    elif trial.emg is None or document["options"]["emg_normalise"] != "session":
        return None
    else:
        part = StoredTrial(folder, name, sealed, {}, (), {}, emg=trial.emg)
    file = None
    try:
        with tempfile.NamedTemporaryFile(dir=place, delete=False) as file:
            pickle.dump(part, file, pickle.HIGHEST_PROTOCOL)
    except OSError:
        if file is not None:
            with suppress(OSError):  # half a file would keep a full disk full
                Path(file.name).unlink()
        return None
    return Path(file.name)


def taken_over(file: Path | None, document: dict[str, Any]) -> StoredTrial | None:
    """Return the trial that was passed on; None if there is none or its results have changed.

    Parameters
    ----------
    file : Path or None
        From :func:`handed_on`, in a process of the same batch. It is removed.
    document : dict
        ``result.json`` as it now is in the folder.
    """
    if file is None:
        return None
    try:
        with file.open("rb") as opened:
            trial: StoredTrial = pickle.load(opened)  # noqa: S301  written by a process of this run
        file.unlink()
    except (OSError, EOFError, pickle.UnpicklingError):  # written by halves, on a full disk
        return None
    return replace(trial, document=document) if trial.document[SEAL] == document[SEAL] else None
