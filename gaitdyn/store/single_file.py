"""One file written aside, looked at, and put in place as a whole."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.errors import OutputRefused
from gaitdyn.store.folder import umask

if TYPE_CHECKING:
    from collections.abc import Callable


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
        handle, name = tempfile.mkstemp(
            prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent
        )
        aside = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            if check is not None:
                check(aside)
            aside.chmod(0o666 & ~umask())
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        message = (
            f"cannot write {path}: {(error.strerror or str(error)).lower()}; choose another -o"
        )
        raise OutputRefused(message) from error
