"""Which folder of the output belongs to which source: the first source gets the name.

``OUT/<session>/session.json`` records the folder of the recordings. Another source of the same name
gets its parent's name added, ``Session 1 (PatB)``, and so on upwards. Every later run finds it
there again, whatever the order of the sources.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unicodedata import normalize

from gaitdyn.batch.pages import INDEX, MUSCLES, SUMMARY, put
from gaitdyn.batch.told_apart import MOST_PARENTS, with_parents
from gaitdyn.errors import OutputRefused
from gaitdyn.io.plain_files import file_sha256, plain_bytes
from gaitdyn.store.folder import DOCUMENT, folder_name
from gaitdyn.store.pages import remove_report, report_files
from gaitdyn.store.shape import SESSION
from gaitdyn.store.whole import LARGEST
from gaitdyn.types.words import cannot_write

_LONGEST = 200
"""Longest name of a folder in bytes; file systems allow 255."""
_TRIES = 1000
_RECORD = f".{Path(SESSION).stem}-"
"""Prefix of the temporary file in which a record is written."""


@dataclass(frozen=True, slots=True)
class OwnedFolder:
    """A folder of the output that belongs to a source.

    Attributes
    ----------
    name : str
        Name of the folder in the output.
    note : str
        Remark if this is not the source's name; empty otherwise.
    """

    name: str
    note: str = ""


class Owners:
    """The folders of an output, and the sources to which they belong.

    Parameters
    ----------
    out : Path
        The output, an existing folder.
    hidden : bool
        Record hashes instead of paths, since folder names may be names of persons.
    """

    def __init__(self, out: Path, *, hidden: bool = False) -> None:
        self._out = out
        self._hidden = hidden
        self._recorded: _Recorded | None = None

    def claim(self, source: Path) -> OwnedFolder:
        """Return the folder of a source; it is created, and the source recorded, if it is new.

        Parameters
        ----------
        source : Path
            Folder of recordings.

        Raises
        ------
        OutputRefused
            If no folder can be created.
        """
        source_name = source.resolve().name
        for _ in range(_TRIES):
            name = self.likely(source)
            if self._take(name, source):
                return OwnedFolder(name, _other_name(source_name, name))
            self._recorded = None
        message = (
            f"{self._out}: found no free name for the results of {source_name}; choose another -o"
        )
        raise OutputRefused(message)

    def likely(self, source: Path) -> str:
        """Return the folder that a source has or would get; nothing is created."""
        return self._read().folder_of(source) or self._free(source)

    def record(self, name: str, source: Path) -> dict[str, str]:
        """Return the owner as recorded in ``session.json``."""
        return source_record(self._out / name, source, hidden=self._hidden)

    def _read(self) -> _Recorded:
        """Return the recorded sources; they are read again after another run took a name."""
        if self._recorded is None:
            self._recorded = _Recorded()
            for path in sorted(self._out.glob(f"*/{SESSION}")):
                self._recorded.add(path.parent, source_of(path.parent))
        return self._recorded

    def _free(self, source: Path) -> str:
        """Return the first name that is free, even on a disk that ignores case."""
        taken = {folded(p.name): p for p in self._out.iterdir()} if self._out.is_dir() else {}
        for name in _names(source.resolve()):
            if folded(name) == INDEX:
                continue
            folder = taken.get(folded(name))
            if folder is None or (folder.name == name and _may_be_of(folder, source)):
                return name
        return ""

    def _take(self, name: str, source: Path) -> bool:
        """Record a source as the owner of a folder; return False if another run was faster."""
        folder = self._out / name
        if not name:
            return False
        if is_of(source_of(folder), folder, source):
            return True
        record = self.record(name, source)
        try:
            folder.mkdir(exist_ok=True)
            if (folder / SESSION).exists():
                if not _may_be_of(folder, source):
                    return False
                document = _document(folder) | {"source": record}
                put(folder / SESSION, json.dumps(document, indent=1) + "\n")
            elif not _create(folder / SESSION, {"session": name, "source": record}):
                return False
        except OSError as error:
            raise OutputRefused(cannot_write(f"to {folder}", error)) from error
        self._read().add(folder, record)
        return True


class _Recorded:
    """The recorded sources of an output, by what :func:`is_of` compares."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._together: dict[str, list[tuple[str, str]]] = {}

    def add(self, place: Path, record: dict[str, Any] | None) -> None:
        """Take the source that is recorded in a folder, if any."""
        if record is None:
            return
        path = str(record.get("path_sha256", record.get("path")))
        self._names.setdefault(path, place.name)
        if isinstance(relative := record.get("relative"), str):
            whole = Path(os.path.normpath(place.resolve() / relative)).as_posix()
            self._together.setdefault(whole, []).append((place.name, path))

    def folder_of(self, source: Path) -> str:
        """Return the folder that records a source; empty if there is none."""
        path = source.resolve().as_posix()
        moved = (n for n, before in self._together.get(path, ()) if not Path(before).exists())
        return self._names.get(path) or self._names.get(_hash_of(path)) or next(moved, "")


