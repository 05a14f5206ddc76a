"""Results on their way out of the house: pages, PDFs and exports carry pseudonyms.

What is a person's name is what the recording says is one (``private`` of ``result.json``,
:mod:`gaitdyn.store.private`): where such a word stands in the name of a file, a folder or a
condition, the pseudonym stands in its place, or ``subject`` without one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitdyn.io.names import UNNAMED, name_told, words_in
from gaitdyn.store.private import private_words, without_private

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gaitdyn.store.stored import StoredTrial

_NO_FILE = re.compile(r'[\\/:*?"<>|\x00-\x1f]')
"""What a pseudonym may hold and a name of a file may not."""


def outward(trial: StoredTrial, *, with_names: bool = False) -> StoredTrial:
    """Return results as they leave: without paths, names of persons replaced.

    Parameters
    ----------
    trial : StoredTrial
    with_names : bool
        Leave names of files, folders and conditions as they are.
    """
    told = _same if with_names else translator(trial.document, (trial.name,))
    document = told(without_private(trial.document))
    name = told(trial.name)
    name = name if name == trial.name else _NO_FILE.sub("_", name)
    return replace(trial, name=name, document=document, tables=told(trial.tables))


def translator(document: dict[str, Any], names: Iterable[str] = ()) -> Callable[[Any], Any]:
    """Return what puts aliases for persons into the names of files that stand in plain values.

    Parameters
    ----------
    document : dict
        Contents of ``result.json``, as the house knows them.
    names : iterable of str
        Further names to look for.
    """
    pairs = _pairs(document, names)
    if not pairs:
        return _same
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(old)}(?!\w)" for old in pairs))

    def told(value: Any) -> Any:
        if isinstance(value, str):
            return pattern.sub(lambda match: pairs[match[0]], value)
        if isinstance(value, dict):
            return {key: told(inner) for key, inner in value.items()}
        return [told(inner) for inner in value] if isinstance(value, (list, tuple)) else value

    return told


def _same(value: Any) -> Any:
    return value


def label_told(label: str, trials: Iterable[StoredTrial]) -> str:
    """Return what a group of trials is called, names of its persons replaced.

    Parameters
    ----------
    label : str
        Such as the name of a folder.
    trials : iterable of StoredTrial
        As they are in the house.
    """
    for trial in trials:
        label = name_told(label, names_of(trial.document), pseudonym_of(trial.document))
    return label


def names_of(document: dict[str, Any]) -> list[str]:
    """Return the words in names of files and folders that are a person's, as far as is known.

    Parameters
    ----------
    document : dict
        Contents of ``result.json``.
    """
    return private_words(document, "names")


def pseudonym_of(document: dict[str, Any]) -> str:
    """Return what stands for the person of a result: the pseudonym, unless it is the name.

    Parameters
    ----------
    document : dict
        Contents of ``result.json``.
    """
    told = str(document["subject"].get("id") or "")
    return UNNAMED if not told or words_in(told, names_of(document)) else told


def _pairs(document: dict[str, Any], more: Iterable[str]) -> dict[str, str]:
    """Return name -> what stands in its place, the longest first."""
    words = names_of(document)
    if not words:
        return {}
    names = [entry["name"] for entry in document["inputs"]]
    names += [Path(name).stem for name in names]
    names += [*more, str(document["options"].get("condition") or "")]
    names.append(str(document["subject"].get("id") or ""))
    by = pseudonym_of(document)
    found = {name: name_told(name, words, by) for name in names if name}
    changed = {old: new for old, new in found.items() if old != new}
    return dict(sorted(changed.items(), key=lambda pair: -len(pair[0])))
