"""Locks on files and folders that are being written, which end with the process that holds them.

A lock is a file with the writer's host, process and start, locked by the operating system. When a
process ends, in whatever way, the operating system releases its locks. The contents of a file that
nobody has locked are therefore those of a crashed writer. On a file system without locks every
process gets the lock, with a warning.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from gaitdyn.errors import OutputRefused
from gaitdyn.version import __version__

LOCK = "gaitdyn-lock"
"""Ending of the lock file next to a folder that is being written."""

LONGEST_S = 900.0
"""Longest time to wait for another writer, s; a trial may take 300 s."""

_POLL_S = 0.1
_LARGEST = 1 << 20  # bytes of a lock file that are read
_LONGEST_NAME = 150  # bytes of a name to which an ending is added
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}
_STARTED = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class FolderLock:
    """A lock file that this process has locked.

    Attributes
    ----------
    before : dict
        Contents left by a crashed writer; empty if the last writer ended normally.
    shared : bool
        The file system has no locks: other processes may have it, too.
    """

    def __init__(self, path: Path, handle: int, *, shared: bool) -> None:
        self.path, self._handle, self.shared = path, handle, shared
        self.before = _contents(handle)

    def write_owner(self, about: dict[str, Any] | None = None) -> None:
        """Write owner and purpose of the lock into the file."""
        text = json.dumps({**owner(), **(about or {})}) + "\n"
        os.lseek(self._handle, 0, os.SEEK_SET)
        os.ftruncate(self._handle, 0)
        os.write(self._handle, text.encode())

    def release(self) -> None:
        """Release the lock and remove the file."""
        if sys.platform == "win32":  # an open or locked file cannot be removed
            os.close(self._handle)
            with suppress(OSError):
                self.path.unlink()
            return
        with suppress(OSError):
            self.path.unlink()
        os.close(self._handle)

    def leave(self) -> None:
        """Release the lock and leave the file as it is."""
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


def _owner_text(owner: dict[str, Any]) -> str:
    """Return the owner of a lock for a message.

    Examples
    --------
    >>> _owner_text({"host": "lab1", "process": 71, "start": "2026-01-01T08:00:00Z"})
    'process 71 on lab1, started 2026-01-01T08:00:00Z'
    """
    words = {key: str(owner.get(key, "?"))[:60] for key in ("process", "host", "start")}
    clean = {k: "".join(c if c.isprintable() else "?" for c in w) for k, w in words.items()}
    return f"process {clean['process']} on {clean['host']}, started {clean['start']}"


def hidden_name(path: Path, ending: str) -> str:
    """Return the name of a hidden file next to a file or folder, short enough for any disk.

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
    """Lock a file, or return None if another process has locked it, or it does not exist.

    Parameters
    ----------
    path : Path
    make : bool
        Create the file if it does not exist.

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
        locked = _lock(handle)
        if locked is None or not _is_same_file(path, handle):
            os.close(handle)
            return None
        return FolderLock(path, handle, shared=not locked)
    except BaseException:
        with suppress(OSError):
            os.close(handle)
        raise


@contextmanager
def claimed(
    target: Path,
    say: Callable[[str], None] | None = None,
    patience_s: float = LONGEST_S,
) -> Generator[None]:
    """Lock a file or folder that is to be written, after waiting for another run that has it.

    Parameters
    ----------
    target : Path
        The file or folder; the lock is a hidden file next to it.
    say : callable, optional
        Called with a message when another run is waited for, and when a crashed run's lock is
        taken over.
    patience_s : float
        How long to wait, s.

    Raises
    ------
    Busy
        When another run holds the lock for longer.
    OSError
        When the lock file cannot be created.
    """
    claim = _wait_for_lock(target, say or (lambda _: None), patience_s)
    try:
        yield
    finally:
        claim.release()


class Busy(OutputRefused):
    """Another run is writing."""


def _wait_for_lock(target: Path, say: Callable[[str], None], patience_s: float) -> FolderLock:
    """Return the lock of a target as soon as no other process has it."""
    path = target.parent / hidden_name(target, LOCK)
    end, waiting = time.monotonic() + patience_s, False
    while (claim := try_claim(path)) is None:
        if time.monotonic() >= end:
            raise Busy(
                f"{target} is being written by another run ({owner_of(path)}); wait until it has"
                " finished, or end it"
            )
        if not waiting:
            say(f"{target}: waiting for another run that is writing it ({owner_of(path)})")
            waiting = True
        time.sleep(_POLL_S)
    if claim.before:
        say(f"{target}: taken over from a run that crashed ({_owner_text(claim.before)})")
    if claim.shared:
        say(f"{target}: this disk has no locks; let only one run write to it at a time")
    with suppress(OSError):  # the lock is valid even if the disk is full
        claim.write_owner()
    return claim


def owner_of(path: Path) -> str:
    """Return the owner of a lock file that another process has locked."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return _owner_text({})
    try:
        return _owner_text(_contents(handle))
    finally:
        os.close(handle)


def _contents(handle: int) -> dict[str, Any]:
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        contents = json.loads(os.read(handle, _LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return contents if isinstance(contents, dict) and "process" in contents else {}


def _is_same_file(path: Path, handle: int) -> bool:
    """Return whether the open file still has that name: another process may have removed it."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        return False


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # a byte after the contents: others cannot read what is locked

    def _lock(handle: int) -> bool | None:
        """Lock an open file; return False if that is impossible, None if another process has it."""
        os.lseek(handle, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return None if error.errno in {errno.EACCES, errno.EDEADLK} else False
        return True

else:
    import fcntl

    def _lock(handle: int) -> bool | None:
        """Lock an open file; return False if that is impossible, None if another process has it."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return None
        except OSError as error:
            if error.errno in _NO_LOCKS:
                return False
            raise
        return True
