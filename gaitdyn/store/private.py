"""What a results folder knows for its own laboratory: where its inputs are, and whose they are.

It stands in ``result.json`` beside the results and in nothing that leaves: ``inputs[].relative``,
the path of an input from the results folder; and ``private``, with ``names``: the words in names of
files and folders that are a person's by what the recording says, and ``name_codes``: check digits
by which two recordings of one person are known. A name from inside a recording that stands in no
name of a file or folder is not written.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitdyn.io.names import name_code, words_in
from gaitdyn.types.option_rows import files_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.result import Processed

PRIVATE = "private"
_FOLDERS = 6
"""How many folders above a file are looked at for names."""


def with_private(document: dict[str, Any], result: Processed, folder: Path) -> dict[str, Any]:
    """Return the document of a result with what its own folder knows.

    Parameters
    ----------
    document : dict
        Of :func:`gaitdyn.store.document.document_of`.
    result : Processed
    folder : Path
        Of the results, where they will be.
    """
    paths = input_paths(result)
    inputs = [_located(entry, paths.get(entry["role"]), folder) for entry in document["inputs"]]
    told = private_of(result, [folder, *paths.values()])
    return {**document, "inputs": inputs, **({PRIVATE: told} if told else {})}


def known_at_home(document: dict[str, Any], result: Processed) -> dict[str, Any]:
    """Return the document of a result with what it knows of names, wherever it will be.

    Parameters
    ----------
    document : dict
    result : Processed
    """
    if PRIVATE in document:
        return document
    told = private_of(result, list(input_paths(result).values()))
    return {**document, **({PRIVATE: told} if told else {})}


def without_private(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document as it may leave the results folder.

    Parameters
    ----------
    document : dict
        Contents of ``result.json``.
    """
    told = {key: value for key, value in document.items() if key != PRIVATE}
    if "inputs" in told:
        entries = [{k: v for k, v in one.items() if k != "relative"} for one in told["inputs"]]
        told["inputs"] = entries
    return told


def private_words(document: dict[str, Any], key: str) -> list[str]:
    """Return ``names`` or ``name_codes`` of a document; nothing where it holds something else.

    Parameters
    ----------
    document : dict
        Contents of ``result.json``, whoever wrote them.
    key : {"names", "name_codes"}
    """
    told = document.get(PRIVATE)
    found = told.get(key) if isinstance(told, dict) else None
    return [word for word in found if isinstance(word, str)] if isinstance(found, list) else []


def private_of(result: Processed, paths: Sequence[Path] = ()) -> dict[str, Any]:
    """Return ``names`` and ``name_codes`` of a result; empty where its recording names nobody.

    Parameters
    ----------
    result : Processed
    paths : sequence of Path
        Files and folders whose names may hold a person's.
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
    """Return the check digits of the person's names; of all persons where several are in a file.

    Parameters
    ----------
    result : Processed
    """
    recording, prefix = result.recording, result.options.subject_prefix
    own = sorted({name_code(name) for name in recording.persons or recording.called})
    meant = None if prefix is None else name_code(prefix)
    return [meant] if meant in own else own


def input_paths(result: Processed) -> dict[str, Path]:
    """Return role -> path of the inputs whose place is known.

    Parameters
    ----------
    result : Processed
    """
    folder = getattr(result, "folder", None)
    found: dict[str, Path] = {}
    if folder is not None:
        for entry in (result.kept.get("document") or {}).get("inputs", ()):
            if "relative" in entry:
                found[entry["role"]] = Path(folder) / entry["relative"]
    read = {"trial": result.recording, "static": result.static, "forces": result.recording.forces}
    found |= {role: r.path for role, r in read.items() if r is not None and r.path is not None}
    told = files_of(result.options)
    return found | {role: path for role, path in told.items() if path.is_file()}


def _located(entry: dict[str, Any], path: Path | None, folder: Path) -> dict[str, Any]:
    """Return an input with its path from the results folder; masked as its name is."""
    plain = {key: value for key, value in entry.items() if key != "relative"}
    if path is None:
        return plain
    try:
        above = Path(os.path.relpath(path.parent.resolve(), folder.resolve()))
    except (OSError, ValueError):  # another drive
        return plain
    return plain | {"relative": (above / entry["name"]).as_posix()}
