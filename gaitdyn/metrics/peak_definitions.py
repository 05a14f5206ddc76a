"""The numbers in ``peaks.csv``: their names, and how each is taken from its curve.

They are in the order of the table, ``resources/metrics/peaks.csv``.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace
from functools import cache
from typing import Literal, cast

from gaitdyn.catalogue.keys import key_of, swapped_name
from gaitdyn.io.shipped import shipped_rows
from gaitdyn.metrics.windows import Window, edge_of
from gaitdyn.types.frozen import frozen

Take = Literal[
    "max",
    "min",
    "burst_max",
    "burst_min",
    "peak",
    "valley",
    "start",
    "mean",
    "range",
    "positive",
    "negative",
]
"""How a number is taken from the values inside a window.

``burst_max`` and ``burst_min`` are the largest value of one sign, 0 if there is none; ``peak`` is
the largest value, NaN if it is at an edge of the window; ``valley`` is the least value between the
peaks of both halves of the window, NaN without two; ``start`` is the value at the start of the
window; ``positive`` and ``negative`` are the integrals over time of the part above
and below zero.
"""

_WAY = {"internal": "external", "external": "internal"}


@frozen()
class Definition:
    """One number of a cycle.

    Attributes
    ----------
    name : str
        As in ``peaks.csv``.
    title : str
    unit : str
    text : str
        One sentence.
    source : str
    curve : str
        Column of ``cycles.csv``; for a moment, the internal one.
    take : str
        See :data:`Take`.
    window : Window
    """

    name: str
    title: str
    unit: str
    text: str
    source: str
    curve: str
    take: Take
    window: Window


def fitting_definition(definition: Definition, names: Container[str]) -> Definition | None:
    """Return a definition under the names that its curve has in the data.

    External moments have the opposite words and the same numbers: the largest internal extension
    moment is the largest external flexion moment.

    Parameters
    ----------
    definition : Definition
        Of an internal moment, or of another curve.
    names : container of str
        Available columns.

    Returns
    -------
    Definition or None
        None if the curve is missing, as for a moment in the axes of the laboratory.
    """
    if definition.curve in names:
        return definition
    curve = swapped_name(definition.curve, names)
    if curve is None:
        return None
    word, opposite = (key_of(name).component for name in (definition.curve, curve))
    swapped = {word: opposite, opposite: word, **_WAY}
    pattern = re.compile("|".join(sorted(swapped, key=len, reverse=True)))

    def turned(text: str) -> str:
        return pattern.sub(lambda match: swapped[match[0]], text)

    return replace(
        definition,
        name=definition.name.replace(definition.curve, curve),
        title=turned(definition.title),
        text=turned(definition.text),
        curve=curve,
    )


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
