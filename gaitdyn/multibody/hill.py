"""Hill-type muscles: activation, force-length, force-velocity; inextensible tendons.

Curves and constants of De Groote et al. (2016, Ann Biomed Eng 44:2922-2936, supplement), with the
digits that make force-length and force-velocity exactly one at optimal length and at rest, as in
OpenSim's DeGrooteFregly2016Muscle. With a rigid tendon the force is the function
``F(a, L_MT, dL_MT/dt)`` of document 002. Millard et al. (2013, J Biomech Eng 135:021005) discuss
when that is accurate enough: with short tendons, such as those of most arm muscles.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.errors import SimulationRefused
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

_BELLS = (
    (0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465),
    (0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188),
    (0.1, 1.0, 0.353553390593274, 0.0),
)
_VELOCITY = (-0.3211346127989808, -8.149, -0.374, 0.8825327733249912)
_STIFFNESS, _STRAIN = 4.0, 0.6
"""Passive curve: shape factor, and strain at which it reaches the isometric force."""
_SMOOTH = 10.0
"""Sharpness of the switch between activation and deactivation. With the paper's 0.1 the switch
hardly acts, and both last nearly as long; OpenSim recommends 10."""
_IDLE = 1e-5
"""Activation below which a muscle counts as inactive."""
TAU_UP, TAU_DOWN = 0.015, 0.060
"""Time constants of activation and deactivation, s (De Groote et al. 2016)."""


def force_length(length: Array) -> Array:
    """Return active over maximum isometric force, of fibre lengths over the optimal length.

    ``sum b1 exp(-(l - b2)^2 / (2 (b3 + b4 l)^2))``.

    Examples
    --------
    >>> float(force_length(np.array(1.0)).round(12))
    1.0
    """
    length = np.asarray(length, dtype=float)
    bells = (
        b1 * np.exp(-0.5 * ((length - b2) / (b3 + b4 * length)) ** 2) for b1, b2, b3, b4 in _BELLS
    )
    return np.asarray(sum(bells), dtype=np.float64)


def passive_force(length: Array) -> Array:
    """Return passive over maximum isometric force: 0 at optimal length, 1 at 1.6 times that.

    ``(exp(k (l - 1) / e) - 1) / (exp(k) - 1)``; zero below the optimal length.
    """
    length = np.asarray(length, dtype=float)
    stretched = np.expm1(_STIFFNESS * np.maximum(length - 1.0, 0.0) / _STRAIN)
    return np.asarray(stretched / np.expm1(_STIFFNESS), dtype=np.float64)


def force_velocity(velocity: Array) -> Array:
    """Return the velocity factor of the active force: 0 at -1 (shortening), 1 at rest, 1.79 at 1.

    ``d1 ln(d2 v + d3 + sqrt((d2 v + d3)^2 + 1)) + d4``, with v over the maximum velocity. It is
    zero if the muscle shortens faster than that.

    Examples
    --------
    >>> force_velocity(np.array([-1.0, 0.0, 1.0])).round(3).tolist()
    [0.0, 1.0, 1.794]
    """
    d1, d2, d3, d4 = _VELOCITY
    curve = d1 * np.arcsinh(d2 * np.asarray(velocity, dtype=float) + d3) + d4
    return np.asarray(np.maximum(curve, 0.0), dtype=np.float64)


def activation_rate(excitation: Array, activation: Array) -> Array:
    """Return da/dt, 1/s: fast activation, slow deactivation, a smooth transition.

    ``(f / (tau_a (1/2 + 3/2 a)) + (1 - f) (1/2 + 3/2 a) / tau_d) (e - a)`` with
    ``f = 1/2 + tanh(10 (e - a)) / 2`` (De Groote et al. 2016, with 10 in place of 0.1; after
    Winters 1995, Ann Biomed Eng 23:359-374, and Thelen 2003, J Biomech Eng 125:70-77).

    Parameters
    ----------
    excitation, activation : arrays
        Between 0 and 1.
    """
    e, a = np.asarray(excitation, dtype=float), np.asarray(activation, dtype=float)
    up = 0.5 + 0.5 * np.tanh(_SMOOTH * (e - a))
    slow = 0.5 + 1.5 * a
    return np.asarray((up / (TAU_UP * slow) + (1.0 - up) * slow / TAU_DOWN) * (e - a))


@frozen(eq=False)
class Muscles:
    """Muscles with constant moment arms and tendons of constant length.

    Attributes
    ----------
    strongest : array, shape (m,)
        Maximum isometric force, N.
    optimal : array, shape (m,)
        Optimal fibre length, m.
    arms : array, shape (n, m)
        Moment arms r = -dL/dq, m.
    rest : array, shape (n,)
        Posture in which all fibres have their optimal length, rad.
    fastest : float
        Maximum velocity, optimal lengths per second; 10 (Zajac 1989, Crit Rev Biomed Eng
        17:359-411).
    """

    strongest: Array
    optimal: Array
    arms: Array
    rest: Array
    fastest: float = 10.0

    def lengths(self, q: Array) -> Array:
        """Return fibre lengths over the optimal ones, shape (..., m), for angles (..., n)."""
        lengths = 1.0 - (np.asarray(q) - self.rest) @ self.arms / self.optimal
        if (lengths <= 0).any():
            raise SimulationRefused("a muscle is shorter than its tendon: no fibre is left")
        return np.asarray(lengths, dtype=np.float64)

    def forces(self, activation: Array, q: Array, qd: Array) -> Array:
        """Return tensions, shape (..., m), N: ``F (a f_l f_v + f_p)``.

        Parameters
        ----------
        activation : array, shape (..., m)
        q, qd : arrays, shape (..., n)
            rad, rad/s.
        """
        length = self.lengths(q)
        velocity = -(np.asarray(qd) @ self.arms) / (self.optimal * self.fastest)
        active = activation * force_length(length) * force_velocity(velocity)
        return np.asarray(self.strongest * (active + passive_force(length)), dtype=np.float64)

    def holding(self, q: Array, torque: Array) -> Array:
        """Return the activations that hold a posture against given torques, isometrically.

        They have the least sum of squares with ``0 <= a <= 1``.

        Parameters
        ----------
        q, torque : arrays, shape (n,)
            rad, N m.

        Raises
        ------
        SimulationRefused
            If the muscles are too weak in that posture.
        """
        from scipy.optimize import lsq_linear

        q = np.asarray(q, dtype=float)
        length = self.lengths(q)
        pull = self.arms * (self.strongest * force_length(length))
        left = np.asarray(torque) - self.arms @ (self.strongest * passive_force(length))
        scale = float(np.abs(pull).max())
        weight = 1e-3  # of the activations against the torques; its error is corrected below
        A = np.vstack((pull / scale, weight * np.eye(pull.shape[1])))
        a = lsq_linear(A, np.append(left / scale, np.zeros(pull.shape[1])), (0, 1), "bvls").x
        a = np.where(a < _IDLE, 0.0, a)
        free = (a > 0.0) & (a < 1.0 - _IDLE)
        if free.any():
            a[free] += np.linalg.lstsq(pull[:, free], left - pull @ a, rcond=None)[0]
        if np.abs(pull @ a - left).max() > 1e-9 * max(scale, 1.0):
            torques = ", ".join(f"{value:.4g}" for value in np.asarray(torque))
            raise SimulationRefused(f"the muscles cannot hold the torques ({torques}) N m")
        return np.clip(a, 0.0, 1.0)
