"""Head, arms and trunk of a person without markers on the trunk."""

from __future__ import annotations

import numpy as np

from gaitdyn.types.arrays import Array
from gaitdyn.types.generalised import Trunk

CENTRE_ALONG = 0.626
"""Centre of mass from trochanter to shoulder (Winter 2009, Table 4.1, row HAT, after Dempster)."""

RADIUS = 0.496
"""Radius of gyration about the centre of mass, as a share of the same length (same row)."""

LONG_RADIUS = 0.197
"""About the long axis, as a share of mid-shoulder to mid-hip (de Leva 1996, J Biomech 29:1223-1230,
trunk, men). It is that of the trunk without arms and head; no table gives it for all three."""

TRUNK_OF_LEG = 0.288 / (0.245 + 0.246)
"""Trochanter to shoulder, as a share of thigh plus shank, from their shares of the body height
(Drillis and Contini 1966, in Winter 2009, Fig. 4.1)."""


def rest_of_body(body_mass_kg: float, leg_mass_kg: float, thigh_m: float, shank_m: float) -> Trunk:
    """Return the body without the legs as one rigid segment.

    Parameters
    ----------
    body_mass_kg : float
    leg_mass_kg : float
        Of both legs.
    thigh_m, shank_m : float
        Lengths, mean of both sides.

    Examples
    --------
    >>> trunk = rest_of_body(70.0, 22.54, 0.43, 0.42)
    >>> round(trunk.mass, 2), round(trunk.height_m, 3)
    (47.46, 0.312)
    """
    length = TRUNK_OF_LEG * (thigh_m + shank_m)
    mass = body_mass_kg - leg_mass_kg
    inertia = mass * (np.array([RADIUS, LONG_RADIUS, RADIUS]) * length) ** 2
    return Trunk(mass, CENTRE_ALONG * length, np.diag(inertia))


LONG_RADII = (0.124, 0.102, 0.149)
"""Foot, shank and thigh about their long axes, as shares of their lengths (de Leva 1996, men)."""

_NEGLIGIBLE = 1e-6


def with_long_axes(inertia_S: Array, mass: Array, lengths_m: tuple[float, float, float]) -> Array:
    """Return inertia tensors that have some inertia about every axis.

    A table of thin rods such as Dempster's has none about the long axis of a segment. A joint can
    then rotate without any moment, and the acceleration that a moment induces is undefined. Tensors
    without such an axis are not changed.

    Parameters
    ----------
    inertia_S : array, shape (3, 3, 3)
        Of foot, shank and thigh, kg m2.
    mass : array, shape (3,)
        kg.
    lengths_m : tuple of 3 float

    Returns
    -------
    array, shape (3, 3, 3)

    Examples
    --------
    >>> rods = np.stack([np.diag([0.0, 0.004, 0.004]), np.diag([0.05, 0.0, 0.05])] * 2)[:3]
    >>> full = with_long_axes(rods, np.array([1.0, 3.0, 7.0]), (0.2, 0.4, 0.4))
    >>> full[1].diagonal().round(5).tolist()
    [0.05, 0.00499, 0.05]
    """
    principal, axes = np.linalg.eigh(inertia_S)
    long = np.asarray(mass) * (np.array(LONG_RADII) * np.asarray(lengths_m)) ** 2
    empty = principal < _NEGLIGIBLE * principal[:, -1:]
    added = np.where(empty, long[:, None], 0.0)
    return inertia_S + (axes * added[:, None, :]) @ np.swapaxes(axes, -1, -2)
