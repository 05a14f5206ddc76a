"""Results of a trial as tidy pandas tables, with unit, basis and sign of each column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.catalogue.keys import key_of, sideless

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd

    from gaitdyn.cycles.own_signals import Block
    from gaitdyn.types.curves import Curve, Quantity
    from gaitdyn.types.cycles import CycleCurves, StanceCurves
    from gaitdyn.types.result import Processed


class Meanings(dict[str, Any]):
    """Meanings of the columns of a table, shared by all tables and columns taken from it.

    pandas makes a deep copy of the attributes whenever a column is taken, which would take longer
    than most work on the column.
    """

    def __deepcopy__(self, memo: dict[int, Any]) -> Meanings:
        """Return the same object."""
        return self


MEANING = ("unit", "frame", "positive", "how", "rung")
"""Entries of a column in a dictionary; those of cycles end before the rung."""


def column_meanings(curves: Iterable[Curve]) -> dict[str, dict[str, str]]:
    """Return unit, frame, positive direction and method of curves, as in ``timeseries.json``."""
    return {curve.name: {key: getattr(curve, key) for key in MEANING} for curve in curves}


def curve_frame(result: Processed, curves: Sequence[Curve]) -> pd.DataFrame:
    """Return curves over the frames of the trial, not rounded.

    Returns
    -------
    pandas.DataFrame
        One row per marker frame, indexed by ``frame`` (the number in the file); ``time_s`` and the
        curves; ``attrs["columns"]`` is from :func:`column_meanings`.
    """
    import pandas as pd

    columns = {"time_s": result.time_s}
    columns |= {curve.name: curve.values for curve in curves}  # noqa: PD011  not of pandas
    index = pd.Index(result.frame_numbers.astype(int), name="frame")
    table = pd.DataFrame(columns, index=index)
    table.attrs["columns"] = Meanings(column_meanings(curves))
    return table


def block_frame(
    blocks: Sequence[Block], number: str, words: dict[str, dict[str, str]]
) -> pd.DataFrame:
    """Return curves over 0 to 100 % of cycles or stances, one row per per cent.

    Parameters
    ----------
    blocks : sequence of Block
    number : {"cycle", "stance"}
        Name of the column with their numbers.
    words : dict
        Column -> unit, frame, positive and how.

    Returns
    -------
    pandas.DataFrame
        ``side``, ``number``, ``percent`` and the curves; a curve that a side lacks is NaN.
    """
    import pandas as pd

    names = list(dict.fromkeys(name for _, _, curves, _ in blocks for name in curves))
    parts = []
    for side, count, curves, values in blocks:
        head = {"side": side, number: count, "percent": np.arange(len(values))}
        parts.append(pd.DataFrame(head).join(pd.DataFrame(values, columns=list(curves))))
    types = {"side": "str", number: "int64", "percent": "int64"}
    if parts:
        table = pd.concat(parts, ignore_index=True)[[*types, *names]]
    else:
        table = pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in types.items()})
    table.attrs["columns"] = Meanings({name: words[name] for name in names if name in words})
    return table


def quantity_frame(quantities: Sequence[Quantity], words: dict[str, Any]) -> pd.DataFrame:
    """Return the values of cycles, one row each.

    Parameters
    ----------
    quantities : sequence of Quantity
    words : dict
        Quantity -> its title and definition.

    Returns
    -------
    pandas.DataFrame
        ``side``, ``cycle`` (missing for a stance without a cycle), ``quantity``, ``value`` (NaN if
        unknown), ``unit``, ``percent`` (time in the cycle or stance, NaN if it has none).
    """
    import pandas as pd

    columns = {
        "side": pd.Series([q.side for q in quantities], dtype="str"),
        "cycle": pd.Series([q.cycle for q in quantities], dtype="Int64"),
        "quantity": pd.Series([q.name for q in quantities], dtype="str"),
        "value": np.array([q.value for q in quantities], dtype=float),
        "unit": pd.Series([q.unit for q in quantities], dtype="str"),
        "percent": np.array([q.percent for q in quantities], dtype=float),
    }
    table = pd.DataFrame(columns)
    table.attrs["quantities"] = Meanings(
        {q.name: words[q.name] for q in quantities if q.name in words}
    )
    return table


def with_counting(table: pd.DataFrame, counting: dict[str, set[tuple[str, int]]]) -> pd.DataFrame:
    """Return a table of cycles with columns after ``percent`` for the sets each cycle is in.

    Parameters
    ----------
    table : pandas.DataFrame
        With ``side`` and ``cycle``.
    counting : dict
        ``kinematics``, ``kinetics`` and ``turning`` -> side and number of such cycles.
    """
    cycles = list(zip(table["side"], table["cycle"], strict=True))
    position = list(table.columns).index("percent") + 1
    for quantity, counted in reversed(counting.items()):
        counts = np.array([cycle in counted for cycle in cycles], dtype=bool)
        table.insert(position, quantity, counts)
    return table


def per_kg_words(
    curves: Iterable[Curve], courses: Iterable[CycleCurves | StanceCurves]
) -> dict[str, dict[str, str]]:
    """Return the meanings of columns of cycles and stances, without the side, in their units.

    What differs between the sides is told for each.

    Parameters
    ----------
    curves : iterable of Curve
    courses : iterable of CycleCurves or StanceCurves
        What the tables hold.
    """
    units = {
        name: u for course in courses for name, u in zip(course.names, course.units, strict=True)
    }
    of_sides: dict[str, list[Curve]] = {}
    for curve in curves:
        if (short := sideless(curve.name)) in units:
            of_sides.setdefault(short, []).append(curve)
    return {
        short: {key: _both(both, key) for key in MEANING}
        | {"unit": units[short], "rung": _each(both, "rung")}
        for short, both in of_sides.items()
    }


def _both(curves: Sequence[Curve], key: str) -> str:
    """Return what the curves of both sides say, once if it is the same."""
    texts = {str(getattr(curve, key)) for curve in curves}
    return texts.pop() if len(texts) == 1 else _each(curves, key)


def _each(curves: Sequence[Curve], key: str) -> str:
    """Return what each curve says, with its side in front."""
    told = ((key_of(curve.name).side, str(getattr(curve, key))) for curve in curves)
    return "; ".join(f"{side}: {text}" if side else text for side, text in told if text)


_EMG_TYPES = {"cycle": "int64", "percent": "int64", "envelope": "float64", "on": "float64"}
"""Types of the columns of :func:`emg_frame` that are not texts."""


def emg_frame(result: Processed) -> pd.DataFrame:
    """Return ``emg.csv`` with ``emg_channels.csv`` as its attribute ``channels``."""
    import pandas as pd

    from gaitdyn.tables import emg

    table = pd.DataFrame(emg.curve_rows(result), columns=list(emg.CURVE_WORDS))
    table = table.astype({name: _EMG_TYPES.get(name, "str") for name in emg.CURVE_WORDS})
    rows = emg.channel_rows(result)
    table.attrs["channels"] = pd.DataFrame(rows, columns=list(emg.CHANNEL_WORDS))
    table.attrs["columns"] = {name: unit for name, (unit, _) in emg.CURVE_WORDS.items()}
    return table
