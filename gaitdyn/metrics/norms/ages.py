"""How old the people of a reference set are, as far as it or its source says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gaitdyn.types.norms import Norm

ADULT_YEARS = 18.0
"""Age from which a person is no child to a reference set."""

CHILDREN = "schwartz2008"
"""The shipped set of children of 4 to 17 years in groups of speed."""

_YOUNGEST_CHILD = 4.0

_IN_SOURCE = re.compile(r"(\d+) to (\d+) years", re.ASCII)
"""Ages in the source of a set."""

_STATED = re.compile(
    r"(?<![\d.])(\d+)(?:\.\d+)?(?:\s*(?:to|-|\u2013)\s*(\d+)(?:\.\d+)?)? years"
    r"(?! (?:and|or) )",
    re.ASCII,
)
"""Ages in a comment of a set about nothing else, also by another hand: ``5.5-12.3 years``."""

_OPEN = re.compile(
    r"[<>\u2264\u2265]|\b(?:over|under|above|below|from|than|least|most|up to) \d",
    re.ASCII | re.IGNORECASE,
)
"""Words of an age that is only a limit: ``over 65 years``."""


def fitting_set(ages: Sequence[float | None]) -> str:
    """Return what to name if the shipped set of children fits all of some ages, else nothing.

    A set is never used unless it is named.

    Parameters
    ----------
    ages : sequence of float or None
        Years; None where the age is not known.

    Examples
    --------
    >>> fitting_set([10.0, 12.5]), fitting_set([17.0, None]), fitting_set([])
    ('at 10 years --norm schwartz2008 fits: children of 4 to 17', '', '')
    """
    known = [age for age in ages if age is not None and _YOUNGEST_CHILD <= age < ADULT_YEARS]
    if not known or len(known) < len(ages):
        return ""
    return f"at {known[0]:g} years --norm {CHILDREN} fits: children of 4 to 17"


def ages_words(low: float, high: float) -> str:
    """Return ages in whole years as a set and a report give them.

    Examples
    --------
    >>> ages_words(21.0, 45.9), ages_words(30.2, 30.2)
    ('21 to 45 years', '30 years')
    """
    low, high = int(low), int(high)
    return f"{low} to {high} years" if low < high else f"{low} years"


def ages_in(stated: str, source: str) -> tuple[float, float] | None:
    """Return the ages of the youngest and the oldest in years, or None.

    Parameters
    ----------
    stated : str
        What a set says of the ages alone, such as ``21 to 45 years`` or ``30 years``.
    source : str
        Its source, where only ``21 to 45 years`` is taken for ages: 3 years may be anything.

    Examples
    --------
    >>> ages_in("30 years", ""), ages_in("", "adults of 20 to 45 years"), ages_in("", "3 years")
    ((30.0, 30.0), (20.0, 45.0), None)
    >>> ages_in("20-45 years", ""), ages_in("18 years and older", ""), ages_in("over 65 years", "")
    ((20.0, 45.0), None, None)
    """
    found = _STATED.search(stated)
    if found is None or (found[2] is None and _OPEN.search(stated)):
        found = _IN_SOURCE.search(source)
    return None if found is None else (float(found[1]), float(found[2] or found[1]))


def people_words(norm: Norm) -> str:
    """Return how old the people of a set are, such as ``people of 21 to 45 years``; "" if unknown.

    Examples
    --------
    >>> from gaitdyn.types.norms import Norm
    >>> people_words(Norm("own.csv", "own laboratory", "", (), ages=(20.0, 45.0)))
    'people of 20 to 45 years'
    """
    child = "children" in norm.source.lower()
    if norm.ages is None:
        return "children" if child else ""
    return f"{'children' if child else 'people'} of {ages_words(*norm.ages)}"


def other_ages(norm: Norm, age_years: float | None) -> str:
    """Return whose curves a set has if a person of this age is not among them, else nothing.

    A set gives the ages of its people, or its source has the word ``children``.

    Parameters
    ----------
    norm : Norm
    age_years : float or None
        Without an age or a set that tells, nothing is returned.

    Examples
    --------
    >>> from gaitdyn.types.norms import Norm
    >>> own = Norm("own.csv", "own laboratory", "", (), ages=(20.0, 45.0))
    >>> other_ages(own, 8.0), other_ages(own, 45.0)
    ('people of 20 to 45 years', '')
    """
    ages, child = norm.ages, "children" in norm.source.lower()
    if age_years is None or not (ages or child):
        return ""
    low, high = ages or (0.0, ADULT_YEARS - 1.0)
    if low <= age_years < high + 1.0:
        return ""
    if child and age_years >= ADULT_YEARS:
        return "children"
    return f"people of {ages_words(low, high)}"
