"""What leaves an archive: rows with pseudonyms in the place of the names of persons."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from gaitdyn.io.names import UNNAMED, name_told, words_in
from gaitdyn.store.outward import translator
from gaitdyn.store.private import without_private

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

_NAMING = ("session", "trial", "condition")
_DOCUMENT = "document"


def names_in_archive(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the words in names of files and folders that are a person's, of all results.

    Parameters
    ----------
    connection : sqlite3.Connection
    """
    rows = connection.execute(
        "SELECT DISTINCT json_extract(document, '$.private.names') FROM provenance"
    )
    return tuple({str(word) for (text,) in rows if text for word in json.loads(text)})


def told_rows(
    rows: Sequence[Sequence[Any]], columns: Sequence[str], names: Sequence[str] | None
) -> list[tuple[Any, ...]]:
    """Return rows as they leave; documents without what is for the house alone.

    Parameters
    ----------
    rows : sequence of rows
        The first column is the subject's pseudonym.
    columns : sequence of str
    names : sequence of str or None
        Of :func:`names_in_archive`; None leaves all names.
    """
    at = [i for i, name in enumerate(columns) if name in _NAMING] if names else []
    papers = [i for i, name in enumerate(columns) if name == _DOCUMENT]
    if not (at or papers):
        return [tuple(row) for row in rows]
    return [_told(row, at, papers, names) for row in rows]


def _told(
    row: Sequence[Any], at: Sequence[int], papers: Sequence[int], names: Sequence[str] | None
) -> tuple[Any, ...]:
    told = list(row)
    if names:
        alias = UNNAMED if words_in(str(row[0]), names) else str(row[0])
        told[0] = alias
        for i in at:
            told[i] = row[i] and name_told(row[i], names, alias)
    for i in papers:
        told[i] = _paper(row[i], with_names=names is None)
    return tuple(told)


def _paper(text: str, *, with_names: bool) -> str:
    """Return a ``result.json`` in one line as it leaves."""
    document = json.loads(text)
    plain = without_private(document)
    plain = plain if with_names else translator(document)(plain)
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
