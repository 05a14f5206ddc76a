"""Tests of people, with one curve per person: of two groups, and of two conditions."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gaitdyn.errors import ArrayShapeError
from gaitdyn.statistics.threshold import (
    ALPHA,
    curve_chance,
    point_chance,
    roughness,
    simultaneous_threshold,
)
from gaitdyn.statistics.variance import joint_freedom
from gaitdyn.types.arrays import Array, Mask, real_array
from gaitdyn.types.frozen import frozen

_ROUNDING = 1e-12
"""Part of the values that rounding alone may make them differ by."""

FEWEST = 5
"""Smallest group: with fewer people the roughness of the curves is not known well enough."""


@frozen(eq=False)
class GroupTest:
    """The difference of two groups or conditions, second less first.

    Attributes
    ----------
    difference, limit : array, shape (k,)
        Of the means, and the smallest detectable |difference|; NaN where none is tested.
    sd : array, shape (k,)
        Between people, pooled over both groups; of pairs, of their differences.
    p, threshold, nu, roughness : float
    """

    difference: Array
    limit: Array
    sd: Array
    p: float
    threshold: float
    nu: float
    roughness: float

    @property
    def beyond(self) -> Mask:
        """Where the groups differ, shape (k,)."""
        return np.abs(self.difference) > self.limit


def judge_people(first: Array, second: Array, tested: Mask | None = None) -> GroupTest:
    """Test where two groups of people differ.

    ``T = d / sqrt(s_1^2 / n_1 + s_2^2 / n_2)`` with the variances between people of each group
    (Welch 1947, Biometrika 34:28-35), degrees of freedom after Satterthwaite from the means over
    the cycle, and the roughness of all people's residuals.

    Parameters
    ----------
    first, second : array, shapes (n_1, k) and (n_2, k)
        One curve per person, five people or more each.
    tested : array of bool, shape (k,), optional
        Where the curves are tested; everywhere by default.

    Raises
    ------
    ArrayShapeError
        For fewer people, or curves that do not vary.
    """
    first, second = real_array("first", first), real_array("second", second)
    if min(len(first), len(second)) < FEWEST:
        message = f"found {len(first)} and {len(second)} people, wanted {FEWEST} or more each"
        raise ArrayShapeError(message)
    parts = [group.var(axis=0, ddof=1) / len(group) for group in (first, second)]
    error = np.sqrt(parts[0] + parts[1])
    points = _points(tested, len(error))
    if not points.any() or not (error[points] > 0).all():
        message = "found curves that do not vary between people, wanted different people"
        raise ArrayShapeError(message)
    nu = joint_freedom(
        [(float(p.mean()), len(g) - 1.0) for p, g in zip(parts, (first, second), strict=True)]
    )
    residuals = np.concatenate((first - first.mean(axis=0), second - second.mean(axis=0)))
    difference = second.mean(axis=0) - first.mean(axis=0)
    sd = np.sqrt(np.sum(residuals**2, axis=0) / (len(residuals) - 2))
    return _tested(difference, error, sd, residuals, nu, points)


def judge_pairs(first: Array, second: Array, tested: Mask | None = None) -> GroupTest:
    """Test where the same people differ between two conditions.

    Student's t of the differences, ``T = d / (s_d / sqrt(n))`` with n - 1 degrees of freedom, and
    the roughness of their residuals.

    Parameters
    ----------
    first, second : array, shape (n, k)
        One curve per person, five people or more, in the same order.
    tested : array of bool, shape (k,), optional
        Where the curves are tested; everywhere by default.

    Raises
    ------
    ArrayShapeError
        For fewer people, arrays of two shapes, or differences that do not vary.
    """
    first, second = real_array("first", first), real_array("second", second)
    if first.shape != second.shape or len(first) < FEWEST:
        message = f"found {first.shape} and {second.shape}, wanted (n, k) twice, n {FEWEST} or more"
        raise ArrayShapeError(message)
    change = second - first
    sd = change.std(axis=0, ddof=1)
    points = _points(tested, len(sd))
    if not points.any() or not (sd[points] > 0).all():
        message = "found differences that are equal for all people, wanted two conditions"
        raise ArrayShapeError(message)
    difference, error = change.mean(axis=0), sd / np.sqrt(len(change))
    return _tested(difference, error, sd, change - difference, len(change) - 1.0, points)


class MeanTest(NamedTuple):
    """The difference of two means, second minus first, with its 95 % interval.

    All but the difference are NaN if nobody differs from the others: nothing tells then by how much
    the means of other people would differ.
    """

    difference: float
    low: float
    high: float
    nu: float
    p: float


def judge_means(first: Array, second: Array, *, paired: bool = False) -> MeanTest:
    """Test whether two groups, or the same people in two conditions, differ in one number.

    Welch's t with the degrees of freedom of Satterthwaite; of pairs Student's t.

    Parameters
    ----------
    first, second : array, shapes (n_1,) and (n_2,)
        One value per person, two people or more each; in the same order if paired.
    paired : bool

    Examples
    --------
    >>> test = judge_means(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 9.0]))
    >>> round(test.difference, 6), round(test.nu, 3), round(test.p, 3)
    (4.0, 2.56, 0.106)
    """
    from scipy.special import stdtrit  # reading a norm does not need it

    samples = [second - first] if paired else [first, second]
    parts = [(float(s.var(ddof=1)) / len(s), len(s) - 1.0) for s in samples]
    nu, error = joint_freedom(parts), math.sqrt(sum(variance for variance, _ in parts))
    difference = float(second.mean() - first.mean())
    if error <= _ROUNDING * max(float(np.abs(s).max()) for s in (first, second)):
        return MeanTest(difference, math.nan, math.nan, math.nan, math.nan)
    reach = float(stdtrit(nu, 1 - ALPHA / 2)) * error
    p = point_chance(difference / error, nu)
    return MeanTest(difference, difference - reach, difference + reach, nu, p)


def _points(tested: Mask | None, count: int) -> Mask:
    return np.ones(count, dtype=bool) if tested is None else tested


def _tested(
    difference: Array, error: Array, sd: Array, residuals: Array, nu: float, points: Mask
) -> GroupTest:
    rough = roughness(residuals[:, points])
    k = simultaneous_threshold(rough, nu)
    largest = float(np.max(np.abs(difference[points]) / error[points]))
    limit = np.where(points, k * error, np.nan)
    return GroupTest(difference, limit, sd, curve_chance(largest, rough, nu), k, nu, rough)
