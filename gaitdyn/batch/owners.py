"""Which folder of the output is whose: the source that came first has the name.

``OUT/<session>/session.json`` records the folder of the recordings. Another source of the same name
gets its parent's name added, ``Session 1 (PatB)``, and so on upwards, and is found there again by
every later run, in whatever order sources are named.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from gaitdyn.batch.pages import SESSION, put
from gaitdyn.errors import OutputRefused
from gaitdyn.io.plain_files import file_sha256
from gaitdyn.store.folder import DOCUMENT, umask

if TYPE_CHECKING:
    from collections.abc import Iterator

_PARENTS = 3
_LONGEST = 200
"""Bytes of a folder's name; file systems take 255."""
_TRIES = 1000
_RECORD = f".{Path(SESSION).stem}-"
"""How the name of a record begins while it is written."""


@dataclass(frozen=True, slots=True)
class OwnedFolder:
    """A folder of the output that belongs to a source.

    Attributes
    ----------
    name : str
        Of the folder below the output.
    note : str
        What to say where it is not the source's own name; empty where it is.
    """

    name: str
    note: str = ""


class Owners:
    """The folders of an output and the sources that they belong to.

    Parameters
    ----------
    out : Path
        The output; it exists.
    hidden : bool
        Record hashes in the place of paths, as names of folders may be a person's.
    """

    def __init__(self, out: Path, *, hidden: bool = False) -> None:
        self._out = out
        self._hidden = hidden
        self._sources: dict[str, dict[str, Any]] | None = None

    def claim(self, source: Path) -> OwnedFolder:
        """Return the folder of a source; the first time it is made and the source recorded.

        Parameters
        ----------
        source : Path
            Folder of recordings.

        Raises
        ------
        OutputRefused
            When no folder can be made.
        """
        own = source.resolve().name
        for _ in range(_TRIES):
            name = self.likely(source)
            if self._take(name, source):
                note = f"another folder is also called {own}: the results of this one are in {name}"
                return OwnedFolder(name, "" if name == own else note)
            self._sources = None
        message = f"{self._out}: found no free name for the results of {own}; choose another -o"
        raise OutputRefused(message)

    def likely(self, source: Path) -> str:
        """Return the folder that a source has or would get; nothing is made."""
        known = (n for n, told in self._known().items() if is_of(told, self._out / n, source))
        return next(known, "") or self._free(source)

    def record(self, name: str, source: Path) -> dict[str, str]:
        """Return the owner as ``session.json`` tells it."""
        return source_record(self._out / name, source, hidden=self._hidden)

    def _known(self) -> dict[str, dict[str, Any]]:
        """Return folder -> recorded source, read once and after somebody else took a name."""
        if self._sources is None:
            paths = sorted(self._out.glob(f"*/{SESSION}"))
            found = {path.parent.name: _source_of(path.parent) for path in paths}
            self._sources = {name: told for name, told in found.items() if told is not None}
        return self._sources

    def _free(self, source: Path) -> str:
        """Return the first name that is nobody else's, also where capitals do not count."""
        taken = {folded(p.name): p for p in self._out.iterdir()} if self._out.is_dir() else {}
        for name in _names(source.resolve()):
            there = taken.get(folded(name))
            if there is None or (there.name == name and _may_be_of(there, source)):
                return name
        return ""

    def _take(self, name: str, source: Path) -> bool:
        """Record a source as the owner of a folder; False when another one was faster."""
        place = self._out / name
        if not name:
            return False
        if is_of(_source_of(place), place, source):
            return True
        told = self.record(name, source)
        try:
            place.mkdir(exist_ok=True)
            if (place / SESSION).exists():
                if not _may_be_of(place, source):
                    return False
                document = _document(place) | {"source": told}
                put(place / SESSION, json.dumps(document, indent=1) + "\n")
            elif not _first(place / SESSION, {"session": name, "source": told}):
                return False
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise OutputRefused(f"cannot write to {place}: {reason}; choose another -o") from error
        self._known()[name] = told
        return True


