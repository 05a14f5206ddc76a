"""Components that the markers of one plane do not show: they stay empty, never zero."""

from __future__ import annotations

import numpy as np

from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import JOINTS

ABOUT_Z = (False, False, True)
"""Known components of moments and powers, axes x, y, z: those about the normal of the plane."""

ALONG_XY = (True, True, False)
"""Known components of forces: those in the plane."""


def only(values: Array, known: tuple[bool, bool, bool]) -> Array:
    """Return vectors whose unknown components are NaN.

    Parameters
    ----------
    values : array, shape (..., 3)
    known : tuple of 3 bool

    Examples
    --------
    >>> only(np.ones(3), ABOUT_Z)
    array([nan, nan,  1.])
    """
    return np.where(known, values, np.nan)


def planar_angles(angles: dict[str, Array]) -> dict[str, Array]:
    """Return the angles with all but the flexion of hip, knee and ankle set to NaN.

    Parameters
    ----------
    angles : dict
        As in :func:`gaitdyn.kinematics.angles.segment_angles`, flexion first.
    """
    return {name: only(values, (name in JOINTS, False, False)) for name, values in angles.items()}
