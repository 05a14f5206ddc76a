"""The load at one joint of a segment whose other joints are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.core.rotations import cross, rotate
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array


@frozen(eq=False)
class Load:
    """Force and moment at a point, G, SI; the code that creates it states what it acts on."""

    force: Array
    moment: Array
    point: Array


@frozen(eq=False)
class Moving:
    """A rigid segment and its motion.

    Attributes
    ----------
    mass : float
        kg.
    inertia_S : array, shape (3, 3)
        About the centre of mass, segment axes, kg m2.
    R_GS : array, shape (n, 3, 3)
    r_cm_G, a_cm_G : array, shape (n, 3)
        m, m/s2.
    omega_S, alpha_S : array, shape (n, 3)
        rad/s, rad/s2, segment axes.
    """

    mass: float
    inertia_S: Array
    R_GS: Array
    r_cm_G: Array
    a_cm_G: Array
    omega_S: Array
    alpha_S: Array

    @property
    def omega_G(self) -> Array:
        """Angular velocity in G, shape (n, 3), rad/s."""
        return rotate(self.R_GS, self.omega_S)


def load_at(segment: Moving, joint: Array, given: Sequence[Load], gravity_G: Array) -> Load:
    """Return the load on a segment at one joint, from the loads it puts on its other neighbours.

    ``F = m (a - g) + sum F_k``, ``M = I alpha + omega x I omega - (r - c) x F
    + sum [M_k + (r_k - c) x F_k]``, where F_k and M_k act from the segment on neighbour k at r_k.

    Parameters
    ----------
    segment : Moving
    joint : array, shape (n, 3)
        The joint, m.
    given : sequence of Load
        Loads of the segment on its other neighbours.
    gravity_G : array, shape (3,)
        m/s2.
    """
    spin = segment.omega_S @ segment.inertia_S.T
    rate = segment.alpha_S @ segment.inertia_S.T + cross(segment.omega_S, spin)
    force = segment.mass * (segment.a_cm_G - gravity_G)
    moment = rotate(segment.R_GS, rate)
    for load in given:
        force = force + load.force
        moment = moment + load.moment + cross(load.point - segment.r_cm_G, load.force)
    return Load(force, moment - cross(joint - segment.r_cm_G, force), joint)
