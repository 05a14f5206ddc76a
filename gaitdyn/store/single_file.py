"""One file written aside, looked at, and put in place as a whole."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gaitdyn.errors import OutputRefused
from gaitdyn.store.being_written import NEW, being_written
from gaitdyn.store.folder import umask
from gaitdyn.store.whole import settle_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def put_in_place(path: Path, content: bytes, check: Callable[[Path], None] | None = None) -> None:
    """Write a file aside and put it in place.

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
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with being_written(path) as place:
            new = place / NEW / path.name
            with new.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if check is not None:
                check(new)
            new.chmod(0o666 & ~umask())
            new.replace(path)
        settle_folder(path.parent)
    except OSError as error:
        raise OutputRefused(
            f"cannot write {path}: {(error.strerror or str(error)).lower()}; choose another -o"
        ) from error
