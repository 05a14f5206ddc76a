"""The session error: what repeated marker placement and another day do to a curve."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gaitdyn.errors import ArrayShapeError
from gaitdyn.statistics.threshold import roughness
from gaitdyn.statistics.variance import pooled_variance, stride_variance
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

LEVEL_SHARE = 0.7
"""Share of the session variance that is an offset over the cycle: a judgement from 93-100 % for
markers moved along the skin, and the variation between days."""

SHAPE_ROUGHNESS, BAND_ROUGHNESS = 9.0, 15.0
"""L of the session error: of the shape of angles, and of moments as a whole."""

TABLE_FREEDOM = 30.0
"""Degrees of freedom of an SD from published values."""

MEDIAN_TAILS = 1.2
"""Factor on the variance of a shape estimated from pairs: a smooth curve less its median has longer
tails than a normal distribution (kurtosis 3.6). Without it 4 to 7 % of unchanged people, not 2.5 %,
exceed the limit of the shape (benchmarks/known_error.py)."""

FEWEST_PAIRS = 10
"""With fewer pairs the threshold from a laboratory's own repeats is above 5."""


@frozen(eq=False)
class SessionError:
    """The variance of one curve between sessions of an unchanged person.

    Attributes
    ----------
    level : float
        Variance of the offset over the cycle, unit squared.
    shape, band : array, shape (k,)
        Variance of the rest, and of the whole curve.
    nu : float
        Degrees of freedom of these variances.
    shape_roughness, band_roughness : float
    origin : str
        Their source, for the page.
    measured : bool
        Whether they are from repeats: the strides' variance was subtracted, so the degrees of
        freedom of a sum are no more.
    reference : str
        SHA-256 of the reference set of a score; empty for anything else.
    """

    level: float
    shape: Array
    band: Array
    nu: float
    shape_roughness: float
    band_roughness: float
    origin: str
    measured: bool = False
    reference: str = ""


def error_of_sd(sd: float, points: int, origin: str) -> SessionError:
    """Return the session error from one SD for the whole cycle.

    Parameters
    ----------
    sd : float
        In the unit of the curve.
    points : int
    origin : str
    """
    whole = np.full(points, sd**2)
    return SessionError(
        LEVEL_SHARE * sd**2, (1 - LEVEL_SHARE) * whole, whole, TABLE_FREEDOM,
        SHAPE_ROUGHNESS, BAND_ROUGHNESS, origin,
    )  # fmt: skip


def error_of_pairs(
    pairs: Sequence[tuple[Array, Array]], level_of_strides: float, origin: str
) -> SessionError:
    """Return the session error from repeats: two sessions each of people who did not change.

    ``tau^2(t) = max(0, mean(d^2) / 2 - mean(e) / 2)`` with the difference d of a pair's means and
    its variance e due to the strides alone; level (median of d) and shape (the rest) are separate.

    Parameters
    ----------
    pairs : sequence of (array, array), shapes (n_1, k) and (n_2, k)
        Strides of one curve in both sessions.
    level_of_strides : float
        Share of the strides' variance that is level, see :mod:`gaitdyn.statistics.change`.
    origin : str

    Raises
    ------
    ArrayShapeError
        For fewer than ten pairs.
    """
    if len(pairs) < FEWEST_PAIRS:
        message = f"found {len(pairs)} pairs of sessions, wanted {FEWEST_PAIRS} or more"
        raise ArrayShapeError(message)
    d = np.stack([b.mean(axis=0) - a.mean(axis=0) for a, b in pairs])
    e = np.stack([stride_variance((a, b)).variance * (1 / len(a) + 1 / len(b)) for a, b in pairs])
    level = np.median(d, axis=1)
    shape = d - level[:, None]
    return SessionError(
        float(_between(level, level_of_strides * e.mean(axis=1))),
        _between(math.sqrt(MEDIAN_TAILS) * shape, e), _between(d, e), float(len(pairs)),
        roughness(shape), roughness(d), origin, measured=True,
    )  # fmt: skip


def number_sd(pairs: Sequence[tuple[Sequence[float], Sequence[float]]]) -> float:
    """Return the SD between sessions of one number of the strides, such as a peak, from repeats.

    ``tau^2 = max(0, mean(d^2) / 2 - mean(e) / 2)`` as in :func:`error_of_pairs`. The variance of
    the strides of a pair with one stride in each session is the mean of that of the others.

    Parameters
    ----------
    pairs : sequence of (sequence of float, sequence of float)
        The strides of both sessions, one or more each.

    Returns
    -------
    float
        NaN if no session has two strides.

    Examples
    --------
    >>> number_sd([([1.0, 3.0], [5.0, 7.0]), ([2.0, 4.0], [3.0, 5.0])])  # 16 and 1 less 2 and 2
    1.8027756377319946
    """
    samples = [(np.asarray(a)[:, None], np.asarray(b)[:, None]) for a, b in pairs]
    known = [
        float(pooled_variance(two).variance[0]) if max(map(len, two)) > 1 else math.nan
        for two in samples
    ]
    if not np.isfinite(known).any():
        return math.nan
    v = np.where(np.isfinite(known), known, np.nanmean(known))
    e = v * np.array([1 / len(a) + 1 / len(b) for a, b in samples])
    d = np.array([float(b.mean() - a.mean()) for a, b in samples])
    return float(_between(d, e)) ** 0.5


def _between(difference: Array, strides: Array) -> Array:
    """Return the variance of one session from differences of two, less that of the strides."""
    variance = np.mean(difference**2, axis=0) - strides.mean(axis=0)
    return np.maximum(variance, 0.0) / 2
