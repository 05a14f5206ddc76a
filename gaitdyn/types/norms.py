"""Reference curves of healthy walkers, in the names of ``cycles.csv``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from gaitdyn.types.arrays import Array

if TYPE_CHECKING:
    from collections.abc import Mapping

FEWEST_PEOPLE = 10
"""People that a curve of a reference set is of; below, nothing is judged against it."""

PeoplesCurves: TypeAlias = dict[tuple[str, str, str], Array]
"""(group, curve, side) -> curves of the people, shape (n, 101)."""


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """Mean and standard deviation of one curve over the cycle.

    Attributes
    ----------
    percent, mean, sd : arrays, shape (k,)
        % of the cycle; ``mean`` and ``sd`` in ``unit``.
    unit : str
        As in ``cycles.csv``: deg, N m/kg, W/kg, N/kg.
    roughness : float or None
        L of the people's curves, see :mod:`gaitdyn.statistics`; None where it is not told.
    limit : array, shape (101,), or None
        How far from the mean the curves of 95 % of healthy walkers stay everywhere, at 0, 1, ...
        100 %; NaN where, and None if, that is not judged.
    count : int or None
        People (or limbs) that the curve is of, where the set tells it.
    """

    percent: Array
    mean: Array
    sd: Array
    unit: str
    roughness: float | None = None
    limit: Array | None = None
    count: int | None = None


def fewest_people(bands: Mapping[str, Band]) -> int | None:
    """Return how many people the curve that fewest have is of; None where one does not tell it."""
    counts = _counts(bands)
    return min(counts) if counts else None


def people_told(bands: Mapping[str, Band]) -> str:
    """Return how many people bands are of, such as ``10`` or ``9 to 10``; empty if not told."""
    counts = sorted(set(_counts(bands)))
    return " to ".join(str(count) for count in (counts[:1] + counts[1:][-1:]))


def _counts(bands: Mapping[str, Band]) -> list[int]:
    """Return the number of each curve; none where one does not tell it."""
    counts = [band.count for band in bands.values() if band.count is not None]
    return counts if len(counts) == len(bands) else []


@dataclass(frozen=True, slots=True, eq=False)
class NormGroup:
    """One group of a norm, such as a speed.

    Attributes
    ----------
    name : str
    speed : float or None
        Mean v / sqrt(g L) of the group, L the leg length.
    bands : dict
        Name of a curve as in ``cycles.csv`` without the side -> Band.
    """

    name: str
    speed: float | None
    bands: dict[str, Band]

    @property
    def count(self) -> int | None:
        """People of the curve that fewest have."""
        return fewest_people(self.bands)


@dataclass(frozen=True, slots=True, eq=False)
class Norm:
    """A reference set.

    Attributes
    ----------
    name : str
        Of the file.
    source : str
        Where the numbers are from, for the reader of a report.
    sha256 : str
    groups : tuple of NormGroup
        Groups with a speed in rising order.
    own : bool
        Whether it was built from this laboratory's own results.
    people : dict
        (group, curve, side) -> curves of the people, shape (n, 101), where they were kept.
    models : tuple of str
        Marker models of the people, where the set tells them.
    """

    name: str
    source: str
    sha256: str
    groups: tuple[NormGroup, ...]
    own: bool = False
    people: PeoplesCurves = field(default_factory=dict[tuple[str, str, str], Array])
    models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class MatchedNorm:
    """The bands of a norm for one walking speed.

    Attributes
    ----------
    norm : Norm
    note : str
        What was done: interpolated between two groups, clamped to one, or not matched.
    bands : dict
        As in :class:`NormGroup`.
    group : str
        The group that was taken; empty between two.
    """

    norm: Norm
    note: str
    bands: dict[str, Band]
    group: str = ""

    @property
    def count(self) -> int | None:
        """People of the curve that fewest have, of the groups that were used."""
        return fewest_people(self.bands)
