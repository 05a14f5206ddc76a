"""Whether a trial of a batch has results of the same inputs, options and version."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.errors import FileRefused
from gaitdyn.io.file_kinds import holds_forces
from gaitdyn.store.plain import plain
from gaitdyn.types.frozen import by_name
from gaitdyn.types.option_rows import (
    files_of,
    recordings_named,
    swept_tables,
    with_swept_tables,
    without_folders,
)
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping
    from io import BufferedReader

    from gaitdyn.batch.task import Task

KEY_FILE = "batch.json"


def task_key(task: Task, read: Mapping[str, str] | None = None) -> str:
    """Return the hash of the inputs, the options and the version that results depend on.

    Files count by their contents: recording and static, forces and muscles beside them,
    measurements, model and body-segment table, reference set, limits of quality rules and input
    errors. Their paths do not matter: the folder may have been renamed or moved. The notes on the
    visit count, as they are on the page.

    Parameters
    ----------
    task : Task
    read : mapping, optional
        Path -> SHA-256 of files that have been read.
    """
    known = read or {}
    content = {
        "version": __version__,
        "options": plain(by_name(task.options) | without_folders(task.options)),
        "visit": plain(task.visit),
        "reports": task.settings.reports,
        "figures": task.settings.figures,
        "sensitivity": task.settings.sensitivity,
        "sweeps": [with_swept_tables(text, _name) for text in task.settings.sweeps],
        "with_names": task.settings.with_names,
        "tables": task.settings.tables,
        "files": [path and (known.get(path) or _sha256(path)) for path in inputs_of(task)],
        "beside": [known.get(path) or _sha256_if_readable(path) for path in files_beside(task)],
    }
    text = json.dumps(content, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def inputs_of(task: Task) -> list[str | None]:
    """Return the paths of all files that a task depends on."""
    named = [*recordings_named(task.options).values(), *files_of(task.options).values()]
    tables = [table for text in task.settings.sweeps for table in swept_tables(text)]
    norm = None if task.settings.norm is None else str(task.settings.norm)
    return [task.trial, norm, *map(str, named), *tables]


def _name(path: str) -> str:
    return Path(path).name


def files_beside(task: Task) -> list[str]:
    """Return the files that are read with a recording that holds no forces or muscles itself."""
    recordings = (task.trial, *map(str, recordings_named(task.options).values()))
    markers_alone = [Path(path) for path in recordings if not holds_forces(path)]
    if not markers_alone:
        return []
    from gaitdyn.io.forces.pairing import companions

    return [str(path) for recording in markers_alone for path in companions(recording)]


def _sha256_if_readable(path: str) -> str:
    """Return the hash of a file, empty if it cannot be read; then reading leaves it out, too."""
    try:
        return _sha256(path)
    except (FileRefused, OSError):
        return ""


def _sha256(path: str) -> str:
    with opened(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def opened(path: str) -> BufferedReader:
    """Return a regular file, opened for reading.

    Raises
    ------
    FileRefused
        For a pipe, a device or a folder, which might block.
    OSError
        If it does not exist or cannot be read.
    """
    if Path(path).exists() and not Path(path).is_file():
        raise FileRefused(f"{Path(path).name}: found a pipe, a device or a folder; wanted a file")
    return Path(path).open("rb")


def is_done(task: Task, key: str) -> bool:
    """Return whether complete results with this key are there.

    Every file listed in ``batch.json`` must have its size and, with ``settings.verify``, its hash.
    """
    from gaitdyn.store.whole import damage, listed, read_sealed

    try:
        document = read_sealed(task.folder / KEY_FILE)
        files = listed(document)
    except (OSError, ValueError):
        return False
    return document.get("key") == key and not damage(
        task.folder, files, verify=task.settings.verify, pages=True
    )
