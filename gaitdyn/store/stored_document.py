"""The document of a results folder, or what is wrong with the folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from gaitdyn.errors import ResultsRefused
from gaitdyn.store.folder import DOCUMENT
from gaitdyn.store.shape import check_document
from gaitdyn.store.whole import damage, listed, read_sealed
from gaitdyn.types.words import system_reason

_MOST_NAMED = 3
"""Number of folders that a message names as choices."""

Check = Literal["sizes", "hashes", "read"]


def _missing_message(folder: Path) -> str:
    """Return what was found instead of results, and what was wanted."""
    message = f"found {found_instead(folder)}; wanted a folder that `gaitdyn process` wrote"
    if not folder.is_dir():
        return message
    inside = [
        path.parent.relative_to(folder).as_posix()
        for pattern in (f"*/{DOCUMENT}", f"*/*/{DOCUMENT}")
        for path in sorted(folder.glob(pattern))
        if not path.parent.name.startswith(".")  # being written
    ]
    if not inside:
        return message
    named = ", ".join(inside[:_MOST_NAMED]) + ", ..." * (len(inside) > _MOST_NAMED)
    return f"found no results in it, but in {len(inside)} of its folders; wanted one: {named}"


def read_document(folder: Path, check: Check = "sizes") -> dict[str, Any]:
    """Return ``result.json`` of a complete results folder.

    Raises
    ------
    ResultsRefused
        When there are no results, or they are damaged or of another version.
    """
    try:
        exists = (folder / DOCUMENT).is_file()
    except (OSError, ValueError):
        exists = False
    if not exists:
        raise ResultsRefused(f"{folder}: {_missing_message(folder)}")
    try:
        document = read_sealed(folder / DOCUMENT)
        check_document(document)
        files = listed(document)
    except OSError as error:
        found = f"{DOCUMENT} that cannot be read ({system_reason(error)})"
        raise ResultsRefused(
            f"{folder}: found {found}; check the disk and the permissions"
        ) from error
    except ValueError as error:
        raise refused(folder, f"results that cannot be trusted ({error})") from error
    problem = "" if check == "read" else damage(folder, files, verify=check == "hashes")
    if problem:
        raise refused(folder, f"results that are damaged ({problem})")
    return document


def refused(folder: Path, found: str) -> ResultsRefused:
    """Return the refusal of results that only processing the trial again can mend."""
    todo = "process the trial again with this version of gaitdyn"
    return ResultsRefused(f"{folder}: found {found}; {todo}")


def found_instead(path: Path) -> str:
    """Return a description, for an error message, of a path that has no results."""
    if path.is_dir():
        return "no results in it"
    if not path.exists():
        return "no such folder"
    from gaitdyn.io.file_kinds import RECORDINGS  # only needed for this message

    if path.suffix.lower() in RECORDINGS:
        return "a recording, which `gaitdyn process` turns into results"
    return "a file"
