"""Combine words (concept, qualifier, number) into a landmark, by a table of rules."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import pairwise

from gaitdyn.io.shipped import shipped_cells
from gaitdyn.types.frozen import frozen

Codes = dict[str, float]


@frozen()
class WordRule:
    """One row: one word of each group must be present, and none of ``unless``.

    Attributes
    ----------
    groups : tuple of frozenset
    unless : frozenset
    codes : dict
        Landmark code -> share.
    """

    groups: tuple[frozenset[str], ...]
    unless: frozenset[str]
    codes: Codes

    def holds(self, words: frozenset[str]) -> bool:
        """Return whether the rule applies to a set of words."""
        return not self.unless & words and all(group & words for group in self.groups)


@cache
def rules() -> tuple[WordRule, ...]:
    """Return the rules in order; the first that applies decides."""
    table: list[WordRule] = []
    for wanted, unless, codes in shipped_cells("landmarks/concepts.csv")[1:]:
        groups = tuple(frozenset(group.split("|")) for group in wanted.split())
        shares = (pair.split(":") for pair in codes.split())
        table.append(
            WordRule(groups, frozenset(unless.split("|")), {code: float(x) for code, x in shares})
        )
    return tuple(table)


def landmark_of(meanings: tuple[str, ...]) -> Codes:
    """Return landmark code -> share for the meanings of one label; empty if they form none.

    A knee or an ankle without a qualifier is its lateral marker. Five before a foot is the fifth
    ray, behind it the fifth marker of several.

    Examples
    --------
    >>> landmark_of(("MEDIAL", "ANKLE")), landmark_of(("TOE", "N5"))
    ({'ANM': 1.0}, {'MT5H': 1.0})
    >>> landmark_of(("N5", "FOOT")), landmark_of(("FOOT", "N5"))
    ({'MT5H': 1.0}, {'FTX': 1.0})
    """
    ray = {"METATARSAL"} if ("N5", "FOOT") in pairwise(meanings) else set[str]()
    return dict(_codes_of(frozenset(meanings) | ray))


@lru_cache(maxsize=4096)
def _codes_of(words: frozenset[str]) -> Codes:
    """Return the codes of the first rule that applies; a laboratory uses few words."""
    return next((rule.codes for rule in rules() if rule.holds(words)), {})
