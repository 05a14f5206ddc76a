"""Muscle moment arms, and the muscle tensions of least stress that produce joint torques."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gaitdyn.errors import SimulationRefused
from gaitdyn.types.arrays import Array

_STEP = 1e-3
_WEIGHTS = ((1, 0.75), (2, -0.15), (3, 1.0 / 60.0))
"""Central difference of sixth order: weights of f(x + k h) - f(x - k h)."""


def moment_arms(length: Callable[[Array], Array], q: Array) -> Array:
    """Return the moment arms r = -dL/dq of muscles whose lengths are functions of the angles.

    A muscle pulls (F >= 0): its virtual work -F dL is tau dq, so tau = r F with r = -dL/dq. Seed
    002 prints +dL/dq (E14). Central differences of sixth order, error about 1e-12 m.

    Parameters
    ----------
    length : callable
        Lengths, shape (m,), m, of angles (n,), rad.
    q : array, shape (n,)
        rad.

    Returns
    -------
    array, shape (n, m)
        R of tau = R F, m: positive if the muscle turns the joint towards larger angles.

    Examples
    --------
    >>> moment_arms(lambda q: np.array([0.3 - 0.04 * q[0]]), np.zeros(1)).round(9).tolist()
    [[0.04]]
    """
    q = np.asarray(q, dtype=float)
    rows = []
    for shift in np.eye(len(q)) * _STEP:
        slopes = (
            w * (np.atleast_1d(length(q + k * shift)) - np.atleast_1d(length(q - k * shift)))
            for k, w in _WEIGHTS
        )
        rows.append(-sum(slopes) / _STEP)
    return np.array(rows)


def muscle_torques(R: Array, force: Array) -> Array:
    """Return tau = R F, (..., n), N m, of tensions (..., m), N, and moment arms (..., n, m), m."""
    return (R @ force[..., None])[..., 0]


def least_stress(
    R: Array, tau: Array, area: Array, most: Array | float, *, power: float = 2.0
) -> Array:
    """Return the tensions that produce joint torques with the least sum of stresses to a power.

    minimise sum (F/A)^p subject to R F = tau, 0 <= F <= most (Crowninshield and Brand 1981, J
    Biomech 14:793-801, use p = 3). Solved with scipy's SLSQP in stresses scaled to their bounds,
    starting from a feasible point of a linear programme.

    Parameters
    ----------
    R : array, shape (n, m)
        Moment arms, m.
    tau : array, shape (n,)
        N m.
    area : array, shape (m,)
        Physiological cross-sectional areas, m2.
    most : array, shape (m,), or float
        Largest stress, Pa.
    power : float
        At least 1.

    Returns
    -------
    array, shape (m,)
        Tensions, N.

    Raises
    ------
    SimulationRefused
        If no tensions within the bounds produce the torques.
    """
    from scipy.optimize import LinearConstraint, linprog, minimize

    strongest = np.asarray(most, dtype=float) * area
    A = R * strongest
    scale = float(np.abs(A).max())
    if not np.any(tau):
        return np.zeros(A.shape[1])
    start = linprog(np.ones(A.shape[1]), A_eq=A / scale, b_eq=tau / scale, bounds=(0.0, 1.0))
    if not start.success:
        torques = ", ".join(f"{value:.4g}" for value in tau)
        message = f"the muscles cannot give the torques ({torques}) N m within their largest stress"
        raise SimulationRefused(message)
    weight = np.broadcast_to(strongest / area, area.shape)
    weight = (weight / weight.max()) ** power
    search: Any = minimize
    solution = search(
        lambda x: float(weight @ np.abs(x) ** power),
        start.x,
        jac=lambda x: power * weight * np.sign(x) * np.abs(x) ** (power - 1),
        bounds=[(0.0, 1.0)] * A.shape[1],
        constraints=LinearConstraint(A / scale, tau / scale, tau / scale),
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    if not solution.success:
        message = f"the search for the least stress stopped: {str(solution.message).lower()}"
        raise SimulationRefused(message)
    return np.clip(solution.x, 0.0, 1.0) * strongest
