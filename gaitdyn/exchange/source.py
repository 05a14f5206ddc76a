"""The recording that results were made from, found again by its place, its name and its SHA-256."""

from __future__ import annotations

from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.errors import FileRefused
from gaitdyn.io.parameters import size_of_file
from gaitdyn.io.plain_files import file_sha256
from gaitdyn.types.functional import FUNCTIONAL_KEYS
from gaitdyn.types.option_rows import FILES, MASKED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gaitdyn.store import StoredTrial

_UP = 3
"""How many folders above the results are looked into."""
_DOWN = 2
"""How many folders deep those named by ``--near`` are looked into."""

OPTIONS = {
    **{role: f"--{role}" for role in ("trial", "static", "subject")},
    **dict.fromkeys(("forces", *(f"functional {key}" for key in FUNCTIONAL_KEYS)), "--near"),
    **{row.role: "--near" for row in FILES if row.again and row.role != "subject"},
}
"""Role of an input -> the option that says where it is."""

_SHOWN = {"trial": "FILE.c3d", "static": "FILE.c3d", "subject": "FILE.toml"}


def trial_of(stored: StoredTrial, named: Path | None = None, near: Sequence[Path] = ()) -> Path:
    """Return the recording of results; see :func:`input_of`."""
    return input_of(stored, "trial", named, near)


def input_of(
    stored: StoredTrial, role: str, named: Path | None = None, near: Sequence[Path] = ()
) -> Path:
    """Return a file that results were made from.

    Parameters
    ----------
    stored : StoredTrial
    role : str
        One of :data:`OPTIONS`, as in ``inputs`` of ``result.json``.
    named : Path, optional
        Where it is; without it, it is looked for near, where ``inputs[].relative`` says, in the
        results folder, in the folders above it, in those beside it and in the current folder.
    near : sequence of Path
        Further folders to look into, first, and into those in them.

    Raises
    ------
    FileRefused
        When it is not there, or is another file than the one that was processed.
    """
    name, digest, relative = _wanted(stored, role)
    option = OPTIONS[role]
    if named is not None:
        size_of_file(named)
        if file_sha256(named) != digest:
            raise FileRefused(
                f"{option} {named.name} is not the file that was processed: its SHA-256 differs"
                " from the one in result.json; name that file, or process this one"
            )
        return named
    pattern = name if role == MASKED else escape(name).replace("\ufffd", "*")  # was not UTF-8
    told = None if relative is None else (stored.path / relative).parent
    for path in _places(stored.path, pattern, near, told):
        if _is_it(path, digest):
            return path
    what = "recording" if role == "trial" else f"{role} file"
    one = "" if option == "--near" else f"{option} {_SHOWN[role]} or "
    raise FileRefused(
        f"{stored.path}: found no {what} {name} with the SHA-256 that result.json tells; say"
        f" where it is with {one}--near FOLDER"
    )


def _wanted(stored: StoredTrial, role: str) -> tuple[str, str, str | None]:
    entry = next(x for x in stored.document["inputs"] if x["role"] == role)
    relative = entry.get("relative")
    known = isinstance(relative, str) and "\0" not in relative
    return entry["name"], entry["sha256"], relative if known else None


def _places(results: Path, pattern: str, near: Sequence[Path], told: Path | None) -> Iterator[Path]:
    """Give the paths that a file may have, near ones first."""
    folder = results.resolve()
    above = list(folder.parents)[:_UP]
    for place in near:
        for depth in range(_DOWN + 1):
            yield from sorted(place.glob("*/" * depth + pattern))
    for place in (*([] if told is None else [told]), folder, *above, Path.cwd()):
        yield from sorted(place.glob(pattern))
    for place in above:
        yield from sorted(place.glob(f"*/{pattern}"))


def _is_it(path: Path, digest: str) -> bool:
    """Return whether a file is the recording; what may not be looked at is not."""
    try:
        return path.is_file() and file_sha256(path) == digest
    except OSError:
        return False
