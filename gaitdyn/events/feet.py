"""The feet in relation to the plates: heel-toe axis, stance, outline."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.places import plate_edges
from gaitdyn.core.rotations import lengths
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen

TOE_REACH = 1.3
"""The toes end about this far along the line from the heel to the toe marker."""


@frozen(eq=False)
class TrialFoot:
    """One foot during a trial.

    Attributes
    ----------
    side : str
    heel_G, toe_G : arrays, shape (n, 3)
        Heel and toe marker (head of metatarsal II), m.
    stance : array of bool, shape (n,)
    """

    side: str
    heel_G: Array
    toe_G: Array
    stance: Mask

    @property
    def tip_G(self) -> Array:
        """Position of the tip of the toes, shape (n, 3)."""
        return self.heel_G + TOE_REACH * (self.toe_G - self.heel_G)

    def part(self, rows: slice | np.ndarray) -> TrialFoot:
        """Return the foot restricted to some rows."""
        return TrialFoot(self.side, self.heel_G[rows], self.toe_G[rows], self.stance[rows])


def distance_to_foot(point_G: Array, foot: TrialFoot) -> Array:
    """Return the horizontal distance of points to the line from heel to toes, shape (n,), m.

    Parameters
    ----------
    point_G : array, shape (n, 3)
    foot : TrialFoot
    """
    heel, axis = foot.heel_G[:, ::2], (foot.tip_G - foot.heel_G)[:, ::2]
    arm = point_G[:, ::2] - heel
    with np.errstate(divide="ignore", invalid="ignore"):  # heel and toe in one place: not known
        along = np.einsum("ni,ni->n", arm, axis) / np.einsum("ni,ni->n", axis, axis)
    nearest = np.clip(along, 0.0, 1.0)[:, None] * axis
    return np.linalg.norm(arm - nearest, axis=1)


def median_distance(point_G: Array, foot: TrialFoot) -> float:
    """Return the median :func:`distance_to_foot`, m; infinite if fewer than half are known."""
    distance = distance_to_foot(point_G, foot)
    known = distance[np.isfinite(distance)]
    return float(median(known)) if 2 * len(known) >= len(distance) else np.inf


def beyond_plate(point_G: Array, corners_G: Array) -> Array:
    """Return how far points lie beyond the nearest edge of a plate, shape (n,), m; inside < 0.

    Parameters
    ----------
    point_G : array, shape (n, 3)
    corners_G : array, shape (4, 3)
    """
    edges = plate_edges(corners_G)
    size = lengths(edges)
    along = np.abs((point_G - corners_G.mean(axis=0)) @ (edges / size[:, None]).T)
    return (along - 0.5 * size).max(axis=1)


def inside_plate(point_G: Array, corners_G: Array, margin: float = 0.0) -> Mask:
    """Return whether points lie over a plate, its edges moved outward by ``margin`` (fraction).

    Parameters
    ----------
    point_G : array, shape (..., 3)
    corners_G : array, shape (4, 3)
    margin : float

    Returns
    -------
    array of bool, shape (...)
    """
    centre = corners_G.mean(axis=0)
    half = 0.5 * plate_edges(corners_G)
    size = lengths(half)
    along = (point_G - centre) @ (half / size[:, None] ** 2).T
    with np.errstate(invalid="ignore"):
        within = np.abs(along) <= 1.0 + margin
    return within[..., 0] & within[..., 1]


def over_plate(foot: TrialFoot, corners_G: Array, margin: float = 0.0) -> Mask:
    """Return the frames in which the heel or toe marker of a foot is over a plate, shape (n,)."""
    heel, toe = inside_plate(np.array((foot.heel_G, foot.toe_G)), corners_G, margin)
    return heel | toe
