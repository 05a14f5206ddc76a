"""Which folder of the output belongs to which source: the first source gets the name.

``OUT/<session>/session.json`` records the folder of the recordings. Another source of the same name
gets its parent's name added, ``Session 1 (PatB)``, and so on upwards. Every later run finds it
there again, whatever the order of the sources.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unicodedata import normalize

from gaitdyn.batch.pages import INDEX, put
from gaitdyn.batch.recorded_source import (
    create_document,
    hash_of_path,
    is_of,
    may_be_of,
    session_document,
    source_of,
    source_record,
)
from gaitdyn.batch.told_apart import MOST_PARENTS, with_parents
from gaitdyn.errors import OutputRefused
from gaitdyn.store.folder import folder_name
from gaitdyn.store.shape import SESSION
from gaitdyn.types.frozen import frozen
from gaitdyn.types.words import cannot_write

_LONGEST = 200
"""Longest name of a folder in bytes; file systems allow 255."""
_TRIES = 1000


@frozen()
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
            if folder is None or (folder.name == name and may_be_of(folder, source)):
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
                if not may_be_of(folder, source):
                    return False
                document = session_document(folder) | {"source": record}
                put(folder / SESSION, json.dumps(document, indent=1) + "\n")
            elif not create_document(folder / SESSION, {"session": name, "source": record}):
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
        return self._names.get(path) or self._names.get(hash_of_path(path)) or next(moved, "")


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
