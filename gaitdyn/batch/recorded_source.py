"""The source of a session, as recorded in its ``session.json``."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from gaitdyn.batch.pages import MUSCLES, SUMMARY, put
from gaitdyn.io.plain_files import file_sha256, plain_bytes
from gaitdyn.store.folder import DOCUMENT
from gaitdyn.store.pages import remove_report, report_files
from gaitdyn.store.shape import SESSION
from gaitdyn.store.whole import LARGEST

_RECORD = f".{Path(SESSION).stem}-"
"""Prefix of the temporary file in which a record is written."""


def session_document(place: Path) -> dict[str, Any]:
    """Return the ``session.json`` of a folder; empty if it cannot be read."""
    try:
        document = json.loads(plain_bytes(place / SESSION))
    except (OSError, ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def source_of(place: Path) -> dict[str, Any] | None:
    """Return the source in a ``session.json``; None if it has none or cannot be read."""
    source = session_document(place).get("source")
    return source if isinstance(source, dict) else None


def source_record(place: Path, source: Path, *, hidden: bool = False) -> dict[str, str]:
    """Return what ``session.json`` records of a source: its path, absolute and relative.

    Parameters
    ----------
    place : Path
        Folder of the session's results.
    source : Path
    hidden : bool
        Record the SHA-256 of the path instead.
    """
    path = source.resolve().as_posix()
    if hidden:
        return {"path_sha256": hash_of_path(path)}
    relative = _relative(place, source)
    return {"path": path} | ({} if relative is None else {"relative": relative})


def hash_of_path(path: str) -> str:
    """Return the SHA-256 of a path, which may have any bytes."""
    return hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()


def _relative(place: Path, source: Path) -> str | None:
    try:
        return Path(os.path.relpath(source.resolve(), place.resolve())).as_posix()
    except ValueError:  # another drive
        return None


def is_of(record: dict[str, Any] | None, place: Path, source: Path) -> bool:
    """Return whether a recorded source is this one.

    The recorded path decides. If that path no longer exists, the one relative to the results does,
    as when recordings and results were moved together. A hash stands for the absolute path only.

    Parameters
    ----------
    record : dict or None
        ``source`` in a ``session.json``.
    place, source : Path
        Folders of that document and of the recordings.
    """
    if record is None:
        return False
    if "path_sha256" in record:
        return record["path_sha256"] == source_record(place, source, hidden=True)["path_sha256"]
    now = source_record(place, source)
    if record.get("path") == now["path"]:
        return True
    together = "relative" in now and record.get("relative") == now["relative"]
    return together and not Path(str(record.get("path"))).exists()


def may_be_of(place: Path, source: Path) -> bool:
    """Return whether a folder belongs to a source or, without an owner, has results of its files.

    A half-written record of another run, which may be about to claim it, does not count.

    Parameters
    ----------
    place, source : Path
        Folders of the results and of the recordings.
    """
    record = source_of(place)
    if record is not None or not place.is_dir():
        return is_of(record, place, source)
    results = [path for path in place.glob(f"*/{DOCUMENT}") if path.is_file()]
    if not results:
        others = (p for p in place.iterdir() if not p.name.startswith(_RECORD))
        return not any(others) or (place / SESSION).is_file()
    from gaitdyn.session.contents import recordings_in  # needed only for results without an owner

    own = recordings_in(source) if source.is_dir() else ()
    recordings = {file_sha256(path) for path in own if path.is_file()}
    return all(trial in recordings for path in results for trial in _trials(path))


def _trials(path: Path) -> list[str]:
    """Return the recordings' hashes in a ``result.json``; a word that is not a hash if damaged."""
    try:
        inputs = json.loads(plain_bytes(path, LARGEST))["inputs"]
        return [str(entry["sha256"]) for entry in inputs if entry["role"] == "trial"] or ["none"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ["none"]


def create_document(path: Path, document: dict[str, Any]) -> bool:
    """Write a new document, whole or not at all; return False if it already exists."""
    text = json.dumps(document, indent=1) + "\n"
    temporary = path.with_name(f"{_RECORD}{os.urandom(8).hex()}{path.suffix}")
    try:
        with temporary.open("x", encoding="utf-8") as file:
            file.write(text)
        try:
            os.link(temporary, path)
        except FileExistsError:
            return False
        except OSError:  # a file system without links
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
    except FileExistsError:
        return False
    finally:
        temporary.unlink(missing_ok=True)
    return True


def open_again(place: Path) -> list[str]:
    """Remove what describes the trials of a session: some of them are being replaced.

    Only the owner stays in ``session.json``. The end of the session writes everything anew; if the
    batch ends before, nothing describes results that are no longer there.

    Parameters
    ----------
    place : Path
        Folder of the session.

    Returns
    -------
    list of str
        The files of its report.
    """
    document, names = session_document(place), list[str]()
    if "trials" in document:
        names = [path.name for path in report_files(place)]
        kept = {key: document[key] for key in ("session", "source") if key in document}
        put(place / SESSION, json.dumps(kept, indent=1) + "\n")
        for name in (SUMMARY, MUSCLES):
            (place / name).unlink(missing_ok=True)
        remove_report(place)
    return names
