"""One file written aside, looked at, and put in place as a whole."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from gaitdyn.errors import OutputRefused
from gaitdyn.store.being_written import NEW, being_written
from gaitdyn.store.folder import umask
from gaitdyn.store.whole import settle_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def put_in_place(path: Path, content: bytes, check: Callable[[Path], None] | None = None) -> None:
    """Write a file aside and put it in place; its folder is made where there is none.

    Parameters
    ----------
    path : Path
    content : bytes
    check : callable, optional
        Looks at the file that was written aside; what it raises leaves the old file as it was.

    Raises
    ------
    OutputRefused
        When the file cannot be written.
    """
    with written_whole(path, folder=True) as new:
        new.write_bytes(content)
        if check is not None:
            check(new)


@contextmanager
def written_whole(
    path: Path, *, folder: bool = False, todo: str = "choose another -o"
) -> Iterator[Path]:
    """Give a place of the same name in a folder beside it, and put it in place at the end.

    Parameters
    ----------
    path : Path
    folder : bool
        Make the folder where there is none.
    todo : str
        What to do where the file cannot be written.

    Raises
    ------
    OutputRefused
        When it cannot.
    """
    try:
        if folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        with being_written(path) as place:
            new = place / NEW / path.name
            yield new
            with new.open("rb+") as file:
                os.fsync(file.fileno())
            new.chmod(0o666 & ~umask())
            new.replace(path)
        settle_folder(path.parent)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OutputRefused(f"cannot write {path}: {reason}; {todo}") from error


def new_file(path: Path, *, force: bool) -> AbstractContextManager[Path]:
    """Give a place as :func:`written_whole` does, unless a file is there that is not to go.

    Parameters
    ----------
    path : Path
    force : bool
        Replace a file that is there.

    Raises
    ------
    OutputRefused
        When the file is there and ``force`` is not given, or cannot be written.
    """
    if path.is_dir() or (path.exists() and not force):
        raise OutputRefused(
            f"{path.name} is there already; choose another, or replace a file with --force"
        )
    return written_whole(path, todo="choose another place")
