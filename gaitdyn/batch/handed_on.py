"""What a session's page needs of a trial, handed on by the process that has just made it.

It travels beside the outcome as bytes, which the parent keeps until the session is written: a tenth
of a results folder, and a tenth of the time that reading that folder would take.
"""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gaitdyn.store.stored import StoredTrial, name_of
from gaitdyn.store.whole import SEAL

if TYPE_CHECKING:
    from pathlib import Path


def handed_on(trial: StoredTrial, folder: Path, document: dict[str, Any], *, page: bool) -> bytes:
    """Return what the session needs of a trial; nothing where it needs nothing.

    Parameters
    ----------
    trial : StoredTrial
        Made of the values in memory.
    folder : Path
        Of its results.
    document : dict
        Contents of ``result.json`` as it can be read there.
    page : bool
        Whether the session has a page; without one it needs the envelopes of muscles alone.
    """
    name = name_of(document)
    if page:
        whole = replace(trial, path=folder, name=name, document=document)
        return pickle.dumps(whole, pickle.HIGHEST_PROTOCOL)
    if trial.emg is None or document["options"]["emg_normalise"] != "session":
        return b""
    muscles = StoredTrial(folder, name, document, {}, (), {}, emg=trial.emg)
    return pickle.dumps(muscles, pickle.HIGHEST_PROTOCOL)


def taken_over(raw: bytes, document: dict[str, Any]) -> StoredTrial | None:
    """Return what was handed on; None where there is nothing, or other results stand there now.

    Parameters
    ----------
    raw : bytes
        Of :func:`handed_on`, from a process of the same batch.
    document : dict
        ``result.json`` as it stands in the folder.
    """
    if not raw:
        return None
    trial: StoredTrial = pickle.loads(raw)  # noqa: S301  our own process wrote it
    return trial if trial.document[SEAL] == document[SEAL] else None
