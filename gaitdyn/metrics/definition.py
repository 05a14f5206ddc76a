"""Definition of a number read from a curve: its name, its description and how it is taken."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from gaitdyn.catalogue.keys import key_of, swapped_name
from gaitdyn.metrics.windows import Window
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Container

Take = Literal[
    "max",
    "min",
    "burst_max",
    "burst_min",
    "valley",
    "start",
    "mean",
    "range",
    "positive",
    "negative",
]
"""How a number is taken from the values inside a window.

``burst_max`` and ``burst_min`` are the largest value of one sign, 0 if there is none; ``valley`` is
the least value between the largest ones of both halves of the window; ``start`` is the value at
the start of the window; ``positive`` and ``negative`` are the integrals over time of the part above
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
