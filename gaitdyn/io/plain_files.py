"""Read small files named by the user: a pipe, a device or an endless file is never opened."""

from __future__ import annotations

import errno
import hashlib
import stat
from pathlib import Path

from gaitdyn.errors import UsageError
from gaitdyn.types.words import system_reason

LARGEST_BYTES = 50_000_000
"""Known tables and descriptions are smaller than one million bytes."""


def recovered(name: str) -> str:
    """Return a file's name as UTF-8 text, even if the locale could not decode it."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def parent_of(folder: Path) -> Path:
    """Return the folder that a folder is in; the parent of ``.`` is ``..``, not ``.`` again.

    Examples
    --------
    >>> from pathlib import Path
    >>> [parent_of(Path(x)).as_posix() for x in ("S01/walk", ".", "..")]
    ['S01', '..', '../..']
    """
    return folder / ".." if folder.name in ("", "..") else folder.parent


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file without loading it whole."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def plain_bytes(path: str | Path, largest: int = LARGEST_BYTES) -> bytes:
    """Return the bytes of a regular file.

    Parameters
    ----------
    path : str or Path
    largest : int
        Maximum size, bytes.

    Raises
    ------
    OSError
        When it cannot be read, is a folder, a pipe or a device, or is larger; ``strerror`` gives
        the reason.
    """
    path = Path(path)
    try:
        status = path.stat()
    except ValueError as error:  # such as a null character in its name
        raise OSError(errno.EINVAL, str(error), str(path)) from error
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "Is a directory", str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "found a pipe or a device, wanted a file", str(path))
    if status.st_size > largest:
        words = f"found {status.st_size / 1e6:.0f} MB, wanted at most {largest / 1e6:.0f} MB"
        raise OSError(errno.EFBIG, words, str(path))
    with path.open("rb") as stream:
        return stream.read(status.st_size or largest)


def plain_text(path: str | Path, largest: int = LARGEST_BYTES) -> str:
    """Return the text of a regular file in UTF-8.

    Raises
    ------
    OSError
        As :func:`plain_bytes`, and for text in another encoding; in UTF-16 without its mark, every
        other byte is 0.
    """
    content, words = (
        plain_bytes(path, largest),
        "the text is not in UTF-8 (save it in this encoding)",
    )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise OSError(errno.EILSEQ, words, str(path)) from error
    if "\0" in text:
        raise OSError(errno.EILSEQ, words, str(path))
    return text


def named_text(path: str | Path, source: str, wanted: str, largest: int = LARGEST_BYTES) -> str:
    """Return the text of a file that a user named, in UTF-8.

    Parameters
    ----------
    path : str or Path
    source : str
        Option and file, for the message: ``--subject s.toml``.
    wanted : str
        What the file should be.
    largest : int
        Maximum size, bytes.

    Raises
    ------
    UsageError
        When :func:`plain_text` cannot read it.
    """
    try:
        return plain_text(path, largest)
    except OSError as error:
        if error.errno == errno.EILSEQ:  # the path is right
            wanted = wanted.removesuffix("; check the path")
        raise UsageError(f"{source}: {system_reason(error)}; wanted {wanted}") from error
