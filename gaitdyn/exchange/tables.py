"""The tables of a results folder as named columns, numbers where all entries are numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.cycles import CycleCurves


def columns_of(rows: Sequence[dict[str, str]]) -> dict[str, Array | list[str]]:
    """Return the columns of a table that was read as text.

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
    """Return ``cycles.csv`` as columns: side, cycle, percent and the curves."""
    if not cycles:
        return {}
    points = [len(c.values) for c in cycles]
    found: dict[str, Array | list[str]] = {
        "side": [c.cycle.side for c, n in zip(cycles, points, strict=True) for _ in range(n)],
        "cycle": np.repeat([float(c.cycle.number) for c in cycles], points),
        "percent": np.concatenate([np.linspace(0.0, 100.0, n) for n in points]),
    }
    values = np.concatenate([c.values for c in cycles])
    return found | {name: values[:, i] for i, name in enumerate(cycles[0].names)}


def cycle_units(cycles: Sequence[CycleCurves]) -> dict[str, str]:
    """Return the unit of every column of :func:`cycle_columns`."""
    if not cycles:
        return {}
    return {"percent": "%"} | dict(zip(cycles[0].names, cycles[0].units, strict=True))
