"""The findings pictured on a first page: the most certain first, agreeing sides as one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.judge.finding import CurveFinding, CycleStretch
from gaitdyn.statistics.families import WORDS, Word

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence


MOST = 6
_NOT_PICTURED = ("knee axis",)
"""Families that depend on marker placement: shown in strips and tables only."""

_OVERLAP, _NEAR = 0.5, 10.0
"""Two sides agree from this share of the shorter stretch, or within this distance, %."""


@dataclass(frozen=True, slots=True, eq=False)
class Largest:
    """One pictured finding: a curve of one side, or of both.

    Attributes
    ----------
    findings : tuple of CurveFinding
        Left first.
    places : tuple of CycleStretch
        The stretch where each side is farthest out.
    """

    findings: tuple[CurveFinding, ...]
    places: tuple[CycleStretch, ...]

    @property
    def word(self) -> Word:
        """The word of both sides."""
        return self.findings[0].word

    @property
    def curve(self) -> str:
        """The internal name of the curve."""
        return self.findings[0].curve

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, left first."""
        return tuple(finding.side for finding in self.findings)

    @property
    def relative(self) -> float:
        """Its largest size relative to the limit."""
        return max(finding.relative for finding in self.findings)

    @property
    def first(self) -> int:
        """The index of the finding that goes farther."""
        return int(np.argmax([finding.relative for finding in self.findings]))


def largest_findings(
    findings: Iterable[CurveFinding], most: int = MOST, doubted: Container[tuple[str, str]] = ()
) -> tuple[Largest, ...]:
    """Return the findings that a first page pictures, by certainty, then by size over the limit.

    Findings that are not shown, or have too few strides for a verdict, fill up the list under
    their own word. Doubted curves come last under their word.

    Parameters
    ----------
    findings : iterable of CurveFinding
        Against a reference set.
    most : int
    doubted : container of (side, curve)
        Curves that may reflect a marker more than the person.
    """
    curves: dict[tuple[str, Word], list[tuple[CurveFinding, CycleStretch]]] = {}
    for finding in findings:
        place = finding.farthest
        if place is not None and (finding.word == "clear" or _pictured(finding)):
            curves.setdefault((finding.curve, finding.word), []).append((finding, place))
    largest = [item for pairs in curves.values() for item in _joined(pairs)]
    filling = len(WORDS) - 2  # "not shown" and "not judged" fill up the list by their size

    def rank(item: Largest) -> tuple[int, bool, float]:
        is_doubted = any((side, item.curve) in doubted for side in item.sides)
        return min(WORDS.index(item.word), filling), is_doubted, -item.relative

    return tuple(sorted(largest, key=rank)[:most])


def _pictured(finding: CurveFinding) -> bool:
    """Return whether a curve that is not clear is pictured: a joint's, with a known error."""
    if finding.family in _NOT_PICTURED or finding.curve.startswith("grf_"):
        return False
    return finding.word != "not judged" or finding.family != "powers"


def _joined(pairs: Sequence[tuple[CurveFinding, CycleStretch]]) -> list[Largest]:
    if len(pairs) == 2 and _alike(pairs[0][1], pairs[1][1]):  # noqa: PLR2004  both sides
        return [Largest(*(tuple(part) for part in zip(*pairs, strict=True)))]
    return [Largest((finding,), (place,)) for finding, place in pairs]


def _alike(left: CycleStretch, right: CycleStretch) -> bool:
    """Return whether two sides differ in the same direction in the same part of the cycle."""
    if left.difference * right.difference <= 0:
        return False
    shorter = min(left.end - left.start, right.end - right.start)
    if shorter == 0:
        return abs(left.peak_at - right.peak_at) <= _NEAR
    overlap = min(left.end, right.end) - max(left.start, right.start)
    return overlap >= _OVERLAP * shorter
