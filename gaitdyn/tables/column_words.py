"""The words that the dictionaries of the tables have for columns."""

from __future__ import annotations

from gaitdyn.io.shipped import shipped_rows

_ROWS = shipped_rows("tables/words.csv")


def column_words(of: str) -> dict[str, str]:
    """Return words of one kind: part of a column's name -> what is told of it.

    Parameters
    ----------
    of : str
        As in ``resources/tables/words.csv``.
    """
    return {row["word"]: row["told"] for row in _ROWS if row["of"] == of}
