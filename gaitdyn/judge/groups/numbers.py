"""Gait parameters and peaks: the differences of two groups of people."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import fields, replace
from statistics import fmean

import numpy as np

from gaitdyn.judge.changes.number_errors import NumberError
from gaitdyn.judge.session import SessionWalk
from gaitdyn.judge.stride_numbers import NumberName, numbers_of, told_name
from gaitdyn.statistics.families import holm_within
from gaitdyn.statistics.people import FEWEST, judge_means
from gaitdyn.tables.csv_files import csv_text, texts_of
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen


@frozen()
class NumberDifference:
    """One number of two groups of people, second less first.

    Attributes
    ----------
    quantity, unit : str
        As in ``gait_parameters.csv`` and ``peaks.csv``; moments of trials in both conventions have
        the words of the internal one.
    people_first, people_second : int
    mean_first, sd_first, mean_second, sd_second : float
        Of the people (n - 1).
    difference, low, high : float
        Of the means, and its 95 % interval.
    nu, p, p_holm : float
        Degrees of freedom; p alone and among the numbers of its table.
    """

    quantity: str
    unit: str
    people_first: int
    people_second: int
    mean_first: float
    sd_first: float
    mean_second: float
    sd_second: float
    difference: float
    low: float
    high: float
    nu: float
    p: float
    p_holm: float


def number_differences(
    first: Mapping[str, SessionWalk], second: Mapping[str, SessionWalk], *, paired: bool,
    without: Container[str],
) -> list[NumberDifference]:  # fmt: skip
    """Return the differences of the numbers of two groups that five people of each have.

    Parameters
    ----------
    first, second : mapping
        Pseudonym -> walk; the same people if paired. A person counts once, as the mean of the legs;
        of pairs the legs that have the number in both.
    paired : bool
    without : container of str
        As for :func:`numbers_of`.
    """
    groups = [
        {person: numbers_of(walk, without) for person, walk in walks.items()}
        for walks in (first, second)
    ]
    tested: list[tuple[NumberName, NumberDifference]] = []
    for name in dict.fromkeys(name for group in groups for own in group.values() for name in own):
        legs = [
            {
                (person, side): fmean(strides)
                for person, own in group.items()
                for side, strides in own.get(name, {}).items()
            }
            for group in groups
        ]
        keys = [legs[0].keys() & legs[1].keys()] * 2 if paired else [leg.keys() for leg in legs]
        values = [_of_people(leg, sorted(own)) for leg, own in zip(legs, keys, strict=True)]
        if min(map(len, values)) >= FEWEST:
            tested.append((name, _difference(name, values[0], values[1], paired=paired)))
    walks = [walk for group in (first, second) for walk in group.values()]
    tested = [(name, replace(d, quantity=told_name(d.quantity, walks))) for name, d in tested]
    adjusted = holm_within([name.table for name, _ in tested], [d.p for _, d in tested])
    return [replace(one, p_holm=p_holm) for (_, one), p_holm in zip(tested, adjusted, strict=True)]


def _of_people(legs: Mapping[tuple[str, str], float], keys: Iterable[tuple[str, str]]) -> Array:
    """Return one number per person, the mean of some legs."""
    people: dict[str, list[float]] = {}
    for person, side in keys:
        people.setdefault(person, []).append(legs[person, side])
    return np.array([fmean(own) for own in people.values()])


def _difference(name: NumberName, first: Array, second: Array, *, paired: bool) -> NumberDifference:
    test = judge_means(first, second, paired=paired)
    return NumberDifference(
        name.quantity, name.unit, len(first), len(second),
        float(first.mean()), float(first.std(ddof=1)),
        float(second.mean()), float(second.std(ddof=1)),
        test.difference, test.low, test.high, test.nu, test.p, np.nan,
    )  # fmt: skip


def number_text(
    kind: type[NumberDifference | NumberError],
    rows: Iterable[NumberDifference] | Iterable[NumberError],
) -> str:
    """Return differences or errors as CSV, one line each."""
    names = [field.name for field in fields(kind)]
    return csv_text(names, texts_of([getattr(row, name) for name in names] for row in rows))
