"""What replacing results takes away: files of the earlier run that the later one does not write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from gaitdyn.store.folder import DOCUMENT
from gaitdyn.store.pages import report_files
from gaitdyn.store.whole import listed, read_sealed
from gaitdyn.types.words import counted


def own_files(folder: Path) -> list[str]:
    """Return the names of gaitdyn's files in a results folder: those it lists, and its reports."""
    try:
        names = [entry["name"] for entry in listed(read_sealed(folder / DOCUMENT))]
    except (OSError, ValueError):
        names = []
    names += [path.name for path in report_files(folder)]
    return [name for name in dict.fromkeys(names) if (folder / name).is_file()]


def removed_words(folder: Path, before: Iterable[str]) -> str:
    """Return in words which files are no longer in a folder; empty if all are.

    Parameters
    ----------
    folder : Path
    before : iterable of str
        Of :func:`own_files`, or other names, before the folder was written again.
    """
    gone = [PurePosixPath(name) for name in {*before} if not (folder / name).exists()]
    inside = Counter(str(name.parent) for name in gone if len(name.parts) > 1)
    names = sorted(name.name for name in gone if len(name.parts) == 1)
    names += [f"{place} ({counted(n, 'file')})" for place, n in sorted(inside.items())]
    if not names:
        return ""
    return f"removed {', '.join(names)} of the earlier run, which this one does not write"
