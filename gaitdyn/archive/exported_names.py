"""Names of persons in what leaves an archive."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from gaitdyn.archive.integrity import document_in
from gaitdyn.io.names import UNNAMED, name_masked
from gaitdyn.store.outward import any_word_of, translator
from gaitdyn.store.private import without_private

_NAMING = ("session", "trial", "condition")
_TELLING = ("scope", "message")
"""Columns of texts in which such names occur, and other words that are a person's name as well."""

_DOCUMENT = "document"


class NamesInArchive(NamedTuple):
    """Names of persons in an archive.

    Attributes
    ----------
    words : tuple of str
        Words in names of files, folders and subjects that are a person's name, of all results.
    aliases : dict
        Pseudonym that contains such a word -> what an export calls this subject. The number keeps
        the subjects apart.
    files : tuple of str
        Names of files, conditions and subjects that contain such a word, the longest first.
    """

    words: tuple[str, ...]
    aliases: dict[str, str]
    files: tuple[str, ...]

    def in_text(self, text: str, alias: str) -> str:
        """Return a text in which these names are as exported, of the subject ``alias``."""
        if not self.files:
            return text
        found = _any_of(self.files)
        return found.sub(lambda match: name_masked(match[0], self.words, alias), text)


_any_of = lru_cache(maxsize=1)(any_word_of)


def names_in_archive(connection: sqlite3.Connection) -> NamesInArchive:
    """Return the names of persons in an archive that exports replace."""
    rows = connection.execute(
        "SELECT DISTINCT json_extract(document, '$.private.names') FROM provenance"
        " WHERE json_type(document, '$.private.names') = 'array'"
    )
    words = tuple({str(word) for (text,) in rows for word in json.loads(text)})
    subjects = connection.execute("SELECT id, pseudonym FROM subject")
    aliases = {n: f"{UNNAMED}-{i}" for i, n in subjects if name_masked(n, words) != n}
    rows = connection.execute(
        "SELECT json_extract(value, '$.name') FROM provenance, json_each(document, '$.inputs')"
        " UNION SELECT name FROM trial UNION SELECT condition FROM trial"
    ).fetchall()
    known = {str(name) for (name,) in rows if name} | aliases.keys()
    known |= {Path(name).stem for name in known}
    files = {name for name in known if name_masked(name, words) != name}
    return NamesInArchive(words, aliases, tuple(sorted(files, key=lambda name: (-len(name), name))))


def exported_rows(
    rows: Sequence[Sequence[Any]], columns: Sequence[str], names: NamesInArchive | None
) -> list[tuple[Any, ...]]:
    """Return rows as they are exported: names replaced, documents without private entries.

    Parameters
    ----------
    rows : sequence of rows
        The first column is the subject's pseudonym.
    columns : sequence of str
    names : NamesInArchive or None
        None leaves all names.
    """
    named, told, documents = (
        [i for i, name in enumerate(columns) if name in those]
        for those in (_NAMING, _TELLING, (_DOCUMENT,))
    )
    if not documents and not (names and names.words):
        return [tuple(row) for row in rows]
    return [_exported_row(row, (named, told, documents), names) for row in rows]


def _exported_row(
    row: Sequence[Any], places: tuple[list[int], list[int], list[int]], names: NamesInArchive | None
) -> tuple[Any, ...]:
    named, told, documents = places
    exported = list(row)
    if names is not None:
        alias = names.aliases.get(str(row[0]), str(row[0]))
        exported[0] = alias
        for i in named:
            exported[i] = row[i] and name_masked(row[i], names.words, alias)
        for i in told:
            exported[i] = names.in_text(row[i], alias)
    for i in documents:
        exported[i] = _exported_document(row[i], None if names is None else str(exported[0]))
    return tuple(exported)


def _exported_document(text: str, alias: str | None) -> str:
    """Return a ``result.json`` in one line as it is exported, of the subject ``alias``."""
    document = document_in(text)
    plain = without_private(document)
    if alias is not None:
        plain = translator(document)(plain)
        if plain.get("subject", {}).get("id") == UNNAMED:
            plain["subject"]["id"] = alias
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
