"""Whether results are complete: the list of files with size and SHA-256, and the document's seal.

``result.json`` lists every file that was written with it under ``files``. It cannot hold its own
hash; its last key ``seal`` is the SHA-256 of its text with the 64 digits of the seal as zeros.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from gaitdyn.io.plain_files import file_sha256
from gaitdyn.store.pages import MADE_AGAIN, is_whole_page
from gaitdyn.store.shape import HASH
from gaitdyn.types.words import counted, system_reason

SEAL, FILES = "seal", "files"
LARGEST = 1 << 26
"""Largest document that is read, bytes; an hour of walking gives a few megabytes."""

_BLANK = "0" * 64
_SEALED = re.compile(rb'"seal":\s*"([0-9a-f]{64})"\s*\}\s*\Z')
_MOST_FILES = 10_000


def with_files(
    document: dict[str, Any],
    folder: Path,
    text_of: Callable[[dict[str, Any]], str],
    files: Sequence[dict[str, Any]] | None = None,
) -> tuple[dict[str, Any], str]:
    """Return a document with the list of files and the seal as its last keys, and its text.

    Parameters
    ----------
    document : dict
    folder : Path
        All files in it but the document have been written.
    text_of : callable
        Document -> text to write.
    files : sequence of dict, optional
        From :func:`files_of`, if they have been listed before.
    """
    plain = {key: value for key, value in document.items() if key != SEAL}
    plain[FILES] = files_of(folder) if files is None else list(files)
    blank = text_of({**plain, SEAL: _BLANK})
    seal = hashlib.sha256(blank.encode()).hexdigest()
    before, _, after = blank.rpartition(_BLANK)
    return {**plain, SEAL: seal}, f"{before}{seal}{after}"


def entry_of(path: Path) -> dict[str, Any]:
    """Return name, size and SHA-256 of a file."""
    raw = path.read_bytes()
    return {"name": path.name, "size": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}


def read_sealed(path: Path) -> dict[str, Any]:
    """Read a document and check its seal.

    Raises
    ------
    FileNotFoundError
    OSError
    ValueError
        If it is a pipe, too large, not JSON, without a seal or changed; the message says which.
    """
    raw = regular_bytes(path, LARGEST)
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise ValueError(f"{path.name} is damaged: {reason}") from error
    if not isinstance(document, dict):
        raise ValueError(f"{path.name} is damaged: no object")  # noqa: TRY004  as every damage
    found = _SEALED.search(raw)
    if found is None:
        cause = "is damaged: its seal is gone" if SEAL in document else "has no seal"
        raise ValueError(f"{path.name} {cause}")
    blank = raw[: found.start(1)] + _BLANK.encode() + raw[found.end(1) :]
    if hashlib.sha256(blank).hexdigest().encode() != found[1]:
        raise ValueError(f"{path.name} was changed after it was written: its seal does not fit")
    return document


def regular_bytes(path: Path, largest: int, size: int | None = None) -> bytes:
    """Return the bytes of a regular file of limited size; pipes and devices are not opened.

    Parameters
    ----------
    path : Path
    largest : int
    size : int, optional
        Expected size, bytes.

    Raises
    ------
    OSError, ValueError
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ValueError(f"{path.name} is a folder, a pipe or a device")
    if status.st_size > largest or (size is not None and status.st_size != size):
        wanted = f"at most {largest}" if size is None else str(size)
        raise ValueError(f"{path.name} has {counted(status.st_size, 'byte')}, wanted {wanted}")
    with path.open("rb") as stream:
        return stream.read(status.st_size)


def files_of(folder: Path) -> list[dict[str, Any]]:
    """Return name, size and SHA-256 of each file of a folder."""
    entries: list[dict[str, Any]] = []
    for path in sorted(_files(folder)):
        with path.open("rb", buffering=0) as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
            size = stream.tell()
        name = path.relative_to(folder).as_posix()
        entries.append({"name": name, "size": size, "sha256": digest})
    return entries


