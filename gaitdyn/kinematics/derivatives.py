"""Velocities and accelerations of segments: splines on positions and on rotation matrices."""

from __future__ import annotations

import numpy as np

from gaitdyn.core import splines
from gaitdyn.core.rotations import vee
from gaitdyn.core.runs import complete_rows, known_within, runs
from gaitdyn.types.arrays import Array


def derivatives(values: Array, rate_hz: float) -> tuple[Array, Array]:
    """Return the first and second time derivative of the natural interpolating quintic spline.

    Parameters
    ----------
    values : array, shape (n, ...)
        Rows with a missing value are gaps: each run of complete rows is a spline of its own.
    rate_hz : float

    Returns
    -------
    first, second : arrays, shape (n, ...)
        Per second and per second squared; NaN in gaps and in runs shorter than 7 rows.
    """
    flat = values.reshape(len(values), -1)
    first, second = np.full_like(flat, np.nan), np.full_like(flat, np.nan)
    for start, stop in runs(complete_rows(flat)):
        if stop - start >= splines.SHORTEST:
            fit = splines.fit(flat[start:stop], 0.0, 1.0 / rate_hz)
            first[start:stop], second[start:stop] = fit.first, fit.second
    return first.reshape(values.shape), second.reshape(values.shape)


def derivatives_of_each(values: Array, rate_hz: float) -> tuple[Array, Array]:
    """Return :func:`derivatives` of several things, each with gaps of its own.

    Those with the same gaps are fitted together, which takes a third of the time.

    Parameters
    ----------
    values : array, shape (n, k, ...)
        Of k things.
    rate_hz : float

    Returns
    -------
    first, second : arrays, shape (n, k, ...)
    """
    known = known_within(values)
    if (known == known[:, :1]).all():
        return derivatives(values, rate_hz)
    each = [derivatives(values[:, i], rate_hz) for i in range(values.shape[1])]
    return np.stack([one[0] for one in each], axis=1), np.stack([one[1] for one in each], axis=1)


def angular_motion(R_GS: Array, rate_hz: float) -> tuple[Array, Array]:
    """Return angular velocity and acceleration of a segment in its own axes.

    ``skew(omega_S) = R' dR``, and ``R' ddR = skew(alpha_S) + skew(omega_S)^2`` whose antisymmetric
    part is alpha. The nine entries of R are differentiated by the interpolating quintic spline.

    Parameters
    ----------
    R_GS : array, shape (n, 3, 3)
    rate_hz : float

    Returns
    -------
    omega_S, alpha_S : arrays, shape (n, 3)
        rad/s and rad/s2.
    """
    dR, ddR = derivatives(R_GS, rate_hz)
    return _turning(R_GS, dR, ddR)


def angular_motions(R_GS: Array, rate_hz: float) -> tuple[Array, Array]:
    """Return :func:`angular_motion` of several segments, each with gaps of its own.

    Parameters
    ----------
    R_GS : array, shape (n, k, 3, 3)
    rate_hz : float

    Returns
    -------
    omega_S, alpha_S : arrays, shape (n, k, 3)
    """
    return _turning(R_GS, *derivatives_of_each(R_GS, rate_hz))


def _turning(R_GS: Array, dR: Array, ddR: Array) -> tuple[Array, Array]:
    R_SG = np.swapaxes(R_GS, -1, -2)
    return vee(R_SG @ dR), vee(R_SG @ ddR)
