"""Where landmarks are in the frame of a segment's cluster, from all frames that show both.

In a calibration in which nobody stands still no single posture shows the landmarks well. Each
landmark is then placed in its cluster frame by frame, and the median counts (the calibrated
anatomical system technique: Cappozzo et al. 1995, Clin Biomech 10:171-178).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rigid import SMALLEST_CLUSTER, move, rigid_motion
from gaitdyn.core.rotations import rotate_back
from gaitdyn.core.runs import known_points

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.trial import Trial

SEEN_SHARE = 0.1
"""A landmark counts when it is seen with its cluster in a tenth of the frames."""
_ROUNDS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A landmark in the frame of a cluster.

    Attributes
    ----------
    position : array, shape (3,)
        Median, m, cluster axes, from the cluster's middle.
    spread_m : float
        Root mean square of the distances from it: skin, and the joint between them if the
        landmark belongs to a neighbour.
    frames : tuple of int
        Rows of the trial in which landmark and cluster are seen together.
    """

    position: Array
    spread_m: float
    frames: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ClusterPlaces:
    """A cluster, its mean shape, and the landmarks that were placed in it.

    Attributes
    ----------
    labels : tuple of str
        Of the tracking markers.
    template : array, shape (m, 3)
        Their mean shape, m, from its middle; axes parallel to G in the frame that shows most.
    places : dict
        Landmark -> :class:`Place`.
    """

    labels: tuple[str, ...]
    template: Array
    places: dict[str, Place]


def reference_places(
    trial: Trial,
    roles: Mapping[str, Sequence[str]],
    segments: Mapping[str, Sequence[str]],
    share: float = SEEN_SHARE,
) -> dict[str, ClusterPlaces]:
    """Return the landmarks of each segment in the frame of its cluster, and the frames used.

    Parameters
    ----------
    trial : Trial
        A static in which the person moves, or a walk. A static from another recording gives the
        same: positions are in cluster axes, which go with the markers.
    roles : mapping
        Segment -> landmarks that move with it.
    segments : mapping
        Segment -> markers that track it.
    share : float
        Smallest part of the trial's frames in which a landmark must be seen with its cluster.

    Returns
    -------
    dict
        Segment -> :class:`ClusterPlaces`. A segment of which no frame shows three markers of the
        cluster is left out, a landmark that is seen too seldom too.
    """
    found: dict[str, ClusterPlaces] = {}
    for segment, markers in segments.items():
        cluster = cluster_shape(trial, markers)
        if cluster is None:
            continue
        R, t = cluster_motion(trial, cluster)
        places = {}
        for role in roles.get(segment, ()):
            place = _place(trial, role, (R, t), share)
            if place is not None:
                places[role] = place
        found[segment] = replace(cluster, places=places)
    return found


def cluster_shape(trial: Trial, markers: Sequence[str]) -> ClusterPlaces | None:
    """Return the mean shape of a cluster over all frames; ``None`` with fewer than three markers.

    The shape in the frame that shows most of them, then the mean of all frames laid on it, three
    times. A marker that this frame does not show takes its median place beside the others.
    """
    labels = [label for label in dict.fromkeys(markers) if label in trial.labels]
    points = trial.markers_G[:, [trial.labels.index(label) for label in labels]]
    known = known_points(points)
    if not labels or known.sum(axis=1).max() < SMALLEST_CLUSTER:
        return None
    best = np.flatnonzero(known.sum(axis=1) == known.sum(axis=1).max())
    first = int(best[len(best) // 2])
    inside = known[first]
    shape = points[first, inside] - points[first, inside].mean(axis=0)
    for _ in range(_ROUNDS):
        laid = _laid(shape, points[:, inside], points[:, inside])
        if not known_points(laid).any(axis=0).all():
            break
        shape = np.nanmean(laid, axis=0)
        shape = shape - shape.mean(axis=0)
    everything = np.full((len(labels), 3), np.nan)
    everything[inside] = shape
    laid = _laid(shape, points[:, inside], points[:, ~inside])
    for i, seen in zip(np.flatnonzero(~inside), np.moveaxis(laid, 1, 0), strict=True):
        rows = seen[known_points(seen)]
        if len(rows):
            everything[i] = np.median(rows, axis=0)
    placed = known_points(everything)
    names = tuple(label for label, there in zip(labels, placed, strict=True) if there)
    return ClusterPlaces(names, everything[placed], {})


def _laid(shape: Array, points: Array, others: Array) -> Array:
    """Return points in the axes of a shape that others fit, frame by frame."""
    R, t, _ = rigid_motion(shape, points)
    return rotate_back(R[:, None], others - t[:, None])


def cluster_motion(trial: Trial, cluster: ClusterPlaces) -> tuple[Array, Array]:
    """Return rotation and translation of a cluster in every frame, (n, 3, 3) and (n, 3).

    NaN in frames with fewer than three of its markers.
    """
    empty = np.full((len(trial.markers_G), 3), np.nan)
    points = [trial.marker(x) if x in trial.labels else empty for x in cluster.labels]
    R, t, _ = rigid_motion(cluster.template, np.stack(points, axis=1))
    return R, t


def carried_places(trial: Trial, cluster: ClusterPlaces) -> dict[str, Array]:
    """Return the landmarks of a cluster in every frame of a trial, each of shape (n, 3), m, G.

    Parameters
    ----------
    trial : Trial
        This one, or another of the same markers.
    cluster : ClusterPlaces
    """
    R, t = cluster_motion(trial, cluster)
    return {role: move(R, t, place.position) for role, place in cluster.places.items()}


def _place(trial: Trial, role: str, motion: tuple[Array, Array], share: float) -> Place | None:
    if role not in trial.labels:
        return None
    R, t = motion
    inside = rotate_back(R, trial.marker(role) - t)
    rows = np.flatnonzero(known_points(inside))
    if not len(rows) or len(rows) < share * len(inside):
        return None
    middle = np.median(inside[rows], axis=0)
    off = np.linalg.norm(inside[rows] - middle, axis=1)
    return Place(middle, float(np.sqrt((off**2).mean())), tuple(rows.tolist()))
