"""Powers are products of two measured numbers: their common error is counted once.

The band of a power comes from ``dM . w + M . dw`` with moment M and turning w as measured, which
hold an error each: on average their squares are larger than those of the true ones by the
variances, so that the variance of the product ``dM . dw`` would be in the band twice. It is in
the error once, and what is without bias is
``w^2 var(M) + M^2 var(w) - var(M) var(w)`` (Goodman 1960, J Am Stat Assoc 55:708-713).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitdyn.types.arrays import Array

POWERS = np.array([[3, 4, 5, 6], [10, 11, 12, 13], [17, 18, 19, 20]])
"""Columns of :func:`gaitdyn.uncertainty.leg_curves.leg_curves` with the powers of each joint: the
whole, sagittal, frontal, transverse."""

_AXES = [2, 0, 1]
"""Of the distal segment: about which a plane's power is."""


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """What some sources do to the curves of one leg.

    Attributes
    ----------
    variances : dict
        Source -> array, shape (n, 21), (N m)^2 and W^2.
    moment, turning : array, shape (n, 3, 3, 3)
        Covariance of the moment of ankle, knee and hip, and of how they turn, over all sources;
        axes of the distal segment, (N m)^2 and (rad/s)^2.
    """

    variances: dict[str, Array]
    moment: Array
    turning: Array

    def plus(self, other: Spread) -> Spread:
        """Return what the sources of both do, which are independent."""
        both = self.variances | {
            source: self.variances.get(source, 0.0) + variance
            for source, variance in other.variances.items()
        }
        return Spread(both, self.moment + other.moment, self.turning + other.turning)


def covariance(errors: Array) -> Array:
    """Return the mean over draws of the product of each two components about zero.

    Parameters
    ----------
    errors : array, shape (n, draws, 3, 3)
        By joint and component.

    Returns
    -------
    array, shape (n, 3, 3, 3)
    """
    each = np.moveaxis(errors, 1, 3)
    return each @ np.swapaxes(each, -1, -2) / errors.shape[1]


def counted_once(total: Array, moment: Array, turning: Array) -> Array:
    """Return by what the variances of curves are multiplied to count each product once.

    Parameters
    ----------
    total : array, shape (n, 21)
        Variance over all sources, (N m)^2 and W^2.
    moment, turning : arrays, shape (n, 3, 3, 3)
        Covariances over all sources.

    Returns
    -------
    array, shape (n, 21)
        One for moments. A power has at least the variance of the product, which is all of it
        where nothing moves and nothing pulls.
    """
    product = moment * turning
    own = np.diagonal(product, axis1=-2, axis2=-1)[..., _AXES]
    twice = np.concatenate((product.sum(axis=(-2, -1))[..., None], own), axis=-1)
    before = total[:, POWERS]
    once = np.maximum(before - twice, twice)
    factor = np.ones_like(total)
    factor[:, POWERS] = np.divide(once, before, out=np.ones_like(before), where=before > 0.0)
    return factor
