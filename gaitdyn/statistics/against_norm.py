"""Test of a curve against a reference set: the mean of a person's strides against a norm."""

from __future__ import annotations

import numpy as np

from gaitdyn.errors import ArrayShapeError
from gaitdyn.statistics.threshold import ALPHA, curve_chance, simultaneous_threshold
from gaitdyn.statistics.variance import stride_variance, whole_strides
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import ASSUMED_PEOPLE

CYCLES_OF_A_NORM = 5
"""Assumed number of cycles behind the mean of each person of a reference set."""


@frozen()
class NormBand:
    """A reference set's values for one curve at 0, 1, ... 100 %.

    Attributes
    ----------
    mean, sd : array, shape (k,)
        Over the people, SD of a leg, in the unit of the curve.
    count : int or None
        Number of people.
    roughness : float
        L over the whole cycle.
    between_laboratories : float
        SD between laboratories, same unit; 0 for the laboratory's own controls.
    """

    mean: Array
    sd: Array
    count: int | None
    roughness: float
    between_laboratories: float = 0.0


@frozen(eq=False)
class NormTest:
    """The test of a curve against a reference set.

    Attributes
    ----------
    difference, error : array, shape (k,)
        Mean of the strides less that of the reference, and its standard error.
    t : array, shape (k,)
        Their quotient; NaN where the curve is not judged.
    threshold : float
        |t| that a healthy walker exceeds somewhere with probability alpha.
    p : float
        Probability of a largest |t| like this one in a healthy walker.
    nu, roughness : float
    """

    difference: Array
    error: Array
    t: Array
    threshold: float
    p: float
    nu: float
    roughness: float

    @property
    def beyond(self) -> Mask:
        """Where the curve leaves the band, shape (k,)."""
        return np.abs(self.t) > self.threshold


def healthy_limit(norm: NormBand, judged: Mask) -> Array:
    """Return how far the curve of a healthy walker stays from the mean everywhere.

    ``k SE(t)`` with ``SE^2 = SD^2 (1 + 1/n) + SD_lab^2``, for a walker with as many strides as the
    people of the set. One healthy walker in 20 exceeds it somewhere.

    Parameters
    ----------
    norm : NormBand
    judged : array of bool, shape (k,)
        Where the reference can be trusted.

    Returns
    -------
    array, shape (k,)
        In the unit of the curve; NaN where the reference cannot be trusted.
    """
    count = norm.count or ASSUMED_PEOPLE
    rough = norm.roughness * part_of_cycle(judged)
    k = simultaneous_threshold(rough, float(count - 1), ALPHA)
    return np.where(judged, k * np.sqrt(_variance(norm, count)), np.nan)


def far_throughout(difference: Array, sd: Array, count: int | None) -> bool:
    """Return whether a curve is far from the mean on average, although perhaps nowhere very far.

    Its root mean square difference is more than ``t sqrt(1 + 1/n)`` times that of the people, with
    the two-sided 5 % quantile of t for n - 1. If people differ by an offset, 1 in 20 is so far out;
    if they differ in shape, fewer. Laboratories are not allowed for.

    Parameters
    ----------
    difference : array, shape (k,)
        From the mean of the set, in the unit of the curve.
    sd : array, shape (k,)
        Between its people.
    count : int or None
        Number of people; 20 if it is not known.
    """
    count = count or ASSUMED_PEOPLE
    quantile = simultaneous_threshold(0.0, float(count - 1), ALPHA)
    people = quantile**2 * (1 + 1 / count) * np.mean(sd**2)
    return bool(np.mean(difference**2) > people > 0)


def _variance(norm: NormBand, count: int) -> Array:
    return norm.sd**2 * (1 + 1 / count) + norm.between_laboratories**2


def judge_against_norm(strides: Array, norm: NormBand, judged: Mask | None = None) -> NormTest:
    """Test a curve against a reference set.

    ``SE^2 = SD^2 (1 + 1/n) + s^2 max(0, 1/m - 1/5) + SD_lab^2`` with the shrunk variance s^2
    between the walker's strides; nu = n - 1. A set without n is assumed to have 20 people.

    Parameters
    ----------
    strides : array, shape (m, k)
        One curve of two or more strides of one side, known where it is judged.
    norm : NormBand
    judged : array of bool, shape (k,), optional
        Where the reference can be trusted; everywhere by default.

    Raises
    ------
    ArrayShapeError
    """
    strides = whole_strides("strides", strides, len(norm.mean), judged)
    valid, part = (True, 1.0) if judged is None else (judged, part_of_cycle(judged))
    count = norm.count or ASSUMED_PEOPLE
    if count < 2:  # noqa: PLR2004  nobody else to differ from
        raise ArrayShapeError(f"found a reference set of {count} person, wanted 2 or more")
    between_strides = stride_variance([strides]).variance
    few = max(0.0, 1 / len(strides) - 1 / CYCLES_OF_A_NORM)
    error = np.sqrt(_variance(norm, count) + between_strides * few)
    difference = strides.mean(axis=0) - norm.mean
    t = np.divide(difference, error, out=np.full_like(error, np.nan), where=valid)
    rough, nu = norm.roughness * part, float(count - 1)
    largest = float(np.fmax.reduce(np.abs(t)))  # NaN where nothing is judged
    return NormTest(
        difference, error, t, simultaneous_threshold(rough, nu, ALPHA),
        curve_chance(largest, rough, nu), nu, rough,
    )  # fmt: skip


def part_of_cycle(mask: Mask) -> float:
    """Return the share of the steps of a cycle that are within a mask.

    Examples
    --------
    >>> part_of_cycle(np.array([False, True, True, True, False]))
    0.5
    """
    return float(np.mean(mask[1:] & mask[:-1]))
