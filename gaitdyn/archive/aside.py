"""One file, written aside and put in place as a whole."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.errors import OutputRefused
from gaitdyn.store.folder import umask

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def written_aside(path: Path, *, force: bool = False) -> Iterator[Path]:
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
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
    except OSError as error:
        message = f"cannot write to {path.parent}: {error.strerror}; choose another place"
        raise OutputRefused(message) from error
    try:
        yield folder / path.name
        (folder / path.name).chmod(0o666 & ~umask())
        (folder / path.name).replace(path)
    except OSError as error:
        message = f"{path.name} could not be written: {error.strerror}; choose another place"
        raise OutputRefused(message) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
