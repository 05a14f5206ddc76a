"""Reference curves of healthy walkers, in the names of ``cycles.csv``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from gaitdyn.types.arrays import Array

FEWEST_PEOPLE = 10
"""People of a reference set below which nothing is judged against it."""

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
    """

    percent: Array
    mean: Array
    sd: Array
    unit: str
    roughness: float | None = None
    limit: Array | None = None


@dataclass(frozen=True, slots=True, eq=False)
class NormGroup:
    """One group of a norm, such as a speed.

    Attributes
    ----------
    name : str
    speed : float or None
        Mean v / sqrt(g L) of the group, L the leg length.
    count : int or None
        People (or limbs) in it.
    bands : dict
        Name of a curve as in ``cycles.csv`` without the side -> Band.
    """

    name: str
    speed: float | None
    count: int | None
    bands: dict[str, Band]


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
    count : int or None
        Smallest number of people of the groups that were used.
    bands : dict
        As in :class:`NormGroup`.
    group : str
        The group that was taken; empty between two.
    """

    norm: Norm
    note: str
    count: int | None
    bands: dict[str, Band]
    group: str = ""
