"""Single published values of healthy walking that ship with gaitdyn, each with its source."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files

_RESOURCE = "resources/gait_reference/facts.csv"


@dataclass(frozen=True, slots=True)
class Fact:
    """One published value.

    Attributes
    ----------
    quantity : str
        As in ``gait_parameters.csv`` and ``peaks.csv`` where these have it.
    value : float
    sd : float or None
        Between people; None where it is not stated.
    unit, population, source : str
    """

    quantity: str
    value: float
    sd: float | None
    unit: str
    population: str
    source: str


def reference_facts() -> tuple[Fact, ...]:
    """Return the facts that ship with gaitdyn, in the order of their file.

    Examples
    --------
    >>> {fact.quantity: fact.value for fact in reference_facts()}["foot_off"]
    59.0
    """
    text = files("gaitdyn").joinpath(_RESOURCE).read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return tuple(
        Fact(
            row["quantity"],
            float(row["value"]),
            float(row["sd"]) if row["sd"] else None,
            row["unit"],
            row["population"],
            row["source"],
        )
        for row in csv.DictReader(lines)
    )
