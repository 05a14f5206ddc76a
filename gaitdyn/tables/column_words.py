"""Words that the dictionaries of the tables use for columns."""

from __future__ import annotations

from gaitdyn.io.shipped import shipped_rows

_ROWS = shipped_rows("tables/words.csv")


def column_words(kind: str) -> dict[str, str]:
    """Return the words of one kind: part of the name of a column -> description.

    Parameters
    ----------
    kind : str
        A kind in ``resources/tables/words.csv``.
    """
    return {row["word"]: row["told"] for row in _ROWS if row["of"] == kind}