def folded(name: str) -> str:
    r"""Return what is the same of names that some disk takes for one.

    Windows and macOS do not tell capitals apart, macOS not how an accent is written, and Windows
    leaves out blanks and full stops at the end.

    Examples
    --------
    >>> folded("WALK01. ") == folded("walk01"), folded("Gru\u0308n") == folded("gr\u00fcn")
    (True, True)
    """
    return normalize("NFC", normalize("NFD", name.rstrip(". ")).casefold())


def _first(path: Path, document: dict[str, Any]) -> bool:
    """Write a document that nobody wrote before, whole or not at all; False when it is there."""
    text = json.dumps(document, indent=1) + "\n"
    handle, name = tempfile.mkstemp(prefix=_RECORD, suffix=path.suffix, dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(0o666 & ~umask())
        try:
            os.link(name, path)
        except FileExistsError:
            return False
        except OSError:  # a file system without links
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
    except FileExistsError:
        return False
    finally:
        Path(name).unlink(missing_ok=True)
    return True


def source_record(place: Path, source: Path, *, hidden: bool = False) -> dict[str, str]:
    """Return what ``session.json`` records of a source: its path, and that from its own folder.

    Parameters
    ----------
    place : Path
        Folder of the session's results.
    source : Path
    hidden : bool
        The SHA-256 of the path in their place.
    """
    told = {"path": source.resolve().as_posix()}
    relative = _relative(place, source)
    told |= {} if relative is None else {"relative": relative}
    if not hidden:
        return told
    return {
        "path_sha256": hashlib.sha256(told["path"].encode("utf-8", "surrogateescape")).hexdigest()
    }


def is_of(told: dict[str, Any] | None, place: Path, source: Path) -> bool:
    """Return whether a recorded source is this one.

    By the path that was recorded; by the one from the results where the former is gone, as when
    recordings and results moved together. A hash tells the path alone.

    Parameters
    ----------
    told : dict or None
        ``source`` of a ``session.json``.
    place, source : Path
        Folder of that document, and of recordings.
    """
    if told is None:
        return False
    if "path_sha256" in told:
        return told["path_sha256"] == source_record(place, source, hidden=True)["path_sha256"]
    now = source_record(place, source)
    if told.get("path") == now["path"]:
        return True
    together = "relative" in now and told.get("relative") == now["relative"]
    return together and not Path(str(told.get("path"))).exists()


def _document(place: Path) -> dict[str, Any]:
    try:
        found = json.loads((place / SESSION).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _source_of(place: Path) -> dict[str, Any] | None:
    told = _document(place).get("source")
    return told if isinstance(told, dict) else None


def _relative(place: Path, source: Path) -> str | None:
    try:
        return Path(os.path.relpath(source.resolve(), place.resolve())).as_posix()
    except ValueError:  # another drive
        return None


def _names(source: Path) -> Iterator[str]:
    """Give the names that a source may have: its own, with its parents', with a number."""
    own, parents = source.name or "session", [p.name for p in source.parents if p.name]
    yield own
    for depth in range(1, min(_PARENTS, len(parents)) + 1):
        told = f"{own} ({', '.join(reversed(parents[:depth]))})"
        if len(told.encode(errors="replace")) <= _LONGEST:
            yield told
    for number in range(2, _TRIES):
        yield f"{own}-{number}"


def _may_be_of(place: Path, source: Path) -> bool:
    """Return whether a folder is a source's or, without an owner, has results of its files.

    Another run may be about to make it the source's own: its half-written record does not count.
    """
    told = _source_of(place)
    if told is not None or not place.is_dir():
        return is_of(told, place, source)
    results = [path for path in place.glob(f"*/{DOCUMENT}") if path.is_file()]
    if not results:
        strange = (p for p in place.iterdir() if not p.name.startswith(_RECORD))
        return not any(strange) or (place / SESSION).is_file()
    own = {file_sha256(p) for p in source.glob("*.[cC]3[dD]") if p.is_file()}
    return all(trial in own for path in results for trial in _trials(path))


def _trials(path: Path) -> list[str]:
    """Return the hashes of the recordings of a ``result.json``; a word that none has if damaged."""
    try:
        inputs = json.loads(path.read_text(encoding="utf-8"))["inputs"]
        return [str(one["sha256"]) for one in inputs if one["role"] == "trial"] or ["none"]
    except (OSError, ValueError, KeyError, TypeError):
        return ["none"]
