"""Energy audit: the power of all loads on a segment against the rate of change of its energy."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import cross, dot, rotate
from gaitdyn.dynamics.stacked import times_inertia
from gaitdyn.kinematics.derivatives import derivatives_of_each
from gaitdyn.types.arrays import Array
from gaitdyn.types.chain import Chain
from gaitdyn.types.loads import JointLoads


def power_residuals(legs: list[JointLoads], rate_hz: float) -> list[tuple[Array, Array, Array]]:
    """Return the residual of the power balance of every segment of the legs of one trial.

    ``d/dt (m v.v / 2 + omega.I omega / 2 - m g.r)`` minus the power of both joints and of the
    ground (Winter 2009, ch. 6; the flow through a joint is ``F.v + M.omega``). Velocities of
    centres of mass and of joint centres, and the rate of change of the energy, are derivatives of
    interpolating splines, not integrals of the accelerations behind the loads. The residual
    therefore shows a joint centre that does not move with its segments, or an acceleration of
    another motion.

    Parameters
    ----------
    legs : sequence of JointLoads
        Their splines are fitted together.
    rate_hz : float

    Returns
    -------
    residual : array, shape (n, s)
        Of each leg, W.
    proximal : array, shape (n, s)
        Power of the proximal joint on the segment, W.
    slip : array, shape (n, s)
        Power of the joint forces on the motion of the joint centres relative to the rigid segment,
        W. The sum of residual and slip is what neither explains.
    """
    if not legs:
        return []
    chains = [loads.chain for loads in legs]
    points = [chain.r_cm_G for chain in chains] + [chain.r_prox_G for chain in chains]
    v_cm, v_prox = np.split(_velocities(points, rate_hz), 2)
    energies = [segment_energy(chain, v) for chain, v in zip(chains, v_cm, strict=True)]
    changes = _velocities(energies, rate_hz)
    return [_residual(*leg) for leg in zip(legs, v_cm, v_prox, changes, strict=True)]


def _velocities(values: list[Array], rate_hz: float) -> Array:
    """Return the derivatives of several arrays, stacked along the first axis."""
    each = derivatives_of_each(np.stack(values, axis=1), rate_hz)[0]
    return np.ascontiguousarray(np.moveaxis(each, 1, 0))


def _residual(
    loads: JointLoads, v_cm: Array, v_prox: Array, change: Array
) -> tuple[Array, Array, Array]:
    """Return residual, proximal power and slip from velocities and the rate of change of energy."""
    chain = loads.chain
    moment_G = rotate(chain.R_GS, loads.moment_S)
    omega_G = rotate(chain.R_GS, chain.omega_S)
    proximal = _power(loads.force_G, v_prox) + _power(moment_G, omega_G)
    ground = _power(chain.external_force_G, v_cm) + _power(chain.external_moment_G, omega_G)
    distal = np.zeros_like(proximal)
    distal[:, 1:] = _power(loads.force_G, v_prox)[:, :-1]
    distal[:, 1:] += _power(moment_G[:, :-1], omega_G[:, 1:])
    slip = _power(loads.force_G, v_prox - v_cm - cross(omega_G, chain.r_prox_G - chain.r_cm_G))
    arm = chain.r_prox_G[:, :-1] - chain.r_cm_G[:, 1:]
    against = v_prox[:, :-1] - v_cm[:, 1:] - cross(omega_G[:, 1:], arm)
    slip[:, 1:] -= _power(loads.force_G[:, :-1], against)
    return change - (proximal - distal + ground), proximal, slip


def segment_energy(chain: Chain, v_cm_G: Array) -> Array:
    """Return kinetic and potential energy of every segment, shape (n, s), J.

    Parameters
    ----------
    chain : Chain
    v_cm_G : array, shape (n, s, 3)
        Velocity of the centres of mass, m/s.
    """
    turning = _power(chain.omega_S, times_inertia(chain, chain.omega_S))
    height = chain.r_cm_G @ chain.gravity_G
    return chain.mass * (0.5 * _power(v_cm_G, v_cm_G) - height) + 0.5 * turning


def _power(a: Array, b: Array) -> Array:
    return dot(a, b)[..., 0]
