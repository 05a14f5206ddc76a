"""The results of the trials of a session, in its folder."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from gaitdyn.batch.outcome import Outcome
from gaitdyn.batch.owners import folded
from gaitdyn.batch.pages import MUSCLES
from gaitdyn.store.claims import claimed
from gaitdyn.store.folder import DOCUMENT
from gaitdyn.store.whole import SEAL, read_sealed

_HEAD_BYTES = 4096


def has_muscles(place: Path, name: str) -> bool:
    """Return whether the table of a trial has an envelope of any muscle."""
    try:
        with (place / name / MUSCLES).open("rb") as stream:
            return stream.read(_HEAD_BYTES).count(b"\n") > 1
    except OSError:
        return False


def documents_of(place: Path, trials: Sequence[Outcome]) -> dict[str, dict[str, Any]]:
    """Return folder -> ``result.json`` of the trials that did not fail."""
    documents: dict[str, dict[str, Any]] = {}
    for trial in trials:
        if trial.state != "failed":
            with claimed(place / trial.name):
                documents[trial.name] = _document(place / trial.name, trial.seal)
    return documents


def _document(folder: Path, seal: str) -> dict[str, Any]:
    """Return a ``result.json``; its contents are checked unless it has the seal of this batch."""
    from gaitdyn.store.stored_document import read_document

    with suppress(OSError, ValueError):
        document = read_sealed(folder / DOCUMENT)
        if document[SEAL] == seal:
            return document
    return read_document(folder, "read")


def other_folders(place: Path, documents: dict[str, dict[str, Any]]) -> list[str]:
    """Return the folders with results of other trials than these."""
    known = {folded(name) for name in documents}
    names = (path.parent.name for path in sorted(place.glob(f"*/{DOCUMENT}")))
    return [name for name in names if folded(name) not in known and not name.startswith(".")]


def subjects_of(documents: dict[str, dict[str, Any]]) -> list[str]:
    """Return the pseudonyms of a session."""
    names = (document["subject"]["id"] for document in documents.values())
    return list(dict.fromkeys(name for name in names if name))
