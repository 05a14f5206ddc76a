"""The curves of stored results as one table, and tables as columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from pathlib import Path

import numpy as np

from gaitdyn.errors import ResultsRefused
from gaitdyn.store.stored import stored_values
from gaitdyn.tables.answers import COUNTING, shown_curves_of
from gaitdyn.types.arrays import Array
from gaitdyn.types.cycles import CycleCurves
from gaitdyn.types.frozen import frozen
from gaitdyn.types.result import Processed

_TEXTS = {
    *("side", "quantity", "unit", "event", "source", "verdict", "reason"),
    *("level", "code", "scope", "message"),
}
"""Columns of the tables that hold texts; all others hold numbers, even if none is known."""


@frozen(eq=False)
class StoredCurves:
    """The columns of ``timeseries.csv``, unrounded.

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
    ground_moment_G : dict
        Side -> moment of the ground on the foot about the origin of G, shape (n, 3), N m.
    """

    frame: Array
    time_s: Array
    names: tuple[str, ...]
    values: Array
    about: dict[str, dict[str, str]]
    ground_moment_G: dict[str, Array] = field(default_factory=dict[str, "Array"])

    @property
    def columns(self) -> dict[str, Array]:
        """Name -> column, shape (n,), with ``frame`` and ``time_s`` first."""
        curves = dict(zip(self.names, self.values.T, strict=True))
        return {"frame": self.frame, "time_s": self.time_s, **curves}

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
                f"found results of {len(self.frame)} frames from {self.frame[0]:.0f}, wanted the"
                f" {n_frames} of the recording from {first_frame}; process the trial again"
            )

    def unit(self, name: str) -> str:
        """Return the unit of a column."""
        return self.about.get(name, {}).get("unit", "")


def read_curves(folder: Path) -> StoredCurves:
    """Return the curves of a results folder, as exact as they were computed.

    Raises
    ------
    ResultsRefused
        When a file is missing or cannot be read.
    """
    return curves_in(stored_values(folder, "read"))


def curves_in(result: Processed) -> StoredCurves:
    """Return the curves of a trial, under the names that its options select."""
    curves = shown_curves_of(result)
    about = {
        c.name: {"unit": c.unit, "frame": c.frame, "positive": c.positive, "how": c.how}
        for c in curves
    }
    values = [c.values for c in curves] or [np.empty((result.recording.n_frames, 0))]
    return StoredCurves(
        result.frame_numbers,
        result.time_s,
        tuple(about),
        np.column_stack(values),
        {"frame": {"unit": "1"}, "time_s": {"unit": "s"}, **about},
        {side: s.wrench.moment_G for side, s in result.sides.items() if s.wrench is not None},
    )


def columns_of(rows: Sequence[dict[str, str]]) -> dict[str, Array | list[str]]:
    """Return the columns of a table of texts as texts or numbers, NaN where unknown.

    Examples
    --------
    >>> columns_of([{"side": "left", "value": "2"}, {"side": "right", "value": ""}])
    {'side': ['left', 'right'], 'value': array([ 2., nan])}
    """
    names = list(rows[0]) if rows else []
    return {name: _column(name, [row[name] or "" for row in rows]) for name in names}


def _column(name: str, texts: list[str]) -> Array | list[str]:
    return texts if name in _TEXTS else np.array([float(text or "nan") for text in texts])


def cycle_columns(
    cycles: Sequence[CycleCurves], counting: Mapping[str, Collection[tuple[str, int]]]
) -> dict[str, Array | list[str]]:
    """Return ``cycles.csv`` as columns; NaN if a side lacks a curve.

    Parameters
    ----------
    cycles : sequence of CycleCurves
    counting : mapping
        Of :func:`gaitdyn.tables.answers.counting_of`.
    """
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
    flags: dict[str, Array] = {
        name: np.repeat([float((c.cycle.side, c.cycle.number) in cycle) for c in cycles], points)
        for name, cycle in counting.items()
    }
    return columns | curves | flags


def cycle_units(cycles: Sequence[CycleCurves]) -> dict[str, str]:
    """Return the unit of every column of :func:`cycle_columns`."""
    units = {name: u for c in cycles for name, u in zip(c.names, c.units, strict=True)}
    keys = {"side": "", "cycle": "1", "percent": "%"}
    return keys | units | dict.fromkeys(COUNTING, "1") if cycles else {}
