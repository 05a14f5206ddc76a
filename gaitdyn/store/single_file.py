"""Write one file under a temporary name, check it, and move it into place."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from gaitdyn.errors import OutputRefused
from gaitdyn.store.being_written import NEW, being_written
from gaitdyn.store.whole import settle_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def put_in_place(path: Path, content: bytes, check: Callable[[Path], None] | None = None) -> None:
    """Write a file under a temporary name and move it into place; create its folder if needed.

    Parameters
    ----------
    path : Path
    content : bytes
    check : callable, optional
        Called with the path of the temporary file; if it raises, the old file is left as it was.

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
    """Yield a path of the same name in a temporary folder, and move the file into place at the end.

    Parameters
    ----------
    path : Path
    folder : bool
        Create the folder if it does not exist.
    todo : str
        Advice for the message if the file cannot be written.

    Raises
    ------
    OutputRefused
        When the file cannot be written.
    """
    try:
        if folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        with being_written(path) as temporary:
            new = temporary / NEW / path.name
            yield new
            with new.open("rb+") as file:
                os.fsync(file.fileno())
            new.replace(path)
        settle_folder(path.parent)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OutputRefused(f"cannot write {path}: {reason}; {todo}") from error


def new_file(path: Path, *, force: bool) -> AbstractContextManager[Path]:
    """Return a path as :func:`written_whole` does, unless a file exists that must not be replaced.

    Parameters
    ----------
    path : Path
    force : bool
        Replace an existing file.

    Raises
    ------
    OutputRefused
        When the file exists and ``force`` is not given, or cannot be written.
    """
    if path.is_dir() or (path.exists() and not force):
        message = f"{path.name} exists already; choose another name, or replace it with --force"
        raise OutputRefused(message)
    return written_whole(path, todo="choose another name")
