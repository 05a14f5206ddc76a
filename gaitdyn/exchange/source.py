"""The recording that results were made from, found again by its name and its SHA-256."""

from __future__ import annotations

import hashlib
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.errors import FileRefused
from gaitdyn.io.parameters import size_of_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gaitdyn.store import StoredTrial

_UP = 3
"""How many folders above the results are looked into."""


def trial_of(stored: StoredTrial, named: Path | None = None) -> Path:
    """Return the recording of results.

    Parameters
    ----------
    stored : StoredTrial
    named : Path, optional
        Where it is; without it, it is looked for in the results folder, in the folders above it,
        in those beside it and in the current folder.

    Raises
    ------
    FileRefused
        When it is not there, or is another file than the one that was processed.
    """
    name, digest = _wanted(stored)
    if named is not None:
        size_of_file(named)
        if _sha256(named) != digest:
            message = (
                f"--trial {named.name} is not the file that was processed: its SHA-256 differs from"
                " the one in result.json; name that file, or process this one"
            )
            raise FileRefused(message)
        return named
    for path in _places(stored.path, name):
        if _is_it(path, digest):
            return path
    message = (
        f"{stored.path}: found no recording {name} with the SHA-256 that result.json tells; say"
        " where it is with --trial FILE.c3d"
    )
    raise FileRefused(message)


def _wanted(stored: StoredTrial) -> tuple[str, str]:
    entry = next(x for x in stored.document["inputs"] if x["role"] == "trial")
    return entry["name"], entry["sha256"]


def _places(results: Path, name: str) -> Iterator[Path]:
    """Give the paths that a recording may have, near ones first."""
    folder = results.resolve()
    above = list(folder.parents)[:_UP]
    for near in (folder, *above, Path.cwd()):
        yield near / name
    for near in above:
        yield from sorted(near.glob(f"*/{escape(name)}"))


def _is_it(path: Path, digest: str) -> bool:
    """Return whether a file is the recording; what may not be looked at is not."""
    try:
        return path.is_file() and _sha256(path) == digest
    except OSError:
        return False


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
