"""The tables that ship with gaitdyn, in ``resources/``."""

from __future__ import annotations

import csv
from importlib.resources import files


def shipped_cells(name: str) -> list[list[str]]:
    """Return the lines of a table, the names of its columns first.

    Lines that begin with ``#`` are left out.

    Parameters
    ----------
    name : str
        From ``resources/`` on, such as ``emg/muscles.csv``.
    """
    text = files("gaitdyn").joinpath("resources", name).read_text(encoding="utf-8")
    return list(csv.reader(line for line in text.splitlines() if not line.startswith("#")))


def shipped_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a table: name of a column -> text.

    Parameters
    ----------
    name : str
        As of :func:`shipped_cells`.
    """
    head, *rows = shipped_cells(name)
    return [dict(zip(head, row, strict=True)) for row in rows]
