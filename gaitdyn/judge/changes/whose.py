"""Whether two visits are of one person, from pseudonyms, names, height and body mass."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from statistics import fmean
from typing import Literal, NamedTuple

from gaitdyn.judge.doubt import Doubt
from gaitdyn.store.persons import names_differ, stated_id, why_two_persons
from gaitdyn.store.stored import StoredTrial
from gaitdyn.store.visit import one_visit
from gaitdyn.types.frozen import frozen
from gaitdyn.types.words import measure_words

ADULT_YEARS = 18.0
"""Age from which nobody is expected to grow."""

GROWTH_M_A_YEAR = 0.12
"""97 of a hundred boys grow by at most 11.9 cm per year at 13.5 years, the age of fastest growth
(Tanner and Davies 1985, J Pediatr 107:317-329, height velocity by age)."""

_YEAR_DAYS = 365.25
_NAMES = "SUBJECTS:NAMES name two people"
_ONE_VISIT = "trials"
"""What is compared if it is of one visit."""


class Limit(NamedTuple):
    """The largest plausible change of a measure of an adult between two visits, and why."""

    key: str
    share: float
    decides: bool
    """Whether a larger change means two people; otherwise the report asks."""
    reason: str


LIMITS = (
    Limit(
        "mass_kg", 0.25, False,
        "an operation for obesity takes a quarter within a year, so a change of mass is only asked"
        " about",
    ),
    Limit(
        "height_m", 0.03, True,
        "5 cm of an adult: shoes and the time of day make 2 cm each, and nobody grows smaller",
    ),
)  # fmt: skip


class _Visit(NamedTuple):
    """Measures of a person at a visit; None if not known."""

    height_m: float | None
    mass_kg: float | None
    age_years: float | None
    date: date | None


@frozen()
class PersonCheck:
    """Whether two groups of trials are of one person.

    Attributes
    ----------
    differences : str
        Their differences, without names; empty if there are none.
    two : bool
        Whether they are of two people; otherwise it is a question.
    named : bool
        Whether a pseudonym cannot settle it: both are given, or it is one visit.
    of : str
        What is compared.
    """

    differences: str = ""
    two: bool = False
    named: bool = False
    of: str = "sessions"

    @property
    def apart(self) -> bool:
        """Whether they are two people of one visit, whom nobody asked to set side by side."""
        return self.two and self.of == _ONE_VISIT

    @property
    def between(self) -> Literal["session", "condition"]:
        """Whether sessions are compared, or conditions of one visit: neither of them is later."""
        return "condition" if self.of == _ONE_VISIT else "session"

    @property
    def doubts(self) -> list[Doubt]:
        """The doubt for the verdict on a change."""
        if not self.differences:
            return []
        word = "two people" if self.two else "perhaps two people"
        return [Doubt(f"{word}: {self.differences}", refuses=self.two)]

    @property
    def sentence(self) -> str:
        """The sentence above everything else; empty without a difference."""
        if not self.differences:
            return ""
        same = "" if self.named else "; if it is one person, give both the same id (subject.toml)"
        if self.two:
            return (
                f"These {self.of} are of two people ({self.differences}): no change is judged{same}"
            )
        return f"Is this one person ({self.differences})? No change is called clear{same}"


def check_persons(
    before: Sequence[StoredTrial], after: Sequence[StoredTrial], *, one_visit: bool = False
) -> PersonCheck:
    """Return whether two groups of trials are of one person.

    A group of several people is of no one person. Two pseudonyms mean two people, and so do two
    names. Without pseudonyms, height and mass may
    differ by as much as one adult can change, or a child by growth, as far as ages or dates of the
    visits allow.

    Parameters
    ----------
    before, after : sequence of StoredTrial
    one_visit : bool
        Whether both are of one visit, in which nobody grows.
    """
    if one_visit:
        differences = why_two_persons([*before, *after])
        return PersonCheck(differences, two=bool(differences), named=True, of=_ONE_VISIT)
    several = [
        f"the {word} one itself is of several, {why}"
        for word, trials in (("first", before), ("second", after))
        if (why := why_two_persons(trials))
    ]
    if several:
        return PersonCheck(" and ".join(several), two=True, named=True)
    ids = [
        sorted({i for t in trials if (i := stated_id(t.document))}) for trials in (before, after)
    ]
    if all(ids) and ids[0] != ids[1]:
        return PersonCheck(" and ".join("/".join(i) for i in ids), two=True, named=True)
    names = any(names_differ([a.document, b.document]) for a in before for b in after)
    if all(ids):
        return PersonCheck(f"{_NAMES}, but their id is the same" if names else "", named=True)
    visits = _visit(before), _visit(after)
    beyond = [(limit, two) for limit in LIMITS if (two := _beyond(limit, *visits)) is not None]
    words = [_NAMES] if names else []
    words += [_words(limit, *visits) for limit, _ in beyond]
    return PersonCheck(", ".join(words), two=names or any(two for _, two in beyond))


def _beyond(limit: Limit, visit: _Visit, other_visit: _Visit) -> bool | None:
    """Return True for two people, False to ask, None if the measure shows nothing."""
    first, later = (other_visit, visit) if _is_later(visit, other_visit) else (visit, other_visit)
    before, after = getattr(first, limit.key), getattr(later, limit.key)
    if not before or not after or max(before, after) <= (1 + limit.share) * min(before, after):
        return None
    if not limit.decides:
        return None if after > before and _is_child(first, later) else False
    years = _years(first, later)
    room = None if years is None else limit.share * before + GROWTH_M_A_YEAR * years
    if after < before or _is_adult(first) or (room is not None and after - before > room):
        return True
    return None if _is_child(first, later) else False


def _is_adult(visit: _Visit) -> bool:
    return visit.age_years is not None and visit.age_years >= ADULT_YEARS


def _is_child(first: _Visit, later: _Visit) -> bool:
    """Return whether a person of known age may have grown in a known time."""
    known = first.age_years is not None and _years(first, later) is not None
    return known and not _is_adult(first)


def _is_later(first: _Visit, second: _Visit) -> bool:
    """Return whether the first visit named is the later one, by date or age."""
    if first.date is not None and second.date is not None:
        return first.date > second.date
    if first.age_years is None or second.age_years is None:
        return False
    return first.age_years > second.age_years


def _years(first: _Visit, later: _Visit) -> float | None:
    """Return the longest time between two visits, years; ages are in whole years."""
    if first.date is not None and later.date is not None:
        return (later.date - first.date).days / _YEAR_DAYS
    if first.age_years is None or later.age_years is None:
        return None
    return later.age_years - first.age_years + 1.0


def _visit(trials: Sequence[StoredTrial]) -> _Visit:
    def mean(key: str) -> float | None:
        values = [float(v) for t in trials if (v := t.document["subject"].get(key))]
        return fmean(values) if values else None

    day = _date(one_visit(trials).text("date"))
    return _Visit(mean("height_m"), mean("mass_kg"), mean("age_years"), day)


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _words(limit: Limit, before: _Visit, after: _Visit) -> str:
    return " and ".join(measure_words(limit.key, getattr(v, limit.key)) for v in (before, after))
