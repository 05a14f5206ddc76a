"""Choose and check the files of an export: unused names or earlier exports, never an input."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from gaitdyn.errors import OutputRefused, UsageError
from gaitdyn.io.plain_files import plain_bytes
from gaitdyn.store import StoredTrial
from gaitdyn.types.arguments import one_of
from gaitdyn.types.frozen import frozen
from gaitdyn.types.words import cannot_write

_MARKS = {
    ".c3d": rb"\x07[\x80-\xff]GAITDYN",  # name of a group of parameters
    ".trc": rb"\APathFileType\t4\t\(X/Y/Z\)\tgaitdyn/",
    ".mot": rb"\A[^\n]* \(gaitdyn\)\nversion=1\n",
    ".xml": rb"<!-- written by gaitdyn -->",
    ".mat": rb"\x01\0\0\0\x07\0\0\0gaitdyn\0",  # name of the variable
    ".parquet": rb"\x18\x07gaitdyn\x18",  # key of the metadata
}
"""Ending -> pattern of the bytes that every export of this format has."""

_READ_AT_MOST = 1 << 20
_LARGEST = 1 << 32  # bytes of an earlier export


def targets(stored: StoredTrial, out: Path | None, endings: Sequence[str]) -> list[Path]:
    """Return the files to write, one per ending.

    Parameters
    ----------
    stored : StoredTrial
    out : Path or None
        A folder, or the name of one of the files; the current folder by default.
    endings : sequence of str
        Such as ``.trc``; the first one may be left out of a name.

    Raises
    ------
    UsageError
        When the name has another ending.
    """
    base = f"{stored.name}.gaitdyn"
    if out is None or out.is_dir() or not out.suffix:
        return [(out or Path()) / (base + ending) for ending in endings]
    for ending in sorted(endings, key=len, reverse=True):
        if out.name.lower().endswith(ending) and len(out.name) > len(ending):
            stem = out.name[: -len(ending)]
            return [out if e == ending else out.with_name(stem + e) for e in endings]
    raise UsageError(f"-o {out.name}: wanted a folder, or a name that ends in {one_of(endings)}")


def check_targets(stored: StoredTrial, paths: Sequence[Path], *, force: bool) -> None:
    """Refuse to overwrite an input or, without ``force``, a file that gaitdyn did not write.

    Raises
    ------
    OutputRefused
        Naming the file.
    """
    inputs = {entry["sha256"] for entry in stored.document["inputs"]}
    for path in paths:
        if path.is_dir():
            raise OutputRefused(f"{path} is a folder, wanted a file; name another with -o")
        if not path.exists():
            continue
        try:
            content = plain_bytes(path, _LARGEST)
        except OSError as error:
            raise OutputRefused(cannot_write(path, error)) from error
        if hashlib.sha256(content).hexdigest() in inputs:
            message = f"{path} is an input of these results and is never overwritten; choose -o"
            raise OutputRefused(message)
        if not force and not is_ours(path, content):
            raise OutputRefused(
                f"{path} is not an export of gaitdyn; choose another name with -o or replace it"
                " with --force"
            )


def is_ours(path: Path, content: bytes) -> bool:
    """Return whether a file has the field that an export of this format has."""
    mark = re.compile(_MARKS[path.suffix.lower()])
    return any(mark.search(part) for part in (content[:_READ_AT_MOST], content[-_READ_AT_MOST:]))


@frozen()
class Written:
    """The files of an export, and notes on them for the user.

    Attributes
    ----------
    paths : tuple of Path
    notes : tuple of str
    """

    paths: tuple[Path, ...]
    notes: tuple[str, ...] = ()
