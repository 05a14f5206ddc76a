"""One file, written aside and put in place as a whole."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from gaitdyn.errors import OutputRefused
from gaitdyn.store.being_written import NEW, being_written
from gaitdyn.store.folder import umask

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def written_whole(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Give a place of the same name in a folder beside it, and put it in place at the end.

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
        message = f"{path.name} is there already; choose another, or replace a file with --force"
        raise OutputRefused(message)
    with ExitStack() as held:
        try:
            place = held.enter_context(being_written(path))
        except OSError as error:
            message = f"cannot write to {path.parent}: {error.strerror}; choose another place"
            raise OutputRefused(message) from error
        yield from _written(place / NEW / path.name, path)


def _written(new: Path, path: Path) -> Iterator[Path]:
    """Give a new file and put it in place."""
    try:
        yield new
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        new.chmod(0o666 & ~umask())
        new.replace(path)
    except OSError as error:
        message = f"{path.name} could not be written: {error.strerror}; choose another place"
        raise OutputRefused(message) from error
