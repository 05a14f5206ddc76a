"""Read the tables shipped with gaitdyn in ``resources/``."""

from __future__ import annotations

import csv
from importlib.resources import files


def shipped_cells(name: str) -> list[list[str]]:
    """Return the lines of a table, column names first.

    Lines that begin with ``#`` are skipped.

    Parameters
    ----------
    name : str
        Path below ``resources/``, such as ``emg/muscles.csv``.
    """
    text = files("gaitdyn").joinpath("resources", name).read_text(encoding="utf-8")
    return list(csv.reader(line for line in text.splitlines() if not line.startswith("#")))


def shipped_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a table, each as column name -> text.

    Parameters
    ----------
    name : str
        As in :func:`shipped_cells`.
    """
    head, *rows = shipped_cells(name)
    return [dict(zip(head, row, strict=True)) for row in rows]