def settle(folder: Path) -> None:
    """Flush a folder and all its files to the disk.

    Where the system can be told, writing begins for all files before the first is waited for, so
    that one commit of a journal holds them all.

    Raises
    ------
    OSError
    """
    tops = list(os.walk(folder))
    paths = [Path(top) / name for top, _, names in tops for name in names]
    if hasattr(os, "posix_fadvise"):
        for path in paths:
            _with_handle(path, _begin_to_write)
    for path in paths:
        _with_handle(path, os.fsync)
    for top, _, _ in tops:
        settle_folder(Path(top))


def _begin_to_write(handle: int) -> None:
    with suppress(OSError):  # advice; some file systems take none
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)


def _with_handle(path: Path, do: Callable[[int], None]) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        do(handle)
    finally:
        os.close(handle)


def settle_folder(folder: Path) -> None:
    """Flush the directory entries of a folder to the disk, if the system can."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:  # some network disks cannot
        pass
    finally:
        os.close(handle)


def _files(folder: Path) -> Iterator[Path]:
    for top, _, names in os.walk(folder):
        for name in names:
            yield Path(top) / name


def listed(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the list of files in a document after checking each entry.

    Raises
    ------
    ValueError
        If there is none, or an entry names a file outside the folder.
    """
    entries = document.get(FILES)
    if not isinstance(entries, list) or len(entries) > _MOST_FILES:
        raise ValueError("no list of the files that were written")
    for entry in entries:
        if not isinstance(entry, dict) or not _is_entry(entry):
            raise ValueError("a list of files that is not valid")
    return entries


def _is_entry(entry: dict[str, Any]) -> bool:
    name, size, digest = (entry.get(key) for key in ("name", "size", "sha256"))
    if not (isinstance(name, str) and isinstance(digest, str) and HASH.fullmatch(digest)):
        return False
    inside = "\\" not in name and "\0" not in name and ":" not in name
    parts = PurePosixPath(name).parts
    plain = inside and bool(parts) and parts[0] != "/" and ".." not in parts
    return plain and isinstance(size, int) and not isinstance(size, bool) and size >= 0


def damage(
    folder: Path,
    files: Sequence[dict[str, Any]],
    *,
    verify: bool = False,
    pages: bool = False,
) -> str:
    """Return what is wrong with the first damaged file of a list; empty if there is none.

    Parameters
    ----------
    folder : Path
    files : sequence of dict
        From :func:`listed`.
    verify : bool
        Compare the hashes, not only the sizes.
    pages : bool
        Also check the pages and their tables, which nothing reads and `gaitdyn report` remakes: a
        page that differs counts as complete if gaitdyn wrote it and it is not cut off.
    """
    for entry in files:
        path = folder / entry["name"]
        if entry["name"] in MADE_AGAIN and not pages:
            continue
        wrong = _wrong(path, entry, verify=verify)
        if wrong and not is_whole_page(path):
            return f"{entry['name']} {wrong}"
    return ""


def _wrong(path: Path, entry: dict[str, Any], *, verify: bool) -> str:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return "is a folder, a pipe or a device"
        if status.st_size != entry["size"]:
            return f"has {counted(status.st_size, 'byte')}, wanted {entry['size']}"
        if verify:
            return "" if file_sha256(path) == entry["sha256"] else "was changed: another SHA-256"
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read: {system_reason(error)}"
    return ""


def checked_bytes(folder: Path, name: str, files: Sequence[dict[str, Any]]) -> bytes:
    """Return the bytes of a file whose size and SHA-256 are those of the list.

    Raises
    ------
    OSError, ValueError
        ``ValueError`` in words, also for a file that the list does not have.
    """
    entry = next((x for x in files if x["name"] == name), None)
    if entry is None:
        raise ValueError(f"{name} is not among the files that were written")
    raw = regular_bytes(folder / name, entry["size"], entry["size"])
    if hashlib.sha256(raw).hexdigest() != entry["sha256"]:
        raise ValueError(f"{name} was changed after it was written: another SHA-256")
    return raw
