"""Replace names of persons in results that leave the laboratory: pages, PDFs and exports.

The names are those recorded as such (``private`` of ``result.json``,
:mod:`gaitdyn.store.private`). Where such a word occurs in the name of a file, a folder or a
condition, the pseudonym replaces it, or ``subject`` if there is no pseudonym.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from operator import is_
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitdyn.io.names import UNNAMED, name_masked, words_in
from gaitdyn.store.private import private_words, without_private

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gaitdyn.store.stored import StoredTrial

_NO_FILE = re.compile(r'[\\/:*?"<>|\x00-\x1f]')
"""Characters that are allowed in a pseudonym, but not in a file name."""


def pseudonymised(trial: StoredTrial, *, with_names: bool = False) -> StoredTrial:
    """Return results for use outside the laboratory: without paths, names of persons replaced.

    Parameters
    ----------
    trial : StoredTrial
    with_names : bool
        Leave names of files, folders and conditions as they are.
    """
    translate = _same if with_names else translator(trial.document, (trial.name,))
    document = translate(without_private(trial.document))
    name = translate(trial.name)
    name = name if name == trial.name else _NO_FILE.sub("_", name)
    return replace(trial, name=name, document=document, tables=translate(trial.tables))


def any_word_of(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of some names where it is not a part of a longer word."""
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names))


def translator(document: dict[str, Any], names: Iterable[str] = ()) -> Callable[[Any], Any]:
    """Return a function that replaces persons' names in all texts of a plain value.

    Parameters
    ----------
    document : dict
        Contents of ``result.json``, with its private entries.
    names : iterable of str
        Further names of files or folders to translate.
    """
    pairs = _pairs(document, names)
    if not pairs:
        return _same
    pattern = any_word_of(pairs)

    @cache
    def replaced(text: str) -> str:
        return pattern.sub(lambda match: pairs[match[0]], text)

    return lambda value: in_each_text(value, replaced)


def in_each_text(value: Any, change: Callable[[str], str]) -> Any:
    """Return a plain value with every text in it changed; keys stay.

    A part in which nothing changes is the same object: a page of twenty trials holds it once.
    """
    if isinstance(value, str):
        text = change(value)
        return value if text == value else text
    if isinstance(value, dict):
        inner = {key: in_each_text(part, change) for key, part in value.items()}
        return value if all(map(is_, inner.values(), value.values())) else inner
    if isinstance(value, (list, tuple)):
        parts = [in_each_text(part, change) for part in value]
        same = isinstance(value, list) and all(map(is_, parts, value))
        return value if same else parts
    return value


def _same(value: Any) -> Any:
    return value


def pseudonymised_label(label: str, trials: Iterable[StoredTrial]) -> str:
    """Return the label of a group of trials, with the names of its persons replaced.

    Parameters
    ----------
    label : str
        Such as the name of a folder.
    trials : iterable of StoredTrial
        With their private entries.
    """
    for trial in trials:
        names = private_words(trial.document, "names")
        label = name_masked(label, names, name_replacement(trial.document))
    return label


def name_replacement(document: dict[str, Any]) -> str:
    """Return the word that replaces the person's name: the pseudonym, unless it is the name.

    Parameters
    ----------
    document : dict
        Contents of ``result.json``.
    """
    pseudonym = str(document["subject"].get("id") or "")
    is_name = words_in(pseudonym, private_words(document, "names"))
    return pseudonym if pseudonym and not is_name else UNNAMED


def _pairs(document: dict[str, Any], further: Iterable[str]) -> dict[str, str]:
    """Return name -> its replacement, the longest name first."""
    words = private_words(document, "names")
    if not words:
        return {}
    names = [entry["name"] for entry in document["inputs"]]
    names += [Path(name).stem for name in names]
    names += [*further, str(document["options"].get("condition") or "")]
    names.append(str(document["subject"].get("id") or ""))
    pseudonym = name_replacement(document)
    replaced = {name: name_masked(name, words, pseudonym) for name in names if name}
    changed = {old: new for old, new in replaced.items() if old != new}
    return dict(sorted(changed.items(), key=lambda pair: -len(pair[0])))
