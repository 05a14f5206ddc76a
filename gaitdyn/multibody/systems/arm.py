"""The planar two-link arm of seed 002: masses and lengths, and its torques in closed form."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gaitdyn.multibody.causes import Terms
from gaitdyn.multibody.systems.model import coordinate_columns
from gaitdyn.types.arrays import Array, locked
from gaitdyn.types.frozen import frozen

COLUMNS = coordinate_columns(
    (
        ("rad", "angle of the upper arm to the horizontal, counter-clockwise"),
        ("rad", "angle of the elbow, zero at full extension"),
    )
)


@frozen()
class Arm:
    """Two links: masses (kg), lengths and distances of the centres of mass from the joints (m).

    Attributes
    ----------
    m1, m2, l1, l2, d1, d2 : float
    i1, i2 : float
        Inertia about the centres of mass, kg m2.
    g : float
        m/s2, along -y.
    """

    m1: float
    m2: float
    l1: float
    l2: float
    d1: float
    d2: float
    i1: float
    i2: float
    g: float = 9.81

    def mass_matrix(self, q: Array) -> Array:
        """Return M, shape (n, 2, 2), kg m2."""
        coupling = self.m2 * self.l1 * self.d2 * np.cos(q[..., 1])
        forearm = self.i2 + self.m2 * self.d2**2
        shoulder = self.i1 + self.m1 * self.d1**2 + self.m2 * self.l1**2 + forearm
        off = forearm + coupling
        entries = (shoulder + 2 * coupling, off, off, np.broadcast_to(forearm, off.shape))
        return np.stack(entries, axis=-1).reshape(*off.shape, 2, 2)

    def terms(self, q: Array, qd: Array, qdd: Array, force: Array) -> Terms:
        """Return the parts of the joint torques, tau = M qdd + C + G + E (signs of seed 002).

        Parameters
        ----------
        q, qd, qdd : arrays, shape (n, 2)
            Joint angles (the first from the horizontal), rad, rad/s, rad/s2.
        force : array, shape (2,)
            On the finger tip, N.
        """
        bent = self.m2 * self.l1 * self.d2 * np.sin(q[..., 1])
        first, second = qd[..., 0], qd[..., 1]
        C = np.stack((-bent * (2 * first + second) * second, bent * first**2), axis=-1)
        both = q[..., 0] + q[..., 1]
        forearm = self.m2 * self.d2 * np.cos(both)
        upper_arm = (self.m1 * self.d1 + self.m2 * self.l1) * np.cos(q[..., 0])
        G = self.g * np.stack((upper_arm + forearm, forearm), axis=-1)
        reach2 = self.l2 * (force[0] * np.sin(both) - force[1] * np.cos(both))
        reach1 = self.l1 * (force[0] * np.sin(q[..., 0]) - force[1] * np.cos(q[..., 0]))
        E = np.stack((reach1 + reach2, reach2), axis=-1)
        inertial = (self.mass_matrix(q) @ qdd[..., None])[..., 0]
        return Terms(inertial, C, G, E)

    def acceleration(self, q: Array, qd: Array, tau: Array, force: Array) -> Array:
        """Return qdd = M^-1 (tau - C - G - E), shape (n, 2)."""
        return self.response(q, tau, self.terms(q, qd, np.zeros_like(qd), force))

    def response(self, q: Array, tau: Array, still: Terms) -> Array:
        """Return the same from the terms of the motion without acceleration."""
        qdd = np.linalg.solve(self.mass_matrix(q), (tau - still.tau)[..., None])[..., 0]
        return np.asarray(qdd, dtype=np.float64)

    def reactions(self, q: Array, qd: Array, qdd: Array, force: Array) -> tuple[Array, Array]:
        """Return the joint forces on the links, F_r1 and F_r2, each (n, 2), N.

        Newton's equations of both links, ``F_r2 + F_e + m2 g = m2 a2`` and
        ``F_r1 - F_r2 + m1 g = m1 a1`` (seed 002); F_r2 is that of the upper arm on the forearm.
        """
        first, second = qd[..., 0], qd.sum(axis=-1)
        alpha1, alpha2 = qdd[..., 0], qdd.sum(axis=-1)

        def acceleration(length: float, angle: Array, omega: Array, alpha: Array) -> Array:
            along = np.stack((np.cos(angle), np.sin(angle)), axis=-1)
            across = np.stack((-along[..., 1], along[..., 0]), axis=-1)
            return length * (alpha[..., None] * across - omega[..., None] ** 2 * along)

        both = q.sum(axis=-1)
        a1 = acceleration(self.d1, q[..., 0], first, alpha1)
        elbow = acceleration(self.l1, q[..., 0], first, alpha1)
        a2 = elbow + acceleration(self.d2, both, second, alpha2)
        up = np.array([0.0, self.g])
        elbow_force = self.m2 * (a2 + up) - np.asarray(force)
        return self.m1 * (a1 + up) + elbow_force, elbow_force

    def energy(self, q: Array, qd: Array) -> Array:
        """Return kinetic and potential energy, J, zero at the shoulder's height; (n,)."""
        kinetic = np.einsum("...i,...ij,...j->...", qd, self.mass_matrix(q), qd) / 2
        height1 = (self.m1 * self.d1 + self.m2 * self.l1) * np.sin(q[..., 0])
        return kinetic + self.g * (height1 + self.m2 * self.d2 * np.sin(q[..., 0] + q[..., 1]))

    def points(self, q: Array) -> Array:
        """Return shoulder, elbow and finger tip, shape (n, 3, 2), m."""
        both = q[..., 0] + q[..., 1]
        elbow = self.l1 * np.stack((np.cos(q[..., 0]), np.sin(q[..., 0])), axis=-1)
        tip = elbow + self.l2 * np.stack((np.cos(both), np.sin(both)), axis=-1)
        return np.stack((np.zeros_like(elbow), elbow, tip), axis=-2)


