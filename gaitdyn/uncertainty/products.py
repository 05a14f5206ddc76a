"""Count the product of two errors once in the variance of a power, which is itself a product.

The band of a power comes from ``dM . w + M . dw`` with measured moment M and angular velocity w.
Both have errors, so on average their squares exceed the true ones by their variances, and the
variance of the product ``dM . dw`` would be in the band twice. It is in the error once; without
bias the variance is ``w^2 var(M) + M^2 var(w) - var(M) var(w)`` (Goodman 1960, J Am Stat Assoc
55:708-713).
"""

from __future__ import annotations

import numpy as np

from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

POWERS = np.array([[3, 4, 5, 6], [10, 11, 12, 13], [17, 18, 19, 20]])
"""Columns of :func:`gaitdyn.uncertainty.leg_curves.leg_curves` with the powers of each joint:
total, sagittal, frontal, transverse."""

_AXES = [2, 0, 1]
"""Axis of the distal segment to which the power of each plane belongs."""


@frozen(eq=False)
class Spread:
    """The effect of some sources of error on the curves of one leg.

    Attributes
    ----------
    variances : dict
        Source -> array, shape (n, 21), (N m)^2 and W^2.
    moment, turning : array, shape (n, 3, 3, 3)
        Covariance of the moments and of the angular velocities of ankle, knee and hip over all
        sources; axes of the distal segment, (N m)^2 and (rad/s)^2.
    """

    variances: dict[str, Array]
    moment: Array
    turning: Array

    def plus(self, other: Spread) -> Spread:
        """Return the combined effect of the sources of both, which are independent."""
        variances = self.variances | {
            source: self.variances.get(source, 0.0) + variance
            for source, variance in other.variances.items()
        }
        return Spread(variances, self.moment + other.moment, self.turning + other.turning)


def covariance(errors: Array) -> Array:
    """Return the covariance of each pair of components about zero, over the draws.

    Parameters
    ----------
    errors : array, shape (n, draws, 3, 3)
        By joint and component.

    Returns
    -------
    array, shape (n, 3, 3, 3)
    """
    by_draw = np.moveaxis(errors, 1, 3)
    return by_draw @ np.swapaxes(by_draw, -1, -2) / errors.shape[1]


def counted_once(total: Array, moment: Array, turning: Array) -> Array:
    """Return the factors for the variances of curves that make each product count once.

    Parameters
    ----------
    total : array, shape (n, 21)
        Variance over all sources, (N m)^2 and W^2.
    moment, turning : arrays, shape (n, 3, 3, 3)
        Covariances over all sources.

    Returns
    -------
    array, shape (n, 21)
        One for moments. The variance of a power is at least that of the product; it is equal to
        it when there is neither motion nor moment.
    """
    product = moment * turning
    by_plane = np.diagonal(product, axis1=-2, axis2=-1)[..., _AXES]
    twice = np.concatenate((product.sum(axis=(-2, -1))[..., None], by_plane), axis=-1)
    before = total[:, POWERS]
    once = np.maximum(before - twice, twice)
    factor = np.ones_like(total)
    factor[:, POWERS] = np.divide(once, before, out=np.ones_like(before), where=before > 0.0)
    return factor
