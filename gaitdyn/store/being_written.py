"""Temporary folders for results that are being written, and their clean-up after a crash.

``OUT/.walk01.gaitdyn-k3x9_q2a/`` is next to its target. It contains the marker
``.gaitdyn-writing``, which its writer has locked; ``new``, which will replace the target; and for a
moment ``old``, the earlier target. What gaitdyn did not write moves from there to the new target.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gaitdyn.store.claims import LOCK, Busy, FolderLock, claimed, hidden_name, try_claim
from gaitdyn.store.pages import NAMES as PAGES
from gaitdyn.store.pages import is_our_page, older_tables
from gaitdyn.store.visit import COMMENTS
from gaitdyn.store.whole import listed, read_sealed

MARKER = ".gaitdyn-writing"
NEW, OLD = "new", "old"
_NAME = re.compile(r"\..+\.gaitdyn-[a-z0-9_]{8}")
_LOCK_NAME = re.compile(rf"\..+\.{LOCK}")
_TRIES = 5
DOCUMENTS = ("batch.json", "result.json", "simulation.json", "export.json")
"""Documents with a list of the files written with them; the first undamaged one is used."""

_TABLES = "timeseries|cycles|terms|generalised|induced|uncertainty|sensitivity|sweep"
_RESULTS = (
    rf"(result|batch|simulation|view|visit|statistics|emg|({_TABLES}))\.json|(values|motion)\.npz"
    rf"|({_TABLES}|stances|gait_parameters|peaks|emg|emg_channels|events|contacts|quality"
    r"|abnormal|change|curves)\.(csv|parquet)|figures/[^/]+\.(png|svg)"
)
_EXPORT = r"export\.json|(trials|cycles|curves|parameters|peaks|quality)\.(csv|parquet)"
"""File names of results and of archive exports, used if no list can be read (older, damaged)."""


@contextmanager
def being_written(target: Path) -> Generator[Path]:
    """Yield a marked folder next to a target, with an empty ``new`` in it; remove it afterwards.

    Raises
    ------
    OSError
        When it cannot be created.
    """
    folder, claim = _create(target)
    try:
        (folder / NEW).mkdir()
        yield folder
    finally:
        _discard(folder, claim)


def _create(target: Path) -> tuple[Path, FolderLock]:
    """Return a new folder and its locked marker; a sweep may remove the folder before that."""
    for _ in range(_TRIES):
        prefix = hidden_name(target, "gaitdyn-")
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=target.parent))
        try:
            claim = try_claim(folder / MARKER)
        except FileNotFoundError:
            continue
        except OSError:
            with suppress(OSError):
                folder.rmdir()
            raise
        if claim is not None:
            try:
                claim.write_owner({"target": target.name})
            except OSError:
                _discard(folder, claim)
                raise
            return folder, claim
    raise OSError(f"every temporary folder next to {target} was removed by another program")


def sweep(folder: Path) -> None:
    """Remove what crashed writers left in a folder, and put back files that gaitdyn did not write.

    Only folders that are empty or have our marker are removed, and only if their writer has ended.
    """
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError:
        return
    for name in names:
        with suppress(OSError, Busy):
            if _NAME.fullmatch(name):
                _finish(folder / name)
    for name in names:
        with suppress(OSError):
            if _LOCK_NAME.fullmatch(name):
                _remove_lock(folder / name)


def _finish(folder: Path) -> None:
    """Finish what a crashed writer began: restore the old folder, or move its other files."""
    if not stat.S_ISDIR(folder.lstat().st_mode):
        return
    marker = folder / MARKER
    if not marker.exists():
        folder.rmdir()  # fails unless it is empty
        return
    claim = try_claim(marker, make=False)
    if claim is None:
        return
    target = claim.before.get("target")
    if not isinstance(target, str) or Path(target).name != target:
        empty = _only_marker(folder)
        (claim.release if empty else claim.leave)()
        if empty:
            folder.rmdir()
        return
    try:
        if os.path.lexists(folder / OLD):
            with claimed(folder.parent / target, patience_s=0):
                restore(folder, folder.parent / target)
    except BaseException:
        claim.leave()
        raise
    _discard(folder, claim)


def restore(folder: Path, target: Path) -> None:
    """Put the old folder back, or, if the target exists, the files that gaitdyn did not write."""
    old = folder / OLD
    if os.path.lexists(target):
        carry_over(old, target)
        shutil.rmtree(old)
    else:
        old.replace(target)


def _discard(folder: Path, claim: FolderLock) -> None:
    """Remove a folder, its marker last; keep it if it still contains the old results."""
    if os.path.lexists(folder / OLD):
        shutil.rmtree(folder / NEW, ignore_errors=True)
        claim.leave()
        return
    for path in folder.iterdir():
        if path.name == MARKER:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()
    (claim.release if _only_marker(folder) else claim.leave)()
    with suppress(OSError):
        folder.rmdir()


def _only_marker(folder: Path) -> bool:
    return [path.name for path in folder.iterdir()] == [MARKER]


def _remove_lock(path: Path) -> None:
    """Remove the lock of a crashed writer; a file of that name with other contents is kept."""
    status = path.lstat()
    claim = try_claim(path, make=False) if stat.S_ISREG(status.st_mode) else None
    if claim is not None:
        (claim.release if claim.before or not status.st_size else claim.leave)()


def _written_files(folder: Path) -> set[str]:
    """Return the files of a results folder that gaitdyn wrote, relative to the folder.

    A reader's comments are not among them, though older versions list them.
    """
    written = {"batch.json", "result.json"}
    written |= {name for name in PAGES if is_our_page(folder / name)}
    written |= {path.name for path in older_tables(folder)}
    for name in DOCUMENTS:
        try:
            entries = listed(read_sealed(folder / name))
        except (OSError, ValueError):
            continue
        return written | {name} | {entry["name"] for entry in entries} - {COMMENTS}
    pattern = _EXPORT if (folder / "export.json").is_file() else _RESULTS
    return written | {name for name in _names(folder) if re.fullmatch(pattern, name)}


def carry_over(old: Path, new: Path) -> None:
    """Move what gaitdyn did not write from an old results folder to the new one.

    Parameters
    ----------
    old, new : Path
        If the new folder has a file of the same name, ``(kept)`` is added to the moved file's name.

    Raises
    ------
    OSError
        When a file cannot be moved; it stays where it is.
    """
    if not old.is_symlink() and old.is_dir():
        _carry(old, new, "", _written_files(old))


def _carry(old: Path, new: Path, prefix: str, written: set[str]) -> None:
    for entry in sorted(os.scandir(old), key=lambda e: e.name):
        name = prefix + entry.name
        target = new / entry.name
        ours = any(x.startswith(f"{name}/") for x in written)
        if entry.is_dir(follow_symlinks=False) and (ours or target.is_dir()):
            _carry(old / entry.name, target, f"{name}/", written)
        elif name not in written:
            new.mkdir(exist_ok=True)
            (old / entry.name).rename(_unused(target))


def _unused(target: Path) -> Path:
    """Return a path that does not exist yet."""
    path, number = target, 1
    while os.path.lexists(path):
        words = "kept" if number == 1 else f"kept {number}"
        path = target.with_name(f"{target.stem} ({words}){target.suffix}")
        number += 1
    return path


def _names(folder: Path) -> Iterator[str]:
    for top, _, names in os.walk(folder):
        subfolder = os.path.relpath(top, folder).replace(os.sep, "/")
        for name in names:
            yield name if subfolder == "." else f"{subfolder}/{name}"
