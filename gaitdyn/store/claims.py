"""Who writes: files that one process holds as long as it lives.

A claim is a file with the writer's host, process and start, held by a lock of the operating
system. A process that ends, however it ends, holds nothing any more, so that the words in a file
that nobody holds are those of a dead writer. On a file system without locks a claim is given to
everybody, with a word.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from gaitdyn.errors import OutputRefused
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LOCK = "gaitdyn-lock"
"""Ending of the file beside a folder that is being written."""

LONGEST_S = 900.0
"""A writer that holds a folder longer is not waited for, s; a trial may take 300 s."""

_POLL_S = 0.1
_LARGEST = 4096  # bytes of a claim that are read
_LONGEST_NAME = 150  # bytes of a name that endings are put behind
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}
_STARTED = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class FolderLock:
    """A file that this process holds.

    Attributes
    ----------
    before : dict
        What a dead writer left in the file; empty when it ended well.
    shared : bool
        The file system knows no locks: others may hold it, too.
    """

    def __init__(self, path: Path, handle: int, *, shared: bool) -> None:
        self.path, self._handle, self.shared = path, handle, shared
        self.before = _told(handle)

    def tell(self, about: dict[str, Any] | None = None) -> None:
        """Write who holds it, and what for."""
        text = json.dumps({**owner(), **(about or {})}) + "\n"
        os.lseek(self._handle, 0, os.SEEK_SET)
        os.ftruncate(self._handle, 0)
        os.write(self._handle, text.encode())

    def release(self) -> None:
        """Give it up and remove the file."""
        if sys.platform == "win32":  # an open file cannot be removed; a held one neither
            os.close(self._handle)
            with suppress(OSError):
                self.path.unlink()
            return
        with suppress(OSError):
            self.path.unlink()
        os.close(self._handle)

    def leave(self) -> None:
        """Give it up and leave the file as it is."""
        os.close(self._handle)


def owner() -> dict[str, Any]:
    """Return host, process and start of this process."""
    import platform

    return {
        "gaitdyn": __version__,
        "host": platform.node(),
        "process": os.getpid(),
        "start": _STARTED,
    }


def shown_owner(told: dict[str, Any]) -> str:
    """Return who a claim says it is from.

    Examples
    --------
    >>> shown_owner({"host": "lab1", "process": 71, "start": "2026-01-01T08:00:00Z"})
    'process 71 on lab1, started 2026-01-01T08:00:00Z'
    """
    words = {key: str(told.get(key, "?"))[:60] for key in ("process", "host", "start")}
    clean = {k: "".join(c if c.isprintable() else "?" for c in w) for k, w in words.items()}
    return f"process {clean['process']} on {clean['host']}, started {clean['start']}"


def hidden_name(path: Path, ending: str) -> str:
    """Return the name of a hidden neighbour of a file or folder, never too long for a disk.

    Examples
    --------
    >>> from pathlib import Path
    >>> hidden_name(Path("out/walk01"), "gaitdyn-lock")
    '.walk01.gaitdyn-lock'
    """
    name = path.name
    if len(name.encode("utf-8", "surrogateescape")) > _LONGEST_NAME:
        digest = sha256(name.encode("utf-8", "surrogateescape")).hexdigest()
        name = f"{name[:30]}-{digest[:16]}"
    return f".{name}.{ending}"


def try_claim(path: Path, *, make: bool = True) -> FolderLock | None:
    """Take a file, or return None when another process holds it, or it is not there.

    Parameters
    ----------
    path : Path
    make : bool
        Make the file where there is none.

    Raises
    ------
    OSError
        When the file cannot be opened.
    """
    flags = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, flags | (os.O_CREAT if make else 0), 0o666)
    except FileNotFoundError:
        if make:
            raise
        return None
    try:
        held = _lock(handle)
        if held is None or not _still(path, handle):
            os.close(handle)
            return None
        return FolderLock(path, handle, shared=not held)
    except BaseException:
        with suppress(OSError):
            os.close(handle)
        raise


@contextmanager
def claimed(
    target: Path,
    say: Callable[[str], None] | None = None,
    patience_s: float = LONGEST_S,
) -> Iterator[None]:
    """Hold a file or folder that is to be written; wait for another run that holds it.

    Parameters
    ----------
    target : Path
        What is written; the lock is a hidden file beside it.
    say : callable, optional
        Hears, once each, that another run is waited for, and that a dead one's lock is taken over.
    patience_s : float
        How long to wait, s.

    Raises
    ------
    Busy
        When another run holds it for longer.
    OSError
        When the lock cannot be made.
    """
    claim = _waited(target, say or (lambda _: None), patience_s)
    try:
        yield
    finally:
        claim.release()


class Busy(OutputRefused):
    """Another run is writing."""


def _waited(target: Path, say: Callable[[str], None], patience_s: float) -> FolderLock:
    """Return the claim of a target as soon as nobody else has it."""
    path = target.parent / hidden_name(target, LOCK)
    end, waiting = time.monotonic() + patience_s, False
    while (claim := try_claim(path)) is None:
        if time.monotonic() >= end:
            raise Busy(
                f"{target} is being written by another run ({shown_owner(_peek(path))}); wait"
                " until it has finished, or end it"
            )
        if not waiting:
            say(f"{target}: waiting for another run that is writing it ({_name(path)})")
            waiting = True
        time.sleep(_POLL_S)
    if claim.before:
        say(f"{target}: taken over from a run that is gone ({shown_owner(claim.before)})")
    if claim.shared:
        say(f"{target}: this disk knows no locks; let only one run write to it at a time")
    with suppress(OSError):  # a full disk: the lock itself holds
        claim.tell()
    return claim


def _name(path: Path) -> str:
    return shown_owner(_peek(path))


def _peek(path: Path) -> dict[str, Any]:
    """Return the words of a claim that another process holds."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return {}
    try:
        return _told(handle)
    finally:
        os.close(handle)


def _told(handle: int) -> dict[str, Any]:
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        found = json.loads(os.read(handle, _LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) and "process" in found else {}


def _still(path: Path, handle: int) -> bool:
    """Return whether the open file is the one of that name: another may have removed it."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        return False


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # a byte behind the words: what is locked cannot be read by others

    def _lock(handle: int) -> bool | None:
        """Lock an open file: True; False where that is impossible; None when another has it."""
        os.lseek(handle, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return None if error.errno in {errno.EACCES, errno.EDEADLK} else False
        return True

else:
    import fcntl

    def _lock(handle: int) -> bool | None:
        """Lock an open file: True; False where that is impossible; None when another has it."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return None
        except OSError as error:
            if error.errno in _NO_LOCKS:
                return False
            raise
        return True
