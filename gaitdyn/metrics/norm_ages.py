"""How old the people of a reference set are, as far as its source says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gaitdyn.types.norms import Norm

ADULT_YEARS = 18.0
"""Age from which a person is no child to a reference set."""

AGES = re.compile(r"(\d+) to (\d+) years")
"""Ages in the source of a set."""


def other_ages(norm: Norm, age_years: float | None) -> str:
    """Return whose curves a set has if a person of this age is not among them, else nothing.

    The source of a set gives ages as ``4 to 17 years`` or has the word ``children``.

    Parameters
    ----------
    norm : Norm
    age_years : float or None
        Without an age or a source that tells, nothing is returned.

    Examples
    --------
    >>> from gaitdyn.types.norms import Norm
    >>> own = Norm("own.csv", "own laboratory, people of 20 to 45 years", "", ())
    >>> other_ages(own, 8.0), other_ages(own, 45.0)
    ('people of 20 to 45 years', '')
    """
    ages, child = AGES.search(norm.source), "children" in norm.source.lower()
    if age_years is None or not (ages or child):
        return ""
    low, high = map(float, ages.groups()) if ages else (0.0, ADULT_YEARS - 1.0)
    if low <= age_years < high + 1.0:
        return ""
    if child and age_years >= ADULT_YEARS:
        return "children"
    return f"people of {low:g} to {high:g} years"
