"""The numbers in ``peaks.csv``, in its order, read from ``resources/metrics/peaks.csv``."""

from __future__ import annotations

from functools import cache
from typing import cast

from gaitdyn.catalogue.keys import swapped_name
from gaitdyn.io.shipped import shipped_rows
from gaitdyn.metrics.definition import Definition, Take, fitting_definition
from gaitdyn.metrics.windows import Window, edge_of


def _definition(row: dict[str, str]) -> Definition:
    texts = (row[name] for name in ("name", "title", "unit", "text", "source", "curve"))
    window = Window(edge_of(row["start"]), edge_of(row["stop"]))
    return Definition(*texts, take=cast("Take", row["take"]), window=window)


_ROWS = [(row["body"], _definition(row)) for row in shipped_rows("metrics/peaks.csv")]
DEFINITIONS = tuple(definition for body, definition in _ROWS if body == "legs")
UPPER_DEFINITIONS = tuple(definition for body, definition in _ROWS if body == "upper")
"""Of trunk, spine and shoulder: after the others, and only if there are markers for them."""


def find_definition(name: str) -> Definition:
    """Return the definition of a quantity of ``peaks.csv``, including external moments.

    Parameters
    ----------
    name : str

    Raises
    ------
    KeyError
        If no such quantity is defined.

    Examples
    --------
    >>> find_definition("hip_moment_flexion_max").text
    'Largest external flexion moment of the hip in stance.'
    """
    return _by_name()[name]


@cache
def _by_name() -> dict[str, Definition]:
    """Return the definitions by the names of their quantities in both conventions."""
    definitions: dict[str, Definition] = {}
    for definition in (*DEFINITIONS, *UPPER_DEFINITIONS):
        for names in ({definition.curve}, {swapped_name(definition.curve) or ""}):
            fitted = fitting_definition(definition, names)
            if fitted is not None:
                definitions.setdefault(fitted.name, fitted)
    return definitions
