"""``--to mat``: write a whole results folder as one MATLAB struct, ``gaitdyn``."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from gaitdyn.exchange.curves import StoredCurves, columns_of, cycle_columns, cycle_units
from gaitdyn.exchange.muscles import CURVE_UNITS, channel_columns, muscle_columns
from gaitdyn.exchange.targets import Written
from gaitdyn.store import StoredTrial, document_text
from gaitdyn.store.single_file import put_in_place

_LONGEST_NAME = 63


def write_mat(stored: StoredTrial, curves: StoredCurves, path: Path) -> Written:
    """Write a MATLAB file (version 5) with the struct ``gaitdyn``.

    Parameters
    ----------
    stored : StoredTrial
    curves : StoredCurves
        Of the same trial.
    path : Path
    """
    from scipy.io import savemat

    stream = BytesIO()
    content = {"gaitdyn": mat_struct(stored, curves)}
    file: Any = stream  # savemat accepts a file as well as a name
    savemat(file, content, long_field_names=True, oned_as="column")
    put_in_place(path, stream.getvalue())
    return Written((path,))


def mat_struct(stored: StoredTrial, curves: StoredCurves) -> dict[str, Any]:
    """Return results as nested dictionaries of values that MATLAB can store.

    Returns
    -------
    dict
        ``timeseries``: ``frame``, ``time_s`` and the curves as columns; ``timeseries_units`` and
        ``timeseries_positive``: a text for each; ``cycles`` with ``cycles_units``; the further
        tables; with electromyography ``emg``, ``emg_units`` and ``emg_channels``; ``result``:
        contents of ``result.json``; ``result_json``: its text.
    """
    columns = curves.columns
    struct = {
        "timeseries": columns,
        "timeseries_units": {name: curves.unit(name) for name in columns},
        "timeseries_positive": {
            name: curves.about.get(name, {}).get("positive", "") for name in columns
        },
        "cycles": cycle_columns(stored.cycles, stored.counting),
        "cycles_units": cycle_units(stored.cycles),
        **{name: columns_of(rows) for name, rows in stored.tables.items()},
        **_muscles(stored),
        "result": stored.document,
        "result_json": document_text(stored.document),
    }
    return _plain(struct)


def _muscles(stored: StoredTrial) -> dict[str, Any]:
    """Return the tables of electromyography; nothing if the recording has none."""
    if stored.emg is None:
        return {}
    return {
        "emg": muscle_columns(stored.emg),
        "emg_units": CURVE_UNITS,
        "emg_channels": channel_columns(stored.emg),
    }


def _plain(value: Any) -> Any:
    """Return a value in MATLAB's types: structs, numbers, texts and cells; None becomes empty."""
    if isinstance(value, dict):
        return {_name(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        if value and _numeric(value):
            return np.array(value, float)
        cell = np.empty(len(value), object)
        cell[:] = [_plain(x) for x in value]
        return cell
    if value is None:
        return np.zeros((0, 0))
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _numeric(value: Any) -> bool:
    """Return whether a list contains only numbers, or only rows of numbers of one length."""
    if all(isinstance(x, (int, float)) for x in value):
        return True
    rows = [x for x in value if isinstance(x, list) and x and _numeric(x)]
    return len(rows) == len(value) and len({len(x) for x in rows}) == 1


def _name(key: str) -> str:
    word = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in key)
    return (word if word[:1].isalpha() else f"x{word}")[:_LONGEST_NAME]
