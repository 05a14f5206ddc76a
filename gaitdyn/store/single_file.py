"""Write one file under a temporary name, check it, and move it into place."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from gaitdyn.errors import OutputRefused
from gaitdyn.store.being_written import NEW, being_written
from gaitdyn.store.pages import is_our_page
from gaitdyn.store.whole import settle_folder
from gaitdyn.types.words import cannot_write


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
) -> Generator[Path]:
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
        raise OutputRefused(cannot_write(path, error, todo)) from error


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
    refuse_existing(path, force=force)
    return written_whole(path, todo="choose another name")


def refuse_existing(path: Path, *, force: bool) -> None:
    """Refuse to replace a folder or, without ``force``, an existing file."""
    if path.is_dir() or (path.exists() and not force):
        raise OutputRefused(f"{path} already exists; choose another, or replace it with --force")


def refuse_foreign(
    path: Path,
    begins: str = "",
    *,
    force: bool,
    advice: str = "name another file or replace it with --force",
) -> None:
    """Refuse anything but a file and, without ``force``, a file that gaitdyn did not write.

    Parameters
    ----------
    path : Path
    begins : str
        How a table of gaitdyn begins; pages and pictures have their own mark.
    force : bool
    advice : str
        What the user can do about a file of others.

    Raises
    ------
    OutputRefused
    """
    if path.is_dir():
        raise OutputRefused(f"{path} is a folder, wanted a file; name another")
    if path.exists() and not path.is_file():
        raise OutputRefused(f"{path} is a pipe or a device, wanted a file; name another")
    if force or not path.exists() or is_our_page(path):
        return
    if not begins or not path.read_bytes().startswith(begins.encode()):
        raise OutputRefused(f"{path} was not written by gaitdyn; {advice}")
