"""The answers of a trial as tidy pandas tables, with unit, basis and sign of each column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.catalogue.keys import key_of, sideless

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.curves import Curve
    from gaitdyn.types.quantities import Quantity
    from gaitdyn.types.result import Processed

Block = tuple[str, int, tuple[str, ...], "Array"]
"""Side, number, names of the curves and their values, shape (101, len(names))."""


class Meanings(dict[str, Any]):
    """What the columns of a table mean; shared by the tables and columns taken from it.

    pandas copies attributes deeply each time a column is taken, which took longer than what is
    done with the column.
    """

    def __deepcopy__(self, memo: dict[int, Any]) -> Meanings:
        """Return the same words."""
        return self


def told(curves: Iterable[Curve]) -> dict[str, dict[str, str]]:
    """Return unit, frame, positive direction and method of each curve, as ``timeseries.json``.

    Parameters
    ----------
    curves : iterable of Curve
    """
    return {
        c.name: {
            "unit": c.unit,
            "frame": c.frame,
            "positive": c.positive,
            "how": c.how,
            "rung": c.rung,
        }
        for c in curves
    }


def curve_frame(result: Processed, curves: Sequence[Curve]) -> pd.DataFrame:
    """Return curves over the frames of the trial, not rounded.

    Parameters
    ----------
    result : Processed
    curves : sequence of Curve

    Returns
    -------
    pandas.DataFrame
        A row a marker frame, indexed by ``frame`` (the file's own number); ``time_s`` and the
        curves; ``attrs["columns"]`` is of :func:`told`.
    """
    import pandas as pd

    columns = {"time_s": result.time_s}
    columns |= {one.name: one.values for one in curves}  # noqa: PD011  not of pandas
    index = pd.Index(result.frame_numbers.astype(int), name="frame")
    table = pd.DataFrame(columns, index=index)
    table.attrs["columns"] = Meanings(told(curves))
    return table


def block_frame(
    blocks: Sequence[Block], number: str, words: dict[str, dict[str, str]]
) -> pd.DataFrame:
    """Return curves over 0 to 100 % of cycles or stances, a row a percent.

    Parameters
    ----------
    blocks : sequence of Block
    number : {"cycle", "stance"}
        Name of the column that numbers them.
    words : dict
        Column -> unit, frame, positive and how.

    Returns
    -------
    pandas.DataFrame
        ``side``, ``number``, ``percent`` and the curves; a curve that a side lacks is NaN.
    """
    import pandas as pd

    names = list(dict.fromkeys(name for _, _, own, _ in blocks for name in own))
    parts = []
    for side, count, own, values in blocks:
        head = {"side": side, number: count, "percent": np.arange(len(values))}
        parts.append(pd.DataFrame(head).join(pd.DataFrame(values, columns=list(own))))
    empty = {"side": "str", number: "int64", "percent": "int64"}
    if parts:
        table = pd.concat(parts, ignore_index=True)[[*empty, *names]]
    else:
        table = pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in empty.items()})
    table.attrs["columns"] = Meanings({name: words[name] for name in names if name in words})
    return table


def quantity_frame(quantities: Sequence[Quantity], words: dict[str, Any]) -> pd.DataFrame:
    """Return numbers of cycles, a row each.

    Parameters
    ----------
    quantities : sequence of Quantity
    words : dict
        Quantity -> its title and definition.

    Returns
    -------
    pandas.DataFrame
        ``side``, ``cycle``, ``quantity``, ``value`` (NaN where not known), ``unit``, ``percent``
        (when in the cycle, NaN where it has no time).
    """
    import pandas as pd

    columns = {
        "side": [q.side for q in quantities],
        "cycle": [q.cycle for q in quantities],
        "quantity": [q.name for q in quantities],
        "value": np.array([q.value for q in quantities], dtype=float),
        "unit": [q.unit for q in quantities],
        "percent": np.array([q.percent for q in quantities], dtype=float),
    }
    table = pd.DataFrame(columns)
    table.attrs["quantities"] = Meanings(
        {q.name: words[q.name] for q in quantities if q.name in words}
    )
    return table


def with_counting(table: pd.DataFrame, counting: dict[str, set[tuple[str, int]]]) -> pd.DataFrame:
    """Return a table of cycles that says, behind ``percent``, whether each cycle counts.

    Parameters
    ----------
    table : pandas.DataFrame
        With ``side`` and ``cycle``.
    counting : dict
        ``kinematics`` and ``kinetics`` -> side and number of the cycles that count.
    """
    cycles = list(zip(table["side"], table["cycle"], strict=True))
    at = list(table.columns).index("percent") + 1
    for quantity, counted in reversed(counting.items()):
        table.insert(at, quantity, np.array([cycle in counted for cycle in cycles], dtype=bool))
    return table


def per_kg_words(curves: Iterable[Curve], units: dict[str, str]) -> dict[str, dict[str, str]]:
    """Return what the columns of cycles and stances mean, without the side, in their own units.

    Parameters
    ----------
    curves : iterable of Curve
    units : dict
        Column -> its unit there, such as N m/kg.
    """
    found: dict[str, dict[str, str]] = {}
    for name, words in told(curves).items():
        key = key_of(name)
        short = sideless(name)
        if short in units:
            one = found.setdefault(short, {**words, "unit": units[short], "rung": ""})
            rung = words["rung"] and f"{key.side}: {words['rung']}"
            one["rung"] = "; ".join(part for part in (one["rung"], rung) if part)
    return found


def emg_frame(result: Processed) -> pd.DataFrame:
    """Return ``emg.csv`` with ``emg_channels.csv`` as its attribute ``channels``.

    Parameters
    ----------
    result : Processed
    """
    import pandas as pd

    from gaitdyn.tables import emg

    found = pd.DataFrame(emg.curve_rows(result), columns=list(emg.CURVE_WORDS))
    found["on"] = found["on"].astype(float)
    rows = emg.channel_rows(result)
    found.attrs["channels"] = pd.DataFrame(rows, columns=list(emg.CHANNEL_WORDS))
    found.attrs["columns"] = {name: unit for name, (unit, _) in emg.CURVE_WORDS.items()}
    return found
