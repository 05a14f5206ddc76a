"""Private entries of ``result.json``: where the inputs of a result are, and whose they are.

They are stored in the results folder and removed from everything that leaves the laboratory.
``inputs[].relative`` is the path of an input from the results folder. ``private.names`` lists the
words in names of files and folders that are a person's name according to the recording.
``private.name_codes`` lists check digits that identify recordings of the same person. A name from
inside a recording that occurs in no name of a file or folder is not written.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gaitdyn.io.names import name_code, words_in
from gaitdyn.types.option_rows import files_of
from gaitdyn.types.result import Processed

PRIVATE = "private"
_FOLDERS = 6
"""Number of last parts of a path that are searched for names."""


def with_private(document: dict[str, Any], result: Processed, folder: Path) -> dict[str, Any]:
    """Return the document of a result with its private entries, for its results folder.

    Parameters
    ----------
    document : dict
        Of :func:`gaitdyn.store.document.document_of`.
    result : Processed
    folder : Path
        The results folder, which may not exist yet.
    """
    paths = input_paths(result)
    inputs = [_located(entry, paths.get(entry["role"]), folder) for entry in document["inputs"]]
    private = _private_of(result, [folder, *paths.values()])
    return {**document, "inputs": inputs, **({PRIVATE: private} if private else {})}


def with_private_names(document: dict[str, Any], result: Processed) -> dict[str, Any]:
    """Return the document of a result with its private names, independent of its folder."""
    if PRIVATE in document:
        return document
    private = _private_of(result, list(input_paths(result).values()))
    return {**document, **({PRIVATE: private} if private else {})}


def without_private(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document without its private entries.

    Parameters
    ----------
    document : dict
        Contents of ``result.json``.
    """
    public = {key: value for key, value in document.items() if key != PRIVATE}
    if "inputs" in public:
        public["inputs"] = [
            {k: v for k, v in entry.items() if k != "relative"} for entry in public["inputs"]
        ]
    return public


def private_words(document: dict[str, Any], key: str) -> list[str]:
    """Return ``names`` or ``name_codes`` of a document; nothing if the entry has another type.

    Parameters
    ----------
    document : dict
        Contents of ``result.json``, possibly written by another program.
    key : {"names", "name_codes"}
    """
    private = document.get(PRIVATE)
    words = private.get(key) if isinstance(private, dict) else None
    return [word for word in words if isinstance(word, str)] if isinstance(words, list) else []


def _private_of(result: Processed, paths: Sequence[Path]) -> dict[str, Any]:
    """Return ``names`` and ``name_codes`` of a result; empty if its recording names nobody.

    ``paths`` are files and folders whose names may contain a person's name.
    """
    recording = result.recording
    if not recording.persons and not recording.called:
        return dict((result.kept.get("document") or {}).get(PRIVATE) or {})
    parts = [part for path in paths for part in path.absolute().parts[-_FOLDERS:]]
    texts = [*parts, recording.name, result.options.condition, result.subject.id or ""]
    texts += [] if result.static is None else [result.static.name]
    words = words_in("\n".join(map(str, texts)), (*recording.persons, *recording.called))
    return {"names": list(words), "name_codes": name_codes(result)}


def name_codes(result: Processed) -> list[str]:
    """Return the check digits of the person's name, or of all persons if a file has several."""
    recording, prefix = result.recording, result.options.subject_prefix
    codes = sorted({name_code(name) for name in recording.persons or recording.called})
    chosen = None if prefix is None else name_code(prefix)
    return [chosen] if chosen in codes else codes


def input_paths(result: Processed) -> dict[str, Path]:
    """Return role -> path of the inputs whose path is known."""
    folder = getattr(result, "folder", None)
    paths: dict[str, Path] = {}
    if folder is not None:
        for entry in (result.kept.get("document") or {}).get("inputs", ()):
            if "relative" in entry:
                paths[entry["role"]] = Path(folder) / entry["relative"]
    read = {"trial": result.recording, "static": result.static, "forces": result.recording.forces}
    paths |= {role: r.path for role, r in read.items() if r is not None and r.path is not None}
    named = files_of(result.options)
    return paths | {role: path for role, path in named.items() if path.is_file()}


def _located(entry: dict[str, Any], path: Path | None, folder: Path) -> dict[str, Any]:
    """Return an input with its path from the results folder, masked in the same way as its name."""
    plain = {key: value for key, value in entry.items() if key != "relative"}
    if path is None:
        return plain
    try:
        parent = Path(os.path.relpath(path.parent.resolve(), folder.resolve()))
    except (OSError, ValueError):  # on another drive
        return plain
    return plain | {"relative": (parent / entry["name"]).as_posix()}
