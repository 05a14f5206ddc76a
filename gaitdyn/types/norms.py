"""Reference curves of healthy walkers, in the names of ``cycles.csv``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

FEWEST_PEOPLE = 10
"""Fewest people for a reference curve that other curves are judged against."""

ASSUMED_PEOPLE = 20
"""Assumed number of people of a reference set that does not state it."""

DISTAL = "distal"
"""The axes of the moments of a set that names no others."""

PeoplesCurves: TypeAlias = dict[tuple[str, str, str], Array]
"""(group, curve, side) -> curves of the people, shape (n, 101)."""


@frozen(eq=False)
class Band:
    """Mean and standard deviation of one curve over the cycle.

    Attributes
    ----------
    percent, mean, sd : arrays, shape (k,)
        % of the cycle; ``mean`` and ``sd`` in ``unit``.
    unit : str
        As in ``cycles.csv``: deg, N m/kg, W/kg, N/kg.
    roughness : float or None
        L of the people's curves, see :mod:`gaitdyn.statistics`; None if it is not given.
    limit : array, shape (101,), or None
        Distance from the mean within which the curves of 95 % of healthy walkers stay everywhere,
        at 0, 1, ... 100 %; NaN at points that are not judged, None if none is.
    count : int or None
        Number of people (or limbs) behind the curve, if the set gives it.
    """

    percent: Array
    mean: Array
    sd: Array
    unit: str
    roughness: float | None = None
    limit: Array | None = None
    count: int | None = None


@frozen()
class NormNumber:
    """Mean and standard deviation of one gait parameter or peak of a leg.

    Attributes
    ----------
    mean, sd : float
    unit : str
        As in ``gait_parameters.csv`` and ``peaks.csv``.
    count : int or None
        Number of people, if the set gives it.
    """

    mean: float
    sd: float
    unit: str
    count: int | None = None


def fewest_people(bands: Mapping[str, Band | NormNumber]) -> int | None:
    """Return the smallest number of people behind a curve; None if a curve does not give it."""
    counts = _counts(bands)
    return min(counts) if counts else None


def people_told(bands: Mapping[str, Band | NormNumber]) -> str:
    """Return the number of people behind bands, such as ``10`` or ``9 to 10``; empty if unknown."""
    counts = sorted(set(_counts(bands)))
    return " to ".join(str(count) for count in (counts[:1] + counts[1:][-1:]))


def _counts(bands: Mapping[str, Band | NormNumber]) -> list[int]:
    """Return the number of people behind each curve; an empty list if one does not give it."""
    counts = [band.count for band in bands.values() if band.count is not None]
    return counts if len(counts) == len(bands) else []


@frozen(eq=False)
class NormGroup:
    """One group of a norm, such as a speed.

    Attributes
    ----------
    name : str
    speed : float or None
        Mean v / sqrt(g L) of the group, L the leg length.
    bands : dict
        Name of a curve as in ``cycles.csv`` without the side -> Band.
    numbers : dict
        Name of a gait parameter or peak -> NormNumber, if the set has them.
    """

    name: str
    speed: float | None
    bands: dict[str, Band]
    numbers: dict[str, NormNumber] = field(default_factory=dict[str, NormNumber])

    @property
    def count(self) -> int | None:
        """Smallest number of people behind a curve."""
        return fewest_people(self.bands)


@frozen(eq=False)
class Norm:
    """A reference set.

    Attributes
    ----------
    name : str
        File name.
    source : str
        Source of the numbers, for the reader of a report.
    sha256 : str
    groups : tuple of NormGroup
        In order of increasing speed.
    in_house : bool
        Whether it was built from the laboratory's own results.
    people : dict
        (group, curve, side) -> curves of the people, shape (n, 101), if they were stored.
    models, conditions : tuple of str
        Marker models and conditions of the people, if the set gives them.
    moments_in : str
        Axes of the moments, as in ``--moments-in``.
    ages : (float, float) or None
        Whole years of the youngest and the oldest, if the set gives them.
    shank : str
        What the z axis of the shanks of its knee moments is aligned with; empty if it is not given.
    settings : dict
        Option with which its people were processed, ``--cutoff`` -> values, if the set gives them.
    grounds : tuple of str
        ``belt`` and ``floor``, what its people walked on, if the set says so.
    """

    name: str
    source: str
    sha256: str
    groups: tuple[NormGroup, ...]
    in_house: bool = False
    people: PeoplesCurves = field(default_factory=dict[tuple[str, str, str], Array])
    models: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    moments_in: str = DISTAL
    ages: tuple[float, float] | None = None
    shank: str = ""
    settings: dict[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])
    grounds: tuple[str, ...] = ()

    @property
    def of_schwartz(self) -> bool:
        """Whether it is the set of Schwartz et al. 2008, whose peaks and GPS are published too."""
        return not self.in_house and self.source.lower().startswith("schwartz")


@frozen(eq=False)
class MatchedNorm:
    """The bands of a norm for one walking speed.

    Attributes
    ----------
    norm : Norm
    note : str
        How it was matched: interpolated between two groups, clamped to one, or not matched.
    bands : dict
        As in :class:`NormGroup`.
    group : str
        The group that was used; empty for an interpolation.
    numbers : dict
        As in :class:`NormGroup`.
    refused : str
        Why a walk is not compared with the set at all; it then has no bands and numbers.
    unmatched : bool
        Whether the speed did not decide the group.
    """

    norm: Norm
    note: str
    bands: dict[str, Band]
    group: str = ""
    numbers: dict[str, NormNumber] = field(default_factory=dict[str, NormNumber])
    refused: str = ""
    unmatched: bool = False

    @property
    def count(self) -> int | None:
        """Smallest number of people behind a curve in the groups that were used."""
        return fewest_people(self.bands)

    @property
    def people_words(self) -> str:
        """The number of people in a caption, such as ``, n 82``, or which number is assumed.

        If it differs between the speed groups of the set, their range says so: not every person
        walked at every speed.
        """
        people = people_told(self.bands)
        groups = [n for n in (group.count for group in self.norm.groups) if n is not None]
        if not people:
            return f", n not stated ({ASSUMED_PEOPLE} assumed)" if self.bands else ""
        if len(set(groups)) < 2:  # noqa: PLR2004
            return f", n {people}"
        return (
            f", n {people} ({min(groups)} to {max(groups)} by speed: not all people walked at each)"
        )
