"""The last column of a table of numbers: those of a reference set, or the published ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.judge.way import not_ahead
from gaitdyn.metrics.healthy import PACE, free_pace, reference_facts
from gaitdyn.metrics.norms.ages import ages_words
from gaitdyn.report.first_screen.walk_norms import range_words
from gaitdyn.report.groups import Group
from gaitdyn.report.numbers import plus_minus
from gaitdyn.report.tables.lines import TableLine, digits_of
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import MatchedNorm, people_told

PUBLISHED = "Children, free speed"
OWN = "Own controls"
_SOURCE = (
    "Children, free speed: mean \u00b1 SD of the 82 of 83 children of 4 to 17 years (Schwartz 2008)"
    " who walked at that speed; not matched to the speed of this walk, and nothing is judged by it:"
    " the norms of the first part judge; their largest hip extension moment includes the impact at"
    " 2 %."
)


@cache
def _facts() -> dict[str, str]:
    return {
        fact.quantity: f"{fact.value:g}".replace("-", "\u2212")
        if fact.sd is None
        else plus_minus(fact.value, fact.sd, digits_of(fact.unit))
        for fact in reference_facts()
    } | {PACE: range_words(free_pace(), digits_of(""))}


@frozen()
class ReferenceColumn:
    """The last column of a table: its head, the texts by quantity, and a note."""

    head: str
    texts: dict[str, str]
    note: str


def reference_column(
    group: Group, matched: MatchedNorm | None, lines: Sequence[TableLine]
) -> ReferenceColumn:
    """Return the numbers of a reference set if it has any of these, or the published ones.

    All are of walks forward; another walk has none.

    Parameters
    ----------
    group : Group
    matched : MatchedNorm or None
    lines : sequence of TableLine
        The rows of the table.
    """
    if why := not_ahead(group.trials):
        return ReferenceColumn(PUBLISHED, {}, f"{why[0].upper()}{why[1:]}.")
    named = [(line, internal_name(line.name)) for line in lines]
    numbers = {} if matched is None else matched.numbers
    shown = {name: numbers[name] for _, name in named if name in numbers}
    if matched is None or not shown:
        texts = {line.name: _facts().get(name, "") for line, name in named}
        return ReferenceColumn(PUBLISHED, texts, _SOURCE)
    head = OWN if matched.norm.in_house else matched.norm.name
    texts = {
        line.name: plus_minus(n.mean, n.sd, line.digits)
        for line, name in named
        if (n := shown.get(name))
    }
    people = people_told(shown)
    ages = "" if matched.norm.ages is None else f" of {ages_words(*matched.norm.ages)}"
    note = (
        f"{head}: mean \u00b1 SD of a leg of {people or 'an unknown number of'} people{ages} in"
        f" {matched.norm.name}; {matched.note}."
    )
    return ReferenceColumn(head, texts, note)