def folded(name: str) -> str:
    r"""Return a form that is equal for names that some file system treats as one.

    Windows and macOS ignore case, macOS ignores how an accent is encoded, and Windows drops blanks
    and full stops at the end.

    Examples
    --------
    >>> folded("WALK01. ") == folded("walk01"), folded("Gru\u0308n") == folded("gr\u00fcn")
    (True, True)
    """
    return normalize("NFC", normalize("NFD", name.rstrip(". ")).casefold())


def _other_name(source: str, name: str) -> str:
    """Return why the folder of a source has another name than the source; empty if it has not.

    Examples
    --------
    >>> _other_name("visit1", "visit1 (PatB)")
    'another folder is also called visit1: the results of this one are in visit1 (PatB)'
    >>> _other_name("Visit 1.", "Visit 1")
    'not every disk can have a folder called Visit 1.: the results of this one are in Visit 1'
    """
    if name == source:
        return ""
    reason = f"another folder is also called {source}"
    if name == folder_name(source):
        reason = f"not every disk can have a folder called {source}"
    elif folded(source) == INDEX:
        reason = f"{INDEX} is the page of all sessions"
    return f"{reason}: the results of this one are in {name}"


def _create(path: Path, document: dict[str, Any]) -> bool:
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
        return {"path_sha256": _hash_of(path)}
    relative = _relative(place, source)
    return {"path": path} | ({} if relative is None else {"relative": relative})


def _hash_of(path: str) -> str:
    return hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()


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


def _document(place: Path) -> dict[str, Any]:
    try:
        document = json.loads(plain_bytes(place / SESSION))
    except (OSError, ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


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
    document, names = _document(place), list[str]()
    if "trials" in document:
        names = [path.name for path in report_files(place)]
        kept = {key: document[key] for key in ("session", "source") if key in document}
        put(place / SESSION, json.dumps(kept, indent=1) + "\n")
        for name in (SUMMARY, MUSCLES):
            (place / name).unlink(missing_ok=True)
        remove_report(place)
    return names


def source_of(place: Path) -> dict[str, Any] | None:
    """Return the source in a ``session.json``; None if it has none or cannot be read."""
    source = _document(place).get("source")
    return source if isinstance(source, dict) else None


def _relative(place: Path, source: Path) -> str | None:
    try:
        return Path(os.path.relpath(source.resolve(), place.resolve())).as_posix()
    except ValueError:  # another drive
        return None


def _names(source: Path) -> Iterator[str]:
    """Yield the names that a source may have: its own, with its parents', with a number."""
    name = folder_name(source.name or "session")
    yield name
    for depth in range(1, min(MOST_PARENTS, sum(bool(p.name) for p in source.parents)) + 1):
        longer = with_parents(source, depth)
        if len(longer.encode(errors="replace")) <= _LONGEST:
            yield longer
    for number in range(2, _TRIES):
        yield f"{name}-{number}"


def _may_be_of(place: Path, source: Path) -> bool:
    """Return whether a folder belongs to a source or, without an owner, has results of its files.

    A half-written record of another run, which may be about to claim it, does not count.
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
