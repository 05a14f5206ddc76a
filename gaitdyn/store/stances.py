"""``stances.csv``: written, and read back for the report."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.types.arrays import Array

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.types.cycles import StanceCurves

_KEYS = ("side", "stance", "percent")


@dataclass(frozen=True, slots=True, eq=False)
class StoredStance:
    """One stance of a results folder.

    Attributes
    ----------
    side : str
    number : int
    names : tuple of str
    values : array, shape (101, len(names))
    """

    side: str
    number: int
    names: tuple[str, ...]
    values: Array


def write_stances(place: Path, stances: Sequence[StanceCurves]) -> None:
    """Write ``stances.csv``: 101 rows a stance, columns as in ``cycles.csv``."""
    names = list(dict.fromkeys(name for curves in stances for name in curves.names))
    lines = [",".join([*_KEYS, *names])]
    for curves in stances:
        at = {name: i for i, name in enumerate(curves.names)}
        empty = np.full(len(curves.values), np.nan)
        table = np.stack([curves.values[:, at[n]] if n in at else empty for n in names], axis=1)
        form = f"{curves.stance.side},{curves.stance.number},%d," + ",".join(["%.10g"] * len(names))
        lines += [form % (i, *row) for i, row in enumerate(table.tolist())]
    text = "\n".join([*lines, ""]).replace("nan", "")
    (place / "stances.csv").write_text(text, encoding="utf-8", newline="\n")


def read_stances(place: Path) -> list[StoredStance]:
    """Return the stances of a results folder; none where an older version wrote no table.

    Parameters
    ----------
    place : Path

    Raises
    ------
    ValueError
        When a number cannot be read.
    """
    path = place / "stances.csv"
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        names = tuple(next(rows, _KEYS)[len(_KEYS) :])
        found: dict[tuple[str, str], list[list[float]]] = {}
        for row in rows:
            values = [float(x or "nan") for x in row[len(_KEYS) :]]
            found.setdefault((row[0], row[1]), []).append(values)
    return [
        StoredStance(side, int(number), names, np.array(values))
        for (side, number), values in found.items()
    ]
