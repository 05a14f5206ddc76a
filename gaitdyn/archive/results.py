"""The results that an archive takes: folders, whether they are whole, and their hash."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from gaitdyn.errors import ResultsRefused
from gaitdyn.store.document import document_text
from gaitdyn.store.folder import DOCUMENT
from gaitdyn.store.private import without_private
from gaitdyn.store.stored_document import found_instead, read_document
from gaitdyn.store.visit import document_of_visit, read_visit, visit_for_changes
from gaitdyn.types.arguments import path_of

_HASHED = (DOCUMENT, "cycles.csv", "gait_parameters.csv", "peaks.csv", "quality.csv", "emg.csv")


def result_folders(path: str | Path) -> list[Path]:
    """Return a results folder, or those below a folder, such as a session or a batch.

    Links to folders are followed, so that a group may be a folder of links to its sessions.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    list of Path
        In the order of their names.

    Raises
    ------
    ResultsRefused
        When there is none.
    """
    path = path_of("path", path, "a results folder")
    if (path / DOCUMENT).is_file():
        return [path]
    folders = sorted(_below(path))
    if not folders:
        raise ResultsRefused(
            f"{path.name}: found {found_instead(path)}; wanted a folder that `gaitdyn process`"
            " wrote, or one that contains such folders"
        )
    return folders


def _below(path: Path) -> Iterator[Path]:
    """Yield the results folders below a folder, each once and without those that are hidden."""
    seen = set[tuple[int, int]]()
    for place, names, _ in os.walk(path, followlinks=True):
        found = Path(place).stat()
        names[:] = sorted(name for name in names if not name.startswith("."))
        if (found.st_dev, found.st_ino) in seen:
            names.clear()
            continue
        seen.add((found.st_dev, found.st_ino))
        if (Path(place) / DOCUMENT).is_file():
            yield Path(place)


def check_results(folder: Path, *, verify: bool) -> None:
    """Refuse results that are not whole, even if the archive has them already.

    Raises
    ------
    ResultsRefused
    """
    read_document(folder, "hashes" if verify else "sizes")


def result_sha256(folder: Path) -> str:
    """Return the SHA-256 of all from which the archive stores something: files, and a visit."""
    digest = hashlib.sha256()
    for name in _HASHED:
        file = folder / name
        raw = file.read_bytes() if file.is_file() else b""
        raw = _without_paths(raw) if name == DOCUMENT else raw
        digest.update(f"{name} {len(raw)}\n".encode() + raw)
    if visit := visit_for_changes(read_visit(folder)):
        digest.update(json.dumps(document_of_visit(visit)).encode())
    return digest.hexdigest()


def _without_paths(raw: bytes) -> bytes:
    """Return ``result.json`` as it would be in any other folder; unchanged if it cannot be read."""
    try:
        return document_text(without_private(json.loads(raw))).encode()
    except (ValueError, KeyError, TypeError, AttributeError):
        return raw
