"""The findings pictured on a first page: the most certain first, agreeing sides as one."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

import numpy as np

from gaitdyn.cycles.averages import ANGLES
from gaitdyn.judge.finding import CurveFinding, CycleStretch, half_size
from gaitdyn.statistics.against_norm import far_throughout
from gaitdyn.statistics.families import WORDS, Word
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import Band

MOST = 6
_NOT_PICTURED = ("knee axis",)
"""Families that depend on marker placement: shown in strips and tables only."""

_OVERLAP, _AS_LARGE = 0.5, 0.5
"""Two sides agree from this share of the longer stretch and of the larger size."""

_FILLING = WORDS.index("not shown")
"""This word and the next fill up the list by their size ..."""

_FILLS_SD = 1.0
"""... from here on, SD of the reference: nearer to it, nobody would call a curve abnormal."""


_LARGE_DEG, _LARGE_SD = 10.0, 1.5
"""Root mean square difference over the cycle from which an angle is large, deg, and as a multiple
of that of the people of the reference. By judgement: no verdict rests on it."""


_VISIBLE = {"deg": 0.5}
_VISIBLE_LOAD = 0.05
"""Smallest size that a list shows as more than 0: whole degrees, and loads to one decimal. Moments
of the swing phase hardly differ between people, so that a size of no meaning is outside."""


@frozen(eq=False)
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

    def is_among(self, curves: Container[tuple[str, str]]) -> bool:
        """Return whether one of its sides is among some curves, (side, curve)."""
        return any((side, self.curve) in curves for side in self.sides)

    def of(self, side: str) -> Largest:
        """Return the finding of one of its sides."""
        i = self.sides.index(side)
        return Largest((self.findings[i],), (self.places[i],))

    @property
    def size_sd(self) -> float:
        """Its largest size, SD of the reference, as a list shows it."""
        return max(abs(place.sd) for place in self.places)

    @property
    def rank(self) -> int:
        """How far down its word puts it; what only fills up a list has one rank."""
        return min(WORDS.index(self.word), _FILLING)

    @property
    def fills(self) -> bool:
        """Whether it is far enough out to be listed, whatever its word."""
        return self.rank < _FILLING or self.size_sd >= _FILLS_SD

    @property
    def spans(self) -> tuple[tuple[float, float], ...]:
        """The stretch of each side, %; of a point, where half its size is reached."""
        return tuple(
            half_size(finding.difference, round(place.peak_at), finding.limit)
            if place.start == place.end else (place.start, place.end)
            for finding, place in zip(self.findings, self.places, strict=True)
        )  # fmt: skip

    @property
    def first(self) -> int:
        """The index of the finding that goes farther."""
        return int(np.argmax([finding.relative for finding in self.findings]))


def largest_findings(
    findings: Iterable[CurveFinding],
    most: int = MOST,
    doubted: Container[tuple[str, str]] = (),
    lasting: Container[tuple[str, str]] = (),
) -> tuple[Largest, ...]:
    """Return the findings that a first page pictures: by certainty, then by kind, then by size.

    Angles come before moments and these before powers, whose spread between laboratories is not
    known and between people is tiny in swing. Findings that are not shown, or have too few strides
    for a verdict, fill up the list under their own word if they are 1 SD out; angles that are large
    over the whole cycle follow those that are possible. Doubted curves come last under their word.

    Parameters
    ----------
    findings : iterable of CurveFinding
        Against a reference set.
    most : int
    doubted : container of (side, curve)
        Curves that may reflect a marker more than the person.
    lasting : container of (side, curve)
        Those of :func:`large_throughout`.
    """
    curves: dict[tuple[str, Word], list[tuple[CurveFinding, CycleStretch]]] = {}
    for finding in findings:
        place = finding.farthest
        if place is None or abs(place.difference) < _VISIBLE.get(finding.unit, _VISIBLE_LOAD):
            continue
        if finding.word == "clear" or _pictured(finding):
            curves.setdefault((finding.curve, finding.word), []).append((finding, place))
    largest = [item for pairs in curves.values() for item in _joined(pairs)]

    def rank(item: Largest) -> tuple[int, bool, int, bool, float]:
        is_doubted, lasts = (item.is_among(those) for those in (doubted, lasting))
        place = min(item.rank, WORDS.index("possible")) if lasts else item.rank
        return place, is_doubted, item.findings[0].kind, place < item.rank, -item.size_sd

    ranked = sorted(largest, key=rank)
    return tuple(item for item in ranked if item.fills)[:most]


def set_aside(
    largest: Sequence[Largest], doubted: Container[tuple[str, str]]
) -> tuple[Largest, ...]:
    """Return the doubted findings of a list that stand below smaller ones of their rank.

    Parameters
    ----------
    largest : sequence of Largest
        Of :func:`largest_findings`.
    doubted : container of (side, curve)
    """
    return tuple(
        item
        for i, item in enumerate(largest)
        if item.is_among(doubted)
        and any(one.rank == item.rank and one.size_sd < item.size_sd for one in largest[:i])
    )


def sustained_findings(
    findings: Iterable[CurveFinding], bands: Mapping[str, Band], doubted: Container[tuple[str, str]]
) -> tuple[Largest, ...]:
    """Return the angles of the gait profile that are not shown but far out over the whole cycle.

    So far out is at most 1 of 20 people of the set, see :func:`far_throughout`. A verdict is on the
    farthest point of the curve instead, and allows for other laboratories, so that it passes over a
    knee that is flexed by 14 deg all the time.

    Parameters
    ----------
    findings : iterable of CurveFinding
        Against a reference set.
    bands : mapping
        Internal name -> the reference at this speed.
    doubted : container of (side, curve)
        Curves that may reflect a marker more than the person; they are left out.
    """

    def far(finding: CurveFinding) -> bool:
        band = bands[finding.curve]
        return far_throughout(finding.difference, _sd(band), band.count)

    not_shown = (f for f in _angles(findings, doubted) if f.word == "not shown")
    return largest_findings([finding for finding in not_shown if far(finding)])


def large_throughout(
    findings: Iterable[CurveFinding], bands: Mapping[str, Band], doubted: Container[tuple[str, str]]
) -> set[tuple[str, str]]:
    """Return (side, curve) of the angles of the gait profile that are large over the whole cycle.

    Large is a root mean square difference of 10 deg and of 1.5 SD, or as much as
    :func:`sustained_findings` asks for. It decides on the order of a list alone, so that it holds
    for a curve with too few strides for a verdict, too.

    Parameters
    ----------
    findings, bands, doubted
        As for :func:`sustained_findings`.
    """
    large: set[tuple[str, str]] = set()
    for finding in _angles(findings, doubted):
        if finding.curve not in bands or not np.isfinite(finding.difference).all():
            continue
        band, size = bands[finding.curve], float(np.sqrt(np.mean(finding.difference**2)))
        sd = _sd(band)
        enough = size >= max(_LARGE_DEG, _LARGE_SD * float(np.sqrt(np.mean(sd**2))))
        if enough or far_throughout(finding.difference, sd, band.count):
            large.add((finding.side, finding.curve))
    return large


def _angles(
    findings: Iterable[CurveFinding], doubted: Container[tuple[str, str]]
) -> list[CurveFinding]:
    """Return the findings on angles of the gait profile that no knee axis puts in doubt."""
    return [f for f in findings if f.curve in ANGLES and (f.side, f.curve) not in doubted]


def _sd(band: Band) -> Array:
    """Return the SD between the people of a reference at 0, 1, ... 100 %."""
    return np.interp(np.arange(101.0), band.percent, band.sd)


def _pictured(finding: CurveFinding) -> bool:
    """Return whether a curve that is not clear is pictured: a joint's, with a known error."""
    if finding.family in _NOT_PICTURED or finding.curve.startswith("grf_"):
        return False
    return finding.word != "not judged" or finding.family != "powers"


def _joined(pairs: Sequence[tuple[CurveFinding, CycleStretch]]) -> list[Largest]:
    both = Largest(*(tuple(part) for part in zip(*pairs, strict=True)))
    if len(pairs) == 2 and _alike(both):  # noqa: PLR2004  both sides
        return [both]
    return [Largest((finding,), (place,)) for finding, place in pairs]


def _alike(both: Largest) -> bool:
    """Return whether two sides differ alike in the same part of the cycle."""
    left, right = (place.difference for place in both.places)
    if left * right <= 0 or min(abs(left), abs(right)) < _AS_LARGE * max(abs(left), abs(right)):
        return False
    starts, ends = zip(*both.spans, strict=True)
    longer = max(end - start for start, end in both.spans)
    return min(ends) - max(starts) >= _OVERLAP * longer
