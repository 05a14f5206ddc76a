"""Folders that are being written: beside their target, marked as ours, swept when left alone.

``OUT/.walk01.gaitdyn-k3x9_q2a/`` holds the marker ``.gaitdyn-writing``, which its writer has
claimed, ``new``, what will stand in the target's place, and for a moment ``old``, what stood there.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.store.carried import carry_over
from gaitdyn.store.claims import LOCK, Busy, FolderLock, claimed, hidden_name, try_claim

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKER = ".gaitdyn-writing"
NEW, OLD = "new", "old"
_NAME = re.compile(r"\..+\.gaitdyn-[a-z0-9_]{8}")
_LOCK_NAME = re.compile(rf"\..+\.{LOCK}")
_TRIES = 5


@contextmanager
def being_written(target: Path) -> Iterator[Path]:
    """Give a marked folder beside a target, with an empty ``new`` in it; it is gone afterwards.

    Raises
    ------
    OSError
        When it cannot be made.
    """
    place, claim = _made(target)
    try:
        (place / NEW).mkdir()
        yield place
    finally:
        _discard(place, claim)


def _made(target: Path) -> tuple[Path, FolderLock]:
    """Return a new folder and its claimed marker; a sweep may be faster than the marker."""
    for _ in range(_TRIES):
        prefix = hidden_name(target, "gaitdyn-")
        place = Path(tempfile.mkdtemp(prefix=prefix, dir=target.parent))
        try:
            claim = try_claim(place / MARKER)
        except FileNotFoundError:
            continue
        except OSError:
            with suppress(OSError):
                place.rmdir()
            raise
        if claim is not None:
            try:
                claim.tell({"target": target.name})
            except OSError:
                _discard(place, claim)
                raise
            return place, claim
    raise OSError(f"no folder stays beside {target}")


def sweep(folder: Path) -> None:
    """Remove what dead writers left in a folder; what it held of others is put back.

    Nothing is removed that neither is empty nor carries our words, and nothing whose writer lives.
    """
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError:
        return
    for name in names:
        with suppress(OSError, Busy):
            if _NAME.fullmatch(name):
                _settle(folder / name)
    for name in names:
        with suppress(OSError):
            if _LOCK_NAME.fullmatch(name):
                _forget(folder / name)


def _settle(place: Path) -> None:
    """Finish what a dead writer began: the old folder back, or its strangers to the new one."""
    if not stat.S_ISDIR(place.lstat().st_mode):
        return
    marker = place / MARKER
    if not marker.exists():
        place.rmdir()  # fails unless it is empty
        return
    claim = try_claim(marker, make=False)
    if claim is None:
        return
    target = claim.before.get("target")
    known = isinstance(target, str) and Path(target).name == target
    if not known:
        alone = _only_marker(place)
        (claim.release if alone else claim.leave)()
        if alone:
            place.rmdir()
        return
    try:
        if os.path.lexists(place / OLD):
            with claimed(place.parent / str(target), patience_s=0):
                restore(place, place.parent / str(target))
    except BaseException:
        claim.leave()
        raise
    _discard(place, claim)


def restore(place: Path, target: Path) -> None:
    """Put the old folder back where nothing took its place, else what others had put into it."""
    old = place / OLD
    if os.path.lexists(target):
        carry_over(old, target)
        shutil.rmtree(old)
    else:
        old.replace(target)


def _discard(place: Path, claim: FolderLock) -> None:
    """Remove a folder, its marker last; one that still holds the old results stays."""
    if os.path.lexists(place / OLD):
        shutil.rmtree(place / NEW, ignore_errors=True)
        claim.leave()
        return
    for path in place.iterdir():
        if path.name == MARKER:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()
    (claim.release if _only_marker(place) else claim.leave)()
    with suppress(OSError):
        place.rmdir()


def _only_marker(place: Path) -> bool:
    return [path.name for path in place.iterdir()] == [MARKER]


def _forget(path: Path) -> None:
    """Remove the lock of a dead writer; a file of that name without its words stays."""
    status = path.lstat()
    claim = try_claim(path, make=False) if stat.S_ISREG(status.st_mode) else None
    if claim is not None:
        (claim.release if claim.before or not status.st_size else claim.leave)()