def seed_arm(
    height_m: float = 1.70, mass_kg: float = 70.0, *, printed: bool = False
) -> Mapping[str, float]:
    """Return the arm of seed 002 from body height and mass.

    Dempster's row "forearm and hand" gives its centre of mass (0.682) and radius of gyration
    (0.468) as shares of the distance from the elbow to the ulnar styloid, 0.146 of the body height.
    The seed applies them to the distance to the finger tip, 0.253 (E12): the centre of mass moves
    from 0.169 to 0.293 m and the inertia triples.

    The effect of this error on the torques depends on the movement. Largest torques of shoulder and
    elbow in 0.5 s, N m, from hanging to the forearm upright, both under gravity:

    =====================================  ==========  ==========
    movement                               printed     corrected
    =====================================  ==========  ==========
    smooth joint angles (``joint``)        39.0, 20.5  22.8, 8.5
    straight smooth finger path (``fast``)  69.5, 12.0  82.0, 20.1
    =====================================  ==========  ==========

    Both rows are right, each for its movement. With smooth joint angles a lighter forearm needs
    less torque. On the straight path the arm folds (elbow at 154 degrees after 0.265 s). In that
    posture a forearm whose mass is further out balances more of the upper arm, so the correction
    raises the torques.

    Parameters
    ----------
    height_m, mass_kg : float
    printed : bool
        Reproduce the error of the seed.

    Returns
    -------
    mapping
        ``m1 m2 l1 l2 d1 d2 i1 i2``; ``l2`` is the length to the finger tip in both cases.

    Examples
    --------
    >>> round(seed_arm()["d2"], 4), round(seed_arm(printed=True)["d2"], 4)
    (0.1693, 0.2933)
    """
    l1, l2 = 0.188 * height_m, 0.253 * height_m
    styloid = l2 if printed else 0.146 * height_m
    m1, m2 = 0.0280 * mass_kg, 0.0220 * mass_kg
    i1, i2 = m1 * (0.322 * l1) ** 2, m2 * (0.468 * styloid) ** 2
    d1, d2 = 0.436 * l1, 0.682 * styloid
    return {"m1": m1, "m2": m2, "l1": l1, "l2": l2, "d1": d1, "d2": d2, "i1": i1, "i2": i2}


def moments_of(terms: Terms) -> Array:
    """Return the torques of both joints and their parts, shape (n, 10): tau, M, C, G, E."""
    parts = (terms.tau, terms.M, terms.C, terms.G, terms.E)
    return locked("moments", np.concatenate(parts, axis=-1), (None, 10))
