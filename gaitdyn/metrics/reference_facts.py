"""Single published values of healthy walking that ship with gaitdyn, each with its source."""

from __future__ import annotations

from dataclasses import dataclass

from gaitdyn.io.shipped import shipped_rows


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
    return tuple(
        Fact(
            row["quantity"],
            float(row["value"]),
            float(row["sd"]) if row["sd"] else None,
            row["unit"],
            row["population"],
            row["source"],
        )
        for row in shipped_rows("gait_reference/facts.csv")
    )
