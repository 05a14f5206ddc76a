"""Margin of stability: how far the extrapolated centre of mass is from the edge of the sole.

Hof, Gazendam and Sinke 2005, J Biomech 38:1-8: with the velocity v of the centre of mass x and the
length l of the pendulum from ankle to centre of mass, ``XcoM = x + v / sqrt(g / l)``.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import dot
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.events.feet import TOE_REACH
from gaitdyn.kinematics.angles import progression_frame
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import Pose
from gaitdyn.types.subject import SIGN
from gaitdyn.types.upper import SoleEdge

HALF_BREADTH = 0.18
"""Distance of the outer border of the sole from the head of metatarsal II, as a share of the length
from heel marker to toe tip. It is half the ratio of breadth to length (Drillis and Contini 1966, in
Winter 2009: 0.055 and 0.152)."""


def sole_edges(
    com_G: Array,
    velocity_G: Array,
    pose: Pose,
    feet: dict[str, tuple[Array, Array]],
    ground: dict[str, Array] | None = None,
) -> dict[str, SoleEdge]:
    """Return the edges of each sole relative to the extrapolated centre of mass.

    Parameters
    ----------
    com_G, velocity_G : array, shape (n, 3)
        m, m/s.
    pose : Pose
    feet : dict
        Side -> heel, toe (head of metatarsal II), shape (n, 3), m.
    ground : dict, optional
        Side -> velocity of the surface under the foot, shape (n, 3), m/s, G; 0 if not given. The
        pendulum pivots on its foot, so velocity is taken relative to the belt.

    Returns
    -------
    dict
        Side -> SoleEdge, also while the foot is in the air.
    """
    edges = {}
    for side, (heel, toe) in feet.items():
        ankle = pose.leg(side).r_prox_G[:, 0]
        length = np.sqrt(dot(com_G - ankle, com_G - ankle))
        relative = velocity_G - (ground or {}).get(side, 0.0)
        xcom = com_G + relative * np.sqrt(length / STANDARD_GRAVITY)
        tip = heel + TOE_REACH * (toe - heel)
        border = HALF_BREADTH * np.linalg.norm(tip - heel, axis=1)
        edges[side] = SoleEdge(tip - xcom, toe - xcom, border)
    return edges


def margins(edge: SoleEdge, side: str, walking_G: Array) -> Array:
    """Return the margin of stability forward and to the given side, shape (n, 2), m.

    It is positive while the extrapolated centre of mass is behind the toe tip (forward) and inside
    the outer border of the sole (to the side).

    Parameters
    ----------
    edge : SoleEdge
    side : {"left", "right"}
    walking_G : array, shape (3,)
        Unit horizontal vector.
    """
    walking = progression_frame(walking_G)
    forward = edge.tip_G @ walking[:, 0]
    outward = edge.toe_G @ (-SIGN[side] * walking[:, 2]) + edge.border_m
    return np.stack((forward, outward), axis=1)
