"""Read ``timeseries.csv`` with its dictionary, and turn tables into columns."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.errors import ResultsRefused
from gaitdyn.store.folder import DOCUMENT
from gaitdyn.store.whole import checked_bytes, listed, read_sealed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.cycles import CycleCurves


_KEYS = ("frame", "time_s")


@dataclass(frozen=True, slots=True, eq=False)
class StoredCurves:
    """The columns of ``timeseries.csv``.

    Attributes
    ----------
    frame, time_s : arrays, shape (n,)
        Frame numbers of the file; time on the clock of EVENT:TIMES.
    names : tuple of str
        Of the other columns.
    values : array, shape (n, n_names)
        In the units of ``about``; NaN where unknown.
    about : dict
        Name -> ``unit``, ``frame``, ``positive``, ``how``.
    """

    frame: Array
    time_s: Array
    names: tuple[str, ...]
    values: Array
    about: dict[str, dict[str, str]]

    def vector(self, *names: str) -> Array | None:
        """Return columns side by side, shape (n, n_names); None if one is missing."""
        if not set(names) <= set(self.names):
            return None
        return self.values[:, [self.names.index(name) for name in names]]

    def check_frames(self, n_frames: int, first_frame: int) -> None:
        """Refuse curves that have other frames than their recording.

        Raises
        ------
        ResultsRefused
            With the numbers found and wanted.
        """
        if len(self.frame) != n_frames or self.frame[0] != first_frame:
            raise ResultsRefused(
                f"timeseries.csv: found {len(self.frame)} frames, wanted the {n_frames} of the"
                f" recording from {first_frame}; process the trial again"
            )

    def unit(self, name: str) -> str:
        """Return the unit of a column."""
        return self.about.get(name, {}).get("unit", "")


def read_curves(folder: Path) -> StoredCurves:
    """Return the curves of a results folder.

    Raises
    ------
    ResultsRefused
        When a file is missing or cannot be read.
    """
    try:
        files = listed(read_sealed(folder / DOCUMENT))
        about = json.loads(checked_bytes(folder, "timeseries.json", files))
        text = checked_bytes(folder, "timeseries.csv", files).decode()
        rows = csv.reader(StringIO(text, newline=""))
        names = next(rows)
        table = np.array([[float(x or "nan") for x in row] for row in rows])
        table = table.reshape(-1, len(names))
        frame, time_s = (table[:, names.index(key)] for key in _KEYS)
    except (OSError, ValueError, StopIteration) as error:
        raise ResultsRefused(
            f"{folder}: found curves that cannot be read ({type(error).__name__}: {error});"
            " process the trial again"
        ) from error
    columns = [i for i, name in enumerate(names) if name not in _KEYS]
    return StoredCurves(frame, time_s, tuple(names[i] for i in columns), table[:, columns], about)


def columns_of(rows: Sequence[dict[str, str]]) -> dict[str, Array | list[str]]:
    """Return the columns of a table of texts, as numbers where all texts are numbers.

    Examples
    --------
    >>> columns_of([{"side": "left", "value": "2"}, {"side": "right", "value": ""}])
    {'side': ['left', 'right'], 'value': array([ 2., nan])}
    """
    names = list(rows[0]) if rows else []
    return {name: _column([row[name] or "" for row in rows]) for name in names}


def _column(texts: list[str]) -> Array | list[str]:
    if not any(texts):
        return texts
    try:
        return np.array([float(text or "nan") for text in texts])
    except ValueError:
        return texts


def cycle_columns(cycles: Sequence[CycleCurves]) -> dict[str, Array | list[str]]:
    """Return ``cycles.csv`` as columns: side, cycle, percent, curves; NaN if a side lacks one."""
    if not cycles:
        return {}
    points = [len(c.values) for c in cycles]
    columns: dict[str, Array | list[str]] = {
        "side": [c.cycle.side for c, n in zip(cycles, points, strict=True) for _ in range(n)],
        "cycle": np.repeat([float(c.cycle.number) for c in cycles], points),
        "percent": np.concatenate([np.linspace(0.0, 100.0, n) for n in points]),
    }
    curves: dict[str, Array] = {}
    ends = np.cumsum(points)
    for c, n, end in zip(cycles, points, ends, strict=True):
        for name, values in zip(c.names, c.values.T, strict=True):
            curves.setdefault(name, np.full(ends[-1], np.nan))[end - n : end] = values
    return columns | curves


def cycle_units(cycles: Sequence[CycleCurves]) -> dict[str, str]:
    """Return the unit of every column of :func:`cycle_columns`."""
    units = {name: u for c in cycles for name, u in zip(c.names, c.units, strict=True)}
    return {"percent": "%"} | units if cycles else {}
