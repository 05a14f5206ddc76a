"""Velocities and accelerations of segments by splines on positions and rotation matrices."""

from __future__ import annotations

import numpy as np

from gaitdyn.core import splines
from gaitdyn.core.rotations import vee
from gaitdyn.core.runs import complete_rows, known_within, runs
from gaitdyn.types.arrays import Array


def derivatives(values: Array, rate_hz: float) -> tuple[Array, Array]:
    """Return the first and second time derivatives of the natural interpolating quintic spline.

    Parameters
    ----------
    values : array, shape (n, ...)
        A row with a missing value is a gap: each run of complete rows has a separate spline.
    rate_hz : float

    Returns
    -------
    first, second : arrays, shape (n, ...)
        Per second and per second squared; NaN in gaps and in runs shorter than 7 rows.
    """
    flat = values.reshape(len(values), -1)
    first, second = np.full_like(flat, np.nan), np.full_like(flat, np.nan)
    for start, stop in runs(complete_rows(flat)):
        if stop - start < splines.SHORTEST:
            continue
        for columns in splines.columns_at_once(flat[start:stop].shape):
            place = slice(start, stop), columns
            fit = splines.fit(flat[place], 0.0, 1.0 / rate_hz)
            first[place], second[place] = fit.first, fit.second
    return first.reshape(values.shape), second.reshape(values.shape)


def derivatives_of_each(values: Array, rate_hz: float) -> tuple[Array, Array]:
    """Return :func:`derivatives` of several quantities with different gaps.

    If all have the same gaps, they are fitted together, which takes a third of the time.

    Parameters
    ----------
    values : array, shape (n, k, ...)
        Of k quantities.
    rate_hz : float

    Returns
    -------
    first, second : arrays, shape (n, k, ...)
    """
    known = known_within(values)
    if (known == known[:, :1]).all():
        return derivatives(values, rate_hz)
    each = [derivatives(values[:, i], rate_hz) for i in range(values.shape[1])]
    first, second = zip(*each, strict=True)
    return np.stack(first, axis=1), np.stack(second, axis=1)


def angular_motion(R_GS: Array, rate_hz: float) -> tuple[Array, Array]:
    """Return the angular velocity and acceleration of a segment in segment axes.

    ``skew(omega_S) = R' dR``; alpha is the antisymmetric part of ``R' ddR = skew(alpha_S) +
    skew(omega_S)^2``. The interpolating quintic spline differentiates the nine entries of R.

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
    """Return :func:`angular_motion` of several segments with different gaps.

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
