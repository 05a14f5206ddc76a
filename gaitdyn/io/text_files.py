"""Small text files that other programs wrote, in whatever encoding they had."""

from __future__ import annotations

from pathlib import Path

from gaitdyn.io._records import refused, shown
from gaitdyn.io.parameters import size_of_file

__all__ = ["LARGEST_BYTES", "read_text", "shown"]

LARGEST_BYTES = 1_000_000
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def read_text(path: str | Path, wanted: str) -> str:
    """Return the text of a small file: UTF-8 or, where it is none, Latin-1; UTF-16 by its mark.

    Parameters
    ----------
    path : str or Path
    wanted : str
        What the file should be, for the message.

    Raises
    ------
    FileRefused
        When it is not a regular file, is empty, too large, or cannot be read.
    """
    name, todo = Path(path).name, "check the file"
    size = size_of_file(path)
    if size > LARGEST_BYTES:
        raise refused(name, f"{size} bytes", f"{wanted} of at most {LARGEST_BYTES}", todo)
    try:
        data = Path(path).read_bytes()[:LARGEST_BYTES]
    except OSError as error:
        raise refused(name, (error.strerror or "an error").lower(), wanted, todo) from error
    if data.startswith(_UTF_16):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
