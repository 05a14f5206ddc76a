"""The part of a trial that the session's page needs, passed on by the process that made it.

It travels with the outcome as bytes, which the parent keeps until the session is written. It has a
tenth of the size of a results folder and takes a tenth of the time to read. The session reads
``result.json`` itself, so that only its seal travels.
"""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

from gaitdyn.store.stored import StoredTrial, name_of
from gaitdyn.store.whole import SEAL


def handed_on(
    trial: StoredTrial, folder: Path, document: dict[str, Any], *, page: bool
) -> list[bytes]:
    """Return what the session needs of a trial, as one item; empty if it needs nothing.

    Parameters
    ----------
    trial : StoredTrial
        Made from the values in memory.
    folder : Path
        Its results folder.
    document : dict
        Contents of its ``result.json``.
    page : bool
        Whether the session has a page; without one it needs only the EMG envelopes.
    """
    name, sealed = name_of(document), {SEAL: document[SEAL]}
    if page:
        part = replace(trial, path=folder, name=name, document=sealed)
    elif trial.emg is None or document["options"]["emg_normalise"] != "session":
        return []
    else:
        part = StoredTrial(folder, name, sealed, {}, (), {}, emg=trial.emg)
    return [pickle.dumps(part, pickle.HIGHEST_PROTOCOL)]


def taken_over(raw: list[bytes], document: dict[str, Any]) -> StoredTrial | None:
    """Return the trial that was passed on; None if there is none or its results have changed.

    Parameters
    ----------
    raw : list of bytes
        From :func:`handed_on`, in a process of the same batch. It is emptied, since a session would
        otherwise hold every trial twice.
    document : dict
        ``result.json`` as it now is in the folder.
    """
    if not raw:
        return None
    trial: StoredTrial = pickle.loads(raw.pop())  # noqa: S301  written by a process of this batch
    return replace(trial, document=document) if trial.document[SEAL] == document[SEAL] else None
