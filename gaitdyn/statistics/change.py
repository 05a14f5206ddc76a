"""Tests whether a person changed: two sessions of one curve, given the session error.

Strides are not the sample between sessions, because the markers were placed twice. The variance of
a difference is that of both sessions and of the strides; more strides do not reduce the first.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.statistics.against_norm import part_of_cycle
from gaitdyn.statistics.threshold import ALPHA, curve_chance, point_chance, simultaneous_threshold
from gaitdyn.statistics.variance import (
    BORROWED,
    joint_freedom,
    pooled_variance,
    stride_variance,
    whole_strides,
)
from gaitdyn.types.arrays import Array, Mask, real_array
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from gaitdyn.statistics.session_error import SessionError

LEVEL_OF_STRIDES = 0.2
"""Share of the strides' variance that is level; half for pelvic tilt, rotation and the foot's."""

STRIDE_ROUGHNESS_ANGLES, STRIDE_ROUGHNESS_LOADS = 14.0, 25.0
"""Roughness of strides: 6 to 18 for angles and 17 to 26 for moments, in 70 cycles of 16 people of
10 laboratories."""


@frozen(eq=False)
class ChangeTest:
    """The change of one curve between two sessions, second less first.

    Attributes
    ----------
    difference : array, shape (k,)
    level : float
        Median of the difference over the cycle.
    level_limit : float
        The smallest detectable |level|; NaN if the curve is tested as a whole.
    shape : array, shape (k,)
        Difference less level, or the difference itself if it is tested as a whole.
    limit : array, shape (k,)
        The smallest detectable |shape| at each point; NaN where it is not tested.
    p, p_level, p_shape : float
        Probability in an unchanged person, of both tests together and of each alone; NaN if
        nothing varies.
    threshold, nu, roughness : float
        k, degrees of freedom and L of the test of the shape.
    """

    difference: Array
    level: float
    level_limit: float
    shape: Array
    limit: Array
    p: float
    p_level: float
    p_shape: float
    threshold: float
    nu: float
    roughness: float

    @property
    def beyond(self) -> Mask:
        """Where the shape leaves its band, shape (k,)."""
        return np.abs(self.shape) > self.limit


def judge_markers_on(
    first: Array, second: Array, stride_roughness: float, phase: Mask | None = None
) -> ChangeTest:
    """Test the change between two conditions without a marker touched.

    ``T = d / sqrt(e)`` with nu of the samples plus six borrowed.

    Parameters
    ----------
    first, second : array, shapes (n_1, k) and (n_2, k)
        Means of the trials of each condition, three or more. Strides are also accepted, but
        resemble each other within a trial, so the verdict is then at most "possible".
    stride_roughness : float
        14 for angles, 25 for loads.
    phase : array of bool, shape (k,), optional
        Where the curve is tested; everywhere by default.
    """
    difference, e, nu = _strides(first, second)
    return _whole(difference, e, nu + BORROWED, np.full(e.shape, stride_roughness), phase)


def judge_level_and_shape(
    first: Array,
    second: Array,
    session: SessionError,
    level_of_strides: float = LEVEL_OF_STRIDES,
    phase: Mask | None = None,
) -> ChangeTest:
    """Test the change of an angle between two sessions: level and shape, half of alpha each.

    The level is the median over the cycle, which a bump in a part of it does not shift:
    ``SE^2 = 2 tau_l^2 + share e_mean``. The shape is the rest: ``SE^2(t) = 2 tau_s^2(t) + e(t)``,
    with L the mean of both roughnesses weighted by variance. ``p = min(1, 2 min(p_l, p_s))``.

    Parameters
    ----------
    first, second : array, shapes (n_1, k) and (n_2, k)
        Strides, two or more each.
    session : SessionError
    level_of_strides : float
    phase : array of bool, shape (k,), optional
        A phase named in advance, in which the shape is tested. The level is tested, too: a change
        that is the same over the whole cycle has no shape.
    """
    difference, e, stride_nu = _strides(first, second)
    between = 2 * session.band
    nu = _freedom(e, stride_nu, between, session)
    level = float(median(difference))
    size = math.sqrt(2 * session.level + level_of_strides * float(e.mean()))
    error = 2 * session.shape + e
    rough = _mixed(2 * session.shape, session.shape_roughness, e, STRIDE_ROUGHNESS_ANGLES)
    half = ALPHA / 2
    test = _whole(difference - level, error, nu, rough, phase, half)
    p_level = point_chance(level / size, nu) if size > 0 else math.nan
    limit = simultaneous_threshold(0.0, nu, half) * size
    p = min(2 * float(np.fmin(p_level, test.p)), 1.0)  # in this order NaN stays NaN
    return replace(
        test, difference=difference, level=level, level_limit=limit, p=p, p_level=p_level
    )


def judge_band(
    first: Array, second: Array, session: SessionError, phase: Mask | None = None
) -> ChangeTest:
    """Test the change of a load, or of a curve whose error has no level, against one band.

    ``T = d / sqrt(2 tau^2(t) + e)``.

    Parameters
    ----------
    first, second : array, shapes (n_1, k) and (n_2, k)
        Strides, two or more each.
    session : SessionError
    phase : array of bool, shape (k,), optional
    """
    difference, e, stride_nu = _strides(first, second)
    between = 2 * session.band
    nu = _freedom(e, stride_nu, between, session)
    rough = _mixed(between, session.band_roughness, e, STRIDE_ROUGHNESS_LOADS)
    return _whole(difference, between + e, nu, rough, phase)


def judge_number(first: Array, second: Array, session: SessionError | None = None) -> ChangeTest:
    """Test the change of one number of every stride, such as a peak.

    ``T = d / sqrt(2 tau^2 + e)`` with ``e = v (1/n_1 + 1/n_2)`` and the pooled variance v of the
    strides, which has n_1 + n_2 - 2 degrees of freedom: no rest of the cycle lends it more.

    Parameters
    ----------
    first, second : array, shapes (n_1,) and (n_2,)
        Of the strides, or of the trials if no marker was touched; three or more in all.
    session : SessionError, optional
        Of one point; without one no marker was touched.

    Returns
    -------
    ChangeTest
        Of one point; the level is the difference.

    Raises
    ------
    ArrayShapeError
        If no session has two strides.

    Examples
    --------
    >>> test = judge_number(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]))
    >>> test.level, test.nu, round(test.level_limit, 3), round(test.p, 3)
    (3.0, 4.0, 2.267, 0.021)
    """
    first, second = real_array("first", first), real_array("second", second)
    strides = pooled_variance((first[:, None], second[:, None]))
    difference = second.mean(keepdims=True) - first.mean(keepdims=True)
    e = strides.variance * (1 / len(first) + 1 / len(second))
    between = np.zeros(1) if session is None else 2 * session.band
    nu = strides.stride_nu
    if session is not None:
        nu = joint_freedom([(float(e[0]), nu), (float(between[0]), session.nu)])
        nu = min(nu, session.nu) if session.measured else nu
    error, k = np.sqrt(between + e), simultaneous_threshold(0.0, nu)
    p = point_chance(float(difference[0] / error[0]), nu) if error[0] > 0 else math.nan
    return ChangeTest(
        difference, float(difference[0]), float(k * error[0]), difference, k * error, p, p,
        math.nan, k, nu, 0.0,
    )  # fmt: skip


def _strides(first: Array, second: Array) -> tuple[Array, Array, float]:
    """Return the difference of means, its variance due to strides, and the freedom of that."""
    first = whole_strides("first", first)
    second = whole_strides("second", second, first.shape[1])
    difference = second.mean(axis=0) - first.mean(axis=0)
    variance = stride_variance((first, second))
    error = variance.variance * (1 / len(first) + 1 / len(second))
    return difference, error, variance.stride_nu


def _freedom(e: Array, stride_nu: float, between: Array, session: SessionError) -> float:
    """Return the degrees of freedom of both variances together."""
    parts = [(float(e.mean()), stride_nu + BORROWED), (float(between.mean()), session.nu)]
    nu = joint_freedom(parts)
    return min(nu, session.nu) if session.measured else nu


def _mixed(session: Array, rough: float, strides: Array, rough_strides: float) -> Array:
    """Return the roughness of a sum at each point, from squares weighted by the variances."""
    total = session + strides
    weighted = session * rough**2 + strides * rough_strides**2
    mixed = np.divide(weighted, total, out=np.full_like(total, rough**2), where=total > 0)
    return np.sqrt(mixed)


def _whole(
    difference: Array,
    variance: Array,
    nu: float,
    rough: Array,
    phase: Mask | None,
    alpha: float = ALPHA,
) -> ChangeTest:
    """Test a curve against one band."""
    tested = slice(None) if phase is None else phase
    inside = float(rough[tested].mean()) * (1.0 if phase is None else part_of_cycle(phase))
    k = simultaneous_threshold(inside, nu, alpha)
    error = np.sqrt(variance)
    p = math.nan
    if (error[tested] > 0).all():
        p = curve_chance(float(np.max(np.abs(difference[tested]) / error[tested])), inside, nu)
    limit = k * error if phase is None else np.where(phase, k * error, np.nan)
    return ChangeTest(
        difference, float(median(difference)), math.nan, difference, limit, p, math.nan, p,
        k, nu, inside,
    )  # fmt: skip
