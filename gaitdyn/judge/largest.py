"""The findings that a first page pictures: the surest first, both sides as one where they agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.judge.finding import CurveFinding, CycleStretch
from gaitdyn.statistics.families import WORDS

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from gaitdyn.statistics.families import Word

MOST = 6
_ASIDE = ("knee axis",)
"""Families that follow the placement of markers: told in strips and tables."""

_OVERLAP, _NEAR = 0.5, 10.0
"""Share of the shorter stretch, and % between two points, at which two sides say the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Largest:
    """One thing to say: a curve of one side, or of both.

    Attributes
    ----------
    findings : tuple of CurveFinding
        Left first.
    places : tuple of CycleStretch
        Where each side is farthest out.
    """

    findings: tuple[CurveFinding, ...]
    places: tuple[CycleStretch, ...]

    @property
    def word(self) -> Word:
        """Of both."""
        return self.findings[0].word

    @property
    def curve(self) -> str:
        """Under its internal name."""
        return self.findings[0].curve

    @property
    def sides(self) -> tuple[str, ...]:
        """Left first."""
        return tuple(one.side for one in self.findings)

    @property
    def relative(self) -> float:
        """How far it goes beyond what chance makes."""
        return max(one.relative for one in self.findings)

    @property
    def first(self) -> int:
        """Which of them goes farther."""
        return int(np.argmax([one.relative for one in self.findings]))


def largest_findings(
    findings: Iterable[CurveFinding],
    most: int = MOST,
    doubted: Container[tuple[str, str]] = (),
) -> tuple[Largest, ...]:
    """Return what a first page pictures, by certainty, then by size against what chance makes.

    What is not shown, or has too few strides for a verdict, fills the list up under its own word.
    What is doubted comes last under its word.

    Parameters
    ----------
    findings : iterable of CurveFinding
        Against a reference set.
    most : int
    doubted : container of (side, curve)
        Curves that may say more about a marker than about the person.
    """
    own: dict[tuple[str, Word], list[tuple[CurveFinding, CycleStretch]]] = {}
    for one in findings:
        place = one.farthest
        if place is not None and (one.word == "clear" or _pictured(one)):
            own.setdefault((one.curve, one.word), []).append((one, place))
    found = [told for pairs in own.values() for told in _joined(pairs)]
    sure = len(WORDS) - 2  # what is not shown and what is not judged fill up by their size

    def place_of(told: Largest) -> tuple[int, bool, float]:
        aside = any((side, told.curve) in doubted for side in told.sides)
        return min(WORDS.index(told.word), sure), aside, -told.relative

    found.sort(key=place_of)
    return tuple(found[:most])


def _pictured(one: CurveFinding) -> bool:
    """Return whether a curve is pictured that is not clear: joints, of known error."""
    if one.family in _ASIDE or one.curve.startswith("grf_"):
        return False
    return one.word != "not judged" or one.family != "powers"


def _joined(pairs: Sequence[tuple[CurveFinding, CycleStretch]]) -> list[Largest]:
    if len(pairs) == 2 and _alike(pairs[0][1], pairs[1][1]):  # noqa: PLR2004  both sides
        return [Largest(*(tuple(part) for part in zip(*pairs, strict=True)))]
    return [Largest((one,), (place,)) for one, place in pairs]


def _alike(left: CycleStretch, right: CycleStretch) -> bool:
    """Return whether two sides differ to the same side in the same part of the cycle."""
    if left.difference * right.difference <= 0:
        return False
    shorter = min(left.end - left.start, right.end - right.start)
    if shorter == 0:
        return abs(left.peak_at - right.peak_at) <= _NEAR
    both = min(left.end, right.end) - max(left.start, right.start)
    return both >= _OVERLAP * shorter
