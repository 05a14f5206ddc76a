"""The foot of a reference position for its mass: as the landmarks show it, else of usual shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.usual_foot import usual_ends
from gaitdyn.types.motion import LegPose

if TYPE_CHECKING:
    from gaitdyn.calibrate.landmarks import ReferenceLeg
    from gaitdyn.types.arrays import Array


def standing_foot(leg: ReferenceLeg) -> tuple[Array, Array, Array]:
    """Return heel, toe and axes of a foot in the reference position, for length and mass.

    What no landmark shows is that of a foot of usual shape; a foot without axes has those of the
    shank, with which its mass then moves.

    Parameters
    ----------
    leg : ReferenceLeg

    Returns
    -------
    heel, toe : arrays, shape (3,)
        G, m.
    axes : array, shape (3, 3)
    """
    foot, shank, thigh = leg.axes
    centres = np.stack((leg.ankle, leg.knee, leg.hip))[None]
    pose = LegPose(leg.side, np.stack((foot, shank, thigh))[None], centres)
    heel, toe = usual_ends(leg.heel[None], leg.toe[None], pose)
    return heel[0], toe[0], foot if np.isfinite(foot).all() else shank
